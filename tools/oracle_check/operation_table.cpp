// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/operation_table.hpp"

#include <map>

#include "runtime/operations/binary.hpp"
#include "runtime/operations/unary.hpp"

namespace tilemeter::oracle {

namespace {

using BinaryTensors = Tensor (*)(const Tensor&, const Tensor&, const OptionalDataType&,
                                 const OptionalMemoryConfig&);
using BinaryScalar = Tensor (*)(const Tensor&, float, const OptionalDataType&, const OptionalMemoryConfig&);

CallOperation binary(BinaryTensors of_tensors, BinaryScalar with_number) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        if (row.arguments.contains("scalar")) {
            return with_number(inputs.at(0), row.arguments.at("scalar"), std::nullopt, row.out_memory_config);
        }
        return of_tensors(inputs.at(0), inputs.at(1), std::nullopt, row.out_memory_config);
    };
}

using Unary = Tensor (*)(const Tensor&, const OptionalMemoryConfig&, const OptionalTensor&);
using ApproximableUnary = Tensor (*)(const Tensor&, bool, const OptionalMemoryConfig&, const OptionalTensor&);

CallOperation unary(Unary function) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        return function(inputs.at(0), row.out_memory_config, std::nullopt);
    };
}
CallOperation approximable(ApproximableUnary function) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        return function(inputs.at(0), false, row.out_memory_config, std::nullopt);
    };
}

const std::map<std::string, CallOperation>& operations() {
    static const std::map<std::string, CallOperation> kOperations = {
        {"add", binary(add, add)},
        {"exp", approximable(exp)},
        {"gelu", approximable(gelu)},
        {"multiply", binary(multiply, multiply)},
        {"relu", unary(relu)},
        {"sqrt", approximable(sqrt)},
        {"subtract", binary(subtract, subtract)},
    };
    return kOperations;
}

}  // namespace

const CallOperation* find_operation(const std::string& name) {
    const auto found = operations().find(name);
    return found == operations().end() ? nullptr : &found->second;
}

}  // namespace tilemeter::oracle
