// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The parts of the module `trace`: functions of arrays as graphs.

#pragma once

#include <nanobind/nanobind.h>

#include "capture/ir/graph.hpp"

namespace tilemeter::python::tracing {

namespace nb = nanobind;

void bind_trace_errors(nb::module_& trace);
void bind_array(nb::module_& trace);
void bind_functions(nb::module_& trace);
void bind_numpy(nb::module_& trace);
void bind_graph(nb::module_& trace);
void bind_sizes(nb::module_& trace);
void bind_builder(nb::module_& trace);
void bind_control_flow(nb::module_& trace);
void bind_jit(nb::module_& trace);
void bind_custom(nb::module_& trace);
void bind_derivatives(nb::module_& trace);
void bind_random(nb::module_& trace);
void bind_device_programs(nb::module_& trace);
void bind_gradients(nb::module_& trace);

/// A Graph of Python.
nb::object graph_object(const ir::Graph& graph);

}  // namespace tilemeter::python::tracing
