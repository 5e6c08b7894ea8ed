// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The place of each page of a buffer in L1, told from the layout alone: nothing is listed while a program runs.
//
// Rules, recorded from TT-NN 0.81.1 on n150, p150 and n300 (tests/data/pages):
// - Banks are numbered as capture/graph/l1_banks.hpp says.
// - Interleaved, page p lies in bank p modulo banks, the (p / banks)-th of its pages there; the record's
//   bank_id is one more, as TT-NN writes it.
// - Sharded, pages come core by core, in the order that shards take cores, each shard's row by row. Pages
//   that a cut-off shard has not leave their places empty.
// - Pages take their size, rounded up to the alignment of L1, in the bank; page_size is not rounded.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/graph/l1_banks.hpp"
#include "capture/record/placement.hpp"

namespace tilemeter::report {

/// One page; its buffer's address, device and type are the same for all.
struct PagePlace {
    std::uint64_t page_index;
    std::uint64_t page_address;
    std::uint32_t bank_id;
    record::Core core;
};

using L1Banks = graph::L1Banks;

/// True if a buffer's pages can be told: it lies in L1 or L1_SMALL, and, sharded, its placement is known and no bank
/// has more pages than bytes for them.
bool has_pages(const record::Event& buffer);

/// Calls visit for each page of `buffer` (a kBufferAllocate or the like), in the order of TT-NN's records.
/// REQUIRES: has_pages(buffer).
void for_each_page(const record::Event& buffer, const L1Banks& banks,
                   const std::function<void(const PagePlace&)>& visit);

/// The bytes of the fullest bank, pages not rounded up: `max_size_per_bank` of TT-NN's snapshots.
std::uint64_t unaligned_size_per_bank(const record::Event& buffer);

}  // namespace tilemeter::report
