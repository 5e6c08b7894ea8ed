// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/left_open.hpp"

#include <utility>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::record {

namespace {

// Few bytes: a library that is loaded late shares little room of each thread with others.
struct Functions {
    std::uint16_t left_open = 0;
    std::uint16_t of_python = 0;  // that the thread is in
    std::uint32_t window = 0;  // the last that had been opened when one was left open, but for the upper bits
};

std::uint32_t last_window() {
    return static_cast<std::uint32_t>(windows_opened());
}

Functions& functions() {
    thread_local Functions of_thread;
    return of_thread;
}

}  // namespace

namespace internal {

void end_functions_left_open() {
    Functions& own = functions();
    if (own.left_open == 0 || own.of_python != 0) return;
    const std::uint32_t count = std::exchange(own.left_open, std::uint16_t{0});
    functions_left_open.fetch_sub(count, std::memory_order_relaxed);
    if (own.window != last_window()) return;  // a later capture knows nothing of them
    for (std::uint32_t i = 0; i < count; ++i)
        emit_function_end();
}

}  // namespace internal

void leave_function_open() {
    if (!recording()) return;
    Functions& own = functions();
    ++own.left_open;
    own.window = last_window();
    internal::functions_left_open.fetch_add(1, std::memory_order_relaxed);
}

void begin_python_function(std::string_view name) {
    end_functions_left_open();
    if (recording()) emit_function_begin(intern(name), 0);
    ++functions().of_python;
}

void end_python_function(bool is_open) {
    Functions& own = functions();
    if (own.of_python > 0) --own.of_python;
    if (is_open) emit_function_end();
}

}  // namespace tilemeter::record
