// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of elementwise operations ("_bw").

#include <nanobind/stl/variant.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/eltwise/binary_backward.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

constexpr const char* kInputDoc =
    "The gradient of the input, in a list, from that of the result: shapes and dtypes alike, floating point, "
    "TILE. Place: memory_config, unless given that of the operands; input_grad is written to instead of a "
    "new tensor.";
constexpr const char* kInputsDoc =
    "The gradients of the inputs, in a list, from that of the result: shapes and dtypes alike, floating "
    "point, TILE. None where are_required_outputs says so. Place: memory_config, unless given that of the "
    "operands; given tensors are written to instead of new ones.";

using OfInput = Gradients (*)(const Tensor&, const Tensor&, const OptionalMemoryConfig&);
using OfInputInto = Gradients (*)(const Tensor&, const Tensor&, const OptionalMemoryConfig&,
                                  const OptionalTensor&);
using OfInputAndNumber = Gradients (*)(const Tensor&, const Tensor&, float, const OptionalMemoryConfig&);
using OfInputAndNumberInto = Gradients (*)(const Tensor&, const Tensor&, float, const OptionalMemoryConfig&,
                                           const OptionalTensor&);
using OfBoth = Gradients (*)(const Tensor&, const Tensor&, const Tensor&, const OptionalMemoryConfig&);
using OfBothInto = Gradients (*)(const Tensor&, const Tensor&, const Tensor&, const RequiredOutputs&,
                                 const OptionalMemoryConfig&, const OptionalTensor&, const OptionalTensor&);
using OfBothAndNumber = Gradients (*)(const Tensor&, const Tensor&, const Tensor&, float,
                                      const RequiredOutputs&, const OptionalMemoryConfig&,
                                      const OptionalTensor&, const OptionalTensor&);

// Arguments that many have.
const auto kGrad = "grad_tensor"_a;
const auto kInput = "input_tensor"_a;

template <typename Function>
struct Named {
    const char* name;
    Function function;
};

#define TILEMETER_NAME(name) {#name "_bw", &name##_bw},
const Named<OfInput> kOfInput[] = {TILEMETER_UNARY_GRADIENTS(TILEMETER_NAME)};
const Named<OfInputInto> kOfInputInto[] = {TILEMETER_UNARY_GRADIENTS_INTO(TILEMETER_NAME)};
const Named<OfBoth> kOfBoth[] = {TILEMETER_BINARY_GRADIENTS(TILEMETER_NAME)};
const Named<OfInputAndNumberInto> kBesideNumberInto[] = {
    {"add_bw", &add_bw}, {"sub_bw", &sub_bw}, {"mul_bw", &mul_bw}};
const Named<OfInputAndNumber> kBesideNumber[] = {{"fmod_bw", &fmod_bw}, {"remainder_bw", &remainder_bw}};
#undef TILEMETER_NAME

struct NamedWithNumber {
    const char* name;
    const char* parameter;
    float value;
    OfInputAndNumber function;
};
#define TILEMETER_NAME(name, parameter, value) {#name "_bw", #parameter, value, &name##_bw},
const NamedWithNumber kWithNumber[] = {TILEMETER_UNARY_GRADIENTS_OF_NUMBER(TILEMETER_NAME)};
#undef TILEMETER_NAME

/// What TT-NN calls the second gradient of each.
struct NamedPair {
    const char* name;
    const char* first;
    const char* second;
    const char* first_grad;
    const char* second_grad;
    OfBothInto function;
};
const NamedPair kPairs[] = {
    {"add_bw", "input_tensor", "other_tensor", "input_grad", "other_grad", &add_bw},
    {"assign_bw", "input_tensor_a", "input_tensor_b", "input_a_grad", "input_b_grad", &assign_bw},
    {"mul_bw", "input_tensor", "other_tensor", "input_grad", "other_grad", &mul_bw},
    {"rsub_bw", "input_tensor_a", "input_tensor_b", "input_grad", "other_grad", &rsub_bw},
    {"sub_bw", "input_tensor", "other_tensor", "input_grad", "other_grad", &sub_bw},
};

void bind_of_input(nb::module_& m) {
    for (const auto& each : kOfInput) {
        operation(m, each.name, each.function, kGrad, kInput, nb::kw_only(), "memory_config"_a = nb::none(),
                  kInputDoc);
    }
    for (const auto& each : kOfInputInto) {
        operation(m, each.name, each.function, kGrad, kInput, nb::kw_only(), "memory_config"_a = nb::none(),
                  "input_grad"_a = nb::none(), kInputDoc);
    }
    for (const auto& each : kWithNumber) {
        operation(m, each.name, each.function, kGrad, kInput, nb::kw_only(),
                  nb::arg(each.parameter) = each.value, "memory_config"_a = nb::none(), kInputDoc);
    }
    operation(m, "gelu_bw", &gelu_bw, kGrad, kInput, nb::kw_only(), "variant"_a = GeluVariant::Accurate,
              "memory_config"_a = nb::none(), "input_grad"_a = nb::none(), kInputDoc);
    operation(m, "hardtanh_bw", &hardtanh_bw, kGrad, kInput, nb::kw_only(), "min"_a = -1.0F, "max"_a = 1.0F,
              "memory_config"_a = nb::none(), kInputDoc);
    operation(m, "softplus_bw", &softplus_bw, kGrad, kInput, nb::kw_only(), "beta"_a = 1.0F,
              "threshold"_a = 20.0F, "memory_config"_a = nb::none(), kInputDoc);
    operation(m, "threshold_bw", &threshold_bw, kGrad, kInput, "min"_a, "max"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kInputDoc);
    operation(m, "polygamma_bw", &polygamma_bw, kGrad, kInput, "n"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kInputDoc);
    operation(m, "rdiv_bw", &rdiv_bw, kGrad, kInput, "scalar"_a, nb::kw_only(),
              "rounding_mode"_a = nb::none(), "memory_config"_a = nb::none(), kInputDoc);
    operation(m, "div_no_nan_bw", &div_no_nan_bw, kGrad, kInput, "scalar"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kInputDoc);
    operation(m, "pow_bw", &pow_bw, kGrad, kInput, "exponent"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "input_grad"_a = nb::none(), kInputDoc);
    operation(m, "rpow_bw", &rpow_bw, kGrad, kInput, "exponent"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kInputDoc);
}

template <typename Limit>
void bind_clamp(nb::module_& m, const char* name,
                Gradients (*function)(const Tensor&, const Tensor&, Limit, Limit,
                                      const OptionalMemoryConfig&)) {
    operation(m, name, function, kGrad, kInput, "min"_a = nb::none(), "max"_a = nb::none(), nb::kw_only(),
              "memory_config"_a = nb::none(), kInputDoc);
}

void bind_of_both(nb::module_& m) {
    for (const auto& each : kOfBoth) {
        operation(m, each.name, each.function, kGrad, "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(),
                  "memory_config"_a = nb::none(), kInputsDoc);
    }
    for (const auto& each : kPairs) {
        operation(m, each.name, each.function, kGrad, nb::arg(each.first), nb::arg(each.second),
                  nb::kw_only(), "are_required_outputs"_a = RequiredOutputs{true, true},
                  "memory_config"_a = nb::none(), nb::arg(each.first_grad) = nb::none(),
                  nb::arg(each.second_grad) = nb::none(), kInputsDoc);
    }
    operation(m, "addalpha_bw", static_cast<OfBothAndNumber>(&addalpha_bw), kGrad, "input_tensor_a"_a,
              "input_tensor_b"_a, "alpha"_a = 1.0F, nb::kw_only(),
              "are_required_outputs"_a = RequiredOutputs{true, true}, "memory_config"_a = nb::none(),
              "input_a_grad"_a = nb::none(), "input_b_grad"_a = nb::none(), kInputsDoc);
    operation(m, "subalpha_bw", static_cast<OfBothAndNumber>(&subalpha_bw), kGrad, "input_tensor_a"_a,
              "input_tensor_b"_a, "alpha"_a = 1.0F, nb::kw_only(),
              "are_required_outputs"_a = RequiredOutputs{true, true}, "memory_config"_a = nb::none(),
              "input_grad"_a = nb::none(), "other_grad"_a = nb::none(), kInputsDoc);
    operation(
        m, "div_bw",
        nb::overload_cast<const Tensor&, const Tensor&, const Tensor&, const std::optional<std::string>&,
                          const RequiredOutputs&, const OptionalMemoryConfig&, const OptionalTensor&,
                          const OptionalTensor&>(&div_bw),
        kGrad, kInput, "other_tensor"_a, nb::kw_only(), "rounding_mode"_a = nb::none(),
        "are_required_outputs"_a = RequiredOutputs{true, true}, "memory_config"_a = nb::none(),
        "input_grad"_a = nb::none(), "other_grad"_a = nb::none(), kInputsDoc);
    operation(m, "where_bw", &where_bw, kGrad, "input_tensor_a"_a, "input_tensor_b"_a, "input_tensor_c"_a,
              nb::kw_only(), "memory_config"_a = nb::none(),
              "are_required_outputs"_a = RequiredOutputs{true, true}, "input_a_grad"_a = nb::none(),
              "input_b_grad"_a = nb::none(), kInputsDoc);
}

void bind_beside_numbers(nb::module_& m) {
    for (const auto& each : kBesideNumberInto) {
        operation(m, each.name, each.function, kGrad, "input_tensor_a"_a, "scalar"_a, nb::kw_only(),
                  "memory_config"_a = nb::none(), "input_grad"_a = nb::none(), kInputDoc);
    }
    for (const auto& each : kBesideNumber) {
        operation(m, each.name, each.function, kGrad, "input_tensor_a"_a, "scalar"_a, nb::kw_only(),
                  "memory_config"_a = nb::none(), kInputDoc);
    }
    operation(m, "div_bw",
              nb::overload_cast<const Tensor&, const Tensor&, float, const std::optional<std::string>&,
                                const OptionalMemoryConfig&, const OptionalTensor&>(&div_bw),
              kGrad, "input_tensor_a"_a, "scalar"_a, "rounding_mode"_a = nb::none(), nb::kw_only(),
              "memory_config"_a = nb::none(), "input_grad"_a = nb::none(), kInputDoc);
    operation(m, "assign_bw", static_cast<OfInputInto>(&assign_bw), kGrad, kInput, nb::kw_only(),
              "memory_config"_a = nb::none(), "input_a_grad"_a = nb::none(), kInputDoc);
}

GeluVariant variant_named(const std::string& approximate) {
    if (approximate != "none" && approximate != "tanh")
        throw RuntimeError("Incorrect approximation type (expected 'none', 'tanh')");
    return approximate == "tanh" ? GeluVariant::Tanh : GeluVariant::Accurate;
}

template <typename Bias>
void bind_bias_gelu(nb::module_& m, const char* input_name, const char* bias_name) {
    operation(
        m, "bias_gelu_bw",
        [](const Tensor& grad, const Tensor& input, Bias bias, GeluVariant variant,
           const OptionalMemoryConfig& memory_config) {
            return bias_gelu_bw(grad, input, bias, variant, memory_config);
        },
        kGrad, nb::arg(input_name), nb::arg(bias_name), nb::kw_only(), "variant"_a = GeluVariant::Accurate,
        "memory_config"_a = nb::none(), kInputsDoc);
    operation(
        m, "bias_gelu_bw",
        [](const Tensor& grad, const Tensor& input, Bias bias, const std::string& approximate,
           const OptionalMemoryConfig& memory_config) {
            return bias_gelu_bw(grad, input, bias, variant_named(approximate), memory_config);
        },
        kGrad, nb::arg(input_name), nb::arg(bias_name), nb::kw_only(), "approximate"_a,
        "memory_config"_a = nb::none(), kInputsDoc);
}

void bind_of_three(nb::module_& m) {
    operation(m, "addcmul_bw", &addcmul_bw, kGrad, "input_tensor_a"_a, "input_tensor_b"_a, "input_tensor_c"_a,
              "alpha"_a, nb::kw_only(), "memory_config"_a = nb::none(), kInputsDoc);
    operation(m, "addcdiv_bw", &addcdiv_bw, kGrad, "input_tensor_a"_a, "input_tensor_b"_a, "input_tensor_c"_a,
              "alpha"_a, nb::kw_only(), "memory_config"_a = nb::none(), kInputsDoc);
    const auto lerp_with = [](const Tensor& grad, const Tensor& input, const Tensor& end,
                              const Tensor& weight, const OptionalMemoryConfig& memory_config) {
        return lerp_bw(grad, input, end, weight, memory_config);
    };
    operation(m, "lerp_bw", lerp_with, kGrad, "input_tensor_a"_a, "input_tensor_b"_a, "input_tensor_c"_a,
              nb::kw_only(), "memory_config"_a = nb::none(), kInputsDoc);
    const auto lerp_by = [](const Tensor& grad, const Tensor& input, const Tensor& end, float weight,
                            const OptionalMemoryConfig& memory_config) {
        return lerp_bw(grad, input, end, weight, memory_config);
    };
    operation(m, "lerp_bw", lerp_by, kGrad, "input_tensor_a"_a, "input_tensor_b"_a, "scalar"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kInputsDoc);
}

}  // namespace

void bind_backward(nb::module_& m) {
    bind_of_input(m);
    bind_clamp<std::optional<float>>(m, "clamp_bw", &clamp_bw);
    bind_clamp<const OptionalTensor&>(m, "clamp_bw", &clamp_bw);
    bind_clamp<std::optional<float>>(m, "clip_bw", &clip_bw);
    bind_clamp<const OptionalTensor&>(m, "clip_bw", &clip_bw);
    bind_beside_numbers(m);
    bind_of_both(m);
    bind_of_three(m);
    bind_bias_gelu<const Tensor&>(m, "input_tensor_a", "input_tensor_b");
    bind_bias_gelu<float>(m, "input_tensor", "bias");
}

}  // namespace tilemeter::python
