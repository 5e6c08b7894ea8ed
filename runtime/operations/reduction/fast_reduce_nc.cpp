// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/fast_reduce_nc.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>

#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter::experimental {

namespace {

struct FastReduceNcOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "FastReduceNCDeviceOperation";
    static constexpr std::string_view kAttributesName = "FastReduceNCParams";

    std::size_t dim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;

    auto attributes() const { return std::make_tuple(dim, memory_config, sub_core_grids); }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::TILE, "fast_reduce_nc: input: expected TILE layout, got ",
                name_of(input.layout));
        require(dim + 2 < input.shape.rank(), [&] {
            return "FastReduceNC reduces only outer dims: dim must be between 0 and " +
                   std::to_string(static_cast<int>(input.shape.rank()) - 3) + ", but has " +
                   std::to_string(dim);
        });
    }

    TensorSpecs infer(SpecsView inputs) const {
        // The tiles' padding counts as part of the result.
        TensorSpec sums{inputs[0].padded_shape(), inputs[0].dtype, Layout::TILE, memory_config};
        if (dim < sums.shape.rank()) sums.shape.set(static_cast<std::int64_t>(dim), 1);
        return {sums};
    }

    // As many tiles at once as divide their number, eight at most.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const std::uint64_t length = input.shape.dimensions()[dim];
        const std::uint64_t at_once = largest_divisor(length, 8);
        const CoreRangeSet cores =
            split_work(num_tiles(outputs[0]), sub_core_grids, device.compute_grid, CoreWalk::kAlongRows)
                .cores;
        return {{"ttnn::experimental::prim::FastReduceNCProgramFactory", 0},
                dataflow_buffers({2 * at_once * tile_size(input.dtype), tile_size(DataType::BFLOAT16),
                                  2 * tile_size(outputs[0].dtype)},
                                 cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        Shape shape = outputs[0].shape;
        const std::uint64_t length = inputs[0]->shape().dimensions()[dim];
        shape.set(static_cast<std::int64_t>(dim), static_cast<std::uint32_t>(length));
        const std::vector<std::uint32_t> begin(shape.rank(), 0);
        const std::vector<float> values = compute::padded(*inputs[0], begin, shape, 0.0F).to_floats();
        std::uint64_t stride = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            stride *= shape.dimensions()[i];
        std::vector<float> sums(outputs[0].shape.volume());
        for (std::uint64_t i = 0; i < sums.size(); ++i) {
            double sum = 0;
            for (std::uint64_t j = 0; j < length; ++j)
                sum += values[(i / stride * length + j) * stride + i % stride];
            sums[i] = static_cast<float>(sum);
        }
        return {HostArray::from_floats(sums, outputs[0].dtype, outputs[0].shape)};
    }
};

class IntImgOperation {
public:
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "IntImgDeviceOperation";
    static constexpr std::string_view kAttributesName = "IntImgParams";

    std::tuple<> attributes() const { return {}; }

    void validate(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        require(input.layout == Layout::TILE,
                "only tile layout is supported, Layout::", name_of(input.layout), " was provided instead");
        require(input.shape.rank() == 4 && input.shape[0] == 1,
                "intimg: input_tensor: expected Shape([1, H, W, C]), got ", input.shape);
    }
    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }

    // Two columns of four cores, whatever the image.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        constexpr std::uint64_t kFew = 2, kBlock = 48;
        const std::uint64_t tile = tile_size(inputs[0].dtype);
        ProgramPlan plan{{"ttnn::experimental::prim::IntImgProgramFactory", 0}};
        for (const std::uint64_t tiles : {kFew, kBlock, kFew, kBlock, kBlock, kBlock, kBlock, kFew, kBlock})
            plan.memory.push_back(dataflow_buffer(tiles * tile, CoreRange{{0, 0}, {1, 3}}));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> values = inputs[0]->to_floats();
        std::vector<double> sums(values.begin(), values.end());
        const std::uint64_t channels = inputs[0]->shape()[-1], row = inputs[0]->shape()[-2] * channels;
        for (std::uint64_t i = 0; i < sums.size(); ++i) {
            if (i % row >= channels) sums[i] += sums[i - channels];
        }
        for (std::uint64_t i = row; i < sums.size(); ++i)
            sums[i] += sums[i - row];
        return {HostArray::from_floats(std::vector<float>(sums.begin(), sums.end()), outputs[0].dtype,
                                       outputs[0].shape)};
    }
};

}  // namespace

Tensor FastReduceNc::body() const {
    require_on_device(input, "fast_reduce_nc", "input");
    require(!dims.empty(), "fast_reduce_nc: dims: expected at least one dimension, got none");
    std::vector<std::size_t> order;
    for (const std::int32_t dim : dims)
        order.push_back(input.shape().position(dim));
    std::sort(order.begin(), order.end(), std::greater<>());
    ScopedTensor sums{Tensor()};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Tensor& source = i == 0 ? input : *sums;
        const FastReduceNcOperation operation{order[i], memory_config, sub_core_grids};
        if (i + 1 == order.size()) return launch(operation, {source}, output);
        sums = launch(operation, {source});
    }
    return sums.take();
}

Tensor Intimg::body() const {
    require_on_device(input_tensor, "intimg", "input_tensor");
    return launch(IntImgOperation(), {input_tensor});
}

}  // namespace tilemeter::experimental
