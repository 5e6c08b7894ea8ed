// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The connected node list of one capture, compact: a node is 16 bytes and points at the event it was made
// from. node_fields.hpp says how a node reads as text or JSON.
//
//   events        begin f   input t   alloc b            end f     output u
//                    |         |        |                  |          |
//   nodes   0        1         2        3        4         5          6        7
//        capture_ function_  tensor   buffer  buffer_   function_   tensor  capture_
//        start    start        t               allocate  end           u    end
//   level   0        1         1        1        1         1          1        0
//
// Thread safety: const functions may be called from any thread.

#pragma once

#include <cstdint>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/graph/node_type.hpp"
#include "capture/graph/relation.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::graph {

struct CapturedNode {
    const record::Event* event;  ///< the event it was made from; null for capture_start and capture_end
    std::uint32_t function;      ///< function_start and function_end: index into NodeGraph::functions
    std::uint32_t level : 24;    ///< stacking_level
    NodeType type : 8;
};
static_assert(sizeof(CapturedNode) == 16);

/// The parts of a function beyond its begin event.
struct Function {
    const record::Event* begin;
    const record::Event* program = nullptr;  ///< kProgramSelected, if the function said so
};

struct NodeGraph {
    record::Recording recording;  ///< keeps the events alive
    std::vector<CapturedNode> nodes;
    Relation connections;  ///< node -> nodes
    std::vector<Function> functions;
    Relation input_tensors;  ///< function -> tensor nodes
    std::vector<const record::Event*> argument_events;
    Relation arguments;                               ///< function -> argument events
    std::vector<record::DeviceId> devices;            ///< every id met, sorted
    std::vector<const record::Event*> buffers_alive;  ///< kBufferAlive, as they came; they are no nodes
    std::uint64_t duration_ns = 0;                    ///< of the capture
};

/// Builds the node list of what a window saw.
NodeGraph build_node_graph(record::Recording recording);

}  // namespace tilemeter::graph
