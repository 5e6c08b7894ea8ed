// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/window.hpp"

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "capture/record/emit.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::record {
namespace {

void emit_number(std::uint64_t number) {
    emit_function_begin(TextId{1}, number);
}

std::vector<std::uint64_t> numbers_in(const ThreadSlice& slice) {
    std::vector<std::uint64_t> numbers;
    slice.for_each([&](const Event& event) { numbers.push_back(event.payload.call.argument_count); });
    return numbers;
}

std::vector<std::uint64_t> numbers_in(const Recording& recording) {
    return recording.threads.empty() ? std::vector<std::uint64_t>() : numbers_in(recording.threads.front());
}

std::vector<std::uint64_t> range(std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = from; i < to; ++i)
        numbers.push_back(i);
    return numbers;
}

TEST(Window, given_none_then_nothing_is_recorded_and_nothing_can_be_closed) {
    EXPECT_FALSE(recording());
    emit_number(1);
    EXPECT_FALSE(innermost_window());
    EXPECT_FALSE(close_innermost_window());
    const WindowId closed = open_window(RunMode::NORMAL);
    EXPECT_TRUE(close_window(closed));
    EXPECT_FALSE(close_window(closed));
    EXPECT_FALSE(peek_window(closed));
}

TEST(Window, given_events_then_it_holds_those_between_its_opening_and_its_closing) {
    emit_number(0);
    open_window(RunMode::NORMAL);
    EXPECT_TRUE(recording());
    emit_number(1);
    emit_number(2);
    const auto recording = close_innermost_window();
    emit_number(3);
    EXPECT_FALSE(record::recording());
    EXPECT_EQ(numbers_in(*recording), range(1, 3));
    EXPECT_LE(recording->begin_ticks, recording->end_ticks);
}

TEST(Window, given_arguments_then_they_have_the_time_of_their_function_and_only_others_read_the_clock) {
    open_window(RunMode::NORMAL);
    constexpr std::uint64_t kCalls = 1000;  // over several chunks
    for (std::uint64_t i = 0; i < kCalls; ++i) {
        emit_function_begin(TextId{1}, 2);
        emit_argument(TextId{2});
        emit_argument(ArgumentType::kInteger, 3);
        emit_function_end();
    }
    const auto recording = close_innermost_window();
    ASSERT_EQ(recording->threads.size(), 1U);
    std::uint64_t latest = recording->begin_ticks;
    std::uint64_t of_function = 0, as_function = 0;
    recording->threads.front().for_each([&](const Event& event) {
        EXPECT_GE(event.time_ticks, latest);
        EXPECT_LE(event.time_ticks, recording->end_ticks);
        latest = event.time_ticks;
        if (event.kind == EventKind::kFunctionBegin) of_function = event.time_ticks;
        if (event.kind == EventKind::kArgument && event.time_ticks == of_function) ++as_function;
    });
    // The first event of a chunk has none before it to take the time of.
    EXPECT_GE(as_function, 2 * kCalls - 2 * (4 * kCalls / Chunk::kEvents + 1));
}

TEST(Window, given_more_events_than_a_chunk_holds_then_all_come_in_order) {
    for (const std::uint64_t count : {1023U, 1024U, 2046U, 2047U, 10000U}) {
        open_window(RunMode::NORMAL);
        for (std::uint64_t i = 0; i < count; ++i)
            emit_number(i);
        const auto recording = close_innermost_window();
        EXPECT_EQ(numbers_in(*recording), range(0, count)) << count;
    }
}

TEST(Window, given_parts_of_a_slice_then_they_can_be_read_across_chunks) {
    open_window(RunMode::NORMAL);
    for (std::uint64_t i = 0; i < 5000; ++i)
        emit_number(i);
    const auto recording = close_innermost_window();
    const ThreadSlice& slice = recording->threads.front();
    for (const auto& [from, to] :
         {std::pair(0, 5000), std::pair(1000, 1100), std::pair(1020, 4200), std::pair(7, 7)}) {
        std::vector<std::uint64_t> numbers;
        slice.for_each(slice.begin + static_cast<std::uint64_t>(from),
                       slice.begin + static_cast<std::uint64_t>(to),
                       [&](const Event& event) { numbers.push_back(event.payload.call.argument_count); });
        EXPECT_EQ(numbers, range(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)));
    }
}

TEST(Window, given_overlapping_windows_then_each_holds_its_own_part) {
    const WindowId first = open_window(RunMode::NORMAL);
    emit_number(0);
    const WindowId second = open_window(RunMode::NORMAL);
    emit_number(1);
    const auto of_first = close_window(first);
    emit_number(2);
    const auto of_second = close_window(second);
    EXPECT_EQ(numbers_in(*of_first), range(0, 2));
    EXPECT_EQ(numbers_in(*of_second), range(1, 3));
}

TEST(Window, given_a_look_inside_then_it_stays_open) {
    const WindowId window = open_window(RunMode::NORMAL);
    emit_number(0);
    EXPECT_EQ(numbers_in(*peek_window(window)), range(0, 1));
    emit_number(1);
    EXPECT_EQ(numbers_in(*close_window(window)), range(0, 2));
}

TEST(Window, given_a_thread_that_ended_then_its_events_are_still_there) {
    open_window(RunMode::NORMAL);
    std::thread([] { emit_number(0); }).join();
    std::thread([] { emit_number(0); }).join();
    const auto recording = close_innermost_window();
    ASSERT_EQ(recording->threads.size(), 2U);
    EXPECT_NE(recording->threads[0].thread, recording->threads[1].thread);
    EXPECT_EQ(numbers_in(recording->threads[0]), range(0, 1));
    EXPECT_EQ(numbers_in(recording->threads[1]), range(0, 1));
}

/// Emits when its thread ends, after what the recorder keeps per thread is gone.
struct EmitsAtTheEnd {
    bool used = false;
    ~EmitsAtTheEnd() {
        if (used) emit_number(1);
    }
};
thread_local EmitsAtTheEnd emits_at_the_end;

TEST(Window, given_events_while_a_thread_ends_then_they_are_recorded) {
    const WindowId window = open_window(RunMode::NORMAL);
    std::thread([] {
        emits_at_the_end.used = true;  // made before the recorder's own, so destroyed after it
        emit_number(0);
    }).join();
    const auto recording = close_window(window);
    std::size_t events = 0;
    for (const ThreadSlice& slice : recording->threads)
        events += numbers_in(slice).size();
    EXPECT_EQ(events, 2U);
}

TEST(Window, given_run_modes_then_the_shadow_lasts_as_long_as_any_window_that_wants_it) {
    EXPECT_EQ(shadow_epoch(), 0U);
    const WindowId normal = open_window(RunMode::NORMAL);
    EXPECT_EQ(shadow_epoch(), 0U);
    const WindowId outer = open_window(RunMode::NO_DISPATCH);
    const std::uint64_t epoch = shadow_epoch();
    EXPECT_NE(epoch, 0U);
    const WindowId inner = open_window(RunMode::NO_DISPATCH);
    close_window(outer);
    EXPECT_EQ(shadow_epoch(), epoch);
    close_window(inner);
    EXPECT_EQ(shadow_epoch(), 0U);
    close_window(normal);
    const WindowId next = open_window(RunMode::NO_DISPATCH);
    EXPECT_GT(shadow_epoch(), epoch);
    close_window(next);
}

TEST(Clock, given_two_readings_then_ticks_convert_to_nanoseconds) {
    const ClockReading earlier = process_start_reading();
    const ClockReading later = read_clocks();
    const TickConversion conversion(earlier, later);
    EXPECT_EQ(conversion.to_ns(earlier.ticks), earlier.ns);
    EXPECT_NEAR(static_cast<double>(conversion.to_ns(later.ticks)), static_cast<double>(later.ns), 1000.0);
    EXPECT_GT(conversion.to_ns(later.ticks + 1'000'000), later.ns);
}

TEST(Text, given_equal_texts_then_they_share_an_id) {
    const TextId id = intern("a text");
    EXPECT_EQ(intern(std::string("a ") + "text"), id);
    EXPECT_NE(intern("another text"), id);
    EXPECT_EQ(text_of(id), "a text");
    EXPECT_EQ(intern(""), TextId::kNone);
    EXPECT_EQ(text_of(TextId::kNone), "");
}

TEST(TensorInfo, given_equal_tensor_infos_then_they_share_an_id) {
    TensorInfo info;
    info.shape = {2, 3};
    const TensorSpecId id = intern(info);
    EXPECT_EQ(intern(info), id);
    info.on_device = true;
    EXPECT_NE(intern(info), id);
    EXPECT_FALSE(tensor_info_of(id).on_device);
    EXPECT_EQ(tensor_info_of(TensorSpecId::kNone), TensorInfo());
}

}  // namespace
}  // namespace tilemeter::record
