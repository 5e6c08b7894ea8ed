// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/fx_table.hpp"
#include "capture/ir/operation_set.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/tripy_text.hpp"
#include "capture/ir/verify.hpp"
#include "tests/capture/ir/operations.hpp"
#include "tests/capture/ir/random_graph.hpp"

namespace tilemeter::ir {
namespace {

using test::operations;

const TripyOptions kOnGpu{.device = "gpu:0", .spellings = {}};

// The texts of Tripy's own document.
TEST(TripyText, of_the_documents_program) {
    Graph trace;
    const ValueId inp = add_op(trace, operations(), "full", {},
                               {{"value", 0.5}, {"shape", Integers{2, 3}}, {"dtype", ElementType::kF32}});
    const ValueId out = add_op(trace, operations(), "tanh", {inp});
    trace.set_results({out});
    EXPECT_EQ(tripy_trace_ir(trace, kOnGpu),
              "==== Trace IR ====\n"
              "t0 = fill(value=0.5, shape=(2, 3), dtype=float32)\n"
              "t1 = unaryelementwise(t0, kind=Kind.TANH)\n"
              "outputs:\n"
              "    t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]\n");

    const std::vector<std::string> names = tripy_trace_names(trace);
    Graph flat;
    const std::vector<TensorType> type{{ElementType::kF32, {2, 3}, {}}};
    const std::vector<ValueId> half{flat.add_const(Constant::scalar(ElementType::kF32, 0.5))};
    const std::vector<ValueId> filled{
        flat.append("broadcast_in_dim", half, type, {{"dims", Integers{}}, {"shape", Integers{2, 3}}})};
    flat.set_name(filled[0], names[index_of(inp)]);
    const ValueId result = flat.append("tanh", filled, type);
    flat.set_name(result, names[index_of(out)]);
    flat.set_results({result});
    EXPECT_EQ(
        tripy_flat_ir(flat, kOnGpu),
        "==== Flat IR ====\n"
        "t_inter1: [shape=(), dtype=(float32), loc=(gpu:0)] = ConstantOp(data=0.5, dtype=float32, device=gpu:0)\n"
        "t0: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = BroadcastOp(t_inter1, broadcast_dim=[])\n"
        "t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)] = TanhOp(t0)\n"
        "outputs:\n"
        "    t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]\n");
}

TEST(TripyText, names_inputs_and_constants) {
    Graph graph;
    const ValueId x = graph.add_input("x", {ElementType::kBF16, {2}, Place{"n150:0", "TILE", "L1"}});
    const std::vector<double> values{1, 2};
    const ValueId table = graph.add_const(Constant::of(ElementType::kBF16, {2}, std::span(values)));
    const ValueId two = graph.add_const(Constant::scalar(ElementType::kBF16, 1e-5));
    const ValueId y = add_op(graph, operations(), "add", {x, table});
    graph.set_results({add_op(graph, operations(), "mul", {y, two})});
    EXPECT_EQ(tripy_trace_ir(graph),
              "==== Trace IR ====\n"
              "inputs:\n"
              "    x: [shape=(2,), dtype=(bfloat16), loc=(n150:0)]\n"
              "t0 = storage(data=[1.0, 2.0], shape=(2,), dtype=bfloat16, loc=host)\n"
              "t1 = add(x, t0)\n"
              "t2 = mul(t1, 1.001358e-05)\n"
              "outputs:\n"
              "    t2: [shape=(2,), dtype=(bfloat16), loc=(n150:0)]\n");
}

TEST(FxTable, of_a_graph) {
    const Graph graph = parse(R"(tilemeter graph 1
subgraph @step(%c: f64[], %x: f64[]) {
  %0 = add(%c, %x) : f64[]
  return %0, %0
}
graph @main(%x: f64[3], %w: f64[3]) {
  %table = constant [1.0, 2.0, 3.0] : f64[3]
  %0 = mul(%x, %w) : f64[3] at "model.py":12 in "encoder/0"
  %1 = mul(%0, %table) : f64[3]
  %2, %3 = scan(0.0:f64, %1) {length=3, n_carry=1, n_consts=0, body=@step} : f64[], f64[3]
  %4 = sum(%3) {axes=[0], keepdims=false} : f64[]
  return %4, %2
}
)");
    ASSERT_EQ(verify(graph, operations()), std::nullopt);
    EXPECT_EQ(
        fx_table(graph),
        "opcode         name       target    args               kwargs\n"
        "-------------  ---------  --------  -----------------  --------------------------------------------------------\n"
        "placeholder    x          x         ()                 {}\n"
        "placeholder    w          w         ()                 {}\n"
        "get_attr       table      table     ()                 {}\n"
        "call_function  mul        mul       (x, w)             {}\n"
        "call_function  mul_1      mul       (mul, table)       {}\n"
        "call_function  scan       scan      (0.0, mul_1)       {'length': 3, 'n_carry': 1, 'n_consts': 0, 'body': step}\n"
        "call_function  getitem    getitem   (scan, 0)          {}\n"
        "call_function  getitem_1  getitem   (scan, 1)          {}\n"
        "call_function  sum        sum       (getitem_1,)       {'axes': [0], 'keepdims': False}\n"
        "output         output     output    ((sum, getitem),)  {}\n"
        "\n"
        "step ('body' of scan):\n"
        "opcode         name    target    args           kwargs\n"
        "-------------  ------  --------  -------------  --------\n"
        "placeholder    c       c         ()             {}\n"
        "placeholder    x       x         ()             {}\n"
        "call_function  add     add       (c, x)         {}\n"
        "output         output  output    ((add, add),)  {}\n");
    EXPECT_EQ(fx_rows(graph)[3].type, "f64[3]");
    EXPECT_EQ(fx_rows(graph)[3].scope, "encoder/0");
}

TEST(Views, take_any_graph_without_cycles) {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        const Graph graph = test::random_graph(seed);
        const auto is_sound = [](const auto& self, const Graph& each) -> bool {
            return find_cycle(each).empty() &&
                   std::ranges::all_of(each.equations(), [&](const Equation& equation) {
                       return std::ranges::all_of(equation.subgraphs(), [&](const Subgraph& held) {
                           return self(self, *held.graph);
                       });
                   });
        };
        if (!is_sound(is_sound, graph)) continue;
        EXPECT_FALSE(fx_table(graph, true).empty());
        EXPECT_FALSE(tripy_trace_ir(graph).empty());
        EXPECT_FALSE(tripy_flat_ir(graph).empty());
    }
}

}  // namespace
}  // namespace tilemeter::ir
