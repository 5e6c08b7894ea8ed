// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of one captured call of an operation in C++, planned only (NO_DISPATCH), its result freed in a scope as
// Python's tensors are. python_call_bench.py holds the same calls from Python against it.

#include <benchmark/benchmark.h>

#include "capture/graph/graph_processor.hpp"
#include "runtime/operations.hpp"

namespace tilemeter {
namespace {

constexpr int kCallsPerCapture = 2000;

template <typename Call>
void run_captured(benchmark::State& state, Call call) {
    const auto device = open_device(0, DeviceOptions{});
    const Tensor a = ones({1, 1, 64, 64}, DataType::BFLOAT16, Layout::TILE, device, L1_MEMORY_CONFIG);
    for (auto _ : state) {
        state.PauseTiming();
        graph::ScopedGraphCapture capture(graph::RunMode::NO_DISPATCH);
        state.ResumeTiming();
        for (int i = 0; i < kCallsPerCapture; ++i) {
            Tensor result = call(a);
            result.deallocate(false);
        }
        state.PauseTiming();
        benchmark::DoNotOptimize(capture.end_capture().node_count());
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * kCallsPerCapture);
    close_device(*device);
}

void captured_relu(benchmark::State& state) {
    run_captured(state, [](const Tensor& a) { return relu(a); });
}
BENCHMARK(captured_relu);

void captured_add(benchmark::State& state) {
    run_captured(state, [](const Tensor& a) { return add(a, a, std::nullopt, L1_MEMORY_CONFIG); });
}
BENCHMARK(captured_add);

}  // namespace
}  // namespace tilemeter
