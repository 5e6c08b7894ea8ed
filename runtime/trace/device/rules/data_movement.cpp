// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that move elements to other places, layouts, dtypes and shapes; gradients move them back.

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/concat_backward.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::rules {

namespace {

/// The beginning of a slice along each dimension, counted from the front, and its steps.
struct Slicing {
    Integers begins, steps;
};

/// None: its begin is not known. `extents`: of what is cut.
std::optional<Slicing> slicing_of(const CallReader& call, const Integers& extents) {
    const std::optional<Integers> begins = call.integers(call.has("slice_start") ? "slice_start" : "starts");
    if (!begins || begins->size() != extents.size()) return std::nullopt;
    Slicing slicing{*begins,
                    call.integers(call.has("slice_step") ? "slice_step" : "steps").value_or(Integers())};
    if (slicing.steps.empty()) slicing.steps.assign(extents.size(), 1);
    for (std::size_t i = 0; i < extents.size(); ++i)
        if (slicing.begins[i] < 0) slicing.begins[i] += extents[i];
    return slicing;
}

}  // namespace

}  // namespace tilemeter::trace::rules

namespace tilemeter::trace::lowering {

namespace {

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
    return {call.to.transpose(call[0], call.axes("dims", call.to.shape(call[0]).rank()))};
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

Values slice(const Call& call) {
    call.require(call.size() == 1, "its bounds are tensors");
    const Shape from = call.to.shape(call[0]);
    const Shape wanted = call.shape();
    const std::optional<rules::Slicing> slicing = rules::slicing_of(call, Integers(from.begin(), from.end()));
    call.require(slicing.has_value(), "its begin is not known");
    call.require(wanted.rank() == from.rank(), "its result has another rank");
    Integers ends;
    for (std::size_t i = 0; i < from.rank(); ++i)
        ends.push_back(slicing->begins[i] + (wanted[i] - 1) * slicing->steps[i] + 1);
    return {call.slice(call[0], slicing->begins, ends, slicing->steps)};
}

Values expand(const Call& call) {
    return {call.to.broadcast(call[0], call.shape())};
}

Values plus_one(const Call& call) {
    call.require(!call.flag("skip_negative_entries"), "it skips negative entries");
    return {call.to.add(call[0], 1)};
}

Values parts(const Call& call) {
    return call.parts(call[0]);
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

namespace {

bool keeps_elements(const Call& call) {
    return call.shape(0).volume() == call.result_spec().shape.volume() &&
           is_floating_point(call.spec(0).dtype);
}

void reshape_back(Call& call) {
    call.give(0, reshaped(call.gradient(), call.shape(0)));
}

void permute_back(Call& call) {
    const Integers dims = call.axes("dims", call.shape(0).rank());
    Integers inverse(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i)
        inverse[static_cast<std::size_t>(dims[i])] = static_cast<std::int64_t>(i);
    call.give(0, permute(Permute{.input_tensor = call.gradient(), .dims = inverse}));
}

void transpose_back(Call& call) {
    call.give(0, tilemeter::transpose(Transpose{.input_tensor = call.gradient(),
                                                .dim1 = static_cast<int>(call.integer("dim1", 0)),
                                                .dim2 = static_cast<int>(call.integer("dim2", 1))}));
}

void concat_back(Call& call) {
    const std::size_t rank = call.result_spec().shape.rank();
    const auto axis = static_cast<std::size_t>(call.axis("dim", 0, rank));
    if (rank == 4 && call.size() == 2) {
        give_all(call, concat_bw(ConcatGradient{.grad_tensor = call.gradient(),
                                                .input_tensor_a = call.operand(0),
                                                .input_tensor_b = call.operand(1),
                                                .dim = static_cast<std::int64_t>(axis),
                                                .are_required_outputs = {call.wants(0), call.wants(1)}}));
        return;
    }
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < call.size(); ++i) {
        const std::int64_t end = begin + call.shape(i).dimensions()[axis];
        if (call.wants(i)) call.give(i, part_of(call.gradient(), axis, begin, end));
        begin = end;
    }
}

void join_parts(Call& call) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < call.result_count(); ++i)
        parts.push_back(call.gradient(i));
    call.give(0, parts.size() == 1
                     ? parts[0]
                     : concat(Concat{.tensors = parts, .dim = call.axis("dim", 0, call.shape(0).rank())}));
}

// The beginning of the slice; none: it is not known, or takes not every element.
std::optional<Integers> begin_of(const Call& call) {
    const auto slicing = slicing_of(call, extents_of(call.shape(0)));
    if (call.size() != 1 || !slicing || call.result_spec().shape.rank() != slicing->begins.size())
        return std::nullopt;
    const auto is_one = [](std::int64_t step) { return step == 1; };
    return std::ranges::all_of(slicing->steps, is_one) ? std::optional(slicing->begins) : std::nullopt;
}

// In tiles TT-NN pads the end alone.
void pad_back(Call& call) {
    const Integers begins = begin_of(call).value();
    const Shape& wanted = call.shape(0);
    const Shape& from = call.result_spec().shape;
    Padding padding;
    bool is_in_front = false;
    bool is_any = false;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto before = static_cast<std::uint32_t>(begins[i]);
        const std::uint32_t after = wanted.dimensions()[i] - before - from.dimensions()[i];
        padding.emplace_back(before, after);
        is_in_front = is_in_front || before != 0;
        is_any = is_any || before + after != 0;
    }
    Tensor gradient = call.gradient();
    if (!is_any) {
        call.give(0, gradient);
        return;
    }
    if (is_in_front) gradient = to_layout(ToLayout{.tensor = gradient, .layout = Layout::ROW_MAJOR});
    call.give(0, as_tiles(pad(Pad{.input_tensor = gradient, .padding = padding, .value = 0.0F})));
}

bool takes_permute(const Call& call) {
    return call.has("dims");
}

bool takes_concat(const Call& call) {
    return call.integer("groups", 1) == 1 && !call.position("output_tensor");
}

bool takes_slice(const Call& call) {
    return begin_of(call).has_value();
}

}  // namespace

std::vector<Rule> data_movement_rules() {
    const Lowering converted{"", lowering::converted};
    const Lowering reshaped{"", lowering::reshape};
    const Gradient moved{"", pass_on};
    const Gradient kept{"", pass_on, keeps_shape};
    const Gradient back{"", reshape_back, keeps_elements};
    return {
        {"to_memory_config", converted, kept},
        {"to_device", converted},
        {"from_device", converted},
        {"clone", converted, kept},
        {"move", converted, moved},
        {"reallocate", converted, moved},
        {"tilize", converted, kept},
        {"untilize", converted, kept},
        {"interleaved_to_sharded", converted, kept},
        {"sharded_to_interleaved", converted, kept},
        {"reshard", converted, kept},
        {"untilize_with_unpadding", converted, kept},
        {"tilize_with_zero_padding", converted, kept},
        {"tilize_with_val_padding", {"input_tensor", with(lowering::padded_with, "pad_value")}, kept},
        {"fill_implicit_tile_padding", converted, kept},
        {"to_layout", converted, kept},
        {"typecast", converted, kept},
        {"experimental.typecast", converted, kept},
        {"reshape", reshaped, back},
        {"view", reshaped, back},
        {"experimental.view", reshaped, back},
        {"unsqueeze", reshaped, back},
        {"unsqueeze_to_4D", reshaped, back},
        {"squeeze", reshaped, back},
        {"reshape_on_device", reshaped, back},
        {"bitcast", {"input_tensor", lowering::bitcast}},
        {"permute", {"input_tensor", lowering::permute}, {"", permute_back, takes_permute}},
        {"transpose", {"input_tensor", lowering::transpose}, {"", transpose_back, keeps_elements}},
        {"concat", {"tensors", lowering::concat}, {"tensors", concat_back, takes_concat}},
        {"slice", {"input_tensor", lowering::slice}, {"", pad_back, takes_slice}},
        {"split", {"input_tensor", lowering::parts}, {"", join_parts}},
        {"chunk", {"input_tensor", lowering::parts}, {"", join_parts}},
        {"expand", {"input_tensor", lowering::expand}, moved},
        {"copy", converted},
        {"assign", converted},
        {"plus_one", {"input_tensor", lowering::plus_one}},
    };
}

}  // namespace tilemeter::trace::rules
