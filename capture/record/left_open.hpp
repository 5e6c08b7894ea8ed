// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions that nobody ends. TT-NN's text of a tensor on a device begins "ttnn::to_string" and leaves it open; the next
// operation that a user calls from Python ends what is open then. So what happens in between, such as a tensor that is
// freed, is recorded within it.
//
// Thread safety: all functions may be called from any thread; each thread has its own functions.

#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace tilemeter::record {

namespace internal {

/// Functions of all threads.
inline constinit std::atomic<std::uint32_t> functions_left_open{0};

void end_functions_left_open();

}  // namespace internal

/// The function that was begun last stays open.
void leave_function_open();

/// Ends them, where the calling thread is in no function of Python; for who begins an operation that a user called.
inline void end_functions_left_open() {
    if (internal::functions_left_open.load(std::memory_order_relaxed) != 0) [[unlikely]]
        internal::end_functions_left_open();
}

/// A function that is written in Python, or an operation of it: ends those left open before. Others may be left open within
/// it; they stay so until it ends.
void begin_python_function(std::string_view name);
/// `is_open`: its end is to be recorded.
void end_python_function(bool is_open = true);

}  // namespace tilemeter::record
