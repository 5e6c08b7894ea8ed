// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Each vjp rule: gradients that TT-NN calls compute, beside those of the lowered graph, which knows nothing of the rules, and beside
// differences of the losses themselves.

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/gradients/gradient.hpp"
#include "runtime/trace/device/gradients/gradient_record.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/vjp_cases.hpp"

namespace tilemeter::trace::vjp_test {
namespace {

using Tensors = std::vector<Tensor>;
using test::input_of;

Tensor moved_along(const Tensor& tensor, const std::vector<float>& direction, float step) {
    std::vector<float> values = tensor.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] += step * direction[i];
    return from_vector(std::span<const float>(values), tensor.shape(), tensor.dtype(), TILE_LAYOUT,
                       tensor.shared_device());
}

Tensor result_of(const Case& each, Inputs x) {
    const Tensor y = to_layout(ToLayout{.tensor = each.function(x), .layout = TILE_LAYOUT});
    return y.shape().rank() > 0 ? y : reshape(y, Shape{1, 1});
}

// A loss that weighs each element of the result differently.
TensorFunction loss_of(const Case& each, const Tensor& weights) {
    return [&each, weights](Inputs x) { return Tensors{sum(multiply(result_of(each, x), weights))}; };
}

void expect_gradients(const std::shared_ptr<Device>& device, const Case& each) {
    Tensors inputs;
    for (const Range& range : each.inputs)
        inputs.push_back(input_of(device, range, each.dtype, 3 + static_cast<unsigned>(inputs.size())));
    const Shape shape = result_of(each, inputs).shape();
    const Tensor weights = input_of(device, {shape, -1, 1}, each.dtype, 11);
    const TensorFunction loss = loss_of(each, weights);

    Tensors of;
    for (const std::size_t i : each.wrt)
        of.push_back(inputs[i]);
    {
        GradientRecord record(of);
        loss(inputs);
        for (const std::string& name : record.without_rule())
            EXPECT_NE(name, std::string("ttnn.") + each.name);
    }
    const Tensors found = value_and_grad(loss, inputs, each.wrt);
    ASSERT_EQ(found.size(), each.wrt.size() + 1);

    // The graph that the calls lower to, differentiated and evaluated on the host.
    const bool is_wide = each.dtype == DataType::FLOAT32;
    const auto traced = trace_on_device(loss, inputs);
    std::vector<ir::Constant> expected;
    if (without_lowering(traced->graph()).empty()) {
        const ir::Graph lowered = gradient_of_calls(traced->graph(), each.wrt);
        std::vector<ir::Constant> values;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            values.push_back(test::constant_of(inputs[i], lowered.type(lowered.params()[i])));
        values.push_back(test::constant_of(weights, lowered.type(lowered.params().back())));
        expected = evaluate(lowered, values);
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
        EXPECT_EQ(found[i].shape(), inputs[each.wrt[i - 1]].shape());
        EXPECT_EQ(found[i].dtype(), each.dtype);
        if (expected.empty()) continue;
        EXPECT_EQ(test::difference(expected[i], found[i], is_wide ? 1e-4 : 0.04), "") << "gradient " << i - 1;
    }
    if (!is_wide) return;
    for (std::size_t i = 0; i < each.wrt.size(); ++i) {
        const Tensor& at = inputs[each.wrt[i]];
        const std::vector<float> direction = test::uneven_values(at.shape().volume(), -1, 1, 17);
        constexpr float kStep = 4e-3F;
        const auto loss_at = [&](float step) {
            Tensors moved = inputs;
            moved[each.wrt[i]] = moved_along(at, direction, step);
            return static_cast<double>(loss(moved)[0].to_vector<float>()[0]);
        };
        const double numeric = (loss_at(kStep) - loss_at(-kStep)) / (2 * static_cast<double>(kStep));
        const std::vector<float> gradient = found[i + 1].to_vector<float>();
        double along = 0;
        double size = 0;
        for (std::size_t j = 0; j < direction.size(); ++j) {
            const double change = static_cast<double>(gradient[j]) * static_cast<double>(direction[j]);
            along += change;
            size += change * change;
        }
        EXPECT_NEAR(along, numeric, 2e-2 * (std::abs(along) + std::sqrt(size)) + 1e-2)
            << "input " << each.wrt[i];
    }
}

TEST(VjpRules, differentiates_functions_of_one_element) {
    const test::OpenDevice device;
    for (const Case& each : elementwise_cases()) {
        SCOPED_TRACE(each.name);
        expect_gradients(device.get(), each);
    }
}

TEST(VjpRules, differentiates_functions_of_several_elements) {
    const test::OpenDevice device;
    for (const Case& each : binary_cases()) {
        SCOPED_TRACE(each.name);
        expect_gradients(device.get(), each);
    }
}

TEST(VjpRules, differentiates_what_moves_values) {
    const test::OpenDevice device;
    for (const Case& each : movement_cases()) {
        SCOPED_TRACE(each.name);
        expect_gradients(device.get(), each);
    }
}

TEST(VjpRules, differentiates_what_picks_and_repeats_elements) {
    const test::OpenDevice device;
    for (const Case& each : selection_cases()) {
        SCOPED_TRACE(each.name);
        expect_gradients(device.get(), each);
    }
}

TEST(VjpRules, differentiates_products_reductions_and_norms) {
    const test::OpenDevice device;
    for (const Case& each : other_cases()) {
        SCOPED_TRACE(std::string(each.name) + (each.dtype == DataType::FLOAT32 ? "" : " of bfloat16"));
        expect_gradients(device.get(), each);
    }
}

// Rules of the tables that no case above is about.
TEST(VjpRules, are_all_tried) {
    std::set<std::string> tried;
    for (const auto& cases :
         {elementwise_cases(), binary_cases(), movement_cases(), selection_cases(), other_cases()})
        for (const Case& each : cases)
            tried.insert(std::string("ttnn.") + each.name);
    std::string missing;
    for (const std::string& name : operations_with_vjp())
        if (!tried.contains(name)) missing += name + " ";
    EXPECT_EQ(missing, "");
}

}  // namespace
}  // namespace tilemeter::trace::vjp_test
