// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The state of a thread between its callbacks: the recorder's table, texts and types that come again and again,
// functions that are open, programs that were announced and not launched.
//
// Thread safety: a ThreadState is its thread's own; all else may be used by any thread.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/emit_table.h"
#include "runtime/attach/ttnn/argument_texts.hpp"
#include "runtime/attach/ttnn/sub_devices.hpp"
#include "runtime/attach/ttnn/tensors.hpp"
#include "runtime/attach/ttnn/ttnn_api.hpp"

namespace tilemeter::attach::ttnn {

/// The table of the process's recorder. Another one may take its place while nothing is captured.
class Emit {
public:
    const tilemeter_emit_table* operator->() const { return &table(); }
    const tilemeter_emit_table& table() const { return *table_.load(std::memory_order_relaxed); }
    void use(const tilemeter_emit_table& table) { table_.store(&table, std::memory_order_relaxed); }

private:
    std::atomic<const tilemeter_emit_table*> table_{nullptr};
};
extern Emit emit;
extern std::atomic<std::uint8_t> emitter_number;
extern std::atomic<std::uint64_t> recorders;  ///< moves with the recorder: numbers of texts and types are its
extern std::atomic<std::uint64_t> failed_callbacks;
extern std::atomic<std::uint64_t> generation;  ///< moves with captures that begin while none is open

inline bool listening() {
    return __atomic_load_n(emit->listening, __ATOMIC_RELAXED) != 0;
}

/// Runs a callback's body: nothing it throws may reach TT-NN, whose operation would fail by it.
template <typename Body>
void guarded(Body body) noexcept {
    try {
        body();
    } catch (...) {
        failed_callbacks.fetch_add(1, std::memory_order_relaxed);
    }
}

inline std::uint32_t intern(std::string_view text) {
    return emit->intern_text(text.data(), text.size());
}

/// Texts that come again and again, by their bytes: without the recorder's lock from the second time on.
class TextCache {
public:
    std::uint32_t of(std::string_view text) {
        Entry& entry = entries_[hash_of(text) % entries_.size()];
        if (entry.text != text) {
            entry.id = intern(text);
            entry.text = text;
        }
        return entry.id;
    }

private:
    struct Entry {
        std::string text;
        std::uint32_t id = 0;
    };

    /// A hash of its size and three words: names are longer than they differ.
    static std::size_t hash_of(std::string_view text) {
        constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
        std::uint64_t hash = text.size();
        if (text.size() < sizeof hash) {
            for (const char each : text)
                hash = hash * 31 + static_cast<unsigned char>(each);
        } else {
            const std::size_t last = text.size() - sizeof hash;
            for (const std::size_t place : {std::size_t{0}, last / 2, last}) {
                std::uint64_t word = 0;
                std::memcpy(&word, text.data() + place, sizeof word);
                hash = (hash ^ word) * kFactor;
            }
        }
        return hash * kFactor >> 32;
    }

    std::array<Entry, 256> entries_;
};

/// Core ranges as texts, by their numbers.
class CoresCache {
public:
    std::uint32_t of(const CoreRangeSet* cores) {
        const std::vector<CoreRange>& ranges = api.core_ranges(cores);
        if (ranges.size() == 1) {
            if (const std::optional<std::uint64_t> corners = corners_of(ranges.front())) {
                Rectangle& entry = rectangles_[(*corners * kFactor >> 32) % rectangles_.size()];
                if (entry.id == 0 || entry.corners != *corners)
                    entry = {*corners, intern(api.core_ranges_text(cores))};
                return entry.id;
            }
        }
        std::uint64_t hash = ranges.size();
        for (const CoreRange& each : ranges) {
            for (const std::uint64_t number : {each.start_x, each.start_y, each.end_x, each.end_y})
                hash = (hash ^ number) * kFactor;
        }
        Entry& entry = entries_[(hash >> 32) % entries_.size()];
        if (entry.id == 0 || !equal(entry.ranges, ranges)) {
            entry.id = intern(api.core_ranges_text(cores));
            entry.ranges = ranges;
        }
        return entry.id;
    }

private:
    static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;

    /// One rectangle, as most are, in a word.
    struct Rectangle {
        std::uint64_t corners = 0;
        std::uint32_t id = 0;
    };
    static std::optional<std::uint64_t> corners_of(const CoreRange& range) {
        constexpr unsigned kBits = 16;
        if ((range.start_x | range.start_y | range.end_x | range.end_y) >> kBits != 0) return std::nullopt;
        return ((range.start_x << kBits | range.start_y) << kBits | range.end_x) << kBits | range.end_y;
    }

    struct Entry {
        std::vector<CoreRange> ranges;
        std::uint32_t id = 0;
    };
    static bool equal(const std::vector<CoreRange>& a, const std::vector<CoreRange>& b) {
        return a.size() == b.size() &&
               (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(CoreRange)) == 0);
    }
    std::array<Rectangle, 64> rectangles_;
    std::array<Entry, 64> entries_;
};

/// Programs that were launched lately and have no scratchpads: their kernels need not be walked again. The address of one may
/// be another's later, its own number is not.
class KnownPrograms {
public:
    bool has_no_scratchpads(const ProgramImpl* program, std::uint64_t number) const {
        const Entry& entry = entries_[number % entries_.size()];
        return entry.program == program && entry.number == number;
    }
    void add_without_scratchpads(const ProgramImpl* program, std::uint64_t number) {
        entries_[number % entries_.size()] = {program, number};
    }

private:
    struct Entry {
        const ProgramImpl* program = nullptr;
        std::uint64_t number = 0;
    };
    std::array<Entry, 64> entries_;
};

/// A program between its announcement and its launch.
struct Pending {
    const Program* program;
    std::uint16_t device;
    std::vector<int> chips;  // that it was launched on, where that is known; else it is all of the mesh
    bool circular_buffers_told = false;  // by TT-NN's own events
    bool dataflow_buffers_told = false;
    bool scratchpads_told = false;
};
struct ThreadState {
    std::uint64_t generation = 0;
    std::uint64_t recorder = 0;
    TextCache names;
    CoresCache cores;
    TensorTypes tensor_types;
    KnownTensors tensors;
    KnownPrograms programs;
    SubDevices sub_devices;
    HeldTypes held_types;
    ArgumentTexts argument_texts;
    bool joined = false;                                           ///< the processor is on the thread's list
    const std::shared_ptr<void>* hook = &api.hook(api.tracker());  ///< where TT-NN keeps the thread's
    std::size_t open = 0;                                          ///< functions
    std::size_t kept =
        0;  ///< of these stay open when TT-NN closes all: those around a call from Python that runs
    std::uint32_t just_opened =
        0;                   ///< the name of a function without arguments that was opened last, nothing since
    std::size_t failed = 0;  ///< of these, one that TT-NN opened and will end as if it had not failed
    std::uint32_t failed_reason = 0;
    bool looks = false;    ///< at the buffers of devices
    Processors put_aside;  ///< the thread's list while the self-test runs in it
    std::vector<Pending> pending;
};

// Initial-exec, as the recorder's log: a load instead of a call. Not destroyed with the thread, for callbacks may come
// from what is destroyed after it.
extern constinit thread_local ThreadState* this_threads_state [[gnu::tls_model("initial-exec")]];

/// Makes it, or empties it for another capture.
ThreadState& renewed_state();

/// The calling thread's.
inline ThreadState& state() {
    ThreadState* const here = this_threads_state;
    if (here == nullptr || here->generation != generation.load(std::memory_order_relaxed)) [[unlikely]]
        return renewed_state();
    return *here;
}

}  // namespace tilemeter::attach::ttnn
