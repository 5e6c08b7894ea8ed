// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/ids.hpp"

#include <atomic>

namespace tilemeter::record {

BufferId next_buffer_id() {
    static constinit std::atomic<std::uint64_t> latest{0};
    return static_cast<BufferId>(latest.fetch_add(1, std::memory_order_relaxed) + 1);
}

TensorId next_tensor_id() {
    static constinit std::atomic<std::uint64_t> latest{0};
    return static_cast<TensorId>(latest.fetch_add(1, std::memory_order_relaxed) + 1);
}

ContextId next_context_id() {
    static constinit std::atomic<std::uint64_t> latest{0};
    return static_cast<ContextId>(latest.fetch_add(1, std::memory_order_relaxed) + 1);
}

}  // namespace tilemeter::record
