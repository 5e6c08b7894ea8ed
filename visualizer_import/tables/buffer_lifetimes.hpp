// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "report/report_reader.hpp"
#include "visualizer_import/graph/device_map.hpp"
#include "visualizer_import/graph/wrapped.hpp"
#include "visualizer_import/tables/buffer_placement.hpp"

namespace tilemeter::visualizer_import {

// Operations of one file, counted from 0 in the order of their ids.
using OperationIndex = std::uint32_t;

// A buffer and the operations at whose end it was alive, first and last included.
struct BufferSpan {
    report::LiveBufferRecord buffer;
    OperationIndex first;
    OperationIndex last;
};

// From events: what allocations and frees leave alive at the end of each operation.
class EventLifetimes {
public:
    static constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

    EventLifetimes(const DeviceMap& devices, bool reference_quirks)
        : reference_quirks_(reference_quirks), placement_(devices) {}

    // buffer_node: the node of the buffer that was allocated or freed, by which the two are paired. Returns
    // its address, which is one of BufferPlacement where none was recorded.
    std::int64_t allocate(const report::LiveBufferRecord& buffer, std::size_t buffer_node);
    // The reference frees whatever has that address, on any device and in any memory.
    void free_address(std::int64_t address);
    // The fields of a free; older dialects leave out some of it.
    struct Freed {
        std::int64_t address = 0;
        std::optional<std::int64_t> device_id, buffer_type;
    };
    // The buffer allocated last, of several that it may mean, is freed.
    void free_buffer(const Freed& freed, std::size_t buffer_node);
    // Buffers that are alive without having been allocated here: they count as alive, and nothing is placed
    // where they are.
    void reserve(const report::LiveBufferRecord& buffer);
    void release(const report::LiveBufferRecord& buffer);
    // An operation ends: what is alive now belongs to it.
    void end_operation() { ++operation_count_; }
    [[nodiscard]] OperationIndex operation_count() const { return operation_count_; }
    void add_span(const BufferSpan& span) { spans_.push_back(span); }
    [[nodiscard]] std::int64_t live_l1_bytes_per_bank() const { return live_l1_bytes_; }

    [[nodiscard]] std::uint64_t placed_count() const { return placement_.placed_count(); }
    [[nodiscard]] std::uint64_t overlapping_count() const { return placement_.overlapping_count(); }

    // Ends the lifetimes of what is still alive.
    std::vector<BufferSpan> take_spans();

private:
    struct Live {
        report::LiveBufferRecord buffer;
        std::size_t buffer_node;
        OperationIndex first;
        bool alive;
        std::uint64_t number;  // counts allocations
    };
    void end(std::size_t live);

    bool reference_quirks_;
    BufferPlacement placement_;
    OperationIndex operation_count_ = 0;
    std::int64_t live_l1_bytes_ = 0;
    std::uint64_t allocation_count_ = 0;
    std::vector<Live> live_;
    std::vector<std::size_t> unused_;
    std::unordered_multimap<std::int64_t, std::size_t> by_address_;
    std::unordered_map<std::size_t, std::size_t> by_node_;
    std::vector<BufferSpan> spans_;
};

// From snapshots: the same, put together from lists of what was alive, which come in any order.
class SnapshotLifetimes {
public:
    // Some of the buffers alive at the end of an operation; several calls for one operation follow each
    // other.
    void add(OperationIndex operation, std::span<const report::LiveBufferRecord> buffers);
    std::vector<BufferSpan> take_spans();

private:
    struct Hash {
        std::size_t operator()(const report::LiveBufferRecord& buffer) const;
    };
    struct Interval {
        OperationIndex first, last;
        std::uint32_t previous;  // of the same buffer, as index in intervals_ plus 1; 0 for none
    };
    struct Known {
        std::uint32_t newest_interval;  // index in intervals_
        std::uint32_t same;             // the same record once more, as index in known_ plus 1; 0 for none
        OperationIndex seen_at;
    };
    void extend(std::uint32_t known, OperationIndex operation);
    std::uint32_t add_known(OperationIndex operation);

    std::unordered_map<report::LiveBufferRecord, std::uint32_t, Hash> by_record_;
    std::vector<Known> known_;
    std::vector<Interval> intervals_;
};

// The part of the spans that falls on operations of which `wanted` says true.
std::vector<BufferSpan> restricted(const std::vector<BufferSpan>& spans, const std::vector<bool>& wanted);

}  // namespace tilemeter::visualizer_import
