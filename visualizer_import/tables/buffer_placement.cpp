// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/buffer_placement.hpp"

#include <algorithm>
#include <iterator>

namespace tilemeter::visualizer_import {
namespace {

constexpr std::int64_t kAlignment = 64;  // bytes; also the lowest address that is given

constexpr std::int64_t kLargestMemory = std::int64_t{1} << 48U;  // bytes; so that sums with it are sound

bool is_placeable(const report::LiveBufferRecord& buffer, std::int64_t capacity) {
    return buffer.max_size_per_bank > 0 && buffer.max_size_per_bank <= capacity;
}

}  // namespace

// The highest hole that it fits.
std::int64_t BufferPlacement::from_top(const Extents& used, std::int64_t capacity, std::int64_t size) {
    std::int64_t hole_end = capacity;
    for (auto extent = used.rbegin(); extent != used.rend(); ++extent) {
        const std::int64_t address = (hole_end - size) / kAlignment * kAlignment;
        if (address >= extent->second) return address;
        hole_end = std::min(hole_end, extent->first);
        if (hole_end < size) return 0;
    }
    return (hole_end - size) / kAlignment * kAlignment;
}

// The lowest hole that it fits.
std::int64_t BufferPlacement::from_bottom(const Extents& used, std::int64_t capacity, std::int64_t size) {
    std::int64_t hole_begin = kAlignment;
    for (const auto& [begin, end] : used) {
        if (begin - hole_begin >= size) return hole_begin;
        hole_begin = std::max(hole_begin, (end + kAlignment - 1) / kAlignment * kAlignment);
    }
    return capacity - hole_begin >= size ? hole_begin : 0;
}

// At addresses that no hole begins at, and few share.
std::int64_t BufferPlacement::over_others(std::int64_t capacity, std::int64_t size) {
    constexpr std::int64_t kLowest = kAlignment / 2;
    if (kLowest + size > capacity) return 0;
    const std::int64_t places = (capacity - size - kLowest) / kAlignment + 1;
    return kLowest + static_cast<std::int64_t>(overlapping_count_++) % places * kAlignment;
}

std::int64_t BufferPlacement::add(const report::LiveBufferRecord& buffer) {
    const bool in_l1 = buffer.is_l1();
    const BankCounts& device = devices_.banks(buffer.device_id);
    const std::int64_t capacity = std::min(in_l1 ? device.l1_bytes : device.dram_bytes, kLargestMemory);
    if (!is_placeable(buffer, capacity)) return buffer.address;
    Extents& used = used_[{buffer.device_id, in_l1}];
    std::int64_t address = buffer.address;
    if (address == 0) {
        address = (in_l1 ? from_top : from_bottom)(used, capacity, buffer.max_size_per_bank);
        const bool over = address == 0;
        if (over) address = over_others(capacity, buffer.max_size_per_bank);
        if (address == 0) return 0;
        ++placed_count_;
        if (over) return address;
    }
    if (address > 0 && address < capacity) used[address] = address + buffer.max_size_per_bank;
    return address;
}

void BufferPlacement::remove(const report::LiveBufferRecord& buffer) {
    used_[{buffer.device_id, buffer.is_l1()}].erase(buffer.address);
}

}  // namespace tilemeter::visualizer_import
