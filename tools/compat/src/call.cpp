// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/call.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/operation_list.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tools/compat/src/assign.hpp"
#include "tools/compat/src/fatal.hpp"

namespace tilemeter::compat {

namespace {

using Table = std::map<std::string, std::vector<const ListedOperation*>, std::less<>>;

// By the name in C++; several of a name are tried in turn.
const Table& table() {
    static const Table kTable = [] {
        Table table;
        for (const ListedOperation& operation : all_operations()) {
            std::string name = operation.definition.name;
            // Some definitions name the namespace as Python does: "experimental.conv3d".
            if (const std::size_t dot = name.find('.'); dot != std::string::npos) name.replace(dot, 1, "::");
            table[name].push_back(&operation);
        }
        return table;
    }();
    return kTable;
}

bool is_given(const Argument& argument) {
    return !std::holds_alternative<std::monostate>(argument);
}

std::size_t place_of(std::string_view name, const ListedOperation& operation) {
    const auto found = std::ranges::find(operation.parameters, name, &ListedParameter::name);
    return static_cast<std::size_t>(found - operation.parameters.begin());
}

// The arguments by place; the name of one that is given and that it does not have.
std::optional<std::string_view> place_arguments(const ListedOperation& operation,
                                                std::span<const Named> arguments,
                                                std::vector<const Argument*>& by_place) {
    by_place.assign(operation.parameters.size(), nullptr);
    for (const Named& each : arguments) {
        const std::size_t place = place_of(each.name, operation);
        if (place < by_place.size())
            by_place[place] = &each.argument;
        else if (is_given(each.argument))
            return each.name;
    }
    return std::nullopt;
}

const char* find_missing(const ListedOperation& operation, const std::vector<const Argument*>& by_place) {
    for (std::size_t i = 0; i < by_place.size(); ++i)
        if (operation.parameters[i].is_required && (by_place[i] == nullptr || !is_given(*by_place[i])))
            return operation.parameters[i].name;
    return nullptr;
}

// False where an argument does not fit its parameter: `place` says which.
bool call_placed(const ListedOperation& operation, const std::vector<const Argument*>& by_place,
                 std::size_t& place, Result& result) {
    ErasedArguments arguments(operation.definition);
    for (place = 0; place < by_place.size(); ++place)
        if (by_place[place] != nullptr && !assign(operation.parameters[place], arguments, *by_place[place]))
            return false;
    call(operation.definition, arguments, result);
    return true;
}

// Tries the definitions of that name in turn; `attempt` calls one and says whether the arguments fit. What kept the last
// from being called; empty: one was.
template <typename Attempt>
std::string try_each(std::string_view operation, std::span<const Named> arguments, const Attempt& attempt) {
    const auto found = table().find(operation);
    if (found == table().end()) return "no such operation is modelled";
    // TT-NN's C++ functions are in no capture themselves.
    const ScopedCallStyle bare(CallStyle::kBare);
    std::string refusal;
    std::vector<const Argument*> by_place;
    for (const ListedOperation* const each : found->second) {
        if (const auto unknown = place_arguments(*each, arguments, by_place)) {
            refusal = std::string(*unknown) + ": this argument is not modelled";
            continue;
        }
        if (const char* const missing = find_missing(*each, by_place)) {
            refusal = std::string(missing) + ": expected an argument, found none";
            continue;
        }
        std::size_t misfit = 0;
        if (attempt([&](Result& result) { return call_placed(*each, by_place, misfit, result); })) return {};
        refusal = std::string(each->parameters[misfit].name) + ": no argument of this kind is modelled";
    }
    return refusal;
}

}  // namespace

std::string find_misfit(const std::string& operation, const std::vector<std::string>& names) {
    const auto found = table().find(operation);
    if (found == table().end()) return "no such operation";
    std::string misfit;
    for (const ListedOperation* const each : found->second) {
        misfit.clear();
        for (const std::string& name : names)
            if (place_of(name, *each) == each->parameters.size()) misfit += " unknown " + name;
        for (const ListedParameter& parameter : each->parameters)
            if (parameter.is_required && std::ranges::find(names, parameter.name) == names.end())
                misfit += std::string(" missing ") + parameter.name;
        if (misfit.empty()) break;
    }
    return misfit;
}

Result call(const char* operation, std::initializer_list<Named> arguments, std::source_location place) {
    const std::string name = std::string("ttnn::") + operation;
    Result result;
    const std::string refusal =
        try_each(operation, {arguments.begin(), arguments.size()}, [&](const auto& attempt) {
            return as_fatal(
                name, [&] { return attempt(result); }, place);
        });
    if (!refusal.empty()) refuse_as_fatal(name, name + ": " + refusal, place);
    return result;
}

Result call_unwrapped(std::string_view operation, std::span<const Named> arguments) {
    Result result;
    const std::string refusal =
        try_each(operation, arguments, [&](const auto& attempt) { return attempt(result); });
    if (!refusal.empty()) throw RuntimeError("ttnn::" + std::string(operation) + ": " + refusal);
    return result;
}

}  // namespace tilemeter::compat
