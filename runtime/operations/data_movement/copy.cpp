// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/copy.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "runtime/compute/blocks.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

// Two tiles of each dtype, or two aligned pages of the result: rows, or what a shard has of them.
std::vector<ProgramMemory> double_buffers(const TensorSpec& input, const TensorSpec& output,
                                          std::uint64_t row_alignment, const CoreRangeSet& cores) {
    const auto page = [&](const TensorSpec& spec) {
        if (input.layout == Layout::TILE) return tile_size(spec.dtype);
        const std::uint64_t elements = page_geometry(output).page_size_bytes / element_size(output.dtype);
        return round_up(elements * element_size(spec.dtype), row_alignment);
    };
    std::vector<ProgramMemory> memory{dataflow_buffer(2 * page(input), cores)};
    if (input.dtype != output.dtype) memory.push_back(dataflow_buffer(2 * page(output), cores));
    return memory;
}

CoreRangeSet cores_for_pages(const TensorSpec& spec, const DeviceDescription& device) {
    return cores_down_columns(spec.layout == Layout::TILE ? num_tiles(spec) : num_rows(spec), device);
}

struct CopyOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "CopyDeviceOperation";
    static constexpr std::string_view kAttributesName = "CopyParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(memory_config, dtype, false); }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const bool tiled = inputs[0].layout == Layout::TILE;
        if (inputs[0].memory_config == outputs[0].memory_config &&
            has_room_in_kind(inputs[0], outputs[0], device))
            return plan_in_kind(inputs[0], outputs[0], device);
        ProgramPlan plan{{tiled ? "ttnn::prim::CopyDeviceOperation::DefaultTilized"
                                : "ttnn::prim::CopyDeviceOperation::DefaultRowMajor",
                          tiled ? 2U : 1U}};
        if (const std::uint64_t piece = tiled ? 0 : piece_of_rows(inputs[0], outputs[0], device); piece > 0) {
            const std::uint64_t pieces = num_rows(inputs[0]) * ceil_div(row_bytes(inputs[0]), piece);
            plan.memory.push_back(dataflow_buffer(2 * piece, cores_down_columns(pieces, device)));
            return plan;
        }
        const CoreRangeSet cores = cores_for_pages(inputs[0], device);
        plan.memory = double_buffers(inputs[0], outputs[0], page_alignment(memory_config, device), cores);
        if (tiled) return plan;
        // Longer rows are copied part by part.
        constexpr std::uint64_t kMostOfRow = 256 * 1024;
        for (ProgramMemory& each : plan.memory)
            each.size_bytes = std::min(each.size_bytes, 2 * kMostOfRow);
        const std::uint64_t page = page_geometry(inputs[0]).page_size_bytes;
        plan.memory.push_back(scratchpad(std::min(page, kMostOfRow), cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        return {compute::converted(*inputs[0], dtype)};
    }

private:
    // Rows that are fewer than the cores are cut, so that more cores have something to copy: into what a page of both
    // sides holds whole, if that is aligned. 0: they stay whole.
    static std::uint64_t piece_of_rows(const TensorSpec& input, const TensorSpec& output,
                                       const DeviceDescription& device) {
        if (input.dtype != output.dtype || num_rows(input) >= device.num_compute_cores()) return 0;
        const std::uint64_t piece =
            std::gcd(page_geometry(input).page_size_bytes, page_geometry(output).page_size_bytes);
        const std::uint64_t alignment = std::max(page_alignment(input.memory_config, device),
                                                 page_alignment(output.memory_config, device));
        return piece < row_bytes(input) && piece % alignment == 0 ? piece : 0;
    }
    // True if two pages of each dtype have room in an empty core.
    static bool has_room_in_kind(const TensorSpec& input, const TensorSpec& output,
                                 const DeviceDescription& device) {
        std::uint64_t bytes = 0;
        for (const ProgramMemory& each : double_buffers(
                 input, output, page_alignment(input.memory_config, device), CoreRangeSet(CoreRange{})))
            bytes += each.size_bytes;
        return bytes < device.l1_size - device.l1_unreserved_base;
    }
    // Pages that go from where they are to memory of the same kind.
    static ProgramPlan plan_in_kind(const TensorSpec& input, const TensorSpec& output,
                                    const DeviceDescription& device) {
        const bool tiled = input.layout == Layout::TILE;
        const CoreRangeSet cores = whole_columns_and_rest(tiled ? num_tiles(input) : num_rows(input), device);
        ProgramPlan plan{{"ttnn::prim::CopyDeviceOperation::SameMemoryConfig", 0}};
        for (const ProgramMemory& each :
             double_buffers(input, output, page_alignment(input.memory_config, device), cores))
            plan.memory.push_back(circular_buffer(each.size_bytes, cores));
        return plan;
    }
};

struct CloneOperation {
    static constexpr bool kTakesNdShards = true;  // to refuse them in TT-NN's words
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "CloneOperation";

    DataType dtype;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(dtype, memory_config); }

    void validate(SpecsView inputs) const {
        require(inputs[0].layout != Layout::ROW_MAJOR || dtype == inputs[0].dtype, "clone: dtype ",
                name_of(dtype), ": expected ", name_of(inputs[0].dtype), " for a ROW_MAJOR input");
        validate_shards(inputs[0].memory_config);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        ProgramPlan plan{{"ttnn::operations::data_movement::clone::CloneProgramFactory", 0}};
        const MemoryConfig& from = inputs[0].memory_config;
        const CoreRangeSet cores =
            from.is_sharded() && from.shard_spec ? from.shard_spec->grid : cores_for_pages(inputs[0], device);
        plan.memory = double_buffers(inputs[0], outputs[0], page_alignment(from, device), cores);
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        return {compute::converted(*inputs[0], dtype)};
    }

private:
    // TT-NN's words.
    void validate_shards(const MemoryConfig& from) const {
        require(
            from.is_sharded() == memory_config.is_sharded(),
            "Clone: mixed sharded/interleaved layout not currently supported. Both input and output must have the "
            "same layout.");
        if (!from.is_sharded()) return;
        require(from.memory_layout == memory_config.memory_layout,
                "Clone: input and output must have the same memory layout when both are sharded");
        require(from.shard_spec.has_value(), "Buffer is sharded, but no shard parameters specified");
        require(from.shard_spec == memory_config.shard_spec,
                "Clone: input and output shard specs must be identical (same grid, shape, and orientation)");
    }
};

}  // namespace

Tensor unscoped::copy_to(const Tensor& input, const MemoryConfig& memory_config, DataType dtype) {
    return launch(CopyOperation{memory_config, dtype}, {input});
}

Tensor unscoped::copy(const Tensor& input, const Tensor& output) {
    require(input.shape() == output.shape(), "copy: output: expected ", input.shape(), ", got ",
            output.shape());
    return launch_into(CopyOperation{output.memory_config(), output.dtype()}, {input}, output);
}

Tensor Copy::body() const {
    return unscoped::copy(input_a, input_b);
}

Tensor Assign::body() const {
    return unscoped::copy(input_a, input_b);
}

Tensor AssignToMemory::body() const {
    const CopyOperation operation{memory_config, dtype.value_or(input_tensor.dtype())};
    return launch(operation, {input_tensor}, output_tensor);
}

Tensor experimental::Typecast::call() const {
    return in_operation(*this, [&] {
        require_on_device(input_tensor, "typecast", "input_tensor");
        const CopyOperation operation{memory_config.value_or(input_tensor.memory_config()), dtype};
        return launch(operation, {input_tensor}, optional_output_tensor);
    });
}

Tensor unscoped::clone(const Tensor& input, const OptionalDataType& dtype,
                       const OptionalMemoryConfig& memory_config) {
    return launch(
        CloneOperation{dtype.value_or(input.dtype()), memory_config.value_or(input.memory_config())},
        {input});
}

Tensor Clone::body() const {
    return unscoped::clone(input, dtype, memory_config);
}

}  // namespace tilemeter
