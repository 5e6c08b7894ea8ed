// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/state_space.hpp"

#include <cstddef>
#include <tuple>
#include <vector>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter::experimental {

namespace {

constexpr std::uint32_t kStates = 32, kHidden = 5120;

bool is_bfloat16_or_8(DataType dtype) {
    return dtype == DataType::BFLOAT16 || dtype == DataType::BFLOAT8_B;
}

void require_operand(const TensorSpec& spec, const char* operation, const char* name) {
    require(spec.layout == Layout::TILE, "Inputs to ", operation, " must be tilized");
    require(!spec.memory_config.is_sharded(), "Unsupported memory layout for input ", name, "!");
    require(is_bfloat16_or_8(spec.dtype), "Unsupported data format for input ", name, "!");
    const Shape padded = spec.padded_shape();
    require(padded.rank() == 4 && padded[0] == 1 && padded[1] == 1, operation, ": input ", name,
            ": expected [1, 1, rows, width], got ", spec.shape);
}

void require_result(const MemoryConfig& memory_config, DataType dtype) {
    require(!memory_config.is_sharded(), "Unsupported memory layout for output!");
    require(is_bfloat16_or_8(dtype), "Unsupported data format for output!");
}

struct RepeatAndInterleaveOperation {
    static constexpr std::string_view kName = "RepeatAndInterleaveEltwiseMulDeviceOperation";
    static constexpr std::string_view kAttributesName = "RepeatMulParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(memory_config, dtype); }

    void validate(SpecsView inputs) const {
        require_operand(inputs[0], "ssm_eltwise_mul", "a");
        require_operand(inputs[1], "ssm_eltwise_mul", "b");
        require_result(memory_config, dtype);
        const Shape a = inputs[0].padded_shape(), b = inputs[1].padded_shape();
        require(a[2] == b[2], "Num of users must match in both of the input!");
        require(a[3] != b[3], "Use eltwise mul for same size inputs!");
        require(a[3] == kStates || a[3] == kStates * kHidden, "Input a width must be 32 or 32*5120!");
        require(b[3] == kHidden || b[3] == kStates * kHidden, "Input b width must be 32 or 32*5120!");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{Shape{1, 1, inputs[0].padded_shape()[2], kStates * kHidden}, dtype, Layout::TILE,
                           memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kBuffered = 2;
        const std::uint64_t between = kBuffered * tile_size(DataType::BFLOAT16);
        const WorkSplit work =
            split_work(inputs[1].padded_shape()[3] / kTileWidth, device.compute_grid, CoreWalk::kDownColumns);
        return {
            {"ttnn::experimental::prim::RepeatAndInterleaveEltwiseMulProgramFactory", 0},
            dataflow_buffers({kBuffered * tile_size(inputs[0].dtype), kBuffered * tile_size(inputs[1].dtype),
                              kBuffered * tile_size(outputs[0].dtype), between, between, between, between},
                             work.cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> a = inputs[0]->to_floats(), b = inputs[1]->to_floats();
        const std::size_t a_width = inputs[0]->shape()[3], b_width = inputs[1]->shape()[3];
        const bool a_repeats = a_width == kStates, b_repeats = b_width == kHidden;
        const std::size_t width = outputs[0].shape[3];
        std::vector<float> products(outputs[0].shape.volume());
        const std::size_t rows = inputs[0]->shape()[2];
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t at = 0; at < width; ++at) {
                products[row * width + at] = a[row * a_width + (a_repeats ? at % kStates : at)] *
                                             b[row * b_width + (b_repeats ? at / kStates : at)];
            }
        }
        return {HostArray::from_floats(products, outputs[0].dtype, outputs[0].shape)};
    }
};

struct HcSumReduceOperation {
    static constexpr std::string_view kName = "HCSumReduceDeviceOperation";
    static constexpr std::string_view kAttributesName = "HcSumReduceParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(memory_config, dtype); }

    void validate(SpecsView inputs) const {
        require_operand(inputs[0], "ssm_1d_sum_reduce", "a");
        require_result(memory_config, dtype);
        require(inputs[0].padded_shape()[3] / kTileWidth % kStates == 0,
                "Final dim/TILE_SIZE must be a multiple of latent size!");
    }

    TensorSpecs infer(SpecsView inputs) const {
        const Shape padded = inputs[0].padded_shape();
        return {TensorSpec{Shape{1, 1, padded[2], padded[3] / kStates}, dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        constexpr std::uint64_t kBuffered = 2;
        const std::uint64_t of_input = kBuffered * tile_size(inputs[0].dtype);
        const std::uint64_t between = kBuffered * tile_size(DataType::BFLOAT16);
        const std::uint64_t blocks = inputs[0].padded_shape()[3] / (kTileWidth * kStates);
        return {{"ttnn::experimental::prim::HCSumReduceProgramFactory", 0},
                circular_buffers({of_input, between, between, between, between, of_input},
                                 whole_columns_and_rest(blocks, device))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> values = inputs[0]->to_floats();
        const std::size_t width = inputs[0]->shape()[3];
        std::vector<float> sums(outputs[0].shape.volume());
        const std::size_t columns = outputs[0].shape[3];
        for (std::size_t i = 0; i < values.size(); ++i)
            sums[i / width * columns + i % width / kStates] += values[i];
        return {HostArray::from_floats(sums, outputs[0].dtype, outputs[0].shape)};
    }
};

struct PrefixScanOperation {
    static constexpr std::string_view kName = "PrefixScanDeviceOperation";
    static constexpr std::string_view kAttributesName = "PrefixScanParams";
    static constexpr bool kMakesOutputsFirst = true;

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::make_tuple(memory_config, dtype); }

    void validate(SpecsView inputs) const {
        const TensorSpec &a = inputs[0], &bx = inputs[1], &h_prev = inputs[2];
        require(a.dtype == bx.dtype, "Expected input tensors to have the same data type");
        require(a.layout == Layout::TILE && bx.layout == Layout::TILE,
                "Expected input tensors to be tile layout");
        const Shape shape = a.padded_shape();
        require(shape == bx.padded_shape(), "Expected input tensors to have the same shape");
        require(shape.rank() == 4, "Expected input tensors to be rank 4");
        require(shape[0] == 1 && shape[1] == 1, "Dimension 0 and 1 should be size 1");
        require(h_prev.dtype == DataType::BFLOAT16, "Expected initial hidden state to be bfloat16");
        require(h_prev.layout == Layout::ROW_MAJOR, "Expected initial hidden state to be row-major");
        for (const TensorSpec& each : inputs) {
            require(each.memory_config.is_sharded() && each.memory_config.shard_spec,
                    "Expected input tensors to be sharded");
            require(each.memory_config.shard_spec->orientation == ShardOrientation::ROW_MAJOR,
                    "prefix_scan: expected shards in row major orientation");
        }
        require(h_prev.shape.volume() == a.shape[-1], "prefix_scan: h_prev: expected ", a.shape[-1],
                " elements, got ", h_prev.shape);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kTilesOfChunk = 32;
        constexpr int kOutput = 3;
        const ShardSpec& shard = *inputs[0].memory_config.shard_spec;
        const std::uint64_t along = shard.shape[1] / kTileWidth, down = shard.shape[0] / kTileHeight;
        const std::uint64_t of_input = tile_size(inputs[0].dtype), between = tile_size(DataType::BFLOAT16);
        const std::uint64_t row_of_tile = kTileWidth * element_size(DataType::BFLOAT16);
        const std::uint64_t chunk = kTilesOfChunk * between, chunk_of_input = kTilesOfChunk * of_input;
        ProgramPlan plan{
            {"ttnn::experimental::prim::PrefixScanProgramFactory", 0},
            circular_buffers({chunk_of_input, chunk, chunk, chunk, 2 * between, 2 * between, 2 * between,
                              ceil_div(along, kTilesOfChunk) * between, along * row_of_tile},
                             shard.grid)};
        // A last chunk that is not whole is put beside tiles of which nothing is read.
        if (along % kTilesOfChunk != 0) plan.memory.push_back(circular_buffer(chunk_of_input, shard.grid));
        const std::uint64_t result = along * down * of_input;
        const std::uint64_t room = buffer_geometry(outputs[0], device).size_per_bank_bytes;
        require(result <= room, "Cannot set circular buffer size to ", result,
                ". This is larger than the associated dynamically allocated L1 buffer bank size of ", room,
                " B");
        plan.memory.push_back(circular_buffer(result, shard.grid));
        plan.memory.back().shared_with = kOutput;
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> a = inputs[0]->to_floats();
        std::vector<float> states = inputs[1]->to_floats();
        const std::vector<float> before = inputs[2]->to_floats();
        const std::size_t width = before.size();
        for (std::size_t i = 0; i < states.size(); ++i)
            states[i] += a[i] * (i < width ? before[i] : states[i - width]);
        return {HostArray::from_floats(states, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor RepeatAndInterleaveEltwiseMul::body() const {
    require_on_device(a, "repeat_and_interleave_eltwise_mul", "a");
    return launch(
        RepeatAndInterleaveOperation{memory_config.value_or(a.memory_config()), dtype.value_or(a.dtype())},
        {a, b});
}

Tensor HcSumReduce::body() const {
    require_on_device(input, "hc_sum_reduce", "input");
    return launch(
        HcSumReduceOperation{memory_config.value_or(input.memory_config()), dtype.value_or(input.dtype())},
        {input});
}

Tensor PrefixScan::body() const {
    require_on_device(a, "prefix_scan", "a");
    return launch(PrefixScanOperation{memory_config.value_or(a.memory_config()), dtype.value_or(a.dtype())},
                  {a, bx, h_prev});
}

}  // namespace tilemeter::experimental
