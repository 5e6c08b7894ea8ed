// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/lowering_call.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "capture/ir/error.hpp"

namespace tilemeter::trace::lowering {

ElementType flat_element(ElementType element) {
    if (element == ElementType::kBool || ir::is_signed_integer(element)) return element;
    return ir::is_unsigned_integer(element) ? ElementType::kU32 : ElementType::kF32;
}

Call::Call(FlatBuilder& builder, const ir::Equation& equation, std::string_view tensors,
           std::vector<ValueId> operands)
    : to(builder), equation_(equation), tensors_(tensors), operands_(std::move(operands)) {}

ValueId Call::operator[](std::size_t operand) const {
    if (operand >= operands_.size()) refuse("an operand is missing");
    return operands_[operand];
}

std::optional<ValueId> Call::find(std::string_view parameter) const {
    if (const ir::Attribute* const given = equation_.attributes().find("operands")) {
        const auto& names = std::get<ir::Strings>(*given);
        const auto found = std::ranges::find(names, parameter);
        if (found == names.end()) return std::nullopt;
        return operands_.at(static_cast<std::size_t>(found - names.begin()));
    }
    std::string_view left = tensors_;
    for (std::size_t i = 0; i < operands_.size() && !left.empty(); ++i) {
        const std::string_view name = left.substr(0, left.find(' '));
        if (name == parameter) return operands_[i];
        left.remove_prefix(std::min(left.size(), name.size() + 1));
    }
    return std::nullopt;
}

ValueId Call::tensor(std::string_view parameter) const {
    const std::optional<ValueId> found = find(parameter);
    if (!found) refuse(std::string(parameter) + " is missing: it is not given, or lies on the host");
    return *found;
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

bool Call::is_sharded(std::size_t operand) const {
    const std::optional<ir::Place>& place = equation_.graph().type(equation_.operands()[operand]).place;
    return place && place->memory_config.find("SHARDED") != std::string::npos;
}

std::optional<double> Call::find_number(std::string_view argument) const {
    const ir::Attribute* const found = equation_.attributes().find(argument);
    if (found == nullptr) return std::nullopt;
    if (const auto* integer = std::get_if<std::int64_t>(found)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(found)) return *real;
    if (const auto* truth = std::get_if<bool>(found)) return *truth ? 1.0 : 0.0;
    return std::nullopt;
}

double Call::number(std::string_view argument) const {
    const std::optional<double> found = find_number(argument);
    if (!found) refuse(std::string(argument) + " is missing");
    return *found;
}

double Call::number(std::string_view argument, double otherwise) const {
    return find_number(argument).value_or(otherwise);
}

std::int64_t Call::integer(std::string_view argument, std::int64_t otherwise) const {
    return static_cast<std::int64_t>(number(argument, static_cast<double>(otherwise)));
}

bool Call::flag(std::string_view argument, bool otherwise) const {
    return number(argument, otherwise ? 1.0 : 0.0) != 0.0;
}

std::string Call::text(std::string_view argument) const {
    const ir::Attribute* const found = equation_.attributes().find(argument);
    const auto* const text = found == nullptr ? nullptr : std::get_if<std::string>(found);
    return text == nullptr ? std::string() : *text;
}

std::optional<Integers> Call::integers(std::string_view argument) const {
    const ir::Attribute* const found = equation_.attributes().find(argument);
    if (found == nullptr) return std::nullopt;
    if (const auto* list = std::get_if<Integers>(found)) return *list;
    if (const auto* one = std::get_if<std::int64_t>(found)) return Integers{*one};
    refuse(std::string(argument) + " is no list of integers");
}

std::vector<double> Call::numbers(std::string_view argument) const {
    const ir::Attribute* const found = equation_.attributes().find(argument);
    if (found == nullptr) return {};
    if (const auto* list = std::get_if<ir::Floats>(found)) return {list->begin(), list->end()};
    if (const auto* list = std::get_if<Integers>(found)) return {list->begin(), list->end()};
    return {number(argument)};
}

const ir::Booleans* Call::booleans(std::string_view argument) const {
    const ir::Attribute* const found = equation_.attributes().find(argument);
    return found == nullptr ? nullptr : std::get_if<ir::Booleans>(found);
}

std::vector<std::string> Call::texts(std::string_view argument) const {
    const ir::Attribute* const found = equation_.attributes().find(argument);
    if (found == nullptr) return {};
    if (const auto* list = std::get_if<ir::Strings>(found)) return {list->begin(), list->end()};
    return {text(argument)};
}

std::int64_t Call::axis(std::string_view argument, std::int64_t otherwise, std::size_t rank) const {
    const std::int64_t axis = integer(argument, otherwise);
    return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}

void Call::refuse(const std::string& why) const {
    throw ir::Error(ir::ErrorKind::kNoRule, name() + ": no lower rule for such a call: " + why);
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

std::vector<ValueId> Call::parts(ValueId value) const {
    const auto cut = axis("dim", 0, to.shape(value).rank());
    std::vector<ValueId> made;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < result_count(); ++i) {
        const std::int64_t extent = shape(i)[static_cast<std::size_t>(cut)];
        made.push_back(slice(value, cut, at, at + extent));
        at += extent;
    }
    return made;
}

ValueId Call::concat(const std::vector<ValueId>& values, std::int64_t axis) const {
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
    Integers dims(rank);
    std::iota(dims.begin(), dims.end(), 0);
    const auto last = static_cast<std::int64_t>(rank) + 1;
    return to.op("dot_general", {a, b},
                 {{"lhs_batch", dims},
                  {"rhs_batch", dims},
                  {"lhs_contract", Integers{last}},
                  {"rhs_contract", Integers{last - 1}}});
}

ValueId Call::swap(ValueId value, std::int64_t a, std::int64_t b) const {
    Integers perm(to.shape(value).rank());
    std::iota(perm.begin(), perm.end(), 0);
    const auto rank = static_cast<std::int64_t>(perm.size());
    std::swap(perm[static_cast<std::size_t>(a < 0 ? a + rank : a)],
              perm[static_cast<std::size_t>(b < 0 ? b + rank : b)]);
    return to.transpose(value, perm);
}

ValueId Call::count(const Shape& shape, std::int64_t axis, ElementType element) const {
    return to.op("iota", {},
                 {{"shape", Integers(shape.begin(), shape.end())}, {"dim", axis}, {"dtype", element}});
}

ValueId Call::softmax(ValueId value, std::int64_t axis) const {
    const Shape shape = to.shape(value);
    // The result does not depend on what is subtracted, so its derivative is left out.
    const ValueId largest =
        to.op("copy", {to.reduce("reduce_max", value, {axis}, true)}, {{"stop_gradient", true}});
    const ValueId powers = to.op("exp", {to.sub(value, to.broadcast(largest, shape))});
    return to.div(powers, to.broadcast(to.reduce("reduce_sum", powers, {axis}, true), shape));
}

ValueId Call::mean(ValueId value, const Integers& axes) const {
    double count = 1;
    for (const std::int64_t axis : axes)
        count *= static_cast<double>(to.shape(value)[static_cast<std::size_t>(axis)]);
    return to.mul(to.reduce("reduce_sum", value, axes, true), 1.0 / count);
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
    Integers axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
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

}  // namespace tilemeter::trace::lowering
