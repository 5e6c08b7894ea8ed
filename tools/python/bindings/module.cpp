// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/log/log.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/operations/call_records.hpp"
#include "tools/python/bindings/operations/operation_object.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"

NB_MODULE(_tilemeter, module) {
    using namespace tilemeter::python;
    tilemeter::logging::set_default_level(
        tilemeter::logging::Level::kOff);  // a wrong TILEMETER_LOG is said now
    module.doc() = "What the tilemeter package is made of. Import tilemeter instead.";
    module.attr("__version__") = TILEMETER_VERSION;
    // Tensors and devices that are still alive when the interpreter goes are no mistake of the user's.
    nanobind::set_leak_warnings(false);
    // Lists that are no shapes: the package says what is wrong with them.
    nanobind::set_implicit_cast_warnings(false);
    bind_errors(module);
    bind_types(module);
    bind_configs(module);
    bind_device(module);
    bind_buffer_reports(module);
    bind_tensor(module);
    bind_capture(module);
    bind_call_records(module);
    bind_operation_type(module);
    bind_analyses(module);
    bind_fit(module);
    bind_gate(module);
    bind_imports(module);
    bind_metal_trace(module);
    bind_operation_list(module);
    bind_verbs(module);
    nb::module_ operations =
        module.def_submodule("operations", "Operations, without what Python adds to them.");
    bind_eltwise_types(module);
    bind_matmul_types(module);
    bind_reduction_types(module);
    bind_sliding_window_types(module);
    bind_transformer_types(module);
    bind_operations(operations);
    bind_queries(module);
    bind_placements(module);
    bind_programs(module);
    bind_deallocate(operations);
    bind_generic(operations);
    nb::module_ trace = module.def_submodule("trace", "Functions of arrays as graphs.");
    tracing::bind_trace_errors(trace);
    tracing::bind_array(trace);
    tracing::bind_functions(trace);
    tracing::bind_numpy(trace);
    tracing::bind_sizes(trace);
    tracing::bind_graph(trace);
    tracing::bind_builder(trace);
    tracing::bind_control_flow(trace);
    tracing::bind_custom(trace);
    tracing::bind_derivatives(trace);
    tracing::bind_random(trace);
    tracing::bind_jit(trace);
    tracing::bind_device_programs(trace);
    tracing::bind_gradients(trace);
}
