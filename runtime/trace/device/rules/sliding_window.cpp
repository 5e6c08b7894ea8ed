// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Windows over images, which lie as rows of channels: convolutions, pools, and images made larger.

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

Integers pair(const Call& call, const char* argument, std::int64_t otherwise) {
    Integers values = call.integers(argument).value_or(Integers{otherwise});
    if (values.size() == 1) values.push_back(values[0]);
    call.require(values.size() == 2, "an argument is no pair of height and width");
    return values;
}

/// Top, bottom, left, right.
Integers padding_of(const Call& call) {
    const Integers given = call.integers("padding").value_or(Integers{0});
    if (given.size() == 1) return {given[0], given[0], given[0], given[0]};
    if (given.size() == 2) return {given[0], given[0], given[1], given[1]};
    call.require(given.size() == 4, "its padding is no list of two or four");
    return given;
}

/// [batch, height, width, channels] of an input of any shape.
ValueId images(const Call& call, ValueId input, std::int64_t height, std::int64_t width,
               std::int64_t channels) {
    const Shape shape{call.integer("batch_size", 1), height, width, channels};
    call.require(call.to.shape(input).elements() == shape.elements(), "its input has padded channels");
    return call.to.reshape(call.as_float(input), shape);
}

// ---- pools

/// Windows along one dimension.
struct Axis {
    std::int64_t size, kernel, stride, dilation, before, after;

    std::int64_t extent() const { return dilation * (kernel - 1) + 1; }
    std::int64_t count(bool rounded_up) const {
        const std::int64_t room = size + before + after - extent();
        if (!rounded_up) return room / stride + 1;
        const std::int64_t most = (room + stride - 1) / stride + 1;
        // The last window begins within the input or the padding before it.
        return (most - 1) * stride >= size + before ? most - 1 : most;
    }
    /// Behind the input, as far as the last window reaches.
    std::int64_t reach(bool rounded_up) const {
        return std::max<std::int64_t>(0, stride * (count(rounded_up) - 1) + extent() - size - before);
    }
    /// Elements that the mean of a window counts; with those of the padding, but not beyond it.
    double counted(std::int64_t window, bool with_padding) const {
        const std::int64_t begin = window * stride - before;
        const std::int64_t end = std::min(begin + kernel, size + after);
        if (with_padding) return static_cast<double>(end - begin);
        return static_cast<double>(
            std::max<std::int64_t>(0, std::min(end, size) - std::max<std::int64_t>(begin, 0)));
    }
};

struct Pool {
    Axis rows, columns;
    bool rounded_up;
    bool counts_padding;
};

Values pooled(const Call& call, const Pool& pool, bool is_max) {
    FlatBuilder& to = call.to;
    call.require(call.result_count() == 1, "it gives back places, too");
    const auto& [rows, columns, rounded_up, counts_padding] = pool;
    const std::int64_t channels = call.integer("channels", 1);
    const ValueId x = images(call, call[0], rows.size, columns.size, channels);
    const ValueId value = to.op(is_max ? "reduce_window_max" : "reduce_window_sum", {x},
                                {{"window", Integers{1, rows.kernel, columns.kernel, 1}},
                                 {"strides", Integers{1, rows.stride, columns.stride, 1}},
                                 {"low", Integers{0, rows.before, columns.before, 0}},
                                 {"high", Integers{0, rows.reach(rounded_up), columns.reach(rounded_up), 0}},
                                 {"window_dilation", Integers{1, rows.dilation, columns.dilation, 1}}});
    if (is_max) return {call.reshape_to_result(value)};
    if (const auto divisor = call.find_number("divisor_override"))
        return {call.reshape_to_result(to.div(value, *divisor))};
    const std::int64_t height = rows.count(rounded_up);
    const std::int64_t width = columns.count(rounded_up);
    std::vector<float> counts;
    for (std::int64_t i = 0; i < height; ++i)
        for (std::int64_t j = 0; j < width; ++j)
            counts.push_back(
                static_cast<float>(rows.counted(i, counts_padding) * columns.counted(j, counts_padding)));
    const ValueId divisors = call.constant({1, height, width, 1}, counts);
    return {call.reshape_to_result(to.div(value, to.broadcast(divisors, to.shape(value))))};
}

Values pool2d(const Call& call, bool is_max) {
    const Integers kernel = pair(call, "kernel_size", 1);
    const Integers stride = pair(call, "stride", 1);
    const Integers dilation = pair(call, "dilation", 1);
    const Integers padding = padding_of(call);
    const Pool pool{{call.integer("input_h", 1), kernel[0], stride[0], dilation[0], padding[0], padding[1]},
                    {call.integer("input_w", 1), kernel[1], stride[1], dilation[1], padding[2], padding[3]},
                    call.flag("ceil_mode"),
                    call.flag("count_include_pad", true)};
    return pooled(call, pool, is_max);
}

/// Window i of `count` covers [floor(i * size / count), ceil((i + 1) * size / count)); the first and the last may
/// reach into padding.
Axis adaptive_axis(std::int64_t size, std::int64_t count) {
    const auto extent = [&](std::int64_t i) {
        return ((i + 1) * size + count - 1) / count - i * size / count;
    };
    const std::int64_t kernel = extent(count > 1 ? 1 : 0);
    const std::int64_t before = std::max<std::int64_t>(0, kernel - extent(0));
    const std::int64_t after = std::max<std::int64_t>(0, kernel - extent(count - 1));
    const std::int64_t steps = std::max<std::int64_t>(1, count - 1);
    const std::int64_t stride =
        std::max<std::int64_t>(1, (2 * (size + before + after - kernel) + steps) / (2 * steps));
    return {size, kernel, stride, 1, before, after};
}

Values adaptive_pool2d(const Call& call, bool is_max) {
    const Integers count = pair(call, "output_size", 1);
    return pooled(call,
                  {adaptive_axis(call.integer("input_h", 1), count[0]),
                   adaptive_axis(call.integer("input_w", 1), count[1]), false, false},
                  is_max);
}

// ---- convolutions

struct Window {
    std::int64_t height, width;
    Integers kernel, stride, dilation, padding;
};

Window window_of(const Call& call) {
    return {call.integer("input_height", 1), call.integer("input_width", 1), pair(call, "kernel_size", 1),
            pair(call, "stride", 1),         pair(call, "dilation", 1),      padding_of(call)};
}

Window row_of(const Call& call) {
    const Integers padding = call.integers("padding").value_or(Integers{0});
    call.require(padding.size() <= 2, "its padding is no pair");
    return {1,
            call.integer("input_length", 1),
            {1, call.integer("kernel_size", 1)},
            {1, call.integer("stride", 1)},
            {1, call.integer("dilation", 1)},
            {0, 0, padding[0], padding.back()}};
}

/// [batch, channels, height, width] as the result: the bias added, the activation applied.
Values finished(const Call& call, ValueId value) {
    FlatBuilder& to = call.to;
    value = to.transpose(value, {0, 2, 3, 1});
    const Shape shape = to.shape(value);
    if (const auto bias = call.find("bias_tensor")) {
        call.require(to.shape(*bias).elements() == shape[3], "its bias is prepared");
        value = to.add(value, to.broadcast(to.reshape(call.as_float(*bias), {shape[3]}), shape));
    }
    const std::string activation = call.text("conv_config");
    if (!activation.empty() && activation != "given") value = call.activation(value, activation);
    return {call.reshape_to_result(value)};
}

/// Weights as they are given first: later calls may have them as an earlier one has prepared them.
ValueId weights_of(const Call& call, const Shape& shape) {
    const ValueId weights = call.tensor("weight_tensor");
    call.require(
        call.to.shape(weights).elements() == shape.elements() && call.to.shape(weights)[0] == shape[0],
        "its weights are prepared");
    return call.to.reshape(call.as_float(weights), shape);
}

Values convolution(const Call& call, const Window& window) {
    FlatBuilder& to = call.to;
    call.require(call.result_count() == 1, "it gives back its weights, too");
    const std::int64_t channels = call.integer("in_channels", 1);
    const std::int64_t groups = std::max<std::int64_t>(1, call.integer("groups", 1));
    const ValueId x = images(call, call.tensor("input_tensor"), window.height, window.width, channels);
    const ValueId weights = weights_of(
        call, {call.integer("out_channels", 1), channels / groups, window.kernel[0], window.kernel[1]});
    return finished(call, to.op("convolution", {to.transpose(x, {0, 3, 1, 2}), weights},
                                {{"strides", window.stride},
                                 {"low", Integers{window.padding[0], window.padding[2]}},
                                 {"high", Integers{window.padding[1], window.padding[3]}},
                                 {"rhs_dilation", window.dilation},
                                 {"groups", groups}}));
}

// One pixel at a time over the input with zeros between its pixels, the kernel mirrored.
Values conv_transpose2d(const Call& call) {
    FlatBuilder& to = call.to;
    call.require(call.result_count() == 1, "it gives back its weights, too");
    call.require(call.integer("groups", 1) <= 1, "it has groups");
    const Window window = window_of(call);
    const Integers beyond = pair(call, "output_padding", 0);
    const std::int64_t channels = call.integer("in_channels", 1);
    const ValueId x = images(call, call.tensor("input_tensor"), window.height, window.width, channels);
    ValueId weights =
        weights_of(call, {channels, call.integer("out_channels", 1), window.kernel[0], window.kernel[1]});
    weights = to.transpose(weights, {1, 0, 2, 3});
    if (call.flag("mirror_kernel", true)) weights = to.op("reverse", {weights}, {{"dims", Integers{2, 3}}});
    Integers low;
    Integers high;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t reach = window.dilation[i] * (window.kernel[i] - 1);
        low.push_back(reach - window.padding[2 * i]);
        high.push_back(reach - window.padding[2 * i + 1] + beyond[i]);
    }
    return finished(call, to.op("convolution", {to.transpose(x, {0, 3, 1, 2}), weights},
                                {{"low", low},
                                 {"high", high},
                                 {"lhs_dilation", window.stride},
                                 {"rhs_dilation", window.dilation}}));
}

// ---- images made larger

/// Each of `count` places between two of `size`, half an element's width apart from the border.
std::vector<float> shares_between(std::int64_t size, std::int64_t count) {
    std::vector<float> shares(static_cast<std::size_t>(size * count));
    const double factor = static_cast<double>(count) / static_cast<double>(size);
    for (std::int64_t i = 0; i < count; ++i) {
        const double place = (static_cast<double>(i) + 0.5) / factor - 0.5;
        const auto before = static_cast<std::int64_t>(std::floor(place));
        const auto behind = static_cast<float>(place - static_cast<double>(before));
        const auto add = [&](std::int64_t at, float share) {
            shares[static_cast<std::size_t>(i * size + std::clamp<std::int64_t>(at, 0, size - 1))] += share;
        };
        add(before, 1 - behind);
        add(before + 1, behind);
    }
    return shares;
}

Values upsample(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call[0]);
    const Shape from = to.shape(x);
    const Shape shape = call.shape();
    call.require(from.rank() == 4, "its input is not of rank 4");
    const std::int64_t batch = from[0];
    const std::int64_t channels = from[3];
    if (call.text("mode") == "bilinear") {
        const ValueId rows = call.constant({shape[1], from[1]}, shares_between(from[1], shape[1]));
        const ValueId columns = call.constant({shape[2], from[2]}, shares_between(from[2], shape[2]));
        const ValueId taller = call.matmul(rows, to.reshape(x, {batch, from[1], from[2] * channels}));
        return {to.reshape(call.matmul(columns, to.reshape(taller, {batch * shape[1], from[2], channels})),
                           shape)};
    }
    call.require(shape[1] % from[1] == 0 && shape[2] % from[2] == 0, "its factors are no integers");
    const ValueId apart = to.reshape(x, {batch, from[1], 1, from[2], 1, channels});
    const Shape wide{batch, from[1], shape[1] / from[1], from[2], shape[2] / from[2], channels};
    return {to.reshape(to.broadcast(apart, wide), shape)};
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> sliding_window_rules() {
    const char* const tensors = "input_tensor weight_tensor bias_tensor";
    return {
        {"max_pool2d", {"input_tensor", with(lowering::pool2d, true)}},
        {"avg_pool2d", {"input_tensor", with(lowering::pool2d, false)}},
        {"adaptive_max_pool2d", {"input_tensor", with(lowering::adaptive_pool2d, true)}},
        {"adaptive_avg_pool2d", {"input_tensor", with(lowering::adaptive_pool2d, false)}},
        {"conv2d",
         {tensors,
          [](const lowering::Call& call) { return lowering::convolution(call, lowering::window_of(call)); }}},
        {"conv1d",
         {tensors,
          [](const lowering::Call& call) { return lowering::convolution(call, lowering::row_of(call)); }}},
        {"conv_transpose2d", {tensors, lowering::conv_transpose2d}},
        {"upsample", {"input_tensor", lowering::upsample}},
    };
}

}  // namespace tilemeter::trace::rules
