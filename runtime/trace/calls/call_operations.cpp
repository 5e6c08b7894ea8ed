// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/call_operations.hpp"

#include <unordered_map>

#include "capture/ir/control.hpp"
#include "runtime/trace/calls/internal/call.hpp"
#include "runtime/trace/calls/internal/custom_call.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {

namespace {

using internal::CallDefinition;
using ir::Control;

const std::vector<CallDefinition>& definitions() {
    static const std::vector<CallDefinition> kAll = [] {
        std::vector<CallDefinition> all;
        for (auto&& part : {internal::elementwise_calls(), internal::shape_calls(),
                            internal::composite_calls(), internal::random_calls()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kAll;
}

ir::OperationSet make() {
    ir::OperationSet set{std::string(kCall), internal::find_custom_call};
    for (const CallDefinition& each : definitions())
        set.add({.name = each.name,
                 .operands = each.operands,
                 .attributes = each.attributes,
                 .infer = internal::inference(each.name, each.infer)});
    for (const internal::Primitive& holder : internal::control_primitives())
        set.add(operation_of(holder));
    set.add(control_operation("switch", Control::kBranch));
    // Primitives among calls: what transformations make of a function comes back into the graph that called it.
    for (const auto& primitive : flat_operations().operations()) {
        if (primitive->control != Control::kNone) continue;
        ir::Operation operation = *primitive;
        operation.name = std::string(kFlatPrefix) + primitive->name;
        set.add(std::move(operation));
    }
    return set;
}

}  // namespace

const ir::OperationSet& call_operations() {
    static const ir::OperationSet kSet = make();
    return kSet;
}

namespace internal {

Lowering find_lowering(std::string_view call) {
    static const std::unordered_map<std::string_view, Lowering> kAll = [] {
        std::unordered_map<std::string_view, Lowering> all;
        for (const CallDefinition& each : definitions())
            all.emplace(each.name, each.lower);
        return all;
    }();
    const auto found = kAll.find(call);
    return found == kAll.end() ? nullptr : found->second;
}

}  // namespace internal
}  // namespace tilemeter::trace
