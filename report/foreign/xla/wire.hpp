// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Protocol buffers by their wire format: numbers and bytes, whatever the schema. Source: the encoding's description at
// protobuf.dev.
//
// Thread safety: values are values.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilemeter::foreign::xla {

/// A field of a message: a number, or bytes.
struct Field {
    std::uint32_t number = 0;
    bool has_bytes = false;
    std::uint64_t value = 0;  ///< without bytes: of a varint or a fixed number
    std::string_view bytes;
};

/// The fields of a message, one after the other, unknown ones included.
class Fields {
public:
    /// `message` lies within `file`, whose bytes errors are told in.
    Fields(std::string_view file, std::string_view message)
        : file_begin_(file.data()), at_(message.data()), end_(message.data() + message.size()) {}

    /// Nothing at the end. Throws FormatError.
    std::optional<Field> next();
    /// Throws FormatError where the next bytes are no field's number and form. Takes nothing.
    void check_tag() const;

private:
    std::uint64_t tag();
    std::uint64_t varint();
    [[nodiscard]] std::uint64_t byte_of(const char* at) const {
        return static_cast<std::uint64_t>(at - file_begin_);
    }

    const char *file_begin_, *at_, *end_;
};

}  // namespace tilemeter::foreign::xla
