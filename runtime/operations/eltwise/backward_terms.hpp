// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors as terms of formulas: each step is one device operation, without a scope of its own.
//
//     Term sin(const Term& grad, const Term& x) { return grad * x(UnaryOpType::COS); }
//
// Like TT-NN's tensors, terms share memory when copied, and the last one frees it, at the end of its life, in
// the scope "Tensor::deallocate"; a term that is assigned over frees it without a scope. So the order in
// which temporaries are made and dropped is that of the formula. Of the operands of one operator, one at most
// may be a temporary: else their order would be the compiler's.
//
// Steps give their results the memory config of the formula (that the caller gave), if one of their operands
// knows it; see elsewhere().
//
// Thread safety: calls that change an object need outside locking.

#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"

namespace tilemeter {

/// One for each input that has a gradient, or nothing for one that the caller does not need.
using Gradients = std::vector<OptionalTensor>;

struct Branches;

class Term {
public:
    Term(Tensor tensor, OptionalMemoryConfig place) : tensor_(std::move(tensor)), place_(std::move(place)) {}
    Term(const Term&) = default;
    Term(Term&&) = default;
    Term& operator=(Term&&) = default;
    Term& operator=(const Term&) = delete;
    ~Term();

    const Tensor& operator*() const { return tensor_; }
    const Tensor* operator->() const { return &tensor_; }
    const OptionalMemoryConfig& place() const { return place_; }
    /// The same tensor, without the formula's memory config.
    Term elsewhere() const { return {tensor_, std::nullopt}; }
    /// Ends its life now.
    void drop() { const Term last = std::move(*this); }
    /// A returned tensor lives on.
    Tensor take() && { return std::exchange(tensor_, Tensor()); }

    Term operator()(UnaryOpType function, compute::UnaryParameters parameters = {},
                    const OptionalTensor& into = std::nullopt) const;
    Term chain(const std::vector<UnaryWithParam>& functions) const;
    /// In the shape, dtype and layout of this one.
    Term filled(float value, const OptionalTensor& into = std::nullopt) const {
        return (*this)(UnaryOpType::FILL, {value}, into);
    }

    /// kind(this, other). Activations: of either operand.
    Term with(compute::BinaryKind kind, const Term& other, const OptionalTensor& into = std::nullopt,
              const Activations& left = {}, const Activations& right = {}) const;
    Term with(compute::BinaryKind kind, Scalar other, const OptionalTensor& into = std::nullopt,
              const Activations& left = {}) const;

#define TILEMETER_TERM(name, kind)                             \
    Term name(const Term& other) const {                       \
        return with(compute::BinaryKind::kind, other);         \
    }                                                          \
    Term name(float other) const {                             \
        return with(compute::BinaryKind::kind, Scalar(other)); \
    }
    TILEMETER_TERM(operator*, kMultiply)
    TILEMETER_TERM(operator+, kAdd)
    TILEMETER_TERM(operator-, kSubtract)
    TILEMETER_TERM(eq, kEqual)
    TILEMETER_TERM(lt, kLess)
    TILEMETER_TERM(le, kLessOrEqual)
    TILEMETER_TERM(gt, kGreater)
    TILEMETER_TERM(ge, kGreaterOrEqual)
    TILEMETER_TERM(both, kLogicalAnd)
    TILEMETER_TERM(either, kLogicalOr)
    TILEMETER_TERM(subtracted_from, kReverseSubtract)
#undef TILEMETER_TERM

    /// The one where this is not 0, else the other.
    Term where(const Branches& branches, const OptionalTensor& into = std::nullopt) const;

private:
    friend struct Branches;
    const OptionalMemoryConfig& place_with(const Term& other) const {
        return place_ ? place_ : other.place_;
    }

    Tensor tensor_;
    OptionalMemoryConfig place_;
};

/// The values that where() chooses from; written in braces, so that `yes` is made first.
struct Branches {
    std::variant<Term, float> yes;
    std::variant<Term, float> no;
};

/// The tensor that a caller gave for a gradient, else a new one like `input`.
Term gradient_or_new(const OptionalTensor& given, const Term& input, const OptionalMemoryConfig& place);
/// The same, but the new one is made in any case, and dropped where one was given.
Term gradient_after_new(const OptionalTensor& given, const Term& input, const OptionalMemoryConfig& place);

}  // namespace tilemeter
