// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/emitter.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/captured_graph.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/emit_table.h"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "capture/recordings/recording_reader.hpp"

namespace tilemeter {
namespace {

using nlohmann::json;

const tilemeter_emit_table& table() {
    return *tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION);
}

std::uint8_t observed(const char* name) {
    static const char* const kMissing[] = {"scratchpads", nullptr};
    tilemeter_emitter_info info{};
    info.name = name;
    info.version = "1.2";
    info.git_sha = "abc";
    info.missing = kMissing;
    info.normal[0] = TILEMETER_COMPLETE;
    info.normal[1] = TILEMETER_PARTIAL;
    info.normal[2] = TILEMETER_NONE;
    for (std::uint8_t& each : info.no_dispatch)
        each = TILEMETER_COMPLETE;
    return table().register_emitter(&info);
}

std::uint32_t text(const std::string& said) {
    return table().intern_text(said.data(), said.size());
}

void allocate(std::uint8_t emitter, std::uint64_t id) {
    tilemeter_buffer buffer{};
    buffer.id = id;
    buffer.address = 4096;
    buffer.size_bytes = 2048;
    buffer.device = 1;
    buffer.memory = 1;
    table().buffer(emitter, TILEMETER_ALLOCATE, &buffer);
}

json nodes_of(record::Recording recording) {
    json nodes = graph::CapturedGraph(std::move(recording)).to_json();
    for (json& node : nodes)
        node.erase("duration_ns");
    return nodes;
}

std::vector<json> of_type(const json& nodes, const std::string& type) {
    std::vector<json> found;
    for (const json& node : nodes) {
        if (node["node_type"] == type) found.push_back(node);
    }
    return found;
}

TEST(EmitTable, of_another_version_is_none) {
    EXPECT_EQ(tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION + 1), nullptr);
    EXPECT_EQ(table().size, sizeof(tilemeter_emit_table));
}

TEST(EmitTable, says_whether_anybody_listens) {
    EXPECT_EQ(*table().listening, 0U);
    const auto window = record::open_window(record::RunMode::NORMAL);
    EXPECT_NE(*table().listening, 0U);
    record::close_window(window);
    EXPECT_EQ(*table().listening, 0U);
}

TEST(EmitTable, makes_the_nodes_that_the_functions_of_the_recorder_make) {
    const std::uint8_t system = observed("system");
    const auto window = record::open_window(record::RunMode::NORMAL);
    table().function_begin(system, text("add"), 1, 0);
    table().argument_text(system, text("2"));
    tilemeter_program_memory memory{};
    memory.kind = TILEMETER_DATAFLOW_BUFFER;
    memory.size_bytes = 64;
    memory.cores = text("{[0-0 - 1-1]}");
    memory.device = 3;
    memory.flags = TILEMETER_UNKNOWN_ADDRESS;
    table().program_memory(system, &memory);
    table().function_aborted(system, text("why"));
    const json nodes = nodes_of(*record::close_window(window));
    ASSERT_EQ(nodes.size(), 5U);
    EXPECT_EQ(nodes[1]["params"], json({{"inputs", "1"}, {"name", "add"}}));
    EXPECT_EQ(nodes[1]["arguments"], json({"2"}));
    EXPECT_EQ(nodes[2]["node_type"], "dataflow_buffer_allocate");
    EXPECT_EQ(nodes[2]["params"], json({{"address", 0},
                                        {"address_known", false},
                                        {"borrows_memory", "0"},
                                        {"core_range_set", "{[0-0 - 1-1]}"},
                                        {"device_id", 3},
                                        {"size", 64}}));
    EXPECT_EQ(nodes[3]["params"], json({{"abort_reason", "why"}, {"aborted", "true"}, {"name", "add"}}));
}

TEST(EmitTable, says_of_buffers_and_tensors_whether_their_addresses_are_known) {
    const std::uint8_t system = observed("system");
    tilemeter_tensor_type type{};
    type.on_device = 1;
    type.memory = 1;
    const auto window = record::open_window(record::RunMode::NO_DISPATCH);
    for (const std::uint64_t address : {0U, 4096U}) {
        tilemeter_buffer buffer{};
        buffer.id = address;
        buffer.address = address;
        buffer.memory = 1;
        buffer.planned = 1;
        table().buffer(system, TILEMETER_ALLOCATE, &buffer);
        tilemeter_tensor tensor{};
        tensor.id = buffer.id;
        tensor.buffer = buffer.id;
        tensor.has_buffer = 1;
        tensor.address = address;
        tensor.type = table().intern_tensor_type(&type);
        table().function_begin(system, text("use"), 0, 0);
        table().input_tensor(system, &tensor);
        table().function_end(system);
        table().buffer(system, TILEMETER_FREE, &buffer);
    }
    const json nodes = nodes_of(*record::close_window(window));
    for (const std::string kind : {"buffer_allocate", "tensor", "buffer_deallocate"}) {
        const std::vector<json> found = of_type(nodes, kind);
        ASSERT_EQ(found.size(), 2U) << kind;
        EXPECT_EQ(found[0]["params"]["address"], 0) << kind;
        EXPECT_EQ(found[0]["params"].value("address_known", json()), json(false)) << kind;
        EXPECT_EQ(found[1]["params"]["address"], 4096) << kind;
        EXPECT_FALSE(found[1]["params"].contains("address_known")) << kind;
    }
}

TEST(Emitters, that_number_their_buffers_alike_have_different_buffers) {
    const std::uint8_t one = observed("one");
    const std::uint8_t other = observed("other");
    ASSERT_NE(one, other);
    const auto window = record::open_window(record::RunMode::NORMAL);
    allocate(one, 0);
    allocate(other, 0);
    allocate(one, 0);
    const json nodes = nodes_of(*record::close_window(window));
    EXPECT_EQ(of_type(nodes, "buffer").size(), 2U);
    EXPECT_EQ(of_type(nodes, "buffer_allocate").size(), 3U);
    for (const json& each : of_type(nodes, "buffer_allocate"))
        EXPECT_EQ(each["params"]["device_id"], 1);
}

TEST(Emitters, announce_devices_of_one_number_each_for_itself) {
    const std::uint8_t system = observed("system");
    record::DeviceInfo own;
    own.arch = "ours";
    record::announce_device(record::DeviceId{7}, own);
    const std::uint16_t chips[] = {7};
    tilemeter_device device{};
    device.arch = "theirs";
    device.chips = chips;
    device.num_chips = 1;
    table().announce_device(system, 7, &device);
    EXPECT_EQ(record::device_info_of(record::DeviceId{7})->arch, "ours");
    EXPECT_EQ(record::device_info_of(record::device_id(record::EmitterId{system}, 7))->arch, "theirs");
}

TEST(Emitters, are_known_again_by_their_names) {
    const std::uint8_t system = observed("system");
    EXPECT_EQ(observed("system"), system);
    const record::EmitterInfo info = record::emitter_info(record::EmitterId{system});
    EXPECT_EQ(info.version, "1.2");
    EXPECT_EQ(info.missing, std::vector<std::string>{"scratchpads"});
    EXPECT_EQ(info.normal.dataflow_buffers, record::Completeness::kPartial);
    EXPECT_EQ(record::emitter_info(record::EmitterId::kRuntime), record::EmitterInfo{});
}

TEST(Windows, hold_the_events_of_the_emitters_that_they_want) {
    const std::uint8_t system = observed("system");
    record::WindowOptions theirs;
    theirs.emitters = static_cast<std::uint8_t>(1U << system);
    record::WindowOptions ours;
    ours.emitters = 1;
    const auto all = record::open_window(record::RunMode::NORMAL);
    const auto of_system = record::open_window(theirs);
    const auto of_runtime = record::open_window(ours);
    for (int i = 0; i < 3000; ++i) {
        table().function_begin(system, text("theirs"), 0, 0);
        record::emit_function_begin(record::intern("ours"), 0);
        record::emit_function_end();
        table().function_end(system);
    }
    const auto count = [](const record::Recording& recording) {
        return of_type(nodes_of(recording), "function_start").size();
    };
    const auto runtimes = *record::close_window(of_runtime);
    const auto systems = *record::close_window(of_system);
    EXPECT_EQ(count(runtimes), 3000U);
    EXPECT_EQ(count(systems), 3000U);
    EXPECT_EQ(count(*record::close_window(all)), 6000U);
    EXPECT_EQ(record::emitters_in(systems), std::vector{record::EmitterId{system}});
    EXPECT_EQ(record::program_memory_kept(systems).scratchpads, record::Completeness::kNone);
    EXPECT_EQ(record::program_memory_kept(runtimes), record::ProgramMemoryKept{});
    EXPECT_EQ(of_type(nodes_of(systems), "function_start")[0]["params"]["name"], "theirs");
}

TEST(Windows, that_want_no_event_of_the_runtime_do_not_make_it_plan) {
    record::WindowOptions options;
    options.mode = record::RunMode::NO_DISPATCH;
    options.emitters = 2;
    const auto window = record::open_window(options);
    EXPECT_EQ(record::shadow_epoch(), 0U);
    record::close_window(window);
}

TEST(Stacks, hold_texts) {
    const std::uint8_t system = observed("system");
    const auto window = record::open_window(record::RunMode::NORMAL);
    const std::uint32_t frames[] = {text("File \"a.py\", line 2, in f"),
                                    text("File \"a.py\", line 9, in <module>")};
    table().function_begin(system, text("add"), 0, table().intern_stack(frames, 2));
    table().function_end(system);
    const json nodes = nodes_of(*record::close_window(window));
    EXPECT_EQ(nodes[1]["stack_trace"],
              json({"File \"a.py\", line 2, in f", "File \"a.py\", line 9, in <module>"}));
}

TEST(Emitters, stay_what_they_are_in_a_recording_file) {
    const std::uint8_t system = observed("system");
    const auto path = std::filesystem::temp_directory_path() / "tilemeter_emitter_test.tmrec";
    record::WindowOptions options;
    options.recording = path;
    options.emitters = static_cast<std::uint8_t>(1U << system);
    const auto window = record::open_window(options);
    const std::uint32_t frames[] = {text("File \"a.py\", line 2, in f")};
    table().function_begin(system, text("add"), 0, table().intern_stack(frames, 1));
    allocate(system, 5);
    record::emit_function_begin(record::intern("ours"), 0);
    record::emit_function_end();
    table().function_end(system);
    const json nodes = nodes_of(*record::close_window(window));
    const record::Recording read = record::read_recording(path);
    EXPECT_EQ(nodes_of(read), nodes);
    EXPECT_EQ(record::emitters_in(read), std::vector{record::EmitterId{system}});
    EXPECT_EQ(of_type(nodes, "function_start").size(), 1U);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace tilemeter
