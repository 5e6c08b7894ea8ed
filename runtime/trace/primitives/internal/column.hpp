// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A column of a primitive's row (primitive.hpp).

#pragma once

#include <string_view>

namespace tilemeter::trace::internal {

/// Why a column is empty.
struct Reason {
    constexpr explicit Reason(std::string_view why) : text(why) {}

    std::string_view text;
};

/// A function, or the reason why there is none.
template <class Function>
class Column {
public:
    constexpr Column(Function value) : function_(value) {}
    constexpr Column(Reason why) : reason_(why) {}

    constexpr explicit operator bool() const { return function_ != nullptr; }
    /// Null if there is none.
    [[nodiscard]] constexpr Function function() const { return function_; }
    /// Empty if there is a function.
    [[nodiscard]] constexpr std::string_view reason() const { return reason_.text; }

private:
    Function function_ = nullptr;
    Reason reason_{std::string_view()};
};

inline constexpr Reason kNotLinear{"it is linear in none of its operands"};
inline constexpr Reason kNoOperands{"it has no operands"};
inline constexpr Reason kHoldsGraphs{"it holds graphs: who runs or transforms it runs or transforms these"};
inline constexpr Reason kRegistered{"it is what the operation says that a program registered as its target"};
inline constexpr Reason kNoFormula{"StableHLO does not have it, and there is no formula of what it has"};

}  // namespace tilemeter::trace::internal
