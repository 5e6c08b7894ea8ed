// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The reader of recording files, with the report that is written from them: any bytes give a report or an
// Error in one line. Blocks are 64 KiB and mostly empty, so an input is a list of changes to a sound
// recording: 32-bit place, 8-bit length, bytes; its first byte chooses the recording, with call stacks or
// without. Of four places, three are in a part of a block that the sound recording uses.

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/record/context.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/placement.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "report/recover.hpp"
#include "tests/fuzz/fuzzed_file.hpp"

namespace {

using namespace tilemeter;
namespace fs = std::filesystem;

constexpr std::size_t kBlock = 65536;
const record::DeviceId kDevice{0};

void announce() {
    record::DeviceInfo info;
    info.arch = "WORMHOLE_B0";
    info.chips = {0};
    info.num_x_compute_cores = info.num_y_compute_cores = 8;
    info.worker_l1_size = 1499136;
    info.l1_num_banks = 64;
    info.cluster_descriptor = "arch: {0: wormhole_b0}\n";
    record::announce_device(kDevice, info);
}

record::BufferRecord buffer_in(record::MemoryType memory, record::PlacementId placement) {
    const bool sharded = placement != record::PlacementId::kNone;
    return {record::next_buffer_id(),
            kDevice,
            memory,
            sharded ? record::BufferLayout::kHeightSharded : record::BufferLayout::kInterleaved,
            sharded ? 2U : 0U,
            1495040,
            8192,
            4096,
            2048,
            placement};
}

void every_kind_of_event(const record::BufferRecord& old) {
    using record::intern;
    const auto observed = record::Origin::kObserved;
    const record::TensorSpecId spec = intern(
        record::TensorInfo{{1, 2, 3}, intern("DataType::BFLOAT16"), intern("Layout::TILE"), true, 12, 2048});
    const record::PlacementId placement = intern(record::ShardPlacement{{{0, 0}, {1, 0}}, 2, 2, 2, 1, 2});
    const record::BufferRecord sharded = buffer_in(record::MemoryType::kL1, placement);
    const record::TensorRecord tensor{record::TensorId{1}, spec, kDevice, sharded.buffer, 1495040, false};
    record::emit_buffer_alive(old, observed);
    record::emit_sub_device_manager(kDevice, 1, intern("[]"));
    record::emit_function_begin(intern("outer"), 7);
    record::emit_argument(record::TensorId{1}, spec);
    record::emit_argument(intern("text"));
    record::emit_argument(record::ArgumentType::kInteger, 7);
    record::emit_argument(record::ArgumentType::kReal, 0, 0.5);
    record::emit_argument(record::ArgumentType::kBoolean, 1);
    record::emit_argument(record::ArgumentType::kListBegin, 0);
    record::emit_argument(record::ArgumentType::kListEnd, 0);
    record::emit_input_tensor(tensor);
    const record::ContextId context = record::hand_over();
    std::thread([&] {
        const record::ScopedContext here(context, 1);
        record::emit_function_begin(intern("inner"), 0);
        record::emit_buffer_allocate(sharded, observed);
        record::emit_program_begin(kDevice, 1, observed);
        for (const auto kind : {record::EventKind::kCircularBuffer, record::EventKind::kDataflowBuffer,
                                record::EventKind::kScratchpad}) {
            record::emit_program_memory(kind, {1, kDevice, intern("{[0-0 - 1-0]}"), 105824, 4096, {}},
                                        observed);
        }
        record::emit_program_selected(intern("Factory"), 0, false);
        record::emit_program_execution(kDevice, 1, {1, 2, 3, 0, 0}, intern("[]"), 0);
        record::emit_output_tensor(tensor);
        record::emit_function_end();
    }).join();
    record::emit_buffer_free(sharded, observed);
    record::emit_error(intern("type"), intern("message"), intern("outer"));
    record::emit_function_aborted(intern("reason"));
    record::emit_function_begin(intern("never ended"), 0);
}

struct Sound {
    explicit Sound(bool stacks);
    std::string bytes;
    std::vector<std::size_t> used;  // of each block
};

Sound::Sound(bool stacks) {
    const fs::path path = fs::temp_directory_path() / ("recording_fuzz." + std::to_string(getpid()));
    announce();
    if (stacks) graph::GraphProcessor::enable_stack_traces();
    graph::GraphProcessor::enable_buffer_pages();
    graph::CaptureOptions options;
    options.recording = path;
    graph::GraphProcessor::begin_graph_capture(options);
    every_kind_of_event(buffer_in(record::MemoryType::kDram, {}));
    graph::GraphProcessor::end_capture();
    graph::GraphProcessor::disable_stack_traces();
    std::vector<std::size_t> unknown;
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    fs::remove(path);
    bytes.resize(bytes.size() / kBlock * kBlock);
    // As on another machine, without the modules: reading symbols takes a hundred times as long as all the
    // rest.
    static const std::regex kModule("/lib|/recording_fuzz|[0-9a-f]{40}");
    for (std::sregex_iterator found(bytes.begin(), bytes.end(), kModule), end; found != end; ++found)
        unknown.push_back(static_cast<std::size_t>(found->position()) + 1);
    for (const std::size_t at : unknown)
        bytes[at] = '-';
    for (std::size_t block = 0; block < bytes.size(); block += kBlock) {
        const std::size_t last = std::string_view(bytes).substr(block, kBlock).find_last_not_of('\0');
        used.push_back(last == std::string_view::npos ? 1 : last + 1);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Sound kPlain(false);
    static const Sound kWithStacks(true);
    static const fs::path kReport =
        fs::path("/dev/shm") / ("recording_fuzz." + std::to_string(getpid()) + ".json");
    // A damaged figure may ask for gigabytes of pages: the disk is full before.
    static const bool kLimited = [] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{16U << 20, 16U << 20};
        return setrlimit(RLIMIT_FSIZE, &limit) == 0;
    }();
    if (size == 0 || !kLimited) return 0;
    const Sound& sound = data[0] % 2 == 1 ? kWithStacks : kPlain;
    ++data;
    --size;
    std::string bytes = sound.bytes;
    while (size >= 5) {
        std::uint32_t place = 0;
        std::memcpy(&place, data, sizeof place);
        const std::size_t length = std::min<std::size_t>(data[4], size - 5);
        const std::size_t block = place / 4 % sound.used.size();
        std::size_t at = place / 4 / sound.used.size();
        at %= place % 4 == 0 ? kBlock : sound.used[block];
        at = std::min(block * kBlock + at, bytes.size() - length);
        std::memcpy(bytes.data() + at, data + 5, length);
        data += 5 + length;
        size -= 5 + length;
    }
    const FuzzedFile file(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (const auto recovered = report::recover_report(file.path(), kReport); !recovered) {
        const std::string text = recovered.error().message();
        if (text.empty() || text.find('\n') != std::string::npos) std::abort();
        if (fs::exists(kReport)) std::abort();  // nothing half-written
    }
    fs::remove(kReport);
    return 0;
}
