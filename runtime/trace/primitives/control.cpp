// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives that are what something else says: graphs that they hold, or an operation that a program registered.

#include <array>
#include <atomic>

#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

using ir::Control;

Primitive holder(std::string_view name, Control control) {
    return {.name = name,
            .control = control,
            .can_inline = name == "call",
            .infer = kHoldsGraphs,
            .compute = kHoldsGraphs,
            .derivative = kHoldsGraphs,
            .batch = kHoldsGraphs,
            .text = kHoldsGraphs};
}

std::atomic<CustomTypes> custom_types = nullptr;

void infer_custom(const Site& site, Types& types) {
    const auto target = site.use.attributes.get<std::string>("target");
    const CustomTypes types_of = custom_types;
    site.require(types_of != nullptr && types_of(target, site.use, types), ErrorKind::kBadArgument, [&] {
        return "found target '" + target +
               "', expected an operation that is registered here, or Graph::append with types";
    });
}

std::string custom_text(const LineUse& use) {
    return "stablehlo.custom_call @" + use.equation.attributes().get<std::string>("target") + "(" +
           use.names() + ") : " + use.signature();
}

}  // namespace

std::span<const Primitive> control_primitives() {
    static const Primitive kRows[] = {
        holder("call", Control::kCall),   holder("checkpoint", Control::kCall),
        holder("cond", Control::kBranch), holder("while", Control::kWhile),
        holder("scan", Control::kScan),
    };
    return kRows;
}

std::span<const Primitive> custom_primitives() {
    static const Primitive kRows[] = {
        // A custom operation that has no lowering. Some have effects; of the others those without a use are gone before
        // calls are lowered.
        {.name = "custom_call",
         .operands = {},
         .results = {},
         .attributes = {{"target", AttributeKind::kString}},
         .any_attributes = true,
         .effects = ir::Effects::kOrdered,
         .infer = infer_custom,
         .compute = kRegistered,
         .derivative = kRegistered,
         .batch = kRegistered,
         .text = custom_text},
    };
    return kRows;
}

void hand_in_custom_types(CustomTypes types) {
    custom_types = types;
}

}  // namespace tilemeter::trace::internal
