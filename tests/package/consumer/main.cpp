// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a project outside does with the installed recorder: one window around one function.

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"

int main() {
    namespace record = tilemeter::record;
    record::open_window(record::RunMode::NORMAL);
    record::emit_function_begin(record::intern("outside"), 0);
    record::emit_function_end();
    const auto trace = record::close_innermost_window();
    return trace && trace->threads.size() == 1 ? 0 : 1;
}
