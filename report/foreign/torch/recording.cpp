// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/torch/recording.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "capture/record/device_info.hpp"
#include "capture/record/text.hpp"
#include "capture/recordings/given_events.hpp"

namespace tilemeter::foreign::torch {

namespace {

using record::BufferId;
using record::Event;
using record::EventKind;
using record::MemoryType;
using record::TextId;

record::DeviceId device_of(const Memory& memory) {
    static const record::EmitterId kPyTorch = record::observer_named("PyTorch");
    return record::device_id(kPyTorch, memory.device);
}

class MemoryWriter {
public:
    MemoryWriter(const Snapshot& snapshot, const Memory& memory, const Figures& figures, MemoryType type,
                 record::GivenEvents& events, std::uint32_t thread)
        : snapshot_(snapshot),
          memory_(memory),
          figures_(figures),
          type_(type),
          events_(events),
          thread_(thread),
          device_(device_of(memory)) {}

    void write() {
        time_ = memory_.entries.empty() ? 0 : memory_.entries.front().time_ns;
        ids_.resize(memory_.entries.size());
        write_older();
        auto annotation = memory_.annotations.begin();
        for (std::uint32_t i = 0; i < memory_.entries.size(); ++i) {
            const Entry& entry = memory_.entries[i];
            for (; annotation != memory_.annotations.end() && annotation->time_ns <= entry.time_ns;
                 ++annotation)
                annotate(*annotation);
            pass_to(entry.time_ns);
            write(i);
        }
        write_only_at_end();
        leave_owner();
        for (; annotation != memory_.annotations.end(); ++annotation)
            annotate(*annotation);
        for (; depth_ > 0; --depth_)
            end(TextId::kNone, 0);
    }

private:
    /// Times of entries run back where threads of the program took turns: their order is right.
    void pass_to(std::uint64_t time_ns) { time_ = std::max(time_, time_ns); }

    Event event(EventKind kind, TextId detail) const {
        Event made{};
        made.kind = kind;
        made.device = device_;
        made.time_ticks = time_;
        made.detail = static_cast<std::uint32_t>(detail);
        return made;
    }

    void end(TextId reason, std::uint8_t flags) {
        Event made = event(EventKind::kFunctionEnd, reason);
        made.flags = flags;
        events_.add(made, thread_);
    }

    void annotate(const Annotation& annotation) {
        if (!annotation.is_begin && depth_ == 0) return;  // it began before the recording
        leave_owner();
        pass_to(annotation.time_ns);
        if (annotation.is_begin) {
            events_.add(event(EventKind::kFunctionBegin, annotation.name), thread_);
            ++depth_;
        } else {
            end(TextId::kNone, 0);
            --depth_;
        }
    }

    void enter_owner(std::uint32_t stack, TextId metadata) {
        if (is_in_owner_ && stack == owner_ && metadata == metadata_) return;
        leave_owner();
        const Stack& from = snapshot_.stacks[stack];
        static const TextId kUnknown = record::intern("(no stack recorded)");
        static const TextId kOlder = record::intern("(older than the recording)");
        const TextId name = stack != 0 ? from.owner : is_older_ ? kOlder : kUnknown;
        Event made = event(EventKind::kFunctionBegin, name);
        made.payload.call = {metadata == TextId::kNone ? 0U : 1U, from.frames};
        events_.add(made, thread_);
        if (metadata != TextId::kNone) {
            Event argument = event(EventKind::kArgument, TextId::kNone);
            argument.payload.argument = {record::ArgumentType::kText, static_cast<std::uint32_t>(metadata), 0,
                                         0};
            events_.add(argument, thread_);
        }
        is_in_owner_ = true;
        owner_ = stack;
        metadata_ = metadata;
    }

    void leave_owner() {
        if (is_in_owner_) end(TextId::kNone, 0);
        is_in_owner_ = false;
    }

    void buffer(EventKind kind, BufferId id, std::uint64_t address, std::uint64_t size, std::uint8_t flags) {
        Event made = record::whole_buffer_event(kind, device_, type_, id, address, size);
        made.time_ticks = time_;
        made.flags = flags;
        events_.add(made, thread_);
    }

    /// Memory from before the recording is allocated at its begin, in the frames that the snapshot has of what is still there at
    /// the end, or in a function that says so.
    void write_older() {
        for (const Older& older : figures_.older) {
            const BufferId id = record::next_buffer_id();
            if (older.freed_by != Older::kNever) older_ids_.emplace(older.freed_by, id);
            enter_owner(older.stack, TextId::kNone);
            buffer(EventKind::kBufferAllocate, id, older.address, older.size, 0);
        }
        leave_owner();
        if (!figures_.has_gaps && figures_.unexplained_bytes > 0) {
            enter_owner(0, TextId::kNone);
            buffer(EventKind::kBufferAllocate, record::next_buffer_id(), 0, figures_.unexplained_bytes,
                   record::kUnknownAddress);
            leave_owner();
        }
        is_older_ = false;
    }

    /// Memory that is there at the end, of whose allocation there is no entry: it lies on what the trace left.
    void write_only_at_end() {
        for (const std::uint32_t place : figures_.only_at_end) {
            const Block& block = memory_.blocks[place];
            enter_owner(block.stack, TextId::kNone);
            buffer(EventKind::kBufferAllocate, record::next_buffer_id(), block.address, block.size, 0);
        }
    }

    /// Memory of which one entry is known, the other is missing: it counts at that one.
    void write_alone(const Entry& entry) {
        const BufferId id = record::next_buffer_id();
        buffer(EventKind::kBufferAllocate, id, entry.address, entry.size, 0);
        buffer(EventKind::kBufferFree, id, entry.address, entry.size, 0);
    }

    void free(std::uint32_t place) {
        const Entry& entry = memory_.entries[place];
        const std::uint32_t partner = figures_.partner[place];
        leave_owner();
        if (partner != kNoEntry) {
            buffer(EventKind::kBufferFree, ids_[partner], entry.address, memory_.entries[partner].size, 0);
        } else if (figures_.has_gaps) {
            enter_owner(0, TextId::kNone);
            write_alone(entry);
            leave_owner();
        } else if (const auto older = older_ids_.find(place); older != older_ids_.end()) {
            buffer(EventKind::kBufferFree, older->second, entry.address, entry.size, 0);
        }
    }

    void write(std::uint32_t place) {
        const Entry& entry = memory_.entries[place];
        switch (entry.action) {
            case Action::kAlloc:
                enter_owner(entry.stack, entry.metadata);
                if (figures_.partner[place] == kNoEntry) return write_alone(entry);
                ids_[place] = record::next_buffer_id();
                buffer(EventKind::kBufferAllocate, ids_[place], entry.address, entry.size, 0);
                return;
            case Action::kFreeCompleted:
                return free(place);
            case Action::kOutOfMemory: {
                leave_owner();
                enter_owner(entry.stack, entry.metadata);
                const TextId message = record::intern(
                    "out of memory: " + std::to_string(entry.size) + " B were asked for, device " +
                    std::to_string(memory_.device) + " had " + std::to_string(entry.address) + " B left");
                Event error = event(EventKind::kError, message);
                error.payload.error = {static_cast<std::uint32_t>(record::intern("torch.OutOfMemoryError")),
                                       static_cast<std::uint32_t>(snapshot_.stacks[entry.stack].owner)};
                events_.add(error, thread_);
                end(message, record::kAborted);
                is_in_owner_ = false;
                return;
            }
            case Action::kFreeRequested:
            case Action::kSegmentAlloc:
            case Action::kSegmentFree:
            case Action::kOther:
                return;
        }
    }

    const Snapshot& snapshot_;
    const Memory& memory_;
    const Figures& figures_;
    const MemoryType type_;
    record::GivenEvents& events_;
    const std::uint32_t thread_;
    const record::DeviceId device_;
    std::vector<BufferId> ids_;                              // by entry
    std::unordered_map<std::uint64_t, BufferId> older_ids_;  // by the entry that frees it
    std::uint64_t time_ = 0;
    std::uint32_t owner_ = 0;
    TextId metadata_ = TextId::kNone;
    bool is_in_owner_ = false;
    bool is_older_ = true;  // what is older than the recording is being written
    std::uint64_t depth_ = 0;
};

/// What the device has, where a refused allocation told: what was reserved then, and what was left.
std::uint64_t capacity_of(const Memory& memory, const Figures& figures) {
    std::uint64_t reserved = memory.reserved_bytes;  // goes round below zero: sizes are what a file says
    std::uint64_t found = 0;
    for (auto entry = memory.entries.rbegin(); entry != memory.entries.rend(); ++entry) {
        if (entry->action == Action::kSegmentAlloc) reserved -= entry->size;
        if (entry->action == Action::kSegmentFree) reserved += entry->size;
        if (entry->action == Action::kOutOfMemory && static_cast<std::int64_t>(reserved) >= 0)
            found = std::max(found, reserved + entry->address);
    }
    return found == 0 ? 0 : std::max(found, figures.reserved_peak_bytes);
}

}  // namespace

record::Recording recording_of(Snapshot& snapshot, const std::vector<Figures>& figures, const Figures& host) {
    record::GivenEvents events;
    std::uint32_t thread = 0;
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < snapshot.devices.size(); ++i) {
        Memory& memory = snapshot.devices[i];
        record::DeviceInfo info;
        info.arch = "PYTORCH";
        info.chips = {memory.device};
        info.num_dram_channels = 1;
        info.dram_size_per_channel = capacity_of(memory, figures[i]);
        record::announce_device(device_of(memory), std::move(info));
        // Without a trace, and where entries are missing from it, memory was fuller at times that nobody saw.
        const bool is_state_alone = !figures[i].has_trace && figures[i].live_at_end > 0;
        events.lose(std::max<std::uint64_t>(figures[i].missing_entries(),
                                            figures[i].has_gaps || is_state_alone ? 1 : 0));
        if (!memory.entries.empty() && (begin == 0 || memory.entries.front().time_ns < begin))
            begin = memory.entries.front().time_ns;
        MemoryWriter(snapshot, memory, figures[i], MemoryType::kDram, events, thread++).write();
        memory.entries = {};
    }
    if (!snapshot.host.entries.empty() || !snapshot.host.blocks.empty())
        MemoryWriter(snapshot, snapshot.host, host, MemoryType::kSystemMemory, events, thread).write();
    return events.take(snapshot.has_times ? begin : 0);
}

}  // namespace tilemeter::foreign::torch
