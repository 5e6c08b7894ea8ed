// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/element_fetcher.hpp"

#include <algorithm>

namespace tilemeter::report::internal {

Status ElementFetcher::load(std::size_t i) {
    const auto behind = std::ranges::upper_bound(slices_, i, {}, &Slice::first);
    if (behind == slices_.begin()) return stream_.error_here("element " + std::to_string(i));
    const Slice& slice = *std::prev(behind);
    stream_.seek(slice.file_offset);
    stream_.begin_elements();
    loaded_end_ = slice.first;
    while (loaded_end_ <= i) {
        loaded_begin_ = loaded_end_;
        auto elements = stream_.next_elements(document_);
        if (!elements) return elements.error();
        // Someone writes to the file while it is read.
        if (!elements->has_value()) return stream_.error_here("element " + std::to_string(i));
        loaded_ = **elements;
        loaded_end_ = loaded_begin_ + loaded_.size();
    }
    cursor_ = loaded_.children();
    cursor_at_ = loaded_begin_;
    return {};
}

Result<std::uint64_t> ElementFetcher::offset(std::size_t i) {
    if (Status loaded = load(i); !loaded) {
        loaded_end_ = loaded_begin_ = 0;
        return loaded.error();
    }
    return stream_.element_offset(i - loaded_begin_);
}

Result<JsonValue> ElementFetcher::element(std::size_t i) {
    if (i < loaded_begin_ || i >= loaded_end_) {
        if (Status loaded = load(i); !loaded) {
            loaded_end_ = loaded_begin_ = 0;
            return loaded.error();
        }
    }
    if (i < cursor_at_) {
        cursor_ = loaded_.children();
        cursor_at_ = loaded_begin_;
    }
    for (; cursor_at_ < i; ++cursor_at_)
        cursor_.next();
    return cursor_.value();
}

}  // namespace tilemeter::report::internal
