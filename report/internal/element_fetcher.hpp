// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "report/internal/json_stream.hpp"

namespace tilemeter::report::internal {

// Elements of one array by their number, read again from the file. Where they lie is known slice by slice
// only; the slice read last stays in memory, as what is asked for next is mostly near.
class ElementFetcher {
public:
    explicit ElementFetcher(JsonStream stream) : stream_(std::move(stream)) {}

    // The element `first` begins at file_offset. REQUIRES: first grows from call to call, beginning with 0
    void add_slice(std::size_t first, std::uint64_t file_offset) { slices_.push_back({first, file_offset}); }
    // It lives until the next call. REQUIRES: i is in the array
    Result<JsonValue> element(std::size_t i);
    // The offset of an element in the file. REQUIRES: i is in the array
    Result<std::uint64_t> offset(std::size_t i);

private:
    struct Slice {
        std::size_t first;
        std::uint64_t file_offset;
    };
    Status load(std::size_t i);

    JsonStream stream_;
    JsonDocument document_;
    std::vector<Slice> slices_;
    std::size_t loaded_begin_ = 0;
    std::size_t loaded_end_ = 0;
    JsonValue loaded_;
    JsonValue::Cursor cursor_;  // at the element cursor_at_
    std::size_t cursor_at_ = 0;
};

}  // namespace tilemeter::report::internal
