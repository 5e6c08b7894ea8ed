// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tables of FlatBuffers, read by the places of their fields. Whatever the bytes are, nothing outside of them is read: what is no
// FlatBuffer is a FormatError.
//
// Thread safety: values are values.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "report/foreign/base/bytes.hpp"

namespace tilemeter::foreign::flat {

class Table;

class Bytes {
public:
    /// `offset`: where they stand in the file, for messages.
    explicit Bytes(std::string_view bytes, std::size_t offset = 0) : bytes_(bytes), offset_(offset) {}

    std::size_t size() const { return bytes_.size(); }
    [[noreturn]] void fail(std::size_t byte, std::string expected) const {
        throw FormatError{byte_position(offset_ + byte), std::move(expected),
                          "the end after " + std::to_string(bytes_.size()) + " bytes"};
    }
    template <typename T>
    T at(std::size_t byte, const char* what) const {
        if (byte > bytes_.size() || bytes_.size() - byte < sizeof(T)) fail(byte, what);
        T value;
        std::memcpy(&value, bytes_.data() + byte,
                    sizeof(T));  // little-endian, as this project's machines are
        return value;
    }
    std::string_view text(std::size_t byte, std::size_t size, const char* what) const {
        if (byte > bytes_.size() || bytes_.size() - byte < size) fail(byte, what);
        return bytes_.substr(byte, size);
    }
    /// What the offset at `byte` leads to.
    std::size_t target(std::size_t byte, const char* what) const {
        return byte + at<std::uint32_t>(byte, what);
    }
    Table root() const;

private:
    std::string_view bytes_;
    std::size_t offset_;
};

/// Elements of `width` bytes; offsets to tables and texts have 4.
class Vector {
public:
    Vector() : bytes_(std::string_view()) {}
    Vector(const Bytes& bytes, std::size_t place, std::size_t width) : bytes_(bytes), place_(place + 4) {
        size_ = bytes_.at<std::uint32_t>(place, "a list");
        bytes_.text(place_, std::size_t{size_} * width, "a list of the length that it says");
    }
    std::size_t size() const { return size_; }
    Table table(std::size_t index) const;
    template <typename T>
    T value(std::size_t byte) const {
        return bytes_.at<T>(place_ + byte, "an element");
    }

private:
    Bytes bytes_;
    std::size_t place_ = 0;
    std::uint32_t size_ = 0;
};

/// Fields by their places in the schema, from 0. A field that is not there has what it is by default.
class Table {
public:
    Table(const Bytes& bytes, std::size_t place) : bytes_(bytes), place_(place) {
        const auto back = bytes_.at<std::int32_t>(place, "a table");
        const auto fields = static_cast<std::int64_t>(place) - back;
        if (fields < 0) bytes_.fail(place, "a table whose fields are described before its end");
        fields_ = static_cast<std::size_t>(fields);
        size_ = bytes_.at<std::uint16_t>(fields_, "the description of a table");
    }

    /// Fields that the table's schema had when it was written.
    std::size_t field_count() const { return size_ < 4 ? 0 : (size_ - 4U) / 2; }
    template <typename T>
    T value(std::size_t field, T otherwise = {}) const {
        const auto place = place_of(field);
        return place ? bytes_.at<T>(*place, "a field of a table") : otherwise;
    }
    std::optional<Table> table(std::size_t field) const {
        const auto place = place_of(field);
        if (!place) return std::nullopt;
        return Table(bytes_, bytes_.target(*place, "a table"));
    }
    /// Empty where it is not there.
    std::string_view text(std::size_t field) const {
        const auto place = place_of(field);
        if (!place) return {};
        const std::size_t text = bytes_.target(*place, "a text");
        return bytes_.text(text + 4, bytes_.at<std::uint32_t>(text, "a text"),
                           "a text of the length that it says");
    }
    Vector vector(std::size_t field, std::size_t width = 4) const {
        const auto place = place_of(field);
        return place ? Vector(bytes_, bytes_.target(*place, "a list"), width) : Vector();
    }
    /// Two 32-bit numbers that stand in the table itself.
    std::optional<std::pair<std::int32_t, std::int32_t>> pair(std::size_t field) const {
        const auto place = place_of(field);
        if (!place) return std::nullopt;
        return std::pair{bytes_.at<std::int32_t>(*place, "two numbers"),
                         bytes_.at<std::int32_t>(*place + 4, "two numbers")};
    }

private:
    std::optional<std::size_t> place_of(std::size_t field) const {
        const std::size_t entry = 4 + 2 * field;
        if (entry + 2 > size_) return std::nullopt;
        const auto offset = bytes_.at<std::uint16_t>(fields_ + entry, "the description of a table");
        if (offset == 0) return std::nullopt;
        return place_ + offset;
    }

    Bytes bytes_;
    std::size_t place_, fields_ = 0;
    std::uint16_t size_ = 0;
};

inline Table Bytes::root() const {
    return Table(*this, target(0, "a table"));
}
inline Table Vector::table(std::size_t index) const {
    return Table(bytes_, bytes_.target(place_ + 4 * index, "a table"));
}

}  // namespace tilemeter::foreign::flat
