// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/pages/index_pages.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <utility>

#include "visualizer_import/pages/sqlite_format.hpp"

namespace tilemeter::visualizer_import {
namespace {

using namespace sqlite_format;

// A cell: size of the record; the record: size of its header, two types, two integers.
constexpr std::size_t kRecordHeaderBytes = 3;
constexpr std::size_t kMostEntryBytes = 1 + kRecordHeaderBytes + 8 + 8;

struct Entry {
    std::array<std::uint8_t, kMostEntryBytes> bytes;
    std::size_t size;
};

Entry entry_of(std::int64_t key, bool not_null, std::int64_t row_id) {
    const IntegerForm key_form = not_null ? integer_form(key) : IntegerForm{kSerialNull, 0};
    const IntegerForm row_form = integer_form(row_id);
    Entry entry{};
    entry.size = std::size_t{1} + kRecordHeaderBytes + key_form.bytes + row_form.bytes;
    entry.bytes[0] = static_cast<std::uint8_t>(entry.size - 1);
    entry.bytes[1] = kRecordHeaderBytes;
    entry.bytes[2] = key_form.serial;
    entry.bytes[3] = row_form.serial;
    std::uint8_t* const values = entry.bytes.data() + 1 + kRecordHeaderBytes;
    put_number(values, static_cast<std::uint64_t>(key), key_form.bytes);
    put_number(values + key_form.bytes, static_cast<std::uint64_t>(row_id), row_form.bytes);
    return entry;
}

// A page of cells, filled from its end.
class CellPage {
public:
    explicit CellPage(std::size_t page_bytes) : bytes_(page_bytes) {}

    void begin(std::uint8_t type) {
        std::fill(bytes_.begin(), bytes_.end(), std::uint8_t{0});
        type_ = type;
        header_ = type == kLeafIndex ? kLeafHeaderBytes : kInteriorHeaderBytes;
        content_ = bytes_.size();
        count_ = 0;
    }
    // child: 0 in a leaf
    void add(std::uint32_t child, const Entry& entry) {
        content_ -= entry.size;
        std::copy_n(entry.bytes.begin(), entry.size, bytes_.begin() + static_cast<std::ptrdiff_t>(content_));
        if (type_ == kInteriorIndex) {
            content_ -= kPageNumberBytes;
            put_number(bytes_.data() + content_, child, kPageNumberBytes);
        }
        put_number(bytes_.data() + header_ + count_ * kCellPointerBytes, content_, kCellPointerBytes);
        ++count_;
    }
    // right_child: 0 in a leaf
    std::span<std::uint8_t> complete(std::uint32_t right_child) {
        put_page_header(bytes_.data(), type_, count_, content_);
        if (type_ == kInteriorIndex)
            put_number(bytes_.data() + kLeafHeaderBytes, right_child, kPageNumberBytes);
        return bytes_;
    }

private:
    std::vector<std::uint8_t> bytes_;
    std::uint8_t type_ = kLeafIndex;
    std::size_t header_ = 0, content_ = 0, count_ = 0;
};

}  // namespace

// An entry between two pages lies in the page above them, and only there. Entries are shared out evenly, so
// that no page is left without.
bool IndexPages::put(PageFile& file, std::uint32_t root) {
    std::vector<Run> runs = std::exchange(runs_, {});
    const std::uint64_t count = std::exchange(count_, 0);
    if (count == 0) return true;
    const auto before = [](const Run& a, const Run& b) {
        return std::tie(a.not_null, a.key, a.first_row_id) < std::tie(b.not_null, b.key, b.first_row_id);
    };
    if (!std::ranges::is_sorted(runs, before)) std::ranges::sort(runs, before);
    std::size_t entry_bytes = 0;  // of the largest
    for (const Run& run : runs)
        entry_bytes =
            std::max(entry_bytes, entry_of(run.key, run.not_null, run.first_row_id + run.row_count - 1).size);

    CellPage page(file.page_bytes());
    const auto append = [&](std::uint32_t right_child, std::uint32_t& number) {
        return file.append(page.complete(right_child), number);
    };
    auto run = runs.begin();
    std::uint32_t in_run = 0;
    const auto next_entry = [&] {
        const Entry entry = entry_of(run->key, run->not_null, run->first_row_id + in_run);
        if (++in_run == run->row_count) {
            ++run;
            in_run = 0;
        }
        return entry;
    };

    // Leaves, and the entries between them.
    std::vector<std::uint32_t> children;
    std::vector<Entry> between;
    const std::uint64_t most = (file.page_bytes() - kLeafHeaderBytes) / (kCellPointerBytes + entry_bytes);
    // n leaves hold count - (n - 1) entries.
    const std::uint64_t leaves = (count + 1 + most) / (most + 1);
    const std::uint64_t in_leaves = count - (leaves - 1);
    for (std::uint64_t i = 0; i < leaves; ++i) {
        page.begin(kLeafIndex);
        for (std::uint64_t k = in_leaves * i / leaves; k < in_leaves * (i + 1) / leaves; ++k)
            page.add(0, next_entry());
        if (leaves == 1) return file.put_root(root, page.complete(0), {});
        if (!append(0, children.emplace_back())) return false;
        if (i + 1 < leaves) between.push_back(next_entry());
    }
    // Level above level.
    const std::size_t most_children =
        (file.page_bytes() - kInteriorHeaderBytes) / (kCellPointerBytes + kPageNumberBytes + entry_bytes);
    while (true) {
        const std::size_t pages = (children.size() + most_children - 1) / most_children;
        std::vector<std::uint32_t> above;
        std::vector<Entry> between_above;
        for (std::size_t i = 0; i < pages; ++i) {
            const std::size_t begin = children.size() * i / pages, end = children.size() * (i + 1) / pages;
            page.begin(kInteriorIndex);
            for (std::size_t child = begin; child + 1 < end; ++child)
                page.add(children[child], between[child]);
            if (pages == 1) return file.put_root(root, page.complete(children[end - 1]), {});
            if (!append(children[end - 1], above.emplace_back())) return false;
            if (i + 1 < pages) between_above.push_back(between[end - 1]);
        }
        children = std::move(above);
        between = std::move(between_above);
    }
}

}  // namespace tilemeter::visualizer_import
