// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/compat/src/call.hpp"
#include "tools/compiled/call.hpp"

namespace tilemeter::compiled {
namespace {

std::vector<std::string> parameters_of(const CallRule& rule) {
    std::vector<std::string> names;
    for (const ArgumentRule& each : rule.arguments)
        if (each.from != ArgumentRule::From::kNothing) names.push_back(each.parameter);
    return names;
}

TEST(CallRules, EveryRowFitsADefinition) {
    ASSERT_GT(call_rules().size(), 100U);
    for (const CallRule& rule : call_rules()) {
        const std::string misfit = compat::find_misfit(rule.function, parameters_of(rule));
        EXPECT_EQ(misfit, "") << rule.operation << " -> " << rule.function;
    }
}

TEST(CallRules, NameAnOperationOnce) {
    std::set<std::string> seen;
    for (const CallRule& rule : call_rules()) {
        EXPECT_TRUE(seen.insert(rule.operation).second) << rule.operation;
        EXPECT_EQ(find_rule(rule.operation), &rule);
    }
    EXPECT_EQ(find_rule("ttnn.nothing_of_that_name"), nullptr);
}

}  // namespace
}  // namespace tilemeter::compiled
