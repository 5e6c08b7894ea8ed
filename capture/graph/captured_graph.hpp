// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A capture that has ended: the node list, not yet turned into JSON or text. Whoever does not look pays
// nothing for either. Cheap to copy; copies share the nodes.
//
// Thread safety: const functions may be called from any thread.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "capture/record/window.hpp"

namespace tilemeter::graph {

struct NodeGraph;

class CapturedGraph {
public:
    explicit CapturedGraph(record::Recording recording);

    std::size_t node_count() const;

    /// The node list as a JSON array.
    nlohmann::json to_json() const;
    /// So that code which takes the JSON of TT-NN's functions takes this, too.
    operator nlohmann::json() const;  // NOLINT(google-explicit-constructor)

    /// The node list as JSON text, one node a line.
    std::string to_text() const;

    /// The nodes themselves (node_graph.hpp).
    const NodeGraph& nodes() const { return *nodes_; }

private:
    std::shared_ptr<const NodeGraph> nodes_;  // never null
};

}  // namespace tilemeter::graph
