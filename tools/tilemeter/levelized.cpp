// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "report/analysis/levelized_graph.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string report;
    std::int64_t max_level = 1;
    bool as_ttnn = false;
    bool join = false;  // the default; scripts that ask for it go on running
    bool json = false;
};

Json texts(const graph::NodeList& list, const std::vector<graph::TextRef>& refs) {
    Json result = Json::array();
    for (const graph::TextRef ref : refs)
        result.push_back(list.text(ref));
    return result;
}

void print_ids(const char* what, const std::vector<std::uint32_t>& ids) {
    if (ids.empty()) return;
    std::cout << "  " << what;
    for (const std::uint32_t id : ids)
        std::cout << ' ' << id;
}

void run(const Options& options) {
    const graph::NodeList list = load(options.report);
    const auto vertices = graph::extract_levelized_graph(
        list, options.max_level, options.as_ttnn ? graph::Joining::kByNode : graph::Joining::kByTensor);
    if (!options.json) {
        for (const graph::LevelizedVertex& vertex : vertices) {
            std::cout << vertex.counter << "  "
                      << std::string(
                             static_cast<std::size_t>(std::clamp(vertex.stacking_level - 1, 0, 64)) * 2, ' ')
                      << vertex.name(list);
            print_ids("in", vertex.in_edges);
            print_ids("out", vertex.out_edges);
            print_ids("internals", vertex.internals);
            for (const graph::TextRef shape : vertex.output_shape)
                std::cout << "  " << list.text(shape);
            std::cout << '\n';
        }
        return;
    }
    Json json = Json::array();
    for (const graph::LevelizedVertex& vertex : vertices) {
        Json arguments = Json::array();
        for (std::uint32_t i = 0; i < vertex.arguments.count; ++i)
            arguments.push_back(list.text(list.argument_texts[vertex.arguments.begin + i]));
        std::vector<graph::TextRef> info;
        if (vertex.output_info != graph::TextRef::kNone) info.push_back(vertex.output_info);
        json.push_back({{"counter", vertex.counter},
                        {"stacking_level", vertex.stacking_level},
                        {"name", vertex.name(list)},
                        {"arguments", std::move(arguments)},
                        {"in_edges", vertex.in_edges},
                        {"out_edges", vertex.out_edges},
                        {"internals", vertex.internals},
                        {"output_info", texts(list, info)},
                        {"output_shape", texts(list, vertex.output_shape)}});
    }
    print(json);
}

}  // namespace

void add_levelized(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("levelized", "The operations down to a level, with who feeds whom");
    verb->add_option("report", options->report, "a report, or a node list")->required();
    verb->add_option("--max-level", options->max_level, "deepest level of operations")->capture_default_str();
    verb->add_flag(
        "--as-ttnn", options->as_ttnn,
        "the vertices of TT-NN's extract_levelized_graph: each mention of a tensor is one of its own, "
        "and captures taken in Python have few edges");
    verb->add_flag("--join", options->join)->group("");
    verb->add_flag("--json", options->json, "machine-readable, in the form of TT-NN's function");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
