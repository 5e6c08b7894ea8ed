// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Configs of operations: how a program computes and how it is spread over cores. Names and fields as TT-NN 0.81.1 has them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/memory_config.hpp"

namespace ttnn::operations::compute_throttle_utils {
enum class ThrottleLevel : std::uint32_t {
    NO_THROTTLE = 0,
    LEVEL_1 = 1,
    LEVEL_2 = 2,
    LEVEL_3 = 3,
    LEVEL_4 = 4,
    LEVEL_5 = 5
};
}

namespace ttnn {

struct ComputeKernelConfig {
    tt::tt_metal::MathFidelity math_fidelity = tt::tt_metal::MathFidelity::LoFi;
    bool math_approx_mode = true;
    bool fp32_dest_acc_en = false;
    bool packer_l1_acc = false;
    bool dst_full_sync_en = false;
    operations::compute_throttle_utils::ThrottleLevel throttle_level =
        operations::compute_throttle_utils::ThrottleLevel::NO_THROTTLE;
    bool operator==(const ComputeKernelConfig&) const = default;
};
using WormholeComputeKernelConfig = ComputeKernelConfig;
using BlackholeComputeKernelConfig = ComputeKernelConfig;
using DeviceComputeKernelConfig = ComputeKernelConfig;

struct SoftmaxDefaultProgramConfig {
    bool operator==(const SoftmaxDefaultProgramConfig&) const = default;
};
struct SoftmaxShardedMultiCoreProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t subblock_w = 1;
    std::size_t block_h = 1;
    std::size_t block_w = 1;
    bool operator==(const SoftmaxShardedMultiCoreProgramConfig&) const = default;
};
using SoftmaxProgramConfig = std::variant<SoftmaxDefaultProgramConfig, SoftmaxShardedMultiCoreProgramConfig>;

enum class TileReshapeMapMode : std::uint8_t { CACHE = 0, RECREATE = 1 };
enum class BcastOpMath : std::uint8_t { ADD = 0, SUB = 1, MUL = 2 };
enum class BcastOpDim : std::uint8_t { H = 0, W = 1, HW = 2 };

namespace prim {
struct LayerNormDefaultProgramConfig {
    bool legacy_reduction = false;
    bool legacy_rsqrt = false;
    bool use_welford = false;
    bool operator==(const LayerNormDefaultProgramConfig&) const = default;
};
struct LayerNormShardedMultiCoreProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t subblock_w = 1;
    std::size_t block_h = 1;
    std::size_t block_w = 1;
    bool inplace = false;
    bool legacy_reduction = false;
    bool legacy_rsqrt = false;
    bool use_welford = false;
    bool operator==(const LayerNormShardedMultiCoreProgramConfig&) const = default;
};
using LayerNormProgramConfig =
    std::variant<LayerNormDefaultProgramConfig, LayerNormShardedMultiCoreProgramConfig>;
}  // namespace prim
using prim::LayerNormDefaultProgramConfig;
using prim::LayerNormProgramConfig;
using prim::LayerNormShardedMultiCoreProgramConfig;

namespace operations::unary {

/// Functions of one element; the numbers are those of TT-NN 0.81.1.
enum class UnaryOpType : std::uint8_t {
    EXP = 0,
    RECIP = 1,
    GELU = 2,
    GELU_TANH = 3,
    RELU = 4,
    SQRT = 5,
    SIGMOID = 6,
    LOG = 7,
    LOG1P = 8,
    TANH = 9,
    LOG2 = 10,
    LOG10 = 11,
    SIN = 12,
    COS = 13,
    COSH = 14,
    SINH = 15,
    ABS = 16,
    ABS_INT32 = 17,
    SIGN = 18,
    SQUARE = 19,
    EQZ = 20,
    NEZ = 21,
    GTZ = 22,
    LTZ = 23,
    GEZ = 24,
    LEZ = 25,
    RELU_MAX = 26,
    RELU_MIN = 27,
    POWER = 28,
    POWER_ITERATIVE = 29,
    LEAKY_RELU = 30,
    ELU = 31,
    EXP2 = 32,
    HEAVISIDE = 33,
    EXPM1 = 34,
    SIGNBIT = 35,
    ASIN = 36,
    ACOS = 37,
    ACOSH = 38,
    RSQRT = 39,
    RELU6 = 40,
    ATAN = 41,
    ASINH = 42,
    ATANH = 43,
    ERF = 44,
    ERFC = 45,
    ISINF = 46,
    ISPOSINF = 47,
    ISNEGINF = 48,
    ISNAN = 49,
    LOGICAL_NOT_UNARY = 50,
    ISFINITE = 51,
    ERFINV = 52,
    I0 = 53,
    I1 = 54,
    TAN = 55,
    RSUB = 56,
    RDIV = 57,
    SILU = 58,
    SOFTPLUS = 59,
    IDENTITY = 60,
    NEG = 61,
    ADD_UNARY_SFPU = 62,
    SUB_UNARY_SFPU = 63,
    MUL_UNARY_SFPU = 64,
    DIV_UNARY_SFPU = 65,
    UNARY_NE = 66,
    UNARY_EQ = 67,
    UNARY_GT = 68,
    UNARY_LT = 69,
    UNARY_GE = 70,
    UNARY_LE = 71,
    TILED_PROD = 72,
    TYPECAST = 73,
    BITCAST = 74,
    BITWISE_XOR = 75,
    BITWISE_NOT = 76,
    BITWISE_AND = 77,
    BITWISE_OR = 78,
    RIGHT_SHIFT = 79,
    FLOOR = 80,
    CEIL = 81,
    TRUNC = 82,
    FRAC = 83,
    ROUND = 84,
    LEFT_SHIFT = 85,
    REMAINDER = 86,
    FMOD = 87,
    DROPOUT = 88,
    FILL = 89,
    PRELU_SFPU = 90,
    ZERO_POINT = 91,
    ALT_COMPLEX_ROTATE90 = 92,
    MISH = 93,
    HARDMISH = 94,
    MAXIMUM = 95,
    MINIMUM = 96,
    TANHSHRINK = 97,
    THRESHOLD = 98,
    SOFTSHRINK = 99,
    HARDSHRINK = 100,
    HARDTANH = 101,
    HARDSIGMOID = 102,
    HARDSWISH = 103,
    WHERE_TSS = 104,
    MAC_TSS = 105,
    SOFTSIGN = 106,
    CELU = 107,
    CLAMP_TSS = 108,
    SELU = 109,
    RPOW = 110,
    CBRT = 111,
    LOGSIGMOID = 112,
    LOGIT = 113,
    XIELU = 114,
    LGAMMA = 115,
    DIGAMMA = 116,
    POLYGAMMA = 117,
    SOFTCAP = 118
};

/// A function of one element with its parameters.
template <typename... Parameters>
struct BasicUnaryWithParam {
    UnaryOpType base{};
    std::vector<std::variant<Parameters...>> base_params;

    BasicUnaryWithParam() = default;
    BasicUnaryWithParam(UnaryOpType type) : base(type) {}  // NOLINT: a type is a function
    template <typename T>
    requires(std::is_same_v<T, Parameters> || ...) BasicUnaryWithParam(UnaryOpType type, T parameter)
        : base(type), base_params{parameter} {}
    template <typename T>
    requires(std::is_same_v<T, Parameters> || ...)
        BasicUnaryWithParam(UnaryOpType type, const std::vector<T>& parameters)
        : base(type), base_params(parameters.begin(), parameters.end()) {}
    /// One with parameters of fewer types.
    template <typename One>
    requires(sizeof...(Parameters) > 1 && (std::is_same_v<One, Parameters> || ...))
        BasicUnaryWithParam(const BasicUnaryWithParam<One>& narrower)  // NOLINT: the same function
        : base(narrower.base) {
        for (const std::variant<One>& each : narrower.base_params)
            base_params.emplace_back(std::get<0>(each));
    }

    UnaryOpType type() const { return base; }
    bool empty() const { return base_params.empty(); }
    const std::vector<std::variant<Parameters...>>& params() const { return base_params; }
    bool operator==(const BasicUnaryWithParam&) const = default;
};
using EltwiseUnaryWithParam = BasicUnaryWithParam<float, std::int32_t, std::uint32_t>;
using UnaryWithParam = EltwiseUnaryWithParam;
using FusedActivations = std::vector<EltwiseUnaryWithParam>;

enum class GeluVariant : std::uint8_t { Accurate = 0, FastLut = 1, Tanh = 2 };
enum class SigmoidMode : std::uint8_t { FAST_APPROXIMATE = 0, ACCURATE_FAST_EXP = 1, ACCURATE = 2 };
enum class VecMode : std::uint8_t { None = 0, R = 1, C = 2, RC = 4 };

namespace utils {
/// "relu", "gelu_approx", ...: throws std::runtime_error for others.
EltwiseUnaryWithParam string_to_unary_with_param(const std::string& name);
}  // namespace utils
}  // namespace operations::unary

namespace operations::matmul {

struct MatmulMultiCoreProgramConfig {
    bool operator==(const MatmulMultiCoreProgramConfig&) const = default;
};
struct MatmulMultiCoreReuseProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t in0_block_w = 1;
    std::size_t out_subblock_h = 1;
    std::size_t out_subblock_w = 1;
    std::size_t per_core_M = 1;
    std::size_t per_core_N = 1;
    bool operator==(const MatmulMultiCoreReuseProgramConfig&) const = default;
};
struct MatmulMultiCoreReuseMultiCastProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t in0_block_w = 1;
    std::size_t out_subblock_h = 1;
    std::size_t out_subblock_w = 1;
    std::size_t out_block_h = 0;  ///< 0: per_core_M
    std::size_t out_block_w = 0;  ///< 0: per_core_N
    std::size_t per_core_M = 1;
    std::size_t per_core_N = 1;
    bool transpose_mcast = false;
    std::optional<unary::UnaryWithParam> fused_activation;
    bool fuse_batch = true;
    bool operator==(const MatmulMultiCoreReuseMultiCastProgramConfig&) const = default;
};
struct MatmulMultiCoreReuseMultiCast1DProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::size_t in0_block_w = 1;
    std::size_t out_subblock_h = 1;
    std::size_t out_subblock_w = 1;
    std::size_t out_block_h = 0;  ///< 0: per_core_M
    std::size_t out_block_w = 0;  ///< 0: per_core_N
    std::size_t per_core_M = 1;
    std::size_t per_core_N = 1;
    bool fuse_batch = true;
    std::optional<unary::UnaryWithParam> fused_activation;
    bool mcast_in0 = true;
    bool gather_in0 = false;
    tt::tt_metal::CoreRangeSet hop_cores;
    std::size_t num_global_cb_receivers = 1;
    bool untilize_out = false;
    bool operator==(const MatmulMultiCoreReuseMultiCast1DProgramConfig&) const = default;
};
struct MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig {
    std::size_t in0_block_w = 1;
    std::size_t per_core_M = 1;
    std::size_t per_core_N = 1;
    std::optional<unary::UnaryWithParam> fused_activation;
    std::size_t num_workers_per_dram_bank = 1;
    bool operator==(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig&) const = default;
};
struct MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig {
    std::size_t in0_block_w = 1;
    std::size_t per_core_M = 1;
    std::size_t per_core_N = 1;
    std::optional<unary::UnaryWithParam> fused_activation;
    bool operator==(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig&) const = default;
};
using MatmulProgramConfig =
    std::variant<MatmulMultiCoreProgramConfig, MatmulMultiCoreReuseProgramConfig,
                 MatmulMultiCoreReuseMultiCastProgramConfig, MatmulMultiCoreReuseMultiCast1DProgramConfig,
                 MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig,
                 MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>;
}  // namespace operations::matmul

namespace operations::experimental::ccl {
enum class WorkerMode : std::uint8_t { DIRECT = 0, MUX_TOKEN_SPLIT = 1, MUX_PAYLOAD_SPLIT = 2 };
enum class DispatchAlgorithm : std::uint8_t {
    BROADCAST = 0,
    SPARSE_UNICAST = 1,
    SPARSE_MCAST_LINEAR = 2,
    SPARSE_MCAST_SPLIT_BW = 3,
    SPARSE_MCAST_SHORTEST_PATH = 4
};
}  // namespace operations::experimental::ccl

namespace experimental::prim::detail {
enum class MoEActivationFunction : std::uint8_t { SILU = 0, SWIGLU = 1, GELU = 2, CLAMPED_SILU = 3 };
}  // namespace experimental::prim::detail

namespace operations::experimental::indexer_score {
/// Rows of q and of k at a time, heads of q at once (0: all).
struct IndexerScoreProgramConfig {
    std::uint32_t q_chunk_size = 32;
    std::uint32_t k_chunk_size = 32;
    std::uint32_t head_group_size = 1;
    bool operator==(const IndexerScoreProgramConfig&) const = default;
};
}  // namespace operations::experimental::indexer_score

namespace operations::transformer {
struct SDPAProgramConfig {
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    std::optional<tt::tt_metal::CoreRangeSet> sub_core_grids;
    std::size_t q_chunk_size = 32;
    std::size_t k_chunk_size = 32;
    std::optional<bool> exp_approx_mode;
    std::uint32_t max_cores_per_head_batch = 16;
    bool operator==(const SDPAProgramConfig&) const = default;
};
}  // namespace operations::transformer

namespace operations::transformer {
/// The shape that a paged cache is read in, where it is another one than that of its tensor.
struct PagedCacheGeometryOverride {
    std::uint32_t block_size = 0;
    std::uint32_t num_kv_heads = 0;
    bool active() const { return block_size != 0 || num_kv_heads != 0; }
    bool operator==(const PagedCacheGeometryOverride&) const = default;
};
}  // namespace operations::transformer

namespace operations::data_movement {
/// Elements before and behind a dimension.
struct PadSpecDim {
    std::uint32_t before_elements;
    std::uint32_t after_elements;
};
}  // namespace operations::data_movement

namespace operations::op_slicing {
struct Op2DSliceConfig {
    enum class SliceType : std::uint8_t { DRAM_HEIGHT = 0, DRAM_WIDTH = 1, L1_FULL = 2 };
    SliceType slice_type = SliceType::L1_FULL;
    std::uint32_t num_slices = 0;  ///< 0: as many as are needed
    bool operator==(const Op2DSliceConfig&) const = default;
};
}  // namespace operations::op_slicing

namespace operations::pool {
using op_slicing::Op2DSliceConfig;
}

namespace operations::loss {
enum class LossReductionMode : std::uint8_t { NONE = 0, SUM = 1, MEAN = 2 };
}

namespace prim {
enum class EmbeddingsType : std::uint8_t { GENERIC = 0, PADDED = 1, BINARY = 2 };

struct Conv2dConfig {
    std::optional<tt::tt_metal::DataType> weights_dtype;
    std::optional<operations::unary::UnaryWithParam> activation;
    bool deallocate_activation = false;
    bool reallocate_halo_output = true;
    bool config_tensors_in_dram = false;
    std::uint32_t act_block_h_override = 0;  ///< rows of the output that a core makes at a time; 0: all
    std::uint32_t act_block_w_div = 1;
    bool reshard_if_not_optimal = false;
    bool override_sharding_config = false;
    std::optional<tt::tt_metal::TensorMemoryLayout> shard_layout;
    std::optional<tt::tt_metal::CoreRangeSet> core_grid;
    bool transpose_shards = false;
    tt::tt_metal::Layout output_layout = tt::tt_metal::Layout::TILE;
    bool enable_act_double_buffer = false;
    bool enable_weights_double_buffer = false;
    bool full_inner_dim = false;
    std::optional<bool> enable_kernel_stride_folding;
    bool enable_activation_reuse = false;
    std::optional<bool> force_split_reader;
    bool override_output_sharding_config = false;
    bool operator==(const Conv2dConfig&) const = default;
};
}  // namespace prim
using prim::Conv2dConfig;
using Conv1dConfig = Conv2dConfig;
using Conv2dSliceConfig = operations::op_slicing::Op2DSliceConfig;
using Conv1dSliceConfig = Conv2dSliceConfig;
using operations::unary::UnaryWithParam;
namespace operations::conv::conv2d {
using ttnn::Conv2dSliceConfig;
using ttnn::prim::Conv2dConfig;
}  // namespace operations::conv::conv2d

namespace experimental::prim {
struct Conv3dConfig {
    tt::tt_metal::DataType weights_dtype = tt::tt_metal::DataType::BFLOAT16;
    tt::tt_metal::Layout output_layout = tt::tt_metal::Layout::ROW_MAJOR;
    std::uint32_t T_out_block = 1;
    std::uint32_t W_out_block = 1;
    std::uint32_t H_out_block = 1;
    std::uint32_t C_out_block = 0;  ///< 0: all channels
    std::uint32_t C_in_block = 0;
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    bool operator==(const Conv3dConfig&) const = default;
};
struct MinimalMatmulConfig {
    std::size_t M_block_size = 1;
    std::size_t K_block_size = 1;
    std::size_t N_block_size = 1;
    std::size_t subblock_h = 1;
    std::size_t subblock_w = 1;
    tt::tt_metal::CoreCoord compute_with_storage_grid_size;
    bool operator==(const MinimalMatmulConfig&) const = default;
};
}  // namespace experimental::prim

}  // namespace ttnn
