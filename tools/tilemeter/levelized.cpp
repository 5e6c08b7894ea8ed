// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <memory>

#include "report/analysis/ttnn/levelized_graph.hpp"
#include "report/render/call_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct LevelizedOptions {
    std::string report;
    std::int64_t max_level = 1;
    bool as_ttnn = false;
    bool join = false;  // the default; scripts that ask for it go on running
    bool json = false;
};

void print_ids(const char* what, const std::vector<std::uint32_t>& ids) {
    if (ids.empty()) return;
    std::cout << "  " << what;
    for (const std::uint32_t id : ids)
        std::cout << ' ' << id;
}

void run_levelized(const LevelizedOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const auto vertices = analysis::extract_levelized_graph(
        list, options.max_level, options.as_ttnn ? analysis::Joining::kByNode : analysis::Joining::kByTensor);
    if (!options.json) {
        for (const analysis::LevelizedVertex& vertex : vertices) {
            std::cout << vertex.counter << "  "
                      << std::string(
                             static_cast<std::size_t>(std::clamp(vertex.stacking_level - 1, 0, 64)) * 2, ' ')
                      << vertex.name(list);
            print_ids("in", vertex.in_edges);
            print_ids("out", vertex.out_edges);
            print_ids("internals", vertex.internals);
            for (const analysis::TextRef shape : vertex.output_shape)
                std::cout << "  " << list.text(shape);
            std::cout << '\n';
        }
        return;
    }
    Json answer{{"max_level", options.max_level}};
    answer.update(analysis::vertices_json(list, vertices));
    print_answer("levelized", answer);
}

}  // namespace

command::Verb levelized_verb() {
    auto options = std::make_shared<LevelizedOptions>();
    return {
        .name = "levelized",
        .documentation = "The operations down to a level, with who feeds whom",
        .parameters =
            {{"report", &options->report, "a report, or a node list", {.required = true}},
             {"--max-level",
              &options->max_level,
              "deepest level of operations",
              {.shows_default = true, .range = kAnyCount}},
             {"--as-ttnn", &options->as_ttnn,
              "the vertices of TT-NN's extract_levelized_graph: each mention of a tensor is one of its own, "
              "and captures taken in Python have few edges"},
             {"--join", &options->join, "", {.hidden = true}},
             {"--json", &options->json, "machine-readable, vertices in the form of TT-NN's function"}},
        .example = "tilemeter levelized report.json --max-level 2",
        .run = [options] { run_levelized(*options); }};
}

}  // namespace tilemeter::cli
