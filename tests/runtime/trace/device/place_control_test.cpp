// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Placed graphs as a whole: holders of graphs, tensors in place of values, options, refusals, captures.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "capture/ir/control.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/placing.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using graph::RunMode;
using ir::ErrorKind;
using ir::Graph;
using ir::GraphPtr;
using ir::ValueId;
using nlohmann::json;
using test::Constant;
using test::ElementType;
using test::expect_placed;
using test::Integers;
using test::Numbers;
using test::type_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using trace::FlatBuilder;
using trace::place;
using trace::Placed;
using trace::PlaceOptions;

using ElementType::kBool;
using ElementType::kF32;
using ElementType::kI32;

using Build = std::function<std::vector<ValueId>(FlatBuilder& to, std::span<const ValueId> params)>;

Graph built(const std::vector<ir::TensorType>& types, const Build& build) {
    Graph graph("main", std::string(trace::kFlat));
    std::vector<ValueId> params;
    for (std::size_t i = 0; i < types.size(); ++i)
        params.push_back(graph.add_input("x" + std::to_string(i), types[i]));
    FlatBuilder to(graph);
    graph.set_results(std::span<const ValueId>(build(to, params)));
    return graph;
}

GraphPtr shared(const std::vector<ir::TensorType>& types, const Build& build) {
    return std::make_shared<const Graph>(built(types, build));
}

const auto kMatrix = type_of(kF32, {3, 5});
const auto kNumber = type_of(kF32, {});
const auto kCount = type_of(kI32, {});
const auto kTruth = type_of(kBool, {});

ErrorKind kind_of(const std::function<void()>& act, std::string* message = nullptr) {
    try {
        act();
    } catch (const ir::Error& error) {
        if (message != nullptr) *message = error.what();
        return error.kind();
    }
    return ErrorKind::kCount;
}

class PlacedGraph : public ::testing::Test {
protected:
    const std::shared_ptr<Device>& device() const { return open_.get(); }
    Numbers numbers_{11};

private:
    test::OpenDevice open_;
};

// softmax(x) as lowering writes it: x - max, exp, sum.
Graph softmax_of(const ir::TensorType& type) {
    return built({type}, [&](FlatBuilder& to, std::span<const ValueId> x) {
        const ValueId largest = to.reduce("reduce_max", x[0], {1}, true);
        const ValueId powers = to.op("exp", {to.sub(x[0], to.broadcast(largest, type.shape))});
        const ValueId sum = to.reduce("reduce_sum", powers, {1}, true);
        return std::vector{to.div(powers, to.broadcast(sum, type.shape))};
    });
}

TEST_F(PlacedGraph, runs_the_branch_that_is_taken) {
    const GraphPtr doubled =
        shared({kMatrix}, [](FlatBuilder& to, auto x) { return std::vector{to.mul(x[0], 2)}; });
    const GraphPtr negated =
        shared({kMatrix}, [](FlatBuilder& to, auto x) { return std::vector<ValueId>{to.op("neg", {x[0]})}; });
    const Graph by_bool = built({kTruth, kMatrix}, [&](FlatBuilder& to, std::span<const ValueId> x) {
        const ir::Subgraph branches[] = {{"then", doubled}, {"else", negated}};
        return std::vector<ValueId>{to.op("cond", x, {}, branches)};
    });
    for (const bool taken : {true, false})
        expect_placed(by_bool, {Constant::scalar(taken), numbers_.tensor(kMatrix)}, device(), "cond");
    const Graph by_number = built({kCount, kMatrix}, [&](FlatBuilder& to, std::span<const ValueId> x) {
        const ir::Subgraph branches[] = {{"branch_0", doubled}, {"branch_1", negated}, {"branch_2", doubled}};
        return std::vector<ValueId>{to.op("cond", x, {}, branches)};
    });
    for (const int number : {-1, 0, 1, 2, 7})
        expect_placed(by_number, {Constant::scalar(kI32, number), numbers_.tensor(kMatrix)}, device(),
                      "switch");
}

TEST_F(PlacedGraph, runs_calls_and_loops) {
    const GraphPtr body = shared({kMatrix, kCount, kMatrix}, [](FlatBuilder& to, auto x) {
        return std::vector{to.add(x[1], 1), to.add(to.mul(x[2], 0.5), x[0])};
    });
    const GraphPtr cond = shared({kMatrix, kCount, kMatrix}, [](FlatBuilder& to, auto x) {
        return std::vector{to.compare("LT", x[1], to.full_like(x[1], 4))};
    });
    const Graph loop = built({kMatrix, kCount, kMatrix}, [&](FlatBuilder& to, std::span<const ValueId> x) {
        const ir::Subgraph subgraphs[] = {{"cond", cond}, {"body", body}};
        const ir::ValueRange results = to.op("while", x, {{"n_consts", 1}}, subgraphs);
        return std::vector{results[0], results[1]};
    });
    for (const int start : {0, 3, 9})
        expect_placed(loop,
                      {numbers_.tensor(kMatrix), Constant::scalar(kI32, start), numbers_.tensor(kMatrix)},
                      device(), "while");
    const Graph call = built({kMatrix, kCount, kMatrix}, [&](FlatBuilder& to, std::span<const ValueId> x) {
        const ir::Subgraph subgraphs[] = {{"body", body}};
        const ir::ValueRange inner = to.op("call", x, {}, subgraphs);
        const ValueId again[] = {x[0], inner[0], inner[1]};
        const ir::ValueRange results = to.op("checkpoint", again, {}, subgraphs);
        return std::vector{results[0], results[1]};
    });
    expect_placed(call, {numbers_.tensor(kMatrix), Constant::scalar(kI32, 1), numbers_.tensor(kMatrix)},
                  device(), "call");
}

// Carries and rows of several ranks and types, bools of integers among them.
TEST_F(PlacedGraph, scans_rows) {
    const auto row = type_of(kF32, {5});
    const auto rows = type_of(kF32, {4, 5});
    const auto flags = type_of(kBool, {4});
    const GraphPtr body = shared({row, kTruth, row, kNumber, kTruth}, [](FlatBuilder& to, auto x) {
        const ValueId next = to.add(to.mul(x[0], x[2]), to.broadcast(x[3], to.shape(x[2])));
        const ValueId flag = to.op("xor", {x[1], x[4]});
        const ValueId count = to.convert(flag, ElementType::kI32);
        return std::vector{next, to.compare("EQ", count, to.full_like(count, 1)), to.op("neg", {next})[0],
                           flag, to.reduce("reduce_sum", next, {0}, false)};
    });
    for (const bool reverse : {false, true}) {
        const Graph scan = built(
            {row, kTruth, rows, type_of(kF32, {4}), flags}, [&](FlatBuilder& to, std::span<const ValueId> x) {
                const ir::Subgraph subgraphs[] = {{"body", body}};
                const ir::ValueRange results =
                    to.op("scan", x, {{"n_consts", 0}, {"n_carry", 2}, {"length", 4}, {"reverse", reverse}},
                          subgraphs);
                std::vector<ValueId> all;
                for (std::size_t i = 0; i < results.size(); ++i)
                    all.push_back(results[i]);
                return all;
            });
        expect_placed(scan,
                      {numbers_.tensor(row), Constant::scalar(true), numbers_.tensor(rows),
                       numbers_.tensor(type_of(kF32, {4})), numbers_.tensor(flags)},
                      device(), "scan", 1e-5);
    }
}

TEST_F(PlacedGraph, repeats_and_numbers_become_arguments_of_calls) {
    const Graph flat = softmax_of(kMatrix);
    expect_placed(flat, {numbers_.tensor(kMatrix)}, device(), "softmax");
    const Placed placed = place(flat, device());
    std::vector<std::string> names;
    for (const ir::Equation equation : placed.calls().equations())
        names.push_back(equation.operation());
    EXPECT_THAT(names, ElementsAre("ttnn.max", "ttnn.subtract", "ttnn.exp", "ttnn.sum", "ttnn.divide"));
    const Graph scaled = built({kMatrix}, [](FlatBuilder& to, auto x) {
        const ValueId two = to.scalar(kF32, 2);
        const ValueId half = to.full(kMatrix, 0.5);
        return std::vector{to.sub(half, to.mul(x[0], to.broadcast(two, kMatrix.shape))), half};
    });
    expect_placed(scaled, {numbers_.tensor(kMatrix)}, device(), "numbers");
    EXPECT_THAT(ir::print(place(scaled, device()).calls()), HasSubstr("ttnn.multiply"));
}

TEST_F(PlacedGraph, is_a_graph_of_calls_with_places) {
    const Placed placed = place(softmax_of(kMatrix), device(), {.memory_config = L1_MEMORY_CONFIG});
    EXPECT_EQ(placed.calls().operation_set(), "ttnn");
    EXPECT_FALSE(ir::verify(placed.calls()));
    EXPECT_EQ(ir::print(ir::parse(ir::print(placed.calls()))), ir::print(placed.calls()));
    for (const ir::Equation equation : placed.calls().equations()) {
        const auto& where = placed.calls().type(equation.results()).place;
        ASSERT_TRUE(where);
        EXPECT_EQ(where->device, "n150:0");
        EXPECT_EQ(where->layout, "TILE");
        EXPECT_EQ(where->memory_config, "L1") << equation.operation();
    }
}

TEST_F(PlacedGraph, takes_and_returns_tensors) {
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        const Graph flat = softmax_of(kMatrix);
        Placed placed = place(flat, device(), {.memory_config = L1_MEMORY_CONFIG, .layout = layout});
        ASSERT_EQ(placed.inputs().size(), 1U);
        const TensorSpec spec = placed.inputs()[0];
        EXPECT_EQ(spec.layout, layout);
        const Tensor x = full(Full{.shape = spec.shape,
                                   .fill_value = 1,
                                   .dtype = spec.dtype,
                                   .layout = spec.layout,
                                   .device = device(),
                                   .memory_config = spec.memory_config});
        const std::vector<Tensor> results = placed.run(std::span(&x, 1));
        ASSERT_EQ(results.size(), 1U);
        EXPECT_EQ(results[0].layout(), layout);
        EXPECT_EQ(results[0].memory_config(), L1_MEMORY_CONFIG);
        for (const float value : results[0].to_vector<float>())
            EXPECT_FLOAT_EQ(value, 0.2F);
    }
}

TEST_F(PlacedGraph, computes_in_bfloat16_where_asked_to) {
    const Graph flat = softmax_of(kMatrix);
    const std::vector<Constant> inputs{numbers_.tensor(kMatrix)};
    Placed placed = place(flat, device(), {.dtype = DataType::BFLOAT16});
    EXPECT_EQ(placed.inputs()[0].dtype, DataType::BFLOAT16);
    test::expect_same(placed.run(std::span<const Constant>(inputs)), trace::evaluate(flat, inputs), 0.02,
                      "bfloat16");
}

// Programs that the cache keeps apart.
TEST_F(PlacedGraph, leaves_nothing_on_the_device) {
    const Graph flat = built({type_of(kF32, {64, 3})}, [&](FlatBuilder& to, std::span<const ValueId> x) {
        const ValueId table = to.graph().add_const(numbers_.tensor(type_of(kF32, {3, 2})));
        return std::vector<ValueId>{to.op("dot_general", {x[0], table},
                                          {{"lhs_batch", Integers{}},
                                           {"rhs_batch", Integers{}},
                                           {"lhs_contract", Integers{1}},
                                           {"rhs_contract", Integers{0}}})};
    });
    const auto owners = [&] { return device()->owners(record::MemoryType::kDram).size(); };
    const auto use = [&] {
        Placed placed = place(flat, device());
        EXPECT_GT(owners(), 0U);
        const std::vector<Constant> inputs{numbers_.tensor(type_of(kF32, {64, 3}))};
        placed.run(std::span<const Constant>(inputs));
    };
    use();
    const std::size_t after = owners();
    use();
    EXPECT_EQ(owners(), after);
}

TEST_F(PlacedGraph, changes_nothing_of_the_device_before_it_runs) {
    const std::uint64_t before = device()->state_hash();
    const Placed placed = place(softmax_of(kMatrix), device());
    EXPECT_EQ(device()->state_hash(), before);
}

TEST_F(PlacedGraph, plans_in_a_NO_DISPATCH_capture_what_it_runs) {
    Placed placed = place(softmax_of(type_of(kF32, {64, 96})), device());
    const auto names = [&](RunMode mode) {
        const TensorSpec spec = placed.inputs()[0];
        const Tensor x = empty(Empty{spec.shape, spec.dtype, spec.layout, device(), spec.memory_config});
        GraphProcessor::begin_graph_capture(mode);
        placed.run(std::span(&x, 1));
        std::vector<std::string> found;
        for (const json& node : GraphProcessor::end_graph_capture())
            if (node.at("node_type") == "function_start") found.push_back(node.at("params").at("name"));
        return found;
    };
    const std::uint64_t before = device()->state_hash();
    const std::vector<std::string> planned = names(RunMode::NO_DISPATCH);
    EXPECT_EQ(device()->state_hash(), before);
    EXPECT_THAT(planned, ::testing::Contains("ttnn::subtract"));
    EXPECT_EQ(planned, names(RunMode::NORMAL));
}

TEST_F(PlacedGraph, refuses_by_name_before_anything_runs) {
    const auto image = type_of(kF32, {1, 2, 8, 8});
    const Graph convolution = test::graph_of("convolution", {image, type_of(kF32, {3, 2, 3, 3})});
    EXPECT_THAT(trace::unplaceable(convolution), ElementsAre("convolution"));
    std::string message;
    const std::uint64_t before = device()->state_hash();
    EXPECT_EQ(kind_of([&] { place(convolution, device()); }, &message), ErrorKind::kNoRule);
    EXPECT_THAT(message, HasSubstr("convolution"));
    EXPECT_EQ(device()->state_hash(), before);
    EXPECT_THAT(trace::unplaceable(test::graph_of("sort", {type_of(kI32, {8})}, {{"axis", 0}})),
                ElementsAre("sort of i32"));
    EXPECT_THAT(trace::unplaceable(test::graph_of("neg", {type_of(ElementType::kI64, {8})})),
                ElementsAre("parameter of i64", "neg of i64"));
    EXPECT_THAT(trace::unplaceable(test::graph_of("exp", {type_of(kF32, {0, 2})})),
                ElementsAre("parameter of tensors without elements", "exp of tensors without elements"));
    EXPECT_TRUE(trace::unplaceable(softmax_of(kMatrix)).empty());
    // Found inside of a branch, too.
    const GraphPtr refused = std::make_shared<const Graph>(test::graph_of("popcnt", {kCount}));
    const Graph holder = built({kCount}, [&](FlatBuilder& to, std::span<const ValueId> x) {
        const ir::Subgraph body[] = {{"body", refused}};
        return std::vector<ValueId>{to.op("call", x, {}, body)};
    });
    EXPECT_THAT(trace::unplaceable(holder), ElementsAre("popcnt"));
}

TEST_F(PlacedGraph, gathers_from_a_row_that_no_core_has_room_for) {
    const Graph gather = test::graph_of("gather", {type_of(kF32, {1000, 1000}), type_of(kI32, {4, 2})},
                                        {{"offset_dims", Integers{}},
                                         {"collapsed_slice_dims", Integers{0, 1}},
                                         {"start_index_map", Integers{0, 1}},
                                         {"index_vector_dim", 1},
                                         {"slice_sizes", Integers{1, 1}}});
    EXPECT_TRUE(trace::unplaceable(gather).empty());
    EXPECT_NO_THROW(place(gather, device()));
}

TEST_F(PlacedGraph, refuses_other_inputs_and_options) {
    Placed placed = place(softmax_of(kMatrix), device());
    const auto run_with = [&](const std::vector<Constant>& inputs) {
        return kind_of([&] { placed.run(std::span<const Constant>(inputs)); });
    };
    EXPECT_EQ(run_with({}), ErrorKind::kWrongArity);
    EXPECT_EQ(run_with({numbers_.tensor(type_of(kF32, {5, 3}))}), ErrorKind::kShapeMismatch);
    EXPECT_EQ(run_with({numbers_.tensor(type_of(kI32, {3, 5}))}), ErrorKind::kElementTypeMismatch);
    const Tensor other = zeros({3, 5}, DataType::BFLOAT16, Layout::TILE, device());
    EXPECT_EQ(kind_of([&] { placed.run(std::span(&other, 1)); }), ErrorKind::kElementTypeMismatch);
    EXPECT_EQ(kind_of([&] { place(softmax_of(kMatrix), device(), {.dtype = DataType::INT32}); }),
              ErrorKind::kBadArgument);
    MemoryConfig sharded;
    sharded.memory_layout = TensorMemoryLayout::HEIGHT_SHARDED;
    EXPECT_EQ(kind_of([&] { place(softmax_of(kMatrix), device(), {.memory_config = sharded}); }),
              ErrorKind::kBadArgument);
}

}  // namespace
}  // namespace tilemeter
