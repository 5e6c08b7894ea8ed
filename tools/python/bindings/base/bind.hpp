// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The parts of the extension module: one file per topic, no logic of its own. The Python package
// (tools/python/tilemeter) puts TT-NN's names on top.

#pragma once

#include <nanobind/nanobind.h>

namespace tilemeter::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_types(nb::module_& module);
void bind_configs(nb::module_& module);
void bind_device(nb::module_& module);
void bind_buffer_reports(nb::module_& module);
void bind_tensor(nb::module_& module);
void bind_capture(nb::module_& module);
void bind_analyses(nb::module_& module);
void bind_fit(nb::module_& module);
void bind_gate(nb::module_& module);
void bind_imports(nb::module_& module);
void bind_metal_trace(nb::module_& module);
void bind_operation_list(nb::module_& module);
void bind_placements(nb::module_& module);
void bind_programs(nb::module_& module);
void bind_queries(nb::module_& module);
void bind_verbs(nb::module_& module);

// Types of operations' arguments, by families.
void bind_eltwise_types(nb::module_& module);
void bind_matmul_types(nb::module_& module);
void bind_reduction_types(nb::module_& module);
void bind_sliding_window_types(nb::module_& module);
void bind_transformer_types(nb::module_& module);

// Operations, under TT-NN's names; the package wraps each of them.
/// Those that are definitions (runtime/operation_list.hpp). REQUIRES: the types of their arguments are bound.
void bind_operations(nb::module_& operations);
void bind_deallocate(nb::module_& operations);
void bind_generic(nb::module_& operations);

}  // namespace tilemeter::python
