// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/xla/recording.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "capture/record/device_info.hpp"
#include "capture/record/text.hpp"
#include "capture/recordings/given_events.hpp"

namespace tilemeter::foreign::xla {

namespace {

using record::BufferId;
using record::Event;
using record::EventKind;

/// XLA's own alignment of allocations.
constexpr std::uint64_t kAlignment = 64;

record::DeviceId device() {
    static const record::EmitterId kXla = record::observer_named("XLA");
    return record::device_id(kXla, 0);
}

class AssignmentWriter {
public:
    AssignmentWriter(const Assignment& assignment, const Figures& figures)
        : assignment_(assignment), figures_(figures) {}

    record::Recording write() {
        record::DeviceInfo info;
        info.arch = "XLA";
        info.chips = {0};
        info.num_dram_channels = 1;
        record::announce_device(device(), std::move(info));
        const HeapTrace* running = nullptr;
        for (const HeapTrace& heap : assignment_.heaps) {
            const Allocation* const of = allocation(heap.allocation);
            if (of != nullptr && (running == nullptr || of->size > allocation(running->allocation)->size))
                running = &heap;
        }
        for (const Allocation& each : assignment_.allocations) {
            begins_[each.index] = begin_;
            begin_ += (each.size + kAlignment - 1) / kAlignment * kAlignment;
        }
        for (const Allocation& each : assignment_.allocations)
            if (running == nullptr || each.index != running->allocation) write_fixed(each);
        if (running != nullptr) write_heap(*running);
        return events_.take(0);
    }

private:
    [[nodiscard]] const Allocation* allocation(std::uint64_t index) const {
        for (const Allocation& each : assignment_.allocations)
            if (each.index == index) return &each;
        return nullptr;
    }

    [[nodiscard]] const HeapFigures* heap_of(std::uint64_t allocation) const {
        for (const HeapFigures& each : figures_.heaps)
            if (each.allocation == allocation) return &each;
        return nullptr;
    }

    Event event(EventKind kind, std::string_view text = {}) {
        Event made{};
        made.kind = kind;
        made.origin = record::Origin::kPlannedByCompiler;
        made.device = device();
        made.time_ticks = ++time_;
        made.detail = static_cast<std::uint32_t>(record::intern(text));
        return made;
    }

    void enter(const std::string& name, std::size_t instruction) {
        Event made = event(EventKind::kFunctionBegin, name);
        made.payload.call = {0, assignment_.instructions[instruction].frames};
        events_.add(made);
    }

    void leave() { events_.add(event(EventKind::kFunctionEnd)); }

    void buffer(EventKind kind, BufferId id, std::uint64_t address, std::uint64_t size) {
        Event made = record::whole_buffer_event(kind, device(), record::MemoryType::kDram, id, address, size);
        made.origin = record::Origin::kPlannedByCompiler;
        made.time_ticks = ++time_;
        events_.add(made);
    }

    [[nodiscard]] std::size_t instruction_of(std::uint64_t buffer) const {
        const auto found = assignment_.buffers.find(buffer);
        return found == assignment_.buffers.end() ? 0 : found->second.instruction;
    }

    /// Memory for good, in a function named after who fills it.
    void write_alone(const std::string& kind, std::size_t instruction, std::uint64_t address,
                     std::uint64_t size) {
        if (size == 0) return;
        const std::string& name = assignment_.instructions[instruction].name;
        enter(name.empty() ? kind : kind + " " + name, instruction);
        buffer(EventKind::kBufferAllocate, record::next_buffer_id(), address, size);
        leave();
    }

    void write_gap(const Allocation& of, std::uint64_t live) {
        if (of.size <= live) return;
        enter("heap: alignment and holes", 0);
        buffer(EventKind::kBufferAllocate, record::next_buffer_id(), begins_[of.index] + live,
               of.size - live);
        leave();
    }

    void write_fixed(const Allocation& of) {
        const HeapFigures* const heap = of.kind == AllocationKind::kTemporary ? heap_of(of.index) : nullptr;
        if (heap != nullptr && heap->live_peak_bytes <= of.size) {
            for (const std::uint64_t each : heap->live_then)
                write_alone("temporary", instruction_of(each), address_of(of, each),
                            assignment_.buffers.at(each).size);
            return write_gap(of, heap->live_peak_bytes);
        }
        // Of several values that take turns in it the largest is named.
        const auto largest = std::max_element(of.assigned.begin(), of.assigned.end(),
                                              [](const auto& a, const auto& b) { return a.size < b.size; });
        write_alone(name_of(of.kind), largest == of.assigned.end() ? 0 : instruction_of(largest->buffer),
                    begins_[of.index], of.size);
    }

    [[nodiscard]] std::uint64_t address_of(const Allocation& of, std::uint64_t buffer) {
        for (const Assigned& each : of.assigned)
            if (each.buffer == buffer) return begins_[of.index] + each.offset;
        return begins_[of.index];
    }

    void write_heap(const HeapTrace& heap) {
        const Allocation& of = *allocation(heap.allocation);
        const HeapFigures* const figures = heap_of(heap.allocation);
        write_gap(of, figures->live_peak_bytes);
        std::unordered_map<std::uint64_t, std::uint64_t> addresses;
        for (const Assigned& each : of.assigned)
            addresses.emplace(each.buffer, begins_[of.index] + each.offset);
        struct Live {
            BufferId id;
            std::uint64_t address, size, members;
        };
        std::unordered_map<std::uint64_t, Live> live;
        std::unordered_map<std::uint64_t, std::uint64_t> canonical;
        const auto owner = [&canonical](std::uint64_t buffer) {
            const auto found = canonical.find(buffer);
            return found == canonical.end() ? buffer : found->second;
        };
        for (const HeapEvent& each : heap.events) {
            if (each.action == HeapAction::kShare) {
                const std::uint64_t with = owner(each.shares);
                canonical[each.buffer] = with;
                if (const auto found = live.find(with); found != live.end()) ++found->second.members;
                continue;
            }
            if (each.action == HeapAction::kAllocate) {
                canonical[each.buffer] = each.buffer;
                const std::size_t instruction = instruction_of(each.buffer);
                const auto found = addresses.find(each.buffer);
                const Live made{record::next_buffer_id(),
                                found == addresses.end() ? begins_[of.index] : found->second,
                                assignment_.buffers.at(each.buffer).size, 1};
                live.insert_or_assign(each.buffer, made);
                const std::string& name = assignment_.names[each.instruction];
                enter(name.empty() ? assignment_.instructions[instruction].name : name, instruction);
                buffer(EventKind::kBufferAllocate, made.id, made.address, made.size);
                leave();
                continue;
            }
            const auto found = live.find(owner(each.buffer));
            if (found == live.end() || --found->second.members > 0) continue;
            buffer(EventKind::kBufferFree, found->second.id, found->second.address, found->second.size);
            live.erase(found);
        }
    }

    const Assignment& assignment_;
    const Figures& figures_;
    record::GivenEvents events_{record::RunMode::NO_DISPATCH};
    std::unordered_map<std::uint64_t, std::uint64_t> begins_;  // of allocations, by their index
    std::uint64_t begin_ = kAlignment;                         // no memory of a device lies at 0
    std::uint64_t time_ = 0;
};

}  // namespace

record::Recording recording_of(const Assignment& assignment, const Figures& figures) {
    return AssignmentWriter(assignment, figures).write();
}

}  // namespace tilemeter::foreign::xla
