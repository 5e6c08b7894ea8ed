// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Calls a definition (runtime/operations/core/definition.hpp) with the arguments of a recorded row. Tensors are the
// row's inputs in order, `memory_config` is the row's, a number as an operand is its "scalar". Every other parameter is
// read from the row's arguments under its name, or keeps its default. The optional tensors that were given are those
// that the row says true of or lists as "tensors"; those that it says nothing of get the inputs that are left, a list
// all of them.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/core/scalar.hpp"
#include "runtime/operations/eltwise/complex.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "runtime/operations/work/core_grid.hpp"
#include "tools/oracle_check/operation_table.hpp"

namespace tilemeter::oracle {

/// Reads one argument of a row; one overload for each kind that rows have, and one for all others.
template <typename T>
void read_argument(const nlohmann::json& text, T& /*value*/) {
    throw std::runtime_error("expected an argument of a kind that rows have, found " + text.dump());
}
template <typename T>
requires std::is_arithmetic_v<T>
void read_argument(const nlohmann::json& text, T& value) {
    value = text.get<T>();
}
inline void read_argument(const nlohmann::json& text, Scalar& value) {
    value = text.is_number_integer() ? Scalar(text.get<std::int64_t>()) : Scalar(text.get<double>());
}
inline void read_argument(const nlohmann::json& text, std::vector<bool>& value) {
    value = text.get<std::vector<bool>>();
}
/// A choice among a few, counted.
template <typename T>
requires std::is_enum_v<T>
void read_argument(const nlohmann::json& text, T& value) {
    value = static_cast<T>(text.get<int>());
}
/// Rectangles: [[first x, first y, last x, last y], ...].
inline void read_argument(const nlohmann::json& text, CoreRangeSet& value) {
    std::vector<CoreRange> ranges;
    for (const auto& each : text)
        ranges.push_back({{each.at(0), each.at(1)}, {each.at(2), each.at(3)}});
    value = CoreRangeSet(std::move(ranges));
}
/// A function is there by the name of its type.
inline void read_argument(const nlohmann::json& text, UnaryWithParam& value) {
    for (std::size_t i = 0; i < compute::kNumUnaryKinds; ++i) {
        const auto type = static_cast<UnaryOpType>(i);
        if (compute::name_of(type) != text.get<std::string>()) continue;
        value = {type, {}};
        return;
    }
    throw std::runtime_error("activation: expected one of UnaryOpType, found " + text.dump());
}
inline void read_argument(const nlohmann::json& text, std::string& value) {
    value = text.get<std::string>();
}
inline void read_argument(const nlohmann::json& text, DataType& value) {
    value = data_type(text);
}
inline void read_argument(const nlohmann::json& text, Layout& value) {
    value = text == "TILE" ? Layout::TILE : Layout::ROW_MAJOR;
}
template <typename First, typename Second>
void read_argument(const nlohmann::json& text, std::pair<First, Second>& value);
inline void read_argument(const nlohmann::json& text, TensorMemoryLayout::Value& value) {
    for (const auto layout : {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::WIDTH_SHARDED,
                              TensorMemoryLayout::BLOCK_SHARDED}) {
        if (text != name_of(layout)) continue;
        value = layout;
        return;
    }
    throw std::runtime_error("expected a sharded layout, found " + text.dump());
}
inline void read_argument(const nlohmann::json& text, ShardOrientation& value) {
    value = text == "ROW_MAJOR" ? ShardOrientation::ROW_MAJOR : ShardOrientation::COL_MAJOR;
}
inline void read_argument(const nlohmann::json& text, MemoryConfig& value) {
    value = memory_config(text);
}
inline void read_argument(const nlohmann::json& text, Shape& value) {
    value = Shape(text.get<std::vector<std::uint32_t>>());
}
inline void read_argument(const nlohmann::json& text, CoreGrid& value) {
    value = CoreGrid{text.at(0), text.at(1)};
}
inline void read_argument(const nlohmann::json& text, CoreCoord& value) {
    value = CoreCoord{text.at(0), text.at(1)};
}
/// Rows name the two flags that change programs, or fp32_dest_acc_en alone.
inline void read_argument(const nlohmann::json& text, DeviceComputeKernelConfig& value) {
    if (text.is_boolean()) {
        value = DeviceComputeKernelConfig{MathFidelity::HiFi2, true, text, false, false};
        return;
    }
    value = DeviceComputeKernelConfig{.math_fidelity = MathFidelity::HiFi2,
                                      .math_approx_mode = false,
                                      .fp32_dest_acc_en = text.at(0),
                                      .packer_l1_acc = text.at(1)};
}
template <typename T, std::size_t Size>
void read_argument(const nlohmann::json& text, std::array<T, Size>& value);
template <typename T>
void read_argument(const nlohmann::json& text, std::vector<T>& value);
template <typename T>
void read_argument(const nlohmann::json& text, std::optional<T>& value);
template <typename T, typename... Others>
void read_argument(const nlohmann::json& text, std::variant<T, Others...>& value);

template <typename T, std::size_t Size>
void read_argument(const nlohmann::json& text, std::array<T, Size>& value) {
    if (text.size() != Size) {
        throw std::runtime_error("expected " + std::to_string(Size) + " values, found " + text.dump());
    }
    for (std::size_t i = 0; i < Size; ++i)
        read_argument(text.at(i), value[i]);
}
template <typename First, typename Second>
void read_argument(const nlohmann::json& text, std::pair<First, Second>& value) {
    read_argument(text.at(0), value.first);
    read_argument(text.at(1), value.second);
}
template <typename T>
void read_argument(const nlohmann::json& text, std::vector<T>& value) {
    value.clear();
    for (const nlohmann::json& each : text)
        read_argument(each, value.emplace_back());
}
template <typename T>
void read_argument(const nlohmann::json& text, std::optional<T>& value) {
    value.reset();
    if (text.is_null()) return;
    T read{};
    read_argument(text, read);
    value = std::move(read);
}
/// The first alternative that can be read from it.
template <typename T, typename... Others>
void read_argument(const nlohmann::json& text, std::variant<T, Others...>& value) {
    const auto read_as = [&]<typename Each>(std::type_identity<Each>) {
        try {
            Each read{};
            read_argument(text, read);
            value = std::move(read);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    };
    if (read_as(std::type_identity<T>()) || (read_as(std::type_identity<Others>()) || ...)) return;
    throw std::runtime_error("expected one of several types, found " + text.dump());
}

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

/// A name in rows that differs from that in the table of parameters.
struct RowName {
    const char* parameter;
    const char* row;
};
inline constexpr RowName kShortNames[] = {
    {"attention_sink", "sink"},           {"attn_mask", "mask"},
    {"batch_idx", "batch_index"},         {"compute_kernel_config", "fp32_dest_acc_en"},
    {"compute_kernel_config", "kernels"}, {"cu_window_seqlens", "windows"},
    {"is_causal_mask", "causal_mask"},    {"layout", "out_layout"},
    {"program_config", "program"},        {"residual_input_tensor", "residual"},
    {"update_idx", "update_index"},
};

/// The name under which the row has a parameter: its own, or a shorter one.
inline std::string name_in_row(const Row& row, const std::string& parameter) {
    if (row.arguments.contains(parameter)) return parameter;
    for (const RowName& each : kShortNames) {
        if (parameter == each.parameter && row.arguments.contains(each.row)) return each.row;
    }
    return parameter;
}

/// True if the row names that optional tensor as given; nothing: it does not say.
inline std::optional<bool> gives_tensor(const Row& row, const std::string& name) {
    if (row.arguments.contains(name)) return row.arguments.at(name) == true;
    if (!row.arguments.contains("tensors")) return std::nullopt;
    const nlohmann::json& given = row.arguments.at("tensors");
    return std::find(given.begin(), given.end(), name) != given.end();
}

/// True if it is an operand that may be a number.
template <typename Value>
inline constexpr bool kIsTensorOrNumber = false;
template <typename Number>
requires std::is_arithmetic_v<Number>
inline constexpr bool kIsTensorOrNumber<std::variant<Tensor, Number>> = true;

/// The number of inputs in the row that are certainly for that parameter.
template <typename Definition, std::size_t Index>
std::size_t named_inputs(const Row& row, const Definition& defaults) {
    using Value = ParameterType<Definition, Index>;
    const std::string name = name_in_row(row, parameter_name<Index>(defaults));
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

// Not inlined: GCC 12 takes the value of an empty optional for one that is read.
template <typename Definition, std::size_t Index>
[[gnu::noinline]] void read_parameter(const Row& row, RowInputs& inputs, Definition& arguments) {
    using Value = ParameterType<Definition, Index>;
    Value& value = arguments.*kParameterMember<Definition, Index>;
    const std::string name = name_in_row(row, parameter_name<Index>(arguments));
    const bool is_named = row.arguments.contains(name);
    if constexpr (std::is_same_v<Value, Tensor>) {
        value = inputs.take();
    } else if constexpr (std::is_same_v<Value, ComplexTensor>) {
        value.real = inputs.take();
        value.imag = inputs.take();
    } else if constexpr (std::is_same_v<Value, std::vector<Tensor>>) {
        value = inputs.take_all_unnamed();
    } else if constexpr (std::is_same_v<Value, Scalar>) {
        read_argument(row.arguments.at("scalar"), value);
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
        read_argument(row.arguments.at(name), value);
    } else if constexpr (std::is_same_v<Value, OptionalMemoryConfig>) {
        if (name.ends_with("memory_config")) value = row.out_memory_config;
    } else if constexpr (std::is_same_v<Value, MemoryConfig>) {
        if (name.ends_with("memory_config")) value = row.out_memory_config.value();
    }
}

inline CallResult call_result(CallResult result) {
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
inline CallResult call_result(const ComplexTensors& tensors) {
    std::vector<Tensor> parts;
    for (const ComplexTensor& each : tensors)
        parts.insert(parts.end(), {each.real, each.imag});
    return parts;
}
/// Those tensors that there are.
inline CallResult call_result(const std::vector<OptionalTensor>& tensors) {
    std::vector<Tensor> found;
    for (const OptionalTensor& each : tensors) {
        if (each) found.push_back(*each);
    }
    return found;
}

template <typename Definition>
CallResult call_from(const Defaults<Definition>& defaults, const Row& row,
                     const std::vector<Tensor>& inputs) {
    Definition arguments = defaults();
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        RowInputs left(inputs, (std::size_t{0} + ... + named_inputs<Definition, Index>(row, arguments)));
        (read_parameter<Definition, Index>(row, left, arguments), ...);
    }
    (std::make_index_sequence<kParameterCount<Definition>>());
    return call_result(call_operation(arguments));
}
template <typename Definition>
CallResult call_definition(const Row& row, const std::vector<Tensor>& inputs) {
    return call_from<Definition>({}, row, inputs);
}

/// The row with arguments that it does not have: `fixed`.
inline Row with_arguments(Row row, const nlohmann::json& fixed) {
    if (!row.arguments.is_object()) row.arguments = nlohmann::json::object();
    row.arguments.update(fixed);
    return row;
}

/// Calls the definition of a row of a table of operations whose operands are those of the recorded row: a
/// number or none.
template <typename First, typename... Others>
CallOperation call_row(const OperationOf<First, Others...>& operation,
                       const nlohmann::json& fixed = nlohmann::json::object()) {
    return [&operation, fixed](const Row& recorded, const std::vector<Tensor>& inputs) {
        const Row row = with_arguments(recorded, fixed);
        const auto call = [&]<typename Each>(std::type_identity<Each>) {
            return call_from<Each>(operation.template defaults<Each>(), row, inputs);
        };
        if constexpr (sizeof...(Others) > 0) {
            using Second = std::tuple_element_t<0, std::tuple<Others...>>;
            if (row.arguments.contains("scalar")) return call(std::type_identity<Second>());
        }
        return call(std::type_identity<First>());
    };
}

/// The same for rows with other names; `fixed` holds arguments that rows do not have.
template <typename Definition>
CallOperation call_with_names(std::vector<RowName> names,
                              const nlohmann::json& fixed = nlohmann::json::object()) {
    return [names = std::move(names), fixed](const Row& row, const std::vector<Tensor>& inputs) {
        Row renamed = with_arguments(row, fixed);
        for (const RowName& each : names)
            renamed.arguments.erase(each.row);
        for (const RowName& each : names) {
            if (row.arguments.contains(each.row))
                renamed.arguments[each.parameter] = row.arguments.at(each.row);
        }
        return call_definition<Definition>(renamed, inputs);
    };
}

/// The same for rows that leave out arguments with which they were recorded.
template <typename Definition>
CallOperation call_definition_with(const nlohmann::json& arguments) {
    return call_with_names<Definition>({}, arguments);
}

/// Each definition of a family under its name, without "experimental::" and the like, as rows have it; the whole
/// name where an earlier definition has the same last word.
template <typename... Each>
void add_definitions(std::map<std::string, CallOperation>& operations, Definitions<Each...> /*family*/) {
    const auto add = [&operations](const std::string& name, CallOperation call) {
        if (!operations.emplace(name.substr(name.find_last_of(":.") + 1), call).second)
            operations.emplace(name, call);
    };
    (add(Each::kOperation.name, call_definition<Each>), ...);
}

}  // namespace tilemeter::oracle
