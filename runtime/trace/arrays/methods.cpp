// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/methods.hpp"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::trace {

namespace {

struct Methods {
    std::shared_mutex mutex;
    std::map<std::string, Method, std::less<>> by_name;
};

Methods& methods() {
    static Methods methods;
    return methods;
}

}  // namespace

void register_method(std::string_view name, Method method, bool replace) {
    const std::lock_guard lock(methods().mutex);
    const bool is_taken = methods().by_name.contains(name) || call_operations().find(name) != nullptr;
    if (is_taken && !replace)
        throw TraceError(TraceErrorKind::kBadArgument,
                         "found method '" + std::string(name) + "' again, expected another name");
    methods().by_name.insert_or_assign(std::string(name), std::move(method));
}

Method find_method(std::string_view name) {
    {
        const std::shared_lock lock(methods().mutex);
        if (const auto found = methods().by_name.find(name); found != methods().by_name.end())
            return found->second;
    }
    const ir::Operation* const operation = call_operations().find(name);
    if (operation == nullptr || operation->control != ir::Control::kNone) return nullptr;
    return [operation](std::span<const Array> operands, const ir::Attributes& attributes) {
        return apply(*operation, operands, attributes);
    };
}

std::vector<Array> call_method(std::string_view name, std::span<const Array> operands,
                               const ir::Attributes& attributes) {
    if (const Method method = find_method(name)) return method(operands, attributes);
    throw TraceError(TraceErrorKind::kBadArgument,
                     "found method '" + std::string(name) + "', expected one that is registered",
                     {.location = current_location()});
}

Array Array::call(std::string_view method, std::initializer_list<Array> more) const {
    std::vector<Array> operands{*this};
    operands.insert(operands.end(), more.begin(), more.end());
    const std::vector<Array> results = call_method(method, operands);
    if (results.size() != 1)
        throw TraceError(TraceErrorKind::kBadResult,
                         "method '" + std::string(method) + "': found " + std::to_string(results.size()) +
                             " results, expected one",
                         {.location = current_location()});
    return results[0];
}

std::vector<std::string> method_names() {
    const std::shared_lock lock(methods().mutex);
    std::vector<std::string> names;
    for (const auto& [name, method] : methods().by_name)
        names.push_back(name);
    return names;
}

}  // namespace tilemeter::trace
