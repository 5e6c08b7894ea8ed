// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string_view>

#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// The origin of a per-bank size.
enum class SizeOrigin : std::uint8_t {
    kRecorded,  ///< the list says it
    kComputed,  ///< from size, page and banks, as the allocator rounds
    kWhole,     ///< not known: the whole size, as if it lay in one bank
};

struct BankSize {
    std::uint64_t bytes = 0;
    SizeOrigin origin = SizeOrigin::kRecorded;
};

/// ceil(pages / banks) pages; a size that is no whole number of pages is rounded up.
std::uint64_t size_per_bank(std::uint64_t size_bytes, std::uint64_t page_size_bytes, std::uint64_t banks);

/// The page of a tensor: a tile of its type, or a row. 0 where the texts do not tell.
std::uint64_t page_size_of(std::string_view shape, std::string_view dtype, std::string_view layout);

/// The number of cores a memory config's shard spec names; 0 without one.
std::uint64_t shard_core_count(std::string_view memory_config);

/// The bytes of `buffer` in each bank. `tensor` (may be null): one that lies in it.
BankSize bank_size_of(const NodeList& list, const NodeList::Buffer& buffer, const NodeList::Tensor* tensor);

}  // namespace tilemeter::analysis
