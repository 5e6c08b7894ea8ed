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
#include "runtime/trace/device/rules/rule.hpp"
#include "tests/paths.hpp"

namespace tilemeter {
namespace {

void add_to(std::string& list, const std::string& name) {
    list += (list.empty() ? "" : ", ") + name;
}

std::string table() {
    std::map<std::string, std::set<std::string>> families;
    for (const ListedOperation& each : all_operations())
        families[each.family].insert(each.name);
    std::size_t lowered = 0;
    std::size_t with_vjp = 0;
    std::size_t all = 0;
    std::string rows;
    std::map<std::string, std::string> reasons;
    for (const auto& [family, names] : families) {
        std::array<std::string, 3> columns;
        for (const std::string& name : names) {
            const bool has_lower = trace::has_lowering("ttnn." + name);
            const bool has_vjp = trace::has_vjp("ttnn." + name);
            const trace::rules::Rule* const rule = trace::rules::find_rule("ttnn." + name);
            add_to(has_lower && has_vjp ? columns[0]
                   : has_lower          ? columns[1]
                   : has_vjp            ? columns[2]
                             : reasons[rule == nullptr || rule->reason == nullptr ? "" : rule->reason],
                   name);
            lowered += has_lower ? 1 : 0;
            with_vjp += has_vjp ? 1 : 0;
            ++all;
        }
        rows += "| " + family;
        for (const std::string& each : columns)
            rows += " | " + (each.empty() ? "none" : each);
        rows += " |\n";
    }
    std::string reason_rows;
    for (const auto& [reason, names] : reasons)
        reason_rows += "| " + reason + " | " + names + " |\n";
    return "<!-- SPDX-FileCopyrightText: 2026 tilemeter contributors -->\n"
           "<!-- SPDX-License-Identifier: Apache-2.0 -->\n\n"
           "# What is known of TT-NN's operations: lower and vjp\n\n"
           "Written by tests/runtime/trace/device/lowering_table_test.cpp with TILEMETER_WRITE=1. `lower`: the call as flat\n"
           "primitives. `vjp`: its gradients as TT-NN calls. A call whose operation has no vjp rule, or one that does not take\n"
           "its arguments, is differentiated by its lowering, as far as its primitives are; what has neither is refused where a\n"
           "gradient reaches it. A lowering may refuse arguments that it does not take.\n\n" +
           std::to_string(all) + " operations: " + std::to_string(lowered) + " have a lowering, " +
           std::to_string(with_vjp) + " a vjp rule.\n\n" +
           "| family | lower and vjp | lower alone | vjp alone |\n|---|---|---|---|\n" + rows +
           "\n| why an operation has neither | operations |\n|---|---|\n" + reason_rows;
}

TEST(LoweringTable, says_what_each_operation_has) {
    const std::string path = test::data_folder() + "/../../runtime/trace/device/rules/OPERATIONS.md";
    if (std::getenv("TILEMETER_WRITE") != nullptr) std::ofstream(path) << table();
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), table()) << "TILEMETER_WRITE=1 writes it anew";
}

TEST(LoweringTable, has_a_row_for_each_operation_and_a_reason_where_it_is_empty) {
    std::set<std::string> names;
    for (const ListedOperation& each : all_operations())
        names.insert(each.name);
    for (const std::string& name : names) {
        const trace::rules::Rule* const rule = trace::rules::find_rule("ttnn." + name);
        ASSERT_NE(rule, nullptr) << name;
        EXPECT_NE(rule->reason != nullptr, rule->lowering.values || rule->gradient.gradients) << name;
    }
    for (const auto& [name, rule] : trace::rules::all_rules())
        EXPECT_TRUE(names.contains(name)) << name;
}

}  // namespace
}  // namespace tilemeter
