// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/input.hpp"

#include <utility>

#include "report/analysis/load.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

graph::NodeList load(const std::string& path) {
    auto list = graph::load_node_list(path);
    if (!list) throw Failure(list.error().message());
    return std::move(list.value());
}

graph::ProgramLibrary load_programs(const std::string& path) {
    if (path.empty()) return {};
    const graph::NodeList list = load(path);
    return graph::find_lives(list).library(list);
}

}  // namespace tilemeter::cli
