// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What recording an operation costs: appended as it is, with its types inferred, through arrays; and what a call of a
// compiled function costs beside one that runs operation by operation.

#include <benchmark/benchmark.h>

#include "runtime/trace/apply.hpp"
#include "runtime/trace/call_operations.hpp"
#include "runtime/trace/control_flow.hpp"
#include "runtime/trace/functions.hpp"
#include "runtime/trace/jit.hpp"

namespace tilemeter::trace {
namespace {

using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

constexpr int kOperations = 1000;
const ir::TensorType kType{ir::ElementType::kF32, {32, 64}, {}};

template <class Step>
void record_graph(benchmark::State& state, const Step& step) {
    for (auto _ : state) {
        ir::Graph graph("main", std::string(kCall));
        ir::ValueId x = graph.add_input("x", kType);
        for (int i = 0; i < kOperations; ++i)
            x = step(graph, x);
        benchmark::DoNotOptimize(graph.equation_count());
    }
    state.SetItemsProcessed(state.iterations() * kOperations);
}

void append(benchmark::State& state) {
    record_graph(state, [](ir::Graph& graph, ir::ValueId x) -> ir::ValueId {
        const ir::ValueId operands[] = {x, x};
        return graph.append("add", operands, std::span(&kType, 1));
    });
}
BENCHMARK(append);

void append_and_infer(benchmark::State& state) {
    const ir::Operation& add = operation_named("add");
    record_graph(state, [&](ir::Graph& graph, ir::ValueId x) -> ir::ValueId {
        const ir::ValueId operands[] = {x, x};
        return add_op(graph, add, operands);
    });
}
BENCHMARK(append_and_infer);

template <class Step>
void record_arrays(benchmark::State& state, const Step& step) {
    for (auto _ : state) {
        Frame frame("main");
        Array x = frame.add_input("x", kType);
        for (int i = 0; i < kOperations; ++i)
            x = step(x);
        benchmark::DoNotOptimize(x);
    }
    state.SetItemsProcessed(state.iterations() * kOperations);
}

void traced_add(benchmark::State& state) {
    record_arrays(state, [](const Array& x) { return x + x; });
}
BENCHMARK(traced_add);

void traced_add_of_a_number(benchmark::State& state) {
    record_arrays(state, [](const Array& x) { return x + 1.0; });
}
BENCHMARK(traced_add_of_a_number);

void traced_softmax(benchmark::State& state) {
    record_arrays(state, [](const Array& x) { return softmax(x); });
}
BENCHMARK(traced_softmax);

void pending_add(benchmark::State& state) {
    for (auto _ : state) {
        Array x(ir::Constant::scalar(ir::ElementType::kF32, 1.0));
        for (int i = 0; i < kOperations; ++i)
            x = x + x;
        benchmark::DoNotOptimize(x);
    }
    state.SetItemsProcessed(state.iterations() * kOperations);
}
BENCHMARK(pending_add);

void traced_scan(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(trace(
            "main",
            [&](Arguments x) {
                return scan([](Arguments c) { return Arrays{c[0] * 0.5}; }, x, {},
                            {.length = state.range(0)});
            },
            std::span(&kType, 1)));
}
BENCHMARK(traced_scan)->Arg(10)->Arg(1'000'000);

// The example of Ivy's document.
Arrays eight_operations(Arguments x) {
    const Array y = sum(x[0]);
    const Array z = prod(x[0]);
    return {round(sin(y)), floor(cos(z)), ceil(tan(z))};
}

Arrays one_element() {
    return {Array(ir::Constant::of<double>(ir::ElementType::kF32, {1}, std::vector{1.0}))};
}

void compiled_call(benchmark::State& state) {
    Jit compiled("main", eight_operations);
    const Arrays x = one_element();
    for (auto _ : state)
        benchmark::DoNotOptimize(compiled(x));
}
BENCHMARK(compiled_call);

void operation_by_operation(benchmark::State& state) {
    const Arrays x = one_element();
    for (auto _ : state) {
        const Array y = sum(x[0]).eval();
        const Array z = prod(x[0]).eval();
        const Arrays inner{sin(y).eval(), cos(z).eval(), tan(z).eval()};
        benchmark::DoNotOptimize(
            Arrays{round(inner[0]).eval(), floor(inner[1]).eval(), ceil(inner[2]).eval()});
    }
}
BENCHMARK(operation_by_operation);

void compiled_call_of_two_operations(benchmark::State& state) {
    Jit compiled("main", [](Arguments x) { return Arrays{x[0] * 2.0 + 1.0}; });
    const Arrays x = one_element();
    for (auto _ : state)
        benchmark::DoNotOptimize(compiled(x));
}
BENCHMARK(compiled_call_of_two_operations);

}  // namespace
}  // namespace tilemeter::trace
