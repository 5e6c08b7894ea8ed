// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/base/bytes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilemeter::foreign {

namespace {

constexpr std::size_t kWindow = std::size_t{1} << 18;
constexpr std::uint64_t kLongest = std::uint64_t{1} << 62U;  // no file is; more would go round

}  // namespace

std::string byte_position(std::uint64_t byte) {
    return "byte " + std::to_string(byte);
}

void Bytes::fill(std::uint64_t size) {
    // A text is as long as its file at most: nothing is reserved for a size that only a damaged number says.
    const std::uint64_t end = position() + std::min(size, kLongest);
    if (size > kWindow && input_->size_up_to(end) < end)
        throw FormatError{byte_position(position()), std::to_string(size) + " bytes more",
                          "the end of the file at byte " + std::to_string(input_->size_up_to(end))};
    if (next_ > 0) {
        std::memmove(window_.data(), window_.data() + next_, end_ - next_);
        begin_ += next_;
        end_ -= next_;
        next_ = 0;
    }
    const std::size_t wanted = std::max<std::size_t>(size, kWindow);
    if (window_.size() < wanted) window_.resize(wanted);
    while (end_ < size) {
        const auto read = input_->read(begin_ + end_, window_.data() + end_, window_.size() - end_);
        if (!read) {
            const report::Error& error = read.error();
            throw FormatError{error.position, error.expected, error.found};
        }
        if (read.value() == 0)
            throw FormatError{byte_position(begin_ + end_), std::to_string(size - end_) + " bytes more",
                              "the end of the file"};
        end_ += read.value();
    }
}

bool Bytes::at_end() {
    if (next_ < end_) return false;
    return input_->size_up_to(position() + 1) <= position();
}

std::string_view Bytes::take(std::uint64_t size) {
    if (end_ - next_ < size) fill(size);
    const std::string_view taken(window_.data() + next_, size);
    next_ += size;
    return taken;
}

void Bytes::skip(std::uint64_t size) {
    while (size > 0) {
        const std::uint64_t part = std::min<std::uint64_t>(size, kWindow);
        take(part);
        size -= part;
    }
}

}  // namespace tilemeter::foreign
