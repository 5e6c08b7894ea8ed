// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/internal/call_arguments.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>

#include "runtime/operations/all_definitions.hpp"
#include "runtime/trace/device/internal/type_table.hpp"

namespace tilemeter::trace::internal {

namespace {

using MaybeAttribute = std::optional<ir::Attribute>;

template <typename Value, typename List>
bool collect(const std::vector<ir::Attribute>& values, ir::Attribute& to) {
    List list;
    for (const ir::Attribute& each : values) {
        const Value* const value = std::get_if<Value>(&each);
        if (value == nullptr) return false;
        list.push_back(*value);
    }
    to = std::move(list);
    return true;
}

std::string text_of_attribute(const ir::Attribute& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
    if (const auto* real = std::get_if<double>(&value)) return attribute_text(*real);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    const auto* const list = std::get_if<ir::Integers>(&value);
    if (list == nullptr) return "[...]";
    std::string text;
    for (const std::int64_t each : *list)
        text += (text.empty() ? "[" : ", ") + std::to_string(each);
    return text + "]";
}

// The activation as its name and, in brackets, its parameters.
std::string activation_text(const UnaryWithParam& function) {
    std::string text(compute::name_of(function.op_type));
    std::string numbers;
    for (const double parameter : function.parameters) {
        std::array<char, 32> digits{};
        std::snprintf(digits.data(), digits.size(), "%.17g", parameter);
        numbers += (numbers.empty() ? "" : ",") + std::string(digits.data());
    }
    return text + "(" + numbers + ")";
}

template <typename T>
concept HasText = requires(const T& value) {
    { attribute_text(value) } -> std::convertible_to<std::string>;
};
template <typename T>
concept HasName = requires(const T& value) {
    { name_of(value) } -> std::convertible_to<std::string_view>;
};

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsList = false;
template <typename T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <typename T, std::size_t Size>
inline constexpr bool kIsList<std::array<T, Size>> = true;
template <typename T>
inline constexpr bool kIsVariant = false;
template <typename... Ts>
inline constexpr bool kIsVariant<std::variant<Ts...>> = true;
template <typename T>
inline constexpr bool kIsPair = false;
template <typename First, typename Second>
inline constexpr bool kIsPair<std::pair<First, Second>> = true;
template <typename T>
inline constexpr bool kIsPointer = false;
template <typename T>
inline constexpr bool kIsPointer<std::shared_ptr<T>> = true;

template <typename T>
MaybeAttribute attribute_of(const T& value) {
    if constexpr (kIsNoArgument<T> || kIsPointer<T> || std::is_same_v<T, Tensor>) {
        return std::nullopt;
    } else if constexpr (std::is_same_v<T, bool>) {
        return value;
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(value);
    } else if constexpr (std::is_same_v<T, Scalar>) {
        if (value.is_integral()) return static_cast<std::int64_t>(value.value());
        return value.value();
    } else if constexpr (std::is_same_v<T, UnaryWithParam>) {
        return activation_text(value);
    } else if constexpr (std::is_same_v<T, MatmulProgramConfig>) {
        return to_string(value);
    } else if constexpr (kIsOptional<T>) {
        return value ? attribute_of(*value) : std::nullopt;
    } else if constexpr (kIsVariant<T>) {
        return std::visit([](const auto& each) { return attribute_of(each); }, value);
    } else if constexpr (kIsPair<T>) {
        std::vector<ir::Attribute> values;
        if (const MaybeAttribute first = attribute_of(value.first)) values.push_back(*first);
        if (const MaybeAttribute second = attribute_of(value.second)) values.push_back(*second);
        return list_of(values);
    } else if constexpr (kIsList<T>) {
        std::vector<ir::Attribute> values;
        for (const auto& each : value)
            if (MaybeAttribute made = attribute_of(static_cast<typename T::value_type>(each)))
                values.push_back(std::move(*made));
        if (values.empty()) return std::nullopt;
        return list_of(values);
    } else if constexpr (std::is_enum_v<T> && !std::is_same_v<T, DataType> && !std::is_same_v<T, Layout>) {
        if constexpr (HasText<T>) {
            return attribute_text(value);
        } else if constexpr (HasName<T>) {
            return std::string(name_of(value));
        } else {
            return static_cast<std::int64_t>(value);
        }
    } else if constexpr (HasText<T>) {
        return std::string(attribute_text(value));
    } else if constexpr (HasName<T>) {
        return std::string(name_of(value));
    } else {
        return "given";
    }
}

template <typename T>
inline constexpr bool kMayBeTensor = false;
template <>
inline constexpr bool kMayBeTensor<Tensor> = true;
template <typename T>
inline constexpr bool kMayBeTensor<std::optional<T>> = kMayBeTensor<T>;
template <typename T>
inline constexpr bool kMayBeTensor<std::vector<T>> = kMayBeTensor<T>;
template <typename... Ts>
inline constexpr bool kMayBeTensor<std::variant<Ts...>> = (kMayBeTensor<Ts> || ...);

// Tensors of an argument are listed in `to`.
void list_tensors(const Tensor& tensor, std::vector<TensorArgument>& to) {
    const bool on_device = tensor.storage_type() == StorageType::DEVICE;
    to.push_back(
        {tensor.id(), on_device ? tensor.buffer().id() : record::BufferId::kNone, tensor.record_spec_id()});
}
template <typename T>
void list_tensors(const std::vector<T>& values, std::vector<TensorArgument>& to);
template <typename... Ts>
void list_tensors(const std::variant<Ts...>& value, std::vector<TensorArgument>& to);

template <typename T>
void list_tensors(const std::optional<T>& value, std::vector<TensorArgument>& to) {
    if (value) list_tensors(*value, to);
}
template <typename T>
void list_tensors(const std::vector<T>& values, std::vector<TensorArgument>& to) {
    for (const T& each : values)
        list_tensors(each, to);
}
template <typename... Ts>
void list_tensors(const std::variant<Ts...>& value, std::vector<TensorArgument>& to) {
    if (const Tensor* const tensor = std::get_if<Tensor>(&value)) list_tensors(*tensor, to);
}

// What an argument says beside its tensors.
template <typename T>
void copy_without_tensors(const T& from, T& to) {
    if constexpr (!kMayBeTensor<T>) {
        to = from;
    }
}
template <typename... Ts>
requires(kMayBeTensor<std::variant<Ts...>>) void copy_without_tensors(const std::variant<Ts...>& from,
                                                                      std::variant<Ts...>& to) {
    if (!std::holds_alternative<Tensor>(from)) to = from;
}
template <typename T>
requires(kIsVariant<T>&& kMayBeTensor<T>) void copy_without_tensors(const std::optional<T>& from,
                                                                    std::optional<T>& to) {
    if (from) copy_without_tensors(*from, to.emplace());
}

class Describer {
public:
    /// `tensors`: how many of them the parameter was given.
    template <typename T>
    void add(const char* name, const T& value, const T& usual, bool is_listed, std::size_t tensors) {
        if constexpr (kMayBeTensor<T>) {
            names_.insert(names_.end(), tensors, name);
            is_clear_ = is_clear_ && (tensors == 0 || !has_gap_);
            has_gap_ = has_gap_ || tensors == 0 || kIsList<T>;
        }
        if constexpr (!std::is_same_v<T, Tensor>) {
            MaybeAttribute made = attribute_of(value);
            if (!made || (!is_listed && made == attribute_of(usual))) return;
            to_.set(name, std::move(*made));
        }
        if constexpr (std::is_same_v<T, std::optional<MatmulProgramConfig>>) {
            if (value) add_activation_of(*value);
        }
    }

    ir::Attributes finish() {
        if (!is_clear_) to_.set("operands", ir::Strings(names_.begin(), names_.end()));
        return std::move(to_);
    }

private:
    void add_activation_of(const MatmulProgramConfig& config) {
        std::visit(
            [this](const auto& each) {
                if constexpr (requires { each.fused_activation; }) {
                    if (each.fused_activation)
                        to_.set("fused_activation", activation_text(*each.fused_activation));
                }
            },
            config);
    }

    ir::Attributes to_;
    std::vector<const char*> names_;
    bool has_gap_ = false;
    bool is_clear_ = true;
};

template <typename Definition>
class Given final : public GivenArguments {
public:
    Given(const Definition& arguments, std::vector<TensorArgument>& tensors) {
        if constexpr (HasRows<Definition>) arguments_.row = arguments.row;
        for_each_parameter([&]<std::size_t kIndex>() {
            constexpr auto kMember = kParameter<Definition, kIndex>.member;
            using T = std::remove_reference_t<decltype(arguments_.*kMember)>;
            if constexpr (kMayBeTensor<T>) {
                const std::size_t before = tensors.size();
                list_tensors(arguments.*kMember, tensors);
                counts_[kIndex] = static_cast<std::uint32_t>(tensors.size() - before);
            }
            // What a pointer holds is no argument that a graph could name.
            if constexpr (!kIsPointer<T>) copy_without_tensors(arguments.*kMember, arguments_.*kMember);
        });
    }

    [[nodiscard]] ir::Attributes attributes() const override {
        Definition usual;
        if constexpr (HasRows<Definition>) {
            usual = Defaults<Definition>{arguments_.row}();
        } else {
            usual = Defaults<Definition>()();
        }
        Describer to;
        for_each_parameter([&]<std::size_t kIndex>() {
            constexpr auto kRow = kParameter<Definition, kIndex>;
            to.add(parameter_name<kIndex>(arguments_), arguments_.*kRow.member, usual.*kRow.member,
                   kRow.is_recorded, counts_[kIndex]);
        });
        return to.finish();
    }

private:
    static constexpr std::size_t kCount = kParameterCount<Definition>;

    template <typename Visit>
    static void for_each_parameter(const Visit& visit) {
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            (visit.template operator()<Index>(), ...);
        }
        (std::make_index_sequence<kCount>());
    }

    Definition arguments_;
    std::array<std::uint32_t, kCount> counts_{};
};

using Take = std::unique_ptr<const GivenArguments> (*)(const void*, std::vector<TensorArgument>&);

template <typename Definition>
std::unique_ptr<const GivenArguments> take(const void* arguments, std::vector<TensorArgument>& tensors) {
    return std::make_unique<Given<Definition>>(*static_cast<const Definition*>(arguments), tensors);
}

std::unordered_map<std::type_index, Take> all_definitions() {
    std::unordered_map<std::type_index, Take> all;
    for_each_definition([&]<typename Definition>(const char* /*family*/, const Defaults<Definition>&) {
        all.emplace(typeid(Definition), &take<Definition>);
    });
    return all;
}

}  // namespace

ir::Attribute list_of(const std::vector<ir::Attribute>& values) {
    ir::Attribute list;
    if (collect<std::int64_t, ir::Integers>(values, list) || collect<double, ir::Floats>(values, list) ||
        collect<bool, ir::Booleans>(values, list) || collect<std::string, ir::Strings>(values, list))
        return list;
    ir::Strings texts;
    for (const ir::Attribute& each : values)
        texts.push_back(text_of_attribute(each));
    return texts;
}

std::unique_ptr<const GivenArguments> given_arguments(const std::type_info& definition, const void* arguments,
                                                      std::vector<TensorArgument>& tensors) {
    static const TypeTable<Take> kDefinitions(all_definitions());
    const Take take = kDefinitions.find(definition);
    return take == nullptr ? nullptr : take(arguments, tensors);
}

}  // namespace tilemeter::trace::internal
