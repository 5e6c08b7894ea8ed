// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention on the host, in float32: some rows of a head at a time, so that their scores stay in a core's cache, and the
// columns that one of them sees.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/types/host_array.hpp"
#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

struct AttentionOperand {
    std::span<const float> values;
    Shape shape;  ///< [b, heads, rows, columns]
};

/// The columns that row i of the scores sees.
struct AttentionRule {
    float scale = 1.0F;  ///< of the scores and of the sink
    bool is_causal = false;
    std::optional<std::uint32_t> window;  ///< columns up to i, or, if not causal, half as many on either side
};

/// softmax(scale * q . k^T + mask) . v, [b, h, s, d], rounded to `dtype`. q [b, h, s, d]; k, v [b, kv, t, d], h a multiple
/// of kv. mask [1 or b, 1 or h, s, t] and sink (a number per head) may be empty. Row i of q is column i + t - s of
/// the scores when t > s. A row that sees nothing is 0.
HostArray attention(const AttentionOperand& q, const AttentionOperand& k, const AttentionOperand& v,
                    const AttentionOperand& mask, std::span<const float> sink, const AttentionRule& rule,
                    DataType dtype);

/// Keys or values in blocks [n, kv, t, d] one after the other as rows of `page_table` [users, blocks] name
/// them: [users, kv, blocks * t, d]. Blocks that are not there are 0: no user may see them.
HostArray without_pages(const HostArray& blocks, const HostArray& page_table);

}  // namespace tilemeter::compute
