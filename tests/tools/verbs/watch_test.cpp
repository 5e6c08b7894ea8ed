// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What `tilemeter watch` says of a recording of an observed system, which numbers devices and chips as TT-NN does.

#include "tools/tilemeter/live/watch.hpp"

#include <cstring>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/record/emit_table.h"
#include "capture/record/window.hpp"

namespace tilemeter::cli {
namespace {

constexpr std::uint16_t kMesh = 1, kChip = 0;

TEST(Watch, programs_of_a_mesh_whose_memory_lies_on_a_chip_end_where_the_next_begins) {
    const tilemeter_emit_table& table = *tilemeter_get_emit_table(TILEMETER_EMIT_TABLE_VERSION);
    tilemeter_emitter_info info{};
    static const char* const kMissing[] = {nullptr};
    info.name = "watched";
    info.version = info.git_sha = "1";
    info.missing = kMissing;
    const std::uint8_t emitter = table.register_emitter(&info);
    const std::uint32_t name = table.intern_text("ttnn.add", std::strlen("ttnn.add"));

    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("watch_test." + std::to_string(::getpid()));
    record::WindowOptions options;
    options.recording = path;
    const record::WindowId window = record::open_window(options);
    Watch watch(path);
    tilemeter_buffer buffer{};
    buffer.id = 1;
    buffer.address = 1 << 20;
    buffer.size_bytes = 131072;
    buffer.size_per_bank_bytes = 2048;
    buffer.device = kMesh;
    buffer.memory = 1;
    table.buffer(emitter, TILEMETER_ALLOCATE, &buffer);
    for (int i = 0; i < 100; ++i) {
        table.function_begin(emitter, name, 0, 0);
        table.program_begin(emitter, kMesh, 7, 0);
        for (int piece = 0; piece < 3; ++piece) {
            tilemeter_program_memory memory{};
            memory.program = 7;
            memory.kind = TILEMETER_CIRCULAR_BUFFER;
            memory.address = 105824 + static_cast<std::uint64_t>(piece) * 4096;
            memory.size_bytes = 4096;
            memory.device = kChip;
            table.program_memory(emitter, &memory);
        }
        table.function_end(emitter);
    }
    table.program_begin(emitter, kChip, 0, 0);
    watch.look();
    const nlohmann::ordered_json said = watch.json();
    record::close_window(window);
    std::filesystem::remove(path);

    EXPECT_EQ(said["operation_count"], 100);
    EXPECT_EQ(said["lost_event_count"], 0);
    ASSERT_EQ(said["devices"].size(), 1U) << said;
    EXPECT_EQ(said["devices"][0]["device"], kMesh);
    EXPECT_EQ(said["devices"][0]["l1_per_core"]["peak_at_most_bytes"], 2048 + 3 * 4096);
}

}  // namespace
}  // namespace tilemeter::cli
