// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/calls/custom_operation.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/internal/custom_call.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {

namespace {

using ir::Attributes;
using ir::Constant;
using ir::TensorType;

std::vector<TensorType> operand_types(const ir::OperationUse& use) {
    return use.graph.types(use.operands);
}

bool infer_registered(const std::string& name, const ir::OperationUse& use, std::vector<TensorType>& types);

class Registry {
public:
    Registry() { internal::hand_in_custom_types(infer_registered); }

    const ir::Operation& add(CustomOperation definition, bool replace) {
        const std::lock_guard lock(mutex_);
        const auto found = by_name_.find(definition.name);
        if (found != by_name_.end() && !replace)
            throw TraceError(TraceErrorKind::kBadArgument,
                             "found operation '" + definition.name + "' again, expected another name");
        // Graphs and programs may hold the one that is replaced.
        auto custom = std::make_shared<const CustomOperation>(std::move(definition));
        auto operation = std::make_shared<const ir::Operation>(
            ir::Operation{.name = custom->name,
                          .operands = custom->operands,
                          .results = {},
                          .attributes = custom->attributes,
                          .any_attributes = custom->any_attributes,
                          .effects = custom->effects,
                          .infer = [custom](const ir::OperationUse& use, std::vector<TensorType>& types) {
                              std::ranges::move(custom->infer(operand_types(use), use.attributes),
                                                std::back_inserter(types));
                          }});
        kept_.push_back(operation);
        const std::string name = custom->name;
        by_name_.insert_or_assign(name, Entry{std::move(custom), operation});
        return *operation;
    }

    std::shared_ptr<const CustomOperation> find(std::string_view name) const {
        const std::shared_lock lock(mutex_);
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? nullptr : found->second.custom;
    }

    const ir::Operation* find_operation(std::string_view name) const {
        const std::shared_lock lock(mutex_);
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? nullptr : found->second.operation.get();
    }

private:
    struct Entry {
        std::shared_ptr<const CustomOperation> custom;
        std::shared_ptr<const ir::Operation> operation;
    };

    mutable std::shared_mutex mutex_;
    std::map<std::string, Entry, std::less<>> by_name_;
    std::vector<std::shared_ptr<const ir::Operation>> kept_;
};

Registry& registry() {
    static Registry registry;
    return registry;
}

bool is_printable(std::string_view name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto is_part = [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == ':';
    };
    return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_part);
}

Attributes without_target(Attributes attributes) {
    attributes.erase("target");
    return attributes;
}

// The rule of a custom_call in a flat graph.
bool infer_registered(const std::string& name, const ir::OperationUse& use, std::vector<TensorType>& types) {
    const auto custom = find_custom_operation(name);
    if (custom == nullptr) return false;
    types = custom->infer(operand_types(use), without_target(use.attributes));
    return true;
}

}  // namespace

const ir::Operation& register_operation(CustomOperation definition, bool replace) {
    if (!is_printable(definition.name))
        throw TraceError(
            TraceErrorKind::kBadArgument,
            "found operation '" + definition.name + "', expected a name of letters, digits, _, . and :");
    if (!definition.infer) refuse_missing_rule(definition.name, "infer", {});
    if (find_custom_operation(definition.name) == nullptr &&
        call_operations().find(definition.name) != nullptr)
        throw TraceError(TraceErrorKind::kBadArgument, "found operation '" + definition.name +
                                                           "', which is built in, expected another name");
    return registry().add(std::move(definition), replace);
}

std::shared_ptr<const CustomOperation> find_custom_operation(std::string_view name) {
    return registry().find(name);
}

void refuse_missing_rule(const std::string& operation, std::string_view rule, const ir::Location& location) {
    throw TraceError(TraceErrorKind::kNoRule,
                     operation + ": found no rule '" + std::string(rule) +
                         "', expected one (rule missing: " + std::string(rule) + ")",
                     {.operation = operation,
                      .location = location,
                      .hint = "give it to the operation where it is registered"});
}

namespace internal {

const ir::Operation* find_custom_call(std::string_view name) {
    return registry().find_operation(name);
}

std::vector<ir::ValueId> lower_custom(const CustomOperation& custom, FlatBuilder& to, bool by_rule,
                                      std::span<const ir::ValueId> operands, const Attributes& attributes,
                                      std::span<const TensorType> types, const ir::Location& location) {
    std::vector<ir::ValueId> results;
    if (by_rule) {
        results = custom.lower(to, operands, attributes);
        require_results(custom.name, "lower", to.graph().types(results), types, location);
        return results;
    }
    Attributes all = attributes;
    all.set("target", custom.name);
    const ir::ValueRange range = to.graph().append("custom_call", operands, types, all, {}, location);
    for (std::size_t i = 0; i < range.size(); ++i)
        results.push_back(range[i]);
    return results;
}

CustomKernel::CustomKernel(const ir::Equation& equation)
    : attributes_(without_target(equation.attributes())), location_(equation.location()) {
    const auto target = equation.attributes().get<std::string>("target");
    custom_ = find_custom_operation(target);
    if (custom_ == nullptr || !custom_->compute) refuse_missing_rule(target, "compute", location_);
}

std::vector<Constant> CustomKernel::run(std::span<const Constant* const> operands,
                                        std::span<const TensorType> types) const {
    std::vector<Constant> values;
    for (const Constant* const operand : operands)
        values.push_back(*operand);
    std::vector<Constant> results = custom_->compute(values, attributes_);
    std::vector<TensorType> found;
    found.reserve(results.size());
    for (const Constant& result : results)
        found.push_back(result.type());
    require_results(custom_->name, "compute", found, types, location_);
    return results;
}

void require_results(const std::string& operation, const char* rule, std::span<const TensorType> found,
                     std::span<const TensorType> expected, const ir::Location& location) {
    const auto list = [](std::span<const TensorType> types) {
        std::string text;
        for (const TensorType& type : types)
            text += (text.empty() ? "" : ", ") + text_of(type);
        return "(" + text + ")";
    };
    if (!std::ranges::equal(found, expected))
        throw TraceError(TraceErrorKind::kBadResult,
                         operation + ": rule '" + rule + "': found results " + list(found) + ", expected " +
                             list(expected) + " as inferred",
                         {.operation = operation, .location = location});
}

}  // namespace internal
}  // namespace tilemeter::trace
