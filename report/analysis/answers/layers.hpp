// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Stretches of operations that repeat: a decoder is one layer, many times.
//
//   embedding | norm linear add | norm linear add | norm linear add | head
//               ╰──────────── a layer of 3 operations, 3 times ──╯
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilemeter::analysis {

struct RepeatedLayer {
    std::size_t first = 0;   ///< the operation that it begins with
    std::size_t length = 0;  ///< operations of one layer
    std::size_t count = 0;   ///< how often it comes, one right after the other
};

/// `operations`: a number for each, equal where they are alike. Layers of at least two operations, none
/// within another, in their order; of those that overlap the one that covers most, and of these the
/// shortest. Layers longer than the distances at which operations come again most often are not found.
std::vector<RepeatedLayer> repeated_layers(std::span<const std::uint32_t> operations);

}  // namespace tilemeter::analysis
