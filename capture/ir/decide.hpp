// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Questions about dimensions whose names may have any size from 1, or any that keeps constraints.
//
//   less(Dim::parse("b"), Dim::parse("b + n"))                       // kYes
//   equal(Dim::parse("8*floordiv(b, 8)"), b, &constraints)           // kYes under "mod(b, 8) == 0"
//
// Answered by isl: exactly where dimensions are sums of names with numbers before them, floordiv and mod by numbers,
// min and max. A product of names is one more name to it, of which a little is known (b*n >= b), so that kYes and kNo
// are right and kUnknown is said more often than it has to be.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capture/ir/dimension.hpp"
#include "capture/ir/type.hpp"

namespace tilemeter::ir {

/// kYes and kNo: for all sizes. kUnknown: for some, or not known.
enum class Answer : std::uint8_t { kNo, kYes, kUnknown };

Answer equal(Dim a, Dim b, const Constraints* constraints = nullptr);
/// a < b
Answer less(Dim a, Dim b, const Constraints* constraints = nullptr);
/// a <= b
Answer less_equal(Dim a, Dim b, const Constraints* constraints = nullptr);
/// True if `divisor` divides a without rest.
Answer divides(Dim divisor, Dim a, const Constraints* constraints = nullptr);

/// True if there are sizes that keep them all.
Answer can_hold(const Constraints& constraints);

inline bool is_equal(Dim a, Dim b, const Constraints* constraints) {
    return a == b || (!(a.is_number() && b.is_number()) && equal(a, b, constraints) == Answer::kYes);
}
inline bool is_less_equal(Dim a, Dim b, const Constraints* constraints) {
    return a.is_number() && b.is_number() ? a.value() <= b.value()
                                          : less_equal(a, b, constraints) == Answer::kYes;
}
/// Elements and shapes of types; places as they are.
bool is_same(const TensorType& a, const TensorType& b, const Constraints* constraints);

/// Sizes of names from dimensions that are expressions and numbers that they are: "2*b" that is 6 makes b 3.
class SizeSolver {
public:
    explicit SizeSolver(const Constraints* constraints) : constraints_(constraints) {}

    /// `where` is for messages: "argument 1: dimension 0".
    void add(std::string where, Dim dim) { known_.push_back({std::move(where), dim}); }

    /// Throws Error (kBadArgument) where some name can't be found from the dimensions: each needs one that is linear in
    /// it when the others are known. `names`: those that have to be.
    void require_solvable(const std::set<std::string>& names) const;

    /// REQUIRES: as many numbers as add()s. Throws Error (kShapeMismatch) where no sizes fit, or those that do
    /// break a constraint.
    [[nodiscard]] Sizes solve(std::span<const std::int64_t> numbers) const;

private:
    struct Known {
        std::string where;
        Dim dim;
    };
    const Constraints* constraints_;
    std::vector<Known> known_;
};

}  // namespace tilemeter::ir
