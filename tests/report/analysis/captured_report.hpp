// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reports of tests/data/capture, for tests of the analyses.

#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "report/analysis/nodes/load.hpp"
#include "report/analysis/nodes/node_list.hpp"
#include "tests/paths.hpp"

namespace tilemeter::test {

/// `name`: without ".report.json". Empty, and the test fails, where it can't be read.
inline analysis::NodeList load_captured(const std::string& name) {
    auto list = analysis::load_node_list(data_folder() + "/capture/" + name + ".report.json");
    EXPECT_TRUE(list.ok());
    return list ? std::move(list.value()) : analysis::NodeList();
}

}  // namespace tilemeter::test
