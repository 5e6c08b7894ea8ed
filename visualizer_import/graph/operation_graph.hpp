// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/json_node.hpp"
#include "report/result.hpp"
#include "visualizer_import/graph/device_map.hpp"
#include "visualizer_import/graph/device_tensors.hpp"

namespace tilemeter::visualizer_import {

struct Edge {
    std::int64_t source;
    std::int64_t target;
    std::int64_t index;  // of the connection in its node
};

// The captured_graph of one operation: its nodes between a capture_start and a capture_end, numbered anew.
//
// A node is turned into text when it comes; its own number and those it refers to are known only when the
// operation is complete, so the text has holes:   {"arguments": [], "connections": (hole), "counter": (hole),
// ...
class OperationGraph {
public:
    OperationGraph(const DeviceMap& devices, bool reference_quirks)
        : devices_(devices), reference_quirks_(reference_quirks), device_tensors_(reference_quirks) {}

    void clear();
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    report::Status append(const report::JsonNode& node);
    // The same with other connections, which are final already.
    report::Status append_with_connections(const report::JsonNode& node,
                                           const std::vector<std::int64_t>& connections);
    // An output node behind the operation's own nodes. It is in here already if the index says so.
    report::Status append_output(const report::JsonNode& node);
    bool append_own_output(std::size_t node_index);
    // Takes out what capture_start and capture_end nodes of the report are among the operation's own.
    void drop_boundaries();

    // The text as the database has it, and the edges. The text lives until the next call or clear().
    std::string_view text();
    const std::vector<Edge>& edges() const { return edges_; }

private:
    enum class HoleKind { kCounter, kConnections, kInputTensors };
    struct Hole {
        std::size_t position;  // in texts_
        HoleKind kind;
        std::size_t first, last;  // in numbers_
    };
    struct Entry {
        std::int64_t counter;
        std::size_t node_index;
        report::NodeType type;
        std::size_t text_begin, text_end;
        std::size_t hole_begin, hole_end;
    };

    report::Status append_member(const report::JsonNode& node, std::string_view key,
                                 const report::JsonValue& value);
    report::Status append_params(const report::JsonNode& node);
    report::Status append_hole(const report::JsonNode& node, HoleKind kind, const report::JsonValue& list);
    void add_hole(HoleKind kind);
    void replace_connections(const Entry& entry, const std::vector<std::int64_t>& connections);
    void prepare_numbering();
    [[nodiscard]] std::int64_t renumbered(std::int64_t counter) const;
    void append_entry(const Entry& entry, std::int64_t number);
    void append_boundary(std::string_view type, std::int64_t number, std::string_view connection);

    const DeviceMap& devices_;
    bool reference_quirks_;
    DeviceTensorTexts device_tensors_;
    std::string texts_;
    std::vector<std::int64_t> numbers_;
    std::vector<Hole> holes_;
    std::vector<Entry> entries_;
    std::size_t output_count_ = 0;  // Invariant: the last output_count_ entries are outputs
    bool consecutive_ = true;       // the counters of the others are
    bool renumber_ = true;          // false: the numbers are final
    std::unordered_map<std::int64_t, std::int64_t> numbering_;
    std::string result_;
    std::vector<Edge> edges_;
};

}  // namespace tilemeter::visualizer_import
