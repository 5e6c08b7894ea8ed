// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the trace of a function with its gradients costs beside that of the function alone: TT-NN's calls there, and theirs back.
// The cost of the gradient is the difference of the two.

#include <array>
#include <functional>
#include <vector>

#include <benchmark/benchmark.h>

#include "runtime/device/device.hpp"
#include "runtime/operations.hpp"
#include "runtime/trace/device/gradient_record.hpp"

namespace tilemeter::trace {
namespace {

using Tensors = std::vector<Tensor>;
using Inputs = std::span<const Tensor>;

constexpr int kCalls = 100;

Tensor repeated(Inputs x, const std::function<Tensor(const Tensor&, const Tensor&)>& step) {
    Tensor y = x[0];
    for (int i = 0; i < kCalls; ++i)
        y = step(y, x[1]);
    return y;
}

Tensors elementwise(Inputs x) {
    return {sum(repeated(x, [](const Tensor& y, const Tensor& w) { return tanh(multiply(y, w)); }))};
}

Tensors products(Inputs x) {
    return {sum(repeated(x, [](const Tensor& y, const Tensor& w) { return matmul(y, w); }))};
}

Tensors layers(Inputs x) {
    return {sum(repeated(x, [](const Tensor& y, const Tensor& w) {
        const Tensor normal = layer_norm(LayerNorm{.input_tensor = y});
        return add(softmax(gelu(matmul(normal, w)), -1), y);
    }))};
}

using Function = Tensors (*)(Inputs);

void trace_function(benchmark::State& state, Function function, bool has_gradient) {
    const auto device = open_device(0);
    const auto made = [&] {
        return empty(
            Empty{.shape = {64, 64}, .dtype = DataType::BFLOAT16, .layout = TILE_LAYOUT, .device = device});
    };
    const std::array inputs{made(), made()};
    const TensorFunction traced = [&](Inputs x) {
        return has_gradient ? value_and_grad(function, x, {0, 1}) : function(x);
    };
    function(inputs);  // from here on programs are cached
    if (has_gradient) traced(inputs);
    std::size_t programs = 0;
    for (auto _ : state)
        programs = trace_on_device(traced, inputs)->program_count();
    state.counters["programs"] = static_cast<double>(programs);
    close_device(*device);
}
BENCHMARK_CAPTURE(trace_function, elementwise, elementwise, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, elementwise_and_gradient, elementwise, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, products, products, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, products_and_gradient, products, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, layers, layers, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, layers_and_gradient, layers, true)->Unit(benchmark::kMicrosecond);

/// A step of training as it runs without a trace.
void eager_step(benchmark::State& state) {
    const auto device = open_device(0);
    const auto made = [&] {
        return full(Full{.shape = {32, 32},
                         .fill_value = 0.5F,
                         .dtype = DataType::BFLOAT16,
                         .layout = TILE_LAYOUT,
                         .device = device});
    };
    const Tensor x = made();
    const Tensor w = made();
    for (auto _ : state) {
        GradientRecord record(std::span(&w, 1));
        const Tensor loss = sum(softmax(relu(matmul(x, w)), -1));
        benchmark::DoNotOptimize(record.backward(loss));
    }
    close_device(*device);
}
BENCHMARK(eager_step)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tilemeter::trace
