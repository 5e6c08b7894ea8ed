// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The table in runtime/trace/device/lower_ttnn/OPERATIONS.md says of each registered operation what it has. TILEMETER_WRITE=1
// writes it anew.

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "runtime/operation_list.hpp"
#include "runtime/trace/device/lower_ttnn/lower_ttnn.hpp"
#include "tests/paths.hpp"

namespace tilemeter {
namespace {

std::string table() {
    std::map<std::string, std::set<std::string>> families;
    for (const ListedOperation& each : all_operations())
        families[each.family].insert(each.name);
    std::size_t lowered = 0;
    std::size_t all = 0;
    std::string rows;
    for (const auto& [family, names] : families) {
        std::string with;
        std::string without;
        for (const std::string& name : names) {
            const bool has = trace::has_lowering("ttnn." + name);
            std::string& list = has ? with : without;
            list += (list.empty() ? "" : ", ") + name;
            lowered += has ? 1 : 0;
            ++all;
        }
        rows += "| " + family + " | " + (with.empty() ? "none" : with) + " | " +
                (without.empty() ? "none" : without) + " |\n";
    }
    return "<!-- SPDX-FileCopyrightText: 2026 tilemeter contributors -->\n"
           "<!-- SPDX-License-Identifier: Apache-2.0 -->\n\n"
           "# Operations of TT-NN that have a lowering\n\n"
           "Written by tests/runtime/trace/device/lowering_table_test.cpp with TILEMETER_WRITE=1. No operation has a "
           "gradient of\nits own; those of floats with a lowering are differentiated by it, as far as its "
           "primitives are. What has none is\nrefused in both. A lowering may refuse arguments that it does not "
           "take.\n\n" +
           std::to_string(lowered) + " of " + std::to_string(all) + " operations have one.\n\n" +
           "| family | lowered | neither lowered nor differentiated |\n|---|---|---|\n" + rows;
}

TEST(LoweringTable, says_what_each_operation_has) {
    const std::string path = test::data_folder() + "/../../runtime/trace/device/lower_ttnn/OPERATIONS.md";
    if (std::getenv("TILEMETER_WRITE") != nullptr) std::ofstream(path) << table();
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), table()) << "TILEMETER_WRITE=1 writes it anew";
}

}  // namespace
}  // namespace tilemeter
