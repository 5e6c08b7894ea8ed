// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The table in runtime/trace/device/rules/OPERATIONS.md says of each registered operation what it has. TILEMETER_WRITE=1
// writes it anew.

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "runtime/operation_list.hpp"
#include "runtime/trace/device/gradients/gradient_record.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "tests/paths.hpp"

namespace tilemeter {
namespace {

std::string table() {
    std::map<std::string, std::set<std::string>> families;
    for (const ListedOperation& each : all_operations())
        families[each.family].insert(each.name);
    std::size_t lowered = 0;
    std::size_t with_vjp = 0;
    std::size_t all = 0;
    std::string rows;
    for (const auto& [family, names] : families) {
        std::array<std::string, 4> columns;  // by what it has: 1, a lowering; 2, a vjp rule
        for (const std::string& name : names) {
            const bool has_lower = trace::has_lowering("ttnn." + name);
            const bool has_vjp = trace::has_vjp("ttnn." + name);
            std::string& list = columns[(has_lower ? 1U : 0U) + (has_vjp ? 2U : 0U)];
            list += (list.empty() ? "" : ", ") + name;
            lowered += has_lower ? 1 : 0;
            with_vjp += has_vjp ? 1 : 0;
            ++all;
        }
        rows += "| " + family;
        for (const std::size_t i : {3U, 1U, 2U, 0U})
            rows += " | " + (columns[i].empty() ? "none" : columns[i]);
        rows += " |\n";
    }
    return "<!-- SPDX-FileCopyrightText: 2026 tilemeter contributors -->\n"
           "<!-- SPDX-License-Identifier: Apache-2.0 -->\n\n"
           "# What is known of TT-NN's operations: lower and vjp\n\n"
           "Written by tests/runtime/trace/device/lowering_table_test.cpp with TILEMETER_WRITE=1. `lower`: the call as flat\n"
           "primitives (this folder). `vjp`: its gradients as TT-NN calls ([gradients](GRADIENTS.md)). A call whose operation has\n"
           "no vjp rule, or one that does not take its arguments, is differentiated by its lowering, as far as its primitives\n"
           "are; what has neither is refused where a gradient reaches it. A lowering may refuse arguments that it does not "
           "take.\n\n" +
           std::to_string(all) + " operations: " + std::to_string(lowered) + " have a lowering, " +
           std::to_string(with_vjp) + " a vjp rule.\n\n" +
           "| family | lower and vjp | lower alone | vjp alone | neither |\n|---|---|---|---|---|\n" + rows;
}

TEST(LoweringTable, says_what_each_operation_has) {
    const std::string path = test::data_folder() + "/../../runtime/trace/device/rules/OPERATIONS.md";
    if (std::getenv("TILEMETER_WRITE") != nullptr) std::ofstream(path) << table();
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), table()) << "TILEMETER_WRITE=1 writes it anew";
}

}  // namespace
}  // namespace tilemeter
