// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A dimension: a number, or an expression of names such as "2*b + 1".
//
//   const Dim b = Dim::named("b");
//   (2 * b + b).text();                          // "3*b"
//   Dim::parse("mod(3*b + 4, 3)") == Dim(1);     // true: one normal form
//
// Names stand for whole numbers from 1. An expression is kept as a polynomial of names and of the atoms floordiv, min
// and max; mod(a, k) is a - k*floordiv(a, k). Two expressions are the same Dim where their normal forms are equal. What
// can be said beyond that, decide.hpp says.
//
// Shapes and attributes hold a Dim as 64 bits, Dim::value(): numbers as they are, expressions as numbers far below all
// others, which count in a table that the process keeps. Arithmetic on those 64 bits hits no other expression's number
// (a checksum is part of it): it makes a dimension that is refused, not a wrong one.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilemeter::ir {

/// The sizes that names stand for.
using Sizes = std::map<std::string, std::int64_t>;

class Dim;

namespace internal {

/// a + sign * b, and a * b, with numbers checked as well. Throw Error (kTooLarge).
Dim checked_sum(Dim a, Dim b, std::int64_t sign = 1);
Dim checked_product(Dim a, Dim b);

}  // namespace internal

class Dim {
public:
    /// A number as a Shape or an attribute holds it.
    constexpr Dim(std::int64_t value = 0) : value_(value) {}

    /// Throws Error (kBadArgument) for what is no name (a letter, then letters, digits and underscores) or is min, max,
    /// mod or floordiv.
    static Dim named(std::string_view name);
    /// Throws Error (kSyntax), which names the column.
    static Dim parse(std::string_view text);

    [[nodiscard]] constexpr std::int64_t value() const { return value_; }
    [[nodiscard]] constexpr bool is_number() const { return value_ >= kLeastNumber; }
    /// True if it is a number below 0; no expression is.
    [[nodiscard]] constexpr bool is_negative_number() const { return value_ < 0 && is_number(); }
    /// Throws Error (kBadArgument) where it is an expression.
    [[nodiscard]] std::int64_t number() const;
    /// True if it is one; 64 bits below all numbers need not be.
    [[nodiscard]] bool is_expression() const;
    [[nodiscard]] std::string text() const;

    // All of the following, and arithmetic, throw Error (kBadArgument) for 64 bits that are neither.

    /// The names in it.
    [[nodiscard]] std::set<std::string> names() const;
    /// With other dimensions in the place of names; a name for which `by` has nothing stays.
    [[nodiscard]] Dim with(const std::function<std::optional<Dim>(const std::string&)>& by) const;
    /// Throws Error (kBadArgument) for a name that has no size, and where it is divided by 0.
    [[nodiscard]] std::int64_t at(const Sizes& sizes) const;

    /// Equal normal forms. See decide.hpp for equality under constraints.
    friend constexpr bool operator==(Dim a, Dim b) = default;
    // Numbers as int64_t's, expressions in full: Error (kTooLarge) beyond 64 bits or 1000 terms.
    friend Dim operator+(Dim a, Dim b) {
        return a.is_number() && b.is_number() ? Dim(a.value_ + b.value_) : internal::checked_sum(a, b);
    }
    friend Dim operator-(Dim a, Dim b) {
        return a.is_number() && b.is_number() ? Dim(a.value_ - b.value_) : internal::checked_sum(a, b, -1);
    }
    friend Dim operator*(Dim a, Dim b) {
        return a.is_number() && b.is_number() ? Dim(a.value_ * b.value_) : internal::checked_product(a, b);
    }
    friend Dim operator-(Dim a) { return Dim(0) - a; }
    Dim& operator+=(Dim other) { return *this = *this + other; }

    /// Numbers below this are expressions.
    static constexpr std::int64_t kLeastNumber = -(std::int64_t{1} << 62);

private:
    std::int64_t value_;
};

/// Rounded down. Throws Error (kBadArgument) for a divisor of 0.
Dim floordiv(Dim a, Dim b);
Dim ceildiv(Dim a, Dim b);
/// a - b * floordiv(a, b)
Dim mod(Dim a, Dim b);
Dim min(Dim a, Dim b);
Dim max(Dim a, Dim b);
/// a / b where that is an expression for all sizes.
std::optional<Dim> exact_quotient(Dim a, Dim b);

enum class Relation : std::uint8_t { kEqual, kGreaterEqual, kLessEqual, kGreater, kLess };

/// A promise about names: "b >= 4", "mod(b, 8) == 0".
struct Constraint {
    Dim left;
    Relation relation = Relation::kEqual;
    Dim right;

    /// Throws Error (kSyntax), which names the column.
    static Constraint parse(std::string_view text);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool holds(const Sizes& sizes) const;

    friend bool operator==(const Constraint&, const Constraint&) = default;
};

/// The conditions that all sizes of a graph keep. Shared between graphs; null stands for none.
using Constraints = std::vector<Constraint>;
using ConstraintsPtr = std::shared_ptr<const Constraints>;

/// The terms of a dimension, for those that look into it. A factor is a name or an atom; a term without factors is the
/// number in it.
struct DimFactor {
    enum class Kind : std::uint8_t { kName, kFloorDiv, kMin, kMax };
    Kind kind = Kind::kName;
    std::string text;           ///< the name, or the atom
    std::vector<Dim> operands;  ///< of an atom
};
struct DimTerm {
    std::int64_t coefficient = 0;
    std::vector<const DimFactor*> factors;  ///< in order, one for each power
};
std::vector<DimTerm> terms_of(Dim dim);

}  // namespace tilemeter::ir
