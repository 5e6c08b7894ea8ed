// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/element_type.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilemeter::ir {

namespace {

enum class Family : std::uint8_t { kFloat, kSigned, kUnsigned, kBool, kBlock };

struct Properties {
    std::string_view name;
    std::size_t bytes;
    Family family;
};

constexpr std::array<Properties, static_cast<std::size_t>(ElementType::kCount)> kProperties = {{
    {"f64", 8, Family::kFloat},
    {"f32", 4, Family::kFloat},
    {"f16", 2, Family::kFloat},
    {"bf16", 2, Family::kFloat},
    {"i64", 8, Family::kSigned},
    {"i32", 4, Family::kSigned},
    {"i16", 2, Family::kSigned},
    {"i8", 1, Family::kSigned},
    {"u64", 8, Family::kUnsigned},
    {"u32", 4, Family::kUnsigned},
    {"u16", 2, Family::kUnsigned},
    {"u8", 1, Family::kUnsigned},
    {"bool", 1, Family::kBool},
    {"bfloat8_b", 4, Family::kBlock},
    {"bfloat4_b", 4, Family::kBlock},
}};
static_assert(!kProperties.back().name.empty(), "properties of each type");

const Properties& properties_of(ElementType type) {
    return kProperties[static_cast<std::size_t>(type)];
}

template <class T>
T read(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <class T>
void write(T value, std::byte* bytes) {
    std::memcpy(bytes, &value, sizeof value);
}

// A 16-bit float with `kMantissa` bits of mantissa: f16 has 10, bf16 7. Rounded from double in one step, since
// rounding to float first would round twice.
template <int kMantissa>
std::uint16_t narrow(double value) {
    constexpr int kExponent = 15 - kMantissa;
    constexpr int kBias = (1 << (kExponent - 1)) - 1;
    constexpr auto kInfinity = static_cast<std::uint16_t>(((1 << kExponent) - 1) << kMantissa);
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return sign | kInfinity | (1U << (kMantissa - 1));
    const double magnitude = std::fabs(value);
    if (std::isinf(value)) return sign | kInfinity;
    if (magnitude == 0) return sign;
    // In units of the last place; below the smallest normal exponent that unit is fixed. A mantissa that is
    // rounded up to the next power of two carries into the exponent, up to infinity.
    const int exponent = std::max(std::ilogb(magnitude), 1 - kBias);
    if (exponent > kBias) return sign | kInfinity;
    const double scaled = std::nearbyint(std::ldexp(magnitude, kMantissa - exponent));
    const auto units = static_cast<std::uint32_t>(scaled);
    const auto below = static_cast<std::uint32_t>(exponent + kBias - 1) << kMantissa;
    return sign | static_cast<std::uint16_t>(units + below);
}

template <int kMantissa>
double widen(std::uint16_t bits) {
    constexpr int kExponent = 15 - kMantissa;
    constexpr int kBias = (1 << (kExponent - 1)) - 1;
    const int mantissa = bits & ((1 << kMantissa) - 1);
    const int exponent = (bits >> kMantissa) & ((1 << kExponent) - 1);
    double value = 0;
    if (exponent == (1 << kExponent) - 1)
        value = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                              : std::numeric_limits<double>::infinity();
    else if (exponent == 0)
        value = std::ldexp(mantissa, 1 - kBias - kMantissa);
    else
        value = std::ldexp(mantissa + (1 << kMantissa), exponent - kBias - kMantissa);
    return (bits & 0x8000) != 0 ? -value : value;
}

template <class T>
T saturated(double value) {
    if (std::isnan(value)) return 0;
    // Both limits as doubles: the upper one is exact after adding 1, which is a power of two.
    constexpr auto kLowest = static_cast<double>(std::numeric_limits<T>::min());
    const double beyond = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (value <= kLowest) return std::numeric_limits<T>::min();
    if (value >= beyond) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
}

}  // namespace

std::string_view name_of(ElementType type) {
    return properties_of(type).name;
}

std::optional<ElementType> element_type_of(std::string_view name) {
    for (std::size_t i = 0; i < kProperties.size(); ++i)
        if (kProperties[i].name == name) return static_cast<ElementType>(i);
    return std::nullopt;
}

bool is_float(ElementType type) {
    return properties_of(type).family == Family::kFloat || is_block_float(type);
}
bool is_block_float(ElementType type) {
    return properties_of(type).family == Family::kBlock;
}
bool is_signed_integer(ElementType type) {
    return properties_of(type).family == Family::kSigned;
}
bool is_unsigned_integer(ElementType type) {
    return properties_of(type).family == Family::kUnsigned;
}

std::size_t element_bytes(ElementType type) {
    return properties_of(type).bytes;
}

double to_double(ElementType type, const std::byte* bytes) {
    switch (type) {
        case ElementType::kF64:
            return read<double>(bytes);
        case ElementType::kF32:
        case ElementType::kBfloat8B:
        case ElementType::kBfloat4B:
            return read<float>(bytes);
        case ElementType::kF16:
            return widen<10>(read<std::uint16_t>(bytes));
        case ElementType::kBF16:
            return widen<7>(read<std::uint16_t>(bytes));
        case ElementType::kU64:
            return static_cast<double>(read<std::uint64_t>(bytes));
        default:
            return static_cast<double>(to_integer(type, bytes));
    }
}

std::int64_t to_integer(ElementType type, const std::byte* bytes) {
    switch (type) {
        case ElementType::kI64:
            return read<std::int64_t>(bytes);
        case ElementType::kI32:
            return read<std::int32_t>(bytes);
        case ElementType::kI16:
            return read<std::int16_t>(bytes);
        case ElementType::kI8:
            return read<std::int8_t>(bytes);
        case ElementType::kU64: {
            const auto value = read<std::uint64_t>(bytes);
            constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
            return value > static_cast<std::uint64_t>(kLargest) ? kLargest : static_cast<std::int64_t>(value);
        }
        case ElementType::kU32:
            return read<std::uint32_t>(bytes);
        case ElementType::kU16:
            return read<std::uint16_t>(bytes);
        case ElementType::kU8:
            return read<std::uint8_t>(bytes);
        case ElementType::kBool:
            return read<std::uint8_t>(bytes) != 0 ? 1 : 0;
        default:
            return saturated<std::int64_t>(to_double(type, bytes));
    }
}

void put_double(ElementType type, double value, std::byte* bytes) {
    switch (type) {
        case ElementType::kF64:
            return write(value, bytes);
        case ElementType::kF32:
        case ElementType::kBfloat8B:
        case ElementType::kBfloat4B:
            return write(static_cast<float>(value), bytes);
        case ElementType::kF16:
            return write(narrow<10>(value), bytes);
        case ElementType::kBF16:
            return write(narrow<7>(value), bytes);
        case ElementType::kI64:
            return write(saturated<std::int64_t>(value), bytes);
        case ElementType::kI32:
            return write(saturated<std::int32_t>(value), bytes);
        case ElementType::kI16:
            return write(saturated<std::int16_t>(value), bytes);
        case ElementType::kI8:
            return write(saturated<std::int8_t>(value), bytes);
        case ElementType::kU64:
            return write(saturated<std::uint64_t>(value), bytes);
        case ElementType::kU32:
            return write(saturated<std::uint32_t>(value), bytes);
        case ElementType::kU16:
            return write(saturated<std::uint16_t>(value), bytes);
        case ElementType::kU8:
            return write(saturated<std::uint8_t>(value), bytes);
        case ElementType::kBool:
            return write(static_cast<std::uint8_t>(value != 0 ? 1 : 0), bytes);
        case ElementType::kCount:
            return;
    }
}

void put_integer(ElementType type, std::int64_t value, std::byte* bytes) {
    switch (type) {
        case ElementType::kI64:
        case ElementType::kU64:
            return write(value, bytes);
        case ElementType::kI32:
        case ElementType::kU32:
            return write(static_cast<std::uint32_t>(value), bytes);
        case ElementType::kI16:
        case ElementType::kU16:
            return write(static_cast<std::uint16_t>(value), bytes);
        case ElementType::kI8:
        case ElementType::kU8:
            return write(static_cast<std::uint8_t>(value), bytes);
        case ElementType::kBool:
            return write(static_cast<std::uint8_t>(value != 0 ? 1 : 0), bytes);
        default:
            return put_double(type, static_cast<double>(value), bytes);
    }
}

}  // namespace tilemeter::ir
