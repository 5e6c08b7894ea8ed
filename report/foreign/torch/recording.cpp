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
        write_older();
        auto annotation = memory_.annotations.begin();
        for (const Entry& entry : memory_.entries) {
            for (; annotation != memory_.annotations.end() && annotation->time_ns <= entry.time_ns;
                 ++annotation)
                annotate(*annotation);
            pass_to(entry.time_ns);
            write(entry);
        }
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

    void enter_owner(std::uint64_t stack, TextId metadata) {
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
            live_[older.address] = {id, older.size};
            enter_owner(older.stack, TextId::kNone);
            buffer(EventKind::kBufferAllocate, id, older.address, older.size, 0);
        }
        leave_owner();
        if (figures_.unexplained_bytes > 0) {
            enter_owner(0, TextId::kNone);
            buffer(EventKind::kBufferAllocate, record::next_buffer_id(), 0, figures_.unexplained_bytes,
                   record::kUnknownAddress);
            leave_owner();
        }
        is_older_ = false;
    }

    void write(const Entry& entry) {
        switch (entry.action) {
            case Action::kAlloc: {
                enter_owner(entry.stack, entry.metadata);
                const BufferId id = record::next_buffer_id();
                live_[entry.address] = {id, entry.size};
                buffer(EventKind::kBufferAllocate, id, entry.address, entry.size, 0);
                return;
            }
            case Action::kFreeCompleted: {
                leave_owner();
                const auto found = live_.find(entry.address);
                if (found == live_.end()) return;
                buffer(EventKind::kBufferFree, found->second.id, entry.address, found->second.size, 0);
                live_.erase(found);
                return;
            }
            case Action::kOutOfMemory: {
                leave_owner();
                enter_owner(entry.stack, entry.metadata);
                const TextId message = record::intern("out of memory: " + std::to_string(entry.size) +
                                                      " B were asked for, the device had " +
                                                      std::to_string(entry.device_free) + " B left");
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

    struct Live {
        BufferId id;
        std::uint64_t size;
    };

    const Snapshot& snapshot_;
    const Memory& memory_;
    const Figures& figures_;
    const MemoryType type_;
    record::GivenEvents& events_;
    const std::uint32_t thread_;
    const record::DeviceId device_;
    std::unordered_map<std::uint64_t, Live> live_;
    std::uint64_t time_ = 0;
    std::uint64_t owner_ = 0;
    TextId metadata_ = TextId::kNone;
    bool is_in_owner_ = false;
    bool is_older_ = true;  // what is older than the recording is being written
    std::uint64_t depth_ = 0;
};

/// What the device has, where a refused allocation told: what was reserved then, and what was left.
std::uint64_t capacity_of(const Memory& memory, const Figures& figures) {
    std::int64_t reserved = static_cast<std::int64_t>(memory.reserved_bytes);
    std::uint64_t found = 0;
    for (auto entry = memory.entries.rbegin(); entry != memory.entries.rend(); ++entry) {
        if (entry->action == Action::kSegmentAlloc) reserved -= static_cast<std::int64_t>(entry->size);
        if (entry->action == Action::kSegmentFree) reserved += static_cast<std::int64_t>(entry->size);
        if (entry->action == Action::kOutOfMemory && reserved >= 0)
            found = std::max(found, static_cast<std::uint64_t>(reserved) + entry->device_free);
    }
    return found == 0 ? 0 : std::max(found, figures.reserved_peak_bytes);
}

}  // namespace

record::Recording recording_of(const Snapshot& snapshot, const std::vector<Figures>& figures,
                               const Figures& host) {
    record::GivenEvents events;
    std::uint32_t thread = 0;
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < snapshot.devices.size(); ++i) {
        const Memory& memory = snapshot.devices[i];
        record::DeviceInfo info;
        info.arch = "PYTORCH";
        info.chips = {memory.device};
        info.num_dram_channels = 1;
        info.dram_size_per_channel = capacity_of(memory, figures[i]);
        record::announce_device(device_of(memory), std::move(info));
        // Without a trace, and where entries are missing from it, memory was fuller at times that nobody saw.
        events.lose(figures[i].never_seen + figures[i].allocated_twice +
                    (figures[i].has_trace || figures[i].live_at_end == 0 ? 0 : 1));
        if (!memory.entries.empty() && (begin == 0 || memory.entries.front().time_ns < begin))
            begin = memory.entries.front().time_ns;
        MemoryWriter(snapshot, memory, figures[i], MemoryType::kDram, events, thread++).write();
    }
    if (!snapshot.host.entries.empty() || !snapshot.host.blocks.empty())
        MemoryWriter(snapshot, snapshot.host, host, MemoryType::kSystemMemory, events, thread).write();
    return events.take(snapshot.has_times ? begin : 0);
}

}  // namespace tilemeter::foreign::torch
