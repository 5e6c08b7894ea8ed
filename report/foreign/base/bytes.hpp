// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The bytes of an input, one after the other, for readers of binary files.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/input.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign {

/// Where a file is not what its reader expects. `found` begins with a noun.
struct FormatError {
    std::string position, expected, found;

    [[nodiscard]] report::Error in(const std::string& file) const {
        return {file, position, expected, found};
    }
};

/// "byte 4,711", without a separator.
std::string byte_position(std::uint64_t byte);

class Bytes {
public:
    explicit Bytes(report::Input& input) : input_(&input) {}

    [[nodiscard]] std::uint64_t position() const { return begin_ + next_; }
    /// True behind the last byte.
    bool at_end();
    /// Throws FormatError behind the last byte, as do the others.
    std::uint8_t byte() {
        if (next_ == end_) fill(1);
        return static_cast<std::uint8_t>(window_[next_++]);
    }
    /// An unsigned number of `size` bytes, the lowest first. REQUIRES: size <= 8.
    std::uint64_t number(std::size_t size) {
        if (end_ - next_ < size) fill(size);
        std::uint64_t value = 0;
        for (std::size_t i = size; i-- > 0;)
            value = value << 8U | static_cast<std::uint8_t>(window_[next_ + i]);
        next_ += size;
        return value;
    }
    /// `size` bytes, valid until the next call.
    std::string_view take(std::uint64_t size);
    void skip(std::uint64_t size);

private:
    /// Makes `size` bytes lie in a row in the window.
    void fill(std::uint64_t size);

    report::Input* input_;
    std::vector<char> window_;
    std::size_t next_ = 0, end_ = 0;  // within the window
    std::uint64_t begin_ = 0;         // of the window in the input
};

}  // namespace tilemeter::foreign
