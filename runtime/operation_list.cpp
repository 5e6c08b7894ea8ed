// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operation_list.hpp"

#include <cstddef>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "runtime/operations/argument_types.hpp"

namespace tilemeter {

namespace {

/// "experimental::rotary_embedding", or a row's "experimental.typecast", with a dot.
std::string name_in_python(std::string_view name) {
    const std::size_t separator = name.find("::");
    if (separator == std::string_view::npos) return std::string(name);
    return std::string(name.substr(0, separator)) + "." + std::string(name.substr(separator + 2));
}

std::string golden_of(const OperationInfo& operation) {
    return name_in_python(operation.golden == nullptr ? operation.name : operation.golden);
}

std::size_t distance(const void* from, const void* to) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(to) - static_cast<const std::byte*>(from));
}

// Cold: all of this is asked for once, and compiled for size, as it is there for each definition.
template <std::size_t Index, typename Definition>
[[gnu::cold]] ListedParameter listed_parameter(const Definition& example) {
    constexpr const Parameter& kRow = kParameter<Definition, Index>;
    using T = ParameterType<Definition, Index>;
    static_assert(kIsArgumentType<T>, "a type that runtime/operations/argument_types.hpp does not list");
    ListedParameter parameter{.name = parameter_name<Index>(example),
                              .kind = kRow.kind,
                              .is_required = kRow.is_required,
                              .is_recorded = kRow.is_recorded,
                              .is_output = kRow.is_output,
                              .type = &typeid(T),
                              .offset = distance(&example, &(example.*kParameterMember<Definition, Index>)),
                              .name_in_row = ListedParameter::kInNoRow};
    if constexpr (kRow.name_column != nullptr)
        parameter.name_in_row = distance(example.row, &(example.row->*kRow.name_column));
    return parameter;
}

template <typename Definition, std::size_t... Index>
std::vector<ListedParameter> parameters_of(const Definition& example, std::index_sequence<Index...>) {
    return {listed_parameter<Index>(example)...};
}

template <typename Definition>
auto call_erased(const void* arguments) {
    return call_operation(*static_cast<const Definition*>(arguments));
}

template <typename Definition>
[[gnu::cold]] void make_arguments(void* at, const OperationRow* row) {
    if constexpr (HasRows<Definition>) {
        new (at) Definition(Defaults<Definition>{static_cast<const typename Definition::Row*>(row)}());
    } else {
        new (at) Definition();
    }
}

template <typename Definition>
[[gnu::cold]] ErasedDefinition erased(const Definition& example) {
    static_assert(sizeof(Definition) <= ErasedDefinition::kMaxSize &&
                  alignof(Definition) <= alignof(std::max_align_t));
    using Result = decltype(call_erased<Definition>(nullptr));
    static_assert(kIsResultType<Result>, "a type that runtime/operations/argument_types.hpp does not list");
    ErasedDefinition definition{
        .name = operation_info(example).name,
        .type = &typeid(Definition),
        .make = &make_arguments<Definition>,
        .destroy = [](void* arguments) { static_cast<Definition*>(arguments)->~Definition(); },
        .result = &typeid(Result),
        .call = reinterpret_cast<void (*)()>(&call_erased<Definition>)};
    if constexpr (HasRows<Definition>) {
        definition.row = example.row;
        definition.row_offset = distance(&example, &example.row);
    }
    return definition;
}

}  // namespace

std::string ListedOperation::signature() const {
    std::string text = name + "(";
    bool keywords = false;
    for (const ListedParameter& parameter : parameters) {
        if (text.back() != '(') text += ", ";
        if (parameter.kind == ParameterKind::kKeyword && !std::exchange(keywords, true)) text += "*, ";
        text += parameter.is_required ? parameter.name : "[" + std::string(parameter.name) + "]";
    }
    return text + ")";
}

const std::vector<ListedOperation>& all_operations() {
    static const std::vector<ListedOperation> kOperations = [] {
        std::vector<ListedOperation> operations;
        for_each_definition(
            [&]<typename Definition>(const char* family, const Defaults<Definition>& defaults) {
                const Definition example = defaults();
                const OperationInfo& operation = operation_info(example);
                operations.push_back(
                    {family, name_in_python(operation.name), operation.documentation, golden_of(operation),
                     parameters_of(example, std::make_index_sequence<kParameterCount<Definition>>()),
                     erased(example)});
            });
        return operations;
    }();
    return kOperations;
}

}  // namespace tilemeter
