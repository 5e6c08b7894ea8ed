// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// graph_report --svg, with whatever Graphviz there is: PATH decides.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

/// A folder for PATH in which `dot` is the given shell script; none for an empty one.
fs::path path_with_dot(const ScratchFolder& scratch, const std::string& script) {
    const fs::path folder = scratch.path() / "programs";
    fs::create_directories(folder);
    if (script.empty()) return folder;
    std::ofstream(folder / "dot") << "#!/bin/sh\n" << script << '\n';
    fs::permissions(folder / "dot", fs::perms::owner_all);
    return folder;
}

/// Names of what lies in OUT/graphs after graph_report --svg.
std::vector<std::string> drawn(const ScratchFolder& scratch, const std::string& dot) {
    const std::string report = test::data_folder() + "/reports/add.n150.NORMAL/report.json";
    const fs::path out = scratch.path() / "out";
    const std::string command = "PATH='" + path_with_dot(scratch, dot).string() + "' '" +
                                test::program_folder() + "/graph_report' --svg --quiet '" + report + "' '" +
                                out.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(out / "graphs"))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

TEST(GraphDrawing, without_graphviz_is_the_call_graph_of_our_own) {
    const ScratchFolder scratch;
    EXPECT_EQ(drawn(scratch, ""), std::vector<std::string>{"report.svg"});
    const std::string picture = test::text_of(scratch.path() / "out/graphs/report.svg");
    EXPECT_TRUE(picture.starts_with("<svg ")) << picture.substr(0, 80);
    EXPECT_NE(picture.find("BinaryNgDeviceOperation"), std::string::npos);
    EXPECT_TRUE(picture.ends_with("</svg>\n"));
}

TEST(GraphDrawing, of_a_dot_that_fails_too) {
    const ScratchFolder scratch;
    EXPECT_EQ(drawn(scratch, "echo '<svg>half'; exit 1"), std::vector<std::string>{"report.svg"});
    EXPECT_TRUE(test::text_of(scratch.path() / "out/graphs/report.svg").ends_with("</svg>\n"));
}

TEST(GraphDrawing, with_graphviz_is_dots_with_its_source_beside_it) {
    const ScratchFolder scratch;
    EXPECT_EQ(drawn(scratch, "[ \"$1\" = -Tsvg ] && echo drawn && read -r first && echo \"$first\""),
              (std::vector<std::string>{"report", "report.svg"}));
    EXPECT_EQ(test::text_of(scratch.path() / "out/graphs/report.svg"), "drawn\ndigraph {\n");
    EXPECT_TRUE(test::text_of(scratch.path() / "out/graphs/report").starts_with("digraph {\n"));
}

}  // namespace
}  // namespace tilemeter::visualizer_import
