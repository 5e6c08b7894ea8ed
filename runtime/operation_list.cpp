// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operation_list.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "runtime/operations/all_definitions.hpp"

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

template <typename Definition, std::size_t... Index>
std::vector<ListedParameter> parameters_of(const Definition& arguments, std::index_sequence<Index...>) {
    return {ListedParameter{parameter_name<Index>(arguments), kParameter<Definition, Index>.kind,
                            kParameter<Definition, Index>.is_required}...};
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
                const Definition arguments = defaults();
                const OperationInfo& operation = operation_info(arguments);
                operations.push_back(
                    {family, name_in_python(operation.name), operation.documentation, golden_of(operation),
                     parameters_of(arguments, std::make_index_sequence<kParameterCount<Definition>>())});
            });
        return operations;
    }();
    return kOperations;
}

}  // namespace tilemeter
