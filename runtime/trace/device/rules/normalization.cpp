// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Softmax and norms.

#include <cmath>

#include "runtime/trace/device/rules/lowering_call.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter::trace::lowering {

namespace {

ValueId spread(const Call& call, ValueId value, const Shape& shape) {
    return call.to.broadcast(value, shape);
}

Values softmax(const Call& call) {
    const ValueId x = call.as_float(call[0]);
    return {call.softmax(x, call.axis("dim", -1, call.to.shape(x).rank()))};
}

Values scaled_softmax(const Call& call, double scale) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_float(call[0]);
    const Shape shape = to.shape(x);
    if (scale != 1.0) x = to.mul(x, scale);
    std::optional<ValueId> mask = call.find("mask");
    if (!mask) mask = call.find("attention_mask");
    if (mask) {
        const Shape given = to.shape(*mask);
        for (std::size_t i = 0; i < given.rank(); ++i) {
            const std::int64_t wanted = shape[shape.rank() - given.rank() + i];
            call.require(given[i] == 1 || given[i] == wanted, "its mask has another shape");
        }
        x = to.add(x, spread(call, call.as_float(*mask), shape));
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
    const ValueId largest =
        to.op("copy", {to.reduce("reduce_max", x, {axis}, true)}, {{"stop_gradient", true}});
    x = to.sub(x, spread(call, largest, shape));
    const ValueId sum = to.reduce("reduce_sum", to.op("exp", {x}), {axis}, true);
    return {to.sub(x, spread(call, to.op("log", {sum}), shape))};
}

// From the result and its gradient.
Values moreh_softmax_backward(const Call& call, double sign, bool is_log) {
    FlatBuilder& to = call.to;
    const ValueId y = call.as_float(call[0]);
    const ValueId g = call.as_float(call[1]);
    const Shape shape = to.shape(y);
    const Integers axes{call.axis("dim", -1, shape.rank())};
    if (is_log) {
        const ValueId sum = spread(call, to.reduce("reduce_sum", g, axes, true), shape);
        return {to.sub(g, to.mul(to.op("exp", {y}), sum))};
    }
    const ValueId sum = spread(call, to.reduce("reduce_sum", to.mul(y, g), axes, true), shape);
    return {to.mul(to.mul(y, to.sub(g, sum)), sign)};
}

// Weights of any shape with as many elements as the last dimension.
ValueId per_column(const Call& call, ValueId value, const Shape& shape) {
    const std::int64_t width = shape[shape.rank() - 1];
    call.require(call.to.shape(value).elements() == width, "its weights have another shape");
    return spread(call, call.to.reshape(call.as_float(value), {width}), shape);
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
        x, spread(call, inverse_deviation(call, variance, call.number("epsilon", 1e-12)), to.shape(x)));
}

Values row_norm(const Call& call, bool is_centered) {
    FlatBuilder& to = call.to;
    ValueId x = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(x);
    if (const auto residual = call.find("residual_input_tensor"))
        x = to.add(x, spread(call, call.as_float(*residual), shape));
    const Integers axes{static_cast<std::int64_t>(shape.rank()) - 1};
    if (is_centered) x = to.sub(x, spread(call, call.mean(x, axes), shape));
    return weighted(call, scaled_to_one(call, x, axes),
                    [&](ValueId value) { return per_column(call, value, shape); });
}

// What a chip gives of each of its rows, sums of squares and of elements, lies a tile's width apart. Of shards they are means
// over whole tiles, that of the elements first.
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
        x = to.sub(x, spread(call, mean, shape));
    }
    const ValueId factor = inverse_deviation(call, variance, call.number("epsilon", 1e-12));
    return weighted(call, to.mul(x, spread(call, factor, shape)),
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
    x = to.sub(x, spread(call, call.mean(x, axes), apart));
    const auto channelwise = [&](ValueId value) {
        call.require(to.shape(value).elements() == channels, "its weights are padded");
        return spread(call, to.reshape(call.as_float(value), {channels}), shape);
    };
    return weighted(call, to.reshape(scaled_to_one(call, x, axes), shape), channelwise);
}

Values batch_norm(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call.tensor("input"));
    const Shape shape = to.shape(x);
    call.require(shape.rank() == 4, "its input is not of rank 4");
    const auto channelwise = [&](ValueId value) {
        return spread(call, to.reshape(call.as_float(value), {1, shape[1], 1, 1}), shape);
    };
    ValueId centered{};
    ValueId variance{};
    if (call.flag("training")) {
        call.require(call.result_count() == 1, "it changes its running values");
        const Integers axes{0, 2, 3};
        centered = to.sub(x, spread(call, call.mean(x, axes), shape));
        variance = spread(call, call.mean(to.mul(centered, centered), axes), shape);
    } else {
        centered = to.sub(x, channelwise(call.tensor("running_mean")));
        variance = channelwise(call.tensor("running_var"));
    }
    const ValueId scale = inverse_deviation(call, variance, call.number("eps", 1e-5));
    return weighted(call, to.mul(centered, scale), channelwise);
}

}  // namespace

std::vector<Rule> normalization_rules() {
    const char* const norm = "input_tensor weight bias residual_input_tensor";
    return {
        {"softmax", "input_tensor", softmax},
        {"softmax_in_place", "input_tensor", softmax},
        {"scale_mask_softmax", "input_tensor mask", scale_mask_softmax},
        {"scale_mask_softmax_in_place", "input_tensor mask", scale_mask_softmax},
        {"scale_causal_mask_hw_dims_softmax_in_place", "input_tensor mask", scale_mask_softmax},
        {"transformer.attention_softmax", "tensor attention_mask", attention_softmax},
        {"transformer.attention_softmax_", "tensor attention_mask", attention_softmax},
        {"moreh_softmax", "", [](const Call& call) { return moreh_softmax(call, 1, false); }},
        {"moreh_softmin", "", [](const Call& call) { return moreh_softmax(call, -1, false); }},
        {"moreh_logsoftmax", "", [](const Call& call) { return moreh_softmax(call, 1, true); }},
        {"moreh_softmax_backward", "",
         [](const Call& call) { return moreh_softmax_backward(call, 1, false); }},
        {"moreh_softmin_backward", "",
         [](const Call& call) { return moreh_softmax_backward(call, -1, false); }},
        {"moreh_logsoftmax_backward", "",
         [](const Call& call) { return moreh_softmax_backward(call, 1, true); }},
        {"layer_norm", norm, [](const Call& call) { return row_norm(call, true); }},
        {"rms_norm", norm, [](const Call& call) { return row_norm(call, false); }},
        {"layer_norm_pre_all_gather", "input_tensor residual_input_tensor",
         [](const Call& call) { return sums_of_rows(call, true); }},
        {"rms_norm_pre_all_gather", "input_tensor residual_input_tensor",
         [](const Call& call) { return sums_of_rows(call, false); }},
        {"layer_norm_post_all_gather", "input_tensor stats weight bias",
         [](const Call& call) { return norm_by_sums(call, true); }},
        {"rms_norm_post_all_gather", "input_tensor stats weight bias",
         [](const Call& call) { return norm_by_sums(call, false); }},
        {"group_norm", "input_tensor input_mask weight bias", group_norm},
        {"batch_norm", "input running_mean running_var weight bias", batch_norm},
    };
}

}  // namespace tilemeter::trace::lowering
