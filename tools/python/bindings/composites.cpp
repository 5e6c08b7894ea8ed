// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise operations that are made of others, and those of three operands.

#include <nanobind/stl/variant.h>

#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "runtime/operations/eltwise/quantization.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"
#include "tools/python/bindings/scalar_caster.hpp"

namespace tilemeter::python {

namespace {

using OptionalPlace = OptionalMemoryConfig;

template <typename Left, typename Right>
void bind_div(nb::module_& m, const char* left_name, const char* right_name) {
    operation(
        m, "div",
        [](Left a, Right b, bool fast, const std::optional<std::string>& rounding_mode,
           const OptionalDataType& dtype, const OptionalPlace& memory_config, const OptionalTensor& output,
           const Activations& activations, const Activations& left, const Activations& right,
           const OptionalCores& sub_core_grids, nb::handle) {
            return div(a, b, fast, rounding_mode, dtype, memory_config, output, activations, left, right,
                       sub_core_grids);
        },
        nb::arg(left_name), nb::arg(right_name), nb::kw_only(), "fast_and_approximate_mode"_a = false,
        "rounding_mode"_a = nb::none(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "activations"_a = Activations{},
        "input_tensor_a_activations"_a = Activations{}, "input_tensor_b_activations"_a = Activations{},
        "sub_core_grids"_a = nb::none(), "sub_device_id"_a = nb::none(),
        "a / b; rounding_mode: None, 'floor' or 'trunc'.");
}

void bind_quotients(nb::module_& m) {
    bind_div<const Tensor&, const Tensor&>(m, "input_tensor_a", "input_tensor_b");
    bind_div<const Tensor&, Scalar>(m, "input_tensor_a", "value");
    bind_div<Scalar, const Tensor&>(m, "input_tensor_a", "input_tensor_b");
    using OfTensors = Tensor (*)(const Tensor&, const Tensor&, const OptionalPlace&);
    using OfNumber = Tensor (*)(const Tensor&, Scalar, const OptionalPlace&);
    constexpr const char* kFloorDoc = "floor(a / b).";
    constexpr const char* kNoNanDoc = "a / b; 0 where b is 0.";
    operation(m, "floor_div", static_cast<OfTensors>(&floor_div), "input_tensor_a"_a, "input_tensor_b"_a,
              nb::kw_only(), "memory_config"_a = nb::none(), kFloorDoc);
    operation(m, "floor_div", static_cast<OfNumber>(&floor_div), "input_tensor_a"_a, "value"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kFloorDoc);
    operation(m, "div_no_nan", static_cast<OfTensors>(&div_no_nan), "input_tensor_a"_a, "input_tensor_b"_a,
              nb::kw_only(), "memory_config"_a = nb::none(), kNoNanDoc);
    operation(m, "div_no_nan", static_cast<OfNumber>(&div_no_nan), "input_tensor_a"_a, "value"_a,
              nb::kw_only(), "memory_config"_a = nb::none(), kNoNanDoc);
}

void bind_pairs(nb::module_& m) {
    operation(m, "isclose", &isclose, "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(),
              "rtol"_a = 1e-05F, "atol"_a = 1e-08F, "equal_nan"_a = false, "memory_config"_a = nb::none(),
              "1 where |a - b| <= atol + rtol * |b|, else 0.");
    operation(m, "addalpha", &addalpha, "input_tensor_a"_a, "input_tensor_b"_a, "alpha"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "a + alpha * b.");
    operation(m, "subalpha", &subalpha, "input_tensor_a"_a, "input_tensor_b"_a, "alpha"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "a - alpha * b.");
    operation(m, "polyval", &polyval, "input_tensor_a"_a, "coeffs"_a, nb::kw_only(),
              "memory_config"_a = nb::none(),
              "The polynomial with those coefficients, that of the highest power first.");
}

void bind_triples(nb::module_& m) {
    operation(m, "lerp", &lerp, "input"_a, "end"_a, "weight"_a, nb::kw_only(), "memory_config"_a = nb::none(),
              "output_tensor"_a = nb::none(), "input + weight * (end - input).");
    operation(m, "mac", &mac, "input_tensor_a"_a, "input_tensor_b"_a, "input_tensor_c"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              "a * b + c; b and c are tensors or numbers.");
    operation(m, "addcmul", &addcmul, "input_a"_a, "input_b"_a, "input_c"_a, nb::kw_only(), "value"_a = 1.0F,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "a + value * b * c.");
    operation(m, "addcdiv", &addcdiv, "input_a"_a, "input_b"_a, "input_c"_a, nb::kw_only(), "value"_a = 1.0F,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "a + value * b / c.");
}

void bind_gates(nb::module_& m) {
    constexpr const char* kDoc =
        "The first half of the last dimension times a function of the second: sigmoid (glu), relu (reglu), "
        "gelu (geglu), silu (swiglu).";
    operation(m, "glu", &glu, "input_tensor"_a, "dim"_a = -1, nb::kw_only(), "memory_config"_a = nb::none(),
              kDoc);
    operation(m, "reglu", &reglu, "input_tensor"_a, "dim"_a = -1, nb::kw_only(),
              "memory_config"_a = nb::none(), kDoc);
    operation(m, "geglu", &geglu, "input_tensor"_a, "dim"_a = -1, nb::kw_only(),
              "memory_config"_a = nb::none(), "variant"_a = GeluVariant::Accurate, kDoc);
    operation(
        m, "clamped_silu_glu",
        [](const Tensor& gate, const Tensor& up, float limit, const OptionalPlace& memory_config,
           const OptionalCores& sub_core_grids,
           nb::handle) { return clamped_silu_glu(gate, up, limit, memory_config, sub_core_grids); },
        "gate"_a, "up"_a, "limit"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "sub_core_grids"_a = nb::none(), "sub_device_id"_a = nb::none(),
        "silu(min(gate, limit)) * clamp(up, -limit, limit).");
    operation(m, "multigammaln", &multigammaln, "input_tensor"_a, nb::kw_only(),
              "memory_config"_a = nb::none(),
              "The logarithm of the multivariate gamma function of four dimensions.");
    operation(m, "swiglu", &swiglu, "input_tensor"_a, "dim"_a = -1, nb::kw_only(),
              "memory_config"_a = nb::none(), kDoc);
}

void bind_quantization(nb::module_& m) {
    constexpr const char* kDoc =
        "scale and zero_point are numbers, for the whole tensor (axis: None). Quantized tensors are int32 or "
        "uint8; quantize: input / scale + zero_point, dequantize: (input - zero_point) * scale.";
    using Call = Tensor (*)(const Tensor&, float, int, const OptionalDataType&, const OptionalPlace&,
                            const OptionalTensor&);
    const auto bind_one = [&](const char* name, Call function) {
        operation(
            m, name,
            [function](const Tensor& input, float scale, int zero_point, nb::none,
                       const OptionalDataType& dtype, const OptionalPlace& memory_config,
                       const OptionalTensor& output) {
                return function(input, scale, zero_point, dtype, memory_config, output);
            },
            "input_tensor"_a, "scale"_a, "zero_point"_a, nb::kw_only(), "axis"_a = nb::none(),
            "dtype"_a = nb::none(), "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kDoc);
    };
    bind_one("quantize", &quantize);
    bind_one("dequantize", &dequantize);
    operation(
        m, "requantize",
        [](const Tensor& input, float in_scale, int in_zero_point, float out_scale, int out_zero_point,
           nb::none, const OptionalDataType& dtype, const OptionalPlace& memory_config,
           const OptionalTensor& output) {
            return requantize(input, in_scale, in_zero_point, out_scale, out_zero_point, dtype, memory_config,
                              output);
        },
        "input_tensor"_a, "in_scale"_a, "in_zero_point"_a, "out_scale"_a, "out_zero_point"_a, nb::kw_only(),
        "axis"_a = nb::none(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), kDoc);
}

}  // namespace

void bind_composites(nb::module_& operations) {
    bind_quotients(operations);
    bind_pairs(operations);
    bind_triples(operations);
    bind_gates(operations);
    bind_quantization(operations);
}

}  // namespace tilemeter::python
