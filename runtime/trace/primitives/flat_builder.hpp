// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Writes formulas as equations of flat primitives: what lowering, and later derivatives, are made of.
//
//   FlatBuilder to(graph);
//   const ValueId y = to.mul(x, to.op("logistic", {x}));          // silu
//
// Thread safety: outside locking.

#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "capture/ir/operation_set.hpp"

namespace tilemeter::trace {

class FlatBuilder {
public:
    using ValueId = ir::ValueId;

    /// REQUIRES: the graph lives as long as the builder
    explicit FlatBuilder(ir::Graph& graph, ir::Location location = {});

    [[nodiscard]] ir::Graph& graph() const { return *graph_; }
    /// A copy: references into a graph do not survive the next equation.
    [[nodiscard]] ir::TensorType type(ValueId value) const { return graph_->type(value); }
    [[nodiscard]] ir::ElementType element(ValueId value) const { return graph_->type(value).element; }
    [[nodiscard]] ir::Shape shape(ValueId value) const { return graph_->type(value).shape; }

    /// Any primitive. Throws as ir::add_op().
    ir::ValueRange op(std::string_view primitive, std::span<const ValueId> operands,
                      const ir::Attributes& attributes = {}, std::span<const ir::Subgraph> subgraphs = {});
    ir::ValueRange op(std::string_view primitive, std::initializer_list<ValueId> operands,
                      const ir::Attributes& attributes = {}) {
        return op(primitive, std::span(operands.begin(), operands.size()), attributes);
    }

    // ---- sources
    ValueId scalar(ir::ElementType element, double value);
    /// A scalar: a constant, or an equation where the dimension has no number yet.
    ValueId dimension(ir::Dim dim, ir::ElementType element);
    /// A tensor of this type, all elements of this value.
    ValueId full(const ir::TensorType& type, double value);
    ValueId full_like(ValueId value, double number) { return full(type(value), number); }

    // ---- elementwise, operands of one type; a number stands for a tensor like the other operand
    ValueId add(ValueId a, ValueId b) { return op("add", {a, b}); }
    ValueId sub(ValueId a, ValueId b) { return op("sub", {a, b}); }
    ValueId mul(ValueId a, ValueId b) { return op("mul", {a, b}); }
    ValueId div(ValueId a, ValueId b) { return op("div", {a, b}); }
    ValueId add(ValueId a, double b) { return add(a, full_like(a, b)); }
    ValueId sub(ValueId a, double b) { return sub(a, full_like(a, b)); }
    ValueId mul(ValueId a, double b) { return mul(a, full_like(a, b)); }
    ValueId div(ValueId a, double b) { return div(a, full_like(a, b)); }
    ValueId compare(std::string_view direction, ValueId a, ValueId b);
    ValueId select(ValueId predicate, ValueId a, ValueId b) { return op("select", {predicate, a, b}); }

    // ---- types and shapes; the value itself where nothing changes
    ValueId convert(ValueId value, ir::ElementType element);
    /// To bool: whether it is not 0.
    ValueId truth(ValueId value);
    ValueId reshape(ValueId value, const ir::Shape& shape);
    /// By NumPy's rules: new axes come first, extents of 1 repeat.
    ValueId broadcast(ValueId value, const ir::Shape& shape);
    ValueId transpose(ValueId value, const ir::Integers& perm);

    /// reduce_sum and so on over axes counted from 0; keep: they stay, with extent 1.
    ValueId reduce(std::string_view primitive, ValueId value, const ir::Integers& axes, bool keep);

private:
    ir::Graph* graph_;
    ir::Location location_;
};

}  // namespace tilemeter::trace
