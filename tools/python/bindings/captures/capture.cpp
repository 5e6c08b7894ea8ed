// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Captures, and scopes of a user's own.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "capture/graph/captured_graph.hpp"
#include "capture/graph/graph_processor.hpp"
#include "capture/record/emit_table.h"
#include "capture/record/left_open.hpp"
#include "capture/record/text.hpp"
#include "report/capture_table.h"
#include "report/recover.hpp"
#include "report/report_writer.hpp"
#include "runtime/operations/core/held_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/captures/node_objects.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

void bind_capture(nb::module_& module) {
    using graph::CapturedGraph;
    using graph::GraphProcessor;
    using graph::ScopedGraphCapture;

    nb::enum_<graph::RunMode>(module, "RunMode", "What operations do while a capture is open.")
        .value("NORMAL", graph::RunMode::NORMAL, "They allocate, plan and compute.")
        .value("NO_DISPATCH", graph::RunMode::NO_DISPATCH,
               "They plan; nothing is allocated, nothing computed.");
    module.attr("REPORT_VERSION") = report::kReportVersion;

    // For another library of the process, which is to emit into this module's recorder (tilemeter_attach).
    module.def(
        "_recorder_tables",
        [] {
            return std::pair(
                reinterpret_cast<std::uintptr_t>(tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION)),
                reinterpret_cast<std::uintptr_t>(
                    tilemeter_get_capture_table(TILEMETER_CAPTURE_TABLE_VERSION)));
        },
        "Addresses of the recorder's tables of functions: those that emit, and those of captures.");

    nb::class_<CapturedGraph>(module, "CapturedGraph",
                              "A capture that has ended, not yet turned into Python objects.")
        .def("__len__", &CapturedGraph::node_count)
        .def(
            "nodes", [](const CapturedGraph& self) { return node_objects(self.nodes()); },
            "The node list: a list of dicts.")
        .def("json", &CapturedGraph::to_text, nb::call_guard<nb::gil_scoped_release>(),
             "The node list as JSON text, one node a line.");

    nb::class_<ScopedGraphCapture>(module, "OpenCapture", "A capture from its construction to its end.")
        .def(
            "__init__",
            [](ScopedGraphCapture* self, graph::RunMode run_mode,
               std::optional<std::filesystem::path> recording) {
                graph::CaptureOptions options;
                options.mode = run_mode;
                if (recording) options.recording = std::move(*recording);
                new (self) ScopedGraphCapture(options);
            },
            "run_mode"_a = graph::RunMode::NORMAL, "recording"_a = nb::none())
        .def("end", &ScopedGraphCapture::end_capture, nb::call_guard<nb::gil_scoped_release>())
        .def("end_to_file", &ScopedGraphCapture::end_graph_capture_to_file, "path"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Ends it and writes its report. Raises CaptureError, and stays open, when that can't be "
             "written.");

    struct WithoutValues {
        std::optional<ScopedWithoutValues> scope{std::in_place};
    };
    nb::class_<WithoutValues>(module, "WithoutValues", "Until it is closed, operations do all but compute.")
        .def(nb::init<>())
        .def("close", [](WithoutValues& self) { self.scope.reset(); });

    module.def(
        "enable_native_stack_traces", [] { GraphProcessor::enable_stack_traces(); },
        "Functions in reports say from where C++ called them.");
    module.def("disable_native_stack_traces", &GraphProcessor::disable_stack_traces);
    module.def("enable_buffer_pages", &GraphProcessor::enable_buffer_pages,
               "Reports say where each page of a buffer in L1 lies.");
    module.def("disable_buffer_pages", &GraphProcessor::disable_buffer_pages);
    module.def("is_buffer_pages_enabled", &GraphProcessor::is_buffer_pages_enabled);

    nb::class_<report::Recovered>(module, "Recovered", "What a recording file held.")
        .def_ro("nodes", &report::Recovered::nodes)
        .def_ro("operations", &report::Recovered::operations, "Functions, at all levels.")
        .def_ro("incomplete_operations", &report::Recovered::incomplete_operations,
                "Those that the process was in when it died.")
        .def_ro("lost_events", &report::Recovered::lost_events)
        .def_ro("process_died", &report::Recovered::process_died)
        .def_prop_ro(
            "death",
            [](const report::Recovered& recovered) -> std::optional<std::string> {
                if (!recovered.death) return std::nullopt;
                return report::to_text(*recovered.death);
            },
            "What it died of and in which function, in one line; None: it did not, or had no time to say "
            "so.");
    module.def(
        "recover_report",
        [](const std::filesystem::path& recording, const std::filesystem::path& path) {
            auto recovered = report::recover_report(recording, path);
            if (!recovered) throw nb::value_error(recovered.error().message().c_str());
            return std::move(recovered).value();
        },
        "recording"_a, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
        "Writes the report of a recording file, also of a process that died. Raises ValueError in one line.");

    module.def(
        "check_report_path",
        [](const std::filesystem::path& path) {
            if (const auto place = report::check_report_path(path); !place)
                throw graph::CaptureError("cannot write a report: " + place.error().message());
        },
        "path"_a,
        "Raises CaptureError when no report could be written there; asked before a capture begins.");

    module.def(
        "process_rank",
        [] {
            const report::ReportOrigin origin = report::origin_of_process();
            return std::pair(origin.rank, origin.world_size);
        },
        "(rank, number of processes), as a launcher of MPI's says in the environment; (0, 1) without one.");
    module.def("is_graph_capture_active", &GraphProcessor::is_graph_capture_active,
               "Whether any capture is open.");
    module.def(
        "track_function_start", [](const std::string& name) { GraphProcessor::track_function_start(name); },
        "function_name"_a, "Opens a scope of the caller's own in this thread.");
    module.def("track_function_end", &GraphProcessor::track_function_end,
               "Closes the innermost scope of this thread.");
    module.def("leave_function_open", &record::leave_function_open,
               "Instead of track_function_end(): the next operation that a user calls closes it.");
    module.def(
        "begin_python_function", [](const std::string& name) { record::begin_python_function(name); },
        "function_name"_a, "Closes what was left open, and opens the scope of a function written in Python.");
    module.def("end_python_function", &record::end_python_function, "is_open"_a = true,
               "Closes it, unless its end has been recorded.");
    module.def(
        "call_in_open_scope",
        [](const std::string& name, const nb::callable& native, const nb::args& args,
           const nb::kwargs& kwargs) -> nb::object {
            const ScopedHeldScope held(record::intern(name));
            return native(*args, **kwargs);
        },
        "name"_a, "native"_a, "args"_a, "kwargs"_a,
        "Calls an operation whose scope, of that name, the caller has begun and will end - unless "
        "has_scope_aborted() says that an exception of the operation has.");
    module.def("has_scope_aborted", &ScopedHeldScope::was_aborted,
               "Whether the latest call_in_open_scope of this thread ended its scope by an exception.");
}

}  // namespace tilemeter::python
