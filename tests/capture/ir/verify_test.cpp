// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/verify.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "capture/ir/text.hpp"
#include "tests/capture/ir/operations.hpp"

namespace tilemeter::ir {
namespace {

// Bodies for all cases, then the graph.
Graph graph_of(const std::string& parameters, const std::string& equations) {
    return parse(R"(tilemeter graph 1
subgraph @one(%x: f64[]) { return %x }
subgraph @vector(%x: f64[]) { %0 = full() {shape=[3], value=0.0, dtype=f64} : f64[3] return %0 }
subgraph @two(%x: f64[]) { return %x, %x }
subgraph @bool(%x: f64[]) { %0 = lt(%x, 1.0:f64) : bool[] return %0 }
subgraph @unsound(%x: f64[]) { %0 = exp(%x) : f64[7] return %x }
graph @f()" + parameters +
                 ") {\n" + equations + "\nreturn }\n");
}

struct Broken {
    std::string parameters;
    std::string equations;
    ErrorKind kind;
    std::string message;
};

TEST(Verify, says_which_rule_a_graph_breaks) {
    const std::string p = "%p: bool[], %x: f64[], %v: f64[3]";
    const std::vector<Broken> all{
        {"%x: f64[], %x.2: f64[]", "", ErrorKind::kWrongName,
         "parameter 1: found the name 'x' again, expected another"},
        {"%0: f64[]", "", ErrorKind::kWrongName, "parameter 0: found no name, expected one"},
        {p, "%0 = nothing(%x) : f64[]", ErrorKind::kUnknownOperation,
         "equation 0 (nothing): found operation 'nothing', expected one of the set 'test'"},
        {p, "%0 = exp(%x, %x) : f64[]", ErrorKind::kWrongArity,
         "equation 0 (exp): found 2 operands, expected 1"},
        {p, "%0, %1 = exp(%x) : f64[], f64[]", ErrorKind::kWrongArity,
         "equation 0 (exp): found 2 results, expected 1"},
        {p, "%0 = exp(%x) {base=2} : f64[]", ErrorKind::kWrongAttribute,
         "equation 0 (exp): found attribute 'base', expected none of this name"},
        {p, "%0 = sum(%v) {axes=0} : f64[]", ErrorKind::kWrongAttribute,
         "equation 0 (sum): attribute 'axes': found integer, expected list of integers"},
        {p, "%0 = full() {value=1.0, dtype=f64} : f64[]", ErrorKind::kWrongAttribute,
         "equation 0 (full): found no attribute 'shape', expected list of integers"},
        {p, "%0 = exp(%x) : f32[]", ErrorKind::kWrongType,
         "equation 0 (exp): result 0: found type f32[], expected f64[]"},
        {p, "%0 = add(%x, %p) : f64[]", ErrorKind::kElementTypeMismatch,
         "equation 0 (add): found bool[], expected elements as in f64[]"},
        {p, "%0 = exp(%x) {body=@one} : f64[]", ErrorKind::kWrongSubgraph,
         "equation 0 (exp): found subgraph 'body', expected none"},
        {p, "%0 = call(%x) : f64[]", ErrorKind::kWrongSubgraph,
         "equation 0 (call): found no subgraph 'body'"},
        {p, "%0 = call(%x, %x) {body=@one} : f64[]", ErrorKind::kWrongSubgraph,
         "equation 0 (call): parameters of 'body': found 1, expected 2"},
        {p, "%0 = call(%v) {body=@one} : f64[3]", ErrorKind::kWrongSubgraph,
         "equation 0 (call): parameter 0 of 'body': found f64[], expected f64[3]"},
        {p, "%0 = call(%x) {body=@unsound} : f64[]", ErrorKind::kWrongType,
         "equation 0 (call), 'body': equation 0 (exp): result 0: found type f64[7], expected f64[]"},
        {p, "%0 = cond(%v, %x) {then=@one, else=@one} : f64[]", ErrorKind::kPredicateNotScalar,
         "equation 0 (cond): found a predicate of type f64[3], expected a scalar"},
        {p, "%0 = cond(%x, %x) {then=@one, else=@one} : f64[]", ErrorKind::kPredicateNotBool,
         "equation 0 (cond): found a predicate of type f64[], expected bool[]"},
        {p, "%0 = switch(%p, %x) {branch_0=@one} : f64[]", ErrorKind::kPredicateNotBool,
         "equation 0 (switch): found a predicate of type bool[], expected an integer"},
        {p, "%0 = cond(%p, %x) {then=@one} : f64[]", ErrorKind::kWrongSubgraph,
         "equation 0 (cond): found no subgraph 'else'"},
        {p, "%0 = switch(0:i32, %x) {branch_0=@one, branch_2=@one} : f64[]", ErrorKind::kWrongSubgraph,
         "equation 0 (switch): found subgraph 'branch_2', expected 'branch_1'"},
        {p, "%0 = cond(%p, %x) {then=@one, else=@vector} : f64[]", ErrorKind::kBranchTypeMismatch,
         "equation 0 (cond): result 0 of 'else': found f64[3], expected f64[] as in 'then'"},
        {p, "%0 = cond(%p, %x) {then=@one, else=@two} : f64[]", ErrorKind::kBranchTypeMismatch,
         "equation 0 (cond): results of 'else': found 2, expected 1"},
        {p, "%0 = while(%x) {n_consts=0, cond=@bool, body=@vector} : f64[]", ErrorKind::kCarryTypeChanged,
         "equation 0 (while): carried value 0: found f64[3] after the body, expected f64[]"},
        {p, "%0 = while(%x) {n_consts=0, cond=@one, body=@one} : f64[]", ErrorKind::kPredicateNotBool,
         "equation 0 (while): found a predicate of type f64[], expected bool[]"},
        {p, "%0 = while(%x) {n_consts=0, cond=@vector, body=@one} : f64[]", ErrorKind::kPredicateNotScalar,
         "equation 0 (while): found a predicate of type f64[3], expected bool[]"},
        {p, "%0 = while(%x) {n_consts=0, cond=@bool, body=@two} : f64[]", ErrorKind::kWrongSubgraph,
         "equation 0 (while): results of 'body': found 2, expected 1 carried values"},
        {p, "%0 = while(%x) {n_consts=2, cond=@bool, body=@one} : f64[]", ErrorKind::kWrongArity,
         "equation 0 (while): found 1 operands, expected at least 2 consts and 0 carried"},
        {p, "%0 = while(%x) {n_consts=-1, cond=@bool, body=@one} : f64[]", ErrorKind::kWrongAttribute,
         "equation 0 (while): attribute 'n_consts': found -1, expected at least 0"},
        {p, "%0 = scan(%v) {n_consts=0, n_carry=0, length=4, body=@one} : f64[4]", ErrorKind::kLengthMismatch,
         "equation 0 (scan): operand 0: found f64[3], expected 4 slices in its first dimension"},
        {p, "%0 = scan(%x) {n_consts=0, n_carry=1, length=3, body=@vector} : f64[]",
         ErrorKind::kCarryTypeChanged,
         "equation 0 (scan): carried value 0: found f64[3] after the body, expected f64[]"},
    };
    for (const Broken& each : all) {
        SCOPED_TRACE(each.equations);
        const auto error = verify(graph_of(each.parameters, each.equations), test::operations());
        ASSERT_TRUE(error);
        EXPECT_EQ(error->kind(), each.kind);
        EXPECT_EQ(error->what(), each.message);
    }
}

TEST(Verify, accepts_each_way_to_hold_subgraphs) {
    const Graph graph =
        graph_of("%p: bool[], %i: i32[], %x: f64[], %v: f64[3]",
                 "%0 = call(%x) {body=@one} : f64[]\n"
                 "%1 = cond(%p, %x) {then=@one, else=@one} : f64[]\n"
                 "%2 = switch(%i, %x) {branch_0=@one, branch_1=@one, branch_2=@one} : f64[]\n"
                 "%3 = while(%x) {n_consts=0, cond=@bool, body=@one} : f64[]\n"
                 "%4, %5 = scan(%x) {n_consts=0, n_carry=1, length=5, body=@two} : f64[], f64[5]\n"
                 "%6 = scan(%v) {n_consts=0, n_carry=0, length=3, reverse=true, body=@vector} : f64[3,3]");
    const auto error = verify(graph, test::operations());
    EXPECT_TRUE(!error) << error->what();
}

}  // namespace
}  // namespace tilemeter::ir
