// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/row_arguments.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/argument_types.hpp"
#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::oracle {

namespace {

/// Reads one argument of a row; one overload for each kind that rows have, and one for all others.
template <typename T>
void read_argument(const nlohmann::json& text, T& /*value*/) {
    throw std::runtime_error("expected an argument of a kind that rows have, found " + text.dump());
}
template <typename T>
requires std::is_arithmetic_v<T>
void read_argument(const nlohmann::json& text, T& value) {
    value = text.get<T>();
}
void read_argument(const nlohmann::json& text, Scalar& value) {
    value = text.is_number_integer() ? Scalar(text.get<std::int64_t>()) : Scalar(text.get<double>());
}
void read_argument(const nlohmann::json& text, std::vector<bool>& value) {
    value = text.get<std::vector<bool>>();
}
/// A choice among a few, counted.
template <typename T>
requires std::is_enum_v<T>
void read_argument(const nlohmann::json& text, T& value) {
    value = static_cast<T>(text.get<int>());
}
/// Rectangles: [[first x, first y, last x, last y], ...].
void read_argument(const nlohmann::json& text, CoreRangeSet& value) {
    std::vector<CoreRange> ranges;
    for (const auto& each : text)
        ranges.push_back({{each.at(0), each.at(1)}, {each.at(2), each.at(3)}});
    value = CoreRangeSet(std::move(ranges));
}
/// A function is there by the name of its type.
void read_argument(const nlohmann::json& text, UnaryWithParam& value) {
    for (std::size_t i = 0; i < compute::kNumUnaryKinds; ++i) {
        const auto type = static_cast<UnaryOpType>(i);
        if (compute::name_of(type) != text.get<std::string>()) continue;
        value = {type, {}};
        return;
    }
    throw std::runtime_error("activation: expected one of UnaryOpType, found " + text.dump());
}
void read_argument(const nlohmann::json& text, std::string& value) {
    value = text.get<std::string>();
}
void read_argument(const nlohmann::json& text, DataType& value) {
    value = data_type(text);
}
void read_argument(const nlohmann::json& text, Layout& value) {
    value = text == "TILE" ? Layout::TILE : Layout::ROW_MAJOR;
}
template <typename First, typename Second>
void read_argument(const nlohmann::json& text, std::pair<First, Second>& value);
void read_argument(const nlohmann::json& text, TensorMemoryLayout::Value& value) {
    for (const auto layout : {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::WIDTH_SHARDED,
                              TensorMemoryLayout::BLOCK_SHARDED}) {
        if (text != name_of(layout)) continue;
        value = layout;
        return;
    }
    throw std::runtime_error("expected a sharded layout, found " + text.dump());
}
void read_argument(const nlohmann::json& text, ShardOrientation& value) {
    value = text == "ROW_MAJOR" ? ShardOrientation::ROW_MAJOR : ShardOrientation::COL_MAJOR;
}
void read_argument(const nlohmann::json& text, MemoryConfig& value) {
    value = memory_config(text);
}
void read_argument(const nlohmann::json& text, Shape& value) {
    value = Shape(text.get<std::vector<std::uint32_t>>());
}
void read_argument(const nlohmann::json& text, CoreGrid& value) {
    value = CoreGrid{text.at(0), text.at(1)};
}
void read_argument(const nlohmann::json& text, CoreCoord& value) {
    value = CoreCoord{text.at(0), text.at(1)};
}
/// Rows name the two flags that change programs, or fp32_dest_acc_en alone.
void read_argument(const nlohmann::json& text, DeviceComputeKernelConfig& value) {
    if (text.is_boolean()) {
        value = DeviceComputeKernelConfig{MathFidelity::HiFi2, true, text, false, false};
        return;
    }
    value = DeviceComputeKernelConfig{.math_fidelity = MathFidelity::HiFi2,
                                      .math_approx_mode = false,
                                      .fp32_dest_acc_en = text.at(0),
                                      .packer_l1_acc = text.at(1)};
}
void read_argument(const nlohmann::json& text, LossReductionMode& value) {
    value = text == "NONE"  ? LossReductionMode::NONE
            : text == "SUM" ? LossReductionMode::SUM
                            : LossReductionMode::MEAN;
}

std::optional<UnaryWithParam> fused_activation(const nlohmann::json& program) {
    if (!program.contains("fused_activation") || program.at("fused_activation").is_null())
        return std::nullopt;
    const std::string name = program.at("fused_activation");
    if (name == "gelu") return UnaryWithParam{UnaryOpType::GELU, 1.0F};
    return UnaryWithParam{name == "relu" ? UnaryOpType::RELU : UnaryOpType::SILU};
}

void read_argument(const nlohmann::json& text, MatmulProgramConfig& value) {
    const auto read_blocks = [&](auto& config) {
        const auto& grid = text.at("compute_with_storage_grid_size");
        config.compute_with_storage_grid_size = {grid.at(0), grid.at(1)};
        config.in0_block_w = text.at("in0_block_w");
        config.out_subblock_h = text.at("out_subblock_h");
        config.out_subblock_w = text.at("out_subblock_w");
        config.per_core_M = text.at("per_core_M");
        config.per_core_N = text.at("per_core_N");
    };
    const std::string kind = text.at("kind");
    if (kind.empty()) {
        MatmulMultiCoreReuseProgramConfig config;
        read_blocks(config);
        value = config;
        return;
    }
    if (kind == "MultiCast") {
        MatmulMultiCoreReuseMultiCastProgramConfig config;
        read_blocks(config);
        config.fused_activation = fused_activation(text);
        value = config;
        return;
    }
    if (kind == "MultiCastDRAMSharded") {
        MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig config;
        config.in0_block_w = text.at("in0_block_w");
        config.per_core_M = text.at("per_core_M");
        config.per_core_N = text.at("per_core_N");
        config.fused_activation = fused_activation(text);
        config.num_workers_per_dram_bank = text.value("num_workers_per_dram_bank", 1);
        value = config;
        return;
    }
    if (kind == "MultiCastBatchedDRAMSharded") {
        MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig config;
        config.in0_block_w = text.at("in0_block_w");
        config.per_core_M = text.at("per_core_M");
        config.per_core_N = text.at("per_core_N");
        config.fused_activation = fused_activation(text);
        value = config;
        return;
    }
    if (kind != "MultiCast1D") throw RuntimeError("matmul: program config " + kind + " is not there");
    MatmulMultiCoreReuseMultiCast1DProgramConfig config;
    read_blocks(config);
    config.fused_activation = fused_activation(text);
    config.mcast_in0 = text.at("mcast_in0");
    config.out_block_h = text.value("out_block_h", 0);
    config.out_block_w = text.value("out_block_w", 0);
    config.fuse_batch = text.value("fuse_batch", true);
    value = config;
}
void read_argument(const nlohmann::json& text, SDPAProgramConfig& value) {
    value.compute_with_storage_grid_size = {text.at("grid").at(0), text.at("grid").at(1)};
    value.q_chunk_size = text.at("q_chunk_size");
    value.k_chunk_size = text.at("k_chunk_size");
    value.max_cores_per_head_batch = text.value("max_cores_per_head_batch", 16U);
    if (text.contains("exp_approx_mode")) value.exp_approx_mode = text.at("exp_approx_mode").get<bool>();
}

void read_argument(const nlohmann::json& text, IndexerScoreProgramConfig& value) {
    value = {text.at(0), text.at(1), text.at(2)};
}

void read_argument(const nlohmann::json& text, SoftmaxShardedMultiCoreProgramConfig& value) {
    value = {{text.at("grid").at(0), text.at("grid").at(1)},
             text.at("subblock_w"),
             text.at("block_h"),
             text.at("block_w")};
}
void read_argument(const nlohmann::json& text, LayerNormShardedMultiCoreProgramConfig& value) {
    value = {{text.at("grid").at(0), text.at("grid").at(1)},
             text.at("subblock_w"),
             text.at("block_h"),
             text.at("block_w"),
             text.at("inplace"),
             text.value("use_welford", false)};
}
void read_argument(const nlohmann::json& text, LayerNormDefaultProgramConfig& value) {
    if (text.contains("grid")) throw std::runtime_error("expected a config of interleaved tensors");
    value = {text.at("use_welford")};
}

void read_argument(const nlohmann::json& text, WindowPadding& value);
void read_argument(const nlohmann::json& row, Conv2dConfigOrDefault& config);
void read_argument(const nlohmann::json& row, Conv3dConfig& config);
void read_argument(const nlohmann::json& text, Conv2dSliceConfig& value);
template <typename T, std::size_t Size>
void read_argument(const nlohmann::json& text, std::array<T, Size>& value);
template <typename T>
void read_argument(const nlohmann::json& text, std::vector<T>& value);
template <typename T>
void read_argument(const nlohmann::json& text, std::optional<T>& value);
template <typename T, typename... Others>
void read_argument(const nlohmann::json& text, std::variant<T, Others...>& value);

template <typename T, std::size_t Size>
void read_argument(const nlohmann::json& text, std::array<T, Size>& value) {
    if (text.size() != Size) {
        throw std::runtime_error("expected " + std::to_string(Size) + " values, found " + text.dump());
    }
    for (std::size_t i = 0; i < Size; ++i)
        read_argument(text.at(i), value[i]);
}
template <typename First, typename Second>
void read_argument(const nlohmann::json& text, std::pair<First, Second>& value) {
    read_argument(text.at(0), value.first);
    read_argument(text.at(1), value.second);
}
template <typename T>
void read_argument(const nlohmann::json& text, std::vector<T>& value) {
    value.clear();
    for (const nlohmann::json& each : text)
        read_argument(each, value.emplace_back());
}
template <typename T>
void read_argument(const nlohmann::json& text, std::optional<T>& value) {
    value.reset();
    if (text.is_null()) return;
    T read{};
    read_argument(text, read);
    value = std::move(read);
}
/// The first alternative that can be read from it.
template <typename T, typename... Others>
void read_argument(const nlohmann::json& text, std::variant<T, Others...>& value) {
    const auto read_as = [&]<typename Each>(std::type_identity<Each>) {
        try {
            Each read{};
            read_argument(text, read);
            value = std::move(read);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    };
    if (read_as(std::type_identity<T>()) || (read_as(std::type_identity<Others>()) || ...)) return;
    throw std::runtime_error("expected one of several types, found " + text.dump());
}

void read_argument(const nlohmann::json& text, WindowPadding& value) {
    value = text.size() == 4 ? WindowPadding(text.at(0), text.at(1), text.at(2), text.at(3))
                             : WindowPadding(text.at(0), text.at(1));
}

/// Rows list fields of the config among the arguments.
void read_argument(const nlohmann::json& row, Conv2dConfigOrDefault& config) {
    const auto read = [&](const char* name, auto& value) {
        if (row.contains(name)) read_argument(row.at(name), value);
    };
    read("weights_dtype", config.weights_dtype);
    if (row.contains("activation"))
        config.activation = string_to_unary_with_param(row.at("activation").get<std::string>());
    read("shard_layout", config.shard_layout);
    read("act_block_h_override", config.act_block_h_override);
    read("deallocate_activation", config.deallocate_activation);
    read("reallocate_halo_output", config.reallocate_halo_output);
    read("enable_act_double_buffer", config.enable_act_double_buffer);
    read("enable_weights_double_buffer", config.enable_weights_double_buffer);
    read("full_inner_dim", config.full_inner_dim);
    read("transpose_shards", config.transpose_shards);
    read("reshard_if_not_optimal", config.reshard_if_not_optimal);
    read("config_tensors_in_dram", config.config_tensors_in_dram);
    read("enable_kernel_stride_folding", config.enable_kernel_stride_folding);
    read("enable_activation_reuse", config.enable_activation_reuse);
    read("replicates_edges", config.replicates_edges);
    if (row.contains("output_layout")) config.output_layout = Layout::ROW_MAJOR;
}

void read_argument(const nlohmann::json& row, Conv3dConfig& config) {
    const auto read = [&](const char* name, auto& value) {
        if (row.contains(name)) read_argument(row.at(name), value);
    };
    read("T_out_block", config.T_out_block);
    read("H_out_block", config.H_out_block);
    read("W_out_block", config.W_out_block);
    read("C_out_block", config.C_out_block);
    read("C_in_block", config.C_in_block);
    if (row.contains("grid")) {
        config.compute_with_storage_grid_size = {row.at("grid").at(0), row.at("grid").at(1)};
    }
}

void read_argument(const nlohmann::json& text, Conv2dSliceConfig& value) {
    using SliceType = Conv2dSliceConfig::SliceType;
    value = {text.at(0) == "DRAM_HEIGHT" ? SliceType::DRAM_HEIGHT : SliceType::DRAM_WIDTH, text.at(1)};
    if (text.at(0) == "L1_FULL") value = Conv2dL1FullSliceConfig;
}

using Read = void (*)(const nlohmann::json& text, std::byte* value);

template <typename T>
void read_to(const nlohmann::json& text, std::byte* value) {
    read_argument(text, *reinterpret_cast<T*>(value));
}

}  // namespace

void read_argument(const nlohmann::json& text, const std::type_info& type, std::byte* value) {
    static const auto kReads = made_by_type(
        ArgumentTypes(), []<typename T>(std::type_identity<T> /*type*/) -> Read { return &read_to<T>; });
    kReads.at(type)(text, value);
}

}  // namespace tilemeter::oracle
