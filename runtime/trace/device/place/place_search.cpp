// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The primitives that have rules, and their element types.

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "capture/ir/control.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/device/place/place_rule.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {

namespace {

using ir::Control;
using ir::Graph;
using ir::ValueId;
using placement::ElementType;
using placement::NamedRule;
using placement::TensorType;

unsigned elements_of(ElementType element) {
    switch (element) {
        case ElementType::kF64:
        case ElementType::kF32:
        case ElementType::kBF16:
            return placement::kFloats;
        case ElementType::kI32:
            return placement::kSigned;
        case ElementType::kU32:
            return placement::kUnsigned;
        case ElementType::kBool:
            return placement::kBools;
        default:
            return 0;
    }
}

// The part of a type that the device does not have; empty: nothing.
std::string missing_in(const TensorType& type) {
    if (elements_of(type.element) == 0) return std::string(name_of(type.element));
    for (const std::int64_t extent : type.shape)
        if (extent == 0) return "tensors without elements";
    for (const std::int64_t extent : type.shape)
        if (extent > std::int64_t{std::numeric_limits<std::uint32_t>::max()})
            return "extents of more than 32 bits";
    return {};
}

class Search {
public:
    std::vector<std::string> found;

    void look_at(const Graph& graph) {
        for (const ValueId param : graph.params())
            note("parameter", missing_in(graph.type(param)));
        for (const ir::Constant& constant : graph.constants())
            note("constant", missing_in(constant.type()));
        for (const ir::Equation equation : graph.equations()) {
            look_at(equation);
            for (const ir::Subgraph& each : equation.subgraphs())
                look_at(*each.graph);
        }
    }

private:
    void look_at(const ir::Equation& equation) {
        const Graph& graph = equation.graph();
        const std::string& name = equation.operation();
        const ir::Operation* const operation = flat_operations().find(name);
        const bool is_control = operation != nullptr && operation->control != Control::kNone;
        const NamedRule* const rule = placement::find_rule(name);
        if (!is_control && rule == nullptr) return add(name);
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            note(name, missing_in(graph.type(equation.results()[i])));
        if (is_control) return;
        const auto operands = equation.operands();
        const ElementType element =
            graph.type(operands.empty() ? ValueId(equation.results()) : operands[0]).element;
        if ((elements_of(element) & rule->elements) == 0) note(name, std::string(ir::name_of(element)));
    }

    void note(const std::string& what, const std::string& of) {
        if (!of.empty()) add(what + " of " + of);
    }
    void add(const std::string& name) {
        if (std::ranges::find(found, name) == found.end()) found.push_back(name);
    }
};

}  // namespace

const NamedRule* placement::find_rule(std::string_view primitive) {
    static const std::unordered_map<std::string_view, const NamedRule*> kAll = [] {
        std::unordered_map<std::string_view, const NamedRule*> all;
        for (const std::span<const NamedRule> rules :
             {elementwise_rules(), shape_rules(), reduction_rules(), index_rules()})
            for (const NamedRule& rule : rules)
                all.emplace(rule.primitive, &rule);
        return all;
    }();
    const auto found = kAll.find(primitive);
    return found == kAll.end() ? nullptr : found->second;
}

std::vector<std::string> unplaceable(const ir::Graph& graph) {
    Search search;
    search.look_at(lower(graph));
    return search.found;
}

}  // namespace tilemeter::trace
