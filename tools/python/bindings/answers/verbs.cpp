// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The answers of the program `tilemeter`, also of captures in memory.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "report/analysis/nodes/load.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/interruptible.hpp"
#include "tools/tilemeter/run.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

using List = std::shared_ptr<analysis::NodeList>;

List list_of(analysis::NodeList list, const std::optional<std::string>& records) {
    using analysis::AnalysisError;
    if (records)
        if (const auto added = analysis::add_python_records(list, *records); !added)
            throw AnalysisError(AnalysisError::Kind::kValue, added.error().message());
    return std::make_shared<analysis::NodeList>(std::move(list));
}

List list_of_text(const std::string& json, const std::optional<std::string>& records) {
    auto list = analysis::node_list_of_text(json);
    if (!list) throw analysis::AnalysisError(analysis::AnalysisError::Kind::kValue, list.error().message());
    return list_of(std::move(list).value(), records);
}

std::vector<std::tuple<int, nb::bytes, nb::bytes>> run_verbs(std::vector<std::vector<std::string>> calls,
                                                             const std::map<std::string, List>& lists) {
    cli::NamedLists named(lists.begin(), lists.end());
    const std::vector<cli::Printed> printed =
        interruptible([calls = std::move(calls), named = std::move(named)]() mutable {
            return cli::run_quietly(calls, std::move(named));
        });
    std::vector<std::tuple<int, nb::bytes, nb::bytes>> result;
    for (const cli::Printed& it : printed)
        result.emplace_back(it.status, nb::bytes(it.output.data(), it.output.size()),
                            nb::bytes(it.errors.data(), it.errors.size()));
    return result;
}

}  // namespace

void bind_verbs(nb::module_& module) {
    nb::class_<analysis::NodeList>(module, "NodeList", "A capture as the analyses read it.");
    module.def(
        "node_list",
        [](const graph::CapturedGraph& captured, const std::optional<std::string>& records) {
            return list_of(analysis::node_list_of(captured), records);
        },
        "graph"_a, "records"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
        "A capture with the records of its calls from Python (JSON text).");
    module.def("node_list", &list_of_text, "nodes"_a, "records"_a = nb::none(),
               nb::call_guard<nb::gil_scoped_release>(), "The same of a node list (JSON text).");
    module.def(
        "node_list_of_file",
        [](std::filesystem::path path) {
            return interruptible([path = std::move(path)] {
                auto list = analysis::load_node_list(path);
                if (!list)
                    throw analysis::AnalysisError(analysis::AnalysisError::Kind::kValue,
                                                  list.error().message());
                return list_of(std::move(list).value(), std::nullopt);
            });
        },
        "path"_a, "The same of a report, TT-NN's or ours; \"-\" is standard input.");
    module.def(
        "run_verbs", &run_verbs, "calls"_a, "lists"_a,
        "The program's exit status, output and errors of each call, a verb with its arguments. lists: what "
        "stands for captures in memory among the arguments.");
}

}  // namespace tilemeter::python
