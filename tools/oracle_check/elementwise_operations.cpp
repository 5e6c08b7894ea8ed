// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/elementwise_operations.hpp"

#include <stdexcept>
#include <string>

#include "runtime/operations/eltwise/eltwise_composites.hpp"

namespace tilemeter::oracle {

namespace {

using Inputs = std::vector<Tensor>;

template <typename Left, typename Right>
using Binary = Tensor (*)(Left, Right, const OptionalDataType&, const OptionalMemoryConfig&,
                          const OptionalTensor&, const Activations&, const Activations&, const Activations&,
                          const OptionalCores&);
using OfTensors = Binary<const Tensor&, const Tensor&>;
using WithNumber = Binary<const Tensor&, Scalar>;

UnaryOpType function_of(const std::string& name) {
    for (std::size_t i = 0; i < compute::kNumUnaryKinds; ++i) {
        const auto kind = static_cast<UnaryOpType>(i);
        if (compute::name_of(kind) == name) return kind;
    }
    throw std::runtime_error("activation: expected one of UnaryOpType, found " + name);
}

Activations activations(const Row& row, const char* argument) {
    Activations found;
    if (!row.arguments.contains(argument)) return found;
    for (const auto& name : row.arguments.at(argument))
        found.push_back({function_of(name), {}});
    return found;
}

Scalar number_argument(const Row& row) {
    const auto& number = row.arguments.at("scalar");
    return number.is_number_integer() ? Scalar(number.get<std::int64_t>()) : Scalar(number.get<double>());
}

CallOperation pair(OfTensors of_tensors, WithNumber with_number) {
    return [=](const Row& row, const Inputs& inputs) {
        const Activations after = activations(row, "activations");
        const Activations left = activations(row, "input_tensor_a_activations");
        const Activations right = activations(row, "input_tensor_b_activations");
        if (row.arguments.contains("scalar")) {
            return with_number(inputs.at(0), number_argument(row), std::nullopt, row.out_memory_config,
                               std::nullopt, after, left, right, std::nullopt);
        }
        return of_tensors(inputs.at(0), inputs.at(1), std::nullopt, row.out_memory_config, std::nullopt,
                          after, left, right, std::nullopt);
    };
}

using Quotient = Tensor (*)(const Tensor&, const Tensor&, const OptionalMemoryConfig&);
using QuotientByNumber = Tensor (*)(const Tensor&, Scalar, const OptionalMemoryConfig&);
CallOperation quotient(Quotient of_tensors, QuotientByNumber with_number) {
    return [=](const Row& row, const Inputs& inputs) {
        if (row.arguments.contains("scalar"))
            return with_number(inputs.at(0), number_argument(row), row.out_memory_config);
        return of_tensors(inputs.at(0), inputs.at(1), row.out_memory_config);
    };
}

using WithAlpha = Tensor (*)(const Tensor&, const Tensor&, float, const OptionalMemoryConfig&,
                             const OptionalTensor&);
CallOperation with_alpha(WithAlpha function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), inputs.at(1), 2.0F, row.out_memory_config, std::nullopt);
    };
}

using WithValue = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, float, const OptionalMemoryConfig&,
                             const OptionalTensor&);
CallOperation with_value(WithValue function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), inputs.at(1), inputs.at(2), 2.0F, row.out_memory_config, std::nullopt);
    };
}

std::variant<Tensor, float> third(const Row& row, const Inputs& inputs) {
    if (row.arguments.contains("number")) return row.arguments.at("number").get<float>();
    return inputs.at(2);
}

using Gate = Tensor (*)(const Tensor&, int, const OptionalMemoryConfig&);
CallOperation gate(Gate function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), -1, row.out_memory_config);
    };
}

void add_composites(std::map<std::string, CallOperation>& table) {
    table["isclose"] = [](const Row& row, const Inputs& inputs) {
        return isclose(inputs.at(0), inputs.at(1), 1e-5F, 1e-8F, false, row.out_memory_config);
    };
    table["floor_div"] = quotient(&floor_div, &floor_div);
    table["div_no_nan"] = quotient(&div_no_nan, &div_no_nan);
    table["addalpha"] = with_alpha(&addalpha);
    table["subalpha"] = with_alpha(&subalpha);
    table["addcmul"] = with_value(&addcmul);
    table["addcdiv"] = with_value(&addcdiv);
    table["lerp"] = [](const Row& row, const Inputs& inputs) {
        return lerp(inputs.at(0), inputs.at(1), third(row, inputs), row.out_memory_config);
    };
    table["mac"] = [](const Row& row, const Inputs& inputs) {
        return mac(inputs.at(0), inputs.at(1), third(row, inputs), row.out_memory_config);
    };
    table["clamp"] = [](const Row& row, const Inputs& inputs) {
        return clamp(inputs.at(0), OptionalTensor(inputs.at(1)), OptionalTensor(inputs.at(2)),
                     row.out_memory_config);
    };
    table["glu"] = gate(&glu);
    table["reglu"] = gate(&reglu);
    table["swiglu"] = gate(&swiglu);
    table["geglu"] = [](const Row& row, const Inputs& inputs) {
        return geglu(inputs.at(0), -1, row.out_memory_config);
    };
    table["polyval"] = [](const Row& row, const Inputs& inputs) {
        return polyval(inputs.at(0), {1.0F, 2.0F, 3.0F}, row.out_memory_config);
    };
    table["logit"] = [](const Row& row, const Inputs& inputs) {
        return logit(inputs.at(0), 0.1F, row.out_memory_config);
    };
    table["rdiv"] = [](const Row& row, const Inputs& inputs) {
        return rdiv(inputs.at(0), 2.0F, std::nullopt, row.out_memory_config);
    };
}

}  // namespace

std::map<std::string, CallOperation> elementwise_operations() {
    std::map<std::string, CallOperation> table;
#define TILEMETER_ENTRY(name, kind) table[#name] = pair(&tilemeter::name, nullptr);
    TILEMETER_TENSOR_BINARY_OPERATIONS(TILEMETER_ENTRY)
#undef TILEMETER_ENTRY
#define TILEMETER_ENTRY(name, kind) table[#name] = pair(&tilemeter::name, &tilemeter::name);
    TILEMETER_BINARY_OPERATIONS(TILEMETER_ENTRY)
#undef TILEMETER_ENTRY
    add_composites(table);
    return table;
}

}  // namespace tilemeter::oracle
