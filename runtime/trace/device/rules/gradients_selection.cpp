// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elements that are picked, repeated or put into more room: gradients are added up where their elements came from.

#include <cctype>

#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/roll.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/moreh/repeat_backward.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

bool is_in_tiles(const TensorSpec& spec) {
    return spec.layout == Layout::TILE &&
           (spec.dtype == DataType::BFLOAT16 || spec.dtype == DataType::FLOAT32) &&
           !spec.memory_config.is_sharded();
}

// ---- more room around

// Of "[2, 0]": 2.
std::int64_t first_number(std::string_view text) {
    std::int64_t number = 0;
    bool is_in_number = false;
    for (const char each : text) {
        const bool is_digit = std::isdigit(static_cast<unsigned char>(each)) != 0;
        if (!is_digit && is_in_number) break;
        if (is_digit) number = number * 10 + (each - '0');
        is_in_number = is_digit;
    }
    return number;
}

// Where the operand begins in the result.
std::optional<Integers> begin_in_room(const Call& call) {
    const std::size_t rank = call.shape(0).rank();
    if (call.size() != 1 || call.result_spec().shape.rank() != rank) return std::nullopt;
    Integers begin(rank, 0);
    if (const auto padding = call.find_argument("padding")) {
        const auto* const pairs = std::get_if<ir::Strings>(&*padding);
        if (pairs == nullptr || pairs->size() > rank) return std::nullopt;
        for (std::size_t i = 0; i < pairs->size(); ++i)
            begin[rank - pairs->size() + i] = first_number((*pairs)[i]);
        return begin;
    }
    const std::optional<Integers> start = call.integers("input_tensor_start");
    return start && start->size() == rank ? start : std::nullopt;
}

// Of rows where something stands in front: a slice of tiles begins at one.
void unpad_back(Call& call) {
    const Integers begin = begin_in_room(call).value();
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
    return is_floating_point(call.spec(0).dtype) && !is_block_float(call.spec(0).dtype) &&
           !call.spec(0).memory_config.is_sharded() && begin_in_room(call).has_value();
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
        const std::vector<OptionalTensor> gradients =
            repeat_bw(RepeatGradient{.grad_tensor = call.gradient(),
                                     .input_tensor = call.operand(0),
                                     .shape = {to[0] / from[0], to[1] / from[1], 1, 1}});
        call.give(0, gradients.at(0).value());
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
        if (!call.wants(i)) continue;
        Integers begin(to.rank(), 0);
        Integers end = extents_of(to);
        begin[axis] = static_cast<std::int64_t>(i);
        end[axis] = begin[axis] + 1;
        const Tensor part =
            slice(Slice{.input_tensor = call.gradient(), .slice_start = begin, .slice_end = end});
        call.give(i, reshaped(part, call.shape(i)));
    }
}

template <const auto& kTriangle>
void triangle_back(Call& call) {
    call.give(0, kTriangle(call.gradient(), static_cast<std::int64_t>(call.number("diagonal", 0))));
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
    return takes_picking(call) && call.size() == 1 && call.recorded().results.size() == 2;
}

bool takes_tiles(const Call& call) {
    return is_in_tiles(call.spec(0)) && is_in_tiles(call.result_spec());
}

}  // namespace

std::vector<Rule> selection_rules() {
    return {
        {"pad", "", unpad_back, takes_pad},
        {"roll", "", roll_back,
         [](const Call& call) { return takes_tiles(call) && call.integers("shifts").has_value(); }},
        {"repeat", "input_tensor", repeat_back, takes_repeat,
         [](const Call& call, std::size_t /*operand*/) { return is_repeat_of_ttnn(call); }},
        {"repeat_interleave", "", repeat_interleave_back, takes_tiles},
        {"stack", "", stack_back, takes_tiles},
        {"tril", "", triangle_back<tril>, takes_tiles},
        {"triu", "", triangle_back<triu>, takes_tiles},
        {"gather", "index", gather_back, takes_picking},
        {"sort", "result1", order_back, takes_order},
        {"topk", "result1", order_back, takes_order},
    };
}

}  // namespace tilemeter::trace::backward
