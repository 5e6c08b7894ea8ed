// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The scope that a user's call of an operation opens in a capture: its name, arguments and input tensors, the
// nodes inside, and its output tensors or the exception that ended it.
//
//     Tensor relu(const Tensor& input, ...) {
//         static const OperationName kName("relu");
//         return in_operation(kName, std::tie(input, memory_config), [&] { ... });
//     }

#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "capture/record/emit.hpp"
#include "capture/record/left_open.hpp"
#include "capture/record/listener.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The language that operations are called from: it decides between "ttnn::add" and "ttnn.add" in captures. kBare: captures
/// have no scope for the call itself, as TT-NN's have none of its C++ functions, and only what it consists of.
enum class CallStyle : std::uint8_t { kCpp, kPython, kBare };

/// Sets the calling thread's style for a scope.
class ScopedCallStyle {
public:
    explicit ScopedCallStyle(CallStyle style);
    ~ScopedCallStyle();
    ScopedCallStyle(const ScopedCallStyle&) = delete;
    ScopedCallStyle& operator=(const ScopedCallStyle&) = delete;

private:
    CallStyle previous_;
};

/// An operation's name in both styles, interned once: OperationName("add"),
/// OperationName("transformer::split_heads").
class OperationName {
public:
    explicit OperationName(std::string_view name);
    record::TextId in_style(CallStyle style) const { return style == CallStyle::kPython ? python_ : cpp_; }

private:
    record::TextId cpp_;
    record::TextId python_;
};

CallStyle call_style();

namespace internal {

inline void emit_one(const Tensor& tensor) {
    record::show_next(tensor);
    record::emit_argument(tensor.id(), tensor.record_spec_id());
}
inline void emit_one(std::int64_t value) {
    record::emit_argument(record::ArgumentType::kInteger, value);
}
inline void emit_one(bool value) {
    record::emit_argument(record::ArgumentType::kBoolean, value ? 1 : 0);
}
inline void emit_one(double value) {
    record::emit_argument(record::ArgumentType::kReal, 0, value);
}
template <std::integral T>
void emit_one(const T& value) {
    emit_one(static_cast<std::int64_t>(value));
}
inline void emit_one(float value) {
    emit_one(static_cast<double>(value));
}
inline void emit_one(record::TextId text) {
    record::emit_argument(text);
}
inline void emit_one(const MemoryConfig& config) {
    record::show_next(config);
    record::emit_argument(record_text(config));
}
inline void emit_one(const Shape& shape) {
    record::show_next(shape);
    record::emit_argument(record_text(shape));
}
void emit_one(DataType dtype);
void emit_one(Layout layout);
template <typename T>
void emit_one(std::span<const T> values);
template <typename T>
void emit_one(const std::vector<T>& values);
template <typename T>
void emit_one(const std::optional<T>& value);
/// An operand that may be a number.
template <typename Number>
void emit_one(const std::variant<Tensor, Number>& operand) {
    std::visit([](const auto& each) { emit_one(each); }, operand);
}
/// Everything else goes as its text.
template <typename T>
void emit_one(const T& value) {
    record::emit_argument(record::intern(attribute_text(value)));
}
template <typename T>
void emit_one(const std::optional<T>& value) {
    static const record::TextId kNothing = record::intern("std::nullopt");
    if (value) {
        emit_one(*value);
    } else {
        record::emit_argument(kNothing);
    }
}
template <typename T>
void emit_one(std::span<const T> values) {
    record::emit_argument(record::ArgumentType::kListBegin, 0);
    for (const T& value : values)
        emit_one(value);
    record::emit_argument(record::ArgumentType::kListEnd, 0);
}
template <typename T>
void emit_one(const std::vector<T>& values) {
    emit_one(std::span<const T>(values));
}

inline void emit_if_input(const Tensor& tensor) {
    record::emit_input_tensor(tensor.record());
}
inline void emit_if_input(const std::optional<Tensor>& tensor) {
    if (tensor) emit_if_input(*tensor);
}
inline void emit_if_input(std::span<const Tensor> tensors) {
    for (const Tensor& tensor : tensors)
        emit_if_input(tensor);
}
inline void emit_if_input(const std::vector<Tensor>& tensors) {
    emit_if_input(std::span<const Tensor>(tensors));
}
template <typename Number>
void emit_if_input(const std::variant<Tensor, Number>& operand) {
    if (const Tensor* tensor = std::get_if<Tensor>(&operand)) emit_if_input(*tensor);
}
template <typename T>
void emit_if_input(const T&) {}

inline void emit_outputs(const Tensor& tensor) {
    record::show_next(tensor);
    record::emit_output_tensor(tensor.record());
}
inline void emit_outputs(const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors)
        emit_outputs(tensor);
}

inline void emit_outputs(const std::vector<std::optional<Tensor>>& tensors) {
    for (const std::optional<Tensor>& tensor : tensors) {
        if (tensor) emit_outputs(*tensor);
    }
}

/// Begins a scope; its arguments follow, then end_scope() or abort_scope() on the same thread.
void begin_scope(record::TextId name, std::uint64_t argument_count);
/// Begins a scope that lists these arguments.
template <typename... Arguments>
void begin_scope(record::TextId name, const std::tuple<Arguments...>& arguments) {
    begin_scope(name, sizeof...(Arguments));
    std::apply(
        [](const auto&... each) {
            if (record::recording_arguments()) (emit_one(each), ...);
            (emit_if_input(each), ...);
        },
        arguments);
    record::emit_function_begun();
}
void end_scope();
/// REQUIRES: called while an exception is handled. Emits the error once, at the innermost scope.
void abort_scope(record::TextId name);

/// Runs `body` in the scope that has just begun.
template <typename Body>
auto run_in_scope(record::TextId name, const Body& body) {
    const auto run = [&] {
        try {
            if constexpr (std::is_void_v<decltype(body())>) {
                body();
            } else {
                auto result = body();
                emit_outputs(result);
                return result;
            }
        } catch (...) {
            abort_scope(name);
            throw;
        }
    };
    // What a listener throws at the end leaves a scope that has ended.
    if constexpr (std::is_void_v<decltype(body())>) {
        run();
        end_scope();
    } else {
        auto result = run();
        end_scope();
        return result;
    }
}

}  // namespace internal

/// Runs `body` in a scope of that name. `arguments`: std::tie of what the caller gave, in order. What body
/// returns (nothing, a tensor, or a vector of tensors) are the outputs.
template <typename... Arguments, typename Body>
auto in_scope(record::TextId name, const std::tuple<Arguments...>& arguments, const Body& body) {
    if (!record::recording()) return body();
    internal::begin_scope(name, arguments);
    return internal::run_in_scope(name, body);
}

template <typename... Arguments, typename Body>
auto in_operation(const OperationName& name, const std::tuple<Arguments...>& arguments, const Body& body) {
    const CallStyle style = call_style();
    const record::TextId text = name.in_style(style);
    record::end_functions_left_open();
    const ScopedUserOperation scope(text);
    if (style == CallStyle::kBare) [[unlikely]]
        return body();
    return in_scope(text, arguments, body);
}

}  // namespace tilemeter
