// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of TT-NN tensors, lowered and evaluated on the host, beside what the calls compute.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "capture/ir/constant.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/device/record/traced_program.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::test {

inline ir::Constant constant_of(const Tensor& tensor, const ir::TensorType& type) {
    if (ir::is_float(type.element)) {
        const std::vector<float> values = tensor.to_vector<float>();
        return ir::Constant::of(type.element, type.shape, std::span<const float>(values));
    }
    const std::vector<std::int64_t> values = tensor.to_vector<std::int64_t>();
    return ir::Constant::of(type.element, type.shape, std::span<const std::int64_t>(values));
}

/// The first element that differs by more than `tolerance` times the largest one, in words; empty: none.
inline std::string difference(const ir::Constant& found, const Tensor& expected, double tolerance) {
    const std::vector<double> wanted = [&] {
        std::vector<double> values;
        if (is_floating_point(expected.dtype())) {
            for (const float each : expected.to_vector<float>())
                values.push_back(static_cast<double>(each));
        } else {
            for (const std::int64_t each : expected.to_vector<std::int64_t>())
                values.push_back(static_cast<double>(each));
        }
        return values;
    }();
    // The call rounded its result.
    if (expected.dtype() == DataType::BFLOAT16) tolerance = std::max(tolerance, 1.0 / 128);
    if (is_block_float(expected.dtype())) tolerance = std::max(tolerance, 1.0 / 16);
    double largest = 1;
    for (const double each : wanted)
        if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double value = found.double_at(i);
        if (value == wanted[i] || (std::isnan(value) && std::isnan(wanted[i]))) continue;
        if (std::abs(value - wanted[i]) <= tolerance * largest) continue;
        return "element " + std::to_string(i) + ": found " + std::to_string(value) + ", expected " +
               std::to_string(wanted[i]);
    }
    return "";
}

/// Traces, lowers, evaluates; then calls. `inputs` may be written to; `on_host`: tensors on the host that the function
/// takes from outside, in the order of its calls. Empty: equal.
inline std::string lowering_difference(const trace::TensorFunction& function, std::span<const Tensor> inputs,
                                       double tolerance = 2e-5, std::span<const Tensor> on_host = {}) {
    const auto traced = trace::trace_on_device(function, inputs);
    const ir::Graph flat = trace::lower_ttnn(traced->graph());
    if (const auto error = ir::verify(flat, trace::flat_operations())) return error->what();
    std::vector<ir::Constant> values;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values.push_back(constant_of(inputs[i], flat.type(flat.params()[i])));
    for (std::size_t i = 0; i < on_host.size(); ++i)
        values.push_back(constant_of(on_host[i], flat.type(flat.params()[inputs.size() + i])));
    const std::vector<ir::Constant> found = trace::evaluate(flat, values);
    const std::vector<Tensor> expected = function(inputs);
    if (found.size() != expected.size()) return "another number of results";
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::string text = difference(found[i], expected[i], tolerance);
        if (!text.empty()) return "result " + std::to_string(i) + ": " + text;
    }
    return "";
}

/// Multiples of 1/64 between the limits, none of them a multiple of 1/4.
inline std::vector<float> uneven_values(std::size_t count, float low, float high, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<float> values(count);
    for (float& value : values) {
        const auto steps = static_cast<std::uint32_t>((high - low) * 64);
        auto step = static_cast<std::uint32_t>(engine() % steps);
        if (step % 16 == 0) ++step;
        value = low + static_cast<float>(step) / 64;
    }
    return values;
}

inline Tensor random_floats(const std::shared_ptr<Device>& device, const Shape& shape, float low = -2.0F,
                            float high = 2.0F, unsigned seed = 1) {
    const std::vector<float> values = uneven_values(shape.volume(), low, high, seed);
    return from_vector(std::span<const float>(values), shape, DataType::FLOAT32, TILE_LAYOUT, device);
}

inline Tensor counted_integers(const std::shared_ptr<Device>& device, const Shape& shape, std::int64_t below,
                               DataType dtype = DataType::UINT32) {
    std::vector<std::int64_t> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::int64_t>(i * 7) % below;
    return from_vector(std::span<const std::int64_t>(values), shape, dtype, ROW_MAJOR_LAYOUT, device);
}

}  // namespace tilemeter::test
