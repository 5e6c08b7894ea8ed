// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_group_norm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"
#include "runtime/operations/work/column_cores.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kLargestBlock = 8;  // tiles
constexpr std::uint64_t kTile = 2048;       // bytes: bfloat16 only

bool all_fits(const std::vector<std::uint64_t>& tiles, const DeviceDescription& device) {
    return std::accumulate(tiles.begin(), tiles.end(), std::uint64_t{0}) * kTile <=
           device.l1_size - device.l1_unreserved_base;
}

ProgramPlan plan_of_tiles(StaticName factory, std::uint64_t units, std::vector<std::uint64_t> tiles,
                          const DeviceDescription& device) {
    for (std::uint64_t& each : tiles)
        each *= kTile;
    return moreh_plan(factory, 0, units, tiles, device);
}

void append(std::vector<std::uint64_t>& tiles, std::initializer_list<std::uint64_t> more) {
    tiles.insert(tiles.end(), more);
}

/// [N, C, H, W] as groups of channels.
struct Groups {
    Groups(const Shape& shape, std::uint32_t num_groups)
        : channels(shape[1]),
          images(shape[0]),
          groups(num_groups),
          pixels(std::size_t{shape[2]} * shape[3]),
          elements(channels / groups * pixels),
          ragged_height(shape[2] % kTileHeight != 0),
          ragged_width(shape[3] % kTileWidth != 0),
          tiles(channels / groups * ceil_div(shape[2], kTileHeight) * ceil_div(shape[3], kTileWidth)) {}

    std::size_t channel(std::size_t element) const { return element / pixels % channels; }
    std::size_t group(std::size_t element) const { return element / elements; }
    std::size_t count() const { return images * groups; }
    /// Tiles taken at once: a power of two.
    std::uint64_t block() const {
        std::uint64_t size = kLargestBlock;
        while (tiles % size != 0)
            size /= 2;
        return size;
    }

    std::size_t channels, images, groups, pixels, elements;
    bool ragged_height, ragged_width;
    std::uint64_t tiles;  ///< of one group
};

struct MorehGroupNormOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehGroupNormOperation";

    std::uint32_t num_groups;
    float eps;
    std::vector<bool> required;
    MemoryConfig memory_config, mean_memory_config, rstd_memory_config;
    DeviceComputeKernelConfig kernels;
    bool has_gamma, has_beta;

    auto attributes() const {
        return std::tie(num_groups, eps, required, memory_config, mean_memory_config, rstd_memory_config,
                        kernels);
    }
    auto key_attributes() const {
        return std::make_tuple(num_groups, eps, static_cast<bool>(required[1]),
                               static_cast<bool>(required[2]), memory_config, mean_memory_config,
                               rstd_memory_config, kernels, has_gamma, has_beta);
    }

    void validate(SpecsView inputs) const {
        const Shape& shape = inputs[0].shape;
        require_moreh_dtype(inputs[0], "moreh_group_norm input", {DataType::BFLOAT16});
        require(num_groups > 0, "num_groups must be greater than 0.");
        require(shape[1] % num_groups == 0, "input_shape[1] must be divisible by num_groups.");
        for (const TensorSpec& each : inputs.subspan(1)) {
            require_moreh_dtype(each, "moreh_group_norm gamma or beta", {DataType::BFLOAT16});
            require(each.shape.volume() == shape[1],
                    "moreh_group_norm: gamma, beta: expected one number a channel, got ", each.shape);
        }
    }
    TensorSpecs infer(SpecsView inputs) const {
        const TensorSpec& input = inputs[0];
        TensorSpecs specs{TensorSpec{input.shape, input.dtype, Layout::TILE, memory_config}};
        const Shape each{1, 1, input.shape[0], num_groups};
        if (required[1]) specs.push_back(TensorSpec{each, input.dtype, Layout::TILE, mean_memory_config});
        if (required[2]) specs.push_back(TensorSpec{each, input.dtype, Layout::TILE, rstd_memory_config});
        return specs;
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const Groups groups(inputs[0].shape, num_groups);
        const std::uint64_t block = groups.block();
        const auto buffers = [&](bool whole) {
            std::vector<std::uint64_t> tiles{whole ? groups.tiles : block, 1, 1};
            for (std::size_t i = 1; i < inputs.size(); ++i)
                tiles.push_back(block);
            if (groups.ragged_height) tiles.push_back(1);
            if (groups.ragged_width) tiles.push_back(1);
            tiles.push_back(block);
            for (std::size_t i = 1; i < outputs.size(); ++i)
                tiles.push_back(1);
            tiles.push_back(1);
            if (whole) {
                append(tiles, {groups.tiles, 1, 1, 1, 1});
            } else {
                append(tiles, {2 * block, 2 * block, 1, 1, 1});
            }
            if (inputs.size() > 1) tiles.push_back(2 * block);
            tiles.push_back(2);
            return tiles;
        };
        std::vector<std::uint64_t> tiles = buffers(true);
        if (!all_fits(tiles, device)) tiles = buffers(false);
        for (std::uint64_t& each : tiles)
            each *= kTile;
        return {
            {"ttnn::operations::moreh::moreh_group_norm::MorehGroupNormOperation::MorehGroupNormFactory", 0},
            circular_buffers(tiles, whole_columns_and_rest(groups.count(), device))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const Groups groups(inputs[0]->shape(), num_groups);
        std::vector<double> sum(groups.count()), squares(groups.count());
        for (std::size_t i = 0; i < values.size(); ++i)
            sum[groups.group(i)] += values[i];
        const auto elements = static_cast<double>(groups.elements);
        std::vector<float> mean(sum.size()), rstd(sum.size());
        for (std::size_t i = 0; i < sum.size(); ++i)
            mean[i] = static_cast<float>(sum[i] / elements);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double difference = values[i] - mean[groups.group(i)];
            squares[groups.group(i)] += difference * difference;
        }
        for (std::size_t i = 0; i < sum.size(); ++i)
            rstd[i] = static_cast<float>(1.0 / std::sqrt(squares[i] / elements + static_cast<double>(eps)));
        const std::vector<float> gamma = has_gamma ? inputs[1]->to_floats() : std::vector<float>();
        const std::vector<float> beta =
            has_beta ? inputs[has_gamma ? 2 : 1]->to_floats() : std::vector<float>();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t group = groups.group(i), channel = groups.channel(i);
            values[i] = (values[i] - mean[group]) * rstd[group];
            if (has_gamma) values[i] *= gamma[channel];
            if (has_beta) values[i] += beta[channel];
        }
        std::vector<HostArray> made{HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
        if (required[1]) made.push_back(HostArray::from_floats(mean, outputs[1].dtype, outputs[1].shape));
        if (required[2])
            made.push_back(HostArray::from_floats(rstd, outputs.back().dtype, outputs.back().shape));
        return made;
    }
};

void require_fitting(SpecsView inputs, std::uint32_t num_groups, const char* gradient) {
    const Shape& shape = inputs[0].shape;
    require_moreh_dtype(inputs[0], std::string(gradient) + " output_grad", {DataType::BFLOAT16});
    require(num_groups > 0, "num_groups must be greater than 0.");
    require(shape[1] % num_groups == 0, "output_grad_shape[1] must be divisible by num_groups.");
    require_moreh_dtype(inputs[1], std::string(gradient) + " input", {DataType::BFLOAT16});
    require(inputs[1].shape == shape, "moreh_group_norm_backward: input: expected ", shape, ", got ",
            inputs[1].shape);
    const std::uint64_t groups = std::uint64_t{shape[0]} * num_groups;
    for (const std::size_t i : {2, 3}) {
        const char* name = i == 2 ? "mean" : "rstd";
        require_moreh_dtype(inputs[i], std::string(gradient) + " " + name, {DataType::BFLOAT16});
        require(inputs[i].shape.volume() == groups, name, " must have logical volume ", groups, ". Got ",
                inputs[i].shape.volume(), ".");
    }
    if (inputs.size() > 4) {
        require_moreh_dtype(inputs[4], std::string(gradient) + " gamma", {DataType::BFLOAT16});
        require(inputs[4].shape.volume() == shape[1],
                "moreh_group_norm_backward: gamma: expected one number a channel, got ", inputs[4].shape);
    }
}

/// The normalized input.
std::vector<double> normalized(ArraysView inputs, const Groups& groups) {
    const std::vector<float> x = inputs[1]->to_floats();
    const std::vector<float> mean = inputs[2]->to_floats(), rstd = inputs[3]->to_floats();
    std::vector<double> values(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t group = groups.group(i);
        values[i] = (static_cast<double>(x[i]) - mean[group]) * rstd[group];
    }
    return values;
}

struct MorehGroupNormBackwardInputGradOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehGroupNormBackwardInputGradOperation";

    std::uint32_t num_groups;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;

    auto attributes() const { return std::tie(num_groups, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_fitting(inputs, num_groups, "moreh_group_norm_backward_input_grad");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const Groups groups(inputs[0].shape, num_groups);
        std::vector<std::uint64_t> tiles{1, 1, 1, 1, 1, 2};
        if (inputs.size() > 4) tiles.push_back(1);
        if (groups.ragged_height || groups.ragged_width) tiles.push_back(2);
        tiles.push_back(1);
        std::vector<std::uint64_t> whole = tiles;
        append(whole, {groups.tiles, groups.tiles, 1, 1, 1, 1, 1, 1});
        append(tiles, {1, 1, 1, 1, 1, 1, 1});
        return plan_of_tiles(
            "ttnn::operations::moreh::moreh_group_norm_backward::MorehGroupNormBackwardInputGradOperation::"
            "MorehGroupNormBackwardInputGradFactory",
            groups.count(), all_fits(whole, device) ? std::move(whole) : std::move(tiles), device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Groups groups(inputs[0]->shape(), num_groups);
        const std::vector<double> x = normalized(inputs, groups);
        std::vector<float> grad = inputs[0]->to_floats();
        if (inputs.size() > 4) {
            const std::vector<float> gamma = inputs[4]->to_floats();
            for (std::size_t i = 0; i < grad.size(); ++i)
                grad[i] *= gamma[groups.channel(i)];
        }
        std::vector<double> sum(groups.count()), along(groups.count());
        for (std::size_t i = 0; i < grad.size(); ++i) {
            sum[groups.group(i)] += grad[i];
            along[groups.group(i)] += grad[i] * x[i];
        }
        const std::vector<float> rstd = inputs[3]->to_floats();
        const auto elements = static_cast<double>(groups.elements);
        for (std::size_t i = 0; i < grad.size(); ++i) {
            const std::size_t group = groups.group(i);
            grad[i] =
                static_cast<float>((grad[i] - (sum[group] + x[i] * along[group]) / elements) * rstd[group]);
        }
        return {HostArray::from_floats(grad, outputs[0].dtype, outputs[0].shape)};
    }
};

struct MorehGroupNormBackwardGammaBetaGradOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehGroupNormBackwardGammaBetaGradOperation";

    std::uint32_t num_groups;
    std::vector<bool> required;
    MemoryConfig gamma_memory_config, beta_memory_config;
    DeviceComputeKernelConfig kernels;

    auto attributes() const {
        return std::tie(num_groups, required, gamma_memory_config, beta_memory_config, kernels);
    }
    auto key_attributes() const {
        return std::make_tuple(num_groups, static_cast<bool>(required[0]), static_cast<bool>(required[1]),
                               gamma_memory_config, beta_memory_config, kernels);
    }

    void validate(SpecsView inputs) const {
        require_fitting(inputs, num_groups, "moreh_group_norm_backward_gamma_beta_grad");
    }
    TensorSpecs infer(SpecsView inputs) const {
        const Shape shape{1, 1, 1, inputs[0].shape[1]};
        TensorSpecs specs;
        if (required[0])
            specs.push_back(TensorSpec{shape, inputs[0].dtype, Layout::TILE, gamma_memory_config});
        if (required[1])
            specs.push_back(TensorSpec{shape, inputs[0].dtype, Layout::TILE, beta_memory_config});
        return specs;
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const Groups groups(inputs[0].shape, num_groups);
        const std::size_t masks = (groups.ragged_height ? 1 : 0) + (groups.ragged_width ? 1 : 0);
        return plan_of_tiles(
            "ttnn::operations::moreh::moreh_group_norm_backward::MorehGroupNormBackwardGammaBetaGradOperation::"
            "MorehGroupNormBackwardGammaBetaGradFactory",
            groups.channels, std::vector<std::uint64_t>(11 + masks + outputs.size(), 1), device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Groups groups(inputs[0]->shape(), num_groups);
        const std::vector<double> x = normalized(inputs, groups);
        const std::vector<float> grad = inputs[0]->to_floats();
        std::vector<double> gamma(groups.channels), beta(groups.channels);
        for (std::size_t i = 0; i < grad.size(); ++i) {
            gamma[groups.channel(i)] += grad[i] * x[i];
            beta[groups.channel(i)] += grad[i];
        }
        std::vector<HostArray> made;
        const auto add = [&](const std::vector<double>& sums) {
            const TensorSpec& out = outputs[made.size()];
            made.push_back(
                HostArray::from_floats(std::vector<float>(sums.begin(), sums.end()), out.dtype, out.shape));
        };
        if (required[0]) add(gamma);
        if (required[1]) add(beta);
        return made;
    }
};

// The results of one device operation: into the given tensors, or into new ones.
template <typename DeviceOperation>
void make(const DeviceOperation& operation, const std::vector<Tensor>& inputs,
          const std::vector<bool>& required, const char* name, const std::vector<OptionalTensor*>& results) {
    std::vector<Tensor> into;
    std::size_t count = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!required[i]) continue;
        ++count;
        if (*results[i]) into.push_back(**results[i]);
    }
    require(into.empty() || into.size() == count, name, ": expected tensors for all of ", count,
            " results or for none, got ", into.size());
    std::vector<Tensor> made = launch_all(operation, inputs, std::move(into));
    std::size_t next = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (required[i]) *results[i] = std::move(made[next++]);
    }
}

void require_of_rank_4(const char* operation, const char* what, const Tensor& tensor) {
    require(tensor.shape().rank() == 4, operation, ": ", what, ": expected four dimensions, got ",
            tensor.shape());
}

void require_three(const char* operation, const std::vector<bool>& required) {
    require(required.size() == 3, operation, ": are_required_outputs: expected 3, got ", required.size());
}

}  // namespace

std::vector<OptionalTensor> MorehGroupNorm::body() const {
    require_three("moreh_group_norm", are_required_outputs);
    require_of_rank_4("moreh_group_norm", "input", input);
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    const MorehGroupNormOperation operation{num_groups,
                                            eps,
                                            are_required_outputs,
                                            config,
                                            mean_memory_config.value_or(config),
                                            rstd_memory_config.value_or(config),
                                            compute_kernel_config.value_or(kMorehKernels),
                                            gamma.has_value(),
                                            beta.has_value()};
    std::vector<Tensor> inputs{input};
    if (gamma) inputs.push_back(*gamma);
    if (beta) inputs.push_back(*beta);
    std::vector<OptionalTensor> results{output, mean, rstd};
    make(operation, inputs, {true, are_required_outputs[1], are_required_outputs[2]}, "moreh_group_norm",
         {&results[0], &results[1], &results[2]});
    return results;
}

std::vector<OptionalTensor> MorehGroupNormBackward::body() const {
    require_three("moreh_group_norm_backward", are_required_outputs);
    require_of_rank_4("moreh_group_norm_backward", "output_grad", output_grad);
    const DeviceComputeKernelConfig kernels = compute_kernel_config.value_or(kMorehKernels);
    const std::vector<bool>& required = are_required_outputs;
    std::vector<Tensor> inputs{output_grad, input, mean, rstd};
    std::vector<OptionalTensor> results(3);
    if (required[0]) {
        results[0] = input_grad;
        std::vector<Tensor> with_gamma = inputs;
        if (gamma) with_gamma.push_back(*gamma);
        const MorehGroupNormBackwardInputGradOperation operation{
            num_groups, input_grad_memory_config.value_or(output_grad.memory_config()), kernels};
        make(operation, with_gamma, {true}, "moreh_group_norm_backward", {&results[0]});
    }
    if (required[1] || required[2]) {
        if (required[1]) results[1] = gamma_grad;
        if (required[2]) results[2] = beta_grad;
        const MorehGroupNormBackwardGammaBetaGradOperation operation{
            num_groups,
            {required[1], required[2]},
            gamma_grad_memory_config.value_or(output_grad.memory_config()),
            beta_grad_memory_config.value_or(output_grad.memory_config()),
            kernels};
        make(operation, inputs, operation.required, "moreh_group_norm_backward", {&results[1], &results[2]});
    }
    return results;
}

}  // namespace tilemeter
