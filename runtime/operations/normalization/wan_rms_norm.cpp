// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/wan_rms_norm.hpp"

#include <cmath>
#include <tuple>
#include <vector>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter::experimental {

namespace {

constexpr DeviceComputeKernelConfig kPrecise{MathFidelity::HiFi4, false, true, false, false};
constexpr std::uint64_t kTile = 2048;  // bytes, of bfloat16

/// Tiles that are computed at once.
std::uint64_t block_of(const DeviceComputeKernelConfig& kernels) {
    return kernels.fp32_dest_acc_en ? 4 : 8;
}
std::uint64_t sum_tile(const DeviceComputeKernelConfig& kernels) {
    return tile_size(kernels.fp32_dest_acc_en ? DataType::FLOAT32 : DataType::BFLOAT16);
}

void require_tiles(const char* what, const TensorSpec& spec, bool may_be_float32) {
    require(spec.layout == Layout::TILE, what,
            " tensor must have TILE layout, got: Layout::", name_of(spec.layout));
    require(spec.dtype == DataType::BFLOAT16 || (may_be_float32 && spec.dtype == DataType::FLOAT32), what,
            may_be_float32 ? " tensor must be BFLOAT16 or FLOAT32, got: DataType::"
                           : " tensor must be BFLOAT16, got: DataType::",
            name_of(spec.dtype));
    require(!spec.memory_config.is_sharded(), what, " tensor: expected an interleaved one, got shards");
}

struct FusedRMSNormPreAllGatherDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "FusedRMSNormPreAllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "FusedRmsnormPreAllGatherParams";

    DataType dtype;
    DeviceComputeKernelConfig kernels;

    auto attributes() const { return std::tie(dtype, kernels); }

    void validate(SpecsView inputs) const { require_tiles("Input", inputs[0], false); }
    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec sums{inputs[0].shape, dtype, Layout::TILE, inputs[0].memory_config};
        sums.shape.set(-1, kTileWidth);
        return {sums};
    }
    // On all cores, whether they have rows or not.
    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription& device) const {
        return {{"ttnn::experimental::prim::FusedRMSNormPreAllGatherProgramFactory", 0},
                circular_buffers({2 * block_of(kernels) * kTile, kTile, tile_size(DataType::FLOAT32),
                                  2 * tile_size(dtype)},
                                 whole_grid(device.compute_grid))};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> values = inputs[0]->to_floats();
        const std::size_t width = inputs[0]->shape()[-1];
        std::vector<float> sums(values.size() / width * kTileWidth);
        for (std::size_t row = 0; row < values.size() / width; ++row) {
            double squares = 0;
            for (std::size_t i = row * width; i < (row + 1) * width; ++i)
                squares += double{values[i]} * values[i];
            sums[row * kTileWidth] = static_cast<float>(squares);
        }
        return {HostArray::from_floats(sums, outputs[0].dtype, outputs[0].shape)};
    }
};

/// Inputs: the tensor, the sums, the weight if there is one, then, to rotate, matrix, cosines and sines.
struct FusedRMSNormPostAllGatherDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "FusedRMSNormPostAllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "FusedRmsnormPostAllGatherParams";

    float epsilon;
    std::uint32_t heads;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    OptionalDataType dtype;
    bool has_weight;
    bool rotates;

    auto attributes() const { return std::tie(epsilon, heads, memory_config, kernels, dtype); }
    auto key_attributes() const {
        return std::tie(epsilon, heads, memory_config, kernels, dtype, has_weight, rotates);
    }
    std::size_t rotation() const { return has_weight ? 3 : 2; }  ///< the first input of it

    void validate(SpecsView inputs) const {
        const Shape &input = inputs[0].shape, &stats = inputs[1].shape;
        require_tiles("Input", inputs[0], false);
        require_tiles("Stats tensor", inputs[1], true);
        require(input.rank() == 4 && stats.rank() == 4,
                "wan_fused_rmsnorm_post_allgather: expected input and stats of four dimensions, got ", input,
                " and ", stats);
        require(input[0] == 1, "Expecting input batch dimension to be 1, got: ", input[0]);
        require(input[1] == 1, "Input dim 1 must be 1, got: ", input[1]);
        require(stats[2] == input[2], "Stats and input dim2 must match, got stats: ", stats[2],
                " vs input: ", input[2]);
        require(input[3] % heads == 0,
                "Input last dimension must be divisible by number of heads, got hidden_dim: ", input[3],
                " vs num_heads: ", heads);
        // TT-NN takes these, too, and its results have padding between their elements.
        require(input[3] / heads % kTileWidth == 0 && stats[3] % kTileWidth == 0,
                "wan_fused_rmsnorm_post_allgather: expected heads and stats of whole tiles, got ",
                input[3] / heads, " and ", stats[3]);
        if (has_weight) {
            const Shape& weight = inputs[2].shape;
            require_tiles("Weight", inputs[2], false);
            require(weight.rank() == 2, "Weight tensor must have 2 dimensions, got: ", weight.rank());
            require(weight[1] == input[3],
                    "Weight tensor must have same last dimension as input, got: ", weight[1], " vs ",
                    input[3]);
        }
        if (!rotates) return;
        const auto require_shape = [](const char* what, const Shape& shape, const Shape& expected) {
            require(shape == expected, what, " must have shape ", expected, ", got: ", shape);
        };
        require_tiles("Transformation_mat", inputs[rotation()], false);
        require_shape("Transformation_mat", inputs[rotation()].shape, Shape{1, 1, kTileHeight, kTileWidth});
        for (std::size_t i = rotation() + 1; i < inputs.size(); ++i) {
            require_tiles("Rope", inputs[i], true);
            require_shape("Rope tensor", inputs[i].shape, Shape{1, 1, input[2], input[3] / heads});
        }
    }
    TensorSpecs infer(SpecsView inputs) const {
        const Shape& input = inputs[0].shape;
        return {TensorSpec{Shape{1, heads, input[-2], input[-1] / heads}, dtype.value_or(inputs[0].dtype),
                           Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const std::uint64_t block = block_of(kernels), sum = sum_tile(kernels);
        std::vector<std::uint64_t> sizes{2 * block * kTile,
                                         2 * inputs[1].tile_columns() * tile_size(inputs[1].dtype),
                                         kTile,  // epsilon
                                         kTile,  // one over the length of rows
                                         sum,
                                         2 * block * tile_size(outputs[0].dtype)};
        if (has_weight) sizes.push_back(round_up(inputs[0].tile_columns(), block) * kTile);
        if (has_weight || rotates) sizes.push_back(block * sum);
        if (rotates) {
            const TensorSpec& cosines = inputs[rotation() + 1];
            const std::uint64_t of_a_head = cosines.tile_columns() * tile_size(cosines.dtype);
            sizes.insert(sizes.end(), {kTile, of_a_head, of_a_head, block * kTile});
        }
        return {{"ttnn::experimental::prim::FusedRMSNormPostAllGatherProgramFactory", 0},
                circular_buffers(sizes, whole_grid(device.compute_grid))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> values = inputs[0]->to_floats(), sums = inputs[1]->to_floats();
        const std::vector<float> weight = has_weight ? inputs[2]->to_floats() : std::vector<float>();
        std::vector<float> turn, cosines, sines;
        if (rotates) {
            turn = inputs[rotation()]->to_floats();
            cosines = inputs[rotation() + 1]->to_floats();
            sines = inputs[rotation() + 2]->to_floats();
        }
        const std::size_t width = inputs[0]->shape()[-1], rows = values.size() / width, head = width / heads;
        const std::size_t row_of_sums = inputs[1]->shape()[-1];
        const auto length = static_cast<double>(row_of_sums / kTileWidth * width);
        std::vector<float> made(values.size()), line(width);
        for (std::size_t row = 0; row < rows; ++row) {
            double squares = 0;
            for (std::size_t at = row * row_of_sums; at < (row + 1) * row_of_sums; at += kTileWidth)
                squares += sums[at];
            const double factor = 1 / std::sqrt(squares / length + epsilon);
            for (std::size_t i = 0; i < width; ++i)
                line[i] =
                    static_cast<float>(values[row * width + i] * factor * (has_weight ? weight[i] : 1.0));
            for (std::size_t i = 0; i < width; ++i) {
                const std::size_t in_head = i % head;
                float& to = made[(i / head * rows + row) * head + in_head];
                if (!rotates) {
                    to = line[i];
                    continue;
                }
                double turned = 0;
                const std::size_t tile = i / kTileWidth * kTileWidth;
                for (std::size_t j = 0; j < kTileWidth; ++j)
                    turned += double{line[tile + j]} * turn[j * kTileWidth + i % kTileWidth];
                to = static_cast<float>(double{line[i]} * cosines[row * head + in_head] +
                                        turned * sines[row * head + in_head]);
            }
        }
        return {HostArray::from_floats(made, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor WanRmsNormPreAllGather::body() const {
    require_on_device(input_tensor, "wan_fused_rmsnorm_pre_allgather", "input_tensor");
    return launch(FusedRMSNormPreAllGatherDeviceOperation{dtype, compute_kernel_config.value_or(kPrecise)},
                  {input_tensor});
}

Tensor WanRmsNormPostAllGather::body() const {
    require_on_device(input_tensor, "wan_fused_rmsnorm_post_allgather", "input_tensor");
    const bool rotates = transformation_mat.has_value();
    require(
        rope_cos.has_value() == rotates && rope_sin.has_value() == rotates,
        "wan_fused_rmsnorm_post_allgather: expected all of transformation_mat, rope_cos and rope_sin, or none");
    std::vector<Tensor> inputs{input_tensor, stats};
    if (weight) inputs.push_back(*weight);
    if (rotates) inputs.insert(inputs.end(), {*transformation_mat, *rope_cos, *rope_sin});
    return launch(
        FusedRMSNormPostAllGatherDeviceOperation{
            epsilon, num_heads_per_device, memory_config.value_or(input_tensor.memory_config()),
            compute_kernel_config.value_or(kPrecise), dtype, weight.has_value(), rotates},
        inputs);
}

}  // namespace tilemeter::experimental
