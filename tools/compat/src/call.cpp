// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/call.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tools/compat/src/fatal.hpp"

namespace tilemeter::compat {

namespace {

using Table = std::map<std::string, std::vector<Callable>, std::less<>>;

Table& table_to_fill() {
    static Table table;
    return table;
}

const Table& table() {
    static std::once_flag filled;
    std::call_once(filled, [] {
        for (const auto add :
             {add_ccl, add_creation, add_data_movement, add_eltwise, add_eltwise_rows, add_matmul, add_moreh,
              add_normalization, add_reduction, add_sliding_window, add_transformer})
            add();
    });
    return table_to_fill();
}

bool is_given(const Argument& argument) {
    return !std::holds_alternative<std::monostate>(argument);
}

// The arguments by place; the name of one that is given and that it does not have.
std::optional<std::string_view> place_arguments(const Callable& callable, std::span<const Named> arguments,
                                                std::vector<const Argument*>& by_place) {
    by_place.assign(callable.names.size(), nullptr);
    for (const Named& each : arguments) {
        const auto found = std::ranges::find(callable.names, each.name);
        if (found != callable.names.end())
            by_place[static_cast<std::size_t>(found - callable.names.begin())] = &each.argument;
        else if (is_given(each.argument))
            return each.name;
    }
    return std::nullopt;
}

const std::string* find_missing(const Callable& callable, const std::vector<const Argument*>& by_place) {
    for (std::size_t i = 0; i < by_place.size(); ++i)
        if (callable.is_required[i] && (by_place[i] == nullptr || !is_given(*by_place[i])))
            return &callable.names[i];
    return nullptr;
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
    for (const Callable& callable : found->second) {
        if (const auto unknown = place_arguments(callable, arguments, by_place)) {
            refusal = std::string(*unknown) + ": this argument is not modelled";
            continue;
        }
        if (const std::string* missing = find_missing(callable, by_place)) {
            refusal = *missing + ": expected an argument, found none";
            continue;
        }
        std::size_t misfit = 0;
        if (attempt([&](Result& result) { return callable.call(by_place, misfit, result); })) return {};
        refusal = callable.names[misfit] + ": no argument of this kind is modelled";
    }
    return refusal;
}

}  // namespace

void add_callable(std::string name, Callable callable) {
    // Some definitions name the namespace as Python does: "experimental.conv3d".
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) name.replace(dot, 1, "::");
    table_to_fill()[name].push_back(std::move(callable));
}

std::string find_misfit(const std::string& operation, const std::vector<std::string>& names) {
    const auto found = table().find(operation);
    if (found == table().end()) return "no such operation";
    std::string misfit;
    for (const Callable& callable : found->second) {
        misfit.clear();
        for (const std::string& name : names)
            if (std::ranges::find(callable.names, name) == callable.names.end()) misfit += " unknown " + name;
        for (std::size_t i = 0; i < callable.names.size(); ++i)
            if (callable.is_required[i] && std::ranges::find(names, callable.names[i]) == names.end())
                misfit += " missing " + callable.names[i];
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
