// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/open_file.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include <pthread.h>

#include "capture/events/internal/definitions.hpp"
#include "capture/record/internal/crash_handler.hpp"
#include "capture/record/window_state.hpp"

namespace tilemeter::record::internal {

constinit std::atomic<bool> definitions_wanted{false};

namespace {

// The open recording file, for definitions; apart from the state, whose lock is held while files are made.
struct OpenFile {
    std::mutex mutex;
    std::shared_ptr<RecordingFile> file;
};

OpenFile& open_file() {
    static auto& the_file = *new OpenFile;
    return the_file;
}

// A child that goes on with its parent's file would write over what the parent writes: it goes on in memory,
// its copy of a window in the file without one.
void forget_file_in_child() {
    unwatch_crashes_in_child();
    State& all = state();
    for (Window& window : all.windows)
        window.file.reset();
    open_file().file.reset();
    definitions_wanted.store(false, std::memory_order_relaxed);
    for (const auto& log : all.logs)
        log->leave_chunk();
    all.storage = Storage::kMemory;
}

void lock_before_fork() {
    state().mutex.lock();
    open_file().mutex.lock();
}
void unlock_after_fork() {
    open_file().mutex.unlock();
    state().mutex.unlock();
}

}  // namespace

void publish_definition(DefinitionKind kind, std::uint32_t id, std::span<const char> bytes) {
    OpenFile& open = open_file();
    const std::scoped_lock lock(open.mutex);
    if (open.file) open.file->add_definition(kind, id, bytes);
}

void use_file_for_definitions(std::shared_ptr<RecordingFile> file) {
    OpenFile& open = open_file();
    const std::scoped_lock lock(open.mutex);
    definitions_wanted.store(file != nullptr, std::memory_order_release);
    open.file = std::move(file);
}

std::shared_ptr<RecordingFile> make_file(const WindowOptions& options, std::uint64_t wall_clock_ns,
                                         std::uint64_t begin_ticks, bool pages) {
    static const int kForkHandlers = pthread_atfork(lock_before_fork, unlock_after_fork, [] {
        forget_file_in_child();
        unlock_after_fork();
    });
    static_cast<void>(kForkHandlers);
    const RecordingInfo info{wall_clock_ns,
                             begin_ticks,
                             static_cast<std::uint8_t>(options.mode),
                             static_cast<std::uint8_t>(options.detail),
                             pages,
                             options.emitters};
    const std::uint64_t blocks =
        options.max_bytes == 0 ? 0 : std::max<std::uint64_t>(options.max_bytes / sizeof(Chunk), 1);
    return std::make_shared<RecordingFile>(options.recording, info, blocks,
                                           options.when_full == FullPolicy::kDropOldest);
}

void write_all_definitions() {
    publish_emitters();  // before devices, whose ids name them
    publish_texts();
    publish_tensors();
    publish_devices();
    publish_placements();
    publish_modules();
    publish_stacks();
}

}  // namespace tilemeter::record::internal
