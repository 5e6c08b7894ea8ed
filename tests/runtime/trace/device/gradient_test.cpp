// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of TT-NN functions on the device, beside those of the graph on the host and beside differences of the losses that
// the calls themselves compute.

#include "runtime/trace/device/gradients/gradient.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/transformer/attention_heads.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/lowering.hpp"

namespace tilemeter::trace {
namespace {

using Tensors = std::vector<Tensor>;
using Inputs = std::span<const Tensor>;

Tensor moved_along(const Tensor& tensor, const std::vector<float>& direction, float step) {
    std::vector<float> values = tensor.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += step * direction[i];
    return from_vector(std::span<const float>(values), tensor.shape(), DataType::FLOAT32, TILE_LAYOUT,
                       tensor.shared_device());
}

void expect_gradients(const TensorFunction& loss, const Tensors& inputs, const Positions& wrt) {
    const auto traced = trace_on_device(loss, inputs);
    const ir::Graph graph = gradient_of_calls(traced->graph(), wrt);
    std::vector<ir::Constant> values;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values.push_back(test::constant_of(inputs[i], graph.type(graph.params()[i])));
    const std::vector<ir::Constant> on_host = evaluate(graph, values);
    const Tensors on_device = place_gradient(*traced, wrt).run(inputs);
    ASSERT_EQ(on_device.size(), wrt.size() + 1);
    for (std::size_t i = 0; i < on_device.size(); ++i)
        EXPECT_EQ(test::difference(on_host[i], on_device[i], 1e-4), "") << "result " << i;
    EXPECT_EQ(test::difference(on_host[0], loss(inputs)[0], 1e-4), "") << "loss";

    for (std::size_t i = 0; i < wrt.size(); ++i) {
        const Tensor& at = inputs[wrt[i]];
        const std::vector<float> direction =
            test::uneven_values(at.shape().volume(), -1, 1, 17 + static_cast<unsigned>(i));
        constexpr float kStep = 1e-2F;
        const auto loss_at = [&](float step) {
            Tensors moved = inputs;
            moved[wrt[i]] = moved_along(at, direction, step);
            return static_cast<double>(loss(moved)[0].to_vector<float>()[0]);
        };
        const double numeric = (loss_at(kStep) - loss_at(-kStep)) / (2 * static_cast<double>(kStep));
        double along = 0;
        double size = 0;
        for (std::size_t j = 0; j < direction.size(); ++j) {
            along += on_host[i + 1].double_at(j) * static_cast<double>(direction[j]);
            size += std::abs(on_host[i + 1].double_at(j) * static_cast<double>(direction[j]));
        }
        EXPECT_NEAR(along, numeric, 2e-2 * std::max(std::abs(along), 0.1 * size) + 1e-4)
            << "input " << wrt[i];
    }
}

TEST(DeviceGradient, is_that_of_a_classifier) {
    const test::OpenDevice device;
    const Tensors inputs{test::random_floats(device.get(), {32, 64}, -1, 1, 1),
                         test::random_floats(device.get(), {64, 48}, -0.5F, 0.5F, 2),
                         test::random_floats(device.get(), {1, 48}, -0.5F, 0.5F, 3),
                         test::random_floats(device.get(), {48, 32}, -0.5F, 0.5F, 4),
                         test::random_floats(device.get(), {32, 32}, 0, 1, 5)};
    expect_gradients(
        [](Inputs x) {
            const Tensor hidden =
                gelu(linear({.input_tensor_a = x[0], .input_tensor_b = x[1], .bias = x[2]}));
            const Tensor wrong = subtract(softmax(matmul(hidden, x[3]), -1), x[4]);
            return Tensors{mean(multiply(wrong, wrong))};
        },
        inputs, {1, 2, 3});
}

TEST(DeviceGradient, is_that_of_an_attention_block) {
    const test::OpenDevice device;
    const Tensors inputs{test::random_floats(device.get(), {2, 32, 64}, -1, 1, 1),
                         test::random_floats(device.get(), {64, 192}, -0.3F, 0.3F, 2),
                         test::random_floats(device.get(), {1, 64}, 0.5F, 1.5F, 3),
                         test::random_floats(device.get(), {1, 64}, -0.5F, 0.5F, 4)};
    expect_gradients(
        [](Inputs x) {
            const Tensor normal =
                layer_norm({.input_tensor = x[0], .epsilon = 1e-5F, .weight = x[2], .bias = x[3]});
            const auto [query, key, value] = transformer::split_query_key_value_and_split_heads(
                {.input_tensor = matmul(normal, x[1]), .num_heads = 2});
            const Tensor scores = multiply(matmul(query, key), 0.17F);
            const Tensor mixed = transformer::concatenate_heads(matmul(softmax(scores, -1), value));
            const Tensor out = add(mixed, x[0]);
            return Tensors{sum(multiply(out, out))};
        },
        inputs, {0, 1, 2, 3});
}

TEST(DeviceGradient, refuses_what_is_no_loss) {
    const test::OpenDevice device;
    const Tensor x = test::random_floats(device.get(), {32, 32});
    const auto kind_of = [&](const TensorFunction& function) {
        try {
            place_gradient(*trace_on_device(function, std::span<const Tensor>(&x, 1)), {0});
        } catch (const ir::Error& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            return error.kind();
        }
        return ir::ErrorKind::kCount;
    };
    EXPECT_EQ(kind_of([](Inputs t) { return Tensors{relu(t[0])}; }), ir::ErrorKind::kGradNeedsScalar);
    EXPECT_EQ(kind_of([](Inputs t) { return Tensors{sum(nextafter(t[0], t[0]))}; }), ir::ErrorKind::kNoRule);
}

}  // namespace
}  // namespace tilemeter::trace
