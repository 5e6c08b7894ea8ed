// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilemeter::visualizer_import {

enum class ValueKind : std::uint8_t { kNull, kInteger, kReal, kText };

// A value of a row on its way into the database; a text stays its owner's.
struct RowValue {
    ValueKind kind = ValueKind::kNull;
    std::int64_t bits = 0;  // the integer, or the double's bits
    std::string_view text;

    RowValue() = default;
    // Implicit, so that a row is made of what its columns are given.
    RowValue(std::nullptr_t) {}
    RowValue(double value) : kind(ValueKind::kReal), bits(std::bit_cast<std::int64_t>(value)) {}
    RowValue(std::string_view value) : kind(ValueKind::kText), text(value) {}
    RowValue(const std::string& value) : RowValue(std::string_view(value)) {}
    template <std::integral Integer>
    RowValue(Integer value) : kind(ValueKind::kInteger), bits(static_cast<std::int64_t>(value)) {}
    template <class Value>
    RowValue(const std::optional<Value>& value) {
        if (value) *this = RowValue(*value);
    }
};

}  // namespace tilemeter::visualizer_import
