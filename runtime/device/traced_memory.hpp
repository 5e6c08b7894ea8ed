// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The contents of a device's memory where metal traces work.
//
// Values belong to buffers, programs of a metal trace read and write addresses: an input that was freed and allocated again at
// its place is read from there, and a result goes to whoever lies where it was captured. A read finds the values of the live
// buffer at the address, those that an earlier program of the same execution wrote, or those that a freed buffer left behind.
// The remains of a freed buffer are kept only where a captured trace reads something that it did not write itself.
//
// Two buffers are known to have the same bytes at an address only if their pages are alike; a read of others throws.
//
// Thread safety: TracedMemory: all functions may be called from any thread. TracedImage: calls need outside locking.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/record/records.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/device/program_cache.hpp"

namespace tilemeter {

/// The memory of a buffer, and how its bytes lie there.
struct TracedPlace {
    record::BufferRecord buffer{};
    record::TensorSpecId spec{};

    static TracedPlace of(const Buffer& buffer);

    bool is_in_l1() const;
    std::uint64_t begin() const { return buffer.address; }
    std::uint64_t end() const { return buffer.address + buffer.size_per_bank_bytes; }
    bool overlaps(const TracedPlace& other) const;
    /// True if a tensor in the one has the bytes of a tensor in the other in the same order.
    bool has_pages_of(const TracedPlace& other) const;
    /// "buffer 3 ([1, 1, 64, 64] BFLOAT16) at DRAM [1024, 3072)"
    std::string to_string() const;
};

/// The contents of a place. Values: null where nobody wrote any.
struct TracedContents {
    TracedPlace place;
    std::shared_ptr<const ChipValues> values;
};

/// The remains of freed buffers where the metal traces of a device read.
class TracedMemory {
public:
    /// From now on what freed buffers leave at the place is kept.
    void watch(const TracedPlace& place);
    /// Only these places are watched from now on.
    void watch_only(std::vector<TracedPlace> places);
    /// Costs one load where nothing is watched.
    void note_free(const Buffer& buffer) {
        if (watching_.load(std::memory_order_relaxed)) [[unlikely]]
            keep({TracedPlace::of(buffer), buffer.values()});
    }

    /// To be called when a program runs that is not a trace's. Costs one load where nothing is left.
    void note_program(const CachedProgram& program, const std::shared_ptr<const ChipValues>& remains) {
        if (has_left_.load(std::memory_order_relaxed)) [[unlikely]]
            lose_under(program, remains);
    }

    std::vector<TracedContents> left() const;
    /// Replaces what is left. Drops what no watched place overlaps.
    void leave(std::vector<TracedContents> contents);

private:
    void keep(TracedContents contents);
    bool is_watched(const TracedPlace& place) const;
    void lose_under(const CachedProgram& program, const std::shared_ptr<const ChipValues>& remains);
    void set_left(std::vector<TracedContents> contents);

    std::atomic<bool> watching_ = false;
    std::atomic<bool> has_left_ = false;
    mutable std::mutex mutex_;
    // Guarded by mutex_; what is left does not overlap:
    std::vector<TracedPlace> watched_;
    std::vector<TracedContents> left_;
};

/// Memory during one execution. What is written becomes that of the live buffers when the execution has ended.
class TracedImage {
public:
    /// `live`: the buffers that have memory now.
    TracedImage(std::vector<std::shared_ptr<Buffer>> live, std::vector<TracedContents> left);

    /// The values at a place; null where nobody wrote any. Throws RuntimeError where others lie there than the place can
    /// say: `reader` begins the message.
    std::shared_ptr<const ChipValues> read(const TracedPlace& place, std::string_view reader) const;
    /// `remains`: what stands for the values of whoever loses a part of them by it.
    void write(const TracedPlace& place, std::shared_ptr<const ChipValues> values,
               const std::shared_ptr<const ChipValues>& remains);
    /// The program keeps something else in its own memory.
    void write_program_memory(const CachedProgram& program, const std::shared_ptr<const ChipValues>& remains);

    /// Gives live buffers what was written, and returns what has no live buffer.
    std::vector<TracedContents> commit();

private:
    struct Extent {
        TracedContents contents;
        bool is_written = false;
        std::shared_ptr<const ChipValues> remains{};  ///< of whoever has a part of it
    };
    using Place = std::pair<bool, std::uint64_t>;  // in L1, address
    using Extents = std::map<Place, Extent>;       // they do not overlap

    using Range = std::pair<Extents::const_iterator, Extents::const_iterator>;

    Range within(bool is_in_l1, std::uint64_t begin, std::uint64_t end) const;
    Range within(const TracedPlace& place) const {
        return within(place.is_in_l1(), place.begin(), place.end());
    }
    void cut(const TracedPlace& place, const std::shared_ptr<const ChipValues>& remains);

    std::vector<std::shared_ptr<Buffer>> live_;
    Extents extents_;
};

}  // namespace tilemeter
