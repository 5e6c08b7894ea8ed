// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/torch/export.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/occupancy.hpp"
#include "report/foreign/pickle/writer.hpp"

namespace tilemeter::foreign::torch {

namespace {

using analysis::BufferLifetime;
using analysis::kNoIndex;
using analysis::MemoryEvent;
using analysis::MemoryLifetimes;
using analysis::MemoryType;
using analysis::NodeList;
using analysis::Number;
using pickle::Writer;

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint32_t kFlushed = 1000;  // elements of a list, as Python's pickler has them

enum class Space : std::uint8_t { kDram, kL1 };

std::optional<Space> space_of(MemoryType memory) {
    if (record::is_in_l1(memory)) return Space::kL1;
    if (memory == MemoryType::kDram || memory == MemoryType::kTrace) return Space::kDram;
    return std::nullopt;
}

/// What an entry tells, in torch's words.
constexpr const char* kAlloc = "alloc";
constexpr const char* kFree = "free_completed";
constexpr const char* kRefused = "oom";

struct Change {
    const char* action = kAlloc;
    std::uint64_t address = 0;  ///< kRefused: the bytes that the device had left
    std::uint64_t size = 0;
    std::uint32_t node = 0;
    std::uint32_t scope = kNoIndex;
};

struct Range {
    std::uint64_t size = 0;
    std::uint32_t scope = kNoIndex;
};

/// One device's memory of one space.
struct DeviceSpace {
    std::uint16_t device = 0;
    Space space = Space::kDram;
    std::vector<Change> changes = {};
    std::map<std::uint64_t, Range> live = {};  // by address
    std::uint64_t lowest = ~std::uint64_t{0}, highest = kAlignment;
};

class Exporter {
public:
    Exporter(const NodeList& list, const MemoryLifetimes& lifetimes,
             const std::function<void(std::string_view)>& write)
        : list_(list), lifetimes_(lifetimes), out_(write) {}

    std::uint64_t run() {
        collect();
        std::uint64_t entries = 0;
        out_.begin_dict();
        out_.text("segments");
        out_.begin_list();
        for (std::size_t i = 0; i < spaces_.size(); ++i)
            write_segment(spaces_[i], i);
        out_.end_list();
        out_.text("device_traces");
        out_.begin_list();
        for (const DeviceSpace& space : spaces_) {
            write_trace(space);
            entries += space.changes.size();
        }
        out_.end_list();
        out_.end_dict();
        out_.finish();
        return entries;
    }

private:
    [[nodiscard]] std::optional<std::size_t> place_of(std::uint16_t device, Space space) const {
        for (std::size_t i = 0; i < spaces_.size(); ++i)
            if (spaces_[i].device == device && spaces_[i].space == space) return i;
        return std::nullopt;
    }

    /// DRAM of all devices first, with their numbers where they have some; then L1 of those that used it.
    void make_spaces() {
        std::vector<std::uint16_t> slots(lifetimes_.devices.size());
        for (std::size_t i = 0; i < slots.size(); ++i)
            slots[i] = static_cast<std::uint16_t>(i);
        std::stable_sort(slots.begin(), slots.end(), [this](std::uint16_t a, std::uint16_t b) {
            return lifetimes_.devices[a].id.value_or(0) < lifetimes_.devices[b].id.value_or(0);
        });
        for (const std::uint16_t slot : slots)
            spaces_.push_back({.device = slot, .space = Space::kDram});
        std::vector<bool> uses_l1(slots.size());
        for (const BufferLifetime& buffer : lifetimes_.buffers)
            if (space_of(buffer.memory) == Space::kL1) uses_l1[buffer.device] = true;
        for (const analysis::ProgramLifetime& program : lifetimes_.programs)
            uses_l1[program.device] = true;
        for (const std::uint16_t slot : slots)
            if (uses_l1[slot]) spaces_.push_back({.device = slot, .space = Space::kL1});
    }

    void collect() {
        make_spaces();
        addresses_.resize(lifetimes_.buffers.size());
        // Behind all that has an address lies what has none.
        for (const BufferLifetime& buffer : lifetimes_.buffers)
            if (const auto space = space_of(buffer.memory)) {
                DeviceSpace& of = spaces_[*place_of(buffer.device, *space)];
                of.highest = std::max(of.highest, known_address(buffer) + buffer.per_bank.bytes);
            }
        for (std::uint32_t i = 0; i < lifetimes_.buffers.size(); ++i) {
            const BufferLifetime& buffer = lifetimes_.buffers[i];
            if (buffer.before_window) begin(i, std::nullopt);
        }
        analysis::Occupancy now(lifetimes_);
        for (const MemoryEvent& event : lifetimes_.events) {
            const bool is_program =
                event.kind == MemoryEvent::Kind::kPiece || event.kind == MemoryEvent::Kind::kProgramEnd;
            if (!is_program) {
                now.apply(event);
                if (event.kind == MemoryEvent::Kind::kRelease) {
                    end(event.index, event.node);
                } else if (!lifetimes_.buffers[event.index].before_window) {
                    begin(event.index, event.node);
                }
                continue;
            }
            const std::uint16_t device = lifetimes_.programs[event.index].device;
            now.apply(event);
            follow_programs(device, now.fullest_core(device).program_bytes, event);
        }
        add_failures();
    }

    /// Refused requests, behind what happened before them.
    void add_failures() {
        for (const analysis::RecordedFailure& failure : analysis::find_failures(list_, lifetimes_)) {
            const auto& full = failure.read.out_of_memory;
            if (!full) continue;
            const auto place = place_of_failure(failure, *full);
            if (!place) continue;
            std::vector<Change>& changes = spaces_[*place].changes;
            const auto after =
                std::upper_bound(changes.begin(), changes.end(), failure.node,
                                 [](std::uint32_t node, const Change& change) { return node < change.node; });
            changes.insert(after, {kRefused, full->free_bytes.value_or(0), full->per_bank_bytes, failure.node,
                                   failure.scope});
        }
    }

    /// The device that the message names, else the one whose memory changed last before.
    [[nodiscard]] std::optional<std::size_t> place_of_failure(const analysis::RecordedFailure& failure,
                                                              const analysis::OutOfMemory& full) const {
        const Space space = full.in_l1 ? Space::kL1 : Space::kDram;
        std::optional<std::size_t> found;
        std::uint32_t latest = 0;
        for (std::size_t i = 0; i < spaces_.size(); ++i) {
            if (spaces_[i].space != space) continue;
            const Number id = lifetimes_.devices[spaces_[i].device].id;
            if (full.device && id.given() && id.size_bytes() == *full.device) return i;
            std::uint32_t before = 0;
            for (const Change& change : spaces_[i].changes)
                if (change.node <= failure.node) before = change.node;
            if (found && before <= latest) continue;
            found = i;
            latest = before;
        }
        return found;
    }

    static std::uint64_t known_address(const BufferLifetime& buffer) { return buffer.address.size_bytes(); }

    /// `wanted`, or behind everything where it is not known or something lies there.
    static std::uint64_t take(DeviceSpace& space, std::uint64_t wanted, std::uint64_t size,
                              std::uint32_t scope) {
        bool is_free = wanted != 0;
        if (is_free) {
            const auto next = space.live.lower_bound(wanted);
            if (next != space.live.end() && next->first < wanted + size) is_free = false;
            if (next != space.live.begin()) {
                const auto before = std::prev(next);
                if (before->first + before->second.size > wanted) is_free = false;
            }
        }
        if (!is_free) wanted = (space.highest + kAlignment - 1) / kAlignment * kAlignment;
        space.live.emplace(wanted, Range{size, scope});
        space.lowest = std::min(space.lowest, wanted);
        space.highest = std::max(space.highest, wanted + size);
        return wanted;
    }

    void begin(std::uint32_t index, std::optional<std::uint32_t> node) {
        const BufferLifetime& buffer = lifetimes_.buffers[index];
        const auto space = space_of(buffer.memory);
        if (!space || buffer.per_bank.bytes == 0) return;
        DeviceSpace& of = spaces_[*place_of(buffer.device, *space)];
        addresses_[index] = take(of, known_address(buffer), buffer.per_bank.bytes, buffer.maker);
        if (node)
            of.changes.push_back({kAlloc, addresses_[index], buffer.per_bank.bytes, *node, buffer.maker});
    }

    void end(std::uint32_t index, std::uint32_t node) {
        const BufferLifetime& buffer = lifetimes_.buffers[index];
        const auto space = space_of(buffer.memory);
        if (!space || addresses_[index] == 0) return;
        DeviceSpace& of = spaces_[*place_of(buffer.device, *space)];
        release(of, addresses_[index], buffer.per_bank.bytes, node, buffer.maker);
        addresses_[index] = 0;
    }

    static void release(DeviceSpace& of, std::uint64_t address, std::uint64_t size, std::uint32_t node,
                        std::uint32_t scope) {
        of.changes.push_back({kFree, address, size, node, scope});
        of.live.erase(address);
    }

    /// The fullest core's program memory as allocations: what is added comes, and what is less goes, the latest first.
    void follow_programs(std::uint16_t device, std::uint64_t bytes, const MemoryEvent& event) {
        const auto place = place_of(device, Space::kL1);
        if (!place) return;
        DeviceSpace& of = spaces_[*place];
        auto& [total, parts] = program_parts_[device];
        const std::uint32_t scope = lifetimes_.programs[event.index].scope;
        while (bytes < total) {
            const std::uint64_t address = parts.back();
            const Range range = of.live.at(address);
            release(of, address, range.size, event.node, range.scope);
            parts.pop_back();
            total -= range.size;
        }
        if (bytes <= total) return;
        parts.push_back(take(of, 0, bytes - total, scope));
        of.changes.push_back({kAlloc, parts.back(), bytes - total, event.node, scope});
        total = bytes;
    }

    void write_frames(std::uint32_t scope) {
        const auto known = frames_.find(scope);
        if (known != frames_.end()) return out_.repeat(known->second);
        out_.begin_list();
        std::uint32_t level = 0;
        for (std::uint32_t at = scope; at != kNoIndex && level < analysis::kMostLevels;
             at = lifetimes_.scopes.scopes[at].parent, ++level) {
            const NodeList::Function* const function = list_.function(lifetimes_.scopes.scopes[at].start);
            if (function == nullptr) continue;
            const std::string_view source = list_.texts.of(function->source_line);
            const std::size_t colon = source.rfind(':');
            std::uint64_t line = 0;
            for (std::size_t i = colon == std::string_view::npos ? source.size() : colon + 1;
                 i < source.size(); ++i)
                line = line * 10 + static_cast<std::uint64_t>(source[i] - '0');
            out_.begin_dict();
            out_.text("name");
            out_.text(list_.texts.of(function->name));
            out_.text("filename");
            out_.text(source.substr(0, colon));
            out_.text("line");
            out_.integer(line);
            out_.end_dict();
        }
        out_.end_list();
        frames_.emplace(scope, out_.remember());
    }

    void field(std::string_view name, std::uint64_t value) {
        out_.text(name);
        out_.integer(value);
    }

    void write_segment(const DeviceSpace& space, std::size_t device) {
        if (space.lowest >= space.highest) return;
        std::uint64_t active = 0;
        for (const auto& [address, range] : space.live)
            active += range.size;
        out_.begin_dict();
        field("device", device);
        field("address", space.lowest);
        field("total_size", space.highest - space.lowest);
        field("allocated_size", active);
        field("active_size", active);
        field("requested_size", active);
        field("stream", 0);
        out_.text("segment_type");
        out_.text("large");
        out_.text("is_expandable");
        out_.boolean(false);
        out_.text("frames");
        write_frames(kNoIndex);
        out_.text("blocks");
        out_.begin_list();
        std::uint64_t at = space.lowest;
        for (const auto& [address, range] : space.live) {
            if (address > at) write_block(at, address - at, nullptr);
            write_block(address, range.size, &range);
            at = address + range.size;
        }
        if (at < space.highest) write_block(at, space.highest - at, nullptr);
        out_.end_list();
        out_.end_dict();
    }

    void write_block(std::uint64_t address, std::uint64_t size, const Range* range) {
        out_.begin_dict();
        field("address", address);
        field("size", size);
        field("requested_size", range == nullptr ? 0 : size);
        out_.text("state");
        out_.text(range == nullptr ? "inactive" : "active_allocated");
        out_.text("frames");
        write_frames(range == nullptr ? kNoIndex : range->scope);
        out_.end_dict();
    }

    void write_trace(const DeviceSpace& space) {
        out_.begin_list();
        std::uint32_t count = 0;
        for (const Change& change : space.changes) {
            if (++count % kFlushed == 0) out_.flush_list();
            out_.begin_dict();
            out_.text("action");
            out_.text(change.action);
            field(change.action == kRefused ? "device_free" : "addr", change.address);
            field("size", change.size);
            field("stream", 0);
            field("time_us", change.node);
            out_.text("frames");
            write_frames(change.scope);
            out_.end_dict();
        }
        out_.end_list();
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    Writer out_;
    std::vector<DeviceSpace> spaces_;
    std::vector<std::uint64_t> addresses_;  // of buffers that are there
    std::map<std::uint16_t, std::pair<std::uint64_t, std::vector<std::uint64_t>>>
        program_parts_;                                        // by device
    std::unordered_map<std::uint32_t, std::uint32_t> frames_;  // by scope: the writer's numbers
};

}  // namespace

std::uint64_t export_snapshot(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                              const std::function<void(std::string_view)>& write) {
    return Exporter(list, lifetimes, write).run();
}

}  // namespace tilemeter::foreign::torch
