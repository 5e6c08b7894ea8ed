// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Arguments as texts. TT-NN formats each anew, a microsecond apiece; of those whose text is a function of some bytes that
// can be read, what it made of the same bytes before is kept.
//
// Thread safety: each thread has its own.

#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "runtime/attach/ttnn/tensors.hpp"
#include "runtime/attach/ttnn/ttnn_api.hpp"

namespace tilemeter::attach::ttnn {

class ArgumentTexts {
public:
    /// The text of `argument`, interned by `intern` where it was not met lately.
    template <typename Intern>
    std::uint32_t of(const TrackedArgument& argument, HeldType type, Intern intern) {
        if (argument.text == nullptr) return intern(std::string());
        Key key;
        if (!read(argument, type, key)) return intern(argument.text(argument.value));
        Entry& entry = entries_[key.hash() % entries_.size()];
        if (entry.id == 0 || !(entry.key == key)) {
            entry.id = intern(argument.text(argument.value));
            entry.key = key;
        }
        return entry.id;
    }

private:
    struct Key {
        std::string (*text)(const std::any&) = nullptr;  // one for each type
        std::array<std::uint32_t, 8> words{};
        std::size_t count = 0;

        bool operator==(const Key&) const = default;
        std::size_t hash() const {
            auto made = reinterpret_cast<std::uintptr_t>(text);
            for (std::size_t i = 0; i < count; ++i)
                made = (made ^ words[i]) * 0x9e3779b97f4a7c15;
            return (made * 0x9e3779b97f4a7c15) >> 32;
        }
    };
    struct Entry {
        Key key;
        std::uint32_t id = 0;
    };

    /// False: its text depends on more than can be read.
    static bool read(const TrackedArgument& argument, HeldType type, Key& key) {
        if (type.text == TextOf::kOther) return false;
        const void* const object = object_in(argument.value, type.by_reference, sizeof(void*));
        if (object == nullptr) return false;
        key.text = argument.text;
        if (type.text == TextOf::kByte) {
            key.words[0] = *static_cast<const std::uint8_t*>(object);
            key.count = 1;
        } else if (type.text == TextOf::kPointer) {
            std::memcpy(key.words.data(), object, sizeof(void*));
            key.count = sizeof(void*) / sizeof key.words[0];
        } else {
            const std::span<const std::uint32_t> shape = api.shape_view(static_cast<const Shape*>(object));
            if (shape.size() > key.words.size()) return false;
            std::copy(shape.begin(), shape.end(), key.words.begin());
            key.count = shape.size();
        }
        return true;
    }

    std::array<Entry, 256> entries_{};
};

}  // namespace tilemeter::attach::ttnn
