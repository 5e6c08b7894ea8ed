// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "report/analysis/memory/internal/device_table.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"

namespace tilemeter::analysis::internal {

/// Notes when buffers live, fed node by node. A buffer is known by its buffer node; by its place where nodes
/// don't say which one they mean (views, foreign lists).
class BufferTracker {
public:
    BufferTracker(const NodeList& list, MemoryLifetimes& lifetimes, DeviceTable& devices);

    void on_buffer(std::uint32_t node);
    void on_allocate(std::uint32_t node);
    void on_deallocate(std::uint32_t node);
    void on_tensor(std::uint32_t node);
    /// After the last node: notes what was there before the list.
    void finish();

private:
    struct Place {
        std::uint16_t device;
        MemoryType memory;
        std::int64_t address;
        auto operator<=>(const Place&) const = default;
    };

    std::uint32_t add_lifetime(std::uint32_t node, const NodeList::Buffer& buffer);
    std::uint32_t lifetime_of_connection(std::uint32_t node) const;
    void occupy(std::uint32_t lifetime);
    void vacate(std::uint32_t lifetime);
    void note_uses(std::uint32_t tensor_node, std::uint32_t lifetime);
    std::uint32_t lifetime_by_address(const NodeList::Tensor& tensor);

    const NodeList& list_;
    MemoryLifetimes& lifetimes_;
    DeviceTable& devices_;
    std::vector<std::uint32_t> lifetime_of_buffer_;  // by node
    std::vector<std::uint32_t> buffer_of_tensor_;    // by node: the buffer node that points at it
    std::map<Place, std::uint32_t> live_;
};

}  // namespace tilemeter::analysis::internal
