// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A flat graph as it is placed: its equations in order, each with its rule, and the values while it runs.

#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/ir/operation_set.hpp"
#include "runtime/trace/device/place/place_rule.hpp"

namespace tilemeter::trace::placement {

using ir::ValueId;

/// One equation, looked up once.
struct Step {
    ir::Equation equation;
    ir::Control control;
    const NamedRule* rule;  ///< null: control
    std::vector<TensorType> types;
    std::vector<ValueId> last_used;  ///< values that no later step and no result needs
    /// A repetition, a number or another shape: made where somebody needs it as a whole.
    bool is_deferred;
};

/// A graph in order.
struct Body {
    const ir::Graph* graph = nullptr;
    std::optional<ir::Graph> sorted;
    std::vector<Step> steps;
    std::vector<std::optional<std::size_t>> deferred;  ///< by value: the step that makes it
    std::unordered_map<ValueId, Tensor> constants;     ///< those that calls need as tensors
    ir::GraphPtr calls;
};

/// REQUIRES: the graph lives as long as the body, which stays where it is.
void look_up(const ir::Graph& graph, Body& body);

/// The values of a body while it runs.
class Slots {
public:
    /// `used`: takes the constants that are needed as tensors; null: they are in the body already.
    Slots(const Body& body, Calls& to, std::unordered_map<ValueId, Tensor>* used)
        : body_(body), to_(to), used_(used), made_(body.graph->value_count()), spread_(made_.size()) {}

    /// The value's elements, under any shape.
    void set(ValueId id, Value value) { made_[index_of(id)] = std::move(value); }
    void release(ValueId id) {
        made_[index_of(id)].reset();
        spread_[index_of(id)].reset();
    }

    /// The value of an operand as placement::Use describes it.
    Value whole(ValueId id);
    Value elements(ValueId id);
    Value spread(ValueId id);
    [[nodiscard]] std::optional<double> number(ValueId id) const;

private:
    /// The step that makes the value where somebody needs it, if nobody has; else null.
    [[nodiscard]] const ir::Equation* deferred(ValueId id) const;

    const Body& body_;
    Calls& to_;
    std::unordered_map<ValueId, Tensor>* used_;
    std::vector<std::optional<Value>> made_;
    std::vector<std::optional<Value>> spread_;
};

/// The results of a step with a rule, in the dtypes of the primitive, in tiles, under any shape.
Values run_rule(Calls& to, const Step& step, Slots& slots);

}  // namespace tilemeter::trace::placement
