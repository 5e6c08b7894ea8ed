// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "report/analysis/compare.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct Options {
    std::string before, after;
    bool json = false;
};

std::string signed_text(std::int64_t bytes) {
    return (bytes < 0 ? "-" : "+") + grouped(static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes));
}

void run(const Options& options) {
    const auto differences = graph::compare(load(options.before), load(options.after));
    Json json = Json::array();
    for (const graph::Difference& it : differences) {
        if (options.json) {
            json.push_back({{"kind", name_of(it.kind)},
                            {"path", it.path},
                            {"before", it.before},
                            {"after", it.after},
                            {"before_bytes", it.before_bytes},
                            {"after_bytes", it.after_bytes},
                            {"count", it.count}});
            continue;
        }
        std::cout << name_of(it.kind) << (it.path.empty() ? "" : "  " + it.path);
        if (!it.before.empty() || !it.after.empty())
            std::cout << ": " << (it.before.empty() ? "nothing" : it.before) << " -> "
                      << (it.after.empty() ? "nothing" : it.after);
        if (it.before_bytes != it.after_bytes)
            std::cout << "  " << grouped(static_cast<std::uint64_t>(it.before_bytes)) << " -> "
                      << grouped(static_cast<std::uint64_t>(it.after_bytes)) << " B ("
                      << signed_text(it.after_bytes - it.before_bytes) << ")";
        if (it.count > 1) std::cout << "  x" << it.count;
        std::cout << '\n';
    }
    if (options.json) print(json);
}

}  // namespace

void add_diff(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("diff", "What changed in memory between two captures; nothing for equal ones");
    verb->add_option("before", options->before, "a report, or a node list")->required();
    verb->add_option("after", options->after, "another")->required();
    verb->add_flag("--json", options->json, "machine-readable");
    verb->callback([options] { run(*options); });
}

}  // namespace tilemeter::cli
