// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmaxes and norms. Of bfloat16 TT-NN has gradients of softmaxes; others are written out.

#include "runtime/operations/normalization/normalization.hpp"

#include <cmath>
#include <vector>

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/moreh/moreh_softmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/reduction/variance.hpp"
#include "runtime/trace/device/rules/rule.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter::trace::lowering {

namespace {

Values softmax(const Call& call) {
    const ValueId x = call.as_float(call[0]);
    return {call.softmax(x, call.axis("dim", -1, call.to.shape(x).rank()))};
}

Values scaled_softmax(const Call& call, double scale) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_float(call[0]);
    const Shape shape = to.shape(x);
    if (scale != 1.0) x = to.mul(x, scale);
    if (const auto mask = call.find("mask|attention_mask")) {
        const Shape given = to.shape(*mask);
        for (std::size_t i = 0; i < given.rank(); ++i) {
            const std::int64_t wanted = shape[shape.rank() - given.rank() + i];
            call.require(given[i] == 1 || given[i] == wanted, "its mask has another shape");
        }
        x = to.add(x, to.broadcast(call.as_float(*mask), shape));
    }
    return {call.softmax(x, static_cast<std::int64_t>(shape.rank()) - 1)};
}

Values scale_mask_softmax(const Call& call) {
    return scaled_softmax(call, call.number("scale", 1.0));
}

Values attention_softmax(const Call& call) {
    const std::optional<double> head_size = call.find_number("head_size");
    return scaled_softmax(call, head_size ? 1.0 / std::sqrt(*head_size) : 1.0);
}

Values moreh_softmax(const Call& call, double sign, bool is_log) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_float(call[0]);
    const std::int64_t axis = call.axis("dim", -1, to.shape(x).rank());
    if (sign < 0) x = to.op("neg", {x});
    if (!is_log) return {call.softmax(x, axis)};
    const Shape shape = to.shape(x);
    x = to.sub(x, to.broadcast(call.largest(x, axis), shape));
    const ValueId sum = to.reduce("reduce_sum", to.op("exp", {x}), {axis}, true);
    return {to.sub(x, to.broadcast(to.op("log", {sum}), shape))};
}

// From the result and its gradient.
Values moreh_softmax_backward(const Call& call, double sign, bool is_log) {
    FlatBuilder& to = call.to;
    const ValueId y = call.as_float(call[0]);
    const ValueId g = call.as_float(call[1]);
    const Shape shape = to.shape(y);
    const Integers axes{call.axis("dim", -1, shape.rank())};
    if (is_log) {
        const ValueId sum = to.broadcast(to.reduce("reduce_sum", g, axes, true), shape);
        return {to.sub(g, to.mul(to.op("exp", {y}), sum))};
    }
    const ValueId sum = to.broadcast(to.reduce("reduce_sum", to.mul(y, g), axes, true), shape);
    return {to.mul(to.mul(y, to.sub(g, sum)), sign)};
}

// Weights of any shape with as many elements as the last dimension.
ValueId per_column(const Call& call, ValueId value, const Shape& shape) {
    const std::int64_t width = shape[shape.rank() - 1];
    call.require(call.to.shape(value).elements() == width, "its weights have another shape");
    return call.to.broadcast(call.to.reshape(call.as_float(value), {width}), shape);
}

// Times the weight, plus the bias, where they are given; `spread_out` brings them to the value's shape.
template <typename SpreadOut>
Values weighted(const Call& call, ValueId value, SpreadOut spread_out) {
    if (const auto weight = call.find("weight")) value = call.to.mul(value, spread_out(*weight));
    if (const auto bias = call.find("bias")) value = call.to.add(value, spread_out(*bias));
    return {value};
}

ValueId inverse_deviation(const Call& call, ValueId variance, double epsilon) {
    return call.to.op("rsqrt", {call.to.add(variance, epsilon)});
}

// Divided by the root of the mean square over these axes.
ValueId scaled_to_one(const Call& call, ValueId x, const Integers& axes) {
    FlatBuilder& to = call.to;
    const ValueId variance = call.mean(to.mul(x, x), axes);
    return to.mul(
        x, to.broadcast(inverse_deviation(call, variance, call.number("epsilon", 1e-12)), to.shape(x)));
}

Values row_norm(const Call& call, bool is_centered) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(x);
    if (const auto residual = call.find("residual_input_tensor"))
        x = to.add(x, to.broadcast(call.as_float(*residual), shape));
    const Integers axes{static_cast<std::int64_t>(shape.rank()) - 1};
    if (is_centered) x = to.sub(x, to.broadcast(call.mean(x, axes), shape));
    return weighted(call, scaled_to_one(call, x, axes),
                    [&](ValueId value) { return per_column(call, value, shape); });
}

// The sums that a chip gives of each of its rows, of squares and of elements, lie a tile's width apart. Of shards they
// are means over whole tiles, that of the elements first.
constexpr std::int64_t kSumWidth = 32;

Values sums_of_rows(const Call& call, bool is_centered) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(x);
    if (const auto residual = call.find("residual_input_tensor")) x = to.add(x, call.as_float(*residual));
    const Integers axes{static_cast<std::int64_t>(shape.rank()) - 1};
    const bool are_means = call.is_sharded(0);
    const auto length =
        static_cast<double>(round_up(static_cast<std::uint64_t>(shape[shape.rank() - 1]), kSumWidth));
    const auto in_tile = [&](ValueId values) {
        const Integers low(shape.rank(), 0);
        Integers high = low;
        high.back() = kSumWidth - 1;
        ValueId sums = to.reduce("reduce_sum", values, axes, true);
        if (are_means) sums = to.div(sums, length);
        return call.pad(sums, low, high, 0);
    };
    const ValueId squares = in_tile(to.mul(x, x));
    if (!is_centered) return {squares};
    const ValueId elements = in_tile(x);
    return {call.concat(are_means ? Values{elements, squares} : Values{squares, elements}, axes[0])};
}

Values norm_by_sums(const Call& call, bool is_centered) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_float(call.tensor("input_tensor"));
    const ValueId given = call.as_float(call.tensor("stats"));
    const Shape shape = to.shape(x);
    const std::size_t last = shape.rank() - 1;
    const std::int64_t of_a_chip = is_centered ? 2 * kSumWidth : kSumWidth;
    const std::int64_t chips = to.shape(given)[last] / of_a_chip;
    Shape apart = to.shape(given);
    apart[last] = chips;
    apart.push_back(of_a_chip);
    const auto axis = static_cast<std::int64_t>(last);
    const ValueId sums = to.reduce("reduce_sum", to.reshape(given, apart), {axis}, false);
    const bool are_means = call.is_sharded(0);
    const double count = static_cast<double>(chips) * (are_means ? 1.0 : static_cast<double>(shape[last]));
    const auto mean_at = [&](std::int64_t column) {
        return to.div(call.slice(sums, axis, column, column + 1), count);
    };
    ValueId variance = mean_at(is_centered && are_means ? kSumWidth : 0);
    if (is_centered) {
        const ValueId mean = mean_at(are_means ? 0 : kSumWidth);
        variance = to.sub(variance, to.mul(mean, mean));
        x = to.sub(x, to.broadcast(mean, shape));
    }
    const ValueId factor = inverse_deviation(call, variance, call.number("epsilon", 1e-12));
    return weighted(call, to.mul(x, to.broadcast(factor, shape)),
                    [&](ValueId value) { return per_column(call, value, shape); });
}

Values group_norm(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId given = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(given);
    call.require(shape.rank() == 4, "its input is not of rank 4");
    const std::int64_t groups = call.integer("num_groups", 1);
    const std::int64_t channels = shape[3];
    const Shape apart{shape[0], shape[1] * shape[2], groups, channels / groups};
    ValueId x = to.reshape(given, apart);
    const Integers axes{1, 3};
    x = to.sub(x, to.broadcast(call.mean(x, axes), apart));
    const auto channelwise = [&](ValueId value) {
        call.require(to.shape(value).elements() == channels, "its weights are padded");
        return to.broadcast(to.reshape(call.as_float(value), {channels}), shape);
    };
    return weighted(call, to.reshape(scaled_to_one(call, x, axes), shape), channelwise);
}

Values batch_norm(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call.tensor("input"));
    const Shape shape = to.shape(x);
    call.require(shape.rank() == 4, "its input is not of rank 4");
    const auto channelwise = [&](ValueId value) {
        return to.broadcast(to.reshape(call.as_float(value), {1, shape[1], 1, 1}), shape);
    };
    ValueId centered{};
    ValueId variance{};
    if (call.flag("training")) {
        call.require(call.result_count() == 1, "it changes its running values");
        const Integers axes{0, 2, 3};
        centered = to.sub(x, to.broadcast(call.mean(x, axes), shape));
        variance = to.broadcast(call.mean(to.mul(centered, centered), axes), shape);
    } else {
        centered = to.sub(x, channelwise(call.tensor("running_mean")));
        variance = channelwise(call.tensor("running_var"));
    }
    const ValueId scale = inverse_deviation(call, variance, call.number("eps", 1e-5));
    return weighted(call, to.mul(centered, scale), channelwise);
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

namespace {

Tensor sum_along(const Tensor& tensor, std::int64_t axis) {
    return sum(Sum{.input_tensor = tensor, .dim = static_cast<int>(axis), .keepdim = true});
}

Tensor mean_of_rows(const Tensor& tensor) {
    return mean(Mean{.input_tensor = tensor, .dim = -1, .keepdim = true});
}

Tensor softmax_back(const Tensor& y, const Tensor& gradient, std::int64_t axis) {
    if (y.dtype() == DataType::BFLOAT16)
        return moreh_softmax_backward(MorehSoftmaxBackward{
            .output_tensor = y, .output_grad_tensor = gradient, .dim = static_cast<int>(axis)});
    return multiply(y, subtract(gradient, sum_along(multiply(y, gradient), axis)));
}

Tensor softmin_back(const Tensor& y, const Tensor& gradient, std::int64_t axis) {
    if (y.dtype() == DataType::BFLOAT16)
        return moreh_softmin_backward(MorehSoftminBackward{
            .output_tensor = y, .output_grad_tensor = gradient, .dim = static_cast<int>(axis)});
    return multiply(y, subtract(sum_along(multiply(y, gradient), axis), gradient));
}

Tensor logsoftmax_back(const Tensor& y, const Tensor& gradient, std::int64_t axis) {
    if (y.dtype() == DataType::BFLOAT16)
        return moreh_logsoftmax_backward(MorehLogSoftmaxBackward{
            .output_tensor = y, .output_grad_tensor = gradient, .dim = static_cast<int>(axis)});
    return subtract(gradient, multiply(exp(y), sum_along(gradient, axis)));
}

using SoftmaxBack = Tensor (*)(const Tensor&, const Tensor&, std::int64_t);

template <SoftmaxBack kBack>
void along_dim(Call& call) {
    call.give(0, kBack(call.result(), call.gradient(), call.axis("dim", -1, call.shape(0).rank())));
}

// softmax(x * scale + mask)
void scaled_softmax_back(Call& call, double scale) {
    const auto last = static_cast<std::int64_t>(call.shape(0).rank()) - 1;
    const Tensor gradient = softmax_back(call.result(), call.gradient(), last);
    if (const auto mask = call.position("mask|attention_mask"); mask && call.wants(*mask))
        call.give(*mask, sum_to(gradient, call.shape(*mask)));
    if (call.wants(0)) call.give(0, scale == 1 ? gradient : multiply(gradient, Scalar(scale)));
}

void scale_mask_back(Call& call) {
    scaled_softmax_back(call, call.find_number("scale").value_or(1));
}

void attention_softmax_back(Call& call) {
    const std::optional<double> size = call.find_number("head_size");
    scaled_softmax_back(call, size ? 1 / std::sqrt(*size) : 1);
}

bool is_tiled_float(const Call& call) {
    return is_in_tiles(call.result_spec()) && !call.position("output_tensor");
}

// Rows that are not repeated: causal masks of the kernel's own are lowered.
bool takes_scaled(const Call& call) {
    const auto mask = call.position("mask|attention_mask");
    return is_tiled_float(call) && !call.flag("causal_mask") && !call.flag("is_causal_mask") &&
           (!mask || is_floating_point(call.spec(*mask).dtype));
}

// The weights as a row.
Tensor row_of(const Tensor& weights, std::uint32_t width) {
    return as_tiles(reshaped(weights, {1, width}));
}

// With n = (x - mean) * r, r = 1 / sqrt(variance + epsilon) and d the gradient of n, that of x is
// r * (d - mean(d) - n * mean(d * n)). It is without the mean of d where x is not centered.
void row_norm_back(Call& call, bool is_centered) {
    const std::size_t input = call.at("input_tensor");
    const Tensor x = call.operand(input);
    const Tensor gradient = call.gradient();
    const float epsilon = call.single("epsilon", 1e-12);
    const std::optional<std::size_t> weight = call.position("weight");
    const std::optional<std::size_t> bias = call.position("bias");
    const std::uint32_t width = call.shape(input)[-1];
    if (bias && call.wants(*bias))
        call.give(*bias, reshaped(sum_to(gradient, {1, width}), call.shape(*bias)));
    const bool wants_weight = weight && call.wants(*weight);
    if (!call.wants(input) && !wants_weight) return;
    const Tensor normal = is_centered ? layer_norm(LayerNorm{.input_tensor = x, .epsilon = epsilon})
                                      : rms_norm(RmsNorm{.input_tensor = x, .epsilon = epsilon});
    if (wants_weight)
        call.give(*weight, reshaped(sum_to(multiply(gradient, normal), {1, width}), call.shape(*weight)));
    if (!call.wants(input)) return;
    const Tensor variance = is_centered
                                ? var(Var{.input_tensor = x, .dim = -1, .keepdim = true, .correction = false})
                                : mean_of_rows(square(x));
    const Tensor scale =
        add(variance, Scalar(static_cast<double>(epsilon)), std::nullopt, std::nullopt, std::nullopt,
            std::vector{UnaryWithParam(UnaryOpType::RSQRT)});  // in one program
    const Tensor inner = weight ? multiply(gradient, row_of(call.operand(*weight), width)) : gradient;
    Tensor change = multiply(normal, mean_of_rows(multiply(inner, normal)));
    if (is_centered) change = add(change, mean_of_rows(inner));
    call.give(input, multiply(subtract(inner, change), scale));
}

bool takes_norm(const Call& call) {
    return is_tiled_float(call) && !call.position("residual_input_tensor") &&
           call.spec(call.at("input_tensor")).dtype == call.result_spec().dtype &&
           !call.spec(call.at("input_tensor")).memory_config.is_sharded();
}

}  // namespace

std::vector<Rule> normalization_rules() {
    const char* const norm = "input_tensor weight bias residual_input_tensor";
    const Gradient softmax{"result", along_dim<softmax_back>, is_tiled_float};
    const Gradient scaled{"result", scale_mask_back, takes_scaled};
    const Gradient attention{"result", attention_softmax_back, takes_scaled};
    return {
        {"softmax", {"input_tensor", lowering::softmax}, softmax},
        {"softmax_in_place", {"input_tensor", lowering::softmax}, softmax},
        {"scale_mask_softmax", {"input_tensor mask", lowering::scale_mask_softmax}, scaled},
        {"scale_mask_softmax_in_place", {"input_tensor mask", lowering::scale_mask_softmax}, scaled},
        {"scale_causal_mask_hw_dims_softmax_in_place", {"input_tensor mask", lowering::scale_mask_softmax}},
        {"transformer.attention_softmax", {"tensor attention_mask", lowering::attention_softmax}, attention},
        {"transformer.attention_softmax_", {"tensor attention_mask", lowering::attention_softmax}, attention},
        {"moreh_softmax", {"", with(lowering::moreh_softmax, 1.0, false)}, softmax},
        {"moreh_softmin",
         {"", with(lowering::moreh_softmax, -1.0, false)},
         {"result", along_dim<softmin_back>, is_tiled_float}},
        {"moreh_logsoftmax",
         {"", with(lowering::moreh_softmax, 1.0, true)},
         {"result", along_dim<logsoftmax_back>, is_tiled_float}},
        {"moreh_softmax_backward", {"", with(lowering::moreh_softmax_backward, 1.0, false)}},
        {"moreh_softmin_backward", {"", with(lowering::moreh_softmax_backward, -1.0, false)}},
        {"moreh_logsoftmax_backward", {"", with(lowering::moreh_softmax_backward, 1.0, true)}},
        {"layer_norm",
         {norm, with(lowering::row_norm, true)},
         {"input_tensor weight", with(row_norm_back, true), takes_norm}},
        {"rms_norm",
         {norm, with(lowering::row_norm, false)},
         {"input_tensor weight", with(row_norm_back, false), takes_norm}},
        {"layer_norm_pre_all_gather",
         {"input_tensor residual_input_tensor", with(lowering::sums_of_rows, true)}},
        {"rms_norm_pre_all_gather",
         {"input_tensor residual_input_tensor", with(lowering::sums_of_rows, false)}},
        {"layer_norm_post_all_gather",
         {"input_tensor stats weight bias", with(lowering::norm_by_sums, true)}},
        {"rms_norm_post_all_gather", {"input_tensor stats weight bias", with(lowering::norm_by_sums, false)}},
        {"group_norm", {"input_tensor input_mask weight bias", lowering::group_norm}},
        {"batch_norm", {"input running_mean running_var weight bias", lowering::batch_norm}},
    };
}

}  // namespace tilemeter::trace::rules
