// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions beside records: gradients of a function, its arguments, which operations have rules.

#include <algorithm>
#include <string>
#include <utility>

#include "capture/ir/error.hpp"
#include "runtime/trace/device/gradients/gradient_record.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace {

namespace {

[[noreturn]] void refuse_call(ir::ErrorKind kind, const std::string& message) {
    throw ir::Error(kind, "gradient: " + message);
}

}  // namespace

std::vector<Tensor> as_arguments(std::span<const Tensor> tensors) {
    std::vector<Tensor> arguments;
    arguments.reserve(tensors.size());
    for (const Tensor& each : tensors) {
        if (!each.is_allocated() || each.storage_type() != StorageType::DEVICE) {
            arguments.push_back(each);
            continue;
        }
        Tensor& made = arguments.emplace_back(
            each.chip() ? Tensor::of_chip(each, *each.chip())
                        : Tensor::on_device(each.spec(), each.shared_buffer(), each.is_view()));
        made.set_distribution(each.distribution());
        GradientRecord::note_argument(each, made);
    }
    return arguments;
}

std::vector<Tensor> value_and_grad(const TensorFunction& function, std::span<const Tensor> inputs,
                                   const Positions& wrt) {
    std::vector<Tensor> of;
    for (const std::size_t each : wrt) {
        if (each >= inputs.size())
            refuse_call(ir::ErrorKind::kBadArgument, "found position " + std::to_string(each) +
                                                         ", expected one of " +
                                                         std::to_string(inputs.size()) + " inputs");
        if (std::ranges::count(wrt, each) != 1)
            refuse_call(ir::ErrorKind::kBadArgument,
                        "found position " + std::to_string(each) + " twice, expected each once");
        of.push_back(inputs[each]);
    }
    of = as_arguments(of);
    std::vector<Tensor> given(inputs.begin(), inputs.end());
    for (std::size_t i = 0; i < wrt.size(); ++i)
        given[wrt[i]] = of[i];
    GradientRecord record(of);
    std::vector<Tensor> results = function(given);
    if (results.size() != 1)
        refuse_call(ir::ErrorKind::kGradNeedsScalar,
                    "found " + std::to_string(results.size()) + " results, expected a tensor of one element");
    for (Tensor& each : record.backward(results[0]))
        results.push_back(std::move(each));
    return results;
}

std::vector<std::string> operations_with_vjp() {
    std::vector<std::string> names;
    for (const auto& [name, rule] : rules::all_rules())
        if (rule.gradient.gradients) names.push_back("ttnn." + name);
    return names;
}

bool has_vjp(std::string_view operation) {
    const rules::Rule* const rule = rules::find_rule(operation);
    return rule != nullptr && rule->gradient.gradients;
}

}  // namespace tilemeter::trace
