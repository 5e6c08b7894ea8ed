// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/ttnn/levelized_graph.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/nodes/load.hpp"
#include "tests/paths.hpp"

namespace tilemeter::analysis {
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

/// One vertex a line: "3 ttnn::multiply in 1 2 out 4 Shape([32, 32])", indented by level.
std::string text_of(const NodeList& list, std::int64_t max_level, Joining joining) {
    std::string text;
    const auto add = [&](const char* what, const Ids& ids) {
        if (ids.empty()) return;
        text += what;
        for (const std::uint32_t id : ids)
            text += " " + std::to_string(id);
    };
    for (const LevelizedVertex& vertex : extract_levelized_graph(list, max_level, joining)) {
        text += std::to_string(vertex.counter) + " " +
                std::string(static_cast<std::size_t>(vertex.stacking_level - 1) * 2, ' ') + vertex.name(list);
        add(" in", vertex.in_edges);
        add(" out", vertex.out_edges);
        add(" internals", vertex.internals);
        for (const TextRef shape : vertex.output_shape)
            text += " " + std::string(list.text(shape));
        text += "\n";
    }
    return text;
}

NodeList load(const std::string& path) {
    auto list = load_node_list(test::data_folder() + path);
    EXPECT_TRUE(list.ok());
    return list ? std::move(list.value()) : NodeList();
}

TEST(LevelizedGraph, by_tensor_of_the_documents_example_is_the_documents_picture) {
    EXPECT_EQ(text_of(add_of_multiply(), 1, Joining::kByTensor),
              "0 tensor[2] out 3 Shape([32, 32])\n"
              "1 tensor[3] out 3 Shape([32, 32])\n"
              "2 tensor[1] out 4 Shape([32, 32])\n"
              "3 ttnn::multiply in 0 1 out 4 Shape([32, 32])\n"
              "4 ttnn::add in 2 3 Shape([32, 32])\n");
    EXPECT_EQ(text_of(add_of_multiply(), 2, Joining::kByTensor),
              "0 tensor[2] out 3 4 Shape([32, 32])\n"
              "1 tensor[3] out 3 4 Shape([32, 32])\n"
              "2 tensor[1] out 5 6 Shape([32, 32])\n"
              "3 ttnn::multiply in 0 1 out 5 6 internals 4 Shape([32, 32])\n"
              "4   ttnn::prim::binary_ng in 0 1 Shape([32, 32])\n"
              "5 ttnn::add in 2 3 internals 6 Shape([32, 32])\n"
              "6   ttnn::prim::binary_ng in 2 3 Shape([32, 32])\n");
}

// TT-NN's own report of a script in Python: mentions are two levels down, ends of the outer functions give no
// tensor.
TEST(LevelizedGraph, by_tensor_of_ttnns_report_has_edges_and_shapes_where_ttnns_has_none) {
    const NodeList list = load("/reports/add.n150.NORMAL/report.json");
    EXPECT_EQ(text_of(list, 1, Joining::kByTensor),
              "0 tensor[0] out 2 Shape([4, 3, 32, 32])\n"
              "1 tensor[3] out 3 Shape([1, 3, 32, 32])\n"
              "2 ttnn.zeros in 0 out 4 Shape([4, 3, 32, 32])\n"
              "3 ttnn.zeros in 1 out 4 Shape([1, 3, 32, 32])\n"
              "4 ttnn.add in 2 3 Shape([4, 3, 32, 32])\n"
              "5 Tensor::deallocate\n"
              "6 Tensor::deallocate\n");
    EXPECT_EQ(text_of(list, 1, Joining::kByNode),
              "0 ttnn.zeros\n"
              "1 ttnn.zeros\n"
              "2 ttnn.add\n"
              "3 Tensor::deallocate\n"
              "4 Tensor::deallocate\n");
}

TEST(LevelizedGraph, by_tensor_at_level_two_feeds_operations_and_what_is_in_them) {
    const NodeList list = load("/reports/matmul_sharded_height.n150.NORMAL/report.json");
    EXPECT_EQ(text_of(list, 2, Joining::kByTensor),
              "0 tensor[1] out 2 3 Shape([1, 1, 512, 512])\n"
              "1 tensor[3] out 4 5 Shape([1, 1, 512, 512])\n"
              "2 ttnn.to_memory_config in 0 out 4 5 internals 3 Shape([1, 1, 512, 512])\n"
              "3   InterleavedToShardedDeviceOperation in 0 Shape([1, 1, 512, 512])\n"
              "4 ttnn.matmul in 2 1 internals 5 Shape([1, 1, 512, 512])\n"
              "5   MatmulDeviceOperation in 2 1 Shape([1, 1, 512, 512])\n"
              "6 ttnn.deallocate internals 7\n"
              "7   Tensor::deallocate\n");
}

TEST(LevelizedGraph, by_tensor_takes_who_wrote_in_place_last_as_the_producer) {
    const auto node = [](int counter, const std::string& kind, const std::string& params,
                         const std::string& connections, const std::string& inputs, int level) {
        return "{\"counter\":" + std::to_string(counter) + ",\"node_type\":\"" + kind + "\",\"params\":{" +
               params + "},\"arguments\":[],\"connections\":[" + connections + "],\"input_tensors\":[" +
               inputs + "],\"stacking_level\":" + std::to_string(level) + "}";
    };
    const std::string buffer = R"("type":"L1","size":2048,"device_id":0)";
    const auto list = node_list_of_text("[" + node(0, "capture_start", "", "1", "", 0) + "," +
                                        node(1, "function_start", R"("name":"make")", "2", "", 1) + "," +
                                        node(2, "function_end", R"("name":"make")", "3", "", 1) + "," +
                                        node(3, "tensor", R"("tensor_id":1)", "", "", 1) + "," +
                                        node(4, "buffer", buffer, "3,6,8,10", "", 1) + "," +
                                        node(5, "function_start", R"("name":"relu_")", "7", "6", 1) + "," +
                                        node(6, "tensor", R"("tensor_id":2)", "5", "", 1) + "," +
                                        node(7, "function_end", R"("name":"relu_")", "8", "", 1) + "," +
                                        node(8, "tensor", R"("tensor_id":3)", "", "", 1) + "," +
                                        node(9, "function_start", R"("name":"read")", "11", "10", 1) + "," +
                                        node(10, "tensor", R"("tensor_id":4)", "9", "", 1) + "," +
                                        node(11, "function_end", R"("name":"read")", "", "", 1) + "]");
    ASSERT_TRUE(list.ok()) << list.error().message();
    EXPECT_EQ(text_of(list.value(), 1, Joining::kByTensor),
              "0 make out 1\n1 relu_ in 0 out 2\n2 read in 1\n");
}

}  // namespace
}  // namespace tilemeter::analysis
