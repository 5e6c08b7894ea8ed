// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/typecast.hpp"

#include <stdexcept>
#include <string>
#include <tuple>

#include "runtime/compute/blocks.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct TypecastOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "TypecastDeviceOperation";
    static constexpr std::string_view kAttributesName = "TypecastParams";

    DataType from;
    DataType to;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids{};

    auto attributes() const {
        const bool wide = from == DataType::FLOAT32 || to == DataType::FLOAT32 || from == DataType::UINT32 ||
                          to == DataType::UINT32 || from == DataType::INT32 || to == DataType::INT32;
        return std::make_tuple(from, to, memory_config, wide, false, to == DataType::BFLOAT8_B,
                               sub_core_grids);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require(inputs[0].layout != Layout::ROW_MAJOR || !is_block_float(to), "typecast: dtype ", name_of(to),
                ": Only TILE layout is supported for BFLOAT8_B dtype!");
        require(!memory_config.is_sharded() || memory_config.shard_spec || memory_config.nd_shard_spec,
                "MemoryConfig must have Shard Spec specified for sharded memory layout");
        const TensorMemoryLayout::Value layout = inputs[0].memory_config.memory_layout;
        require(layout == memory_config.memory_layout,
                "Typecast operation requires Input and Output memory layout to match. Input layout: "
                "TensorMemoryLayout::",
                name_of(layout),
                ", Output layout: TensorMemoryLayout::", name_of(memory_config.memory_layout));
        require_whole_pages(inputs[0], device);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, to, inputs[0].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        if (stays_in_shards(inputs[0], outputs[0])) return plan_shards(inputs[0], outputs[0], device);
        if (inputs[0].layout == Layout::ROW_MAJOR) return plan_rows(inputs[0], outputs[0], device);
        if (sub_core_grids) return plan_on(*sub_core_grids, num_tiles(inputs[0]), device);
        return {{"ttnn::prim::TypecastProgramFactory", 0},
                dataflow_buffers({2 * tile_size(from), 2 * tile_size(to)},
                                 cores_down_columns(num_tiles(inputs[0]), device))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        return {compute::converted(*inputs[0], to)};
    }

private:
    // TT-NN's words. Rows in shards are copied as pages.
    static void require_whole_pages(const TensorSpec& input, const DeviceDescription& device) {
        if (input.layout != Layout::ROW_MAJOR || !input.memory_config.is_sharded()) return;
        const std::uint64_t page = page_geometry(input).page_size_bytes;
        require(page % page_alignment(input.memory_config, device) == 0,
                "Typecast operation requires sharded input tensor page size (", page,
                " bytes) to be aligned to L1 (", device.l1_alignment, " bytes)");
    }
    // Elements of one size change where they lie, if the shards are whole tiles.
    static bool stays_in_shards(const TensorSpec& input, const TensorSpec& output) {
        const MemoryConfig& config = input.memory_config;
        if (!config.shard_spec || config != output.memory_config || config.buffer_type != BufferType::L1)
            return false;
        if (tile_size(input.dtype) != tile_size(output.dtype)) return false;
        const std::array<std::uint32_t, 2>& shard = config.shard_spec->shape;
        return input.layout == Layout::TILE ||
               std::uint64_t{shard[0]} * shard[1] % (kTileHeight * kTileWidth) == 0;
    }

    static ProgramPlan plan_shards(const TensorSpec& input, const TensorSpec& output,
                                   const DeviceDescription& device) {
        const CoreRangeSet& cores = input.memory_config.shard_spec->grid;
        return {{"ttnn::prim::TypecastShardedProgramFactory", 1},
                {borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, cores, 0),
                 borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes, cores, 1)}};
    }

    // As many of the cores, along their rows, as divide the tiles.
    ProgramPlan plan_on(const CoreRangeSet& given, std::uint64_t tiles,
                        const DeviceDescription& device) const {
        const CoreRangeSet cores = dividing_cores(tiles, device, given, CoreWalk::kAlongRows);
        return {{"ttnn::prim::TypecastSubgridProgramFactory", 2},
                dataflow_buffers({2 * tile_size(from), 2 * tile_size(to)}, cores)};
    }

    // Each core takes whole rows, in chunks of 1024 elements; those of shards whole.
    static ProgramPlan plan_rows(const TensorSpec& input, const TensorSpec& output,
                                 const DeviceDescription& device) {
        constexpr std::uint64_t kChunk = 1024;
        const bool sharded = input.memory_config.is_sharded();
        const std::uint64_t rows = sharded ? buffer_geometry(input, device).num_pages : num_rows(input);
        const CoreRangeSet cores = cores_along_rows(rows, device);
        ProgramPlan plan = sharded ? ProgramPlan{{"ttnn::prim::TypecastProgramFactory", 0}}
                                   : ProgramPlan{{"ttnn::prim::TypecastRowMajorChunkedProgramFactory", 3}};
        plan.memory = dataflow_buffers(
            {2 * kChunk * element_size(input.dtype), 2 * kChunk * element_size(output.dtype)}, cores);
        return plan;
    }
};

Tensor host_in(const Tensor& host, DataType dtype) {
    static const record::TextId kToDtype = record::intern("tt::tt_metal::to_dtype");
    return in_scope(kToDtype, std::tie(host, dtype), [&] {
        TensorSpec spec = host.spec();
        spec.dtype = dtype;
        if (is_block_float(dtype)) spec.layout = Layout::TILE;
        Tensor result = changed_on_host(host, std::move(spec),
                                        [dtype](const HostArray& each) { return each.converted(dtype); });
        if (host.has_values()) result.set_distribution(host.distribution());
        return result;
    });
}

}  // namespace

Tensor unscoped::typecast(const Tensor& input, DataType dtype, const OptionalMemoryConfig& memory_config,
                          const OptionalTensor& output_tensor) {
    if (input.storage_type() == StorageType::HOST) return host_in(input, dtype);
    const MemoryConfig& place = output_tensor ? output_tensor->memory_config() : input.memory_config();
    return launch(TypecastOperation{input.dtype(), dtype, memory_config.value_or(place)}, {input},
                  output_tensor);
}

Tensor Typecast::call() const {
    return in_operation(*this, [&] {
        const Tensor& input = input_tensor;
        if (input.storage_type() == StorageType::HOST) return host_in(input, dtype);
        const MemoryConfig& place = output_tensor ? output_tensor->memory_config() : input.memory_config();
        const TypecastOperation operation{input.dtype(), dtype, memory_config.value_or(place),
                                          sub_core_grids};
        return launch(operation, {input}, output_tensor);
    });
}

Tensor TypecastBetween::call() const {
    if (input_dtype != input_tensor.dtype()) {
        throw std::invalid_argument("typecast: input_dtype: expected " +
                                    std::string(name_of(input_tensor.dtype())) + ", got " +
                                    std::string(name_of(input_dtype)));
    }
    return call_operation(Typecast{input_tensor, output_dtype, memory_config, output_tensor, sub_core_grids});
}

}  // namespace tilemeter
