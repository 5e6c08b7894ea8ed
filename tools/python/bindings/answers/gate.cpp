// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Limits of memory, and captures against them.

#include "report/analysis/gate/gate.hpp"

#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "report/analysis/nodes/load.hpp"
#include "report/render/check_render.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/size_limit.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

analysis::SizeLimit size_limit(const nb::object& limit, const std::string& what) {
    const bool number = nb::isinstance<nb::int_>(limit) && !nb::isinstance<nb::bool_>(limit);
    if (!number && !nb::isinstance<nb::str>(limit))
        throw nb::type_error((what + ": expected bytes (an int) or a text like '1.2 MB', found " +
                              nb::cast<std::string>(limit.type().attr("__name__")))
                                 .c_str());
    const auto size = analysis::parse_size_limit(nb::cast<std::string>(nb::str(limit)));
    if (!size) throw nb::value_error((what + ": " + size.error().message()).c_str());
    return size.value();
}

namespace {

std::optional<analysis::SizeLimit> size_limit_of(const char* name, const nb::object& limit) {
    if (limit.is_none()) return {};
    return size_limit(limit, name);
}

analysis::GateReport check_graph(const graph::CapturedGraph& captured, const nb::object& max_l1,
                                 const nb::object& max_dram_per_bank, const nb::object& max_dram_total) {
    analysis::GateQuestion question;
    question.budget.whole.l1 = size_limit_of("max_l1", max_l1);
    question.budget.whole.dram = size_limit_of("max_dram_per_bank", max_dram_per_bank);
    question.budget.whole.dram_total = size_limit_of("max_dram_total", max_dram_total);
    if (!question.budget.whole.any()) throw nb::value_error("check_graph: no limit given");
    const analysis::NodeList list = analysis::node_list_of(captured);
    return check_report(list, find_lifetimes(list), question);
}

}  // namespace

void bind_gate(nb::module_& module) {
    nb::class_<analysis::SizeLimit>(module, "SizeLimit",
                                    "A limit: bytes, or a share of what can be allocated.")
        .def_ro("bytes", &analysis::SizeLimit::bytes, "None for a share.")
        .def_ro("percent", &analysis::SizeLimit::percent, "None for bytes.")
        .def("of", &analysis::SizeLimit::of, "whole"_a.none(),
             "In bytes, where the whole is `whole`; None for a share of None.");
    module.def(
        "parse_size_limit", [](const nb::object& limit) { return size_limit(limit, "limit"); }, "limit"_a,
        "1048576, '1MiB', '1.2 MB', '80%', as the command line takes them. Raises ValueError.");
    nb::class_<analysis::GateReport>(module, "LimitsAnswer", "A capture against limits.")
        .def_prop_ro(
            "verdict", [](const analysis::GateReport& self) { return name_of(self.judgement.verdict); },
            "'fits', 'does_not_fit' (a limit is exceeded), 'failed' or 'unknown'.")
        .def_prop_ro(
            "exceeded",
            [](const analysis::GateReport& self) {
                std::vector<std::string> texts;
                for (const analysis::Reason& it : self.judgement.reasons)
                    if (it.kind == analysis::Reason::Kind::kExceedsLimit) texts.push_back(text_of(it));
                return texts;
            },
            "The limits that are exceeded, one sentence each.")
        .def_prop_ro(
            "reasons",
            [](const analysis::GateReport& self) {
                std::vector<std::string> texts;
                for (const analysis::Reason& it : self.judgement.reasons)
                    texts.push_back(text_of(it));
                return texts;
            },
            "What speaks for the verdict, one sentence each.");
    module.def("check_graph", &check_graph, "graph"_a, "max_l1"_a = nb::none(),
               "max_dram_per_bank"_a = nb::none(), "max_dram_total"_a = nb::none(),
               "A capture against limits of L1 per core, DRAM per bank and over all banks.");
}

}  // namespace tilemeter::python
