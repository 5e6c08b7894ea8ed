// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Metal traces: programs recorded once, executed as one command.

#include "runtime/device/metal_trace.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/operation.hpp"

namespace tilemeter::python {

namespace {

struct TraceId {
    MeshTraceId value;
};

std::uint8_t queue_of(std::optional<std::uint8_t> cq_id) {
    return cq_id.value_or(0);
}

}  // namespace

void bind_metal_trace(nb::module_& module) {
    nb::class_<TraceId>(module, "MeshTraceId", "Names a metal trace of a device.")
        .def(
            "__init__",
            [](TraceId* self, std::uint32_t number) { new (self) TraceId{static_cast<MeshTraceId>(number)}; },
            "id"_a)
        .def("__int__", [](const TraceId& self) { return static_cast<std::uint32_t>(self.value); })
        .def(
            "__eq__", [](const TraceId& a, const TraceId& b) { return a.value == b.value; },
            nb::is_operator())
        .def("__hash__", [](const TraceId& self) { return static_cast<std::uint32_t>(self.value); })
        .def("__repr__", [](const TraceId& self) {
            return "MeshTraceId(" + std::to_string(static_cast<std::uint32_t>(self.value)) + ")";
        });
    module.def(
        "begin_trace_capture",
        [](Device& device, std::optional<std::uint8_t> cq_id) {
            return TraceId{begin_trace_capture(device, queue_of(cq_id))};
        },
        "mesh_device"_a, nb::kw_only(), "cq_id"_a = nb::none(),
        "Records the programs that follow on a command queue (default 0) instead of executing them; their "
        "results have no values before execute_trace. Raises RuntimeError when the queue is recorded "
        "already. Meanwhile programs that ran never before, and what reads from or writes to the device, "
        "raise RuntimeError.");
    module.def(
        "end_trace_capture",
        [](Device& device, TraceId trace, std::optional<std::uint8_t> cq_id) {
            end_trace_capture(device, trace.value, queue_of(cq_id));
        },
        "mesh_device"_a, "trace_id"_a, nb::kw_only(), "cq_id"_a = nb::none(),
        "Ends what begin_trace_capture began; the commands take a buffer of the trace region, of estimated "
        "size. Raises RuntimeError for another queue or a full region.");
    module.def(
        "execute_trace",
        [](Device& device, TraceId trace, std::optional<std::uint8_t> cq_id, bool blocking) {
            execute_trace(device, trace.value, queue_of(cq_id), blocking);
        },
        "mesh_device"_a, "trace_id"_a, nb::kw_only(), "cq_id"_a = nb::none(), "blocking"_a = true,
        nb::call_guard<Unlocked>(),
        "Runs a trace's programs over the buffers they were recorded with, and what those hold now. Returns "
        "when they have ended, also with blocking=False. Raises RuntimeError for a trace that does not exist.");
    module.def(
        "release_trace", [](Device& device, TraceId trace) { release_trace(device, trace.value); },
        "mesh_device"_a, "trace_id"_a,
        "Forgets a trace and frees its buffer; one that does not exist is no error.");
    module.def("is_trace_capture_active", &is_trace_capture_active, "device"_a,
               "Whether programs are being recorded on any command queue of the device.");
}

}  // namespace tilemeter::python
