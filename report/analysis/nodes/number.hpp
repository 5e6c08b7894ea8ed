// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <limits>

namespace tilemeter::analysis {

/// A number of a node as the list gives it: a value, or in what way there is none. 8 bytes; the four lowest
/// values of 64 bits, which no size, address or id has, say the latter.
class Number {
public:
    constexpr Number() = default;
    constexpr Number(std::int64_t value)  // NOLINT(google-explicit-constructor)
        : raw_(value < kLowest ? kLowest : value) {}

    static constexpr Number no_digits() { return from_raw(kNoDigits); }    ///< a text like "many"
    static constexpr Number too_large() { return from_raw(kTooLarge); }    ///< a text beyond 64 bits
    static constexpr Number wrong_kind() { return from_raw(kWrongKind); }  ///< null, a boolean, a list

    constexpr bool given() const { return raw_ >= kLowest; }
    constexpr bool is_absent() const { return raw_ == kAbsent; }
    constexpr bool is_too_large() const { return raw_ == kTooLarge; }
    constexpr bool is_no_digits() const { return raw_ == kNoDigits; }
    constexpr std::int64_t value_or(std::int64_t otherwise) const { return given() ? raw_ : otherwise; }
    /// Sizes are never negative; those that are, and those that are not given, count as 0.
    constexpr std::uint64_t size_bytes() const { return raw_ > 0 ? static_cast<std::uint64_t>(raw_) : 0; }

    friend constexpr bool operator==(Number, Number) = default;

private:
    static constexpr std::int64_t kAbsent = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kNoDigits = kAbsent + 1;
    static constexpr std::int64_t kWrongKind = kAbsent + 2;
    static constexpr std::int64_t kTooLarge = kAbsent + 3;
    static constexpr std::int64_t kLowest = kAbsent + 4;

    static constexpr Number from_raw(std::int64_t raw) {
        Number number;
        number.raw_ = raw;
        return number;
    }

    std::int64_t raw_ = kAbsent;
};

}  // namespace tilemeter::analysis
