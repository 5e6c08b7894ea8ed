// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements that are picked, ordered, repeated or put into more room; gradients are added up where their elements came from.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/roll.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/moreh/repeat_backward.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::rules {

namespace {

/// The place where the padded input begins in the result; none: it is not known.
std::optional<Integers> begin_in_room(const CallReader& call, std::size_t rank) {
    if (!call.has("padding")) return call.integers("input_tensor_start");
    Integers begin(rank, 0);
    const std::vector<std::string> pairs = call.texts("padding");
    if (pairs.size() > rank) return std::nullopt;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Integers pair = numbers_in(pairs[i]);
        if (pair.size() != 2) return std::nullopt;
        begin[rank - pairs.size() + i] = pair[0];
    }
    return begin;
}

}  // namespace

}  // namespace tilemeter::trace::rules

namespace tilemeter::trace::lowering {

namespace {

std::int64_t counted(std::size_t number) {
    return static_cast<std::int64_t>(number);
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

Values pad(const Call& call) {
    const Shape from = call.to.shape(call[0]);
    const Shape wanted = call.shape();
    const bool is_given = call.has("padding") || call.has("input_tensor_start");
    const std::optional<Integers> low =
        is_given ? rules::begin_in_room(call, from.rank()) : Integers(from.rank(), 0);
    call.require(low.has_value(), "its padding is not known");
    call.require(wanted.rank() == from.rank() && low->size() == from.rank(), "its result has another rank");
    Integers high;
    for (std::size_t i = 0; i < from.rank(); ++i)
        high.push_back(wanted[i] - from[i] - (*low)[i]);
    return call.with_filled_input({call.pad(call[0], *low, high, call.number("value", 0.0))});
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
               {"inserted_window_dims", rules::all_axes(rank)},
               {"scatter_dims_to_operand_dims", rules::all_axes(rank)},
               {"index_vector_dim", counted(rank)}})};
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

Values index_fill(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape shape = to.shape(call[0]);
    const std::int64_t axis = call.axis("dim", 0, shape.rank());
    const ValueId index = to.convert(call[1], ElementType::kI32);
    const std::int64_t count = to.shape(index).elements();
    const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
    // True for each number along the axis that is in the index.
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

Values sort(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call[0];
    const Shape shape = to.shape(x);
    if (shape.rank() == 0) call.refuse("a tensor of no dimension");
    const std::int64_t axis = call.axis("dim", -1, shape.rank());
    const ValueId numbers = call.count(shape, axis, ElementType::kU32);
    const ir::ValueRange sorted =
        to.op("sort", {x, numbers}, {{"axis", axis}, {"descending", call.flag("descending")}});
    return call.with_filled_input({sorted[0], sorted[1]});
}

Values topk(const Call& call) {
    FlatBuilder& to = call.to;
    const std::size_t rank = to.shape(call[0]).rank();
    const std::int64_t axis = call.axis("dim", -1, rank);
    const bool is_largest = call.flag("largest", true);
    ValueId x = call.swap(call.as_float(call[0]), axis, -1);
    if (!is_largest) x = to.op("neg", {x});
    const ir::ValueRange found = to.op("top_k", {x}, {{"k", call.shape()[static_cast<std::size_t>(axis)]}});
    ValueId values = found[0];
    if (!is_largest) values = to.op("neg", {values});
    ValueId places = call.swap(found[1], axis, -1);
    if (const auto numbers = call.find("indices_tensor")) places = call.take_along(*numbers, places, axis);
    return call.with_filled_input({call.swap(values, axis, -1), places});
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

namespace {

// ---- more room around

// Takes the padding from rows where something stands in front: a slice of tiles begins at one.
void unpad_back(Call& call) {
    const Integers begin = begin_in_room(call, call.shape(0).rank()).value();
    Integers end = begin;
    bool is_in_front = false;
    for (std::size_t i = 0; i < end.size(); ++i) {
        end[i] += call.shape(0).dimensions()[i];
        is_in_front = is_in_front || begin[i] != 0;
    }
    Tensor gradient = call.gradient();
    if (is_in_front) gradient = to_layout(ToLayout{.tensor = gradient, .layout = Layout::ROW_MAJOR});
    call.give(0, as_tiles(slice(Slice{.input_tensor = gradient, .slice_start = begin, .slice_end = end})));
}

bool takes_pad(const Call& call) {
    const TensorSpec& input = call.spec(0);
    const std::size_t rank = input.shape.rank();
    const std::optional<Integers> begin = begin_in_room(call, rank);
    return is_floating_point(input.dtype) && !is_block_float(input.dtype) &&
           !input.memory_config.is_sharded() && call.size() == 1 && call.result_spec().shape.rank() == rank &&
           begin && begin->size() == rank;
}

// ---- the same elsewhere

void roll_back(Call& call) {
    Integers shifts = call.integers("shifts").value();
    for (std::int64_t& each : shifts)
        each = -each;
    Roll back{.input_tensor = call.gradient(), .shifts = shifts};
    if (const auto dims = call.integers("dim")) back.dim = *dims;
    call.give(0, roll(back));
}

// ---- repeated: [before, times, extent, behind] or [before, extent, times, behind], summed over the times

enum class Order { kTimesFirst, kTimesLast };

Tensor sum_of_times(const Tensor& gradient, std::size_t axis, std::uint32_t extent, std::uint32_t times,
                    Order order) {
    std::vector<std::uint32_t> shape(gradient.shape().dimensions().begin(),
                                     gradient.shape().dimensions().end());
    std::uint32_t before = 1;
    std::uint32_t behind = 1;
    for (std::size_t i = 0; i < shape.size(); ++i)
        (i < axis ? before : behind) *= i == axis ? 1 : shape[i];
    const bool is_first = order == Order::kTimesFirst;
    const Tensor apart = is_first ? reshaped(gradient, {before, times, extent, behind})
                                  : reshaped(gradient, {before, extent, times, behind});
    shape[axis] = extent;
    return reshaped(sum(Sum{.input_tensor = apart, .dim = is_first ? 1 : 2, .keepdim = false}), Shape(shape));
}

// The one of the two outer dimensions along which it repeats [1, ...], as TT-NN's gradient wants it.
bool is_repeat_of_ttnn(const Call& call) {
    const Shape& from = call.shape(0);
    const Shape& to = call.result_spec().shape;
    if (from.rank() != 4 || to.rank() != 4 || call.spec(0).dtype != DataType::BFLOAT16) return false;
    if (call.spec(0).layout != Layout::TILE || from[2] % 32 != 0 || from[3] % 32 != 0) return false;
    if (from[2] != to[2] || from[3] != to[3] || from[0] != 1) return false;
    const bool first = to[0] != from[0];
    const bool second = to[1] != from[1];
    return first != second && (!second || from[1] == 1);
}

void repeat_back(Call& call) {
    const Shape& from = call.shape(0);
    const Shape& to = call.result_spec().shape;
    if (is_repeat_of_ttnn(call)) {
        give_all(call, repeat_bw(RepeatGradient{.grad_tensor = call.gradient(),
                                                .input_tensor = call.operand(0),
                                                .shape = {to[0] / from[0], to[1] / from[1], 1, 1}}));
        return;
    }
    Tensor gradient = call.gradient();
    const std::size_t added = to.rank() - from.rank();
    for (std::size_t i = 0; i < to.rank(); ++i) {
        const std::uint32_t extent = i < added ? 1 : from.dimensions()[i - added];
        if (to.dimensions()[i] != extent)
            gradient = sum_of_times(gradient, i, extent, to.dimensions()[i] / extent, Order::kTimesFirst);
    }
    call.give(0, reshaped(gradient, from));
}

bool takes_repeat(const Call& call) {
    return is_in_tiles(call.spec(0)) && is_in_tiles(call.result_spec()) &&
           call.result_spec().shape.rank() >= call.shape(0).rank();
}

void repeat_interleave_back(Call& call) {
    const Shape& from = call.shape(0);
    const auto axis = static_cast<std::size_t>(call.axis("dim", 0, from.rank()));
    const std::uint32_t extent = from.dimensions()[axis];
    call.give(0, sum_of_times(call.gradient(), axis, extent,
                              call.result_spec().shape.dimensions()[axis] / extent, Order::kTimesLast));
}

// ---- picked

void stack_back(Call& call) {
    const Shape& to = call.result_spec().shape;
    const auto axis = static_cast<std::size_t>(call.axis("dim", 0, to.rank()));
    for (std::size_t i = 0; i < call.size(); ++i) {
        const auto place = static_cast<std::int64_t>(i);
        if (call.wants(i))
            call.give(i, reshaped(part_of(call.gradient(), axis, place, place + 1), call.shape(i)));
    }
}

template <const auto& kTriangle>
void triangle_back(Call& call) {
    call.give(0, kTriangle(call.gradient(), call.integer("diagonal", 0)));
}

void add_at(Call& call, std::int64_t dim, const Tensor& index) {
    const TensorSpec& input = call.spec(0);
    // TT-NN's program takes no float32 in tiles.
    const auto placed = [&](const Tensor& tensor) {
        if (input.dtype != DataType::FLOAT32) return tensor;
        return to_layout(ToLayout{.tensor = tensor, .layout = Layout::ROW_MAJOR});
    };
    const Tensor zeros = filled(input.shape, input.dtype, call.recorded().operands[0].device(), 0.0F);
    call.give(
        0, as_tiles(scatter_add(ScatterAdd{
               .input = placed(zeros), .dim = dim, .index = placed(index), .src = placed(call.gradient())})));
}

void gather_back(Call& call) {
    add_at(call, call.axis("dim", 0, call.shape(0).rank()), call.operand("index"));
}

// The second result says where the elements of the first were.
void order_back(Call& call) {
    if (!call.has_gradient(0)) return;
    add_at(call, call.axis("dim", -1, call.shape(0).rank()), call.result(1));
}

bool takes_picking(const Call& call) {
    return is_in_tiles(call.spec(0)) && call.shape(0).rank() <= 4 && is_in_tiles(call.result_spec());
}

bool takes_order(const Call& call) {
    return takes_picking(call) && call.size() == 1 && call.result_count() == 2;
}

bool takes_tiles(const Call& call) {
    return is_in_tiles(call.spec(0)) && is_in_tiles(call.result_spec());
}

bool takes_roll(const Call& call) {
    return takes_tiles(call) && call.has("shifts");
}

bool reads_repeated(const Call& call, std::size_t /*operand*/) {
    return is_repeat_of_ttnn(call);
}

}  // namespace

std::vector<Rule> selection_rules() {
    const Gradient order{"result1", order_back, takes_order};
    return {
        {"pad", {"input_tensor", lowering::pad}, {"", unpad_back, takes_pad}},
        {"roll", {"input_tensor", lowering::roll}, {"", roll_back, takes_roll}},
        {"repeat",
         {"input_tensor", lowering::repeat},
         {"input_tensor", repeat_back, takes_repeat, reads_repeated}},
        {"repeat_interleave",
         {"input_tensor", lowering::repeat_interleave},
         {"", repeat_interleave_back, takes_tiles}},
        {"stack", {"input_tensors", lowering::stack}, {"", stack_back, takes_tiles}},
        {"tril", {"input_tensor", with(lowering::triangle, true)}, {"", triangle_back<tril>, takes_tiles}},
        {"triu", {"input_tensor", with(lowering::triangle, false)}, {"", triangle_back<triu>, takes_tiles}},
        {"gather", {"input index out", lowering::gather}, {"index", gather_back, takes_picking}},
        {"sort", {"input_tensor", lowering::sort}, order},
        {"topk", {"input_tensor indices_tensor", lowering::topk}, order},
        {"scatter", {"input index src", with(lowering::scatter, "scatter")}},
        {"scatter_add", {"input index src", with(lowering::scatter, "scatter_add")}},
        {"index_fill", {"input index", lowering::index_fill}},
    };
}

}  // namespace tilemeter::trace::rules
