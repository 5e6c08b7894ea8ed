// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/buffer_pages.hpp"

#include <algorithm>

namespace tilemeter::report {

namespace {

using record::BufferLayout;
using record::Event;
using record::ShardPlacement;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

std::uint64_t page_size_of(const Event& buffer) {
    return buffer.payload.buffer.page_size_and_layout >> 8;
}

/// No bank has room for more pages.
std::uint64_t most_pages_per_bank(const Event& buffer) {
    return buffer.payload.buffer.size_per_bank_bytes / std::max<std::uint64_t>(page_size_of(buffer), 1);
}

bool is_interleaved(const Event& buffer) {
    return static_cast<BufferLayout>(buffer.payload.buffer.page_size_and_layout & 0xff) ==
           BufferLayout::kInterleaved;
}

ShardPlacement placement_of(const Event& buffer) {
    return record::placement_of(static_cast<record::PlacementId>(buffer.correlation));
}

bool is_sound(const ShardPlacement& placement) {
    if (placement.page_rows == 0 || placement.page_columns == 0) return true;
    if (placement.shard_page_rows == 0 || placement.shard_page_columns == 0) return false;
    const std::uint64_t rows = ceil_div(placement.page_rows, placement.shard_page_rows);
    const std::uint64_t columns = ceil_div(placement.page_columns, placement.shard_page_columns);
    const std::uint64_t cores = placement.cores.size();
    return columns <= placement.shards_per_row && columns <= cores && rows <= cores &&
           (rows - 1) * std::min(placement.shards_per_row, cores) + columns <= cores;
}

std::uint64_t num_pages_of(const Event& buffer) {
    const std::uint64_t page_size = page_size_of(buffer);
    return page_size == 0 ? 0 : buffer.payload.buffer.size_bytes / page_size;
}

void for_each_interleaved(const Event& buffer, const L1Banks& banks,
                          const std::function<void(const PagePlace&)>& visit) {
    if (banks.count() == 0) return;
    const std::uint64_t pages = num_pages_of(buffer);
    const std::uint64_t deepest = ceil_div(pages, banks.count());
    if (deepest == 0 || deepest > most_pages_per_bank(buffer)) return;
    const std::uint64_t aligned = buffer.payload.buffer.size_per_bank_bytes / deepest;
    for (std::uint64_t page = 0; page < pages; ++page) {
        const std::uint64_t bank = page % banks.count();
        visit({page, buffer.payload.buffer.address + page / banks.count() * aligned,
               static_cast<std::uint32_t>((bank + 1) % banks.count()), banks.core_of(bank)});
    }
}

/// Calls visit(core, first row, rows, first column, columns) for each shard, in the order of its cores.
template <typename Visit>
void for_each_shard(const ShardPlacement& placement, Visit visit) {
    for (std::uint64_t row = 0, i = 0; row < placement.page_rows; row += placement.shard_page_rows, ++i) {
        for (std::uint64_t column = 0, j = 0; column < placement.page_columns;
             column += placement.shard_page_columns, ++j) {
            visit(placement.cores[i * placement.shards_per_row + j], row,
                  std::min(placement.shard_page_rows, placement.page_rows - row), column,
                  std::min(placement.shard_page_columns, placement.page_columns - column));
        }
    }
}

}  // namespace

bool has_pages(const Event& buffer) {
    if (!is_in_l1(buffer.memory)) return false;
    if (is_interleaved(buffer)) return true;
    const ShardPlacement placement = placement_of(buffer);
    return !placement.cores.empty() && is_sound(placement) &&
           (placement.shard_page_columns == 0 ||
            placement.shard_page_rows <= most_pages_per_bank(buffer) / placement.shard_page_columns);
}

void for_each_page(const Event& buffer, const L1Banks& banks,
                   const std::function<void(const PagePlace&)>& visit) {
    if (is_interleaved(buffer)) return for_each_interleaved(buffer, banks, visit);
    const ShardPlacement placement = placement_of(buffer);
    const std::uint64_t pages_per_shard = placement.shard_page_rows * placement.shard_page_columns;
    if (pages_per_shard == 0) return;
    const std::uint64_t aligned = buffer.payload.buffer.size_per_bank_bytes / pages_per_shard;
    for_each_shard(placement, [&](record::Core core, std::uint64_t row, std::uint64_t rows,
                                  std::uint64_t column, std::uint64_t columns) {
        for (std::uint64_t r = 0; r < rows; ++r) {
            for (std::uint64_t c = 0; c < columns; ++c) {
                visit({(row + r) * placement.page_columns + column + c,
                       buffer.payload.buffer.address + (r * placement.shard_page_columns + c) * aligned,
                       banks.bank_of(core), core});
            }
        }
    });
}

std::uint64_t unaligned_size_per_bank(const Event& buffer) {
    const std::uint64_t size_per_bank = buffer.payload.buffer.size_per_bank_bytes;
    const std::uint64_t page_size = page_size_of(buffer);
    if (page_size == 0) return size_per_bank;
    const ShardPlacement placement = placement_of(buffer);
    if (is_interleaved(buffer) || placement.cores.empty() || !is_sound(placement)) {
        // Alignments are powers of two, at most 64 on the devices there are: the only one that gives this
        // size with a whole number of pages, or what was given.
        for (const std::uint64_t alignment : {1U, 16U, 32U, 64U}) {
            const std::uint64_t aligned = ceil_div(page_size, alignment) * alignment;
            if (alignment > 1 && size_per_bank % aligned == 0) return size_per_bank / aligned * page_size;
        }
        return size_per_bank;
    }
    std::uint64_t most = 0;
    for_each_shard(placement, [&](record::Core, std::uint64_t, std::uint64_t rows, std::uint64_t,
                                  std::uint64_t columns) { most = std::max(most, rows * columns); });
    return most * page_size;
}

}  // namespace tilemeter::report
