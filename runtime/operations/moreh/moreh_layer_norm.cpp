// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_layer_norm.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"
#include "runtime/operations/work/column_cores.hpp"

namespace tilemeter {

namespace {

/// A shape as what a norm goes over and what it leaves.
struct NormedShape {
    NormedShape(const Shape& shape, std::uint32_t normalized_dims)
        : kept(shape.rank() - std::min<std::size_t>(shape.rank(), normalized_dims)) {
        const std::size_t rank = shape.rank();
        for (std::size_t i = 0; i < rank; ++i) {
            const std::uint64_t size = shape.dimensions()[i];
            (i < kept ? outer : inner) *= size;
            (i < kept ? outer_tiles : inner_tiles) *= i + 2 >= rank ? ceil_div(size, kTileWidth) : size;
        }
        const std::uint32_t height = rank > 1 ? shape[-2] : 1;
        has_ragged_height = height % kTileHeight != 0;
        has_ragged_width = rank > 0 && shape[-1] % kTileWidth != 0;
    }

    std::size_t kept;  ///< dimensions
    std::uint64_t outer = 1, inner = 1;
    std::uint64_t outer_tiles = 1, inner_tiles = 1;
    bool has_ragged_height, has_ragged_width;
};

std::uint64_t l1_for_programs(const DeviceDescription& device) {
    return device.l1_size - device.l1_unreserved_base;
}

/// Buffers in tiles of the tensors and in tiles of sums.
class NormBuffers {
public:
    NormBuffers(DataType dtype, const DeviceComputeKernelConfig& kernels)
        : tile_(tile_size(dtype)), sum_(sum_tile_size(dtype, kernels)) {}

    void add(std::uint64_t tiles) { append(tiles * tile_); }
    void add_sum(std::uint64_t tiles) { append(tiles * sum_); }
    std::uint64_t bytes() const { return bytes_; }
    const std::vector<std::uint64_t>& sizes() const { return sizes_; }

private:
    void append(std::uint64_t size) {
        bytes_ += size;
        if (size > 0) sizes_.push_back(size);
    }

    std::uint64_t tile_, sum_, bytes_ = 0;
    std::vector<std::uint64_t> sizes_;
};

void require_normed(const TensorSpec& spec) {
    require(spec.layout == Layout::TILE,
            "moreh_layer_norm only supports tiled layout. Got: Layout::", name_of(spec.layout));
    require(spec.dtype == DataType::BFLOAT16,
            "moreh_layer_norm only supports bfloat16. Got: DataType::", name_of(spec.dtype));
}

/// As many as the tensor has elements, whatever it was given for.
HostArray fitted(std::vector<float> values, const TensorSpec& spec) {
    values.resize(spec.shape.volume());
    return HostArray::from_floats(values, spec.dtype, spec.shape);
}

/// Numbers that lie along a dimension of that length.
std::vector<float> numbers_along(const HostArray& array, std::uint64_t length) {
    std::vector<float> values = array.to_floats();
    values.resize(length);
    return values;
}

struct MorehLayerNormOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehLayerNormOperation";

    std::uint32_t normalized_dims;
    float eps;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    bool has_gamma, has_beta;
    std::optional<TensorSpec> output, mean, rstd;  ///< of those that are given

    auto attributes() const { return std::tie(normalized_dims, eps, memory_config, kernels); }
    auto key_attributes() const {
        return std::make_tuple(normalized_dims, eps, memory_config, kernels, has_gamma, has_beta,
                               output.has_value(), mean.has_value(), rstd.has_value());
    }

    void validate(SpecsView inputs) const {
        require_normed(inputs[0]);
        require(normalized_dims > 0, "normalized_dims should > 0. Got ", normalized_dims);
        require(normalized_dims <= inputs[0].shape.rank(), "normalized_dims should <= input rank (",
                inputs[0].shape.rank(), "). Got: ", normalized_dims);
        for (const TensorSpec& each : inputs.subspan(1))
            require_normed(each);
        for (const std::optional<TensorSpec>* each : {&mean, &rstd})
            if (*each) require_normed(**each);
    }
    TensorSpecs infer(SpecsView inputs) const {
        TensorSpecs specs{
            output.value_or(TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config})};
        for (const std::optional<TensorSpec>* each : {&mean, &rstd})
            if (*each) specs.push_back(**each);
        return specs;
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const NormedShape shape(inputs[0].shape, normalized_dims);
        const NormBuffers whole = buffers(inputs[0].dtype, shape, true);
        const NormBuffers chosen =
            whole.bytes() < l1_for_programs(device) ? whole : buffers(inputs[0].dtype, shape, false);
        return {{"ttnn::operations::moreh::moreh_layer_norm::MorehLayerNormOperation::ProgramFactory", 0},
                circular_buffers(chosen.sizes(), whole_columns_and_rest(shape.outer_tiles, device))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const NormedShape shape(inputs[0]->shape(), normalized_dims);
        std::vector<float> values = inputs[0]->to_floats();
        std::vector<float> gamma, beta;
        if (has_gamma) gamma = numbers_along(*inputs[1], shape.inner);
        if (has_beta) beta = numbers_along(*inputs[has_gamma ? 2 : 1], shape.inner);
        std::vector<float> means, rstds;
        for (std::uint64_t i = 0; i < shape.outer; ++i) {
            float* const row = values.data() + i * shape.inner;
            const auto [its_mean, its_rstd] = normalize(row, shape.inner);
            for (std::uint64_t k = 0; k < shape.inner; ++k) {
                if (has_gamma) row[k] *= gamma[k];
                if (has_beta) row[k] += beta[k];
            }
            means.push_back(its_mean);
            rstds.push_back(its_rstd);
        }
        std::vector<HostArray> made{fitted(std::move(values), outputs[0])};
        if (mean) made.push_back(fitted(std::move(means), outputs[1]));
        if (rstd) made.push_back(fitted(std::move(rstds), outputs.back()));
        return made;
    }

private:
    NormBuffers buffers(DataType dtype, const NormedShape& shape, bool whole) const {
        constexpr std::uint64_t kMostTiles = 4, kMostWideTiles = 2;
        std::uint64_t block = kernels.fp32_dest_acc_en ? kMostWideTiles : kMostTiles;
        while (shape.inner_tiles % block != 0)
            --block;
        NormBuffers made(dtype, kernels);
        made.add(whole ? shape.inner_tiles : 2 * block);  // input
        made.add(1);
        made.add(1);
        made.add(has_gamma ? 2 * block : 0);
        made.add(has_beta ? 2 * block : 0);
        made.add(shape.has_ragged_height && normalized_dims != 1 ? 1 : 0);
        made.add(shape.has_ragged_width ? 1 : 0);
        made.add(2 * block);  // output
        made.add(mean ? 1 : 0);
        made.add(rstd ? 1 : 0);
        made.add_sum(1);
        made.add_sum(whole ? shape.inner_tiles : 2 * block);  // x - mean
        made.add_sum(whole ? 1 : 2 * block);                  // its square
        made.add_sum(1);
        made.add_sum(1);
        made.add_sum(1);
        made.add_sum(has_gamma || has_beta ? 2 * block : 0);
        made.add_sum(2);
        return made;
    }

    std::pair<float, float> normalize(float* row, std::uint64_t length) const {
        const auto count = static_cast<double>(length);
        double sum = 0.0, squares = 0.0;
        for (std::uint64_t k = 0; k < length; ++k)
            sum += row[k];
        const double its_mean = sum / count;
        for (std::uint64_t k = 0; k < length; ++k)
            squares += (row[k] - its_mean) * (row[k] - its_mean);
        const double its_rstd = 1.0 / std::sqrt(squares / count + static_cast<double>(eps));
        for (std::uint64_t k = 0; k < length; ++k)
            row[k] = static_cast<float>((row[k] - its_mean) * its_rstd);
        return {static_cast<float>(its_mean), static_cast<float>(its_rstd)};
    }
};

/// The beginning of both gradients: the normalized input, of output_grad, input, mean, rstd.
struct NormedInput {
    NormedInput(ArraysView inputs, std::uint32_t normalized_dims)
        : shape(inputs[0]->shape(), normalized_dims),
          grad(inputs[0]->to_floats()),
          values(numbers_along(*inputs[1], grad.size())),
          rstd(numbers_along(*inputs[3], shape.outer)) {
        const std::vector<float> mean = numbers_along(*inputs[2], shape.outer);
        for (std::uint64_t i = 0; i < values.size(); ++i)
            values[i] = (values[i] - mean[i / shape.inner]) * rstd[i / shape.inner];
    }

    NormedShape shape;
    std::vector<float> grad, values, rstd;
};

struct MorehLayerNormBackwardInputGradOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehLayerNormBackwardInputGradOperation";

    std::uint32_t normalized_dims;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    TensorSpec input_grad;

    auto attributes() const { return std::tie(normalized_dims, memory_config, kernels); }

    TensorSpecs infer(SpecsView) const { return {input_grad}; }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const NormedShape shape(inputs[0].shape, normalized_dims);
        const auto buffers = [&](bool whole) {
            NormBuffers made(inputs[0].dtype, kernels);
            for (int i = 0; i < 5; ++i)
                made.add(1);
            made.add(2);
            made.add(inputs.size() > 4 ? 1 : 0);
            made.add((shape.has_ragged_height && normalized_dims != 1) || shape.has_ragged_width ? 2 : 0);
            made.add(1);
            for (int i = 0; i < 2; ++i)
                made.add_sum(whole ? shape.inner_tiles : 1);
            for (int i = 0; i < (whole ? 6 : 5); ++i)
                made.add_sum(1);
            return made;
        };
        NormBuffers chosen = buffers(true);
        if (chosen.bytes() >= l1_for_programs(device)) chosen = buffers(false);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_layer_norm_backward_input_grad::"
            "MorehLayerNormBackwardInputGradOperation::MorehLayerNormBackwardInputGradFactory",
            0, shape.outer_tiles, chosen.sizes(), device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        NormedInput normed(inputs, normalized_dims);
        const std::uint64_t inner = normed.shape.inner;
        if (inputs.size() > 4) {
            const std::vector<float> gamma = numbers_along(*inputs[4], inner);
            for (std::uint64_t i = 0; i < normed.grad.size(); ++i)
                normed.grad[i] *= gamma[i % inner];
        }
        for (std::uint64_t i = 0; i < normed.shape.outer; ++i) {
            float* const grad = normed.grad.data() + i * inner;
            const float* const values = normed.values.data() + i * inner;
            double sum = 0.0, along = 0.0;
            for (std::uint64_t k = 0; k < inner; ++k) {
                sum += grad[k];
                along += static_cast<double>(grad[k]) * values[k];
            }
            for (std::uint64_t k = 0; k < inner; ++k) {
                const double rest = (sum + values[k] * along) / static_cast<double>(inner);
                grad[k] = static_cast<float>((grad[k] - rest) * normed.rstd[i]);
            }
        }
        return {fitted(std::move(normed.grad), outputs[0])};
    }
};

struct MorehLayerNormBackwardGammaBetaGradOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehLayerNormBackwardGammaBetaGradOperation";

    std::uint32_t normalized_dims;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    std::optional<TensorSpec> gamma_grad, beta_grad;

    auto attributes() const { return std::tie(normalized_dims, memory_config, kernels); }
    auto key_attributes() const {
        return std::make_tuple(normalized_dims, memory_config, kernels, gamma_grad.has_value(),
                               beta_grad.has_value());
    }

    TensorSpecs infer(SpecsView) const {
        TensorSpecs specs;
        for (const std::optional<TensorSpec>* each : {&gamma_grad, &beta_grad})
            if (*each) specs.push_back(**each);
        return specs;
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const NormedShape shape(inputs[0].shape, normalized_dims);
        NormBuffers buffers(inputs[0].dtype, kernels);
        const std::uint64_t mask = shape.has_ragged_height && normalized_dims == 1 ? 1 : 0;
        for (std::uint64_t i = 0; i < 5 + mask + outputs.size(); ++i)
            buffers.add(1);
        for (int i = 0; i < 6; ++i)
            buffers.add_sum(1);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_layer_norm_backward_gamma_beta_grad::"
            "MorehLayerNormBackwardGammaBetaGradOperation::MorehLayerNormBackwardGammaBetaGradFactory",
            0, shape.inner_tiles, buffers.sizes(), device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const NormedInput normed(inputs, normalized_dims);
        std::vector<double> gamma(normed.shape.inner), beta(normed.shape.inner);
        for (std::uint64_t i = 0; i < normed.grad.size(); ++i) {
            gamma[i % normed.shape.inner] += static_cast<double>(normed.grad[i]) * normed.values[i];
            beta[i % normed.shape.inner] += normed.grad[i];
        }
        std::vector<HostArray> made;
        if (gamma_grad) made.push_back(fitted({gamma.begin(), gamma.end()}, outputs[0]));
        if (beta_grad) made.push_back(fitted({beta.begin(), beta.end()}, outputs.back()));
        return made;
    }
};

}  // namespace

std::vector<OptionalTensor> MorehLayerNorm::body() const {
    const MorehLayerNormOperation operation{normalized_dims,
                                            eps,
                                            memory_config.value_or(input.memory_config()),
                                            compute_kernel_config.value_or(kMorehKernels),
                                            gamma.has_value(),
                                            beta.has_value(),
                                            spec_of(output),
                                            spec_of(mean),
                                            spec_of(rstd)};
    std::vector<Tensor> inputs{input};
    OptionalTensors into{output};
    for (const OptionalTensor* each : {&gamma, &beta})
        if (*each) inputs.push_back(**each);
    for (const OptionalTensor* each : {&mean, &rstd})
        if (*each) into.push_back(*each);
    return {launch_filling(operation, inputs, into).at(0), mean, rstd};
}

std::vector<OptionalTensor> MorehLayerNormBackward::body() const {
    const DeviceComputeKernelConfig kernels = compute_kernel_config.value_or(kMorehKernels);
    const MemoryConfig config = memory_config.value_or(output_grad.memory_config());
    const std::vector<Tensor> inputs{output_grad, input, mean, rstd};
    if (input_grad) {
        std::vector<Tensor> with_gamma = inputs;
        if (gamma) with_gamma.push_back(*gamma);
        launch_into(
            MorehLayerNormBackwardInputGradOperation{normalized_dims, config, kernels, input_grad->spec()},
            with_gamma, *input_grad);
    }
    if (gamma_grad || beta_grad) {
        std::vector<Tensor> into;
        for (const OptionalTensor* each : {&gamma_grad, &beta_grad})
            if (*each) into.push_back(**each);
        launch_all(MorehLayerNormBackwardGammaBetaGradOperation{normalized_dims, config, kernels,
                                                                spec_of(gamma_grad), spec_of(beta_grad)},
                   inputs, std::move(into));
    }
    return {input_grad, gamma_grad, beta_grad};
}

}  // namespace tilemeter
