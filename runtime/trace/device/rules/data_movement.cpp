// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What moves elements: to other places, layouts, dtypes and shapes.

#include <algorithm>
#include <cctype>
#include <numeric>

#include "runtime/trace/device/rules/lowering_call.hpp"

namespace tilemeter::trace::lowering {

namespace {

std::int64_t counted(std::size_t number) {
    return static_cast<std::int64_t>(number);
}

// The same elements in the result's shape; what is new behind them has that value.
Values moved(const Call& call, ValueId value, double padding = 0.0) {
    FlatBuilder& to = call.to;
    const Shape wanted = call.shape();
    Shape from = to.shape(value);
    if (from.elements() == wanted.elements()) return {to.reshape(value, wanted)};
    if (from.rank() < wanted.rank()) {
        Shape wider;
        for (std::size_t i = from.rank(); i < wanted.rank(); ++i)
            wider.push_back(1);
        for (const std::int64_t each : from)
            wider.push_back(each);
        value = to.reshape(value, wider);
        from = wider;
    }
    call.require(from.rank() == wanted.rank(), "its result has another rank");
    Integers begins(from.rank(), 0);
    Integers ends;
    Integers high;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        ends.push_back(std::min(from[i], wanted[i]));
        high.push_back(wanted[i] - ends.back());
    }
    return {call.pad(call.slice(value, begins, ends), begins, high, padding)};
}

Values padded_with(const Call& call, const char* argument) {
    return moved(call, call[0], call.number(argument, 0.0));
}

// The result may be of another dtype: of floats to integers by cutting off, as the device does.
Values converted(const Call& call) {
    return moved(call, call.as_result(call[0]));
}

Values bitcast(const Call& call) {
    const ElementType from = call.element_on_device(0);
    const ElementType wanted = call.result_on_device();
    const auto is_whole = [](ElementType each) {
        return each == ElementType::kF32 || each == ElementType::kI32 || each == ElementType::kU32;
    };
    if (from == wanted) return {call[0]};
    call.require(is_whole(from) && is_whole(wanted), "its elements are not of 32 bits");
    return {call.to.op("bitcast_convert", {call[0]}, {{"dtype", wanted}})};
}

Values reshape(const Call& call) {
    return {call.reshape_to_result(call[0])};
}

Values permute(const Call& call) {
    Integers dims = call.integers("dims").value_or(Integers{});
    for (std::int64_t& each : dims)
        if (each < 0) each += counted(dims.size());
    return {call.to.transpose(call[0], dims)};
}

Values transpose(const Call& call) {
    return {call.swap(call[0], call.integer("dim1", 0), call.integer("dim2", 1))};
}

Values concat(const Call& call) {
    call.require(call.integer("groups", 1) == 1, "it has groups");
    Values parts;
    for (std::size_t i = 0; i < call.size(); ++i)
        parts.push_back(call.as_result(call[i]));
    if (call.has("output_tensor") || call.has("operands")) parts.pop_back();
    return {call.concat(parts, call.axis("dim", 0, call.shape().rank()))};
}

Values stack(const Call& call) {
    const std::int64_t axis = call.axis("dim", 0, call.shape().rank());
    Shape one = call.shape();
    one[static_cast<std::size_t>(axis)] = 1;
    Values parts;
    for (std::size_t i = 0; i < call.size(); ++i)
        parts.push_back(call.to.reshape(call.as_result(call[i]), one));
    return {call.concat(parts, axis)};
}

Values slice(const Call& call) {
    call.require(call.size() == 1, "its bounds are tensors");
    const Shape from = call.to.shape(call[0]);
    const Shape wanted = call.shape();
    const std::optional<Integers> given =
        call.has("slice_start") ? call.integers("slice_start") : call.integers("starts");
    call.require(given.has_value() && given->size() == from.rank(), "its begin is not known");
    call.require(wanted.rank() == from.rank(), "its result has another rank");
    Integers steps =
        call.integers(call.has("slice_step") ? "slice_step" : "steps").value_or(Integers(from.rank(), 1));
    if (steps.empty()) steps.assign(from.rank(), 1);
    Integers begins = *given;
    Integers ends;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        if (begins[i] < 0) begins[i] += from[i];
        ends.push_back(begins[i] + (wanted[i] - 1) * steps[i] + 1);
    }
    return {call.slice(call[0], begins, ends, steps)};
}

// The numbers of texts such as "[0, 2]".
Integers numbers_in(std::string_view text) {
    Integers numbers;
    for (std::size_t i = 0; i < text.size();) {
        if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
            ++i;
            continue;
        }
        std::int64_t number = 0;
        for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0; ++i)
            number = number * 10 + (text[i] - '0');
        numbers.push_back(number);
    }
    return numbers;
}

Values pad(const Call& call) {
    const Shape from = call.to.shape(call[0]);
    const Shape wanted = call.shape();
    Integers low(from.rank(), 0);
    if (call.has("padding")) {
        const std::vector<std::string> pairs = call.texts("padding");
        call.require(pairs.size() <= from.rank(), "its padding is not known");
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Integers pair = numbers_in(pairs[i]);
            call.require(pair.size() == 2, "its padding is not known");
            low[from.rank() - pairs.size() + i] = pair[0];
        }
    } else if (const auto start = call.integers("input_tensor_start")) {
        low = *start;
    }
    call.require(wanted.rank() == from.rank() && low.size() == from.rank(), "its result has another rank");
    Integers high;
    for (std::size_t i = 0; i < from.rank(); ++i)
        high.push_back(wanted[i] - from[i] - low[i]);
    Values values{call.pad(call[0], low, high, call.number("value", 0.0))};
    // Tiles have their padding filled first, which nothing here can see.
    if (call.result_count() > 1 && call.size() == 1) values.push_back(call[0]);
    return values;
}

Values expand(const Call& call) {
    return {call.to.broadcast(call[0], call.shape())};
}

// Each dimension as often as the result has room for it.
Values repeat(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape wanted = call.shape();
    const Shape from = to.shape(call[0]);
    Shape apart;
    Shape repeated;
    for (std::size_t i = 0; i < wanted.rank(); ++i) {
        const std::size_t missing = wanted.rank() - from.rank();
        const std::int64_t extent = i < missing ? 1 : from[i - missing];
        apart.push_back(1);
        apart.push_back(extent);
        repeated.push_back(wanted[i] / extent);
        repeated.push_back(extent);
    }
    return {to.reshape(to.broadcast(to.reshape(call[0], apart), repeated), wanted)};
}

Values repeat_interleave(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape from = to.shape(call[0]);
    const std::int64_t axis = call.axis("dim", 0, from.rank());
    const std::int64_t times = call.integer("repeats", 1);
    Shape apart;
    Shape repeated;
    for (std::size_t i = 0; i < from.rank(); ++i) {
        apart.push_back(from[i]);
        repeated.push_back(from[i]);
        if (counted(i) == axis) {
            apart.push_back(1);
            repeated.push_back(times);
        }
    }
    return {to.reshape(to.broadcast(to.reshape(call[0], apart), repeated), call.shape())};
}

Values roll(const Call& call) {
    FlatBuilder& to = call.to;
    const Integers shifts = call.integers("shifts").value_or(Integers{});
    const bool has_axes = call.has("dim");
    ValueId x = has_axes ? call[0] : to.reshape(call[0], {to.shape(call[0]).elements()});
    Integers axes = call.integers("dim").value_or(Integers{0});
    call.require(axes.size() == shifts.size(), "its shifts are not those of its dimensions");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Shape shape = to.shape(x);
        const std::int64_t axis = axes[i] < 0 ? axes[i] + counted(shape.rank()) : axes[i];
        const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
        const std::int64_t shift = ((shifts[i] % extent) + extent) % extent;
        if (shift == 0) continue;
        x = call.concat({call.slice(x, axis, extent - shift, extent), call.slice(x, axis, 0, extent - shift)},
                        axis);
    }
    return {to.reshape(x, call.shape())};
}

Integers axes_of(std::size_t rank) {
    Integers axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

Values gather(const Call& call) {
    const ValueId input = call.tensor("input");
    const ValueId index = call.tensor("index");
    const std::int64_t axis = call.axis("dim", 0, call.to.shape(input).rank());
    Values values{call.take_along(input, index, axis)};
    // Those of the two whose tiles have their padding filled first.
    for (std::size_t i = 1; i < call.result_count(); ++i)
        values.push_back(ir::is_float(call.type(i).element) ? input : index);
    return values;
}

Values scatter(const Call& call, const char* primitive) {
    FlatBuilder& to = call.to;
    call.require(!call.has("reduce"), "it reduces");
    const ValueId input = call.tensor("input");
    const ValueId index = call.tensor("index");
    const Shape shape = to.shape(index);
    const ValueId source =
        call.slice(call.tensor("src"), Integers(shape.rank(), 0), Integers(shape.begin(), shape.end()));
    const std::size_t rank = shape.rank();
    return {
        to.op(primitive,
              {input, call.places(index, call.axis("dim", 0, rank)), to.convert(source, to.element(input))},
              {{"update_window_dims", Integers{}},
               {"inserted_window_dims", axes_of(rank)},
               {"scatter_dims_to_operand_dims", axes_of(rank)},
               {"index_vector_dim", counted(rank)}})};
}

Values copy(const Call& call) {
    return {call.reshape_to_result(call.as_result(call[0]))};
}

Values triangle(const Call& call, bool is_lower) {
    FlatBuilder& to = call.to;
    const Shape shape = to.shape(call[0]);
    const auto rank = counted(shape.rank());
    const ValueId row = call.count(shape, rank - 2, ElementType::kI32);
    const ValueId column = call.count(shape, rank - 1, ElementType::kI32);
    const ValueId edge = to.add(row, static_cast<double>(call.integer("diagonal", 0)));
    return {to.select(to.compare(is_lower ? "LE" : "GE", column, edge), call[0], to.full_like(call[0], 0))};
}

Values plus_one(const Call& call) {
    call.require(!call.flag("skip_negative_entries"), "it skips negative entries");
    return {call.to.add(call[0], 1)};
}

Values index_fill(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape shape = to.shape(call[0]);
    const std::int64_t axis = call.axis("dim", 0, shape.rank());
    const ValueId index = to.convert(call[1], ElementType::kI32);
    const std::int64_t count = to.shape(index).elements();
    const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
    // Whether each number along the axis is in the index.
    const ValueId numbers = call.count({extent, count}, 0, ElementType::kI32);
    const ValueId is_there =
        to.compare("EQ", numbers, to.broadcast(to.reshape(index, {1, count}), {extent, count}));
    Shape along(shape.dims());
    for (std::size_t i = 0; i < along.rank(); ++i)
        if (counted(i) != axis) along[i] = 1;
    const ValueId chosen =
        to.broadcast(to.reshape(to.reduce("reduce_or", is_there, {1}, false), along), shape);
    return {to.select(chosen, to.full_like(call[0], call.number("value")), call[0])};
}

}  // namespace

std::vector<Rule> movement_rules() {
    std::vector<Rule> rules;
    for (const char* const name :
         {"to_memory_config", "to_device", "from_device", "clone", "move", "reallocate", "tilize", "untilize",
          "interleaved_to_sharded", "sharded_to_interleaved", "reshard", "untilize_with_unpadding",
          "tilize_with_zero_padding", "fill_implicit_tile_padding"})
        rules.push_back({name, "", converted});
    for (const char* const name : {"reshape", "view", "experimental.view", "unsqueeze", "unsqueeze_to_4D",
                                   "squeeze", "reshape_on_device"})
        rules.push_back({name, "", reshape});
    const std::vector<Rule> others = {
        {"to_layout", "tensor", converted},
        {"tilize_with_val_padding", "input_tensor",
         [](const Call& call) { return padded_with(call, "pad_value"); }},
        {"typecast", "input_tensor", converted},
        {"experimental.typecast", "input_tensor", converted},
        {"bitcast", "input_tensor", bitcast},
        {"permute", "input_tensor", permute},
        {"transpose", "input_tensor", transpose},
        {"concat", "tensors", concat},
        {"stack", "input_tensors", stack},
        {"slice", "input_tensor", slice},
        {"split", "input_tensor", [](const Call& call) { return call.parts(call[0]); }},
        {"chunk", "input_tensor", [](const Call& call) { return call.parts(call[0]); }},
        {"pad", "input_tensor", pad},
        {"expand", "input_tensor", expand},
        {"repeat", "input_tensor", repeat},
        {"repeat_interleave", "input_tensor", repeat_interleave},
        {"roll", "input_tensor", roll},
        {"gather", "input index out", gather},
        {"scatter", "input index src", [](const Call& call) { return scatter(call, "scatter"); }},
        {"scatter_add", "input index src", [](const Call& call) { return scatter(call, "scatter_add"); }},
        {"copy", "input_a input_b", copy},
        {"assign", "input_tensor output_tensor", copy},
        {"tril", "input_tensor", [](const Call& call) { return triangle(call, true); }},
        {"triu", "input_tensor", [](const Call& call) { return triangle(call, false); }},
        {"plus_one", "input_tensor", plus_one},
        {"index_fill", "input index", index_fill},
    };
    rules.insert(rules.end(), others.begin(), others.end());
    return rules;
}

}  // namespace tilemeter::trace::lowering
