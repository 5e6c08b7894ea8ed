// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A recording of events that another tool saw, with their own times. It becomes a report as our own recordings do.
//
// Thread safety: none; one thread makes one recording.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::record {

/// Who observed what is given, for reports: "PyTorch". The runtime where there are too many in this process.
EmitterId observer_named(const std::string& name);

/// An event of a buffer that lies as a whole in the one bank of a memory; its time, origin and flags are as they are by default.
Event whole_buffer_event(EventKind kind, DeviceId device, MemoryType memory, BufferId buffer,
                         std::uint64_t address, std::uint64_t size_bytes);

class GivenEvents {
public:
    /// `mode`: NO_DISPATCH where they are a plan, nothing of it ran.
    explicit GivenEvents(RunMode mode = RunMode::NORMAL) { recording_.mode = mode; }

    /// Appends an event. `time_ticks` are nanoseconds of whatever clock. Texts, stacks and devices that
    /// it names are interned or announced before. `thread`: numbers from 0 on; each one's functions nest by themselves.
    void add(const Event& event, std::uint32_t thread = 0);
    /// Events that are not among those given: what is made of the recording then says "at least".
    void lose(std::uint64_t count) { recording_.overwritten += count; }
    /// What the recording spans, where that is more than its events do.
    void span(std::uint64_t begin_ns, std::uint64_t end_ns);

    /// The recording. `wall_clock_ns`: time of day of its begin, since 1970; 0: not known. Nothing may be added afterwards.
    Recording take(std::uint64_t wall_clock_ns);

private:
    Recording recording_;
    std::vector<std::shared_ptr<Chunk>>
        chunks_;  // the last of each thread's slice; null before its first event
    bool has_span_ = false;
};

}  // namespace tilemeter::record
