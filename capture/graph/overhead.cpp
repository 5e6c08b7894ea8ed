// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/overhead.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <memory>
#include <utility>

#include "capture/record/emit.hpp"
#include "capture/record/stack.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::graph {

namespace {

/// CPU time of the calling thread: other programs on the machine do not count.
std::uint64_t cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Nanoseconds per call of `body`, the median of `repeats` rounds of `calls`.
template <typename Body>
double time_of(unsigned repeats, unsigned calls, Body body) {
    std::vector<double> rounds;
    for (unsigned round = 0; round < repeats; ++round) {
        const std::uint64_t before = cpu_ns();
        for (unsigned call = 0; call < calls; ++call)
            body();
        rounds.push_back(static_cast<double>(cpu_ns() - before) / calls);
    }
    return median(std::move(rounds));
}

/// Keeps the compiler from leaving out what has no effect.
template <typename Value>
void keep(const Value& value) {
    asm volatile("" : : "r,m"(value) : "memory");
}

struct SyntheticOperation {
    record::TextId name = record::intern("overhead: operation");
    record::TextId inner = record::intern("overhead: create_device_tensor");
    record::TextId argument = record::intern("std::nullopt");
    record::TextId cores = record::intern("{[0-0 - 7-7]}");
    record::TensorSpecId spec = record::intern(record::TensorInfo{});
    record::BufferRecord buffer{
        record::next_buffer_id(), {}, record::MemoryType::kL1, {}, 0, 1497088, 24576, 2048, 2048};
    record::TensorRecord tensor{record::next_tensor_id(), spec, {}, buffer.buffer, 1497088, false};

    void emit() const {
        using namespace record;  // NOLINT: a dozen emitters
        emit_function_begin(name, 3);
        emit_argument(tensor.tensor, spec);
        emit_argument(tensor.tensor, spec);
        emit_argument(argument);
        emit_input_tensor(tensor);
        emit_input_tensor(tensor);
        emit_function_begin(inner, 1);
        emit_argument(argument);
        emit_buffer_allocate(buffer, Origin::kObserved);
        emit_function_end();
        emit_program_begin({}, 1, Origin::kObserved);
        emit_program_memory(EventKind::kCircularBuffer, {1, {}, cores, 105824, 4096, BufferId::kNone},
                            Origin::kObserved);
        emit_output_tensor(tensor);
        emit_function_end();
        emit_buffer_free(buffer, Origin::kObserved);
    }
};

/// Calls `body` with at least `depth` frames of this function on the stack.
// NOLINTNEXTLINE(misc-no-recursion): that is its purpose
[[gnu::noinline]] void call_at_depth(unsigned depth, void (*body)(void*), void* data) {
    if (depth == 0) return body(data);
    call_at_depth(depth - 1, body, data);
    keep(depth);  // no tail call
}

constexpr unsigned kOperationsPerRound = 2000;

double operation_time(unsigned repeats, unsigned depth) {
    struct Work {
        SyntheticOperation operation;
        unsigned repeats;
        double time = 0;
    } work{{}, repeats, 0};
    call_at_depth(
        depth,
        [](void* data) {
            auto& mine = *static_cast<Work*>(data);
            mine.time = time_of(mine.repeats, kOperationsPerRound, [&] { mine.operation.emit(); });
        },
        &work);
    return work.time;
}

LevelCost cost_at(record::Detail detail, unsigned repeats, unsigned depth, double clock_ns) {
    record::WindowOptions options;
    options.detail = detail;
    const record::WindowId window = record::open_window(options);
    LevelCost cost{record::name_of(detail), operation_time(repeats, depth), 0, 0, 0};
    const auto recording = record::close_window(window);
    double kept = 0;
    double clock_readings = 0;
    if (recording) {
        for (const record::ThreadSlice& slice : recording->threads) {
            slice.for_each([&](const record::Event& event) {
                ++kept;
                if (record::reads_clock(event.kind)) ++clock_readings;
            });
        }
    }
    const double operations = static_cast<double>(repeats) * kOperationsPerRound;
    cost.events_per_operation = kept / operations;
    cost.bytes_per_operation = cost.events_per_operation * sizeof(record::Event);
    cost.floor_ns = clock_readings / operations * clock_ns;  // an event that is only counted reads no clock
    return cost;
}

}  // namespace

EventCost measure_event_cost(bool stacks) {
    constexpr unsigned kRounds = 5;
    constexpr unsigned kCalls = 200;
    EventCost cost;
    const double round_ns = time_of(kRounds, kCalls, [] { keep(0); });  // its own two clocks, mostly
    cost.clock_ns = std::max(0.0, time_of(kRounds, kCalls, [] { keep(record::now_ticks()); }) - round_ns);
    record::ThreadLog log(0);
    log.continue_in(std::make_shared<record::Chunk>());  // zeroed: its memory is there
    static_assert(kRounds * kCalls < record::Chunk::kEvents);
    cost.event_ns = time_of(kRounds, kCalls, [&log] {
        if (!log.has_slot()) return;
        record::Event& event = log.slot();
        event = record::Event{};
        event.time_ticks = record::now_ticks();
        log.publish();
    });
    cost.event_ns = std::max(0.0, cost.event_ns - round_ns);
    if (!stacks) return cost;
    record::capture_stack();  // the first one of a place costs more
    constexpr unsigned kStacks = 10;
    cost.stack_ns = time_of(kRounds, kStacks, [] { keep(record::capture_stack()); });
    return cost;
}

std::vector<LevelCost> measure_overhead(unsigned repeats, unsigned stack_depth) {
    const double clock_ns = time_of(repeats, 10000, [] { keep(record::now_ticks()); });
    // The first capture of a process also pays for its memory.
    cost_at(record::Detail::kPages, repeats, stack_depth, clock_ns);
    std::vector<LevelCost> costs = {{"off", operation_time(repeats, stack_depth), 0, 0, 0}};
    for (const record::Detail detail :
         {record::Detail::kCounters, record::Detail::kEvents, record::Detail::kArguments,
          record::Detail::kStacks, record::Detail::kPages})
        costs.push_back(cost_at(detail, repeats, stack_depth, clock_ns));
    return costs;
}

}  // namespace tilemeter::graph
