// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of recording an operation: appended as it is, with its types inferred, through arrays. Also the cost of a
// call of a compiled function beside one that runs operation by operation, and of the graph of a gradient beside the
// trace of its function.

#include <benchmark/benchmark.h>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/jit.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/derivatives/derivatives.hpp"

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

void gradient_of_scan(benchmark::State& state) {
    const auto traced = trace(
        "main",
        [&](Arguments x) {
            return scan([](Arguments c) { return Arrays{sin(c[0] * 0.5)}; }, x, {},
                        {.length = state.range(0)});
        },
        std::vector<ir::TensorType>{{ir::ElementType::kF32, {}, {}}});
    for (auto _ : state)
        benchmark::DoNotOptimize(grad(*traced.graph, {0}));
}
BENCHMARK(gradient_of_scan)->Arg(10)->Arg(1'000'000);

// The function of a graph and the graph of its gradient, 1,000 operations each way.
void forward_trace(benchmark::State& state, const Function& function) {
    const std::vector<ir::TensorType> types{{ir::ElementType::kF32, {64, 64}, {}},
                                            {ir::ElementType::kF32, {64, 64}, {}}};
    for (auto _ : state)
        benchmark::DoNotOptimize(trace("main", function, types));
}
void gradient_graph(benchmark::State& state, const Function& function) {
    const std::vector<ir::TensorType> types{{ir::ElementType::kF32, {64, 64}, {}},
                                            {ir::ElementType::kF32, {64, 64}, {}}};
    const TracedGraph traced = trace("main", function, types);
    for (auto _ : state)
        benchmark::DoNotOptimize(grad(*traced.graph, {0, 1}));
}
Arrays elementwise_chain(Arguments x) {
    Array y = x[0];
    for (int i = 0; i < kOperations / 2; ++i)
        y = tanh(y) * x[1];
    return {sum(y)};
}
Arrays matmul_chain(Arguments x) {
    Array y = x[0];
    for (int i = 0; i < kOperations / 2; ++i)
        y = tanh(matmul(y, x[1]));
    return {sum(y)};
}
BENCHMARK_CAPTURE(forward_trace, elementwise, elementwise_chain);
BENCHMARK_CAPTURE(gradient_graph, elementwise, elementwise_chain);
BENCHMARK_CAPTURE(forward_trace, matmul, matmul_chain);
BENCHMARK_CAPTURE(gradient_graph, matmul, matmul_chain);

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
