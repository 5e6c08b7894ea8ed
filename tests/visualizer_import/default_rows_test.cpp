// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Rows that differ from TT-NN's on purpose: one case per difference listed in visualizer_import/DATABASE.md.
#include <gtest/gtest.h>

#include "tests/visualizer_import/imported.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::string>;

// Builds nodes without the ceremony.
std::string start(int counter, const std::string& name, const std::string& more = "") {
    return R"({"counter": )" + std::to_string(counter) +
           R"(, "node_type": "function_start", "params": {"name": ")" + name + "\"}" + more + "},";
}
std::string end(int counter, const std::string& name, const std::string& params = "",
                const std::string& more = "") {
    return R"({"counter": )" + std::to_string(counter) +
           R"(, "node_type": "function_end", "params": {"name": ")" + name + "\"" + params + "}" + more +
           "},";
}
std::string node(int counter, const std::string& type, const std::string& params,
                 const std::string& connections = "") {
    return R"({"counter": )" + std::to_string(counter) + R"(, "node_type": ")" + type +
           R"(", "connections": [)" + connections + R"(], "params": {)" + params + "}},";
}
std::string buffer(int address, int device, int type, const std::string& layout = "INTERLEAVED") {
    return R"("address": )" + std::to_string(address) + R"(, "device_id": )" + std::to_string(device) +
           R"(, "buffer_type": )" + std::to_string(type) +
           R"(, "max_size_per_bank": 64, "size": 64, "layout": ")" + layout + "\"";
}

class DefaultRows : public testing::Test {
protected:
    Rows rows(std::string nodes, const std::string& sql, bool quirks = false) {
        if (!nodes.empty()) nodes.pop_back();  // the last comma
        return rows_of_report(report_of(nodes), sql, quirks);
    }
    Rows rows_of_report(const std::string& report, const std::string& sql, bool quirks = false,
                        bool materialize = false) {
        ImportOptions options;
        options.reference_quirks = quirks;
        options.materialize = materialize;
        const fs::path file = scratch_.write("in/report.json", report);
        const auto imported = import_reports(file, scratch_.path() / "out", options);
        EXPECT_TRUE(imported.ok()) << imported.error().message();
        if (!imported.ok()) return {};
        return rows_of(scratch_.path() / "out" / "db.sqlite", sql);
    }
    ScratchFolder scratch_;
};

TEST_F(DefaultRows, layouts_are_numbered_as_the_runtime_and_the_viewer_do) {
    const std::string nodes = start(0, "op") + node(1, "buffer_allocate", buffer(1, 0, 1, "HEIGHT_SHARDED")) +
                              node(2, "buffer_allocate", buffer(2, 0, 1, "WIDTH_SHARDED")) +
                              node(3, "buffer_allocate", buffer(3, 0, 1, "BLOCK_SHARDED")) + end(4, "op");
    const std::string sql = "SELECT buffer_layout FROM buffers ORDER BY address";
    EXPECT_EQ(rows(nodes, sql), (Rows{"2", "3", "4"}));
    EXPECT_EQ(rows(nodes, sql, true), (Rows{"1", "2", "3"}));
}

TEST_F(DefaultRows, a_free_ends_the_buffer_of_that_device_and_memory_only) {
    const std::string nodes = start(0, "op") + node(1, "buffer_allocate", buffer(4096, 0, 1)) +
                              node(2, "buffer_allocate", buffer(4096, 1, 1)) +
                              node(3, "buffer_allocate", buffer(4096, 0, 0)) +
                              node(4, "buffer_deallocate", buffer(4096, 0, 1)) + end(5, "op");
    const std::string sql = "SELECT device_id, buffer_type FROM buffers ORDER BY device_id";
    EXPECT_EQ(rows(nodes, sql), (Rows{"0|0", "1|1"}));
    EXPECT_EQ(rows(nodes, sql, true), Rows());
}

// As in older dialects. Of two that it may mean it ends the one allocated last.
TEST_F(DefaultRows, a_free_that_does_not_say_its_memory_ends_a_buffer_of_any) {
    const std::string nodes = start(0, "op") + node(1, "buffer_allocate", buffer(4096, 0, 0)) +
                              node(2, "buffer_allocate", buffer(4096, 0, 1)) +
                              node(3, "buffer_allocate", buffer(8192, 1, 1)) +
                              node(4, "buffer_deallocate", R"("address": 4096, "device_id": 0)") +
                              node(5, "buffer_deallocate", R"("address": 8192)") + end(6, "op");
    EXPECT_EQ(rows(nodes, "SELECT device_id, address, buffer_type FROM buffers"), Rows{"0|4096|0"});
}

TEST_F(DefaultRows, an_operation_that_never_ended_has_the_buffers_alive_at_the_end) {
    const std::string nodes = start(0, "op") + node(1, "buffer_allocate", buffer(64, 0, 1)) + end(2, "op") +
                              start(3, "crashed") + node(4, "buffer_allocate", buffer(128, 0, 1));
    const std::string sql = "SELECT operation_id, address FROM buffers ORDER BY 1, 2";
    EXPECT_EQ(rows(nodes, sql), (Rows{"1|64", "2|64", "2|128"}));
    EXPECT_EQ(rows(nodes, sql, true), Rows{"1|64"});
}

TEST_F(DefaultRows, a_name_is_one_line) {
    const std::string name = R"(a  b \n\t c\u0001d)";
    const std::string nodes =
        start(0, name) + start(1, name) + end(2, name) +
        node(3, "error", R"("error_type": "t", "error_message": "m", "error_operation": ")" + name + "\"") +
        end(4, name);
    const std::string sql =
        "SELECT name FROM operations UNION ALL SELECT name FROM nested_operations UNION ALL "
        "SELECT operation_name FROM errors";
    EXPECT_EQ(rows(nodes, sql), (Rows{"a  b c d", "a  b c d", "a  b c d"}));
    EXPECT_EQ(
        rows(nodes, "SELECT name = 'a  b ' || char(10, 9) || ' c' || char(1) || 'd' FROM operations", true),
        Rows{"1"});
}

TEST_F(DefaultRows, without_addresses_a_free_ends_the_buffer_it_is_connected_to) {
    const std::string nodes = start(0, "op") + node(1, "buffer", buffer(0, 0, 1)) +
                              node(2, "buffer_allocate", buffer(0, 0, 1), "1") +
                              node(3, "buffer", buffer(0, 0, 1)) +
                              node(4, "buffer_allocate", buffer(0, 0, 1), "3") +
                              node(5, "buffer_deallocate", buffer(0, 0, 1), "1") + end(6, "op");
    EXPECT_EQ(rows(nodes, "SELECT count(*) FROM buffers"), Rows{"1"});
    EXPECT_EQ(rows(nodes, "SELECT count(*) FROM buffers", true), Rows{"0"});
}

// A mesh of two chips of which events say the number (7) and tensors say both: chips are numbered from 0.
TEST_F(DefaultRows, a_tensor_on_several_chips_has_a_row_for_each) {
    const auto tensor = [](int counter, int id, const std::string& parts) {
        std::string params = R"("tensor_id": )" + std::to_string(id);
        params += R"x(, "shape": "Shape([1])", "address": 64, "device_id": 7, "storage_type": "DEVICE", )x";
        params += R"("device_tensors": ")" + parts + "\"";
        return node(counter, "tensor", params);
    };
    const auto part = [](int chip, int mesh, int address) {
        std::string text = R"({\"address\": )" + std::to_string(address);
        text += R"(, \"device_id\": )" + std::to_string(chip);
        text += R"(, \"mesh_device_id\": )" + std::to_string(mesh) + "}";
        return text;
    };
    const std::string nodes = start(0, "op") +
                              tensor(1, 1, "[" + part(0, 7, 64) + ", " + part(1, 7, 64) + "]") +
                              tensor(2, 2, "[" + part(0, 7, 64) + ", " + part(1, 7, 128) + "]") +
                              tensor(3, 3, "[" + part(1, 7, 64) + "]") +
                              tensor(4, 4, "[" + part(0, 7, 64) + ", " + part(0, 7, 64) + "]") + end(5, "op");
    std::string graph = nodes;
    graph.pop_back();
    const std::string report =
        R"({"devices": [{"device_id": 7, "l1_num_banks": 64}], "graph": [)" + graph + R"(], "version": 1})";
    const std::string sql = "SELECT tensor_id, device_id, address FROM device_tensors ORDER BY 1, 2, 3";
    EXPECT_EQ(rows_of_report(report, sql),
              (Rows{"1|0|64", "1|1|64", "2|0|64", "2|1|128", "3|0|64", "4|0|64"}));
    EXPECT_EQ(rows_of_report(report, sql, true), (Rows{"1|0|64", "2|0|64", "2|0|128", "3|0|64", "4|0|64"}));
}

// Most events name the mesh of a chip, 1, circular buffers the chip itself, 0.
TEST_F(DefaultRows, the_two_names_of_the_only_chip_are_one_device) {
    const std::string nodes =
        start(0, "op") + node(1, "buffer_allocate", buffer(64, 1, 1)) +
        node(2, "circular_buffer_allocate", R"("device_id": 0, "address": 7, "size": 8)") + end(3, "op");
    const auto report = [&](const std::string& chips) {
        std::string text = report_of(nodes.substr(0, nodes.size() - 1),
                                     R"("cluster_descriptor": "arch:\n  0: wormhole_b0\nchips:\n)" + chips +
                                         R"(chip_unique_ids:\n  0: 0\n", )");
        text.replace(text.find("}]"), 1,
                     R"(}, {"device_id": 1, "num_dram_channels": 12, "l1_num_banks": 64})");
        // The sections of a report are sorted: the descriptor is in front of the graph.
        const std::size_t from = text.find(R"("cluster_descriptor")");
        const std::string section = text.substr(from, text.find(R"("version")") - from);
        return text.erase(from, section.size()).insert(1, section);
    };
    const std::string one = R"(  0:\n    - 0\n    - 0\n)";
    const std::string two = one + R"(  1:\n    - 1\n    - 0\n)";
    const std::string devices = "SELECT device_id FROM devices ORDER BY 1";
    const std::string used = "SELECT device_id FROM buffers UNION ALL SELECT device_id FROM program_memory";
    EXPECT_EQ(rows_of_report(report(one), devices), Rows{"0"});
    EXPECT_EQ(rows_of_report(report(one), used), (Rows{"0", "0"}));
    EXPECT_EQ(rows_of_report(report(two), devices), (Rows{"0", "1"}));
    EXPECT_EQ(rows_of_report(report(two), used), (Rows{"1", "0"}));
    EXPECT_EQ(rows_of_report(report(one), devices, true), (Rows{"0", "1"}));
}

// The viewer draws nothing at address 0, which TT-NN's NO_DISPATCH gives to all.
TEST_F(DefaultRows, buffers_without_addresses_are_placed_where_there_is_room) {
    const std::string nodes =
        start(0, "op") + node(1, "buffer", buffer(0, 0, 1), "5") +
        node(2, "buffer_allocate", buffer(0, 0, 1), "1") + node(3, "buffer", buffer(0, 0, 1)) +
        node(4, "buffer_allocate", buffer(0, 0, 1), "3") +
        node(5, "tensor",
             R"x("tensor_id": 7, "shape": "Shape([4])", "address": 0, "device_id": 0,)x"
             R"x("device_tensors": "[{\"address\":0,\"device_id\":0,\"mesh_device_id\":0}]")x") +
        end(6, "op", "", R"(, "connections": [5])") + start(7, "ttnn::deallocate") +
        node(8, "buffer_deallocate", buffer(0, 0, 1), "3") + end(9, "ttnn::deallocate") + start(10, "next") +
        node(11, "buffer", buffer(0, 0, 0)) + node(12, "buffer_allocate", buffer(0, 0, 0), "11") +
        node(13, "buffer", buffer(0, 0, 1)) + node(14, "buffer_allocate", buffer(0, 0, 1), "13") +
        end(15, "next");
    std::string report = report_of(nodes.substr(0, nodes.size() - 1));
    report.replace(report.find(R"("l1_num_banks")"), 0,
                   R"("worker_l1_size": 1499136, "dram_size_per_channel": 1073741824, )");
    const std::string buffers =
        "SELECT operation_id || ' ' || buffer_type || ' ' || address FROM buffers ORDER BY 1";
    EXPECT_EQ(rows_of_report(report, buffers),
              (Rows{"1 1 1499008", "1 1 1499072", "2 1 1499072", "3 0 64", "3 1 1499008", "3 1 1499072"}));
    const std::string tensors = "SELECT address FROM tensors WHERE tensor_id = 7";
    EXPECT_EQ(rows_of_report(report, tensors), Rows{"1499072"});
    EXPECT_EQ(rows_of_report(report, tensors, true), Rows{"0"});
    const std::string parts = "SELECT address FROM device_tensors WHERE tensor_id = 7";
    EXPECT_EQ(rows_of_report(report, parts), Rows{"1499072"});
    EXPECT_EQ(rows_of_report(report, parts, true), Rows{"0"});
    const std::string placed = "SELECT value FROM import_summary WHERE key = 'placed_buffers'";
    EXPECT_EQ(rows_of_report(report, placed), Rows{"4"});
}

// More than L1 holds is alive, as TT-NN's NO_DISPATCH lets pass: drawn all the same, as far as one fits at
// all.
TEST_F(DefaultRows, buffers_without_addresses_lie_over_others_where_no_room_is_left) {
    std::string nodes = start(0, "op");
    for (int i = 1; i < 12; i += 2)
        nodes += node(i, "buffer", buffer(0, 0, 1)) +
                 node(i + 1, "buffer_allocate", buffer(0, 0, 1), std::to_string(i));
    nodes += end(13, "op") + start(14, "ttnn::deallocate") +
             node(15, "buffer_deallocate", buffer(0, 0, 1), "9") + end(16, "ttnn::deallocate");
    std::string report = report_of(nodes.substr(0, nodes.size() - 1));
    report.replace(report.find(R"("l1_num_banks")"), 0, R"("worker_l1_size": 200, )");
    const std::string buffers = "SELECT operation_id || ' ' || address FROM buffers ORDER BY 1, address";
    EXPECT_EQ(rows_of_report(report, buffers), (Rows{"1 128", "1 32", "1 32", "1 64", "1 96", "1 96", "2 128",
                                                     "2 32", "2 64", "2 96", "2 96"}));
    const std::string counts =
        "SELECT value FROM import_summary WHERE key IN ('placed_buffers', "
        "'overlapping_buffers') ORDER BY key";
    EXPECT_EQ(rows_of_report(report, counts), (Rows{"4", "6"}));
}

TEST_F(DefaultRows, a_function_end_without_a_start_is_no_operation) {
    const std::string nodes =
        end(0, "stray") + start(1, "op") + start(2, "inner") + end(3, "inner") + end(4, "op");
    EXPECT_EQ(rows(nodes, "SELECT name FROM operations"), Rows{"op"});
    EXPECT_EQ(rows(nodes, "SELECT name FROM operations ORDER BY operation_id", true),
              (Rows{"stray", "inner", "op"}));
}

TEST_F(DefaultRows, aborted_may_be_a_boolean) {
    const std::string nodes = start(0, "op") + end(1, "op", R"(, "aborted": true)");
    EXPECT_EQ(rows(nodes, "SELECT error_type FROM errors"), Rows{"aborted_operation"});
    EXPECT_EQ(rows(nodes, "SELECT error_type FROM errors", true), Rows());
}

TEST_F(DefaultRows, what_a_failed_operation_made_on_the_way_is_no_output) {
    const std::string nodes = start(0, "op") + start(1, "inner") +
                              end(2, "inner", R"(, "aborted": "true")", R"(, "connections": [3])") +
                              node(3, "tensor", R"json("tensor_id": 7, "storage_type": "DEVICE")json") +
                              end(4, "op");
    EXPECT_EQ(rows(nodes, "SELECT count(*) FROM output_tensors"), Rows{"0"});
    EXPECT_EQ(rows(nodes, "SELECT count(*) FROM output_tensors", true), Rows{"1"});
}

TEST_F(DefaultRows, lifted_inputs_keep_the_order_of_the_arguments) {
    const std::string nodes = start(0, "op") + start(1, "inner", R"(, "input_tensors": [2, 3])") +
                              node(2, "tensor", R"("tensor_id": 30, "storage_type": "DEVICE")", "1") +
                              node(3, "tensor", R"("tensor_id": 33, "storage_type": "DEVICE")", "1") +
                              end(4, "inner") + end(5, "op");
    const std::string sql = "SELECT tensor_id FROM input_tensors ORDER BY input_index";
    EXPECT_EQ(rows(nodes, sql), (Rows{"30", "33"}));
    EXPECT_EQ(rows(nodes, sql, true), (Rows{"33", "30"}));
}

TEST_F(DefaultRows, a_record_of_another_thread_is_passed_over) {
    scratch_.write("in/report.python_io.json",
                   R"([{"name": "ttnn.relu", "arguments": {"a": "theirs"}, "input_tensor_ids": [900]},
                       {"name": "ttnn.relu", "arguments": {"a": "ours"}, "input_tensor_ids": [5]}])");
    const std::string nodes = start(0, "ttnn.relu") + start(1, "inner", R"(, "input_tensors": [2])") +
                              node(2, "tensor", R"("tensor_id": 5, "storage_type": "DEVICE")", "1") +
                              end(3, "inner") + end(4, "ttnn.relu");
    EXPECT_EQ(rows(nodes, "SELECT value FROM operation_arguments"), Rows{"ours"});
    EXPECT_EQ(rows(nodes, "SELECT value FROM operation_arguments", true), Rows{"theirs"});
}

TEST_F(DefaultRows, executions_beyond_1024_leave_later_managers_in_place) {
    std::string nodes = start(0, "op");
    for (int i = 1; i <= 1025; ++i)
        nodes +=
            node(i, "program_execution",
                 R"("device_id": 0, "sub_device_manager_id": 0, "runtime_id": 1, "global_call_count": 1,)"
                 R"("command_queue_id": 0)");
    nodes +=
        node(1026, "sub_device_manager", R"("device_id": 0, "sub_device_manager_id": 3)") + end(1027, "op");
    EXPECT_EQ(rows(nodes, "SELECT count(*) FROM operation_executions"), Rows{"1024"});
    EXPECT_EQ(rows(nodes, "SELECT count(*) FROM sub_device_managers"), Rows{"1"});
    EXPECT_EQ(rows(nodes, "SELECT count(*) FROM sub_device_managers", true), Rows{"0"});
}

TEST_F(DefaultRows, the_oldest_dialect_is_read_with_its_texts_and_without_version) {
    const std::string report =
        R"({"graph": [{"counter": 0, "node_type": "function_start", "params": {"name": "op", "inputs": "1"},
              "stack_trace": ["at main", "at start"]},
            {"counter": 1, "node_type": "buffer", "params": {"size": "4096", "type": "L1"}},
            {"counter": 2, "node_type": "buffer_allocate", "connections": [1],
             "params": {"size": "4096", "address": "1024", "type": "L1"}},
            {"counter": 3, "node_type": "function_end", "params": {"name": "op"}}]})";
    EXPECT_EQ(rows_of_report(report, "SELECT address, max_size_per_bank, buffer_type FROM buffers"),
              Rows{"1024|4096|1"});
    EXPECT_EQ(rows_of_report(report, "SELECT stack_trace FROM stack_traces"), Rows{"at main\nat start"});
}

TEST_F(DefaultRows, sizes_program_memory_and_nested_operations_are_added) {
    const std::string nodes =
        start(0, "op") + start(1, "inner") +
        node(
            2, "circular_buffer_allocate",
            R"("size": 2048, "address": 100, "device_id": 0, "core_range_set": "{[0-0 - 1-1]}", "globally_allocated": "0")") +
        node(
            3, "dataflow_buffer_allocate",
            R"("size": 512, "address": 2148, "device_id": 0, "core_range_set": "{[0-0 - 0-0]}", "borrows_memory": "1")") +
        end(4, "inner") +
        node(5, "tensor",
             R"json("tensor_id": 1, "shape": "Shape([2, 32])", "dtype": "DataType::BFLOAT16",)json"
             R"json("storage_type": "DEVICE")json") +
        end(6, "op");
    EXPECT_EQ(
        rows(nodes, "SELECT kind, size, borrowed, function_unique_id FROM program_memory ORDER BY unique_id"),
        (Rows{"circular_buffer|2048|0|1", "dataflow_buffer|512|1|1"}));
    EXPECT_EQ(rows(nodes, "SELECT operation_id, unique_id, parent_unique_id, name FROM nested_operations"),
              Rows{"1|1|0|inner"});
    EXPECT_EQ(rows(nodes, "SELECT size FROM tensors"), Rows{"128"});
    EXPECT_EQ(rows(nodes, "SELECT value FROM import_summary WHERE key = 'peak_l1_bytes_per_core'"),
              Rows{"2048"});
}

TEST_F(DefaultRows, an_address_that_is_not_known_is_null) {
    const std::string nodes =
        start(0, "op") +
        node(
            1, "circular_buffer_allocate",
            R"("size": 2048, "address": 0, "address_known": false, "device_id": 0, "core_range_set": "{[0-0 - 1-1]}", "globally_allocated": "0")") +
        node(
            2, "circular_buffer_allocate",
            R"("size": 2048, "address": 0, "device_id": 0, "core_range_set": "{[0-0 - 1-1]}", "globally_allocated": "0")") +
        end(3, "op");
    EXPECT_EQ(rows(nodes, "SELECT address IS NULL, size FROM program_memory ORDER BY unique_id"),
              (Rows{"1|2048", "0|2048"}));
}

TEST_F(DefaultRows, an_address_of_a_tensor_that_is_not_known_is_null) {
    std::string nodes = start(0, "op") +
                        node(1, "tensor",
                             R"x("tensor_id": 7, "shape": "Shape([4])", "address": 0, "device_id": 0,)x"
                             R"x("device_tensors": "[{\"address\":0,\"device_id\":0}]")x") +
                        node(2, "tensor",
                             R"x("tensor_id": 8, "shape": "Shape([4])", "address": 64, "device_id": 0,)x"
                             R"x("device_tensors": "[{\"address\":64,\"device_id\":0}]")x") +
                        end(3, "op");
    const std::string report = report_of(nodes.substr(0, nodes.size() - 1));
    for (const std::string table : {"tensors", "device_tensors"}) {
        const std::string sql = "SELECT tensor_id, ifnull(address, 'NULL') FROM " + table + " ORDER BY 1";
        EXPECT_EQ(rows_of_report(report, sql), (Rows{"7|NULL", "8|64"})) << table;
        EXPECT_EQ(rows_of_report(report, sql, true), (Rows{"7|0", "8|64"})) << table;
    }
}

// Buffers of NO_DISPATCH: larger than L1, or on a device that the report does not describe.
TEST_F(DefaultRows, an_address_of_a_buffer_that_has_no_place_is_null) {
    const std::string nodes =
        start(0, "op") + node(1, "buffer", buffer(0, 0, 1)) +
        node(2, "buffer_allocate", buffer(0, 0, 1), "1") + node(3, "buffer", buffer(4096, 0, 1)) +
        node(4, "buffer_allocate", buffer(4096, 0, 1, "SINGLE_BANK"), "3") + end(5, "op");
    std::string report = report_of(nodes.substr(0, nodes.size() - 1));
    const std::string sql = "SELECT ifnull(address, 'NULL'), max_size_per_bank FROM buffers ORDER BY address";
    for (const bool as_rows : {false, true}) {
        EXPECT_EQ(rows_of_report(report, sql, false, as_rows), (Rows{"NULL|64", "4096|64"})) << as_rows;
        EXPECT_EQ(rows_of_report(report, sql, true, as_rows), (Rows{"0|64", "4096|64"})) << as_rows;
    }
    report.replace(report.find(R"("l1_num_banks")"), 0, R"("worker_l1_size": 32, )");
    EXPECT_EQ(rows_of_report(report, sql), (Rows{"NULL|64", "4096|64"}));
}

class Folder : public testing::Test {
protected:
    Rows import_folder(const std::string& sql, bool quirks = false) {
        ImportOptions options;
        options.reference_quirks = quirks;
        const auto imported = import_reports(scratch_.path() / "in", scratch_.path() / "out", options);
        EXPECT_TRUE(imported.ok()) << imported.error().message();
        return rows_of(scratch_.path() / "out" / "db.sqlite", sql);
    }
    ScratchFolder scratch_;
};

TEST_F(Folder, files_are_taken_in_the_order_of_their_numbers) {
    for (const std::string number : {"1", "2", "10"}) {
        std::string nodes = start(0, "op" + number) + end(1, "op" + number);
        nodes.pop_back();
        scratch_.write("in/graph_capture_" + number + "_of_10.json", report_of(nodes));
    }
    const std::string sql = "SELECT operation_id, name FROM operations ORDER BY operation_id";
    EXPECT_EQ(import_folder(sql), (Rows{"1|op1", "10001|op2", "20001|op10"}));
    EXPECT_EQ(import_folder(sql, true), (Rows{"1|op10", "10001|op1", "20001|op2"}));
}

TEST_F(Folder, more_than_ten_thousand_operations_do_not_run_into_the_next_file) {
    std::string nodes;
    for (int i = 0; i < 10001; ++i)
        nodes += start(2 * i, "op") + end(2 * i + 1, "op");
    nodes.pop_back();
    scratch_.write("in/a.json", report_of(nodes));
    scratch_.write("in/b.json", report_of(nodes));
    EXPECT_EQ(import_folder("SELECT count(*), count(DISTINCT operation_id) FROM operations"),
              Rows{"20002|20002"});
}

TEST_F(Folder, a_device_has_one_row_however_many_files_name_it) {
    scratch_.write("in/a.json", report_of(""));
    scratch_.write("in/b.json", report_of(""));
    EXPECT_EQ(import_folder("SELECT count(*) FROM devices"), Rows{"1"});
    EXPECT_EQ(import_folder("SELECT count(*) FROM devices", true), Rows{"2"});
}

TEST_F(Folder, of_several_ranks_the_buffers_are_rows_which_the_viewer_can_filter) {
    std::string nodes = start(0, "op") + node(1, "buffer_allocate", buffer(1, 0, 1)) + end(2, "op");
    nodes.pop_back();
    std::string other = report_of(nodes);
    other.replace(other.find("\"rank\": 0"), 9, "\"rank\": 1");
    scratch_.write("in/a.json", report_of(nodes));
    scratch_.write("in/b.json", other);
    EXPECT_EQ(import_folder("SELECT type FROM sqlite_master WHERE name = 'buffers'"), Rows{"table"});
    EXPECT_EQ(import_folder("SELECT rank FROM buffers ORDER BY rank"), (Rows{"0", "1"}));
}

}  // namespace
}  // namespace tilemeter::visualizer_import
