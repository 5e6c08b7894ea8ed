// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/graph/hook_caller.hpp"

#include <exception>
#include <utility>

#include "capture/log/log.hpp"
#include "runtime/device/buffer.hpp"
#include "tilemeter_ttnn/storage.hpp"
#include "tools/compat/src/graph/programs.hpp"
#include "tools/compat/src/graph/thread_tracker.hpp"
#include "tools/compat/src/graph/told_buffers.hpp"

namespace tilemeter::compat {

using tt::tt_metal::GraphTracker;

bool HookCaller::takes_allocation(const record::BufferRecord& buffer) {
    const auto told = told_buffer(buffer);
    return GraphTracker::instance().hook_allocate(told.get());
}

bool HookCaller::takes_free(const record::BufferRecord& buffer) noexcept {
    bool takes = false;
    try {
        const auto told = told_buffer(buffer);
        takes = GraphTracker::instance().hook_deallocate(told.get());
    } catch (const std::exception& error) {
        logging::error({"a hook threw when memory was freed: ", error.what()});
    } catch (...) {
        logging::error({"a hook threw when memory was freed"});
    }
    forget_buffer(buffer.buffer);
    return takes;
}

bool HookCaller::takes_program(const CachedProgram& program) {
    if (answered_) return *std::exchange(answered_, std::nullopt);
    tt::tt_metal::Program told = program_of(program);
    return GraphTracker::instance().hook_program(&told);
}

bool HookCaller::asks_program_ahead(const CachedProgram& program) {
    if (tracker_.hook == nullptr || tracker_.hook_is_of_capture) return false;
    answered_.reset();
    answered_ = takes_program(program);
    return *answered_;
}

bool HookCaller::takes_write(const Buffer& buffer) {
    const tt::tt_metal::distributed::MeshBuffer told(told_buffer(buffer.record()));
    return GraphTracker::instance().hook_write_to_device(&told);
}

bool HookCaller::takes_read(const Buffer& buffer) {
    const tt::tt_metal::distributed::MeshBuffer told(told_buffer(buffer.record()));
    return GraphTracker::instance().hook_read_from_device(&told);
}

}  // namespace tilemeter::compat
