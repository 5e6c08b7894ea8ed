// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/internal/argument_names.hpp"

#include <unordered_map>
#include <utility>

#include "runtime/operations/all_definitions.hpp"

namespace tilemeter::trace::internal {

namespace {

using Overloads = std::vector<std::vector<const char*>>;

template <typename Definition, std::size_t... Index>
std::vector<const char*> listed(const Definition& arguments, std::index_sequence<Index...>) {
    std::vector<const char*> names;
    const auto add = [&]<std::size_t kIndex>() {
        if constexpr (kParameter<Definition, kIndex>.is_recorded &&
                      !kIsNoArgument<ParameterType<Definition, kIndex>>)
            names.push_back(parameter_name<kIndex>(arguments));
    };
    (add.template operator()<Index>(), ...);
    return names;
}

std::unordered_map<record::TextId, Overloads> all_names() {
    std::unordered_map<record::TextId, Overloads> all;
    for_each_definition(
        [&]<typename Definition>(const char* /*family*/, const Defaults<Definition>& defaults) {
            const Definition arguments = defaults();
            if constexpr (!requires { arguments.recorded(); }) {
                const auto names = listed(arguments, std::make_index_sequence<kParameterCount<Definition>>());
                const OperationName& scope = tilemeter::internal::scope_name_of(arguments);
                for (const CallStyle style : {CallStyle::kCpp, CallStyle::kPython})
                    all[scope.in_style(style)].push_back(names);
            }
        });
    return all;
}

}  // namespace

const std::vector<const char*>* argument_names(record::TextId scope, std::size_t count) {
    static const auto kNames = all_names();
    const auto found = kNames.find(scope);
    if (found == kNames.end()) return nullptr;
    for (const auto& names : found->second) {
        if (names.size() == count) return &names;
    }
    return nullptr;
}

}  // namespace tilemeter::trace::internal
