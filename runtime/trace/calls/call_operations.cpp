// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/call_operations.hpp"

#include <algorithm>
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

ir::OperationSet make() {
    ir::OperationSet set{std::string(kCall), internal::find_custom_call};
    for (const CallDefinition& each : internal::call_definitions())
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

ResultRule result_of(internal::Infer infer) {
    using namespace internal;
    if (infer == infer_numbers || infer == infer_no_bool || infer == infer_i8_of_bool)
        return ResultRule::kNumbers;
    if (infer == infer_fractions) return ResultRule::kFractions;
    return infer == infer_truths ? ResultRule::kTruths : ResultRule::kOther;
}

bool is_reduction(const internal::CallDefinition& call) {
    return std::ranges::any_of(call.attributes, [](const auto& each) { return each.name == "keepdims"; });
}

bool is_elementwise(const internal::CallDefinition& call) {
    return call.attributes.empty() &&
           (result_of(call.infer) != ResultRule::kOther || !call.numpy.empty() || !call.torch.empty());
}

}  // namespace

const ir::OperationSet& call_operations() {
    static const ir::OperationSet kSet = make();
    return kSet;
}

const std::vector<CallFunction>& call_functions() {
    static const std::vector<CallFunction> kAll = [] {
        std::vector<CallFunction> all;
        for (const internal::CallDefinition& each : internal::call_definitions())
            if (is_reduction(each) || is_elementwise(each))
                all.push_back({each.name, each.operands.least, is_reduction(each), result_of(each.infer),
                               each.numpy, each.torch});
        return all;
    }();
    return kAll;
}

namespace internal {

const std::vector<CallDefinition>& call_definitions() {
    static const std::vector<CallDefinition> kAll = [] {
        std::vector<CallDefinition> all;
        for (auto&& part :
             {elementwise_calls(), formula_calls(), shape_calls(), composite_calls(), random_calls()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kAll;
}

Lowering find_lowering(std::string_view call) {
    static const std::unordered_map<std::string_view, Lowering> kAll = [] {
        std::unordered_map<std::string_view, Lowering> all;
        for (const CallDefinition& each : call_definitions())
            all.emplace(each.name, each.lower);
        return all;
    }();
    const auto found = kAll.find(call);
    return found == kAll.end() ? nullptr : found->second;
}

}  // namespace internal
}  // namespace tilemeter::trace
