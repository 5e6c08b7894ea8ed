// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/sizes.hpp"

#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "capture/ir/error.hpp"
#include "report/analysis/failure.hpp"
#include "report/analysis/peak_sizes.hpp"
#include "runtime/device/device.hpp"
#include "runtime/trace/device/placed_size.hpp"
#include "tools/tilemeter/graph_file.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
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
            "sizes: found no name without a size in the graph's dimensions, expected one such as "
            "f32[b,128]");
    return open;
}

Json json_of(const analysis::WorkloadAtSize& run) {
    Json json{{"size", run.size},
              {"verdict", run.fits ? "fits" : "does_not_fit"},
              {"l1_bytes_per_core", run.l1_bytes},
              {"dram_bytes_per_bank", run.dram_bytes},
              {"operation", run.operation}};
    if (run.fits) return json;
    json["cause"] = std::string(name_of(run.cause));
    json["message"] = run.message;
    return json;
}

Json json_of(const std::optional<analysis::WorkloadAtSize>& run) {
    return run ? json_of(*run) : Json(nullptr);
}

Json json_of(const std::vector<analysis::SizeSpan>& spans) {
    Json json = Json::array();
    for (const analysis::SizeSpan& each : spans)
        json.push_back({{"begin", each.begin}, {"end", each.end}});
    return json;
}

// Where the peak is another one than at the size before, of sizes that were computed.
Json jumps_of(const analysis::PeakSizes& peaks, std::uint64_t analysis::WorkloadAtSize::*bytes) {
    Json json = Json::array();
    for (std::size_t i = 1; i < peaks.computed.size(); ++i) {
        const analysis::WorkloadAtSize& before = peaks.computed[i - 1];
        const analysis::WorkloadAtSize& after = peaks.computed[i];
        if (before.size + 1 != after.size || !before.fits || !after.fits || before.*bytes == after.*bytes)
            continue;
        json.push_back({{"size", after.size}, {"from_bytes", before.*bytes}, {"to_bytes", after.*bytes}});
    }
    return json;
}

// Of all sizes that were asked for: what is not known may be another one.
Json all_fit(const analysis::PeakSizes& peaks) {
    if (!peaks.largest || peaks.next || !peaks.failing.empty()) return false;
    return peaks.unknown.empty() ? Json(true) : Json(nullptr);
}

Json json_of(const analysis::PeakSizes& peaks, const std::string& name, const std::string& device) {
    Json computed = Json::array(), interpolated = Json::array();
    for (const analysis::WorkloadAtSize& each : peaks.computed)
        computed.push_back(json_of(each));
    for (const analysis::InterpolatedSpan& each : peaks.interpolated)
        interpolated.push_back({{"begin", each.sizes.begin}, {"end", each.sizes.end}});
    return {{"all_fit", all_fit(peaks)},
            {"size", name},
            {"device", device},
            {"smallest", peaks.sizes.smallest},
            {"largest", peaks.sizes.largest},
            {"largest_fitting", json_of(peaks.largest)},
            {"next", json_of(peaks.next)},
            {"failing_below", json_of(peaks.failing)},
            {"l1_per_core", peaks.largest ? Json(peaks.l1.text(name)) : Json(nullptr)},
            {"dram_per_bank", peaks.largest ? Json(peaks.dram.text(name)) : Json(nullptr)},
            {"l1_jumps", jumps_of(peaks, &analysis::WorkloadAtSize::l1_bytes)},
            {"dram_jumps", jumps_of(peaks, &analysis::WorkloadAtSize::dram_bytes)},
            {"computed", computed},
            {"interpolated", interpolated},
            {"not_known", json_of(peaks.unknown)}};
}

void run(const Options& options) {
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
        if (options.json) return print_answer("sizes", json_of(peaks, name, options.device));
        std::cout << text_of(peaks, name);
    } catch (const ir::Error& error) {
        throw Failure(file + ": " + error.what());
    }
}

}  // namespace

command::Verb sizes_verb() {
    auto options = std::make_shared<Options>();
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
                  "n150, n300, p100, p150 or a description file (JSON)",
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
            .run = [options] { run(*options); }};
}

}  // namespace tilemeter::cli
