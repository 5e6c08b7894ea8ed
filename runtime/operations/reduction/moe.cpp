// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/moe.hpp"

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/compute/order.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct MoeOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MoeDeviceOperation";
    static constexpr std::string_view kAttributesName = "MoeParams";

    std::uint32_t k;
    MemoryConfig memory_config;

    auto attributes() const { return std::tie(k, memory_config); }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs) {
            require(input.layout == Layout::TILE, "moe: expected tensors in TILE layout, got ",
                    name_of(input.layout));
        }
        require(k == kTileWidth, "moe: k: expected 32, got ", k);
        const std::uint32_t width = inputs[0].shape[-1];
        require(inputs[0].shape.rank() == 4 && width >= 2 * kTileWidth,
                "moe: input_tensor: expected four dimensions, the last at least 64, got ", inputs[0].shape);
        require_mask(inputs[1].shape, width, "Expert mask must be row-broadcastable with last dim == W");
        require_mask(inputs[2].shape, k, "Topk mask must be row-broadcastable with last dim == k");
    }

    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(-1, 1);
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription&) const {
        const CoreRange core{{0, 0}, {0, 0}};
        const std::uint64_t wide = tile_size(DataType::BFLOAT16), index = tile_size(DataType::UINT16);
        const std::uint64_t value = tile_size(inputs[0].dtype), result = tile_size(outputs[0].dtype);
        const std::uint64_t width = inputs[0].tile_columns(), height = inputs[0].tile_rows();
        // As many of the input's tiles as there is room for with wide ones.
        const std::uint64_t row = width * wide / value * value;
        return {{"ttnn::prim::MoeProgramFactory", 0},
                dataflow_buffers({4 * value, width * tile_size(inputs[1].dtype), tile_size(inputs[2].dtype),
                                  wide, 4 * index, row, width * index, height * wide, height * index,
                                  height * result, height * result, height * result, 2 * result},
                                 core)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const std::vector<float> expert_mask = inputs[1]->to_floats(), mask = inputs[2]->to_floats();
        const std::uint64_t width = inputs[0]->shape()[-1], height = inputs[0]->shape()[-2];
        for (std::uint64_t i = 0; i < values.size(); ++i)
            values[i] += expert_mask[i / (width * height) * width % expert_mask.size() + i % width];
        const compute::Ordered best = compute::ordered_rows(values, width, k, true);
        std::vector<float> weights;
        for (std::uint64_t row = 0; row < values.size() / width; ++row) {
            const std::uint64_t of_mask = row / height * k % mask.size();
            double sum = 0, first = 0;
            for (std::uint64_t i = 0; i < k; ++i) {
                const double weight = std::exp(double{best.values[row * k + i]} - best.values[row * k] +
                                               mask[of_mask + i] - mask[of_mask]);
                sum += weight;
                if (best.places[row * k + i] == 0) first += weight;
            }
            weights.push_back(static_cast<float>(first / sum));
        }
        return {HostArray::from_floats(weights, outputs[0].dtype, outputs[0].shape)};
    }

private:
    static void require_mask(const Shape& mask, std::uint32_t width, const std::string& words) {
        require(mask.rank() == 4 && mask[-1] == width && mask[-2] == 1, words, ". Got shape=", mask);
    }
};

}  // namespace

Tensor Moe::body() const {
    require_on_device(input_tensor, "moe", "input_tensor");
    const MoeOperation operation{k, memory_config.value_or(input_tensor.memory_config())};
    const std::vector<Tensor> inputs{input_tensor, expert_mask_tensor, topk_mask_tensor};
    return launch(operation, inputs, output_tensor);
}

}  // namespace tilemeter
