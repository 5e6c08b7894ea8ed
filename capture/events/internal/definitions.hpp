// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Definitions that events refer to by an id - texts, tensor types, placements, stacks, modules, devices, emitters - on
// their way into a recording file (recording_file.hpp). Each table hands on what is new, under its own lock, before the
// id is known to anybody; so a definition is in the file before any event that needs it.
//
// Encoding: fields in order, integers in native byte order, texts and lists as a 32-bit count and what it
// counts.

#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilemeter::record::internal {

enum class DefinitionKind : std::uint32_t {
    kText = 1,
    kTensor,
    kDevice,
    kPlacement,
    kStack,
    kModule,
    kEmitter
};

/// True while a recording file is open. Tables ask before they encode.
extern constinit std::atomic<bool> definitions_wanted;

/// Hands a definition to the open recording file; without one, nothing happens.
void publish_definition(DefinitionKind kind, std::uint32_t id, std::span<const char> bytes);

/// Each table's own: publishes all that it holds.
void publish_texts();
void publish_tensors();
void publish_devices();
void publish_placements();
void publish_stacks();
void publish_modules();
void publish_emitters();

class DefinitionWriter {
public:
    DefinitionWriter() { bytes_.reserve(kMostOfTensors); }

    template <typename Number>
    requires std::is_trivially_copyable_v<Number> DefinitionWriter& number(Number value) {
        const char* bytes = reinterpret_cast<const char*>(&value);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
        return *this;
    }
    DefinitionWriter& text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        bytes_.insert(bytes_.end(), value.begin(), value.end());
        return *this;
    }
    template <typename Number>
    DefinitionWriter& list(std::span<const Number> values) {
        number(static_cast<std::uint32_t>(values.size()));
        for (const Number& value : values)
            number(value);
        return *this;
    }
    std::vector<char> take() { return std::move(bytes_); }

private:
    // Those of tensors, the most frequent, take no second allocation.
    static constexpr std::size_t kMostOfTensors = 128;
    std::vector<char> bytes_;
};

/// The reverse. Reads beyond the end give zeros and empty texts, and clear good().
class DefinitionReader {
public:
    explicit DefinitionReader(std::span<const char> bytes) : bytes_(bytes) {}

    template <typename Number>
    requires std::is_trivially_copyable_v<Number> DefinitionReader& number(Number& value) {
        value = Number{};
        if (take(sizeof value)) std::memcpy(static_cast<void*>(&value), taken_, sizeof value);
        return *this;
    }
    DefinitionReader& text(std::string& value) {
        std::uint32_t size = 0;
        number(size);
        value = take(size) ? std::string(taken_, size) : std::string();
        return *this;
    }
    template <typename Number>
    DefinitionReader& list(std::vector<Number>& values) {
        std::uint32_t count = 0;
        number(count);
        values.clear();
        if (count > bytes_.size() / sizeof(Number)) good_ = false;
        if (!good_) return *this;
        values.resize(count);
        for (Number& value : values)
            number(value);
        return *this;
    }
    bool good() const { return good_; }

private:
    bool take(std::size_t size) {
        if (!good_ || size > bytes_.size()) {
            good_ = false;
            return false;
        }
        taken_ = bytes_.data();
        bytes_ = bytes_.subspan(size);
        return true;
    }

    std::span<const char> bytes_;
    const char* taken_ = nullptr;
    bool good_ = true;
};

}  // namespace tilemeter::record::internal
