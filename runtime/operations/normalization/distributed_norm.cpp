// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/distributed_norm.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/normalization/internal/sharded_chip_norm.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr float kEpsilonOfSums = 1e-12F;  // that a stage of sums is told, and doesn't use

std::uint32_t kinds_of_sums(NormKind norm) {
    return norm == NormKind::kLayerNorm ? 2 : 1;
}

std::string_view pre_name(NormKind norm) {
    return norm == NormKind::kLayerNorm ? LayerNormPreAllGather::kOperation.name
                                        : RmsNormPreAllGather::kOperation.name;
}
std::string_view post_name(NormKind norm) {
    return norm == NormKind::kLayerNorm ? LayerNormPostAllGather::kOperation.name
                                        : RmsNormPostAllGather::kOperation.name;
}

/// Columns of cores share the rows of tiles, the cores of a column a row.
struct CoreBlock {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    CoreRange all() const { return {{0, 0}, {columns - 1, rows - 1}}; }
    CoreRange first_row() const { return {{0, 0}, {columns - 1, 0}}; }
};

CoreBlock core_block(const TensorSpec& input, const DeviceDescription& device) {
    return {static_cast<std::uint32_t>(largest_divisor(input.tile_rows(), device.compute_grid.x)),
            static_cast<std::uint32_t>(largest_divisor(input.tile_columns(), device.compute_grid.y))};
}

void require_input(std::string_view operation, const TensorSpec& input,
                   const DeviceComputeKernelConfig& kernels) {
    constexpr const char* kArgument = "input_tensor";
    if (input.layout != Layout::TILE) refuse(operation, kArgument, "TILE layout", name_of(input.layout));
    if (input.shape.rank() != 4) refuse(operation, kArgument, "four dimensions", input.shape.to_string());
    require(input.dtype != DataType::FLOAT32 || kernels.fp32_dest_acc_en, operation,
            " with Float32 input requires fp32_dest_acc_en=true in the compute kernel config");
}

/// Inputs: the tensor and, if there is one, what is added to it.
struct PreAllGatherDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "LayerNormPreAllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "LayerNormPreAllGatherParams";

    NormKind norm;
    DataType dtype;
    DeviceComputeKernelConfig kernels;
    MemoryConfig memory_config;
    bool in_block;

    auto attributes() const {
        return std::make_tuple(static_cast<int>(norm), dtype, kernels, in_block, memory_config);
    }

    void validate(SpecsView inputs) const {
        require_input(pre_name(norm), inputs[0], kernels);
        if (inputs.size() > 1 && inputs[1].shape != inputs[0].shape) {
            refuse(pre_name(norm), "residual_input_tensor", inputs[0].shape.to_string(),
                   inputs[1].shape.to_string());
        }
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec sums{inputs[0].shape, dtype, Layout::TILE, memory_config};
        sums.shape.set(-1, kinds_of_sums(norm) * kTileWidth);
        return {sums};
    }

    // A row twice, so that the next one can come; with a residual also their sum; the squares.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const std::uint64_t sum =
            tile_size(kernels.fp32_dest_acc_en ? DataType::FLOAT32 : DataType::BFLOAT16);
        const std::uint64_t width = input.tile_columns(), result = kinds_of_sums(norm) * tile_size(dtype);
        const CoreBlock block = core_block(input, device);
        const CoreRangeSet cores =
            in_block ? CoreRangeSet(block.all())
                     : split_work(input.tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        std::vector<std::uint64_t> sizes{2 * width * tile_size(input.dtype), sum};
        if (inputs.size() > 1) {
            sizes.push_back(2 * width * tile_size(inputs[1].dtype));
            sizes.push_back(width * sum);
        }
        sizes.push_back(2 * width * sum);
        ProgramPlan plan{{in_block ? StaticName("ttnn::prim::LayerNormPreAllGather2DProgramFactory")
                                   : StaticName("ttnn::prim::LayerNormPreAllGatherProgramFactory"),
                          0}};
        if (in_block) {
            for (const std::uint64_t size : {block.rows * sum, sum, sum})
                sizes.push_back(size);
        } else {
            sizes.push_back(result);
        }
        plan.memory = dataflow_buffers(sizes, cores);
        if (in_block) plan.memory.push_back(dataflow_buffer(result, block.first_row()));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        if (inputs.size() > 1) {
            const std::vector<float> more = inputs[1]->to_floats();
            std::transform(values.begin(), values.end(), more.begin(), values.begin(), std::plus<>());
        }
        const std::uint64_t width = inputs[0]->shape()[-1], rows = values.size() / width;
        const std::uint64_t row_of_sums = outputs[0].shape[-1];
        std::vector<float> sums(rows * row_of_sums);
        for (std::uint64_t row = 0; row < rows; ++row) {
            double sum = 0, squares = 0;
            for (std::uint64_t i = row * width; i < (row + 1) * width; ++i) {
                sum += values[i];
                squares += double{values[i]} * values[i];
            }
            sums[row * row_of_sums] = static_cast<float>(squares);
            if (norm == NormKind::kLayerNorm) sums[row * row_of_sums + kTileWidth] = static_cast<float>(sum);
        }
        return {HostArray::from_floats(sums, outputs[0].dtype, outputs[0].shape)};
    }
};

/// Inputs: the tensor, the sums, then weight and bias as far as they are there.
struct PostAllGatherDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "LayerNormPostAllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "LayerNormPostAllGatherParams";

    NormKind norm;
    float epsilon;
    bool has_weight;
    bool has_bias;
    DataType dtype;
    DeviceComputeKernelConfig kernels;
    MemoryConfig memory_config;
    bool in_block;

    auto attributes() const {
        return std::make_tuple(static_cast<int>(norm), epsilon, has_weight, has_bias, dtype, kernels,
                               in_block, memory_config);
    }

    void validate(SpecsView inputs) const {
        require_input(post_name(norm), inputs[0], kernels);
        const std::uint32_t sums = kinds_of_sums(norm) * kTileWidth;
        const Shape& stats = inputs[1].shape;
        if (stats.rank() != 4 || stats[-2] != inputs[0].shape[-2] || stats[-1] == 0 ||
            stats[-1] % sums != 0) {
            refuse(post_name(norm), "stats",
                   std::to_string(inputs[0].shape[-2]) + " rows of a multiple of " + std::to_string(sums) +
                       " elements",
                   stats.to_string());
        }
        for (std::size_t i = 2; i < inputs.size(); ++i) {
            if (inputs[i].shape.volume() == inputs[0].shape[-1]) continue;
            refuse(post_name(norm), "weight, bias", std::to_string(inputs[0].shape[-1]) + " elements",
                   inputs[i].shape.to_string());
        }
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        const CoreBlock block = in_block ? core_block(input, device) : CoreBlock();
        const CoreRangeSet cores =
            in_block ? CoreRangeSet(block.all())
                     : split_work(input.tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        const std::uint64_t width = input.tile_columns() / block.rows;
        const std::uint64_t constant = tile_size(DataType::BFLOAT16);
        const std::uint64_t sum =
            tile_size(kernels.fp32_dest_acc_en ? DataType::FLOAT32 : DataType::BFLOAT16);
        std::vector<std::uint64_t> sizes{width * tile_size(input.dtype),
                                         inputs[1].tile_columns() * tile_size(inputs[1].dtype)};
        for (std::size_t i = 2; i < inputs.size(); ++i)
            sizes.push_back(width * tile_size(inputs[i].dtype));
        sizes.insert(sizes.end(), {constant, constant});  // epsilon, one over the length of rows
        if (norm == NormKind::kLayerNorm) {
            // Both means; the variance; the input without its mean; two steps to its root.
            sizes.insert(sizes.end(), {2 * sum, sum, width * sum, sum, sum});
        } else {
            sizes.insert(sizes.end(), {sum, sum});
        }
        sizes.insert(sizes.end(), inputs.size() - 2, width * sum);
        sizes.push_back(width * tile_size(outputs[0].dtype));
        return {{"ttnn::prim::LayerNormPostAllGatherProgramFactory", 0}, dataflow_buffers(sizes, cores)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const std::vector<float> sums = inputs[1]->to_floats();
        const std::vector<float> scale = has_weight ? inputs[2]->to_floats() : std::vector<float>();
        const std::vector<float> shift =
            has_bias ? inputs[has_weight ? 3 : 2]->to_floats() : std::vector<float>();
        const std::uint64_t width = inputs[0]->shape()[-1], row_of_sums = inputs[1]->shape()[-1];
        const std::uint64_t of_a_chip = kinds_of_sums(norm) * kTileWidth;
        const auto length = static_cast<double>(row_of_sums / of_a_chip * width);
        for (std::uint64_t row = 0; row < values.size() / width; ++row) {
            double squares = 0, mean = 0;
            for (std::uint64_t at = row * row_of_sums; at < (row + 1) * row_of_sums; at += of_a_chip) {
                squares += sums[at];
                if (norm == NormKind::kLayerNorm) mean += sums[at + kTileWidth];
            }
            mean /= length;
            const double factor = 1 / std::sqrt(squares / length - mean * mean + epsilon);
            for (std::uint64_t i = 0; i < width; ++i) {
                const double normal = (values[row * width + i] - mean) * factor;
                values[row * width + i] =
                    static_cast<float>(normal * (has_weight ? scale[i] : 1.0) + (has_bias ? shift[i] : 0.0));
            }
        }
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

template <NormKind kKind>
Tensor NormPreAllGather<kKind>::call() const {
    return in_operation(*this, [&] {
        require_on_device(input_tensor, kOperation.name, "input_tensor");
        if (input_tensor.memory_config().is_sharded()) {
            return means_of_shards(
                {kKind, kEpsilonOfSums, memory_config.value_or(input_tensor.memory_config()), program_config,
                 compute_kernel_config.value_or(DeviceComputeKernelConfig()), std::nullopt},
                input_tensor, residual_input_tensor);
        }
        const bool padded = input_tensor.layout() == Layout::TILE && input_tensor.shape().rank() == 4 &&
                            has_padding(input_tensor);
        const PreAllGatherDeviceOperation operation{
            kKind, dtype, compute_kernel_config.value_or(DeviceComputeKernelConfig()),
            memory_config.value_or(input_tensor.memory_config()),
            kKind == NormKind::kRmsNorm && use_2d_core_grid.value_or(false)};
        const ScopedTensor filled(padded ? fill_padding(input_tensor, 0.0F) : input_tensor);
        std::vector<Tensor> inputs{*filled};
        if (residual_input_tensor) inputs.push_back(*residual_input_tensor);
        return launch(operation, inputs);
    });
}

template <NormKind kKind>
Tensor NormPostAllGather<kKind>::call() const {
    return in_operation(*this, [&] {
        require_on_device(input_tensor, kOperation.name, "input_tensor");
        if (input_tensor.memory_config().is_sharded()) {
            return normalized_shards(
                {kKind, epsilon, memory_config.value_or(input_tensor.memory_config()), program_config,
                 compute_kernel_config.value_or(DeviceComputeKernelConfig()), dtype},
                input_tensor, stats, weight, bias);
        }
        std::vector<Tensor> inputs{input_tensor, stats};
        if (weight) inputs.push_back(*weight);
        if (bias) inputs.push_back(*bias);
        return launch(
            PostAllGatherDeviceOperation{
                kKind, epsilon, weight.has_value(), bias.has_value(), dtype.value_or(input_tensor.dtype()),
                compute_kernel_config.value_or(DeviceComputeKernelConfig()),
                memory_config.value_or(input_tensor.memory_config()), use_2d_core_grid.value_or(false)},
            inputs);
    });
}

template struct NormPreAllGather<NormKind::kLayerNorm>;
template struct NormPreAllGather<NormKind::kRmsNorm>;
template struct NormPostAllGather<NormKind::kLayerNorm>;
template struct NormPostAllGather<NormKind::kRmsNorm>;

}  // namespace tilemeter
