// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/definition_call.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/operations/argument_types.hpp"
#include "tools/oracle_check/row_arguments.hpp"

namespace tilemeter::oracle {

namespace {

/// Hands out the tensors of a row in order.
class RowInputs {
public:
    /// `named`: as many as the definition needs and the row names.
    RowInputs(const std::vector<Tensor>& inputs, std::size_t named)
        : inputs_(inputs), unnamed_(inputs.size() > named ? inputs.size() - named : 0) {}
    const Tensor& take() { return inputs_.at(next_++); }
    std::vector<Tensor> take_all_unnamed() {
        std::vector<Tensor> taken;
        for (; unnamed_ > 0; --unnamed_)
            taken.push_back(take());
        return taken;
    }
    OptionalTensor take_unnamed() {
        if (unnamed_ == 0) return std::nullopt;
        --unnamed_;
        return take();
    }

private:
    const std::vector<Tensor>& inputs_;
    std::size_t next_ = 0;
    std::size_t unnamed_;
};

constexpr NameInRows kShortNames[] = {
    {"attention_sink", "sink"},           {"attn_mask", "mask"},
    {"batch_idx", "batch_index"},         {"compute_kernel_config", "fp32_dest_acc_en"},
    {"compute_kernel_config", "kernels"}, {"cu_window_seqlens", "windows"},
    {"is_causal_mask", "causal_mask"},    {"layout", "out_layout"},
    {"program_config", "program"},        {"residual_input_tensor", "residual"},
    {"update_idx", "update_index"},
};

/// The name under which the row has a parameter: its own, or a shorter one.
std::string name_in_row(const Row& row, const std::string& parameter) {
    if (row.arguments.contains(parameter)) return parameter;
    for (const NameInRows& each : kShortNames) {
        if (parameter == each.parameter && row.arguments.contains(each.row)) return each.row;
    }
    return parameter;
}

/// True if the row names that optional tensor as given; nothing: it does not say.
std::optional<bool> gives_tensor(const Row& row, const std::string& name) {
    if (row.arguments.contains(name)) return row.arguments.at(name) == true;
    if (!row.arguments.contains("tensors")) return std::nullopt;
    const nlohmann::json& given = row.arguments.at("tensors");
    return std::find(given.begin(), given.end(), name) != given.end();
}

/// True if it is an operand that may be a number.
template <typename Value>
constexpr bool kIsTensorOrNumber = false;
template <typename Number>
requires std::is_arithmetic_v<Number>
constexpr bool kIsTensorOrNumber<std::variant<Tensor, Number>> = true;

/// The number of inputs in the row that are certainly for that parameter.
template <typename Value>
std::size_t named_inputs(const Row& row, const std::string& name) {
    if constexpr (std::is_same_v<Value, Tensor>) {
        return 1;
    } else if constexpr (std::is_same_v<Value, ComplexTensor>) {
        return 2;
    } else if constexpr (kIsTensorOrNumber<Value>) {
        return row.arguments.contains(name) ? 0 : 1;
    } else if constexpr (std::is_same_v<Value, OptionalTensor>) {
        return gives_tensor(row, name).value_or(false) ? 1 : 0;
    } else {
        return 0;
    }
}

template <typename Value>
void read_parameter(const Row& row, const std::string& name, RowInputs& inputs, std::byte* at) {
    Value& value = *reinterpret_cast<Value*>(at);
    const bool is_named = row.arguments.contains(name);
    if constexpr (std::is_same_v<Value, Tensor>) {
        value = inputs.take();
    } else if constexpr (std::is_same_v<Value, ComplexTensor>) {
        value.real = inputs.take();
        value.imag = inputs.take();
    } else if constexpr (std::is_same_v<Value, std::vector<Tensor>>) {
        value = inputs.take_all_unnamed();
    } else if constexpr (std::is_same_v<Value, Scalar>) {
        read_argument(row.arguments.at("scalar"), typeid(Value), at);
    } else if constexpr (kIsTensorOrNumber<Value>) {
        if (is_named) {
            value = row.arguments.at(name).template get<std::variant_alternative_t<1, Value>>();
        } else {
            value = inputs.take();
        }
    } else if constexpr (std::is_same_v<Value, OptionalTensor>) {
        const std::optional<bool> gives = gives_tensor(row, name);
        if (!gives) {
            value = inputs.take_unnamed();
        } else if (*gives) {
            value = inputs.take();
        }
    } else if constexpr (kIsNoArgument<Value>) {
    } else if (is_named) {
        read_argument(row.arguments.at(name), typeid(Value), at);
    } else if constexpr (std::is_same_v<Value, OptionalMemoryConfig>) {
        if (name.ends_with("memory_config")) value = row.out_memory_config;
    } else if constexpr (std::is_same_v<Value, MemoryConfig>) {
        if (name.ends_with("memory_config")) value = row.out_memory_config.value();
    }
}

/// What there is of one of ArgumentTypes in a row.
struct RowValue {
    std::size_t (*named_inputs)(const Row& row, const std::string& name);
    void (*read)(const Row& row, const std::string& name, RowInputs& inputs, std::byte* at);
};

const RowValue& row_value(const std::type_info& type) {
    static const auto kValues = made_by_type(ArgumentTypes(), []<typename T>(std::type_identity<T> /*type*/) {
        return RowValue{&named_inputs<T>, &read_parameter<T>};
    });
    return kValues.at(type);
}

CallResult call_result(CallResult result) {
    return result;
}
/// Results that are several tensors under names of their own.
template <typename Result>
requires requires(const Result& result) {
    result.tensors();
}
CallResult call_result(const Result& result) {
    return result.tensors();
}
template <typename Results>
requires requires {
    std::tuple_size<Results>::value;
}
CallResult call_result(const Results& results) {
    return std::apply([](const auto&... each) { return std::vector<Tensor>{each...}; }, results);
}
CallResult call_result(const ComplexTensors& tensors) {
    std::vector<Tensor> parts;
    for (const ComplexTensor& each : tensors)
        parts.insert(parts.end(), {each.real, each.imag});
    return parts;
}
/// Those tensors that there are.
CallResult call_result(const std::vector<OptionalTensor>& tensors) {
    std::vector<Tensor> found;
    for (const OptionalTensor& each : tensors) {
        if (each) found.push_back(*each);
    }
    return found;
}

using Call = CallResult (*)(void (*function)(), const std::byte* arguments);

template <typename T>
CallResult call_for(void (*function)(), const std::byte* arguments) {
    return call_result(reinterpret_cast<T (*)(const void*)>(function)(arguments));
}

}  // namespace

CallResult call_definition(const ListedOperation& operation, const Row& row,
                           const std::vector<Tensor>& inputs) {
    static const auto kCalls = made_by_type(
        ResultTypes(), []<typename T>(std::type_identity<T> /*type*/) -> Call { return &call_for<T>; });
    ErasedArguments arguments(operation.definition);
    std::size_t named = 0;
    for (const ListedParameter& each : operation.parameters)
        named += row_value(*each.type).named_inputs(row, name_in_row(row, each.name));
    RowInputs left(inputs, named);
    for (const ListedParameter& each : operation.parameters)
        row_value(*each.type).read(row, name_in_row(row, each.name), left, arguments.get() + each.offset);
    return kCalls.at(*operation.definition.result)(operation.definition.call, arguments.get());
}

}  // namespace tilemeter::oracle
