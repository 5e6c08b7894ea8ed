// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An array: a value that belongs to no device and has no place. What functions that are traced are written in.
//
//   const Array x(Constant::of<double>(ElementType::kF64, {3}, values));
//   const Array y = tanh(x * 2.0);              // pending: nothing is computed
//   y.value();                                  // now it is, once
//
//   trace("f", [](std::span<const Array> x) { return std::vector{tanh(x[0] * 2.0)}; }, types);   // trace.hpp
//
// It is in one of three states:
//   evaluated   the elements are known
//   pending     an operation on other arrays, which runs at the first use: eval(), value(), repr(), a number
//   traced      a value of the graph that a frame (frame.hpp) is recording; its type is known, in concrete mode its
//               elements as well
// Besides there are literals, numbers without an element type of their own: they take that of the other operands, as
// Python's numbers do in NumPy, so that x * 2.0 stays f32 where x is.
//
// An array is a handle: a copy is the same value. Nothing changes the elements of an array.
//
// Thread safety: arrays that share pending operations need outside locking; all others may be used in any thread, a
// traced one only in that of its frame.

#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "capture/ir/constant.hpp"
#include "capture/ir/graph.hpp"
#include "capture/ir/type.hpp"

namespace tilemeter::trace {

namespace internal {
struct Owner;
struct ArrayAccess;
}  // namespace internal

class Array {
public:
    enum class State : std::uint8_t { kEmpty, kLiteral, kEvaluated, kPending, kTraced };

    /// No value; any use is an error.
    Array() = default;
    /// Literals.
    Array(double number) : number_{.real = number}, state_(State::kLiteral) {}
    template <std::integral T>
    Array(T number)
        : number_{.integer = static_cast<std::int64_t>(number)},
          state_(State::kLiteral),
          number_type_(std::same_as<T, bool> ? ir::ElementType::kBool : ir::ElementType::kI64),
          element_(number_type_) {}
    /// A literal that may be above the signed integers.
    static Array literal_of(std::uint64_t number);
    /// An integer that no element type holds: beside floats it is this number, beside integers it is refused.
    static Array literal_beyond_64_bits(double number);
    /// Evaluated.
    explicit Array(const ir::Constant& value);

    [[nodiscard]] State state() const;
    [[nodiscard]] bool is_traced() const { return state_ == State::kTraced; }

    /// The type of a literal is f64[], i64[] or bool[]. Throws TraceError for an empty one.
    [[nodiscard]] ir::TensorType type() const;
    [[nodiscard]] ir::Shape shape() const { return type().shape; }
    [[nodiscard]] ir::ElementType element() const { return type().element; }
    [[nodiscard]] std::size_t rank() const { return type().shape.rank(); }
    /// The first extent. Throws TraceError (kBadArgument) for a scalar.
    [[nodiscard]] std::int64_t length() const;

    // ---- uses: a pending array is evaluated by the first one

    /// Evaluates the array if it is pending; of a traced one nothing happens.
    const Array& eval() const;
    /// The elements. Throws TraceError (kEscapedTracer, kNeedsConcreteArray) for a traced array without any.
    [[nodiscard]] ir::Constant value() const;
    /// The only element as a number. Throws TraceError: kNeedsConcreteBool and so on where only the type is known,
    /// kBadArgument for several elements. In concrete mode the answer becomes a guard of the trace.
    [[nodiscard]] bool to_bool() const;
    [[nodiscard]] std::int64_t to_int() const;
    [[nodiscard]] double to_float() const;
    /// Type and elements, of a traced one the function, the value's number in its graph and the type.
    [[nodiscard]] std::string repr() const;

    /// The only result of a method (methods.hpp) of this array: x.call("tanh"), x.call("myop", {y}).
    [[nodiscard]] Array call(std::string_view method, std::initializer_list<Array> more = {}) const;

    // ---- for tools: where a traced value is

    /// REQUIRES: is_traced()
    [[nodiscard]] ir::ValueId traced_value() const { return static_cast<ir::ValueId>(number_.integer); }

private:
    friend struct internal::ArrayAccess;

    std::shared_ptr<internal::Owner> owner_;  ///< node or frame
    union {
        double real;
        std::int64_t integer;  ///< also which result of the node, or which value of the frame's graph
    } number_{.integer = 0};
    State state_ = State::kEmpty;  ///< kPending of all nodes: they know whether they are evaluated
    /// In a literal: the type of the number, which tells whether it is real, and of the element it stands for.
    ir::ElementType number_type_ = ir::ElementType::kF64;
    ir::ElementType element_ = ir::ElementType::kF64;
    bool is_weak_ = false;  ///< traced: a number as an argument, or made of such ones alone
};

// ---- operators: NumPy's rules for broadcasting and element types
Array operator+(const Array& a, const Array& b);
Array operator-(const Array& a, const Array& b);
Array operator*(const Array& a, const Array& b);
Array operator/(const Array& a, const Array& b);
Array operator%(const Array& a, const Array& b);
Array operator-(const Array& a);
Array operator!(const Array& a);
Array operator&&(const Array& a, const Array& b) = delete;  ///< logical_and(): these would look at both
Array operator||(const Array& a, const Array& b) = delete;
Array operator==(const Array& a, const Array& b);
Array operator!=(const Array& a, const Array& b);
Array operator<(const Array& a, const Array& b);
Array operator<=(const Array& a, const Array& b);
Array operator>(const Array& a, const Array& b);
Array operator>=(const Array& a, const Array& b);

}  // namespace tilemeter::trace
