// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/lowering_call.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/types/dtype.hpp"

namespace tilemeter::trace::lowering {

ElementType flat_element(ElementType element) {
    if (element == ElementType::kBool || ir::is_signed_integer(element)) return element;
    return ir::is_unsigned_integer(element) ? ElementType::kU32 : ElementType::kF32;
}

double count_of(const Shape& shape, const Integers& axes) {
    double count = 1;
    for (const std::int64_t axis : axes)
        count *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
    return count;
}

Call::Call(FlatBuilder& builder, const ir::Equation& equation, std::string_view tensors, Values operands)
    : CallReader("lower"),
      to(builder),
      equation_(equation),
      tensors_(tensors),
      operands_(std::move(operands)) {}

ValueId Call::operator[](std::size_t operand) const {
    if (operand >= operands_.size()) refuse("an operand is missing");
    return operands_[operand];
}

std::optional<ValueId> Call::find(std::string_view parameters) const {
    const std::optional<std::size_t> found = position(parameters);
    return found ? std::optional(operands_.at(*found)) : std::nullopt;
}

std::string_view Call::parameter(std::size_t operand) const {
    if (const ir::Attribute* const given = equation_.attributes().find("operands")) {
        const auto& names = std::get<ir::Strings>(*given);
        return operand < names.size() ? std::string_view(names[operand]) : std::string_view();
    }
    std::string_view found;
    std::size_t number = 0;
    rules::for_each_name(tensors_, ' ', [&](std::string_view name) {
        if (number++ == operand) found = name;
    });
    return found;
}

TensorType Call::type(std::size_t result) const {
    const TensorType given = equation_.graph().type(equation_.results()[result]);
    return {flat_element(given.element), given.shape, {}};
}

ElementType Call::element_on_device(std::size_t operand) const {
    return equation_.graph().type(equation_.operands()[operand]).element;
}

ElementType Call::result_on_device(std::size_t result) const {
    return equation_.graph().type(equation_.results()[result]).element;
}

const std::optional<ir::Place>& Call::place(std::size_t operand) const {
    return equation_.graph().type(equation_.operands()[operand]).place;
}

bool Call::is_sharded(std::size_t operand) const {
    return place(operand) && place(operand)->memory_config.find("SHARDED") != std::string::npos;
}

bool Call::is_in_tiles(std::size_t operand) const {
    return place(operand) && place(operand)->layout == name_of(Layout::TILE);
}

ValueId Call::as_result(ValueId value, std::size_t result) const {
    return to.convert(value, type(result).element);
}

ValueId Call::reshape_to_result(ValueId value, std::size_t result) const {
    require(to.shape(value).elements() == shape(result).elements(), "its result has padding of its own");
    return to.reshape(value, shape(result));
}

ValueId Call::slice(ValueId value, const Integers& begins, const Integers& ends,
                    const Integers& steps) const {
    const Shape from = to.shape(value);
    bool is_whole = true;
    for (std::size_t i = 0; i < from.rank(); ++i)
        is_whole = is_whole && begins[i] == 0 && ends[i] == from[i] && (steps.empty() || steps[i] == 1);
    if (is_whole) return value;
    ir::Attributes attributes{{"starts", begins}, {"limits", ends}};
    if (!steps.empty()) attributes.set("strides", steps);
    return to.op("slice", {value}, attributes);
}

ValueId Call::slice(ValueId value, std::int64_t axis, std::int64_t begin, std::int64_t end) const {
    const Shape from = to.shape(value);
    Integers begins(from.rank(), 0);
    Integers ends(from.begin(), from.end());
    begins[static_cast<std::size_t>(axis)] = begin;
    ends[static_cast<std::size_t>(axis)] = end;
    return slice(value, begins, ends);
}

Values Call::parts(ValueId value) const {
    const auto cut = axis("dim", 0, to.shape(value).rank());
    Values made;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < result_count(); ++i) {
        const std::int64_t extent = shape(i)[static_cast<std::size_t>(cut)];
        made.push_back(slice(value, cut, at, at + extent));
        at += extent;
    }
    return made;
}

ValueId Call::concat(const Values& values, std::int64_t axis) const {
    return values.size() == 1 ? values[0] : ValueId(to.op("concatenate", values, {{"axis", axis}}));
}

ValueId Call::pad(ValueId value, const Integers& low, const Integers& high, double with) const {
    const auto is_zero = [](std::int64_t each) { return each == 0; };
    if (std::ranges::all_of(low, is_zero) && std::ranges::all_of(high, is_zero)) return value;
    return to.op("pad", {value, to.scalar(to.element(value), with)}, {{"low", low}, {"high", high}});
}

ValueId Call::matmul(ValueId a, ValueId b) const {
    const Shape left = to.shape(a);
    const Shape right = to.shape(b);
    require(left.rank() >= 2 && right.rank() >= 2, "found an operand of rank 1");
    Shape batch;
    const std::size_t rank = std::max(left.rank(), right.rank()) - 2;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto dim = [&](const Shape& shape) {
            const std::size_t missing = rank + 2 - shape.rank();
            return i < missing ? std::int64_t{1} : shape[i - missing];
        };
        batch.push_back(std::max(dim(left), dim(right)));
    }
    const auto spread = [&](ValueId value, const Shape& shape) {
        Shape wanted = batch;
        for (const std::int64_t dim : shape.dims().last(2))
            wanted.push_back(dim);
        return to.broadcast(value, wanted);
    };
    a = spread(a, left);
    b = spread(b, right);
    const Integers dims = rules::all_axes(rank);
    const auto last = static_cast<std::int64_t>(rank) + 1;
    return to.op("dot_general", {a, b},
                 {{"lhs_batch", dims},
                  {"rhs_batch", dims},
                  {"lhs_contract", Integers{last}},
                  {"rhs_contract", Integers{last - 1}}});
}

ValueId Call::swap(ValueId value, std::int64_t a, std::int64_t b) const {
    Integers perm = rules::all_axes(to.shape(value).rank());
    const auto rank = static_cast<std::int64_t>(perm.size());
    std::swap(perm[static_cast<std::size_t>(a < 0 ? a + rank : a)],
              perm[static_cast<std::size_t>(b < 0 ? b + rank : b)]);
    return to.transpose(value, perm);
}

ValueId Call::count(const Shape& shape, std::int64_t axis, ElementType element) const {
    return to.op("iota", {},
                 {{"shape", Integers(shape.begin(), shape.end())}, {"dim", axis}, {"dtype", element}});
}

ValueId Call::largest(ValueId value, std::int64_t axis) const {
    return to.op("copy", {to.reduce("reduce_max", value, {axis}, true)}, {{"stop_gradient", true}});
}

double Call::scale_of_scores(ValueId queries) const {
    return number("scale", 1.0 / std::sqrt(static_cast<double>(to.shape(queries)[3])));
}

ValueId Call::scores(ValueId queries, ValueId keys) const {
    return to.mul(matmul(queries, swap(keys, -2, -1)), scale_of_scores(queries));
}

ValueId Call::softmax(ValueId value, std::int64_t axis) const {
    const Shape shape = to.shape(value);
    const ValueId powers = to.op("exp", {to.sub(value, to.broadcast(largest(value, axis), shape))});
    return to.div(powers, to.broadcast(to.reduce("reduce_sum", powers, {axis}, true), shape));
}

ValueId Call::mean(ValueId value, const Integers& axes) const {
    return to.mul(to.reduce("reduce_sum", value, axes, true), 1.0 / count_of(to.shape(value), axes));
}

ValueId Call::rows(ValueId table, ValueId numbers) const {
    const Shape from = to.shape(table);
    const auto rank = static_cast<std::int64_t>(to.shape(numbers).rank());
    Integers offsets;
    Integers sizes{1};
    for (std::size_t i = 1; i < from.rank(); ++i) {
        offsets.push_back(rank + static_cast<std::int64_t>(i) - 1);
        sizes.push_back(from[i]);
    }
    return to.op("gather", {table, numbers},
                 {{"offset_dims", offsets},
                  {"collapsed_slice_dims", Integers{0}},
                  {"start_index_map", Integers{0}},
                  {"index_vector_dim", rank},
                  {"slice_sizes", sizes}});
}

ValueId Call::places(ValueId index, std::int64_t axis) const {
    const Shape shape = to.shape(index);
    const auto rank = static_cast<std::int64_t>(shape.rank());
    Shape column = shape;
    column.push_back(1);
    std::vector<ValueId> parts;
    for (std::int64_t i = 0; i < rank; ++i) {
        const ValueId number =
            i == axis ? to.convert(index, ElementType::kI32) : count(shape, i, ElementType::kI32);
        parts.push_back(to.reshape(number, column));
    }
    return concat(parts, rank);
}

ValueId Call::take_along(ValueId value, ValueId index, std::int64_t axis) const {
    const std::size_t rank = to.shape(value).rank();
    const Integers axes = rules::all_axes(rank);
    return to.op("gather", {value, places(index, axis)},
                 {{"offset_dims", Integers{}},
                  {"collapsed_slice_dims", axes},
                  {"start_index_map", axes},
                  {"index_vector_dim", static_cast<std::int64_t>(rank)},
                  {"slice_sizes", Integers(rank, 1)}});
}

ValueId Call::repeat_heads(ValueId value, std::int64_t heads) const {
    const Shape shape = to.shape(value);
    if (shape[1] == heads) return value;
    const std::int64_t times = heads / shape[1];
    const ValueId apart = to.reshape(value, {shape[0], shape[1], 1, shape[2], shape[3]});
    const ValueId wide = to.broadcast(apart, {shape[0], shape[1], times, shape[2], shape[3]});
    return to.reshape(wide, {shape[0], heads, shape[2], shape[3]});
}

Values Call::with_filled_input(Values values) const {
    if (values.size() < result_count() && size() == 1) values.push_back(operands_[0]);
    return values;
}

}  // namespace tilemeter::trace::lowering
