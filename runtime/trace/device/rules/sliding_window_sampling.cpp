// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Images [batch, height, width, channels] whose pixels are taken from elsewhere: turned, sampled at given places, folded.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

/// The pixels of images one below the other, and below all of them the one that lies outside.
class PixelTable {
public:
    PixelTable(const Call& call, ValueId images, double outside)
        : call_(call), shape_(call.to.shape(images)) {
        FlatBuilder& to = call.to;
        count_ = shape_[0] * shape_[1] * shape_[2];
        const ValueId rows = to.reshape(call.as_float(images), {count_, shape_[3]});
        const ValueId last = to.full({ElementType::kF32, {1, shape_[3]}, {}}, outside);
        table_ = call.concat({rows, last}, 0);
    }

    /// [batch, points, channels] of rows and columns [batch, points].
    ValueId at(ValueId row, ValueId column) const {
        FlatBuilder& to = call_.to;
        const Shape points = to.shape(row);
        const auto is_within = [&](ValueId place, std::int64_t size) {
            const ValueId is_low = to.compare("GE", place, to.full_like(place, 0));
            return to.op("and",
                         {is_low, to.compare("LT", place, to.full_like(place, static_cast<double>(size)))});
        };
        const ValueId image = call_.count(points, 0, ElementType::kI32);
        const ValueId of_image = to.mul(image, static_cast<double>(shape_[1] * shape_[2]));
        const ValueId number = to.add(of_image, to.add(to.mul(row, static_cast<double>(shape_[2])), column));
        const ValueId is_there = to.op("and", {is_within(row, shape_[1]), is_within(column, shape_[2])});
        return call_.rows(table_,
                          to.select(is_there, number, to.full_like(number, static_cast<double>(count_))));
    }

    /// The weighted sum of a pixel, its right, its lower and its lower right neighbour; weights [batch, points].
    ValueId between(ValueId row, ValueId column, const std::array<ValueId, 4>& weights) const {
        FlatBuilder& to = call_.to;
        Shape wide = to.shape(row);
        wide.push_back(shape_[3]);
        Values parts;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const ValueId pixel = at(to.add(row, i < 2 ? 0 : 1), to.add(column, i % 2 == 0 ? 0 : 1));
            Shape narrow = to.shape(weights[i]);
            narrow.push_back(1);
            parts.push_back(to.mul(pixel, to.broadcast(to.reshape(weights[i], narrow), wide)));
        }
        return to.add(to.add(to.add(parts[0], parts[1]), parts[2]), parts[3]);
    }

private:
    const Call& call_;
    Shape shape_;
    std::int64_t count_ = 0;
    ValueId table_{};
};

ValueId without(FlatBuilder& to, ValueId share) {
    return to.sub(to.full_like(share, 1), share);
}

Values grid_sample(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId images = call.tensor("input_tensor");
    const ValueId grid = call.as_float(call.tensor("grid"));
    const Shape shape = to.shape(images);
    const Shape points = to.shape(grid);
    const bool is_known = call.flag("use_precomputed_grid");
    const bool is_nearest = call.text("mode") == "nearest";
    const std::int64_t values = is_known && !is_nearest ? 6 : 2;
    const std::int64_t count = points.elements() / points[0] / values;
    const ValueId apart = to.reshape(grid, {points[0], count, values});
    const auto value = [&](std::int64_t i) {
        return to.reshape(call.slice(apart, 2, i, i + 1), {points[0], count});
    };
    const PixelTable table(call, images, 0);
    if (is_known) {
        // Numbers of pixels are the bits of bfloat16, which are the upper half of a float's.
        const auto number = [&](std::int64_t i) {
            const ValueId bits = to.op("bitcast_convert", {value(i)}, {{"dtype", ElementType::kI32}});
            return ValueId(to.op("shift_right_arithmetic", {bits, to.full_like(bits, 16)}));
        };
        if (is_nearest) return {call.reshape_to_result(table.at(number(0), number(1)))};
        return {call.reshape_to_result(
            table.between(number(0), number(1), {value(2), value(3), value(4), value(5)}))};
    }
    const auto pixel = [&](ValueId place, std::int64_t size) {
        const ValueId from_edge = to.add(place, 1);
        if (call.flag("align_corners")) return to.mul(from_edge, static_cast<double>(size - 1) / 2);
        return to.sub(to.mul(from_edge, static_cast<double>(size) / 2), 0.5);
    };
    const ValueId row = pixel(value(1), shape[1]);
    const ValueId column = pixel(value(0), shape[2]);
    const ValueId above = to.op("floor", {row});
    const ValueId left = to.op("floor", {column});
    const ValueId below = to.sub(row, above);
    const ValueId right = to.sub(column, left);
    return {call.reshape_to_result(
        table.between(to.convert(above, ElementType::kI32), to.convert(left, ElementType::kI32),
                      {to.mul(without(to, below), without(to, right)), to.mul(without(to, below), right),
                       to.mul(below, without(to, right)), to.mul(below, right)}))};
}

// The source of each pixel is known here.
Values rotate(const Call& call) {
    const ValueId images = call.tensor("input_tensor");
    const Shape shape = call.to.shape(images);
    const bool is_bilinear = call.text("interpolation_mode") == "bilinear";
    // The device counts in 65,536ths.
    const auto fixed = [](double value) { return std::round(value * 65536.0) / 65536.0; };
    const double angle = call.number("angle") * std::numbers::pi / 180.0;
    const double cosine = fixed(std::cos(angle));
    const double sine = fixed(std::sin(angle));
    const std::vector<double> center = call.numbers("center");
    const double x = center.size() == 2 ? center[0] - 0.5 : (static_cast<double>(shape[2]) - 1) / 2;
    const double y = center.size() == 2 ? center[1] - 0.5 : (static_cast<double>(shape[1]) - 1) / 2;
    std::vector<std::int32_t> rows;
    std::vector<std::int32_t> columns;
    std::array<std::vector<float>, 4> weights;
    for (std::int64_t image = 0; image < shape[0]; ++image) {
        for (std::int64_t i = 0; i < shape[1]; ++i) {
            for (std::int64_t j = 0; j < shape[2]; ++j) {
                const double down = static_cast<double>(i) - y;
                const double along = static_cast<double>(j) - x;
                const double row = along * sine + down * cosine + y + (is_bilinear ? 0 : 0.5);
                const double column = along * cosine - down * sine + x + (is_bilinear ? 0 : 0.5);
                rows.push_back(static_cast<std::int32_t>(std::floor(row)));
                columns.push_back(static_cast<std::int32_t>(std::floor(column)));
                const auto below = static_cast<float>(row - std::floor(row));
                const auto right = static_cast<float>(column - std::floor(column));
                weights[0].push_back((1 - below) * (1 - right));
                weights[1].push_back((1 - below) * right);
                weights[2].push_back(below * (1 - right));
                weights[3].push_back(below * right);
            }
        }
    }
    const Shape points{shape[0], shape[1] * shape[2]};
    const PixelTable table(call, images, call.number("fill", 0));
    const ValueId row = call.constant(points, rows);
    const ValueId column = call.constant(points, columns);
    if (!is_bilinear) return {call.reshape_to_result(table.at(row, column))};
    std::array<ValueId, 4> shares{};
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] = call.constant(points, weights[i]);
    return {call.reshape_to_result(table.between(row, column, shares))};
}

Values fold(const Call& call) {
    FlatBuilder& to = call.to;
    const std::int64_t down = call.integer("stride_h", 1);
    const std::int64_t along = call.integer("stride_w", 1);
    Integers sides = call.integers("padding").value_or(Integers{0, 0});
    if (sides.size() == 2) sides = {sides[0], sides[0], sides[1], sides[1]};
    sides.resize(6, 0);
    const ValueId input = call.as_float(call.tensor("input"));
    call.require(to.shape(input).rank() == 4, "its input is not of rank 4");
    ValueId images = call.pad(input, {0, sides[0], sides[2], sides[4]}, {0, sides[1], sides[3], sides[5]}, 0);
    const Shape shape = to.shape(images);
    call.require(shape[1] % down == 0, "its height is no multiple of its stride");
    const std::int64_t columns = shape[2] / along;
    images = call.slice(images, 2, 0, columns * along);
    const ValueId apart = to.reshape(images, {shape[0], shape[1] / down, down, columns, along, shape[3]});
    return {call.reshape_to_result(to.transpose(apart, {0, 1, 3, 2, 4, 5}))};
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> sliding_window_sampling_rules() {
    return {
        {"grid_sample", {"input_tensor grid", lowering::grid_sample}},
        {"rotate", {"input_tensor", lowering::rotate}},
        {"fold", {"input", lowering::fold}},
    };
}

}  // namespace tilemeter::trace::rules
