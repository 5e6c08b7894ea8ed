// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/recordings/given_events.hpp"

#include <algorithm>
#include <utility>

#include "capture/record/emit.hpp"
#include "capture/record/emitter.hpp"

namespace tilemeter::record {

EmitterId observer_named(const std::string& name) {
    EmitterInfo info;
    info.name = name;
    return register_emitter(std::move(info)).value_or(EmitterId::kRuntime);
}

Event whole_buffer_event(EventKind kind, DeviceId device, MemoryType memory, BufferId buffer,
                         std::uint64_t address, std::uint64_t size_bytes) {
    Event made{};
    made.kind = kind;
    internal::describe_buffer({.buffer = buffer,
                               .device = device,
                               .memory = memory,
                               .layout = BufferLayout::kInterleaved,
                               .num_cores = 0,
                               .address = address,
                               .size_bytes = size_bytes,
                               .size_per_bank_bytes = size_bytes,
                               .page_size_bytes = size_bytes},
                              made);
    return made;
}

void GivenEvents::add(const Event& event, std::uint32_t thread) {
    for (auto next = static_cast<std::uint32_t>(chunks_.size()); next <= thread; ++next) {
        recording_.threads.emplace_back().thread = next;
        chunks_.emplace_back();
    }
    ThreadSlice& slice = recording_.threads[thread];
    std::shared_ptr<Chunk>& chunk = chunks_[thread];
    if (chunk == nullptr || chunk->published == Chunk::kEvents) {
        chunk = std::make_shared_for_overwrite<Chunk>();
        chunk->published = 0;
        chunk->thread = thread;
        chunk->first_index = slice.end;
        slice.chunks.push_back(chunk);
    }
    chunk->events[chunk->published++] = event;
    ++slice.end;
    span(event.time_ticks, event.time_ticks);
}

void GivenEvents::span(std::uint64_t begin_ns, std::uint64_t end_ns) {
    recording_.begin_ticks = has_span_ ? std::min(recording_.begin_ticks, begin_ns) : begin_ns;
    recording_.end_ticks = has_span_ ? std::max(recording_.end_ticks, end_ns) : end_ns;
    has_span_ = true;
}

Recording GivenEvents::take(std::uint64_t wall_clock_ns) {
    recording_.wall_clock_ns = wall_clock_ns;
    std::erase_if(recording_.threads, [](const ThreadSlice& slice) { return slice.end == 0; });
    chunks_.clear();
    return std::move(recording_);
}

}  // namespace tilemeter::record
