// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "report/result.hpp"

namespace tilemeter::report {

namespace internal {
struct DomAccess;
}

enum class JsonKind { kNull, kBoolean, kInteger, kBigInteger, kReal, kText, kArray, kObject };

// "an array", "a text": for messages.
std::string_view kind_name(JsonKind kind);

// A value inside a JsonDocument. Cheap to copy; dies with the document's next parse.
// Thread safety: const calls are free, a document belongs to one thread.
class JsonValue {
public:
    JsonValue() = default;  // null

    [[nodiscard]] JsonKind kind() const;
    [[nodiscard]] bool is_null() const { return kind() == JsonKind::kNull; }
    [[nodiscard]] bool is_object() const { return kind() == JsonKind::kObject; }
    [[nodiscard]] bool is_array() const { return kind() == JsonKind::kArray; }

    // Each is empty where the value is of another kind.
    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<std::int64_t> integer() const;       // fits 64 bits signed
    [[nodiscard]] std::optional<std::uint64_t> big_integer() const;  // 2^63 .. 2^64-1
    [[nodiscard]] std::optional<double> real() const;
    [[nodiscard]] std::optional<std::string_view> text() const;

    // First member of that name; null for other kinds and absent names. has() tells absent from null.
    [[nodiscard]] JsonValue at(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] std::size_t size() const;  // elements or members, 0 for other kinds

    // for (JsonValue::Cursor c = value.children(); c.valid(); c.next()) use(c.key(), c.value());
    class Cursor {
    public:
        [[nodiscard]] bool valid() const { return index_ < end_; }
        void next();
        [[nodiscard]] std::string_view key() const;  // REQUIRES: the parent is an object
        [[nodiscard]] JsonValue value() const;

    private:
        friend class JsonValue;
        const void* document_ = nullptr;
        std::size_t index_ = 0;
        std::size_t end_ = 0;
        bool object_ = false;
    };
    [[nodiscard]] Cursor children() const;

private:
    friend class JsonDocument;
    friend struct internal::DomAccess;
    JsonValue(const void* document, std::size_t index) : document_(document), index_(index) {}
    const void* document_ = nullptr;
    std::size_t index_ = 0;
};

// Owns what a parse makes; reused from text to text it allocates nothing after the largest one.
class JsonDocument {
public:
    JsonDocument();
    ~JsonDocument();
    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;

    // Checks the whole text. The error has the byte (from 0, plus offset) and what was expected there.
    Result<JsonValue> parse(std::string_view text, std::uint64_t offset = 0);
    // As parse, without copying. REQUIRES: kPaddingBytes readable bytes after the text.
    Result<JsonValue> parse_padded(std::string_view text, std::uint64_t offset = 0);

    // The same where being wrong is no error: nothing then, and no time spent on saying where.
    std::optional<JsonValue> parse_padded_if_sound(std::string_view text);

    static constexpr std::size_t kPaddingBytes = 64;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilemeter::report
