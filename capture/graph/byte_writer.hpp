// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Bytes on their way out: gathered in a buffer, handed on in large pieces. Meant for JSON, so numbers are
// decimal.
//
// Thread safety: outside locking.

#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace tilemeter::graph {

class ByteWriter {
public:
    static constexpr std::size_t kSmallestCapacity = 256;

    /// Takes the next bytes of the output. What it throws passes through append() and flush().
    using Target = std::function<void(std::string_view bytes)>;

    explicit ByteWriter(Target target, std::size_t capacity = kCapacity)
        : target_(std::move(target)),
          capacity_(std::max(capacity, kSmallestCapacity)),
          buffer_(std::make_unique_for_overwrite<char[]>(capacity_)) {}

    void append(std::string_view bytes) {
        if (bytes.size() > capacity_ - used_) [[unlikely]]
            return append_large(bytes);
        std::memcpy(buffer_.get() + used_, bytes.data(), bytes.size());
        used_ += bytes.size();
    }
    void append(char byte) { append(std::string_view(&byte, 1)); }

    /// Room for at least `bytes`, to be written by the caller, who then says how far he came.
    /// REQUIRES: bytes <= kSmallestCapacity
    char* reserve(std::size_t bytes) {
        if (bytes > capacity_ - used_) [[unlikely]]
            flush();
        return buffer_.get() + used_;
    }
    void advance_to(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.get()); }

    void append_number(std::uint64_t number) {
        constexpr std::size_t kDigits = 20;
        char* const start = reserve(kDigits);
        advance_to(std::to_chars(start, start + kDigits, number).ptr);
    }

    /// Hands on what is left. Without it, what was appended last may never arrive.
    void flush() {
        target_(std::string_view(buffer_.get(), used_));
        used_ = 0;
    }

private:
    // 1 MiB: large enough that a write call costs nothing per byte, small enough for the second-level cache
    // of today's machines.
    static constexpr std::size_t kCapacity = std::size_t{1} << 20;

    void append_large(std::string_view bytes) {
        flush();
        if (bytes.size() > capacity_) return target_(bytes);
        append(bytes);
    }

    Target target_;
    std::size_t capacity_;
    std::unique_ptr<char[]> buffer_;
    std::size_t used_ = 0;
};

}  // namespace tilemeter::graph
