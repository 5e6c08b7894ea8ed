// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A graph: parameters, equations in static single assignment, results. What a traced function becomes.
//
//   Graph graph("main");
//   const ValueId x = graph.add_input("x", {ElementType::kF32, {2, 3}});
//   const ValueId two = graph.add_const(Constant::scalar(ElementType::kF32, 2.0));
//   const ValueId y = add_op(graph, operations, "mul", {x, two});      // operation_set.hpp
//   graph.set_results({y});
//
// A value is a parameter, a constant or one result of an equation. A graph is closed: its equations name its own
// values only. An equation may hold subgraphs (the branches of a conditional, the body of a loop), which are
// closed as well and get what they need as arguments; graphs share them and never change them.
//
// Built by add_input(), add_const() and append(), a graph has no cycles. set_operand() makes any graph possible:
// verify.hpp finds what is wrong with one, order.hpp sorts its equations.
//
// Thread safety: const functions may be called from any thread, all else needs outside locking.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "capture/ir/constant.hpp"
#include "capture/ir/dimension.hpp"
#include "capture/ir/internal/interned.hpp"
#include "capture/ir/location.hpp"
#include "capture/ir/type.hpp"

namespace tilemeter::ir {

/// A value of one graph, counted from 0 in the order of their definition.
enum class ValueId : std::uint32_t {};
constexpr std::size_t index_of(ValueId value) {
    return static_cast<std::size_t>(value);
}

/// An operand that set_operand() is to replace, in graphs whose equations do not come in order.
inline constexpr auto kUndefined = static_cast<ValueId>(~std::uint32_t{0});

/// Values with consecutive ids: the results of an equation.
struct ValueRange {
    ValueId first{};
    std::uint32_t count = 0;

    [[nodiscard]] std::size_t size() const { return count; }
    /// REQUIRES: i < size()
    ValueId operator[](std::size_t i) const { return static_cast<ValueId>(index_of(first) + i); }
    /// The only one. Throws Error (kWrongArity) when there are none or several.
    operator ValueId() const;
};

class Graph;
using GraphPtr = std::shared_ptr<const Graph>;

/// A graph that an equation holds, by the name that its operation has for it: "then", "body", "branch_0".
struct Subgraph {
    std::string name;
    GraphPtr graph;
};

enum class ValueKind : std::uint8_t { kParam, kConstant, kResult };

/// The definition of a value.
struct Definition {
    ValueKind kind;
    std::uint32_t index;   ///< into params(), constants() or the equations
    std::uint32_t result;  ///< the number of the result among the equation's

    friend bool operator==(const Definition&, const Definition&) = default;
};

class Equation;
class Equations;

class Graph {
public:
    /// Subgraphs nest at most this deep, so that what walks through them may recurse.
    static constexpr std::uint32_t kMaxDepth = 64;

    /// `operation_set` names the set that the operations are of: "call", "flat"; empty: not said.
    explicit Graph(std::string name = {}, std::string operation_set = {});

    // ---- building

    /// A parameter. Names tell inputs apart: verify() refuses graphs where one is empty or there twice.
    ValueId add_input(std::string_view name, const TensorType& type);

    /// A constant. Small ones and those that share storage are kept once: the same value comes back.
    ValueId add_const(const Constant& constant);

    /// An equation with results of these types, as they are: nothing but the ids is checked. Throws Error
    /// (kUndefinedValue) for an operand that is neither a value of this graph nor kUndefined, kWrongSubgraph for a null one, and
    /// kTooDeep. See add_op() in operation_set.hpp, which infers the types.
    ValueRange append(std::string_view operation, std::span<const ValueId> operands,
                      std::span<const TensorType> types, const Attributes& attributes = {},
                      std::span<const Subgraph> subgraphs = {}, const Location& location = {});

    /// An equation without attributes and subgraphs, whose only result has the type of another value: append() without
    /// a type to look up. REQUIRES: operands and `like` are values of this graph
    ValueId append_like(std::string_view operation, std::span<const ValueId> operands, ValueId like,
                        const Location& location = {});

    /// Throws Error (kUndefinedValue).
    void set_results(std::span<const ValueId> results);
    void set_results(std::initializer_list<ValueId> results) {
        set_results(std::span(results.begin(), results.size()));
    }

    /// Replaces one operand by any value, also one that is defined later or not at all.
    /// REQUIRES: equation < equation_count(), operand < its operands
    void set_operand(std::size_t equation, std::size_t operand, ValueId value);

    /// A name for people to read; an empty one takes it away. Names of other values than parameters need not be
    /// distinct. REQUIRES: value is of this graph
    void set_name(ValueId value, std::string_view name);
    /// The conditions on the sizes of names in dimensions; null: nothing. For the inference of what is appended from
    /// now on.
    void set_constraints(ConstraintsPtr constraints) { constraints_ = std::move(constraints); }
    void set_graph_name(std::string_view name) { name_ = name; }
    void set_operation_set(std::string_view name) { operation_set_ = name; }

    /// Room for this many equations and operands in all.
    void reserve(std::size_t equations, std::size_t operands);

    // ---- reading

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& operation_set() const { return operation_set_; }
    /// Null if there are none.
    [[nodiscard]] const Constraints* constraints() const { return constraints_.get(); }
    [[nodiscard]] const ConstraintsPtr& shared_constraints() const { return constraints_; }
    [[nodiscard]] std::span<const ValueId> params() const { return params_; }
    [[nodiscard]] std::span<const ValueId> results() const { return results_; }
    [[nodiscard]] std::span<const Constant> constants() const { return constants_; }
    [[nodiscard]] Equations equations() const;
    [[nodiscard]] Equation equation(std::size_t index) const;  ///< REQUIRES: index < equation_count()
    [[nodiscard]] std::size_t equation_count() const { return equations_.size(); }
    [[nodiscard]] std::size_t value_count() const { return values_.size(); }
    /// 1 without subgraphs, else one more than the deepest of them.
    [[nodiscard]] std::uint32_t depth() const { return depth_; }

    // REQUIRES of the following: the value is of this graph. References stay valid until the graph is changed.
    [[nodiscard]] std::vector<TensorType> types(std::span<const ValueId> values) const;
    [[nodiscard]] const TensorType& type(ValueId value) const {
        return types_[values_[index_of(value)].type];
    }
    [[nodiscard]] Definition definition(ValueId value) const;
    /// Null if the value is no constant.
    [[nodiscard]] const Constant* constant(ValueId value) const;
    /// Empty if it has none.
    [[nodiscard]] std::string_view name_of(ValueId value) const;

    [[nodiscard]] bool has(ValueId value) const { return index_of(value) < values_.size(); }
    /// The parameter of this name, or null.
    [[nodiscard]] const ValueId* find_input(std::string_view name) const;

    // ---- numbers of what is interned, for tables: equal numbers in one graph mean equal things

    /// Distinct operations in the order in which they came; Equation::operation_number() counts in it.
    [[nodiscard]] std::span<const std::string> operations() const { return operations_.values(); }
    [[nodiscard]] std::uint32_t type_number(ValueId value) const { return values_[index_of(value)].type; }

private:
    friend class Equation;
    friend class GraphCopier;

    struct Record {
        std::uint32_t operation, attributes, location;  // numbers of interned ones
        std::uint32_t first_operand, operand_count;
        ValueId first_result;
        std::uint32_t result_count;
        std::uint32_t first_subgraph, subgraph_count;
    };
    static_assert(sizeof(Record) == 36);

    struct Value {
        std::uint32_t type;
        ValueKind kind : 2;
        std::uint32_t index : 30;
    };
    static_assert(sizeof(Value) == 8);

    ValueId add_value(std::uint32_t type, ValueKind kind, std::size_t index);
    /// Appends interned numbers; without subgraphs.
    ValueRange append_numbers(std::uint32_t operation, std::uint32_t attributes, std::uint32_t location,
                              std::span<const ValueId> operands, std::span<const std::uint32_t> types);

    std::string name_;
    std::string operation_set_;
    std::vector<ValueId> params_;
    std::vector<ValueId> results_;
    std::vector<Record> equations_;
    std::vector<ValueId> operands_;
    std::vector<Value> values_;
    std::vector<Constant> constants_;
    std::vector<Subgraph> subgraphs_;
    std::unordered_map<ValueId, std::string> names_;
    std::unordered_multimap<std::uint64_t, ValueId> known_constants_;  ///< by hash
    internal::Interned<std::string> operations_;
    internal::Interned<TensorType> types_;
    internal::Interned<Attributes> attributes_;
    internal::Interned<Location> locations_;
    ConstraintsPtr constraints_;
    std::uint32_t depth_ = 1;
};

/// One equation of a graph, as a view: copied freely, valid as long as the graph is not changed.
class Equation {
public:
    Equation(const Graph& graph, std::size_t index) : graph_(&graph), index_(index) {}

    [[nodiscard]] const Graph& graph() const { return *graph_; }
    [[nodiscard]] std::size_t index() const { return index_; }
    [[nodiscard]] const std::string& operation() const { return graph_->operations_[record().operation]; }
    [[nodiscard]] std::uint32_t operation_number() const { return record().operation; }
    [[nodiscard]] std::span<const ValueId> operands() const {
        return std::span(graph_->operands_).subspan(record().first_operand, record().operand_count);
    }
    [[nodiscard]] ValueRange results() const { return {record().first_result, record().result_count}; }
    [[nodiscard]] std::vector<TensorType> result_types() const;
    [[nodiscard]] const Attributes& attributes() const { return graph_->attributes_[record().attributes]; }
    [[nodiscard]] std::uint32_t attributes_number() const { return record().attributes; }
    [[nodiscard]] std::span<const Subgraph> subgraphs() const {
        return std::span(graph_->subgraphs_).subspan(record().first_subgraph, record().subgraph_count);
    }
    /// Null if there is none of this name.
    [[nodiscard]] const Graph* subgraph(std::string_view name) const;
    /// An empty one if it has none.
    [[nodiscard]] const Location& location() const { return graph_->locations_[record().location]; }

private:
    [[nodiscard]] const Graph::Record& record() const { return graph_->equations_[index_]; }

    const Graph* graph_;
    std::size_t index_;
};

/// All equations of a graph, in their order.
class Equations {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Equation;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Equation;

        Iterator() = default;
        Iterator(const Graph& graph, std::size_t index) : graph_(&graph), index_(index) {}
        Equation operator*() const { return {*graph_, index_}; }
        Iterator& operator++() {
            ++index_;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

    private:
        const Graph* graph_ = nullptr;
        std::size_t index_ = 0;
    };

    explicit Equations(const Graph& graph) : graph_(&graph) {}
    [[nodiscard]] Iterator begin() const { return {*graph_, 0}; }
    [[nodiscard]] Iterator end() const { return {*graph_, graph_->equation_count()}; }
    [[nodiscard]] std::size_t size() const { return graph_->equation_count(); }
    Equation operator[](std::size_t index) const { return {*graph_, index}; }

private:
    const Graph* graph_;
};

inline Equations Graph::equations() const {
    return Equations(*this);
}
inline Equation Graph::equation(std::size_t index) const {
    return {*this, index};
}

}  // namespace tilemeter::ir
