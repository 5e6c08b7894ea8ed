// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random programs compute and print the same before and after each pass.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/order.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "tests/capture/ir/naive_evaluate.hpp"
#include "tests/capture/ir/operations.hpp"
#include "tests/capture/ir/random_program.hpp"
#include "tests/property.hpp"

namespace tilemeter::ir {
namespace {

using test::Numbers;
using test::operations;

std::vector<Numbers> inputs_of(const Graph& graph) {
    std::vector<Numbers> inputs;
    for (const ValueId param : graph.params()) {
        Numbers& numbers = inputs.emplace_back(static_cast<std::size_t>(graph.type(param).shape.elements()));
        for (double& number : numbers)
            number = 0.375 *
                     static_cast<double>(inputs.size() + static_cast<std::size_t>(&number - numbers.data()));
    }
    return inputs;
}

test::Run run_of(const Graph& graph) {
    return test::naive_evaluate(graph, inputs_of(graph));
}

const std::vector<NamedPass>& passes() {
    static const std::vector<NamedPass> kPasses{
        {"dead code", [](const Graph& graph) { return remove_dead_code(graph, operations()); }},
        {"common subexpressions",
         [](const Graph& graph) { return merge_common_subexpressions(graph, operations()); }},
        {"calls", [](const Graph& graph) { return inline_calls(graph, operations()); }},
        {"nothing", [](const Graph& graph) {
             return rewrite(graph, operations(),
                            [](const RewriteSite&, std::vector<ValueId>&) { return false; });
         }}};
    return kPasses;
}

// Throws where something is wrong, so that each property below is one line.
Graph checked(const NamedPass& pass, const Graph& graph) {
    PassResult result = pass.run(graph);
    if (const auto error = verify(result.graph, operations()))
        throw std::runtime_error(pass.name + ": " + error->what());
    PROPERTY_ASSERT(result.before == count_equations(graph));
    PROPERTY_ASSERT(result.after == count_equations(result.graph));
    PROPERTY_ASSERT(result.graph.params().size() == graph.params().size());
    PROPERTY_ASSERT(result.changed != 0 || equal(result.graph, ordered(graph, operations())));
    return std::move(result.graph);
}

TEST(RandomPrograms, keep_their_results_through_each_pass) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const std::uint32_t seed = test::any_unsigned();
        const Graph graph = test::random_program(seed);
        PROPERTY_ASSERT(verify(graph, operations()) == std::nullopt);
        const test::Run before = run_of(graph);
        for (const NamedPass& pass : passes()) {
            const Graph after = checked(pass, graph);
            PROPERTY_ASSERT(equal(run_of(after), before));
            PROPERTY_ASSERT(pass.run(after).changed == 0U);
        }
    }));
}

TEST(RandomPrograms, keep_their_results_through_all_passes_again_and_again) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const std::uint32_t seed = test::any_unsigned();
        const Graph graph = test::random_program(seed);
        std::vector<PassStep> steps;
        const Graph after = run_passes(graph, passes(), &steps);
        PROPERTY_ASSERT(equal(run_of(after), run_of(graph)));
        PROPERTY_ASSERT(steps.back().changed == 0U);
        PROPERTY_ASSERT(equal(parse(print(after)), after));
    }));
}

TEST(RandomPrograms, keep_their_results_when_equations_are_shuffled) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const std::uint32_t seed = test::any_unsigned();
        const Graph graph = test::random_program(seed);
        const Graph mixed = test::shuffled(graph, seed);
        PROPERTY_ASSERT(verify(mixed, operations()) == std::nullopt);
        const Graph sorted = ordered(mixed, operations());
        PROPERTY_ASSERT(is_ordered(sorted));
        PROPERTY_ASSERT(run_of(sorted).results == run_of(graph).results ||
                        std::ranges::any_of(run_of(graph).results, [](const Numbers& numbers) {
                            return std::ranges::any_of(numbers,
                                                       [](double number) { return number != number; });
                        }));
        for (const NamedPass& pass : passes())
            checked(pass, mixed);
    }));
}

TEST(RandomPrograms, need_each_equation_that_is_left) {
    // Without effects, one equation less would change what is asked for or break the graph.
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const std::uint32_t seed = test::any_unsigned();
        const PassResult result = remove_dead_code(test::random_program(seed), operations());
        std::vector<bool> used(result.graph.value_count());
        for (const ValueId value : result.graph.results())
            used[index_of(value)] = true;
        for (std::size_t i = result.graph.equation_count(); i-- > 0;) {
            const Equation equation = result.graph.equation(i);
            bool is_used = equation.operation() == "print" || !equation.subgraphs().empty();
            for (std::size_t k = 0; k < equation.results().size(); ++k)
                is_used = is_used || used[index_of(equation.results()[k])];
            PROPERTY_ASSERT(is_used);
            for (const ValueId operand : equation.operands())
                used[index_of(operand)] = true;
        }
    }));
}

}  // namespace
}  // namespace tilemeter::ir
