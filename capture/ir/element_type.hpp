// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The types of a tensor's elements, and single elements as bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilemeter::ir {

enum class ElementType : std::uint8_t {
    kF64,
    kF32,
    kF16,
    kBF16,
    kI64,
    kI32,
    kI16,
    kI8,
    kU64,
    kU32,
    kU16,
    kU8,
    kBool,
    kBfloat8B,  ///< block format: neighbours share an exponent
    kBfloat4B,
    kCount
};

/// "f32", "bool", "bfloat8_b".
std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_of(std::string_view name);

bool is_float(ElementType type);  ///< block formats included
bool is_block_float(ElementType type);
bool is_signed_integer(ElementType type);
bool is_unsigned_integer(ElementType type);
inline bool is_integer(ElementType type) {
    return is_signed_integer(type) || is_unsigned_integer(type);
}

/// Bytes of one element in a Constant. A bool is one byte, 0 or 1. A block format has no elements of its own:
/// constants hold its values as f32, and what packs them for a device rounds them.
std::size_t element_bytes(ElementType type);

/// One element at `bytes`, which need not be aligned. Integers become the nearest double; to_integer()
/// truncates towards zero and saturates, a nan is 0.
double to_double(ElementType type, const std::byte* bytes);
std::int64_t to_integer(ElementType type, const std::byte* bytes);

/// Writes `value` as one element: floats rounded to nearest, ties to even; integers truncated and saturated;
/// bool: value != 0.
void put_double(ElementType type, double value, std::byte* bytes);
/// Integers are cut to the width of the type (two's complement).
void put_integer(ElementType type, std::int64_t value, std::byte* bytes);

}  // namespace tilemeter::ir
