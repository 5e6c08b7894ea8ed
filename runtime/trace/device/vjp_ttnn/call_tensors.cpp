// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/vjp_ttnn/call_tensors.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>

#include "runtime/operations/all_definitions.hpp"
#include "runtime/trace/device/internal/type_table.hpp"

namespace tilemeter::trace::backward {

namespace {

template <typename T>
void list_given(const char* /*parameter*/, const T& /*value*/, std::vector<GivenTensor>& /*to*/) {}
void list_given(const char* parameter, const Tensor& tensor, std::vector<GivenTensor>& to) {
    to.push_back({parameter, tensor});
}
template <typename T>
void list_given(const char* parameter, const std::optional<T>& value, std::vector<GivenTensor>& to);
template <typename... Ts>
void list_given(const char* parameter, const std::variant<Ts...>& value, std::vector<GivenTensor>& to);

void list_given(const char* parameter, const std::vector<Tensor>& values, std::vector<GivenTensor>& to) {
    for (const Tensor& each : values)
        list_given(parameter, each, to);
}
template <typename T>
void list_given(const char* parameter, const std::optional<T>& value, std::vector<GivenTensor>& to) {
    if (value) list_given(parameter, *value, to);
}
template <typename... Ts>
void list_given(const char* parameter, const std::variant<Ts...>& value, std::vector<GivenTensor>& to) {
    std::visit([&](const auto& each) { list_given(parameter, each, to); }, value);
}

using List = const char* (*)(const void*, std::vector<GivenTensor>&);

template <typename Definition>
const char* list_of_definition(const void* arguments, std::vector<GivenTensor>& to) {
    const Definition& call = *static_cast<const Definition*>(arguments);
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (list_given(parameter_name<Index>(call), call.*kParameter<Definition, Index>.member, to), ...);
    }
    (std::make_index_sequence<kParameterCount<Definition>>());
    return operation_info(call).name;
}

std::unordered_map<std::type_index, List> lists() {
    std::unordered_map<std::type_index, List> all;
    for_each_definition([&]<typename Definition>(const char* /*family*/, const Defaults<Definition>&) {
        all.emplace(typeid(Definition), &list_of_definition<Definition>);
    });
    return all;
}

}  // namespace

const char* list_tensors(const std::type_info& definition, const void* arguments,
                         std::vector<GivenTensor>& tensors) {
    static const internal::TypeTable<List> kLists(lists());
    const List list = kLists.find(definition);
    return list == nullptr ? nullptr : list(arguments, tensors);
}

}  // namespace tilemeter::trace::backward
