// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a thread keeps of a device from query to query.
//
// Thread safety: of the thread.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/device/buffer_plan.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/query/allocator_state.hpp"
#include "runtime/types/spec_hash.hpp"

namespace tilemeter::query::internal {

/// Throws RuntimeError for a spec whose bytes nobody could count.
void require_sizes(const TensorSpec& spec);

/// What the calling thread keeps of a device from query to query.
class ThreadsDevice {
public:
    /// That of the calling thread.
    static ThreadsDevice& of(const Device& device) {
        // Behind a pointer: what threads have of their own lies in a room that libraries loaded late share.
        thread_local const auto of_thread = std::make_unique<ThreadsDevice>();
        ThreadsDevice& known = *of_thread;
        if (known.number_ != device.number()) {
            known.number_ = device.number();
            known.plans_ = {};
            known.kept_ = {};
            known.empty_ = AllocatorState::empty(device);
        }
        return known;
    }

    const AllocatorState& empty() const { return empty_; }
    /// What operations keep, by whether calls are placed: one that is may be refused where the other is not.
    std::shared_ptr<void>& kept(QueryShadow::Placing placing) {
        return kept_[placing == QueryShadow::Placing::kNowhere ? 0 : 1];
    }

    /// The plan of a spec's buffer.
    const PlannedTensor& planned(const TensorSpec& spec, const DeviceDescription& device) {
        auto& slot = plans_[hash_of(spec) % plans_.size()];
        if (!slot || !(slot->asked == spec)) {
            require_sizes(spec);
            TensorSpec placed = placed_shards(spec);
            placed.memory_config.fill_in_nd_shards();
            BufferPlan plan = plan_buffer(placed, device);
            slot = std::make_unique<const Known>(Known{spec, {std::move(placed), plan}});
        }
        return slot->planned;
    }

private:
    struct Known {
        TensorSpec asked;
        PlannedTensor planned;
    };

    std::uint64_t number_ = 0;
    AllocatorState empty_;
    std::array<std::shared_ptr<void>, 2> kept_;
    std::array<std::unique_ptr<const Known>, 512> plans_;
};

/// Throws RuntimeError for a device that is closed, and within a traced function.
void require_device(const Device& device);

}  // namespace tilemeter::query::internal
