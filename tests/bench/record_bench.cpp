// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of recording, against its floor: the clock reading that each event needs.
//
//     tilemeter_bench_record --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true
//
// Times are per event, pair or node, not per call of the measured loop.

#include <cstdint>
#include <filesystem>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/graph/node_graph.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/stack.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "report/report_writer.hpp"
#include "tests/bench/emitted_operations.hpp"

namespace tilemeter {
namespace {

using graph::CapturedGraph;
using graph::GraphProcessor;

// A window is open while the benchmark runs and starts anew now and then, outside the measured time, so that
// memory stays small and is the same again: what fresh memory costs on top is measured apart.
constexpr std::int64_t kEventsPerWindow = 1 << 17;

void drop_window() {
    benchmark::DoNotOptimize(record::close_innermost_window());
}

template <typename Emit>
void run_recording(benchmark::State& state, std::int64_t events_per_call, Emit emit) {
    if (state.thread_index() == 0) record::open_window(record::RunMode::NORMAL);
    std::int64_t events = 0;
    for (auto _ : state) {
        emit();
        events += events_per_call;
        if (state.threads() == 1 && events >= kEventsPerWindow) {
            state.PauseTiming();
            drop_window();
            record::open_window(record::RunMode::NORMAL);
            events = 0;
            state.ResumeTiming();
        }
    }
    if (state.thread_index() == 0) drop_window();
}

void clock_reading(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(record::now_ticks());
}
BENCHMARK(clock_reading);

void two_clock_readings(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(record::now_ticks());
        benchmark::DoNotOptimize(record::now_ticks());
    }
}
BENCHMARK(two_clock_readings);

void event_off(benchmark::State& state) {
    for (auto _ : state) {
        record::emit_function_end();
        benchmark::ClobberMemory();
    }
}
BENCHMARK(event_off);

void event_on(benchmark::State& state) {
    run_recording(state, 1, [] { record::emit_function_end(); });
}
BENCHMARK(event_on);

void buffer_event_on(benchmark::State& state) {
    const record::BufferRecord buffer{record::next_buffer_id(), {}, {}, {}, 0, 1497088, 24576, 2048, 2048};
    run_recording(state, 1, [&] { record::emit_buffer_allocate(buffer, record::Origin::kObserved); });
}
BENCHMARK(buffer_event_on);

void begin_end_pair_on(benchmark::State& state) {
    const record::TextId name = record::intern("ttnn.add");
    run_recording(state, 2, [name] {
        record::emit_function_begin(name, 2);
        record::emit_function_end();
    });
}
BENCHMARK(begin_end_pair_on);

// Fixed numbers of iterations, since windows are not dropped while other threads record: 64 MiB per thread.
// The processor's time is per thread and pair, whatever number of threads shares a core.
constexpr std::int64_t kPairs = 1 << 19;

void record_pairs(benchmark::State& state, const record::WindowOptions& options) {
    const record::TextId name = record::intern("ttnn.add");
    if (state.thread_index() == 0) record::open_window(options);
    for (auto _ : state) {
        record::emit_function_begin(name, 2);
        record::emit_function_end();
    }
    if (state.thread_index() == 0) drop_window();
}

/// The floor of the next one: two clock readings into 128 bytes of fresh memory, huge pages all of it.
void two_clock_readings_in_fresh_memory(benchmark::State& state) {
    constexpr std::size_t kPage = std::size_t{2} << 20;
    constexpr std::size_t kBytes = kPairs * 128 + kPage;
    auto* const memory =
        static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    auto* at = memory + (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage);
    madvise(memory, kBytes, MADV_HUGEPAGE);
    for (auto _ : state) {
        for (int i = 0; i < 2; ++i, at += 64)
            *reinterpret_cast<std::uint64_t*>(at) = record::now_ticks();
    }
    munmap(memory, kBytes);
}
BENCHMARK(two_clock_readings_in_fresh_memory)->ThreadRange(1, 8)->Iterations(kPairs);

/// Memory that the kernel clears first, all of it.
void begin_end_pair_in_fresh_memory(benchmark::State& state) {
    record_pairs(state, {});
}
BENCHMARK(begin_end_pair_in_fresh_memory)->ThreadRange(1, 8)->Iterations(kPairs);

/// A capture that stays on: the last 16 MiB.
void begin_end_pair_in_a_ring(benchmark::State& state) {
    record::WindowOptions options;
    options.max_bytes = std::uint64_t{16} << 20;
    record_pairs(state, options);
}
BENCHMARK(begin_end_pair_in_a_ring)->ThreadRange(1, 8)->Iterations(kPairs);

void two_clock_readings_threads(benchmark::State& state) {
    two_clock_readings(state);
}
BENCHMARK(two_clock_readings_threads)->ThreadRange(1, 8)->Iterations(kPairs);

void operation_on(benchmark::State& state) {
    const bench::Operation operation;
    run_recording(state, 24, [&] { operation.emit(); });
}
BENCHMARK(operation_on);

// NOLINTNEXTLINE(misc-no-recursion): frames are what it is for
[[gnu::noinline]] void stacks_at_depth(unsigned depth, benchmark::State& state) {
    if (depth > 0) {
        stacks_at_depth(depth - 1, state);
        benchmark::ClobberMemory();  // no tail call
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(record::capture_stack());
    state.counters["frames"] = static_cast<double>(record::stack_of(record::capture_stack()).size());
}

/// A stack from a place seen before.
void stack(benchmark::State& state) {
    stacks_at_depth(static_cast<unsigned>(state.range(0)), state);
}
BENCHMARK(stack)->Arg(0)->Arg(20)->Arg(40);

/// `max_bytes`: 0, or those of a ring.
void begin_end_pair_into_a_file(benchmark::State& state, std::uint64_t max_bytes) {
    const auto path = std::filesystem::temp_directory_path() / "tilemeter_bench_recording";
    record::WindowOptions options;
    options.recording = path;
    options.max_bytes = max_bytes;
    record_pairs(state, options);
    if (state.thread_index() == 0) std::filesystem::remove(path);
}
BENCHMARK_CAPTURE(begin_end_pair_into_a_file, that_grows, 0)->ThreadRange(1, 8)->Iterations(kPairs);
BENCHMARK_CAPTURE(begin_end_pair_into_a_file, that_is_a_ring, std::uint64_t{16} << 20)
    ->ThreadRange(1, 8)
    ->Iterations(kPairs);

constexpr std::int64_t kOperations = 20000;

record::Recording recording_of_operations() {
    const bench::Operation operation;
    record::open_window(record::RunMode::NORMAL);
    for (std::int64_t i = 0; i < kOperations; ++i)
        operation.emit();
    return *record::close_innermost_window();
}

void set_per_node(benchmark::State& state, std::size_t nodes) {
    state.counters["per_node"] =
        benchmark::Counter(static_cast<double>(nodes),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void build_nodes(benchmark::State& state) {
    const record::Recording recording = recording_of_operations();
    std::size_t nodes = 0;
    for (auto _ : state)
        nodes = CapturedGraph(recording).node_count();
    set_per_node(state, nodes);
}
BENCHMARK(build_nodes)->Unit(benchmark::kMillisecond);

void nodes_to_json(benchmark::State& state) {
    const CapturedGraph captured(recording_of_operations());
    for (auto _ : state)
        benchmark::DoNotOptimize(captured.to_json());
    set_per_node(state, captured.node_count());
}
BENCHMARK(nodes_to_json)->Unit(benchmark::kMillisecond);

void nodes_to_text(benchmark::State& state) {
    const CapturedGraph captured(recording_of_operations());
    std::size_t bytes = 0;
    for (auto _ : state)
        bytes = captured.to_text().size();
    set_per_node(state, captured.node_count());
    state.counters["bytes_per_node"] =
        static_cast<double>(bytes) / static_cast<double>(captured.node_count());
}
BENCHMARK(nodes_to_text)->Unit(benchmark::kMillisecond);

/// The work of end_graph_capture_to_file: build and write.
void trace_to_report_file(benchmark::State& state) {
    const record::Recording recording = recording_of_operations();
    const auto path = std::filesystem::temp_directory_path() / "tilemeter_bench_report.json";
    std::size_t nodes = 0;
    for (auto _ : state) {
        const CapturedGraph captured(recording);
        nodes = captured.node_count();
        if (!report::write_report(captured, path)) state.SkipWithError("the report could not be written");
    }
    std::filesystem::remove(path);
    set_per_node(state, nodes);
}
BENCHMARK(trace_to_report_file)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tilemeter
