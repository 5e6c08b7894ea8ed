// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <concepts>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "runtime/types/runtime_error.hpp"

namespace tilemeter::compiled {
namespace {

using compat::Argument;
using foreign::mlir::Item;
using foreign::mlir::Value;

[[noreturn]] void refuse(const std::string& what, std::string_view expected, const Value& found) {
    std::string text(found.text);
    if (found.kind == Value::Kind::kList) text = "a list of " + std::to_string(found.items.size());
    throw RuntimeError(what + ": expected " + std::string(expected) + ", found " +
                       (text.empty() ? "nothing" : text));
}

// Aliases, "#dram" and "<interleaved>" alike: the word within.
std::string_view word_of(const Value& value) {
    if (value.kind == Value::Kind::kFields && value.items.size() == 1 && value.items[0].key.empty())
        return word_of(value.items[0].value);
    std::string_view text = value.text;
    if (text.starts_with('#')) text.remove_prefix(1);
    return text;
}

std::int64_t integer_of(const std::string& what, const Value& value) {
    if (const auto number = value.integer()) return *number;
    refuse(what, "a whole number", value);
}

template <std::integral Number>
void read(Number& into, const Value& fields, std::string_view key) {
    if (const Value* value = fields.find(key))
        into = static_cast<Number>(integer_of(std::string(key), *value));
}

bool flag_of(std::string_view key, const Value& value) {
    if (value.is("true")) return true;
    if (value.is("false")) return false;
    refuse(std::string(key), "true or false", value);
}

void read(bool& into, const Value& fields, std::string_view key) {
    if (const Value* value = fields.find(key)) into = flag_of(key, *value);
}

DataType dtype_in(const Value& value) {
    if (const auto dtype = dtype_of(word_of(value))) return *dtype;
    refuse("element type", "one that the model has", value);
}

Layout layout_in(const Value& value) {
    const std::string_view word = word_of(value);
    if (word == "tile") return Layout::TILE;
    if (word == "row_major") return Layout::ROW_MAJOR;
    refuse("layout", "tile or row_major", value);
}

std::optional<BufferType::Value> buffer_type_of(std::string_view word) {
    if (word == "dram") return BufferType::DRAM;
    if (word == "l1") return BufferType::L1;
    if (word == "l1_small") return BufferType::L1_SMALL;
    if (word == "trace") return BufferType::TRACE;
    return std::nullopt;
}

std::optional<TensorMemoryLayout::Value> arrangement_of(std::string_view word) {
    if (word == "interleaved") return TensorMemoryLayout::INTERLEAVED;
    if (word == "height_sharded") return TensorMemoryLayout::HEIGHT_SHARDED;
    if (word == "width_sharded") return TensorMemoryLayout::WIDTH_SHARDED;
    if (word == "block_sharded") return TensorMemoryLayout::BLOCK_SHARDED;
    return std::nullopt;
}

// "#ttnn.core_coord<13, 10>", "(0,0)" and "<x = 1, y = 2>": x before y.
CoreCoord core_of(const Value& value) {
    if (value.kind == Value::Kind::kMap) {
        std::string text(value.text);
        std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == ' '; });
        const std::size_t comma = text.find(',');
        if (comma == std::string::npos) refuse("core", "two numbers", value);
        return {static_cast<std::uint32_t>(std::stoul(text.substr(0, comma))),
                static_cast<std::uint32_t>(std::stoul(text.substr(comma + 1)))};
    }
    std::array<std::int64_t, 2> place{};
    std::size_t count = 0;
    for (const Item& item : value.items)
        if (count < 2) place[count++] = integer_of("core", item.value);
    if (count != 2) refuse("core", "two numbers", value);
    return {static_cast<std::uint32_t>(place[0]), static_cast<std::uint32_t>(place[1])};
}

// "#ttnn.core_range<(0,0), (7,3)>".
CoreRange range_of(const Value& value) {
    if (value.items.size() != 2) refuse("core range", "two corners", value);
    return {core_of(value.items[0].value), core_of(value.items[1].value)};
}

CoreRangeSet ranges_of(const Value& value) {
    std::vector<CoreRange> ranges;
    const std::function<void(const Value&)> walk = [&](const Value& each) {
        if (each.text.ends_with("core_range")) {
            ranges.push_back(range_of(each));
            return;
        }
        for (const Item& item : each.items)
            walk(item.value);
    };
    walk(value);
    return CoreRangeSet(std::move(ranges));
}

UnaryWithParam function_of(const Value& value) {
    const Value* type = value.find("op_type");
    std::string name(word_of(type == nullptr ? value : *type));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    std::string text = name + "(";
    if (const Value* parameters = value.find("params"))
        for (const Item& item : parameters->items) {
            const auto number = item.value.number();
            if (!number) refuse("params", "numbers", item.value);
            if (!text.ends_with('(')) text += ',';
            text += std::to_string(*number);
        }
    return string_to_unary_with_param(text + ")");
}

void read(std::optional<UnaryWithParam>& into, const Value& fields, std::string_view key) {
    if (const Value* value = fields.find(key)) into = function_of(*value);
}
void read(DataType& into, const Value& fields, std::string_view key) {
    if (const Value* value = fields.find(key)) into = dtype_in(*value);
}
void read(Layout& into, const Value& fields, std::string_view key) {
    if (const Value* value = fields.find(key)) into = layout_in(*value);
}
void read(CoreCoord& into, const Value& fields, std::string_view key) {
    if (const Value* value = fields.find(key)) into = core_of(*value);
}
void read(CoreRangeSet& into, const Value& fields, std::string_view key) {
    if (const Value* value = fields.find(key)) into = ranges_of(*value);
}
void read(TensorMemoryLayout::Value& into, const Value& fields, std::string_view key) {
    const Value* value = fields.find(key);
    if (value == nullptr) return;
    const auto arrangement = arrangement_of(word_of(*value));
    if (!arrangement) refuse(std::string(key), "a way to lie in memory", *value);
    into = *arrangement;
}

template <typename T>
void read(std::optional<T>& into, const Value& fields, std::string_view key) {
    if (fields.find(key) == nullptr) return;
    T value{};
    read(value, fields, key);
    into = value;
}

// What a config says that the model has no field for changes nothing that it plans, but where it is refused here.
void refuse_unless_default(const Value& fields, std::string_view key, std::string_view fallback) {
    const Value* value = fields.find(key);
    if (value != nullptr && value->kind == Value::Kind::kWord && value->text != fallback)
        refuse(std::string(key), fallback, *value);
}

DeviceComputeKernelConfig compute_config_of(const Value& fields) {
    // The defaults of TT-NN's constructor, which tt-mlir's runtime begins with.
    DeviceComputeKernelConfig config;
    config.math_fidelity = MathFidelity::LoFi;
    if (const Value* fidelity = fields.find("math_fidelity")) {
        static const std::map<std::string_view, MathFidelity> kNames = {{"lofi", MathFidelity::LoFi},
                                                                        {"hifi2", MathFidelity::HiFi2},
                                                                        {"hifi3", MathFidelity::HiFi3},
                                                                        {"hifi4", MathFidelity::HiFi4}};
        const auto found = kNames.find(word_of(*fidelity));
        if (found == kNames.end()) refuse("math_fidelity", "lofi, hifi2, hifi3 or hifi4", *fidelity);
        config.math_fidelity = found->second;
    }
    read(config.math_approx_mode, fields, "math_approx_mode");
    read(config.fp32_dest_acc_en, fields, "fp32_dest_acc_en");
    read(config.packer_l1_acc, fields, "packer_l1_acc");
    read(config.dst_full_sync_en, fields, "dst_full_sync_en");
    return config;
}

template <typename Config>
void read_blocks(Config& config, const Value& fields) {
    read(config.compute_with_storage_grid_size, fields, "compute_with_storage_grid_size");
    read(config.in0_block_w, fields, "in0_block_w");
    read(config.out_subblock_h, fields, "out_subblock_h");
    read(config.out_subblock_w, fields, "out_subblock_w");
    read(config.per_core_M, fields, "per_core_m");
    read(config.per_core_N, fields, "per_core_n");
}

MatmulProgramConfig reuse_config_of(const Value& fields) {
    MatmulMultiCoreReuseProgramConfig config;
    read_blocks(config, fields);
    return config;
}

MatmulProgramConfig multicast_config_of(const Value& fields) {
    MatmulMultiCoreReuseMultiCastProgramConfig config;
    read_blocks(config, fields);
    read(config.out_block_h, fields, "out_block_h");
    read(config.out_block_w, fields, "out_block_w");
    read(config.transpose_mcast, fields, "transpose_mcast");
    read(config.fused_activation, fields, "fused_activation");
    read(config.fuse_batch, fields, "fuse_batch");
    return config;
}

MatmulProgramConfig multicast_1d_config_of(const Value& fields) {
    MatmulMultiCoreReuseMultiCast1DProgramConfig config;
    read_blocks(config, fields);
    read(config.out_block_h, fields, "out_block_h");
    read(config.out_block_w, fields, "out_block_w");
    read(config.fuse_batch, fields, "fuse_batch");
    read(config.fused_activation, fields, "fused_activation");
    read(config.mcast_in0, fields, "mcast_in0");
    refuse_unless_default(fields, "gather_in0", "false");
    refuse_unless_default(fields, "untilize_out", "false");
    return config;
}

MatmulProgramConfig dram_sharded_config_of(const Value& fields) {
    MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig config;
    read(config.in0_block_w, fields, "in0_block_w");
    read(config.per_core_M, fields, "per_core_m");
    read(config.per_core_N, fields, "per_core_n");
    read(config.fused_activation, fields, "fused_activation");
    return config;
}

Conv2dConfig conv2d_config_of(const Value& fields) {
    Conv2dConfig config;
    read(config.weights_dtype, fields, "weights_dtype");
    read(config.activation, fields, "activation");
    read(config.deallocate_activation, fields, "deallocate_activation");
    read(config.reallocate_halo_output, fields, "reallocate_halo_output");
    read(config.config_tensors_in_dram, fields, "config_tensors_in_dram");
    read(config.act_block_h_override, fields, "act_block_h_override");
    read(config.act_block_w_div, fields, "act_block_w_div");
    read(config.reshard_if_not_optimal, fields, "reshard_if_not_optimal");
    read(config.override_sharding_config, fields, "override_sharding_config");
    read(config.shard_layout, fields, "shard_layout");
    read(config.core_grid, fields, "core_grid");
    read(config.transpose_shards, fields, "transpose_shards");
    read(config.output_layout, fields, "output_layout");
    read(config.enable_act_double_buffer, fields, "enable_act_double_buffer");
    read(config.enable_weights_double_buffer, fields, "enable_weights_double_buffer");
    read(config.full_inner_dim, fields, "full_inner_dim");
    read(config.enable_kernel_stride_folding, fields, "enable_kernel_stride_folding");
    read(config.enable_activation_reuse, fields, "enable_activation_reuse");
    read(config.force_split_reader, fields, "force_split_reader");
    return config;
}

// "<l1_full, 0>", "<dram_height, 4>".
Conv2dSliceConfig slice_config_of(const Value& fields) {
    Conv2dSliceConfig config;
    const Value* type = fields.find("slice_type");
    if (type == nullptr) type = fields.at(0);
    if (type == nullptr) refuse("slice config", "a type of slices", fields);
    const std::string_view word = word_of(*type);
    if (word == "dram_height")
        config.slice_type = Conv2dSliceConfig::SliceType::DRAM_HEIGHT;
    else if (word == "dram_width")
        config.slice_type = Conv2dSliceConfig::SliceType::DRAM_WIDTH;
    else if (word == "l1_full")
        config.slice_type = Conv2dSliceConfig::SliceType::L1_FULL;
    else
        refuse("slice config", "dram_height, dram_width or l1_full", *type);
    if (const Value* count = fields.find("num_slices") != nullptr ? fields.find("num_slices") : fields.at(1))
        config.num_slices = static_cast<std::uint32_t>(integer_of("num_slices", *count));
    return config;
}

SDPAProgramConfig sdpa_config_of(const Value& fields) {
    SDPAProgramConfig config;
    read(config.compute_with_storage_grid_size, fields, "compute_with_storage_grid_size");
    read(config.q_chunk_size, fields, "q_chunk_size");
    read(config.k_chunk_size, fields, "k_chunk_size");
    read(config.exp_approx_mode, fields, "exp_approx_mode");
    return config;
}

Argument shape_in(const Value& fields) {
    std::vector<std::int64_t> sizes;
    for (const Item& item : fields.items)
        for (const std::int64_t size : foreign::mlir::dimensions(item.value.text).sizes)
            sizes.push_back(size);
    // The last size of "1x128" has no "x" behind it.
    if (!fields.items.empty()) {
        const auto rest = foreign::mlir::dimensions(fields.items.back().value.text).rest;
        if (!rest.empty()) sizes.push_back(std::stoll(std::string(rest)));
    }
    return sizes;
}

// "#ttnn.memory_config<#dram, <interleaved>>", with "#ttnn.shard_spec<...>" of sharded ones.
Argument memory_config_of(const Value& fields) {
    MemoryConfig config;
    for (const Item& item : fields.items) {
        const std::string_view word = word_of(item.value);
        if (const auto buffer = buffer_type_of(word)) {
            config.buffer_type = *buffer;
        } else if (word == "system_memory") {
            return {};
        } else if (const auto arrangement = arrangement_of(word)) {
            config.memory_layout = *arrangement;
        } else if (item.value.text.ends_with("shard_spec") || item.value.find("shape") != nullptr ||
                   item.value.items.size() > 1) {
            ShardSpec shards;
            for (const Item& part : item.value.items) {
                if (part.value.text.ends_with("core_range_set")) {
                    shards.grid = ranges_of(part.value);
                } else if (const std::string_view way = word_of(part.value);
                           way == "row_major" || way == "col_major") {
                    shards.orientation =
                        way == "row_major" ? ShardOrientation::ROW_MAJOR : ShardOrientation::COL_MAJOR;
                } else {
                    const Argument shape = shape_in(part.value);
                    const auto& sizes = std::get<std::vector<std::int64_t>>(shape);
                    if (sizes.size() == 2)
                        shards.shape = {static_cast<std::uint32_t>(sizes[0]),
                                        static_cast<std::uint32_t>(sizes[1])};
                }
            }
            config.shard_spec = shards;
        } else {
            refuse("memory config", "a memory, an arrangement or shards", item.value);
        }
    }
    return config;
}

using Reader = Argument (*)(const Value&);

template <auto kRead>
Argument read_as(const Value& value) {
    return kRead(value);
}

// By the last part of the attribute's name.
const std::map<std::string_view, Reader>& readers() {
    static const std::map<std::string_view, Reader> kReaders = {
        {"supportedDataTypes", read_as<dtype_in>},
        {"layout", read_as<layout_in>},
        {"shape", shape_in},
        {"memory_config", memory_config_of},
        {"unary_with_param", read_as<function_of>},
        {"core_coord", read_as<core_of>},
        {"core_range_set", read_as<ranges_of>},
        {"device_compute_kernel_config", read_as<compute_config_of>},
        {"matmul_multi_core_reuse_program_config", read_as<reuse_config_of>},
        {"matmul_multi_core_reuse_multi_cast_program_config", read_as<multicast_config_of>},
        {"matmul_multi_core_reuse_multi_cast_1d_program_config", read_as<multicast_1d_config_of>},
        {"matmul_multi_core_reuse_multi_cast_dram_sharded_program_config", read_as<dram_sharded_config_of>},
        {"conv2d_config", read_as<conv2d_config_of>},
        {"conv2d_slice_config", read_as<slice_config_of>},
        {"sdpa_program_config", read_as<sdpa_config_of>}};
    return kReaders;
}

Argument number_of(const Value& value) {
    const bool is_real = value.type.starts_with('f') || value.type.starts_with("bf") ||
                         (value.type.empty() && value.text.find('.') != std::string_view::npos);
    if (!is_real)
        if (const auto whole = value.integer()) return *whole;
    if (const auto number = value.number()) return *number;
    refuse("attribute", "a value that calls can have", value);
}

Argument list_of(const std::vector<Item>& items, const Value& whole) {
    if (items.empty()) return std::vector<std::int64_t>();
    if (items.front().value.text.ends_with("unary_with_param")) {
        std::vector<UnaryWithParam> functions;
        for (const Item& item : items)
            functions.push_back(function_of(item.value));
        return functions;
    }
    std::vector<std::int64_t> numbers;
    std::vector<double> reals;
    for (const Item& item : items) {
        const Argument number = number_of(item.value);
        if (const auto* each = std::get_if<std::int64_t>(&number))
            numbers.push_back(*each);
        else if (const auto* real = std::get_if<double>(&number))
            reals.push_back(*real);
    }
    if (!reals.empty() && !numbers.empty()) refuse("list", "numbers of one kind", whole);
    if (!reals.empty()) return reals;
    return numbers;
}

// "array<i32: 1, 2>": of one type.
Argument array_of(const Value& value) {
    std::vector<Item> numbers = value.items;
    for (Item& item : numbers)
        item.value.type = value.type;
    return list_of(numbers, value);
}

}  // namespace

std::optional<DataType> dtype_of(std::string_view element) {
    static const std::map<std::string_view, DataType> kNames = {
        {"bf16", DataType::BFLOAT16},
        {"f32", DataType::FLOAT32},
        {"bfp_bf8", DataType::BFLOAT8_B},
        {"bfp_bf4", DataType::BFLOAT4_B},
        {"si32", DataType::INT32},
        {"i32", DataType::INT32},
        {"ui32", DataType::UINT32},
        {"u32", DataType::UINT32},
        {"ui16", DataType::UINT16},
        {"u16", DataType::UINT16},
        {"ui8", DataType::UINT8},
        {"u8", DataType::UINT8},
        // The compiler's runtime holds them in 32 bits.
        {"f64", DataType::FLOAT32},
        {"i64", DataType::INT32},
        {"si64", DataType::INT32},
        {"ui64", DataType::UINT32},
        {"index", DataType::UINT32}};
    const auto found = kNames.find(element);
    if (found == kNames.end()) return std::nullopt;
    return found->second;
}

std::optional<MemoryConfig> memory_of(const foreign::TensorType& type) {
    if (!type.layout) return std::nullopt;
    const foreign::TensorLayout& layout = *type.layout;
    const auto buffer = buffer_type_of(layout.memory);
    if (!buffer) return std::nullopt;
    MemoryConfig config;
    config.buffer_type = *buffer;
    if (const auto arrangement = arrangement_of(layout.arrangement)) config.memory_layout = *arrangement;
    if (!config.is_sharded() || layout.shard.size() < 2) return config;
    ShardSpec shards;
    std::vector<CoreRange> ranges;
    for (const foreign::Cores& cores : layout.cores)
        ranges.push_back(
            {{static_cast<std::uint32_t>(cores.first_x), static_cast<std::uint32_t>(cores.first_y)},
             {static_cast<std::uint32_t>(cores.last_x), static_cast<std::uint32_t>(cores.last_y)}});
    shards.grid = CoreRangeSet(std::move(ranges));
    const std::int64_t rows = layout.shard[layout.shard.size() - 2], columns = layout.shard.back();
    shards.shape = {static_cast<std::uint32_t>(rows * (layout.is_tiled ? layout.tile_height : 1)),
                    static_cast<std::uint32_t>(columns * (layout.is_tiled ? layout.tile_width : 1))};
    if (layout.is_column_major) shards.orientation = ShardOrientation::COL_MAJOR;
    config.shard_spec = shards;
    return config;
}

TensorSpec spec_of(const foreign::TensorType& type) {
    const auto dtype = dtype_of(type.element);
    if (!dtype)
        throw RuntimeError("element type: expected one that the model has, found " +
                           (type.element.empty() ? "none" : type.element));
    std::vector<std::uint32_t> sizes;
    for (const std::int64_t size : type.shape) {
        if (size < 0 || size > std::int64_t{0xFFFFFFFF})
            throw RuntimeError("shape: expected sizes that are known, found " + std::to_string(size));
        sizes.push_back(static_cast<std::uint32_t>(size));
    }
    TensorSpec spec;
    spec.shape = Shape(std::span<const std::uint32_t>(sizes));
    spec.dtype = *dtype;
    if (type.layout) {
        spec.layout = type.layout->is_tiled ? Layout::TILE : Layout::ROW_MAJOR;
        if (type.layout->is_tiled)
            spec.tile = {static_cast<std::uint32_t>(type.layout->tile_height),
                         static_cast<std::uint32_t>(type.layout->tile_width)};
    }
    if (const auto memory = memory_of(type)) spec.memory_config = *memory;
    return spec;
}

compat::Argument argument_of(const Value& attribute) {
    switch (attribute.kind) {
        case Value::Kind::kString:
            return std::string(attribute.text);
        case Value::Kind::kList:
            return list_of(attribute.items, attribute);
        case Value::Kind::kWord:
            if (attribute.is("true")) return true;
            if (attribute.is("false")) return false;
            return number_of(attribute);
        case Value::Kind::kFields: {
            std::string_view name = attribute.text;
            if (name == "array") return array_of(attribute);
            if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos)
                name.remove_prefix(dot + 1);
            const auto found = readers().find(name);
            if (found != readers().end()) return found->second(attribute);
            break;
        }
        case Value::Kind::kMap:
            break;
    }
    refuse("attribute", "one of a form that calls take", attribute);
}

}  // namespace tilemeter::compiled
