// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that quantize.

#include "runtime/operations/eltwise/quantization.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

using OptionalPlace = OptionalMemoryConfig;

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
    bind_quantization(operations);
}

}  // namespace tilemeter::python
