// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/arguments.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tilemeter::compat {

namespace {

namespace unary = ::ttnn::operations::unary;

// The names of TT-NN's functions of one element, by their numbers.
constexpr std::array<std::string_view, 119> kUnaryNames = {"EXP",
                                                           "RECIP",
                                                           "GELU",
                                                           "GELU_TANH",
                                                           "RELU",
                                                           "SQRT",
                                                           "SIGMOID",
                                                           "LOG",
                                                           "LOG1P",
                                                           "TANH",
                                                           "LOG2",
                                                           "LOG10",
                                                           "SIN",
                                                           "COS",
                                                           "COSH",
                                                           "SINH",
                                                           "ABS",
                                                           "ABS_INT32",
                                                           "SIGN",
                                                           "SQUARE",
                                                           "EQZ",
                                                           "NEZ",
                                                           "GTZ",
                                                           "LTZ",
                                                           "GEZ",
                                                           "LEZ",
                                                           "RELU_MAX",
                                                           "RELU_MIN",
                                                           "POWER",
                                                           "POWER_ITERATIVE",
                                                           "LEAKY_RELU",
                                                           "ELU",
                                                           "EXP2",
                                                           "HEAVISIDE",
                                                           "EXPM1",
                                                           "SIGNBIT",
                                                           "ASIN",
                                                           "ACOS",
                                                           "ACOSH",
                                                           "RSQRT",
                                                           "RELU6",
                                                           "ATAN",
                                                           "ASINH",
                                                           "ATANH",
                                                           "ERF",
                                                           "ERFC",
                                                           "ISINF",
                                                           "ISPOSINF",
                                                           "ISNEGINF",
                                                           "ISNAN",
                                                           "LOGICAL_NOT_UNARY",
                                                           "ISFINITE",
                                                           "ERFINV",
                                                           "I0",
                                                           "I1",
                                                           "TAN",
                                                           "RSUB",
                                                           "RDIV",
                                                           "SILU",
                                                           "SOFTPLUS",
                                                           "IDENTITY",
                                                           "NEG",
                                                           "ADD_UNARY_SFPU",
                                                           "SUB_UNARY_SFPU",
                                                           "MUL_UNARY_SFPU",
                                                           "DIV_UNARY_SFPU",
                                                           "UNARY_NE",
                                                           "UNARY_EQ",
                                                           "UNARY_GT",
                                                           "UNARY_LT",
                                                           "UNARY_GE",
                                                           "UNARY_LE",
                                                           "TILED_PROD",
                                                           "TYPECAST",
                                                           "BITCAST",
                                                           "BITWISE_XOR",
                                                           "BITWISE_NOT",
                                                           "BITWISE_AND",
                                                           "BITWISE_OR",
                                                           "RIGHT_SHIFT",
                                                           "FLOOR",
                                                           "CEIL",
                                                           "TRUNC",
                                                           "FRAC",
                                                           "ROUND",
                                                           "LEFT_SHIFT",
                                                           "REMAINDER",
                                                           "FMOD",
                                                           "DROPOUT",
                                                           "FILL",
                                                           "PRELU_SFPU",
                                                           "ZERO_POINT",
                                                           "ALT_COMPLEX_ROTATE90",
                                                           "MISH",
                                                           "HARDMISH",
                                                           "MAXIMUM",
                                                           "MINIMUM",
                                                           "TANHSHRINK",
                                                           "THRESHOLD",
                                                           "SOFTSHRINK",
                                                           "HARDSHRINK",
                                                           "HARDTANH",
                                                           "HARDSIGMOID",
                                                           "HARDSWISH",
                                                           "WHERE_TSS",
                                                           "MAC_TSS",
                                                           "SOFTSIGN",
                                                           "CELU",
                                                           "CLAMP_TSS",
                                                           "SELU",
                                                           "RPOW",
                                                           "CBRT",
                                                           "LOGSIGMOID",
                                                           "LOGIT",
                                                           "XIELU",
                                                           "LGAMMA",
                                                           "DIGAMMA",
                                                           "POLYGAMMA",
                                                           "SOFTCAP"};

const std::map<std::string_view, UnaryOpType>& kinds_by_name() {
    static const std::map<std::string_view, UnaryOpType> kinds = [] {
        std::map<std::string_view, UnaryOpType> all;
        for (std::size_t i = 0; i < compute::kNumUnaryKinds; ++i) {
            const auto kind = static_cast<UnaryOpType>(i);
            all.emplace(compute::name_of(kind), kind);
        }
        return all;
    }();
    return kinds;
}

std::optional<UnaryWithParam> fused(const std::optional<unary::EltwiseUnaryWithParam>& function) {
    return function ? std::optional(to_model(*function)) : std::nullopt;
}

}  // namespace

UnaryWithParam to_model(const unary::EltwiseUnaryWithParam& function) {
    const auto number = static_cast<std::size_t>(function.type());
    const auto found =
        number < kUnaryNames.size() ? kinds_by_name().find(kUnaryNames[number]) : kinds_by_name().end();
    if (found == kinds_by_name().end())
        throw std::runtime_error("UnaryOpType: number " + std::to_string(number) + " (" +
                                 std::string(number < kUnaryNames.size() ? kUnaryNames[number] : "unknown") +
                                 ") is not modelled");
    UnaryWithParam model{found->second};
    if (function.params().size() > model.parameters.size())
        throw std::runtime_error(std::string(kUnaryNames[number]) + ": expected at most " +
                                 std::to_string(model.parameters.size()) + " parameters, found " +
                                 std::to_string(function.params().size()));
    for (std::size_t i = 0; i < function.params().size(); ++i)
        model.parameters[i] =
            std::visit([](auto value) { return static_cast<double>(value); }, function.params()[i]);
    return model;
}

unary::EltwiseUnaryWithParam from_model(const UnaryWithParam& function) {
    const std::string_view name = compute::name_of(function.op_type);
    for (std::size_t i = 0; i < kUnaryNames.size(); ++i)
        if (kUnaryNames[i] == name) {
            unary::EltwiseUnaryWithParam result(static_cast<unary::UnaryOpType>(i));
            for (const double each : function.parameters)
                result.base_params.emplace_back(static_cast<float>(each));
            if (function.parameters == compute::UnaryParameters{}) result.base_params.clear();
            return result;
        }
    throw std::runtime_error(std::string(name) + ": no function of TT-NN's has this name");
}

DeviceComputeKernelConfig to_model(const ::ttnn::ComputeKernelConfig& config) {
    DeviceComputeKernelConfig model;
    // TT-NN's numbers leave one out.
    switch (config.math_fidelity) {
        case metal::MathFidelity::LoFi:
        case metal::MathFidelity::Invalid:
            model.math_fidelity = MathFidelity::LoFi;
            break;
        case metal::MathFidelity::HiFi2:
            model.math_fidelity = MathFidelity::HiFi2;
            break;
        case metal::MathFidelity::HiFi3:
            model.math_fidelity = MathFidelity::HiFi3;
            break;
        case metal::MathFidelity::HiFi4:
            model.math_fidelity = MathFidelity::HiFi4;
            break;
    }
    model.math_approx_mode = config.math_approx_mode;
    model.fp32_dest_acc_en = config.fp32_dest_acc_en;
    model.packer_l1_acc = config.packer_l1_acc;
    model.dst_full_sync_en = config.dst_full_sync_en;
    return model;
}

MatmulProgramConfig to_model(const ::ttnn::operations::matmul::MatmulProgramConfig& config) {
    namespace matmul = ::ttnn::operations::matmul;
    const auto blocks = [](auto& model, const auto& given) {
        model.compute_with_storage_grid_size = to_model(given.compute_with_storage_grid_size);
        model.in0_block_w = given.in0_block_w;
        model.out_subblock_h = given.out_subblock_h;
        model.out_subblock_w = given.out_subblock_w;
        model.per_core_M = given.per_core_M;
        model.per_core_N = given.per_core_N;
    };
    const auto casts = [](auto& model, const auto& given) {
        model.out_block_h = given.out_block_h;
        model.out_block_w = given.out_block_w;
        model.fused_activation = fused(given.fused_activation);
        model.fuse_batch = given.fuse_batch;
    };
    if (std::holds_alternative<matmul::MatmulMultiCoreProgramConfig>(config))
        return MatmulMultiCoreProgramConfig();
    if (const auto* given = std::get_if<matmul::MatmulMultiCoreReuseProgramConfig>(&config)) {
        MatmulMultiCoreReuseProgramConfig model;
        blocks(model, *given);
        return model;
    }
    if (const auto* given = std::get_if<matmul::MatmulMultiCoreReuseMultiCastProgramConfig>(&config)) {
        MatmulMultiCoreReuseMultiCastProgramConfig model;
        blocks(model, *given);
        casts(model, *given);
        model.transpose_mcast = given->transpose_mcast;
        return model;
    }
    if (const auto* given = std::get_if<matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig>(&config)) {
        if (given->gather_in0 || given->untilize_out || !given->hop_cores.empty())
            throw std::runtime_error(
                "MatmulMultiCoreReuseMultiCast1DProgramConfig: gather_in0, hop_cores and untilize_out "
                "are not modelled");
        MatmulMultiCoreReuseMultiCast1DProgramConfig model;
        blocks(model, *given);
        casts(model, *given);
        model.mcast_in0 = given->mcast_in0;
        return model;
    }
    if (const auto* given =
            std::get_if<matmul::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig>(&config))
        return MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig{
            given->in0_block_w, given->per_core_M, given->per_core_N, fused(given->fused_activation),
            given->num_workers_per_dram_bank};
    const auto& given =
        std::get<matmul::MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>(config);
    return MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig{
        given.in0_block_w, given.per_core_M, given.per_core_N, fused(given.fused_activation)};
}

::ttnn::operations::matmul::MatmulProgramConfig from_model(const MatmulProgramConfig& config) {
    namespace matmul = ::ttnn::operations::matmul;
    const auto activation = [](const std::optional<UnaryWithParam>& fused) {
        return fused ? std::optional<::ttnn::UnaryWithParam>(from_model(*fused)) : std::nullopt;
    };
    const auto blocks = [](auto& to, const auto& from) {
        to.compute_with_storage_grid_size = from_model(from.compute_with_storage_grid_size);
        to.in0_block_w = from.in0_block_w;
        to.out_subblock_h = from.out_subblock_h;
        to.out_subblock_w = from.out_subblock_w;
        to.per_core_M = from.per_core_M;
        to.per_core_N = from.per_core_N;
    };
    const auto casts = [&](auto& to, const auto& from) {
        to.out_block_h = from.out_block_h;
        to.out_block_w = from.out_block_w;
        to.fused_activation = activation(from.fused_activation);
        to.fuse_batch = from.fuse_batch;
    };
    if (const auto* from = std::get_if<MatmulMultiCoreReuseProgramConfig>(&config)) {
        matmul::MatmulMultiCoreReuseProgramConfig to;
        blocks(to, *from);
        return to;
    }
    if (const auto* from = std::get_if<MatmulMultiCoreReuseMultiCastProgramConfig>(&config)) {
        matmul::MatmulMultiCoreReuseMultiCastProgramConfig to;
        blocks(to, *from);
        casts(to, *from);
        to.transpose_mcast = from->transpose_mcast;
        return to;
    }
    if (const auto* from = std::get_if<MatmulMultiCoreReuseMultiCast1DProgramConfig>(&config)) {
        matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig to;
        blocks(to, *from);
        casts(to, *from);
        to.mcast_in0 = from->mcast_in0;
        return to;
    }
    if (const auto* from = std::get_if<MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig>(&config))
        return matmul::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig{
            from->in0_block_w, from->per_core_M, from->per_core_N, activation(from->fused_activation),
            from->num_workers_per_dram_bank};
    if (const auto* from = std::get_if<MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>(&config))
        return matmul::MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig{
            from->in0_block_w, from->per_core_M, from->per_core_N, activation(from->fused_activation)};
    return matmul::MatmulMultiCoreProgramConfig();
}

Argument Arguments::of(const ::ttnn::SoftmaxProgramConfig& config) {
    const auto* given = std::get_if<::ttnn::SoftmaxShardedMultiCoreProgramConfig>(&config);
    if (given == nullptr) return std::monostate();
    return SoftmaxShardedMultiCoreProgramConfig{
        to_model(given->compute_with_storage_grid_size), static_cast<std::uint32_t>(given->subblock_w),
        static_cast<std::uint32_t>(given->block_h), static_cast<std::uint32_t>(given->block_w)};
}

Argument Arguments::of(const ::ttnn::LayerNormProgramConfig& config) {
    using Model = std::variant<LayerNormDefaultProgramConfig, LayerNormShardedMultiCoreProgramConfig>;
    if (const auto* given = std::get_if<::ttnn::LayerNormDefaultProgramConfig>(&config))
        return Model(LayerNormDefaultProgramConfig{given->use_welford});
    const auto& given = std::get<::ttnn::LayerNormShardedMultiCoreProgramConfig>(config);
    return Model(LayerNormShardedMultiCoreProgramConfig{
        to_model(given.compute_with_storage_grid_size), static_cast<std::uint32_t>(given.subblock_w),
        static_cast<std::uint32_t>(given.block_h), static_cast<std::uint32_t>(given.block_w), given.inplace,
        given.use_welford});
}

SDPAProgramConfig to_model(const ::ttnn::operations::transformer::SDPAProgramConfig& config) {
    return {to_model(config.compute_with_storage_grid_size), static_cast<std::uint32_t>(config.q_chunk_size),
            static_cast<std::uint32_t>(config.k_chunk_size), config.exp_approx_mode,
            config.max_cores_per_head_batch};
}

Conv2dConfig to_model(const ::ttnn::Conv2dConfig& config) {
    Conv2dConfig model;
    model.weights_dtype = to_model(config.weights_dtype);
    model.activation = fused(config.activation);
    model.deallocate_activation = config.deallocate_activation;
    model.reallocate_halo_output = config.reallocate_halo_output;
    model.config_tensors_in_dram = config.config_tensors_in_dram;
    model.act_block_h_override = config.act_block_h_override;
    model.act_block_w_div = config.act_block_w_div;
    model.reshard_if_not_optimal = config.reshard_if_not_optimal;
    model.override_sharding_config = config.override_sharding_config;
    model.shard_layout = to_model(config.shard_layout);
    model.core_grid = to_model(config.core_grid);
    model.transpose_shards = config.transpose_shards;
    model.output_layout = to_model(config.output_layout);
    model.enable_act_double_buffer = config.enable_act_double_buffer;
    model.enable_weights_double_buffer = config.enable_weights_double_buffer;
    model.full_inner_dim = config.full_inner_dim;
    model.enable_kernel_stride_folding = config.enable_kernel_stride_folding;
    model.enable_activation_reuse = config.enable_activation_reuse;
    model.force_split_reader = config.force_split_reader;
    model.override_output_sharding_config = config.override_output_sharding_config;
    return model;
}

Conv3dConfig to_model(const ::ttnn::experimental::prim::Conv3dConfig& config) {
    Conv3dConfig model;
    model.weights_dtype = to_model(config.weights_dtype);
    model.output_layout = to_model(config.output_layout);
    model.T_out_block = config.T_out_block;
    model.W_out_block = config.W_out_block;
    model.H_out_block = config.H_out_block;
    model.C_out_block = config.C_out_block;
    model.C_in_block = config.C_in_block;
    model.compute_with_storage_grid_size = to_model(config.compute_with_storage_grid_size);
    return model;
}

MinimalMatmulConfig to_model(const ::ttnn::experimental::prim::MinimalMatmulConfig& config) {
    return {static_cast<std::uint32_t>(config.M_block_size), static_cast<std::uint32_t>(config.K_block_size),
            static_cast<std::uint32_t>(config.N_block_size), static_cast<std::uint32_t>(config.subblock_h),
            static_cast<std::uint32_t>(config.subblock_w),   to_model(config.compute_with_storage_grid_size)};
}

}  // namespace tilemeter::compat
