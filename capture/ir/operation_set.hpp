// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The interface to operations, which a graph only names: a table that whoever knows them hands in. There are two
// sets, "call" (operations as people write them) and "flat" (primitives, 1:1 with StableHLO).
//
//   OperationSet set("flat");
//   set.add({.name = "mul", .operands = {2, 2}, .infer = infer_elementwise});
//   const ValueId y = add_op(graph, set, "mul", {x, x});
//
// Thread safety: const functions may be called from any thread, all else needs outside locking.

#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

/// The numbers of operands that an operation may have.
struct Arity {
    static constexpr std::uint32_t kAny = ~std::uint32_t{0};

    std::uint32_t least = 0;
    std::uint32_t most = kAny;

    [[nodiscard]] bool admits(std::size_t count) const { return least <= count && count <= most; }
};

/// "2", "1 to 3", "at least 1".
std::string text_of(const Arity& arity);

struct AttributeRule {
    std::string name;
    AttributeKind kind;
    bool required = true;
};

/// The effects of an equation beyond its results.
enum class Effects : std::uint8_t {
    kNone,     ///< nothing: without a use it may go, and two equal ones are one
    kOrdered,  ///< something that can be seen: it stays, and keeps its place among others of the kind
};

/// The way in which an operation runs its subgraphs, for passes and the verifier (control.hpp).
enum class Control : std::uint8_t {
    kNone,    ///< holds none
    kCall,    ///< "body" over the operands; its results are the equation's
    kBranch,  ///< operand 0 chooses: a bool "then" or "else", an integer (clamped) "branch_0", "branch_1", ...
    kWhile,   ///< "cond" and "body" over consts and carry
    kScan,    ///< "body" over consts, carry and slices of the inputs
};

/// One use of an operation, as its infer function sees it.
struct OperationUse {
    const Graph& graph;
    std::span<const ValueId> operands;
    const Attributes& attributes;
    std::span<const Subgraph> subgraphs;

    [[nodiscard]] std::size_t size() const { return operands.size(); }
    /// REQUIRES: i < size()
    [[nodiscard]] const TensorType& type(std::size_t i) const { return graph.type(operands[i]); }
    /// Null if the operand is no constant.
    [[nodiscard]] const Constant* constant(std::size_t i) const { return graph.constant(operands[i]); }
    /// Null if there is none of this name.
    [[nodiscard]] const Graph* subgraph(std::string_view name) const;
};

/// Appends the types of the results to `types`. Arity, attributes and subgraph names are checked before. Throws
/// Error, or another std::exception, with a text of one line that says what was expected and found.
using Infer = std::function<void(const OperationUse& use, std::vector<TensorType>& types)>;

struct Operation {
    std::string name;
    Arity operands{};
    Arity results{1, 1};
    std::vector<AttributeRule> attributes{};
    bool any_attributes = false;  ///< those that have no rule are allowed, too
    Effects effects = Effects::kNone;
    Control control = Control::kNone;
    bool can_inline = false;  ///< kCall only: its body may take its place
    Infer infer{};  ///< none: of a holder what control.hpp infers; else types are what they were recorded as
};

class OperationSet {
public:
    /// `more` knows operations that are not added here, such as those that programs register while they run; null
    /// for others. It may be asked in any thread.
    using More = std::function<const Operation*(std::string_view name)>;
    explicit OperationSet(std::string name, More more = {})
        : name_(std::move(name)), more_(std::move(more)) {}

    /// The reference stays valid for the life of the set. Throws std::invalid_argument if there is one of this
    /// name.
    const Operation& add(Operation operation);

    /// Null if there is none.
    [[nodiscard]] const Operation* find(std::string_view name) const;
    /// Throws Error (kUnknownOperation), which names the set.
    [[nodiscard]] const Operation& at(std::string_view name) const;

    [[nodiscard]] const std::string& name() const { return name_; }
    /// In the order they were added, without those that `more` knows.
    [[nodiscard]] std::span<const std::unique_ptr<const Operation>> operations() const { return operations_; }

private:
    std::string name_;
    More more_;
    std::vector<std::unique_ptr<const Operation>> operations_;
    std::unordered_map<std::string_view, const Operation*> by_name_;  ///< keys are the operations' own names
};

/// The operation behind each of graph.operations(), null where the set has none.
std::vector<const Operation*> operations_of(const Graph& graph, const OperationSet& set);

/// Checks number of operands, attributes and subgraph names. Throws Error.
void check_use(const Operation& operation, const OperationUse& use);

/// The types of the results, appended to `types`. Throws what the infer function throws, and Error (kWrongArity).
/// REQUIRES: check_use() passes; the operation has an infer function or holds subgraphs
void infer(const Operation& operation, const OperationUse& use, std::vector<TensorType>& types);

/// Appends an equation, checked, its types inferred. Throws Error and what the infer function throws; the graph
/// is then as before.
ValueRange add_op(Graph& graph, const Operation& operation, std::span<const ValueId> operands,
                  const Attributes& attributes = {}, std::span<const Subgraph> subgraphs = {},
                  const Location& location = {});
ValueRange add_op(Graph& graph, const OperationSet& set, std::string_view operation,
                  std::initializer_list<ValueId> operands, const Attributes& attributes = {},
                  std::span<const Subgraph> subgraphs = {}, const Location& location = {});

}  // namespace tilemeter::ir
