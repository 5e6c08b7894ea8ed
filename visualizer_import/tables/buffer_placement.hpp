// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "report/report_reader.hpp"
#include "visualizer_import/graph/device_map.hpp"

namespace tilemeter::visualizer_import {

// The possible places of buffers that a capture recorded without addresses (TT-NN's NO_DISPATCH gives 0 to all): first
// fit from the top of a core's L1, from the bottom of a DRAM bank. The viewer draws nothing at 0. Sizes and lifetimes
// are recorded, these addresses are ours and not the device's. What more is alive than the memory holds, which
// NO_DISPATCH lets pass, lies over others: each at another odd multiple of 32 bytes, from the bottom.
class BufferPlacement {
public:
    explicit BufferPlacement(const DeviceMap& devices) : devices_(devices) {}

    // The buffer lies at its address, or, that being 0, where it is placed now. 0 where it is larger than the
    // memory, or where the report does not say how large that is.
    std::int64_t add(const report::LiveBufferRecord& buffer);
    // REQUIRES: buffer.address is what add() returned
    void remove(const report::LiveBufferRecord& buffer);
    [[nodiscard]] std::uint64_t placed_count() const { return placed_count_; }
    // The number of buffers placed over others.
    [[nodiscard]] std::uint64_t overlapping_count() const { return overlapping_count_; }

private:
    using Extents = std::map<std::int64_t, std::int64_t>;  // begin, end
    static std::int64_t from_top(const Extents& used, std::int64_t capacity, std::int64_t size);
    static std::int64_t from_bottom(const Extents& used, std::int64_t capacity, std::int64_t size);
    std::int64_t over_others(std::int64_t capacity, std::int64_t size);

    const DeviceMap& devices_;
    std::map<std::pair<std::int64_t, bool>, Extents> used_;  // by device and whether it is L1
    std::uint64_t placed_count_ = 0;
    std::uint64_t overlapping_count_ = 0;
};

}  // namespace tilemeter::visualizer_import
