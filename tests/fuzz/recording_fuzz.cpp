// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The reader of recording files, with what is built from them: any bytes give a list of nodes or a
// RecordingError. Blocks are 64 KiB and mostly the same, so an input is a list of changes to a sound
// recording: 32-bit place, 8-bit length, bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include "capture/graph/captured_graph.hpp"
#include "capture/graph/graph_processor.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/recording_error.hpp"
#include "capture/record/recording_reader.hpp"
#include "capture/record/tensor_facts.hpp"
#include "capture/record/text.hpp"
#include "tests/fuzz/fuzzed_file.hpp"

namespace {

using namespace tilemeter;

std::string sound_recording() {
    const auto path = std::filesystem::temp_directory_path() / ("recording_fuzz." + std::to_string(getpid()));
    graph::CaptureOptions options;
    options.recording = path;
    graph::GraphProcessor::begin_graph_capture(options);
    const record::TensorSpecId spec = record::intern(record::TensorFacts{
        {1, 2, 3}, record::intern("DataType::BFLOAT16"), record::intern("Layout::TILE"), true, 12, 2048});
    for (int i = 0; i < 3; ++i) {
        record::emit_function_begin(record::intern("op"), 2);
        record::emit_argument(record::TensorId{1}, spec);
        record::emit_argument(record::intern("text"));
        record::emit_input_tensor({record::TensorId{1}, spec, {}, record::BufferId{1}, 4096, false});
        record::emit_buffer_allocate(
            {record::BufferId{1}, {}, record::MemoryType::kL1, {}, 0, 4096, 2048, 2048, 2048},
            record::Origin::kObserved);
        record::emit_error(record::intern("type"), record::intern("message"), record::intern("op"));
        record::emit_function_end();
    }
    graph::GraphProcessor::end_capture();
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    bytes.resize(65536 * 4);
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::string kSound = sound_recording();
    std::string bytes = kSound;
    while (size >= 5) {
        std::uint32_t place = 0;
        std::memcpy(&place, data, sizeof place);
        const std::size_t length = std::min<std::size_t>(data[4], size - 5);
        place %= static_cast<std::uint32_t>(bytes.size() - 255);
        std::memcpy(bytes.data() + place, data + 5, length);
        data += 5 + length;
        size -= 5 + length;
    }
    const FuzzedFile file(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    try {
        const graph::CapturedGraph captured(record::read_recording(file.path()));
        static_cast<void>(captured.to_text());
    } catch (const record::RecordingError&) {  // the answer to what is no recording
    }
    return 0;
}
