// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Analyses of node lists, given as JSON text.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "report/analysis/answers_json.hpp"
#include "report/analysis/extract.hpp"
#include "report/analysis/load.hpp"
#include "report/analysis/peak.hpp"
#include "report/analysis/verdict.hpp"
#include "report/render/page_head.hpp"
#include "report/render/svg_graph.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/interruptible.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

graph::NodeList parsed(const std::string& json) {
    auto list = graph::node_list_of_text(json);
    if (!list) throw graph::AnalysisError(graph::AnalysisError::Kind::kRuntime, list.error().message());
    return std::move(list).value();
}

std::string call_analysis(std::string name, std::string json, std::int64_t max_level) {
    return interruptible([name = std::move(name), json = std::move(json), max_level] {
        return graph::call_analysis_of_text(name, json, max_level).dump();
    });
}

std::string svg_of_nodes(std::string json, std::string title) {
    return interruptible([json = std::move(json), title = std::move(title)] {
        const graph::NodeList list = parsed(json);
        return graph::svg_graph(list, graph::find_lives(list), 0, title);
    });
}

void bind_peak(nb::module_& m) {
    using graph::Contributor;
    using graph::DevicePeak;
    using graph::MemoryPeak;
    using graph::PeakAnswer;
    nb::class_<Contributor>(m, "Contributor", "What held a part of a peak.")
        .def_prop_ro(
            "share", [](const Contributor& self) { return name_of(self.share); },
            "'program', 'temporary', 'persistent' or 'stale'.")
        .def_ro("bytes", &Contributor::bytes, "On the core, or in the bank.")
        .def_ro("node", &Contributor::node)
        .def_ro("name", &Contributor::name)
        .def_ro("shape", &Contributor::shape)
        .def_ro("made_by", &Contributor::made_by, "Operations, outermost first; empty: before the capture.")
        .def_ro("core_ranges", &Contributor::core_ranges)
        .def_ro("before_window", &Contributor::before_window, "Older than the capture.");
    nb::class_<MemoryPeak>(m, "MemoryPeak", "The worst moment of one memory.")
        .def_ro("bytes", &MemoryPeak::bytes, "Per core (L1) or per bank (DRAM).")
        .def_ro("total_bytes", &MemoryPeak::total_bytes, "DRAM: all banks.")
        .def_ro("node", &MemoryPeak::node, "After this node it was reached.")
        .def_ro("operation", &MemoryPeak::operation)
        .def_ro("path", &MemoryPeak::path, "Functions down to the innermost.")
        .def_prop_ro(
            "core",
            [](const MemoryPeak& self) -> nb::object {
                if (!self.core) return nb::none();
                return nb::make_tuple(self.core->x, self.core->y);
            },
            "(x, y) of a core that is that full; None: all are alike.")
        .def_ro("program_bytes", &MemoryPeak::program_bytes)
        .def_ro("temporary_bytes", &MemoryPeak::temporary_bytes)
        .def_ro("persistent_bytes", &MemoryPeak::persistent_bytes)
        .def_ro("stale_bytes", &MemoryPeak::stale_bytes)
        .def_ro("capacity_bytes", &MemoryPeak::capacity_bytes, "0: not known.")
        .def_ro("contributors", &MemoryPeak::contributors, "Largest first; their bytes add up to `bytes`.");
    nb::class_<DevicePeak>(m, "DevicePeak", "The peaks of one device.")
        .def_prop_ro("device", [](const DevicePeak& self) { return self.device.value_or(-1); })
        .def_ro("chips", &DevicePeak::chips)
        .def_ro("l1", &DevicePeak::l1)
        .def_ro("dram", &DevicePeak::dram)
        .def_ro("window_only_l1_bytes", &DevicePeak::window_only_l1_bytes,
                "The peak without what is older than the capture.");
    // Python keeps beside the answer what it is of, for its verdict in a notebook.
    nb::class_<PeakAnswer>(m, "PeakAnswer", nb::dynamic_attr(),
                           "The true peaks of a capture: per device, core and bank.")
        .def_ro("devices", &PeakAnswer::devices)
        .def_ro("caveats", &PeakAnswer::caveats, "What the figures leave out, one sentence each.")
        .def_prop_ro("l1", &PeakAnswer::l1, nb::rv_policy::reference_internal,
                     "Of the device where it is highest; None if no device had any.")
        .def_prop_ro("dram", &PeakAnswer::dram, nb::rv_policy::reference_internal);
    m.def(
        "find_peak",
        [](const graph::CapturedGraph& captured) { return find_peak(graph::node_list_of(captured)); },
        "graph"_a, nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "find_peak",
        [](std::string json) {
            return interruptible([json = std::move(json)] { return find_peak(parsed(json)); });
        },
        "nodes"_a, "The true peak of a node list given as JSON text.");
    m.def(
        "find_peak_of_file",
        [](std::filesystem::path path) {
            return interruptible([path = std::move(path)] {
                auto list = graph::load_node_list(path);
                if (!list)
                    throw graph::AnalysisError(graph::AnalysisError::Kind::kValue, list.error().message());
                return find_peak(list.value());
            });
        },
        "path"_a, "The true peak of a report, TT-NN's or ours.");
}

std::string head_of(const graph::NodeList& list) {
    const graph::MemoryLives lives = graph::find_lives(list);
    return graph::page_head(list, lives, graph::judge(list, lives)).dump();
}

void bind_head(nb::module_& m) {
    m.def(
        "head_of",
        [](const graph::CapturedGraph& captured) { return head_of(graph::node_list_of(captured)); },
        "graph"_a, nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "head_of",
        [](std::string json) {
            return interruptible([json = std::move(json)] { return head_of(parsed(json)); });
        },
        "nodes"_a, "Verdict, reasons and peaks of a node list (JSON text), as JSON.");
    m.def(
        "head_of_file",
        [](std::filesystem::path path) {
            return interruptible([path = std::move(path)] {
                auto list = graph::load_node_list(path);
                if (!list)
                    throw graph::AnalysisError(graph::AnalysisError::Kind::kValue, list.error().message());
                return head_of(list.value());
            });
        },
        "path"_a, "The same of a report.");
}

/// The exception that TT-NN's Python code or bindings raise there.
void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const graph::AnalysisError& error) {
        using Kind = graph::AnalysisError::Kind;
        PyObject* type = PyExc_RuntimeError;
        switch (error.kind()) {
            case Kind::kRuntime:
                break;
            case Kind::kValue:
                type = PyExc_ValueError;
                break;
            case Kind::kAttribute:
                type = PyExc_AttributeError;
                break;
            case Kind::kIndex:
                type = PyExc_IndexError;
                break;
            case Kind::kKey:
                type = PyExc_KeyError;
                break;
            case Kind::kType:
                type = PyExc_TypeError;
                break;
        }
        PyErr_SetString(type, error.what());
    }
}

}  // namespace

void bind_analyses(nb::module_& module) {
    nb::register_exception_translator(translate);
    bind_peak(module);
    bind_head(module);
    module.def(
        "serialize_arguments",
        [](std::string json) {
            return call_analysis("GraphTracerUtils.serialize_graph", std::move(json), 1);
        },
        "nodes"_a, "The arguments of all functions, taken apart; JSON text.");
    module.def("call_analysis", &call_analysis, "name"_a, "nodes"_a, "max_level"_a = 1,
               "TT-NN's analysis of that name; node list and answer are JSON text.");
    module.def("svg_of_nodes", &svg_of_nodes, "nodes"_a, "title"_a,
               "The call graph of a node list (JSON text) as SVG.");
}

}  // namespace tilemeter::python
