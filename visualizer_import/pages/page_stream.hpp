// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace tilemeter::visualizer_import {

// Pages on their way into the file. Who makes them does not know yet which numbers they get there, and counts
// on its own: the numbers in the pages, at `pointers`, are these until the file's are known.
struct PageBatch {
    static constexpr std::size_t kFullBytes = std::size_t{256} << 10U;

    struct Leaf {
        std::uint32_t table;
        std::uint32_t page;
        std::int64_t last_row_id;
    };

    std::vector<std::uint8_t> bytes;  // of whole pages with consecutive numbers
    std::uint32_t first_page = 0;
    std::vector<std::uint32_t> pointers;  // the offsets in `bytes` of pages' numbers
    std::vector<Leaf> leaves;             // those of the pages that are leaves of tables

    [[nodiscard]] bool full() const { return bytes.size() >= kFullBytes; }
    [[nodiscard]] bool empty() const { return bytes.empty(); }
    void clear() {
        if (bytes.capacity() > 4 * kFullBytes) bytes = {};  // after a very long text
        bytes.clear();
        pointers.clear();
        leaves.clear();
    }
};

// The pages of all tables in the order in which they are complete.
class PageStream {
public:
    // take: gets each full batch, and leaves an empty one.
    PageStream(std::size_t page_bytes, std::function<void(PageBatch&)> take)
        : page_bytes_(page_bytes), take_(std::move(take)) {}

    [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }
    // The number that the next page gets.
    [[nodiscard]] std::uint32_t next() const { return next_; }
    // pointers: where in the page the numbers of others lie. REQUIRES: these were added before, or come
    // before the next call of send_if_full
    void add(std::span<const std::uint8_t> page, std::span<const std::uint32_t> pointers) {
        if (batch_.empty()) batch_.first_page = next_;
        const auto begin = static_cast<std::uint32_t>(batch_.bytes.size());
        batch_.bytes.insert(batch_.bytes.end(), page.begin(), page.end());
        for (const std::uint32_t pointer : pointers)
            batch_.pointers.push_back(begin + pointer);
        ++next_;
    }
    void add_leaf(std::uint32_t table, std::int64_t last_row_id, std::span<const std::uint8_t> page,
                  std::span<const std::uint32_t> pointers) {
        send_if_full();
        const std::uint32_t number = next_;
        add(page, pointers);
        batch_.leaves.push_back({table, number, last_row_id});
    }
    void send_if_full() {
        if (batch_.full()) send();
    }
    // Hands over what there is.
    void send() {
        if (!batch_.empty()) take_(batch_);
    }

private:
    std::size_t page_bytes_;
    std::function<void(PageBatch&)> take_;
    PageBatch batch_;
    std::uint32_t next_ = 0;
};

}  // namespace tilemeter::visualizer_import
