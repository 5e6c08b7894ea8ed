// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/assign.hpp"

#include <array>
#include <cstdint>
#include <iomanip>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/operations/argument_types.hpp"
#include "runtime/operations/type_table.hpp"

namespace tilemeter::compat {

namespace {

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsVariant : std::false_type {};
template <typename... Each>
struct IsVariant<std::variant<Each...>> : std::true_type {};
template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsArray : std::false_type {};
template <typename T, std::size_t Size>
struct IsArray<std::array<T, Size>> : std::true_type {};
template <typename T, typename Variant>
struct IsAlternative : std::false_type {};
template <typename T, typename... Each>
struct IsAlternative<T, std::variant<Each...>> : std::bool_constant<(std::is_same_v<T, Each> || ...)> {};

template <typename T>
bool assign(T& parameter, const Argument& argument);

/// As string_to_unary_with_param() reads it: "HARDTANH(-1,1)".
std::string name_with_parameters(const UnaryWithParam& function) {
    std::ostringstream text;
    text << compute::name_of(function.op_type) << '(' << std::setprecision(17);
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
        text << (i == 0 ? "" : ",") << function.parameters[i];
    text << ')';
    return text.str();
}

template <typename Number>
bool assign_number(Number& parameter, const Argument& argument) {
    if (const auto* whole = std::get_if<std::int64_t>(&argument)) {
        if constexpr (std::is_integral_v<Number>)
            if (!std::in_range<Number>(*whole)) return false;
        parameter = static_cast<Number>(*whole);
        return true;
    }
    if constexpr (std::is_floating_point_v<Number>)
        if (const auto* number = std::get_if<double>(&argument)) {
            parameter = static_cast<Number>(*number);
            return true;
        }
    return false;
}

template <typename Container>
bool assign_numbers(Container& parameter, const Argument& argument) {
    using Number = typename Container::value_type;
    const auto fill = [&](const auto& numbers) {
        if constexpr (IsArray<Container>::value) {
            if (numbers.size() != parameter.size()) return false;
        } else {
            parameter.resize(numbers.size());
        }
        for (std::size_t i = 0; i < numbers.size(); ++i)
            parameter[i] = static_cast<Number>(numbers[i]);
        return true;
    };
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&argument)) return fill(*numbers);
    if (const auto* shape = std::get_if<Shape>(&argument)) return fill(shape->dimensions());
    if constexpr (std::is_floating_point_v<Number>)
        if (const auto* numbers = std::get_if<std::vector<double>>(&argument)) return fill(*numbers);
    return false;
}

template <typename... Each>
bool assign_one_of(std::variant<Each...>& parameter, const Argument& argument) {
    const auto try_one = [&]<typename T>(std::type_identity<T>) {
        T value{};
        if (!assign(value, argument)) return false;
        parameter = std::move(value);
        return true;
    };
    return (try_one(std::type_identity<Each>()) || ...);
}

template <typename T>
bool assign(T& parameter, const Argument& argument) {
    if constexpr (std::is_same_v<T, Ignored>) {
        return true;
    } else if constexpr (std::is_same_v<T, NotModelled>) {
        parameter.is_given = !std::holds_alternative<std::monostate>(argument);
        return true;
    } else if constexpr (std::is_same_v<T, OnlyDefault>) {
        const auto* const list = std::get_if<std::vector<std::int64_t>>(&argument);
        if (!std::holds_alternative<std::monostate>(argument) && (list == nullptr || !list->empty()))
            parameter.given = "another value";
        return true;
    } else if constexpr (std::is_same_v<T, GivenSemaphores>) {
        parameter.are_given = !std::holds_alternative<std::monostate>(argument);
        return true;
    } else if constexpr (std::is_same_v<T, OutputTile>) {
        if (const auto* tile = std::get_if<Tile>(&argument)) parameter.tile = *tile;
        return true;
    } else if constexpr (std::is_same_v<T, std::monostate>) {
        return std::holds_alternative<std::monostate>(argument);
    } else {
        if (std::holds_alternative<std::monostate>(argument)) return true;  // the parameter's default
        if constexpr (std::is_same_v<T, bool>) {
            const auto* flag = std::get_if<bool>(&argument);
            if (flag != nullptr) parameter = *flag;
            return flag != nullptr;
        } else if constexpr (std::is_arithmetic_v<T>) {
            return assign_number(parameter, argument);
        } else if constexpr (std::is_same_v<T, Scalar>) {
            if (const auto* whole = std::get_if<std::int64_t>(&argument))
                parameter = Scalar(*whole);
            else if (const auto* number = std::get_if<double>(&argument))
                parameter = Scalar(*number);
            else
                return false;
            return true;
        } else if constexpr (std::is_same_v<T, std::string>) {
            if (const auto* text = std::get_if<std::string>(&argument))
                parameter = *text;
            else if (const auto* function = std::get_if<UnaryWithParam>(&argument))
                parameter = name_with_parameters(*function);
            else
                return false;
            return true;
        } else if constexpr (std::is_same_v<T, WindowPadding>) {
            const auto* numbers = std::get_if<std::vector<std::int64_t>>(&argument);
            if (numbers == nullptr || (numbers->size() != 2 && numbers->size() != 4)) return false;
            const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>((*numbers)[i]); };
            parameter = numbers->size() == 2 ? WindowPadding(at(0), at(1))
                                             : WindowPadding(at(0), at(1), at(2), at(3));
            return true;
        } else if constexpr (std::is_same_v<T, Conv2dConfigOrDefault>) {
            const auto* config = std::get_if<Conv2dConfig>(&argument);
            if (config != nullptr) parameter = *config;
            return config != nullptr;
        } else if constexpr (std::is_same_v<T, Shape>) {
            if (const auto* shape = std::get_if<Shape>(&argument)) {
                parameter = *shape;
                return true;
            }
            std::vector<std::uint32_t> dimensions;
            if (!assign_numbers(dimensions, argument)) return false;
            parameter = Shape(std::span<const std::uint32_t>(dimensions));
            return true;
        } else if constexpr (std::is_same_v<T, std::vector<UnaryWithParam>>) {
            if (const auto* one = std::get_if<UnaryWithParam>(&argument))
                parameter = {*one};
            else if (const auto* several = std::get_if<std::vector<UnaryWithParam>>(&argument))
                parameter = *several;
            else
                return false;
            return true;
        } else if constexpr (IsAlternative<T, Argument>::value) {
            const T* value = std::get_if<T>(&argument);
            if (value != nullptr) parameter = *value;
            return value != nullptr;
        } else if constexpr (IsOptional<T>::value) {
            typename T::value_type value{};
            if (!assign(value, argument)) return false;
            parameter = std::move(value);
            return true;
        } else if constexpr (IsVariant<T>::value) {
            return assign_one_of(parameter, argument);
        } else if constexpr ((IsVector<T>::value || IsArray<T>::value) &&
                             std::is_arithmetic_v<typename T::value_type>) {
            return assign_numbers(parameter, argument);
        } else {
            static_assert(sizeof(T) == 0,
                          "a parameter's type that no argument of TT-NN's C++ functions becomes");
        }
    }
}

void add_tensors(Result& result, const Tensor& tensor) {
    result.tensors.emplace_back(tensor);
}
void add_tensors(Result& result, const OptionalTensor& tensor) {
    result.tensors.push_back(tensor);
}
void add_tensors(Result& result, const ComplexTensor& tensor) {
    add_tensors(result, tensor.real);
    add_tensors(result, tensor.imag);
}
template <typename T>
void add_tensors(Result& result, const std::vector<T>& tensors) {
    result.is_list = true;
    for (const T& each : tensors)
        add_tensors(result, each);
}
template <typename A, typename B>
void add_tensors(Result& result, const std::pair<A, B>& pair) {
    add_tensors(result, pair.first);
    add_tensors(result, pair.second);
}
template <typename... Each>
void add_tensors(Result& result, const std::tuple<Each...>& tuple) {
    std::apply([&](const auto&... each) { (add_tensors(result, each), ...); }, tuple);
}
void add_tensors(Result& result, const MaxPool2dResult& pooled) {
    result.is_list = true;
    add_tensors(result, pooled.values);
    if (pooled.indices) add_tensors(result, *pooled.indices);
}
void add_size(Result& result, std::uint32_t size) {
    result.sizes = {size};
}
void add_size(Result& result, std::pair<std::uint32_t, std::uint32_t> size) {
    result.sizes = {size.first, size.second};
}
template <typename Size>
void add_tensors(Result& result, const ConvolutionResult<Size>& convolved) {
    add_tensors(result, convolved.output);
    if (convolved.output_size) {
        add_size(result, *convolved.output_size);
        result.has_sizes = true;
    }
    if (convolved.weight) {
        result.has_weights = true;
        add_tensors(result, convolved.weight);
        add_tensors(result, convolved.bias);
    }
}

using Assign = bool (*)(std::byte* parameter, const Argument& argument);
using Call = void (*)(void (*function)(), const std::byte* arguments, Result& result);

template <typename T>
bool assign_to(std::byte* parameter, const Argument& argument) {
    return assign(*reinterpret_cast<T*>(parameter), argument);
}

template <typename T>
void call_for(void (*function)(), const std::byte* arguments, Result& result) {
    add_tensors(result, reinterpret_cast<T (*)(const void*)>(function)(arguments));
}

}  // namespace

bool assign(const ListedParameter& parameter, ErasedArguments& arguments, const Argument& argument) {
    static const TypeTable<Assign> kAssigns(made_by_type(
        ArgumentTypes(), []<typename T>(std::type_identity<T> /*type*/) -> Assign { return &assign_to<T>; }));
    return kAssigns.find(*parameter.type)(arguments.get() + parameter.offset, argument);
}

void call(const ErasedDefinition& definition, const ErasedArguments& arguments, Result& result) {
    static const auto kCalls = made_by_type(
        ResultTypes(), []<typename T>(std::type_identity<T> /*type*/) -> Call { return &call_for<T>; });
    kCalls.at (*definition.result)(definition.call, arguments.get(), result);
}

}  // namespace tilemeter::compat
