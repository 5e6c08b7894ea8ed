// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/levelized_graph.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/load.hpp"
#include "tests/paths.hpp"

namespace tilemeter::graph {
namespace {

using Ids = std::vector<std::uint32_t>;

/// add(a, multiply(b, c)) as TT-NN records it from C++.
NodeList add_of_multiply() {
    const auto list = node_list_of_text(R"json([
{"counter":0,"node_type":"capture_start","params":null,"arguments":[],"connections":[4,10],"input_tensors":[],"stacking_level":0},
{"counter":1,"node_type":"tensor","params":{"tensor_id":1,"shape":"Shape([32, 32])"},"arguments":[],"connections":[10],"input_tensors":[],"stacking_level":1
},
{"counter":2,"node_type":"tensor","params":{"tensor_id":2,"shape":"Shape([32, 32])"},"arguments":[],"connections":[4,5],"input_tensors":[],"stacking_level":1},
{"counter":3,"node_type":"tensor","params":{"tensor_id":3,"shape":"Shape([32, 32])"},"arguments":[],"connections":[4,5],"input_tensors":[],"stacking_level":1},
{"counter":4,"node_type":"function_start","params":{"name":"ttnn::multiply"},"arguments":["Tensor(b)"],"connections":[5,7],"input_tensors":[2,3],"stacking_level":1},
{"counter":5,"node_type":"function_start","params":{"name":"ttnn::prim::binary_ng"},"arguments":["Tensor(b)"],"connections":[6],"input_tensors":[2,3],"stacking_level":2},
{"counter":6,"node_type":"function_end","params":{"name":"ttnn::prim::binary_ng"},"arguments":[],"connections":[8],"input_tensors":[],"stacking_level":2},
{"counter":7,"node_type":"function_end","params":{"name":"ttnn::multiply"},"arguments":[],"connections":[8,10],"input_tensors":[],"stacking_level":1},
{"counter":8,"node_type":"tensor","params":{"tensor_id":4,"shape":"Shape([32, 32])"},"arguments":[],"connections":[10,11],"input_tensors":[],"stacking_level":2},
{"counter":9,"node_type":"buffer","params":{"type":"L1","size":2048},"arguments":[],"connections":[8],"input_tensors":[],"stacking_level":1},
{"counter":10,"node_type":"function_start","params":{"name":"ttnn::add"},"arguments":["Tensor(a)"],"connections":[11,13],"input_tensors":[1,8],"stacking_level":1},
{"counter":11,"node_type":"function_start","params":{"name":"ttnn::prim::binary_ng"},"arguments":["Tensor(a)"],"connections":[12],"input_tensors":[1,8],"stacking_level":2},
{"counter":12,"node_type":"function_end","params":{"name":"ttnn::prim::binary_ng"},"arguments":[],"connections":[14],"input_tensors":[],"stacking_level":2},
{"counter":13,"node_type":"function_end","params":{"name":"ttnn::add"},"arguments":[],"connections":[14],"input_tensors":[],"stacking_level":1},
{"counter":14,"node_type":"tensor","params":{"tensor_id":5,"shape":"Shape([32, 32])"},"arguments":[],"connections":[],"input_tensors":[],"stacking_level":2},
{"counter":15,"node_type":"capture_end","params":null,"arguments":[],"connections":[],"input_tensors":[],"stacking_level":0}])json");
    EXPECT_TRUE(list.ok());
    return list.value();
}

TEST(LevelizedGraph, of_the_documents_example_at_level_one_is_tensors_and_two_operations) {
    const NodeList list = add_of_multiply();
    const auto graph = extract_levelized_graph(list, 1);
    ASSERT_EQ(graph.size(), 5U);
    EXPECT_EQ(graph[0].name(list), "tensor[1]");
    EXPECT_EQ(graph[3].name(list), "ttnn::multiply");
    EXPECT_EQ(graph[4].name(list), "ttnn::add");
    EXPECT_EQ(graph[3].in_edges, (Ids{1, 2}));
    EXPECT_EQ(graph[3].out_edges, (Ids{4}));
    EXPECT_EQ(graph[4].in_edges, (Ids{0, 3}));
    EXPECT_TRUE(graph[3].internals.empty());
}

TEST(LevelizedGraph, of_the_documents_example_at_level_two_shows_the_primitive_inside) {
    const NodeList list = add_of_multiply();
    const auto graph = extract_levelized_graph(list, 2);
    ASSERT_EQ(graph.size(), 7U);
    EXPECT_EQ(graph[3].internals, (Ids{4}));
    EXPECT_EQ(graph[4].name(list), "ttnn::prim::binary_ng");
    EXPECT_EQ(graph[5].internals, (Ids{6}));
    EXPECT_EQ(graph[1].out_edges, (Ids{3, 4})) << "an input goes to the operation and to what is in it";
}

TEST(LevelizedGraph, joins_mentions_of_a_tensor_where_asked) {
    // As captured in Python: every mention is a node of its own, two levels down.
    auto list = load_node_list(test::data_folder() + "/capture/add.n150.NORMAL.report.json");
    ASSERT_TRUE(list.ok());
    const auto edges = [&](Joining joining) {
        std::size_t count = 0;
        for (const LevelizedVertex& vertex : extract_levelized_graph(list.value(), 2, joining))
            count += vertex.in_edges.size();
        return count;
    };
    EXPECT_EQ(edges(Joining::kByNode), 0U);
    EXPECT_EQ(edges(Joining::kByTensor), 2U) << "both operands of the add";
}

}  // namespace
}  // namespace tilemeter::graph
