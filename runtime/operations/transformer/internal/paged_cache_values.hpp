// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of operations on paged caches: checks of caches and tables, and the values.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/types/host_array.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// Interleaved floating point tiles [blocks, h, t, d]. Throws RuntimeError.
void require_cache(const TensorSpec& cache, std::string_view operation);

/// INT32 in ROW_MAJOR, of that many dimensions. Throws RuntimeError.
void require_integers(const TensorSpec& table, std::size_t rank, std::string_view argument);

/// The places of tokens.
struct CachePlaces {
    std::vector<std::int64_t> positions;    ///< of each user; below 0: nothing is written
    const HostArray* page_table = nullptr;  ///< [users, blocks of each], null: users have a block each
    bool share_cache = false;               ///< all users write into one block
};

/// `cache` with the token of each user, input [1, users, h, d], in its place. Throws RuntimeError when a
/// place is not there.
HostArray with_tokens(const HostArray& cache, const HostArray& input, const CachePlaces& places,
                      const TensorSpec& output);

/// `cache` with the rows of inputs [b, h, s, d] in the blocks of the page table's row `users[i]`.
HostArray with_rows(const HostArray& cache, const HostArray& input, const HostArray& page_table,
                    const std::vector<std::int64_t>& users, const TensorSpec& output);

}  // namespace tilemeter
