// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/xla/wire.hpp"

#include <string>

#include "report/foreign/base/bytes.hpp"

namespace tilemeter::foreign::xla {

std::uint64_t Fields::varint() {
    const char* const begin = at_;
    std::uint64_t value = 0;
    for (unsigned shift = 0; at_ != end_; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(*at_++);
        if (shift >= 64)
            throw FormatError{byte_position(byte_of(begin)), "a number of at most 10 bytes", "a longer one"};
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if (byte < 0x80) return value;
    }
    throw FormatError{byte_position(byte_of(begin)), "a number that ends within its message",
                      "the end of the message"};
}

std::uint64_t Fields::tag() {
    const std::uint64_t begin = byte_of(at_);
    const std::uint64_t found = varint();
    if (found >> 3U == 0 || found >> 3U > 0x1fffffff)
        throw FormatError{byte_position(begin), "a field's number", std::to_string(found >> 3U)};
    constexpr unsigned kForms = 1U << 0U | 1U << 1U | 1U << 2U | 1U << 5U;
    if ((kForms >> (found & 7U) & 1U) == 0)
        throw FormatError{byte_position(begin), "a field of a known form",
                          "form " + std::to_string(found & 7U)};
    return found;
}

void Fields::check_tag() const {
    if (at_ != end_) Fields(*this).tag();
}

std::optional<Field> Fields::next() {
    if (at_ == end_) return std::nullopt;
    const std::uint64_t found = tag();
    Field field;
    field.number = static_cast<std::uint32_t>(found >> 3U);
    const auto left = [this] { return static_cast<std::uint64_t>(end_ - at_); };
    std::uint64_t size = 0;
    switch (found & 7U) {
        case 0:
            field.value = varint();
            return field;
        case 1:
            size = 8;
            break;
        case 5:
            size = 4;
            break;
        case 2:
            size = varint();
            field.has_bytes = true;
            break;
        default:
            break;  // tag() refuses others
    }
    if (size > left())
        throw FormatError{byte_position(byte_of(at_)), std::to_string(size) + " bytes more",
                          "the end of the message after " + std::to_string(left())};
    field.bytes = {at_, size};
    at_ += size;
    if (!field.has_bytes)
        for (std::uint64_t i = size; i-- > 0;)
            field.value = field.value << 8U | static_cast<std::uint8_t>(field.bytes[i]);
    return field;
}

}  // namespace tilemeter::foreign::xla
