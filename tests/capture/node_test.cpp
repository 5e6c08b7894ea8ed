// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The fields of single nodes.

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "tests/capture/well_formed.hpp"

namespace tilemeter::graph {
namespace {

using nlohmann::json;
using record::BufferId;
using record::DeviceId;
using record::TextId;
using test::nodes_of_type;

constexpr auto kObserved = record::Origin::kObserved;
constexpr DeviceId kMesh{7};

class Node : public testing::Test {
protected:
    Node() { GraphProcessor::begin_graph_capture(); }
    ~Node() override {
        if (is_graph_capture_active()) GraphProcessor::end_capture();
    }

    /// Ends the capture; both forms of output must agree.
    static json end() {
        const CapturedGraph captured = GraphProcessor::end_capture();
        EXPECT_EQ(json::parse(captured.to_text()), captured.to_json());
        return captured.to_json();
    }

    static record::TensorSpecId type(bool on_device) {
        record::TensorInfo info;
        info.shape = {4, 3, 32, 32};
        info.dtype = record::intern("DataType::BFLOAT16");
        info.layout = record::intern("Layout::TILE");
        info.on_device = on_device;
        info.size_bytes = 24576;
        info.buffer_size_bytes = 32768;
        info.memory = record::MemoryType::kL1Small;
        info.buffer_layout = record::BufferLayout::kBlockSharded;
        info.memory_config = record::intern("MemoryConfig(...)");
        info.argument_text = record::intern("Tensor(storage=DeviceStorage())");
        return record::intern(info);
    }

    static record::BufferRecord buffer(BufferId id) {
        return {id,  kMesh, record::MemoryType::kDram, record::BufferLayout::kHeightSharded, 6, 1024, 4096,
                512, 256};
    }
};

TEST_F(Node, given_a_device_tensor_then_it_lists_the_chips_behind_its_mesh) {
    record::DeviceInfo info;
    info.chips = {0, 3};
    record::announce_device(kMesh, info);
    record::emit_function_begin(record::intern("op"), 1);
    record::emit_input_tensor(
        {record::TensorId{5}, type(true), kMesh, record::next_buffer_id(), 4096, false});
    record::emit_function_end();
    const json graph = end();
    EXPECT_EQ(graph[2]["params"],
              (json{{"address", 4096},
                    {"buffer_type", 3},
                    {"device_id", 7},
                    {"device_tensors", R"([{"address":4096,"device_id":0,"mesh_device_id":7},)"
                                       R"({"address":4096,"device_id":3,"mesh_device_id":7}])"},
                    {"dtype", "DataType::BFLOAT16"},
                    {"layout", "Layout::TILE"},
                    {"memory_config", "MemoryConfig(...)"},
                    {"shape", "Shape([4, 3, 32, 32])"},
                    {"size", 24576},
                    {"storage_type", "DEVICE"},
                    {"tensor_id", 5}}));
    EXPECT_EQ(graph[1]["input_tensors"], json({2}));
    EXPECT_EQ(graph[2]["connections"], json({1}));
}

TEST_F(Node, given_a_tensor_from_before_the_capture_then_its_buffer_follows_its_first_mention) {
    const record::TensorRecord tensor{record::TensorId{5},      type(true), kMesh,
                                      record::next_buffer_id(), 4096,       false};
    record::emit_function_begin(record::intern("op"), 1);
    record::emit_input_tensor(tensor);
    record::emit_input_tensor(tensor);
    record::emit_function_end();
    const json graph = end();
    test::expect_well_formed(graph);
    EXPECT_EQ(graph[3]["node_type"], "buffer");
    EXPECT_EQ(graph[3]["connections"], json({2, 4}));
    EXPECT_EQ(graph[3]["params"], (json{{"buffer_type", 3},
                                        {"device_id", 7},
                                        {"layout", "BLOCK_SHARDED"},
                                        {"size", 32768},
                                        {"type", "L1"}}));
    EXPECT_EQ(graph[1]["connections"], json({3, 5})) << "tensors are no children of functions, buffers are";
}

TEST_F(Node, given_a_view_then_it_names_neither_address_nor_device_and_no_buffer) {
    record::emit_function_begin(record::intern("reshape"), 1);
    record::emit_output_tensor(
        {record::TensorId{6}, type(true), kMesh, record::next_buffer_id(), 4096, true});
    record::emit_function_end();
    const json graph = end();
    EXPECT_TRUE(nodes_of_type(graph, "buffer").empty());
    const json view = nodes_of_type(graph, "tensor").front();
    EXPECT_FALSE(view["params"].contains("address"));
    EXPECT_FALSE(view["params"].contains("device_id"));
    EXPECT_TRUE(view["params"].contains("device_tensors"));
    EXPECT_EQ(view["stacking_level"], 1);
}

TEST_F(Node, given_a_host_tensor_then_it_has_no_device_fields) {
    record::emit_function_begin(record::intern("op"), 1);
    record::emit_input_tensor({record::TensorId{9}, type(false), {}, BufferId::kNone, 0, false});
    record::emit_function_end();
    EXPECT_EQ(end()[2]["params"], (json{{"dtype", "DataType::BFLOAT16"},
                                        {"layout", "Layout::TILE"},
                                        {"shape", "Shape([4, 3, 32, 32])"},
                                        {"size", 24576},
                                        {"storage_type", "HOST"},
                                        {"tensor_id", 9}}));
}

TEST_F(Node, given_a_device_nobody_announced_then_it_stands_for_itself) {
    constexpr DeviceId kUnknown{4711};
    record::emit_function_begin(record::intern("op"), 1);
    record::emit_input_tensor(
        {record::TensorId{5}, type(true), kUnknown, record::next_buffer_id(), 1, false});
    record::emit_function_end();
    EXPECT_EQ(end()[2]["params"]["device_tensors"],
              R"([{"address":1,"device_id":4711,"mesh_device_id":4711}])");
}

TEST_F(Node, given_outputs_of_a_nested_function_then_each_function_keeps_its_own) {
    const record::TensorSpecId spec = type(false);
    const auto output = [spec](std::uint64_t id) {
        record::emit_output_tensor({static_cast<record::TensorId>(id), spec, {}, BufferId::kNone, 0, false});
    };
    record::emit_function_begin(record::intern("outer"), 0);
    output(1);
    record::emit_function_begin(record::intern("inner"), 0);
    output(2);
    output(3);
    record::emit_function_end();
    output(4);
    record::emit_function_end();
    const json graph = end();
    const auto ids_after = [&graph](const json& end_node) {
        json ids = json::array();
        for (const json& target : end_node["connections"]) {
            const json& node = graph[target.get<std::size_t>()];
            if (node["node_type"] == "tensor") ids.push_back(node["params"]["tensor_id"]);
        }
        return ids;
    };
    const auto ends = nodes_of_type(graph, "function_end");
    EXPECT_EQ(ids_after(ends[0]), json({2, 3}));
    EXPECT_EQ(ids_after(ends[1]), json({1, 4}));
}

TEST_F(Node, given_an_allocation_then_buffer_and_event_carry_its_figures) {
    const BufferId id = record::next_buffer_id();
    record::emit_buffer_allocate(buffer(id), kObserved);
    record::emit_buffer_free(buffer(id), kObserved);
    const json graph = end();
    test::expect_well_formed(graph);
    EXPECT_EQ(graph[0]["connections"], json({1, 2, 3, 4}))
        << "what happens outside functions hangs on the start";
    EXPECT_EQ(graph[1]["node_type"], "buffer");
    EXPECT_EQ(graph[2]["connections"], json({1}));
    const json figures = {{"address", 1024},
                          {"buffer_type", 0},
                          {"device_id", 7},
                          {"layout", "HEIGHT_SHARDED"},
                          {"max_size_per_bank", 512},
                          {"num_cores", 6},
                          {"page_size", 256},
                          {"size", 4096},
                          {"type", "DRAM"}};
    EXPECT_EQ(graph[2]["params"], figures);
    EXPECT_EQ(graph[3]["node_type"], "buffer_deallocate");
    EXPECT_EQ(graph[3]["params"], figures);
    EXPECT_EQ(graph[3]["connections"], json({1}));
}

TEST_F(Node, given_a_buffer_of_a_metal_trace_then_it_lies_in_dram) {
    record::BufferRecord trace = buffer(record::next_buffer_id());
    trace.memory = record::MemoryType::kTrace;
    record::emit_buffer_allocate(trace, kObserved);
    const json graph = end();
    EXPECT_EQ(graph[1]["params"]["type"], "DRAM");
    EXPECT_EQ(graph[2]["params"]["type"], "DRAM");
    EXPECT_EQ(graph[2]["params"]["buffer_type"], 4);
}

TEST_F(Node, given_program_memory_then_shared_memory_is_marked_by_text) {
    const TextId cores = record::intern("{[0-0 - 7-7]}");
    record::emit_function_begin(record::intern("op"), 0);
    record::emit_program_begin(kMesh, 3, kObserved);
    record::emit_program_memory(record::EventKind::kCircularBuffer,
                                {3, kMesh, cores, 105824, 4096, BufferId{12}}, kObserved);
    record::emit_program_memory(record::EventKind::kDataflowBuffer,
                                {3, kMesh, cores, 109920, 2048, BufferId::kNone}, kObserved);
    record::emit_program_memory(record::EventKind::kScratchpad, {3, kMesh, cores, 5, 6, BufferId::kNone},
                                kObserved);
    record::emit_function_end();
    const json graph = end();
    EXPECT_EQ(graph[2]["node_type"], "circular_buffer_deallocate_all");
    EXPECT_EQ(graph[2]["connections"], json({1})) << "a back edge";
    EXPECT_EQ(graph[2]["params"], (json{{"device_id", 7}}));
    EXPECT_EQ(graph[3]["params"], (json{{"address", 105824},
                                        {"core_range_set", "{[0-0 - 7-7]}"},
                                        {"device_id", 7},
                                        {"globally_allocated", "1"},
                                        {"size", 4096}}));
    EXPECT_EQ(graph[4]["params"], (json{{"address", 109920},
                                        {"borrows_memory", "0"},
                                        {"core_range_set", "{[0-0 - 7-7]}"},
                                        {"device_id", 7},
                                        {"size", 2048}}));
    EXPECT_EQ(graph[5]["node_type"], "scratchpad_allocate");
    EXPECT_EQ(graph[5]["params"],
              (json{{"address", 5}, {"core_range_set", "{[0-0 - 7-7]}"}, {"device_id", 7}, {"size", 6}}));
}

TEST_F(Node, given_a_sub_device_manager_at_every_execution_then_the_capture_shows_it_once_per_device) {
    const TextId text = record::intern("[]");
    for (int i = 0; i < 2; ++i) {
        record::emit_sub_device_manager(kMesh, 4, text);
        record::emit_program_execution(kMesh, 1, {8, 8192, 4, 1, 2}, TextId::kNone, 1);
    }
    record::emit_sub_device_manager(DeviceId{8}, 4, text);
    const json graph = end();
    EXPECT_EQ(nodes_of_type(graph, "sub_device_manager").size(), 2U);
    EXPECT_EQ(nodes_of_type(graph, "program_execution")[0]["params"], (json{{"command_queue_id", 1},
                                                                            {"device_id", 7},
                                                                            {"global_call_count", 8192},
                                                                            {"physical_device_id", 1},
                                                                            {"runtime_id", 8},
                                                                            {"sub_device_manager_id", 4}}));
}

TEST_F(Node, given_a_selected_program_then_the_functions_start_tells_of_it) {
    record::emit_function_begin(record::intern("op"), 2);
    record::emit_program_selected(record::intern("Factory"), 3, true);
    record::emit_function_end();
    EXPECT_EQ(end()[1]["params"], (json{{"inputs", "2"},
                                        {"name", "op"},
                                        {"program_cache_hit", true},
                                        {"program_factory_index", 3},
                                        {"program_factory_type", "Factory"}}));
}

TEST_F(Node, given_arguments_of_every_type_then_each_is_one_text) {
    using record::ArgumentType;
    record::emit_function_begin(record::intern("op"), 7);
    record::emit_argument(record::intern("DataType::BFLOAT16"));
    record::emit_argument(ArgumentType::kInteger, -3);
    record::emit_argument(ArgumentType::kReal, 0, 1e-5F);
    record::emit_argument(ArgumentType::kReal, 0, 1.0 / 96);
    record::emit_argument(ArgumentType::kBoolean, 1);
    record::emit_argument(record::TensorId{1}, type(true));
    record::emit_argument(ArgumentType::kListBegin, 0);
    record::emit_argument(record::TensorId{1}, type(true));
    record::emit_argument(ArgumentType::kListBegin, 0);
    record::emit_argument(ArgumentType::kListEnd, 0);
    record::emit_argument(ArgumentType::kListBegin, 0);
    record::emit_argument(ArgumentType::kInteger, 1);
    record::emit_argument(ArgumentType::kInteger, 2);
    record::emit_argument(ArgumentType::kListEnd, 0);
    record::emit_argument(ArgumentType::kListEnd, 0);
    record::emit_argument(TextId::kNone);
    record::emit_function_end();
    EXPECT_EQ(end()[1]["arguments"],
              json({"DataType::BFLOAT16", "-3", "1e-05", "0.0104167", "1", "Tensor(storage=DeviceStorage())",
                    "{Tensor(storage=DeviceStorage()), {}, {1, 2}}", ""}));
}

TEST_F(Node, given_lists_that_do_not_match_then_the_arguments_are_still_whole) {
    using record::ArgumentType;
    record::emit_function_begin(record::intern("op"), 2);
    record::emit_argument(ArgumentType::kListEnd, 0);
    record::emit_argument(ArgumentType::kInteger, 1);
    record::emit_argument(ArgumentType::kListBegin, 0);
    record::emit_argument(ArgumentType::kListBegin, 0);
    record::emit_argument(ArgumentType::kInteger, 2);
    record::emit_function_end();
    EXPECT_EQ(end()[1]["arguments"], json({"1", "{{2}}"}));
}

TEST_F(Node, given_arguments_and_inputs_after_a_nested_call_then_they_stay_with_their_function) {
    record::emit_function_begin(record::intern("outer"), 2);
    record::emit_argument(record::intern("a"));
    record::emit_function_begin(record::intern("inner"), 1);
    record::emit_argument(record::intern("b"));
    record::emit_function_end();
    record::emit_argument(record::intern("c"));
    record::emit_input_tensor({record::TensorId{3}, type(false), {}, BufferId::kNone, 0, false});
    record::emit_function_end();
    const json graph = end();
    EXPECT_EQ(graph[1]["arguments"], json({"a", "c"}));
    EXPECT_EQ(graph[1]["input_tensors"], json({4}));
    EXPECT_EQ(graph[2]["arguments"], json({"b"}));
}

TEST_F(Node, given_awkward_names_then_they_are_escaped_and_broken_utf8_is_replaced) {
    constexpr char kText[] = "quote\" back\\slash \n\t\x01 \x7f \0 end";
    const std::string controls(kText, sizeof kText - 1);
    GraphProcessor::track_function_start(controls);
    GraphProcessor::track_function_end();
    GraphProcessor::track_function_start("\xe6\xbc\xa2\xe5\xad\x97");
    GraphProcessor::track_function_end();
    GraphProcessor::track_function_start("broken \xff\xc3(");
    GraphProcessor::track_function_end();
    GraphProcessor::track_function_start("");
    GraphProcessor::track_function_end();
    const auto starts = nodes_of_type(end(), "function_start");
    EXPECT_EQ(starts[0]["params"]["name"], controls);
    EXPECT_EQ(starts[1]["params"]["name"], "\xe6\xbc\xa2\xe5\xad\x97");
    EXPECT_EQ(starts[2]["params"]["name"], "broken \xef\xbf\xbd\xef\xbf\xbd(");
    EXPECT_EQ(starts[3]["params"]["name"], "");
}

TEST_F(Node, given_the_largest_figures_then_they_stay_whole) {
    constexpr std::uint64_t kLargest = ~std::uint64_t{0};
    record::emit_buffer_allocate(
        {BufferId{kLargest}, DeviceId{8191}, record::MemoryType::kTrace, record::BufferLayout::kNdSharded,
         4294967295U, kLargest, kLargest, kLargest, kLargest >> 8},
        kObserved);
    const json graph = end();
    EXPECT_EQ(graph[2]["params"]["size"], kLargest);
    EXPECT_EQ(graph[2]["params"]["page_size"], kLargest >> 8);
    EXPECT_EQ(graph[2]["params"]["num_cores"], 4294967295U);
    EXPECT_EQ(graph[2]["params"]["device_id"], 8191);
    EXPECT_EQ(graph[2]["params"]["layout"], "UNKNOWN");  // TT-NN has no text for kNdSharded there
    EXPECT_EQ(graph[2]["params"]["type"], "DRAM");
}

}  // namespace
}  // namespace tilemeter::graph
