// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <set>

#include "report/analysis/answers/internal/contributors.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/occupancy.hpp"

namespace tilemeter::analysis {
namespace {

struct Highest {
    std::uint64_t bytes = 0;
    std::size_t event = 0;  // the number of events applied before, 0: none
};

struct DeviceHighest {
    Highest l1, dram;
    std::uint64_t window_only = 0;
};

std::vector<DeviceHighest> find_highest(const MemoryLifetimes& lifetimes) {
    std::vector<DeviceHighest> highest(lifetimes.devices.size());
    std::vector<std::uint64_t> older(lifetimes.devices.size(), 0);  // L1 per core that is older than the list
    Occupancy occupancy(lifetimes);
    const auto note = [](Highest& highest_so_far, std::uint64_t bytes, std::size_t event) {
        if (bytes > highest_so_far.bytes) highest_so_far = {bytes, event};
    };
    for (std::size_t i = 0; i < lifetimes.events.size(); ++i) {
        const MemoryEvent& event = lifetimes.events[i];
        occupancy.apply(event);
        const bool of_buffer =
            event.kind == MemoryEvent::Kind::kAllocate || event.kind == MemoryEvent::Kind::kRelease;
        const std::uint16_t device =
            of_buffer ? lifetimes.buffers[event.index].device : lifetimes.programs[event.index].device;
        if (of_buffer && lifetimes.buffers[event.index].before_window) {
            const BufferLifetime& lifetime = lifetimes.buffers[event.index];
            const std::uint64_t bytes = is_in_l1(lifetime.memory) ? lifetime.per_bank.bytes : 0;
            older[device] += event.kind == MemoryEvent::Kind::kAllocate ? bytes : 0 - bytes;
        }
        const std::uint64_t l1 = occupancy.l1_peak_bytes(device);
        note(highest[device].l1, l1, i + 1);
        note(highest[device].dram, occupancy.tensors(device).dram_bytes, i + 1);
        highest[device].window_only = std::max(highest[device].window_only, l1 - older[device]);
    }
    return highest;
}

std::optional<std::uint64_t> known(std::uint64_t bytes) {
    return bytes != 0 ? std::optional(bytes) : std::nullopt;
}

void note_limits(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t slot,
                 DevicePeak& device) {
    const auto limits = limits_of(list, lifetimes, slot);
    if (!limits) return;
    device.l1.limit_bytes = known(limits->l1_bytes);
    device.l1.physical_bytes = known(limits->l1_physical_bytes);
    device.dram.limit_bytes = known(limits->dram_bank_bytes);
    device.dram.physical_bytes = known(limits->dram_bank_physical_bytes);
}

void note_programs(const NodeList& list, const MemoryLifetimes& lifetimes, PeakAnswer& answer) {
    std::set<std::string> unknown;
    for (const ProgramLifetime& program : lifetimes.programs) {
        ++answer.programs;
        if (program.record == ProgramRecord::kFilledIn) ++answer.filled_in_programs;
        if (program.record == ProgramRecord::kFromLibrary || program.added_pieces != 0)
            ++answer.programs_from_library;
        if (program.record != ProgramRecord::kUnknown) continue;
        ++answer.unknown_program_count;
        if (program.scope != kNoIndex && unknown.size() < 1000)
            unknown.insert(lifetimes.scopes.path(list, program.scope));
    }
    answer.unknown_programs.assign(unknown.begin(), unknown.end());
}

void note_caveats(const MemoryLifetimes& lifetimes, PeakAnswer& answer) {
    if (answer.unknown_program_count != 0)
        answer.caveats.push_back(
            std::to_string(answer.unknown_program_count) + " of " + std::to_string(answer.programs) +
            " programs ran without a record of what they took in L1: the L1 peak is a lower "
            "bound (a NO_DISPATCH capture has it all)");
    const auto without_record = [](std::uint32_t count) {
        return count == 1 ? std::string("1 program left no record of what it took")
                          : std::to_string(count) + " programs left no record of what they took";
    };
    if (answer.filled_in_programs != 0)
        answer.caveats.push_back(without_record(answer.filled_in_programs) +
                                 " (program-cache hits leave none): counted as in a recorded run of the same "
                                 "program in this capture");
    std::uint32_t whole_programs = 0;
    for (const ProgramLifetime& program : lifetimes.programs)
        whole_programs += program.record == ProgramRecord::kFromLibrary ? 1U : 0U;
    if (whole_programs != 0)
        answer.caveats.push_back(without_record(whole_programs) +
                                 " in this capture: counted as for the same program in the other capture");
    if (const std::uint32_t in_part = answer.programs_from_library - whole_programs; in_part != 0)
        answer.caveats.push_back(
            (in_part == 1 ? std::string("1 program left no record of all that it took")
                          : std::to_string(in_part) + " programs left no record of all that they took") +
            " in this capture: the rest is counted as for the same program in the other capture");
    std::size_t computed = 0;
    std::size_t whole = 0;
    for (const BufferLifetime& lifetime : lifetimes.buffers) {
        computed += lifetime.per_bank.origin == SizeOrigin::kComputed ? 1U : 0U;
        whole += lifetime.per_bank.origin == SizeOrigin::kWhole && lifetime.size_bytes != 0 ? 1U : 0U;
    }
    if (computed != 0)
        answer.caveats.push_back(std::to_string(computed) +
                                 (computed == 1 ? " buffer has" : " buffers have") +
                                 " no recorded size per bank; it was computed from size, page and banks");
    if (whole != 0)
        answer.caveats.push_back(
            std::to_string(whole) +
            (whole == 1 ? " buffer has no size per bank that can be known; it counts with its"
                        : " buffers have no size per bank that can be known; they count with their") +
            " whole size");
}

}  // namespace

PeakAnswer find_peak(const NodeList& list, const ProgramLibrary* known_programs) {
    return find_peak(list, find_lifetimes(list, known_programs));
}

PeakAnswer find_peak(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const std::vector<DeviceHighest> highest = find_highest(lifetimes);
    PeakAnswer answer;
    for (std::uint16_t slot = 0; slot < lifetimes.devices.size(); ++slot) {
        DevicePeak& device = answer.devices.emplace_back();
        device.device = lifetimes.devices[slot].id;
        device.chips = lifetimes.devices[slot].chips;
        device.window_only_l1_bytes = highest[slot].window_only;
    }
    // One replay serves all: contributors are listed where a peak was found to be.
    internal::Contributors contributors(list, lifetimes);
    Occupancy occupancy(lifetimes);
    for (std::size_t i = 0; i <= lifetimes.events.size(); ++i) {
        if (i > 0) {
            occupancy.apply(lifetimes.events[i - 1]);
            contributors.apply(lifetimes.events[i - 1]);
        }
        for (std::uint16_t slot = 0; slot < lifetimes.devices.size(); ++slot) {
            const std::uint32_t node = i == 0 ? 0 : lifetimes.events[i - 1].node;
            if (highest[slot].l1.event == i && highest[slot].l1.bytes != 0)
                answer.devices[slot].l1 = contributors.l1(occupancy, slot, node);
            if (highest[slot].dram.event == i && highest[slot].dram.bytes != 0)
                answer.devices[slot].dram = contributors.dram(occupancy, slot, node);
        }
    }
    answer.judgement = judge(list, lifetimes);
    for (std::uint16_t slot = 0; slot < lifetimes.devices.size(); ++slot) {
        DevicePeak& device = answer.devices[slot];
        device.l1.bound = answer.judgement.l1.bound;
        device.dram.bound = answer.judgement.dram.bound;
        note_limits(list, lifetimes, slot, device);
    }
    note_programs(list, lifetimes, answer);
    note_caveats(lifetimes, answer);
    return answer;
}

PeakMoments find_peak_moments(const MemoryLifetimes& lifetimes) {
    PeakMoments moments;
    const auto note = [&](PeakMoment& moment, const Highest& highest) {
        if (highest.bytes > moment.bytes) moment = {highest.bytes, lifetimes.events[highest.event - 1].node};
    };
    for (const DeviceHighest& device : find_highest(lifetimes)) {
        note(moments.l1, device.l1);
        note(moments.dram, device.dram);
    }
    return moments;
}

MemoryPeak l1_at(const NodeList& list, const MemoryLifetimes& lifetimes, std::uint16_t device,
                 std::uint32_t node) {
    internal::Contributors contributors(list, lifetimes);
    Occupancy occupancy(lifetimes);
    for (const MemoryEvent& event : lifetimes.events) {
        if (event.node > node) break;
        occupancy.apply(event);
        contributors.apply(event);
    }
    return contributors.l1(occupancy, device, node);
}

}  // namespace tilemeter::analysis
