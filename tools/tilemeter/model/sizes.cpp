// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/sizes.hpp"

#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "capture/ir/error.hpp"
#include "report/analysis/gate/peak_sizes.hpp"
#include "report/analysis/memory/failure.hpp"
#include "report/render/sizes_render.hpp"
#include "runtime/device/device.hpp"
#include "runtime/trace/device/place/placed_size.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/model/graph_file.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"

namespace tilemeter::cli {
namespace {

struct SizesOptions {
    std::string graph, device = "n150", size, memory = "dram", others;
    std::int64_t from = 1, to = 1024, seconds = 5;
    bool json = false;
};

// "n=8,m=3"
ir::Sizes sizes_in(const std::string& text) {
    ir::Sizes sizes;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string part = text.substr(at, end - at);
        const std::size_t sign = part.find('=');
        std::size_t read = 0;
        std::int64_t number = 0;
        try {
            if (sign != std::string::npos) number = std::stoll(part.substr(sign + 1), &read);
        } catch (const std::exception&) {
            read = 0;
        }
        if (sign == std::string::npos || sign == 0 || read == 0 || read != part.size() - sign - 1)
            throw Failure("sizes: --with: expected NAME=SIZE, found '" + part + "'", kWrongUsage);
        sizes[part.substr(0, sign)] = number;
        at = end + 1;
    }
    return sizes;
}

// The only name that has no size.
std::string open_name(const ir::Graph& graph, const ir::Sizes& others) {
    std::string open;
    for (const std::string& name : ir::size_names(graph)) {
        if (others.contains(name)) continue;
        if (!open.empty())
            throw Failure("sizes: found the names " + open + " and " + name +
                              " without a size, expected one: --size says which, --with gives others theirs",
                          kWrongUsage);
        open = name;
    }
    if (open.empty())
        throw Failure(
            "sizes: the graph's dimensions are all numbers: expected a name among them, such as b in "
            "f32[b,128], whose sizes are tried");
    return open;
}

void run_sizes(const SizesOptions& options) {
    if (options.to < options.from)
        throw Failure("sizes: expected --from up to --to, found " + std::to_string(options.from) + " and " +
                          std::to_string(options.to),
                      kWrongUsage);
    const ir::Graph graph = load_graph(options.graph);
    const std::string file = options.graph == "-" ? "standard input" : options.graph;
    try {
        const ir::Sizes others = sizes_in(options.others);
        const std::string name = options.size.empty() ? open_name(graph, others) : options.size;
        const auto device = open_device(0, {.description = options.device});
        const auto workload = trace::placed_by_size(
            graph, name, device, others,
            {.memory_config = options.memory == "l1" ? L1_MEMORY_CONFIG : DRAM_MEMORY_CONFIG});
        const analysis::PeakSizes peaks = analysis::peak_sizes(
            workload, {options.from, options.to}, {.seconds = static_cast<double>(options.seconds)});
        if (options.json) return print_answer("sizes", analysis::sizes_json(peaks, name, options.device));
        std::cout << text_of(peaks, name);
    } catch (const ir::Error& error) {
        throw Failure(file + ": " + error.what());
    }
}

}  // namespace

command::Verb sizes_verb() {
    auto options = std::make_shared<SizesOptions>();
    return {.name = "sizes",
            .documentation =
                "The peaks of a traced function at every size of a name in its shapes, and which sizes fit",
            .parameters =
                {{"graph", &options->graph, "a graph's file, or - for standard input", {.required = true}},
                 {"--size", &options->size, "the name that gets sizes; default: the only one without --with"},
                 {"--with", &options->others, "sizes of other names: n=8,m=3"},
                 {"--from",
                  &options->from,
                  "the smallest size",
                  {.shows_default = true, .range = command::Range{1, 1'000'000'000}}},
                 {"--to",
                  &options->to,
                  "the largest size",
                  {.shows_default = true, .range = command::Range{1, 1'000'000'000}}},
                 {"--device",
                  &options->device,
                  "n150, n300, p100, p150, t3000, galaxy or a description file (JSON)",
                  {.shows_default = true}},
                 {"--memory",
                  &options->memory,
                  "of inputs, constants and results",
                  {.shows_default = true, .one_of = {"dram", "l1"}}},
                 {"--seconds",
                  &options->seconds,
                  "for planning; sizes that are left then are interpolated, and said",
                  {.shows_default = true, .range = command::Range{0, 86'400}}},
                 {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter sizes function.json",
            .run = [options] { run_sizes(*options); }};
}

}  // namespace tilemeter::cli
