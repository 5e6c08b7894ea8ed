// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of tracing a function with its gradients beside that of the function alone: TT-NN's calls there, and theirs
// back. The cost of the gradient is the difference of the two. `by_hand` calls the same programs without a record: what
// is above it is the cost of recording and of the rules, and nothing that makes these calls can be below it. All layers
// of a chain have the same weights here, whose gradients are added up: 2.5, 3.9 and 4.2 programs for one of the
// function alone, which is more than models have (training_cost).

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include <benchmark/benchmark.h>

#include "runtime/device/device.hpp"
#include "runtime/operations.hpp"
#include "runtime/trace/device/gradients/gradient_record.hpp"

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

// ---- the same with their gradients of both inputs, written out as the rules have them

Tensor filled_like(const Tensor& like) {
    return full(Full{.shape = like.shape(),
                     .fill_value = 1.0F,
                     .dtype = like.dtype(),
                     .layout = Layout::TILE,
                     .device = like.shared_device()});
}

// The gradient of a sum, repeated to its operand.
Tensor sum_back(const Tensor& loss, const Tensor& operand) {
    Shape kept = operand.shape();
    for (std::size_t i = 0; i < kept.rank(); ++i)
        kept.set(static_cast<std::int64_t>(i), 1);
    Tensor gradient = filled_like(loss);
    if (gradient.shape() != kept) gradient = reshape(Reshape{.input_tensor = gradient, .shape = kept});
    const Tensor room = empty(Empty{.shape = operand.shape(),
                                    .dtype = operand.dtype(),
                                    .layout = Layout::TILE,
                                    .device = operand.shared_device(),
                                    .memory_config = gradient.memory_config()});
    return moreh_sum_backward(MorehSumBackward{
        .output_grad = gradient, .dim = std::vector<int>{0, 1}, .keepdim = true, .input_grad = room});
}

void add_to(std::optional<Tensor>& gradient, const Tensor& more) {
    gradient = gradient ? add(*gradient, more) : more;
}

Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b) {
    return matmul(Matmul{.input_tensor_a = a,
                         .input_tensor_b = b,
                         .transpose_a = transpose_a,
                         .transpose_b = transpose_b,
                         .memory_config = a.memory_config()});
}

Tensors elementwise_by_hand(Inputs x) {
    Tensors y{x[0]};
    Tensors products;
    for (int i = 0; i < kCalls; ++i) {
        products.push_back(multiply(y.back(), x[1]));
        y.push_back(tanh(products.back()));
    }
    const Tensor loss = sum(y.back());
    Tensor of_y = sum_back(loss, y.back());
    std::optional<Tensor> of_w;
    for (std::size_t i = kCalls; i-- > 0;) {
        const Gradients both = mul_bw(tanh_bw(of_y, products[i]).at(0).value(), y[i], x[1]);
        add_to(of_w, both.at(1).value());
        of_y = both.at(0).value();
    }
    return {loss, of_y, *of_w};
}

Tensors products_by_hand(Inputs x) {
    Tensors y{x[0]};
    for (int i = 0; i < kCalls; ++i)
        y.push_back(matmul(y.back(), x[1]));
    const Tensor loss = sum(y.back());
    Tensor of_y = sum_back(loss, y.back());
    std::optional<Tensor> of_w;
    for (std::size_t i = kCalls; i-- > 0;) {
        add_to(of_w, product(y[i], true, of_y, false));
        of_y = product(of_y, false, x[1], true);
    }
    return {loss, of_y, *of_w};
}

Tensor mean_of_rows(const Tensor& tensor) {
    return mean(Mean{.input_tensor = tensor, .dim = -1, .keepdim = true});
}

Tensor layer_norm_back(const Tensor& y, const Tensor& gradient) {
    const Tensor normal = layer_norm(LayerNorm{.input_tensor = y});
    const Tensor variance = var(Var{.input_tensor = y, .dim = -1, .keepdim = true, .correction = false});
    const Tensor scale = add(variance, Scalar(1e-12), std::nullopt, std::nullopt, std::nullopt,
                             std::vector{UnaryWithParam(UnaryOpType::RSQRT)});
    const Tensor along = multiply(normal, mean_of_rows(multiply(gradient, normal)));
    return multiply(subtract(gradient, add(along, mean_of_rows(gradient))), scale);
}

Tensors layers_by_hand(Inputs x) {
    Tensors y{x[0]};
    Tensors normals;
    Tensors scores;
    Tensors shares;
    for (int i = 0; i < kCalls; ++i) {
        normals.push_back(layer_norm(LayerNorm{.input_tensor = y.back()}));
        scores.push_back(matmul(normals.back(), x[1]));
        shares.push_back(softmax(gelu(scores.back()), -1));
        y.push_back(add(shares.back(), y.back()));
    }
    const Tensor loss = sum(y.back());
    Tensor of_y = sum_back(loss, y.back());
    std::optional<Tensor> of_w;
    for (std::size_t i = kCalls; i-- > 0;) {
        const Tensor of_gelu = moreh_softmax_backward(
            MorehSoftmaxBackward{.output_tensor = shares[i], .output_grad_tensor = of_y, .dim = 1});
        const Tensor of_scores = gelu_bw(of_gelu, scores[i]).at(0).value();
        add_to(of_w, product(normals[i], true, of_scores, false));
        of_y = add(of_y, layer_norm_back(y[i], product(of_scores, false, x[1], true)));
    }
    return {loss, of_y, *of_w};
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
BENCHMARK_CAPTURE(trace_function, elementwise_by_hand, elementwise_by_hand, false)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, products, products, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, products_and_gradient, products, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, products_by_hand, products_by_hand, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, layers, layers, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, layers_and_gradient, layers, true)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(trace_function, layers_by_hand, layers_by_hand, false)->Unit(benchmark::kMicrosecond);

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
