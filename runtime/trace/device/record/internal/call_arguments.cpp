// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/record/internal/call_arguments.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>

#include "runtime/operation_list.hpp"
#include "runtime/operations/argument_types.hpp"
#include "runtime/operations/type_table.hpp"

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
    if constexpr (kIsNoArgument<T> || kIsPointer<T> || std::is_same_v<T, Tensor> ||
                  std::is_same_v<T, ComplexTensor>) {
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
    } else if constexpr (std::is_same_v<T, WindowPadding>) {
        return attribute_of(static_cast<const std::array<std::uint32_t, 4>&>(value));
    } else if constexpr (std::is_base_of_v<Conv2dConfig, T>) {
        return value.activation ? activation_text(*value.activation) : "given";
    } else if constexpr (std::is_same_v<T, Conv3dConfig>) {
        return "given";
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
template <>
inline constexpr bool kMayBeTensor<ComplexTensor> = true;
template <typename T>
inline constexpr bool kMayBeTensor<std::optional<T>> = kMayBeTensor<T>;
template <typename T>
inline constexpr bool kMayBeTensor<std::vector<T>> = kMayBeTensor<T>;
template <typename... Ts>
inline constexpr bool kMayBeTensor<std::variant<Ts...>> = (kMayBeTensor<Ts> || ...);

}  // namespace

// Outside, for a member of ArgumentTable points to functions of it: GCC 14 crashes where such a type has no linkage.
struct TensorVisitor {
    VisitTensor visit;
    void* context;
    std::string_view parameter;
    bool is_output;

    void operator()(const Tensor& tensor) const { visit(context, parameter, is_output, tensor); }
    void operator()(const ComplexTensor& value) const {
        (*this)(value.real);
        (*this)(value.imag);
    }
    template <typename T>
    void operator()(const std::optional<T>& value) const {
        if (value) (*this)(*value);
    }
    template <typename T>
    void operator()(const std::vector<T>& values) const {
        for (const T& each : values)
            (*this)(each);
    }
    template <typename... Ts>
    void operator()(const std::variant<Ts...>& value) const {
        if (const Tensor* const tensor = std::get_if<Tensor>(&value)) (*this)(*tensor);
    }
};

namespace {

// The content of an argument beside its tensors.
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
    /// `value`: null where nothing is kept of it. `tensors`: how many of them the parameter was given.
    template <typename T>
    void add(std::string_view name, const T* value, const T& usual, bool is_listed, std::size_t tensors) {
        if constexpr (kMayBeTensor<T>) {
            names_.insert(names_.end(), tensors, name);
            is_clear_ = is_clear_ && (tensors == 0 || !has_gap_);
            has_gap_ = has_gap_ || tensors == 0 || kIsList<T>;
        }
        if (value == nullptr) return;
        MaybeAttribute made = attribute_of(*value);
        if (!made || (!is_listed && made == attribute_of(usual))) return;
        to_.set(name, std::move(*made));
        if constexpr (std::is_same_v<T, std::optional<MatmulProgramConfig>>) {
            if (*value) add_activation_of(**value);
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
    std::vector<std::string_view> names_;
    bool has_gap_ = false;
    bool is_clear_ = true;
};

// The functions for an argument's type.
struct ArgumentType {
    std::size_t size, alignment;
    bool is_kept;   // a tensor is not, nor what a pointer holds: a graph could not name it
    bool is_plain;  // kept as its bytes
    void (*visit_tensors)(const TensorVisitor& visitor, const void* value);  // null: it has none
    void (*keep)(const void* from, void* to);
    void (*destroy)(void* kept);
    MaybeAttribute (*attribute)(const void* value);
    void (*describe)(Describer& to, std::string_view name, const void* kept, const void* usual,
                     bool is_listed, std::size_t tensors);
};

// A variant may hold something else than a tensor.
template <typename T>
inline constexpr bool kIsOnlyTensors = kMayBeTensor<T> && !kIsVariant<T>;
template <typename T>
inline constexpr bool kIsOnlyTensors<std::optional<T>> = kIsOnlyTensors<T>;

template <typename T>
inline constexpr bool kIsKept = !kIsOnlyTensors<T> && !kIsPointer<T> && !kIsNoArgument<T>;

template <typename T>
constexpr ArgumentType argument_type() {
    ArgumentType type{
        .size = sizeof(T),
        .alignment = alignof(T),
        .is_kept = kIsKept<T>,
        .is_plain = std::is_trivially_copyable_v<T>,
        .visit_tensors = nullptr,
        .keep = nullptr,
        .destroy = nullptr,
        .attribute = [](const void* value) { return attribute_of(*static_cast<const T*>(value)); },
        .describe =
            [](Describer& to, std::string_view name, const void* kept, const void* usual, bool is_listed,
               std::size_t tensors) {
                to.add(name, static_cast<const T*>(kept), *static_cast<const T*>(usual), is_listed, tensors);
            },
    };
    if constexpr (kMayBeTensor<T>) {
        type.visit_tensors = [](const TensorVisitor& visitor, const void* value) {
            visitor(*static_cast<const T*>(value));
        };
    }
    if constexpr (kIsKept<T>) {
        type.keep = [](const void* from, void* to) {
            if constexpr (kMayBeTensor<T>) {
                copy_without_tensors(*static_cast<const T*>(from), *new (to) T());
            } else {
                new (to) T(*static_cast<const T*>(from));
            }
        };
        type.destroy = [](void* kept) { static_cast<T*>(kept)->~T(); };
    }
    return type;
}

const ArgumentType& argument_type_of(const std::type_info& type) {
    static const auto kTypes = made_by_type(
        ArgumentTypes(), []<typename T>(std::type_identity<T> /*type*/) { return argument_type<T>(); });
    return kTypes.at(type);
}

}  // namespace

struct ArgumentTable {
    struct Row {
        const ArgumentType* type;
        const ListedParameter* parameter;
        std::string_view name;  // empty: the operation's row has it
        std::size_t kept_at = 0;
    };
    // The work of a call with the rows stands here once more, so that it reads the table alone. Tensors of a parameter:
    struct Tensors {
        void (*visit)(const TensorVisitor& visitor, const void* value);
        const Row* row;
        std::size_t from;
    };
    // Bytes that are kept as they are, or an object.
    struct Step {
        void (*keep)(const void* from, void* to);  // null: bytes
        void (*destroy)(void* kept);
        std::size_t from, to, size;
    };

    const ListedOperation* operation = nullptr;  // one of those that have the definition
    std::size_t row_offset = ErasedDefinition::kNoRow;
    std::vector<Row> rows;
    std::vector<Tensors> tensors;
    std::vector<Step> steps;
    std::size_t kept_size = 0;  // with one count for each of `tensors`, in front

    const OperationRow* row_of(const void* arguments) const {
        if (row_offset == ErasedDefinition::kNoRow) return nullptr;
        const OperationRow* row = nullptr;
        std::memcpy(&row, static_cast<const std::byte*>(arguments) + row_offset, sizeof row);
        return row;
    }
    static std::string_view name_of(const Row& each, const OperationRow* row) {
        if (!each.name.empty()) return each.name;
        const char* name = nullptr;
        std::memcpy(&name, reinterpret_cast<const std::byte*>(row) + each.parameter->name_in_row,
                    sizeof name);
        return name;
    }
    void lay_out();
};

namespace {

using TensorCount = std::uint32_t;

}  // namespace

void ArgumentTable::lay_out() {
    row_offset = operation->definition.row_offset;
    for (const Row& each : rows)
        if (each.type->visit_tensors != nullptr)
            tensors.push_back({each.type->visit_tensors, &each, each.parameter->offset});
    kept_size = tensors.size() * sizeof(TensorCount);
    for (Row& each : rows) {
        const ArgumentType& type = *each.type;
        if (!type.is_kept) continue;
        each.kept_at = (kept_size + type.alignment - 1) / type.alignment * type.alignment;
        kept_size = each.kept_at + type.size;
        const bool is_plain = type.is_plain && type.visit_tensors == nullptr;
        if (is_plain && !steps.empty() && steps.back().keep == nullptr &&
            each.parameter->offset >= steps.back().from &&
            each.parameter->offset - steps.back().from == each.kept_at - steps.back().to) {
            steps.back().size = each.kept_at + type.size - steps.back().to;  // with the padding between
        } else {
            steps.push_back({is_plain ? nullptr : type.keep, is_plain ? nullptr : type.destroy,
                             each.parameter->offset, each.kept_at, type.size});
        }
    }
}

GivenArguments::GivenArguments(const ArgumentTable& table, const void* arguments,
                               std::vector<TensorArgument>& tensors, ObjectRoom& room)
    : table_(&table), row_(table.row_of(arguments)), kept_(room.take(table.kept_size)) {
    const auto* const from = static_cast<const std::byte*>(arguments);
    const auto list = [](void* context, std::string_view /*parameter*/, bool /*is_output*/,
                         const Tensor& tensor) {
        const bool on_device = tensor.storage_type() == StorageType::DEVICE;
        static_cast<std::vector<TensorArgument>*>(context)->push_back(
            {tensor.id(), on_device ? tensor.buffer().id() : record::BufferId::kNone,
             tensor.record_spec_id()});
    };
    const TensorVisitor visitor{list, &tensors, {}, false};
    std::byte* count_at = kept_;
    for (const ArgumentTable::Tensors& each : table.tensors) {
        const std::size_t before = tensors.size();
        each.visit(visitor, from + each.from);
        const auto count = static_cast<TensorCount>(tensors.size() - before);
        std::memcpy(count_at, &count, sizeof count);
        count_at += sizeof count;
    }
    std::size_t done = 0;
    try {
        for (; done < table.steps.size(); ++done) {
            const ArgumentTable::Step& step = table.steps[done];
            if (step.keep == nullptr) {
                std::memcpy(kept_ + step.to, from + step.from, step.size);
            } else {
                step.keep(from + step.from, kept_ + step.to);
            }
        }
    } catch (...) {
        while (done-- > 0)
            if (const ArgumentTable::Step& step = table.steps[done]; step.destroy != nullptr)
                step.destroy(kept_ + step.to);
        throw;
    }
}

void GivenArguments::destroy_kept() noexcept {
    for (const ArgumentTable::Step& step : table_->steps)
        if (step.destroy != nullptr) step.destroy(kept_ + step.to);
}

ir::Attributes GivenArguments::attributes() const {
    Describer to;
    const ErasedArguments usual(table_->operation->definition, row_);
    const std::byte* count_at = kept_;
    for (const ArgumentTable::Row& each : table_->rows) {
        TensorCount count = 0;
        if (each.type->visit_tensors != nullptr) {
            std::memcpy(&count, count_at, sizeof count);
            count_at += sizeof count;
        }
        each.type->describe(to, ArgumentTable::name_of(each, row_),
                            each.type->is_kept ? kept_ + each.kept_at : nullptr,
                            usual.get() + each.parameter->offset, each.parameter->is_recorded, count);
    }
    return to.finish();
}

std::optional<ir::Attribute> GivenArguments::attribute(std::string_view name) const {
    for (const ArgumentTable::Row& each : table_->rows) {
        if (name != ArgumentTable::name_of(each, row_)) continue;
        if (!each.type->is_kept) return std::nullopt;
        MaybeAttribute made = each.type->attribute(kept_ + each.kept_at);
        if (!made || each.parameter->is_recorded) return made;
        const ErasedArguments usual(table_->operation->definition, row_);
        if (made == each.type->attribute(usual.get() + each.parameter->offset)) return std::nullopt;
        return made;
    }
    // Those that are no parameters stand beside them in few calls.
    if (name != "operands" && name != "fused_activation") return std::nullopt;
    const ir::Attributes all = attributes();
    const ir::Attribute* const found = all.find(name);
    return found == nullptr ? std::nullopt : MaybeAttribute(*found);
}

namespace {

std::unordered_map<std::type_index, const ArgumentTable*> tables() {
    static std::deque<ArgumentTable> made;
    std::unordered_map<std::type_index, const ArgumentTable*> all;
    for (const ListedOperation& operation : all_operations()) {
        const auto [place, is_new] = all.try_emplace(*operation.definition.type);
        if (!is_new) continue;
        ArgumentTable& table = made.emplace_back();
        place->second = &table;
        table.operation = &operation;
        for (const ListedParameter& parameter : operation.parameters)
            table.rows.push_back({&argument_type_of(*parameter.type), &parameter,
                                  parameter.name_in_row == ListedParameter::kInNoRow ? parameter.name : ""});
        table.lay_out();
    }
    return all;
}

const ArgumentTable* table_of(const std::type_info& definition) {
    static const TypeTable<const ArgumentTable*> kTables(tables());
    return kTables.find(definition);
}

}  // namespace

std::string dotted(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i, 2) == "::") {
            text += '.';
            ++i;
        } else {
            text += name[i];
        }
    }
    return text;
}

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

GivenArguments given_arguments(const std::type_info& definition, const void* arguments,
                               std::vector<TensorArgument>& tensors, ObjectRoom& room) {
    const ArgumentTable* const table = table_of(definition);
    return table == nullptr ? GivenArguments() : GivenArguments(*table, arguments, tensors, room);
}

const char* visit_tensors(const std::type_info& definition, const void* arguments, VisitTensor visit,
                          void* context) {
    const ArgumentTable* const table = table_of(definition);
    if (table == nullptr) return nullptr;
    const OperationRow* const row = table->row_of(arguments);
    for (const ArgumentTable::Tensors& each : table->tensors)
        each.visit({visit, context, ArgumentTable::name_of(*each.row, row), each.row->parameter->is_output},
                   static_cast<const std::byte*>(arguments) + each.from);
    return row != nullptr ? row->operation.name : table->operation->definition.name;
}

}  // namespace tilemeter::trace::internal
