// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/window_recording.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "capture/events/recording_slices.hpp"

namespace tilemeter::record::internal {

namespace {

/// All events of a window that records into a file; while they are looked at, what holds them stays as it is.
std::vector<ThreadSlice> slices_of_file(const State& all, RecordingFile& file) {
    std::vector<std::shared_ptr<const void>> held{file.keep_blocks()};
    for (const auto& log : all.logs)
        held.push_back(log->current());
    return map_slices(file.descriptor(), std::move(held), file.chunks_in_memory());
}

/// The events of `slice` that a window with these `emitters` wants, renumbered from where it begins.
ThreadSlice wanted_of(const ThreadSlice& slice, std::uint8_t emitters) {
    ThreadSlice wanted{slice.thread, slice.begin, slice.begin, {}};
    std::shared_ptr<Chunk> chunk;
    slice.for_each([&](const Event& event) {
        if (!wants(emitters, emitter_of(event.device))) return;
        if (chunk == nullptr || chunk->published.load(std::memory_order_relaxed) == Chunk::kEvents) {
            chunk = std::make_shared_for_overwrite<Chunk>();
            chunk->published.store(0, std::memory_order_relaxed);
            chunk->first_index = wanted.end;
            wanted.chunks.push_back(chunk);
        }
        const std::uint32_t place = chunk->published.load(std::memory_order_relaxed);
        chunk->events[place] = event;
        chunk->published.store(place + 1, std::memory_order_relaxed);
        ++wanted.end;
    });
    return wanted;
}

}  // namespace

void keep_wanted(std::vector<ThreadSlice>& threads, std::uint8_t emitters) {
    if (emitters == 0) return;
    for (ThreadSlice& slice : threads)
        slice = wanted_of(slice, emitters);
    std::erase_if(threads, [](const ThreadSlice& slice) { return slice.begin == slice.end; });
}

Recording recording_of(const State& all, const Window& window) {
    Recording recording;
    if (window.file != nullptr) recording.threads = slices_of_file(all, *window.file);
    recording.mode = window.options.mode;
    recording.detail = window.options.detail;
    recording.pages = window.pages;
    recording.begin_ticks = window.begin_ticks;
    recording.wall_clock_ns = window.wall_clock_ns;
    recording.when_full = window.options.when_full;
    recording.frame_order = all.frame_order;
    for (const auto& log : all.logs) {
        const auto begin = window.begin.find(log.get());
        const auto first = begin == window.begin.end() ? Window::Begin{} : begin->second;
        recording.counted += log->counts() - first.counts;
        if (!window.in_memory()) continue;
        ThreadSlice slice = log->slice_since(first.number);
        if (slice.begin > first.number) recording.overwritten += slice.begin - first.number;
        if (slice.begin != slice.end) recording.threads.push_back(std::move(slice));
    }
    if (window.file != nullptr) {
        // In this order: what is in memory is counted as lost first.
        const std::uint64_t in_memory = window.file->events_in_memory();
        const std::uint64_t lost = window.file->lost_events()->load(std::memory_order_relaxed) - in_memory;
        recording.overwritten = lost - std::min(lost, recording.counted.total());
    }
    keep_wanted(recording.threads, window.options.emitters);
    const ClockReading now = read_clocks();
    recording.end_ticks = now.ticks;
    recording.conversion = TickConversion(process_start_reading(), now);
    return recording;
}

}  // namespace tilemeter::record::internal
