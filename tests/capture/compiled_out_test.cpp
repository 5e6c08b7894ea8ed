// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Built with TILEMETER_RECORDING=0, against the recorder built so, too: the same names, and nothing happens.

#include <gtest/gtest.h>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::record {
namespace {

static_assert(TILEMETER_RECORDING == 0);
static_assert(!recording(), "known when compiled, so that emitters disappear");

TEST(CompiledOut, given_an_open_window_then_every_emitter_compiles_and_nothing_is_recorded) {
    const WindowId window = open_window(RunMode::NORMAL);
    const TextId text = intern("text");
    emit_function_begin(text, 1);
    emit_argument(text);
    emit_argument(ArgumentType::kInteger, 1);
    emit_argument(TensorId{1}, TensorSpecId::kNone);
    emit_input_tensor({});
    emit_output_tensor({});
    emit_buffer_allocate({}, Origin::kObserved);
    emit_buffer_free({}, Origin::kObserved);
    emit_program_begin({}, 1, Origin::kObserved);
    emit_program_memory(EventKind::kCircularBuffer, {}, Origin::kObserved);
    emit_program_selected(text, 0, true);
    emit_sub_device_manager({}, 0, text);
    emit_program_execution({}, 0, {}, text, 0);
    emit_error(text, text, text);
    emit_function_aborted(text);
    emit_function_end();
    append(EventKind::kFunctionEnd, [](Event& slot, const Event*) { slot = Event{}; });
    const auto recording = close_window(window);
    ASSERT_TRUE(recording);
    EXPECT_TRUE(recording->threads.empty());
}

TEST(CompiledOut, given_a_run_mode_then_operations_still_obey_it) {
    EXPECT_EQ(shadow_epoch(), 0U);
    const WindowId window = open_window(RunMode::NO_DISPATCH);
    EXPECT_NE(shadow_epoch(), 0U);
    close_window(window);
    EXPECT_EQ(shadow_epoch(), 0U);
}

}  // namespace
}  // namespace tilemeter::record
