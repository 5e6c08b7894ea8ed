// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Copies equations from one graph to another: what every pass is made of. The pass decides which equations come
// over and which values stand for others.
//
//   Graph to = ...;
//   GraphCopier copier(from, to);
//   copier.copy_params();
//   for (const Equation equation : from.equations()) copier.copy(equation);   // or map() what replaces a result
//   copier.copy_results();
//
// Thread safety: outside locking.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "capture/ir/graph.hpp"

namespace tilemeter::ir {

/// An empty graph with the name, the operation set and the constraints of another.
Graph graph_like(const Graph& graph);

/// The equations of `from` at the end of `to`, where its parameters are these values. What its results are there.
/// REQUIRES: a value for each parameter
std::vector<ValueId> append_equations(const Graph& from, Graph& to, std::span<const ValueId> arguments);

/// The graph with these results, and without the equations and constants that they do not need: in place, where copying a
/// large graph would take longer. Parameters stay. REQUIRES: the graph is ordered; results are values of it
Graph cut_to(Graph graph, std::span<const ValueId> results);

/// The location of an equation of the graph.
struct LocationOf {
    std::size_t equation;
};

class GraphCopier {
public:
    /// REQUIRES: `from` is not changed and both live as long as the copier
    GraphCopier(const Graph& from, Graph& to);

    /// Parameters with their names, all of them or one.
    void copy_params();
    ValueId copy_param(ValueId param);

    /// The same equation in the new graph, with its location and the names of its results. Operands as by operator().
    ValueRange copy(const Equation& equation);
    /// The same with other subgraphs.
    ValueRange copy(const Equation& equation, std::span<const Subgraph> subgraphs);
    /// The same as one of another operation. REQUIRES: it holds no graphs
    ValueRange copy_as(const Equation& equation, std::string_view operation);

    /// From now on `to` stands where `from` stood. The name of `from` goes over, if `to` is a result without one.
    void map(ValueId from, ValueId to);
    /// The same for all results of an equation. `to`: a ValueRange or a list, at least as many.
    template <class Values>
    void map_results(const Equation& equation, const Values& to) {
        const ValueRange from = equation.results();
        for (std::size_t i = 0; i < from.size(); ++i)
            map(from[i], to[i]);
    }
    [[nodiscard]] bool is_mapped(ValueId from) const;

    /// The value that stands for `from`. A constant is brought over at its first use. Throws Error (kUndefinedValue)
    /// for a value that is neither a constant nor mapped.
    ValueId operator()(ValueId from);
    std::vector<ValueId> operator()(std::span<const ValueId> from);

    /// Results as by operator().
    void copy_results();

private:
    friend ValueRange append_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                                   const Location& location);
    friend ValueRange append_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                                   const LocationOf& location);
    friend Graph cut_to(Graph graph, std::span<const ValueId> results);
    static void cut(Graph& graph, std::span<const ValueId> results);
    static std::uint32_t number_of(Graph& graph, const Location& location);
    static std::uint32_t number_of(Graph& graph, const LocationOf& location);
    static ValueRange appended_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                                     std::uint32_t location);
    ValueRange copy_plain(const Equation& equation, std::string_view other_operation = {});

    static constexpr ValueId kNone = static_cast<ValueId>(~std::uint32_t{0});

    const Graph* from_;
    Graph* to_;
    std::vector<ValueId> map_;
    std::vector<ValueId> operands_;  ///< of the equation that is being copied
    std::vector<TensorType> types_;
    std::vector<std::uint32_t> type_numbers_;

    /// Numbers that what is interned in `from` has in `to`, as far as they are known.
    struct Numbers {
        std::vector<std::uint32_t> operations, types, attributes, locations;
    } numbers_;
};

/// An equation of the graph once more, with other operands: what is interned is not looked up again.
/// REQUIRES: the equation holds no graphs; operands are values of the graph, of the types of its own
ValueRange append_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                        const Location& location);
ValueRange append_again(Graph& graph, std::size_t equation, std::span<const ValueId> operands,
                        const LocationOf& location);

}  // namespace tilemeter::ir
