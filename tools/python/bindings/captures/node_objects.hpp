// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nanobind/nanobind.h>

#include "capture/graph/node_graph.hpp"

namespace tilemeter::python {

/// The node list as Python objects: a list of dicts, made without JSON in between.
nanobind::list node_objects(const graph::NodeGraph& graph);

}  // namespace tilemeter::python
