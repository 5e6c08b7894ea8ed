// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parts of the lowerings of elementwise calls.

#pragma once

#include <string_view>

#include "runtime/trace/calls/internal/call.hpp"

namespace tilemeter::trace::internal {

/// The operand as the result: of its element type and its shape.
inline ValueId as_result(const CallUse& use, std::size_t i) {
    return use.to.broadcast(use.to.convert(use[i], use.type.element), use.type.shape);
}

/// A name as an argument of a template.
struct Name {
    char text[24] = {};
    constexpr Name(const char* from) {  // NOLINT: a template argument is written as a string
        for (std::size_t i = 0; from[i] != '\0'; ++i)
            text[i] = from[i];
    }
};

template <Name kPrimitive>
ValueId primitive1(const CallUse& use) {
    return use.to.op(kPrimitive.text, {as_result(use, 0)});
}

template <Name kPrimitive>
ValueId primitive2(const CallUse& use) {
    return use.to.op(kPrimitive.text, {as_result(use, 0), as_result(use, 1)});
}

/// The element type of formulas of several steps: f32 where the result is narrower, as NumPy's loops have it.
inline ElementType type_of_steps(ElementType element) {
    return element == ElementType::kF16 || element == ElementType::kBF16 ? ElementType::kF32 : element;
}
inline ValueId for_steps(const CallUse& use, std::size_t i) {
    return use.to.broadcast(use.to.convert(use[i], type_of_steps(use.type.element)), use.type.shape);
}

/// log(exp(a) + exp(b)), that overflows nowhere: the larger one and log(1 + exp(-|a - b|)), with difference = a - b. The larger
/// one is selected, so that where both are equal all derivatives are those of one formula.
inline ValueId log_of_sum(FlatBuilder& to, ValueId a, ValueId b, ValueId difference) {
    const ValueId is_first = to.compare("GT", a, b);
    const ValueId below = to.select(is_first, to.op("neg", {difference}), difference);
    return to.add(to.select(is_first, a, b), to.op("log1p", {to.op("exp", {below})}));
}

/// The same value without a derivative.
inline ValueId constant(FlatBuilder& to, ValueId value) {
    return to.op("copy", {value}, {{"stop_gradient", true}});
}

/// A value of the flat graph with operators, which formulas are written in. A number stands for a tensor like the other
/// operand, and so the types of both are equal.
class Term {
public:
    Term(FlatBuilder& to, ValueId value) : to_(&to), value_(value) {}
    operator ValueId() const { return value_; }  // NOLINT: builders take it as what it is

    [[nodiscard]] ElementType element() const { return to_->element(value_); }
    [[nodiscard]] Term is(std::string_view direction, const Term& other) const {
        return {*to_, to_->compare(direction, value_, other)};
    }
    [[nodiscard]] Term is(std::string_view direction, double number) const {
        return is(direction, like(number));
    }
    /// The choice by a predicate: a where it is true, b elsewhere.
    [[nodiscard]] Term choose(const Term& a, const Term& b) const {
        return {*to_, to_->select(value_, a, b)};
    }
    [[nodiscard]] Term choose(const Term& a, double b) const { return choose(a, a.like(b)); }
    [[nodiscard]] Term choose(double a, const Term& b) const { return choose(b.like(a), b); }
    [[nodiscard]] Term like(double number) const { return {*to_, to_->full_like(value_, number)}; }
    [[nodiscard]] Term to(ElementType element) const { return {*to_, to_->convert(value_, element)}; }
    [[nodiscard]] Term without_derivative() const { return {*to_, constant(*to_, value_)}; }
    /// A float's bits as a signed integer of its width, or a float of these bits.
    [[nodiscard]] Term bits_as(ElementType element) const {
        return {*to_, to_->op("bitcast_convert", {value_}, {{"dtype", element}})};
    }

    friend Term apply(const char* primitive, const Term& a) {
        return {*a.to_, a.to_->op(primitive, {a.value_})};
    }
    friend Term apply(const char* primitive, const Term& a, const Term& b) {
        return {*a.to_, a.to_->op(primitive, {a.value_, b.value_})};
    }
    friend Term operator+(const Term& a, const Term& b) { return apply("add", a, b); }
    friend Term operator-(const Term& a, const Term& b) { return apply("sub", a, b); }
    friend Term operator*(const Term& a, const Term& b) { return apply("mul", a, b); }
    friend Term operator/(const Term& a, const Term& b) { return apply("div", a, b); }
    friend Term operator+(const Term& a, double b) { return a + a.like(b); }
    friend Term operator-(const Term& a, double b) { return a - a.like(b); }
    friend Term operator-(double a, const Term& b) { return b.like(a) - b; }
    friend Term operator*(const Term& a, double b) { return a * a.like(b); }
    friend Term operator/(const Term& a, double b) { return a / a.like(b); }
    friend Term operator-(const Term& a) { return apply("neg", a); }
    friend Term operator&(const Term& a, const Term& b) { return apply("and", a, b); }
    friend Term operator|(const Term& a, const Term& b) { return apply("or", a, b); }

private:
    FlatBuilder* to_;
    ValueId value_;
};

}  // namespace tilemeter::trace::internal
