// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/pages/page_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <unistd.h>

namespace tilemeter::visualizer_import {
namespace {

using namespace sqlite_format;

// The most bytes that a child takes in an interior page of a table.
constexpr std::size_t kMostChildBytes = kCellPointerBytes + kPageNumberBytes + kLongestVarint;

}  // namespace

bool PageFile::begin() {
    std::array<std::uint8_t, kPageNumberBytes> count{};
    const auto read = ::pread(descriptor_, count.data(), count.size(), kPageCountAt);
    if (read >= 0 && read < static_cast<ssize_t>(count.size())) errno = EIO;
    if (read != static_cast<ssize_t>(count.size())) return false;
    page_count_ = get_u32(count.data());
    changed_ = false;
    return true;
}

// A new change counter makes SQLite forget what it read before.
bool PageFile::end() {
    if (!flush()) return false;
    if (!changed_) return true;
    std::array<std::uint8_t, kPageNumberBytes> number{};
    if (::pread(descriptor_, number.data(), number.size(), kChangeCounterAt) != number.size()) return false;
    const std::uint32_t counter = get_u32(number.data()) + 1;
    put_number(number.data(), counter, number.size());
    if (!write(number, kChangeCounterAt) || !write(number, kVersionValidForAt)) return false;
    put_number(number.data(), page_count_, number.size());
    return write(number, kPageCountAt);
}

std::uint32_t PageFile::take_number() {
    ++page_count_;
    if (page_count_ == lock_byte_ / page_bytes_ + 1) ++page_count_;
    changed_ = true;
    return page_count_;
}

std::uint32_t PageFile::in_file(std::uint32_t page) const {
    const auto after =
        std::upper_bound(shifts_.begin(), shifts_.end(), page,
                         [](std::uint32_t number, const Shift& shift) { return number < shift.first; });
    return page + std::prev(after)->shift;
}

bool PageFile::append(PageBatch& batch) {
    if (!flush()) return false;
    const auto count = static_cast<std::uint32_t>(batch.bytes.size() / page_bytes_);
    // Mostly all in one piece; around the lock byte in two.
    struct Piece {
        std::uint32_t first_in_batch, number;
    };
    std::vector<Piece> pieces;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t number = take_number();
        if (!pieces.empty() && number - i == pieces.back().number - pieces.back().first_in_batch) continue;
        pieces.push_back({i, number});
        const std::uint32_t page = batch.first_page + i;
        if (shifts_.empty() || shifts_.back().shift != number - page)
            shifts_.push_back({page, number - page});
    }
    for (const std::uint32_t pointer : batch.pointers) {
        std::uint8_t* const at = batch.bytes.data() + pointer;
        put_number(at, in_file(get_u32(at)), kPageNumberBytes);
    }
    for (const PageBatch::Leaf& leaf : batch.leaves) {
        if (leaf.table >= leaves_.size()) leaves_.resize(leaf.table + 1);
        leaves_[leaf.table].push_back({in_file(leaf.page), leaf.last_row_id});
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::uint32_t end = i + 1 < pieces.size() ? pieces[i + 1].first_in_batch : count;
        const std::span bytes = std::span(batch.bytes)
                                    .subspan(pieces[i].first_in_batch * page_bytes_,
                                             (end - pieces[i].first_in_batch) * page_bytes_);
        if (!write(bytes, std::uint64_t{pieces[i].number - 1} * page_bytes_)) return false;
    }
    return true;
}

bool PageFile::append(std::span<const std::uint8_t> page, std::uint32_t& number) {
    number = take_number();
    const auto behind = first_pending_ + static_cast<std::uint32_t>(pending_.size() / page_bytes_);
    if (pending_.size() >= PageBatch::kFullBytes || number != behind)
        if (!flush()) return false;
    if (pending_.empty()) first_pending_ = number;
    pending_.insert(pending_.end(), page.begin(), page.end());
    return true;
}

bool PageFile::put_root(std::uint32_t root, std::span<std::uint8_t> page,
                        std::span<const std::uint32_t> pointers) {
    for (const std::uint32_t pointer : pointers)
        put_number(page.data() + pointer, in_file(get_u32(page.data() + pointer)), kPageNumberBytes);
    changed_ = true;
    return write(page, std::uint64_t{root - 1} * page_bytes_);
}

// Level above level, children shared out evenly: a page with one child alone would be none.
bool PageFile::put_table(std::uint32_t table, std::uint32_t root) {
    if (table >= leaves_.size() || leaves_[table].empty()) return true;
    std::vector<Child> level = std::exchange(leaves_[table], {});
    const std::size_t most = (page_bytes_ - kInteriorHeaderBytes) / kMostChildBytes;
    std::vector<std::uint8_t> page(page_bytes_);
    while (true) {
        const std::size_t pages = (level.size() + most - 1) / most;
        std::vector<Child> above;
        for (std::size_t i = 0; i < pages; ++i) {
            const std::size_t begin = level.size() * i / pages, end = level.size() * (i + 1) / pages;
            std::fill(page.begin(), page.end(), std::uint8_t{0});
            std::size_t content = page_bytes_;
            for (std::size_t child = begin; child + 1 < end; ++child) {
                const auto row_id = static_cast<std::uint64_t>(level[child].last_row_id);
                content -= kPageNumberBytes + varint_bytes(row_id);
                put_number(page.data() + content, level[child].page, kPageNumberBytes);
                put_varint(page.data() + content + kPageNumberBytes, row_id);
                put_number(page.data() + kInteriorHeaderBytes + (child - begin) * kCellPointerBytes, content,
                           kCellPointerBytes);
            }
            put_page_header(page.data(), kInteriorTable, end - begin - 1, content);
            put_number(page.data() + kLeafHeaderBytes, level[end - 1].page, kPageNumberBytes);
            if (pages == 1) return put_root(root, page, {});
            Child& parent = above.emplace_back(Child{0, level[end - 1].last_row_id});
            if (!append(page, parent.page)) return false;
        }
        level = std::move(above);
    }
}

bool PageFile::write(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
    while (!bytes.empty()) {
        const auto count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return true;
}

bool PageFile::flush() {
    if (pending_.empty()) return true;
    const bool written = write(pending_, std::uint64_t{first_pending_ - 1} * page_bytes_);
    pending_.clear();
    return written;
}

}  // namespace tilemeter::visualizer_import
