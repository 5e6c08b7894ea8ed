// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// allocator_check FILE.jsonl... : replays recorded allocations and counts how many come out equal, per kind.

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/log/log.hpp"
#include "tools/allocator_check/replay.hpp"
#include "tools/command/arguments.hpp"
#include "tools/oracle_check/row_check.hpp"

namespace {

struct Options {
    std::vector<std::string> files;
    std::size_t show = 3;
};

}  // namespace

int main(int argc, char** argv) {
    tilemeter::logging::set_default_level(tilemeter::logging::Level::kWarn);
    Options options;
    const tilemeter::command::Program program{
        .name = "allocator_check",
        .documentation =
            "Replays recorded allocations on the modelled devices and counts how many come out equal.",
        .parameters = {{"files", &options.files, "allocator tables (JSON lines)", {.required = true}},
                       {"--show", &options.show, "differences to show per kind", {.shows_default = true}}}};
    if (const auto ended = tilemeter::command::parse(program, argc, argv)) return *ended;
    tilemeter::oracle::RowCheck check("allocator_check", "a recorded allocation", options.show);
    for (const std::string& path : options.files) {
        tilemeter::allocator_check::Replay replay;  // a table is one device's life
        const auto replayed = [&](const std::string& line) -> tilemeter::oracle::RowCheck::Result {
            const auto row = nlohmann::json::parse(line);
            const std::string kind = row.at("kind");
            return {kind, replay.row(row), kind};
        };
        if (!check.file(path, replayed)) return tilemeter::command::kBadInput;
    }
    return check.report();
}
