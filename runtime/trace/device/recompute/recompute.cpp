// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/recompute.hpp"

#include <string>

#include "runtime/trace/device/recompute/internal/call_units.hpp"
#include "runtime/trace/device/recompute/internal/rewrite.hpp"

namespace tilemeter::trace {

namespace {

using internal::CallUnit;
using internal::CallUnits;

std::string text_of(const ir::Equation& equation) {
    return "equation " + std::to_string(equation.index()) + " (" + text_with_source(equation) + ")";
}

}  // namespace

std::vector<std::uint32_t> repeatable_equations(const TracedProgram& traced) {
    std::vector<std::uint32_t> equations;
    const CallUnits units = internal::units_of(traced);
    for (const CallUnit& each : units.units)
        if (each.can_repeat) equations.push_back(each.equation);
    return equations;
}

std::shared_ptr<const TracedProgram> recomputed(const TracedProgram& traced,
                                                std::span<const std::uint32_t> equations) {
    const CallUnits units = internal::units_of(traced);
    const std::vector<std::uint32_t> unit_of = units.by_equation(traced.graph().equation_count());
    Policy policy{std::vector<bool>(units.model.values.size())};
    for (const std::uint32_t each : equations) {
        if (each >= unit_of.size())
            throw TracingError(TracingErrorKind::kBadArgument,
                               "recompute: found equation " + std::to_string(each) + ", expected one of " +
                                   std::to_string(unit_of.size()));
        if (unit_of[each] == CallUnit::kNone || !units.units[unit_of[each]].can_repeat)
            throw TracingError(
                TracingErrorKind::kBadArgument,
                "recompute: " + text_of(traced.graph().equation(each)) +
                    " can't run again: expected a call with programs, of which no result is returned, "
                    "written by another call or needed behind the way back, and whose operands keep "
                    "their values until then");
        for (const std::uint32_t value : units.model.units[unit_of[each]].makes)
            policy.is_evicted[value] = true;
    }
    return internal::rewritten(traced, units, PolicyPlanner(units.model).plan(policy).steps);
}

}  // namespace tilemeter::trace
