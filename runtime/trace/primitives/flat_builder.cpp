// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/flat_builder.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {

using ir::Integers;
using ir::Shape;
using ir::TensorType;

FlatBuilder::FlatBuilder(ir::Graph& graph, ir::Location location)
    : graph_(&graph), location_(std::move(location)) {}

// Formulas are mostly of operands that fit: nothing is to be inferred, then.
ir::ValueRange FlatBuilder::op(std::string_view primitive, std::span<const ValueId> operands,
                               const ir::Attributes& attributes, std::span<const ir::Subgraph> subgraphs) {
    const auto fits = [&] {
        const internal::Primitive* const row = internal::find_primitive(primitive);
        if (row == nullptr || !row->is_of_one_type || operands.size() != row->operands.least) return false;
        const std::uint32_t type = graph_->type_number(operands[0]);
        return ir::is_float(graph_->type(operands[0]).element) &&
               std::ranges::all_of(operands, [&](ValueId each) { return graph_->type_number(each) == type; });
    };
    if (!operands.empty() && attributes.empty() && fits())
        return {graph_->append_like(primitive, operands, operands[0], location_), 1};
    return add_op(*graph_, flat_operations().at(primitive), operands, attributes, subgraphs, location_);
}

ir::ValueId FlatBuilder::scalar(ir::ElementType element, double value) {
    return graph_->add_const(ir::Constant::scalar(element, value));
}

ir::ValueId FlatBuilder::dimension(ir::Dim dim, ir::ElementType element) {
    if (dim.is_number()) return scalar(element, static_cast<double>(dim.value()));
    return op("dimension", {}, {{"of", dim.value()}, {"dtype", element}});
}

ir::ValueId FlatBuilder::full(const TensorType& type, double value) {
    if (type.shape.rank() == 0) return scalar(type.element, value);
    return op("full", {},
              {{"shape", Integers(type.shape.begin(), type.shape.end())},
               {"value", value},
               {"dtype", type.element}});
}

ir::ValueId FlatBuilder::compare(std::string_view direction, ValueId a, ValueId b) {
    return op("compare", {a, b}, {{"direction", std::string(direction)}});
}

ir::ValueId FlatBuilder::convert(ValueId value, ir::ElementType to) {
    if (element(value) == to) return value;
    if (to == ir::ElementType::kBool) return truth(value);
    return op("convert", {value}, {{"dtype", to}});
}

ir::ValueId FlatBuilder::truth(ValueId value) {
    if (element(value) == ir::ElementType::kBool) return value;
    return compare("NE", value, full_like(value, 0));
}

ir::ValueId FlatBuilder::reshape(ValueId value, const Shape& to) {
    if (shape(value) == to) return value;
    return op("reshape", {value}, {{"shape", Integers(to.begin(), to.end())}});
}

ir::ValueId FlatBuilder::broadcast(ValueId value, const Shape& to) {
    const Shape from = shape(value);
    if (from == to) return value;
    Integers dims(from.rank());
    std::iota(dims.begin(), dims.end(), static_cast<std::int64_t>(to.rank() - from.rank()));
    return op("broadcast_in_dim", {value}, {{"shape", Integers(to.begin(), to.end())}, {"dims", dims}});
}

ir::ValueId FlatBuilder::transpose(ValueId value, const Integers& perm) {
    if (std::ranges::is_sorted(perm)) return value;
    return op("transpose", {value}, {{"perm", perm}});
}

ir::ValueId FlatBuilder::reduce(std::string_view primitive, ValueId value, const Integers& axes, bool keep) {
    Shape kept = shape(value);
    for (const std::int64_t axis : axes)
        kept[static_cast<std::size_t>(axis)] = 1;
    const ValueId reduced = axes.empty() ? value : ValueId(op(primitive, {value}, {{"axes", axes}}));
    return keep ? reshape(reduced, kept) : reduced;
}

}  // namespace tilemeter::trace
