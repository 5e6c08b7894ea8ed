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

// The parameters that a row's words name.
std::vector<std::string> parameters_of(const CallRule& rule) {
    std::vector<std::string> names;
    for (const std::string& word : rule.words) {
        if (word.starts_with('-') || word == "by_name") continue;
        const std::size_t end = word.find_first_of(":%");
        const std::size_t sign = word.find('=');
        std::string name = sign != std::string::npos ? word.substr(sign + 1) : word.substr(0, end);
        if (name.starts_with('>')) name.erase(0, 1);
        names.push_back(name);
    }
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
