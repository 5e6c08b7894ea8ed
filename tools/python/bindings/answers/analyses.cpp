// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Analyses of node lists, given as JSON text.

#include <memory>
#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/ttnn/answers_json.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "report/render/page_head.hpp"
#include "report/render/peak_render.hpp"
#include "report/render/svg_graph.hpp"
#include "report/render/verdict_render.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/interruptible.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

analysis::NodeList parsed(const std::string& json) {
    auto list = analysis::node_list_of_text(json);
    if (!list) throw analysis::AnalysisError(analysis::AnalysisError::Kind::kRuntime, list.error().message());
    return std::move(list).value();
}

std::string call_analysis(std::string name, std::string json, std::int64_t max_level) {
    return interruptible([name = std::move(name), json = std::move(json), max_level] {
        return analysis::call_analysis_of_text(name, json, max_level).dump();
    });
}

std::string svg_of_nodes(std::string json, std::string title) {
    return interruptible([json = std::move(json), title = std::move(title)] {
        const analysis::NodeList list = parsed(json);
        return analysis::svg_graph(list, analysis::find_lifetimes(list), 0, title);
    });
}

nb::object given(analysis::Number number) {
    return number.given() ? nb::cast(number.value_or(0)) : nb::none();
}

/// The reasons of a verdict, each a dict with its kind, its text and its figures.
nb::object reasons_of(const analysis::Judgement& judgement) {
    nlohmann::ordered_json reasons = nlohmann::ordered_json::array();
    for (const analysis::Reason& reason : judgement.reasons)
        reasons.push_back(analysis::reason_json(reason));
    const std::string text = reasons.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return nb::module_::import_("json").attr("loads")(text);
}

std::string repr_of(const analysis::PeakAnswer& answer) {
    const analysis::Judgement& judgement = answer.judgement;
    std::string text = std::string("<PeakAnswer ") + words_of(judgement.verdict);
    if (!judgement.device.empty()) text += " " + judgement.device;
    text += ", L1 per core " + (answer.l1() == nullptr ? "nothing" : analysis::peak_line(*answer.l1()));
    return text + ", DRAM per bank " +
           (answer.dram() == nullptr ? "nothing" : analysis::peak_line(*answer.dram())) + ">";
}

void bind_peak(nb::module_& m) {
    using analysis::Contributor;
    using analysis::DevicePeak;
    using analysis::MemoryPeak;
    using analysis::PeakAnswer;
    nb::class_<Contributor>(m, "Contributor", "What held a part of a peak.")
        .def_prop_ro(
            "share", [](const Contributor& self) { return name_of(self.share); },
            "'program', 'temporary', 'persistent' or 'stale'.")
        .def_ro("bytes", &Contributor::bytes, "On the core, or in the bank.")
        .def_ro("node", &Contributor::node)
        .def_ro("name", &Contributor::name)
        .def_ro("shape", &Contributor::shape)
        .def_ro("made_by", &Contributor::made_by, "Operations, outermost first; empty: before the capture.")
        .def_ro("source_line", &Contributor::source_line,
                "'model.py:51': the line that called the operation; empty: not recorded.")
        .def_prop_ro(
            "tensor_id", [](const Contributor& self) { return given(self.tensor_id); },
            "Its id in the node list, or None.")
        .def_prop_ro(
            "viewer_tensor_id", [](const Contributor& self) { return given(self.viewer_tensor_id); },
            "Its id in Python and in TT-NN's visualizer, or None.")
        .def_ro("core_ranges", &Contributor::core_ranges)
        .def_ro("before_window", &Contributor::before_window, "Older than the capture.")
        .def("__repr__", [](const Contributor& self) {
            return "<Contributor " + analysis::contributor_line(self) + ">";
        });
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
        .def_ro("limit_bytes", &MemoryPeak::limit_bytes, "That can be allocated; None: not known.")
        .def_ro("physical_bytes", &MemoryPeak::physical_bytes,
                "Of the core or bank, with what cannot be allocated; None: not known.")
        .def_prop_ro(
            "bound", [](const MemoryPeak& self) { return name_of(self.bound); },
            "'exact'; 'at_least': something that adds to it is not recorded; 'uncertain': more or less.")
        .def_ro("source_line", &MemoryPeak::source_line,
                "'model.py:51': the line that called the operation; empty: not recorded.")
        .def_ro("contributors", &MemoryPeak::contributors, "Largest first; their bytes add up to `bytes`.")
        .def(
            "text", [](const MemoryPeak& self, const std::string& title) { return memory_text(title, self); },
            "title"_a, "In lines: size, place, who holds it. `title` names the memory.")
        .def("__repr__", [](const MemoryPeak& self) { return "<MemoryPeak " + peak_line(self) + ">"; });
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
        .def_prop_ro(
            "verdict", [](const PeakAnswer& self) { return name_of(self.judgement.verdict); },
            "'fits', 'does_not_fit', 'failed' or 'unknown': on the device of the capture.")
        .def_prop_ro(
            "reasons", [](const PeakAnswer& self) { return reasons_of(self.judgement); },
            nb::sig("def reasons(self) -> list[dict[str, typing.Any]]"),
            "What speaks for the verdict, and what is missing: dicts with 'kind', 'text' and figures.")
        .def("__str__", [](const PeakAnswer& self) { return analysis::peak_text(self); })
        .def("__repr__", &repr_of)
        .def_ro("caveats", &PeakAnswer::caveats, "What the figures leave out, one sentence each.")
        .def_prop_ro("l1", &PeakAnswer::l1, nb::rv_policy::reference_internal,
                     "Of the device where it is highest; None if no device had any.")
        .def_prop_ro("dram", &PeakAnswer::dram, nb::rv_policy::reference_internal);
    m.def(
        "find_peak",
        [](std::shared_ptr<analysis::NodeList> list) {
            return interruptible([list = std::move(list)] { return find_peak(*list); });
        },
        "nodes"_a, "The true peak of a capture in memory.");
}

std::string head_of(const analysis::NodeList& list) {
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list);
    return analysis::page_head(list, lifetimes, analysis::judge(list, lifetimes)).dump();
}

void bind_head(nb::module_& m) {
    m.def(
        "head_of",
        [](std::shared_ptr<analysis::NodeList> list) {
            return interruptible([list = std::move(list)] { return head_of(*list); });
        },
        "nodes"_a, "Verdict, reasons and peaks of a capture in memory, as JSON.");
}

/// The exception that TT-NN's Python code or bindings raise there.
void translate_report_error(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const analysis::AnalysisError& error) {
        using Kind = analysis::AnalysisError::Kind;
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
    nb::register_exception_translator(translate_report_error);
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
