// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The state of a device that one query works on (runtime/query/query.hpp): allocators and a program cache of its own, and the
// figures of what it takes. While it is in force, its thread plans on it: other threads, captures and the device see nothing,
// and no lock or count is shared with them.
//
// Thread safety: of the thread that made it.

#pragma once

#include <any>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "capture/record/private_log.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_hooks.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/planning.hpp"

namespace tilemeter {

/// Bytes per core, as TT-NN counts them: in 32 bits, circular buffers until the next program begins.
struct MemoryFigures {
    std::uint64_t circular_buffers = 0;
    std::uint64_t dataflow_buffers = 0;
    std::uint64_t scratchpads = 0;
    std::uint64_t tensors = 0;  ///< in L1
    std::uint64_t all = 0;      ///< of all kinds at one time
    /// Of tensors and circular buffers at one time: what TT-NN counts where it runs.
    std::uint64_t tensors_and_circular_buffers = 0;
};

class QueryShadow {
public:
    /// What becomes of allocations.
    enum class Placing : std::uint8_t {
        kNowhere,     ///< they have address 0, however large, and programs find all of L1 free
        kInMemory,    ///< they are placed, and programs must fit below them
        kOverlapping  ///< the same, but programs may reach into tensors
    };

    /// In force until it ends. `kept`: what operations keep from query to query, of this thread, device and way of placing;
    /// empty at first. REQUIRES: all of them outlive it, `memory` unchanged.
    QueryShadow(const Device& device, const DeviceMemory& memory, std::shared_ptr<void>& kept);
    ~QueryShadow();
    QueryShadow(const QueryShadow&) = delete;
    QueryShadow& operator=(const QueryShadow&) = delete;

    /// That of the calling thread; nullptr: it asks nothing, or traces a function within its query.
    static QueryShadow* current() {
        return innermost_ != nullptr && planning_epoch() == innermost_->epoch() ? innermost_ : nullptr;
    }
    /// The same, if it is of this device.
    static QueryShadow* of(const Device& device) {
        QueryShadow* const shadow = current();
        return shadow != nullptr && &shadow->device_ == &device ? shadow : nullptr;
    }
    /// The query around the frame with this outer epoch, of this device; nullptr: none.
    static QueryShadow* around(std::uint64_t epoch, const Device& device) {
        return innermost_ != nullptr && innermost_->epoch() == epoch && &innermost_->device_ == &device
                   ? innermost_
                   : nullptr;
    }
    /// True within a query, whatever is traced in it.
    static bool is_in_force() { return innermost_ != nullptr; }

    /// True if what was made in this epoch is a query's.
    static bool is_epoch(std::uint64_t epoch) { return (epoch & kEpochs) != 0; }

    std::uint64_t epoch() const { return frame_.epoch(); }
    DeviceState& state() { return state_; }
    Placing placing() const { return placing_; }

    /// From here on: what is allocated is placed so, and counted, or not.
    void begin(Placing placing, bool counts) {
        placing_ = placing;
        counts_ = counts;
    }
    /// The same, for a call after others in one query: what they made counts no more, figures and notes begin again.
    void begin_step(Placing placing);
    const MemoryFigures& peak() const { return peak_; }

    /// Takes memory and fills in address and epoch; false if there is none. REQUIRES: a buffer of this device.
    bool allocate(Allocation& allocation);
    void free(const Allocation& allocation);
    /// Frees what was made outside of the query, for the query.
    void free_outside(const Allocation& allocation);
    bool is_freed(record::BufferId buffer) const;
    /// Leaves it allocated until free_kept().
    void keep(record::BufferId buffer);
    /// The allocation, if it was kept.
    std::optional<Allocation> take_kept(record::BufferId buffer);
    /// Frees all that was kept.
    void free_all_kept();

    /// What the query has allocated and not freed, newest first.
    std::vector<Allocation> live() const;
    std::vector<BufferOwner> owners(record::MemoryType memory) const;

    /// A program begins: what the one before took is free.
    void note_program(const CachedProgram& program);
    /// The end of the highest program in L1; the address where programs begin, if there was none.
    std::uint64_t region_end() const { return region_end_; }

    /// What an operation has chosen by itself, or was given: its program config. The latest counts.
    void note_config(std::any config) { config_ = std::move(config); }
    const std::any& config() const { return config_; }

    /// An error with the figures of a refusal: it may be on its way through a language that keeps its text alone.
    void note_refusal(std::exception_ptr error) { refusal_ = std::move(error); }
    const std::exception_ptr& refusal() const { return refusal_; }

    /// Ids of buffers and tensors, apart from all others.
    static std::uint64_t next_id() { return kIds | next_number(); }

    std::shared_ptr<void>& kept() { return kept_; }

private:
    friend class ScopedAroundQuery;

    struct Live {
        Allocation allocation;
        bool is_kept = false;
        bool is_counted = false;
    };
    static std::uint64_t next_number();
    void count(std::uint64_t MemoryFigures::*kind, std::uint64_t bytes);
    void release(const Live& live);

    static constexpr std::uint64_t kEpochs = std::uint64_t{1} << 62U;
    static constexpr std::uint64_t kIds = std::uint64_t{1} << 55U;
    static inline constinit thread_local QueryShadow* innermost_ = nullptr;

    const Device& device_;
    QueryShadow* const outer_;
    DeviceHooks* const hooks_;  // of the thread, which see nothing of it
    record::ScopedDiscarding silence_;
    const PlanningFrame frame_;
    const ScopedPlanning planning_;
    DeviceState state_;
    std::shared_ptr<void>& kept_;
    Placing placing_ = Placing::kNowhere;
    bool counts_ = false;
    MemoryFigures now_, peak_;
    std::uint64_t region_end_;
    std::vector<Live> live_;
    std::vector<record::BufferId> freed_outside_;
    std::any config_;
    std::exception_ptr refusal_;
};

/// Until the scope ends, the calling thread is as it was before its innermost query: for what happens meanwhile and is none
/// of its doing. REQUIRES: QueryShadow::current() is not null.
class ScopedAroundQuery {
public:
    ScopedAroundQuery();
    ~ScopedAroundQuery();
    ScopedAroundQuery(const ScopedAroundQuery&) = delete;
    ScopedAroundQuery& operator=(const ScopedAroundQuery&) = delete;

private:
    QueryShadow* const left_;
    DeviceHooks* const hooks_;
    const ScopedAroundPlanning planning_;
    const record::ScopedAroundDiscarding silence_;
};

}  // namespace tilemeter
