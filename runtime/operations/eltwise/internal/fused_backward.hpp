// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients that one program makes.

#pragma once

#include <utility>

#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

enum class FusedBackward : std::uint8_t { kGelu, kGeluTanh, kSigmoid, kTanh };

/// Throws RuntimeError for FastLut, which has none.
FusedBackward fused_gelu(GeluVariant variant);

/// grad times the function's slope at x. Throws RuntimeError for integers, rows and different shapes.
Term fused_backward(FusedBackward kind, const Term& grad, const Term& x,
                    const OptionalTensor& into = std::nullopt);

/// grad * b and grad * a. REQUIRES: a fused product is what TT-NN makes of them (is_fused_product).
std::pair<Term, Term> fused_product(const Term& grad, const Term& a, const Term& b,
                                    const OptionalTensor& into_a, const OptionalTensor& into_b);
/// True if all are interleaved tiles of one shape.
bool is_fused_product(const Term& grad, const Term& a, const Term& b);

}  // namespace tilemeter
