// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_nll_loss.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kClassTile = 4096;  // bytes, of int32
constexpr std::size_t kImageRank = 4;       // the least: [N, C, H, W]

std::uint32_t ignored_class(std::int32_t ignore_index) {
    return ignore_index < 0 ? std::numeric_limits<std::uint32_t>::max()
                            : static_cast<std::uint32_t>(ignore_index);
}

/// The classes of the shape as tiles pad it.
std::uint64_t padded_classes(const Shape& scores) {
    const std::uint64_t classes = scores.rank() > 1 ? scores[1] : 1;
    return scores.rank() < kImageRank ? ceil_div(classes, kTileWidth) * kTileWidth : classes;
}

/// Scores [N, C, ...] by what lies before and behind the classes.
struct Scores {
    explicit Scores(const Shape& shape) {
        for (std::size_t i = 0; i < shape.rank(); ++i)
            (i == 0 ? images : i == 1 ? classes : inner) *= shape.dimensions()[i];
    }
    /// The place of the class `which` of the `at`-th target.
    std::uint64_t place(std::uint64_t at, std::int64_t which) const {
        return (at / inner * classes + static_cast<std::uint64_t>(which)) * inner + at % inner;
    }

    std::uint64_t images = 1, classes = 1, inner = 1;
};

/// The weight of each target: 0 for one that is ignored or no class.
std::vector<float> weights_of(const HostArray& targets, const HostArray* weights, std::uint64_t classes,
                              std::uint32_t ignored) {
    std::vector<float> of_classes(classes, 1.0F);
    if (weights != nullptr) of_classes = weights->to_floats();
    of_classes.resize(classes);
    std::vector<float> made;
    for (const std::int64_t target : targets.to_integers()) {
        const bool counts =
            target >= 0 && static_cast<std::uint64_t>(target) < classes && target != std::int64_t{ignored};
        made.push_back(counts ? of_classes[static_cast<std::size_t>(target)] : 0.0F);
    }
    return made;
}

float first_number(const HostArray& array) {
    std::vector<float> values = array.to_floats();
    values.resize(1);
    return values[0];
}

void append(std::vector<std::uint64_t>& sizes, bool is_there, std::uint64_t size) {
    if (is_there) sizes.push_back(size);
}

struct MorehNllLossStep1 {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehNllLossStep1DeviceOperation";

    std::string reduction;
    std::uint32_t ignored;
    DataType dtype;
    std::uint32_t channel_size;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;

    auto attributes() const {
        return std::tie(reduction, ignored, dtype, channel_size, memory_config, kernels);
    }

    void validate(SpecsView inputs) const {
        require(inputs[0].layout == Layout::TILE, "target_tensor to nll_loss must be tilized");
        if (inputs.size() > 1)
            require(inputs[1].dtype == DataType::BFLOAT16, "weight tensor dtype must be bfloat16");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const bool has_weight = inputs.size() > 1;
        const std::uint64_t tile = tile_size(dtype);
        const std::uint64_t weight_tiles = has_weight ? ceil_div(channel_size, kTileWidth) : 0;
        const std::uint64_t whole =
            tile_size(inputs[0].dtype) + weight_tiles * tile + sum_tile_size(dtype, kernels) + tile;
        const bool fits = whole < device.l1_size - device.l1_unreserved_base;
        std::vector<std::uint64_t> sizes{kClassTile};
        append(sizes, has_weight, fits ? weight_tiles * tile : tile);
        sizes.push_back(tile);
        append(sizes, has_weight, tile);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_nll_loss_step1::MorehNllLossStep1DeviceOperation::Factory", 0,
            num_tiles(inputs[0]), sizes, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return {HostArray::from_floats(
            weights_of(*inputs[0], inputs.size() > 1 ? inputs[1] : nullptr, channel_size, ignored),
            outputs[0].dtype, outputs[0].shape)};
    }
};

struct MorehNllLossStep2 {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehNllLossStep2DeviceOperation";

    std::string reduction;
    std::uint32_t ignored;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    bool has_weight, has_divisor;
    std::optional<TensorSpec> output;

    auto attributes() const { return std::tie(reduction, ignored, memory_config, kernels); }
    auto key_attributes() const {
        return std::make_tuple(reduction, ignored, memory_config, kernels, has_weight, has_divisor);
    }

    void validate(SpecsView inputs) const {
        require(inputs[0].layout == Layout::TILE, "intput_tensor to nll_loss must be tilized");
        require(inputs[0].dtype == DataType::BFLOAT16, "input tensor type must be bfloat16");
        require(inputs[1].layout == Layout::TILE, "target_tensor to nll_loss must be tilized");
        require(inputs[1].dtype == DataType::INT32, "target tensor type must be int32");
        if (has_weight) {
            require(inputs[2].layout == Layout::TILE,
                    "weight_tensor to nll_loss must be in row major layout");
            require(inputs[2].dtype == DataType::BFLOAT16, "weight tensor type must be bfloat16");
        }
        if (has_divisor) {
            require(inputs.back().layout == Layout::TILE, "divisor_tensor to nll_loss must be tilized");
            require(inputs.back().dtype == DataType::BFLOAT16, "divisor tensor type must be bfloat16");
        }
    }
    TensorSpecs infer(SpecsView inputs) const {
        if (output) return {*output};
        const Shape& scores = inputs[0].shape;
        Shape shape;
        if (scores.rank() == 2) shape.push_back(1);
        for (std::size_t i = 0; i < scores.rank(); ++i)
            if (i != 1) shape.push_back(scores.dimensions()[i]);
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const Shape& scores = inputs[0].shape;
        const std::uint64_t tile = tile_size(inputs[0].dtype), sum = sum_tile_size(inputs[0].dtype, kernels);
        const bool of_images = scores.rank() >= kImageRank;
        std::vector<std::uint64_t> sizes{tile, kClassTile};
        append(sizes, has_weight, tile * (of_images ? ceil_div(padded_classes(scores), kTileWidth) : 1));
        append(sizes, has_divisor, tile);
        sizes.insert(sizes.end(), 5, sum);
        sizes.push_back(tile);
        append(sizes, has_weight && of_images, tile);
        constexpr std::uint32_t kFaceWidth = 16;
        const std::uint64_t units = of_images ? num_tiles(inputs[1])
                                    : scores.rank() == 3
                                        ? std::uint64_t{scores[0]} * ceil_div(scores[2], kFaceWidth)
                                        : ceil_div(scores.rank() > 0 ? scores[0] : 1, kTileHeight);
        return moreh_plan(
            "ttnn::operations::moreh::moreh_nll_loss_step2::MorehNllLossStep2DeviceOperation::Factory", 0,
            units, sizes, device);
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Scores scores(inputs[0]->shape());
        const std::vector<float> values = inputs[0]->to_floats();
        const std::vector<std::int64_t> targets = inputs[1]->to_integers();
        const std::vector<float> weights =
            weights_of(*inputs[1], has_weight ? inputs[2] : nullptr, scores.classes, ignored);
        const float divisor = has_divisor ? first_number(*inputs[inputs.size() - 1]) : 1.0F;
        std::vector<float> losses(outputs[0].shape.volume());
        const std::uint64_t count =
            std::min<std::uint64_t>({losses.size(), targets.size(), scores.images * scores.inner});
        for (std::uint64_t i = 0; i < count; ++i)
            if (weights[i] != 0.0F) losses[i] = -weights[i] * values[scores.place(i, targets[i])] / divisor;
        return {HostArray::from_floats(losses, outputs[0].dtype, outputs[0].shape)};
    }
};

/// The gradient of scores, of a loss that is reduced or not.
template <bool kReduced>
struct NllLossGradient {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName =
        kReduced ? "MorehNllLossBackwardDeviceOperation" : "MorehNllLossUnreducedBackwardDeviceOperation";

    bool reduction_mean;
    std::uint32_t ignored;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    bool has_weight, has_divisor;
    std::optional<TensorSpec> input_grad;

    auto attributes() const {
        if constexpr (kReduced) {
            return std::tie(reduction_mean, ignored, memory_config, kernels);
        } else {
            return std::tie(ignored, memory_config, kernels);
        }
    }
    auto key_attributes() const {
        return std::make_tuple(reduction_mean, ignored, memory_config, kernels, has_weight, has_divisor);
    }

    void validate(SpecsView inputs) const {
        require_input_grad();
        const std::string operation = kReduced ? "nll_loss" : "nll_loss_unreduced";
        const auto require_dtype = [](const TensorSpec& spec, DataType dtype, const char* what) {
            require(spec.dtype == dtype, "Invalid ", what, "_tensor dtype DataType::", name_of(spec.dtype));
        };
        const auto require_target_layout = [&](const TensorSpec& spec) {
            require(spec.layout == Layout::TILE, "target_tensor to ", operation, " must be tilized");
        };
        require_target_layout(inputs[0]);
        require_dtype(inputs[0], DataType::INT32, "target");
        require_target_layout(inputs[1]);
        require_dtype(inputs[1], DataType::BFLOAT16, "output_grad");
        require_target_layout(*input_grad);
        require_dtype(*input_grad, DataType::BFLOAT16, "input_grad");
        if (has_weight) {
            require(inputs[2].layout == Layout::TILE, "weight_tensor to ", operation, " must be in tilized");
            require_dtype(inputs[2], DataType::BFLOAT16, "weight");
        }
        if (has_divisor) {
            require(inputs.back().layout == Layout::TILE, "divisor_tensor to nll_loss must be tilized");
            require_dtype(inputs.back(), DataType::BFLOAT16, "divisor");
        }
    }
    TensorSpecs infer(SpecsView) const {
        require_input_grad();
        return {*input_grad};
    }
    ProgramPlan plan(SpecsView, SpecsView outputs, const DeviceDescription& device) const {
        const Shape& scores = outputs[0].shape;
        const std::uint64_t tile = tile_size(outputs[0].dtype);
        const std::uint64_t weights = tile * ceil_div(padded_classes(scores), kTileWidth);
        const std::uint64_t units = num_tiles(outputs[0]);
        if constexpr (kReduced) {
            const std::uint64_t sum = sum_tile_size(outputs[0].dtype, kernels);
            std::vector<std::uint64_t> sizes{tile, kClassTile};
            append(sizes, has_weight, weights);
            append(sizes, has_divisor, tile);
            sizes.insert(sizes.end(), has_divisor ? 3 : 1, sum);
            sizes.push_back(tile);
            append(sizes, has_weight, tile);
            return moreh_plan(
                "ttnn::operations::moreh::moreh_nll_loss_backward::MorehNllLossBackwardDeviceOperation::"
                "Factory",
                0, units, sizes, device);
        } else {
            const bool flat = scores.rank() == 2;
            std::vector<std::uint64_t> sizes{kClassTile,
                                             tile * (flat ? ceil_div(scores[0], kTileHeight) : 1)};
            append(sizes, has_weight, weights);
            sizes.push_back(tile);
            append(sizes, has_weight, tile);
            append(sizes, flat, tile);
            return moreh_plan(
                "ttnn::operations::moreh::moreh_nll_loss_unreduced_backward::"
                "MorehNllLossUnreducedBackwardDeviceOperation::Factory",
                0, units, sizes, device);
        }
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Scores scores(outputs[0].shape);
        const std::vector<std::int64_t> targets = inputs[0]->to_integers();
        const std::vector<float> weights =
            weights_of(*inputs[0], has_weight ? inputs[2] : nullptr, scores.classes, ignored);
        std::vector<float> grad = inputs[1]->to_floats();
        grad.resize(kReduced ? 1 : targets.size());
        const float divisor = has_divisor ? first_number(*inputs[inputs.size() - 1]) : 1.0F;
        std::vector<float> made(outputs[0].shape.volume());
        const std::uint64_t count = std::min<std::uint64_t>(targets.size(), scores.images * scores.inner);
        for (std::uint64_t i = 0; i < count; ++i)
            if (weights[i] != 0.0F)
                made[scores.place(i, targets[i])] = -weights[i] * grad[kReduced ? 0 : i] / divisor;
        return {HostArray::from_floats(made, outputs[0].dtype, outputs[0].shape)};
    }

private:
    void require_input_grad() const {
        require(input_grad.has_value(), "moreh_nll_loss_", kReduced ? "" : "unreduced_",
                "backward not support creating output tensors.");
    }
};

std::vector<Tensor> listed(std::initializer_list<Tensor> tensors,
                           std::initializer_list<const OptionalTensor*> optional) {
    std::vector<Tensor> list(tensors);
    for (const OptionalTensor* each : optional)
        if (*each) list.push_back(**each);
    return list;
}

}  // namespace

Tensor MorehNllLoss::body() const {
    const DeviceComputeKernelConfig kernels = compute_kernel_config.value_or(kMorehKernels);
    const std::uint32_t ignored = ignored_class(ignore_index);
    const bool is_mean = reduction == "mean", is_reduced = is_mean || reduction == "sum";
    const auto step2 = [&] {
        const OptionalTensor divisor = is_mean ? divisor_tensor : std::nullopt;
        const OptionalTensor into = is_reduced ? std::nullopt : output_tensor;
        const MorehNllLossStep2 operation{reduction,
                                          ignored,
                                          memory_config.value_or(input_tensor.memory_config()),
                                          kernels,
                                          weight_tensor.has_value(),
                                          divisor.has_value(),
                                          spec_of(into)};
        return launch(operation, listed({input_tensor, target_tensor}, {&weight_tensor, &divisor}), into);
    };
    const auto sum_of = [&](const Tensor& losses, const OptionalTensor& into) {
        return unscoped::moreh_sum(losses, std::nullopt, false, into, memory_config, kernels);
    };
    if (!is_reduced) return step2();
    if (!is_mean) {
        const ScopedTensor losses(step2());
        return sum_of(*losses, output_tensor);
    }
    require(divisor_tensor.has_value(), "Divisor tensor must not be empty");
    const MorehNllLossStep1 step1{reduction,
                                  ignored,
                                  output_tensor ? output_tensor->dtype() : input_tensor.dtype(),
                                  static_cast<std::uint32_t>(padded_classes(input_tensor.shape())),
                                  memory_config.value_or(target_tensor.memory_config()),
                                  kernels};
    const ScopedTensor weights(launch(step1, listed({target_tensor}, {&weight_tensor})));
    sum_of(*weights, divisor_tensor);
    const ScopedTensor losses(step2());
    return sum_of(*losses, output_tensor);
}

Tensor MorehNllLossBackward::body() const {
    const NllLossGradient<true> operation{reduction_mean,
                                          ignored_class(ignore_index),
                                          memory_config.value_or(target_tensor.memory_config()),
                                          compute_kernel_config.value_or(kMorehKernels),
                                          weight_tensor.has_value(),
                                          divisor_tensor.has_value(),
                                          spec_of(input_grad_tensor)};
    return launch(operation, listed({target_tensor, output_grad_tensor}, {&weight_tensor, &divisor_tensor}),
                  input_grad_tensor);
}

Tensor MorehNllLossUnreducedBackward::body() const {
    const NllLossGradient<false> operation{false,
                                           ignored_class(ignore_index),
                                           memory_config.value_or(target_tensor.memory_config()),
                                           compute_kernel_config.value_or(kMorehKernels),
                                           weight_tensor.has_value(),
                                           false,
                                           spec_of(input_grad_tensor)};
    return launch(operation, listed({target_tensor, output_grad_tensor}, {&weight_tensor}),
                  input_grad_tensor);
}

}  // namespace tilemeter
