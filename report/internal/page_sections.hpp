// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The sections of a report about pages and live buffers. TT-NN's detailed buffer tracing writes buffer_pages,
// buffer_pages_by_address, per_operation_buffers. Ours are memory_at_failure, the buffers that were live at each
// `error` node, and memory_at_begin, those that no node tells of.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/graph/byte_writer.hpp"
#include "capture/graph/node_graph.hpp"
#include "report/buffer_pages.hpp"

namespace tilemeter::report::internal {

class PageSections {
public:
    explicit PageSections(const graph::NodeGraph& nodes);

    /// `"buffer_pages":[...]` and, if there was an allocation in L1, `"buffer_pages_by_address":{...}`.
    void append_pages(graph::ByteWriter& out);
    /// `"memory_at_failure":{...}`; false, and nothing, without an error node.
    bool append_memory_at_failure(graph::ByteWriter& out) const;
    /// `"per_operation_buffers":{...}`.
    void append_per_operation(graph::ByteWriter& out) const;

private:
    using Events = std::vector<const record::Event*>;

    const L1Banks& banks_of(record::DeviceId device);
    void append_page_list(const record::Event& buffer, bool& first, graph::ByteWriter& out);
    static void append_snapshots(const std::map<std::string, Events>& snapshots, graph::ByteWriter& out);

    const graph::NodeGraph& nodes_;
    Events live_;                                  // at the end, as they were allocated
    std::map<std::string, Events> per_operation_;  // by counter as text: so reports are sorted
    std::map<std::string, Events> at_failure_;
    std::map<std::string, std::vector<std::uint32_t>> allocations_;  // of L1, by address as text: counters
    std::map<record::DeviceId, L1Banks> banks_;
};

/// `"memory_at_begin":[...],\n`: buffers from before the capture that it neither used nor released; nothing without
/// one.
void append_memory_at_begin(const graph::NodeGraph& nodes, graph::ByteWriter& out);

}  // namespace tilemeter::report::internal
