// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations on each element: of two tensors, of a tensor and a number, of one tensor.

#include "runtime/operations/binary.hpp"
#include "runtime/operations/unary.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

using TensorTensor = Tensor (*)(const Tensor&, const Tensor&, const OptionalDataType&,
                                const OptionalMemoryConfig&, const OptionalTensor&);
using TensorNumber = Tensor (*)(const Tensor&, float, const OptionalDataType&, const OptionalMemoryConfig&,
                                const OptionalTensor&);

struct BinaryOperation {
    const char* name;
    TensorTensor of_tensors;
    TensorNumber of_number;  ///< null: of tensors only
};

const BinaryOperation kBinary[] = {
    {"add", &add, &add},
    {"subtract", &subtract, &subtract},
    {"multiply", &multiply, &multiply},
    {"divide", &divide, &divide},
    {"eq", &eq, &eq},
    {"ne", &ne, &ne},
    {"gt", &gt, &gt},
    {"ge", &ge, &ge},
    {"lt", &lt, &lt},
    {"le", &le, &le},
    {"maximum", &maximum, nullptr},
    {"minimum", &minimum, nullptr},
};

struct InPlaceOperation {
    const char* name;
    Tensor (*of_tensors)(const Tensor&, const Tensor&);
    Tensor (*of_number)(const Tensor&, float);
};

const InPlaceOperation kInPlace[] = {
    {"add_", &add_, &add_},
    {"subtract_", &subtract_, &subtract_},
    {"multiply_", &multiply_, &multiply_},
    {"divide_", &divide_, &divide_},
};

constexpr const char* kPairDoc =
    "Element by element of a and b (a tensor or a number). Shapes: equal, or 1 on either side, which is "
    "repeated. "
    "dtype and place of the result: those of a unless given.";

void bind_binary(nb::module_& m) {
    for (const BinaryOperation& each : kBinary) {
        operation(m, each.name, each.of_tensors, "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(),
                  "dtype"_a = nb::none(), "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
                  kPairDoc);
        if (each.of_number == nullptr) continue;
        operation(m, each.name, each.of_number, "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(),
                  "dtype"_a = nb::none(), "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
                  kPairDoc);
    }
    for (const InPlaceOperation& each : kInPlace) {
        operation(m, each.name, each.of_tensors, "input_tensor_a"_a, "input_tensor_b"_a, "Written over a.");
        operation(m, each.name, each.of_number, "input_tensor_a"_a, "input_tensor_b"_a, "Written over a.");
    }
}

using PlainUnary = Tensor (*)(const Tensor&, const OptionalMemoryConfig&, const OptionalTensor&);
using ApproximableUnary = Tensor (*)(const Tensor&, bool, const OptionalMemoryConfig&, const OptionalTensor&);
using UnaryOfNumber = Tensor (*)(const Tensor&, float, const OptionalMemoryConfig&, const OptionalTensor&);

template <typename Function>
struct Named {
    const char* name;
    Function function;
};

#define TILEMETER_NAME(name, type) {#name, &name},
const Named<PlainUnary> kPlain[] = {TILEMETER_PLAIN_UNARY_OPERATIONS(TILEMETER_NAME)};
const Named<ApproximableUnary> kApproximable[] = {TILEMETER_APPROXIMABLE_UNARY_OPERATIONS(TILEMETER_NAME)};
#undef TILEMETER_NAME

/// With a number that has to be given.
struct NumberedUnary {
    const char* name;
    const char* argument;
    UnaryOfNumber function;
};
const NumberedUnary kNumbered[] = {
    {"leaky_relu", "negative_slope", &leaky_relu},
    {"heaviside", "value", &heaviside},
    {"fill", "fill_value", &fill},
    {"relu_max", "upper_limit", &relu_max},
    {"relu_min", "lower_limit", &relu_min},
    {"pow", "exponent", &pow},
};

/// With a number that has a default.
struct DefaultedUnary {
    const char* name;
    const char* argument;
    float value;
    UnaryOfNumber function;
};
const DefaultedUnary kDefaulted[] = {
    {"elu", "alpha", 1.0F, &elu},
    {"celu", "alpha", 1.0F, &celu},
    {"softshrink", "lambd", 0.5F, &softshrink},
    {"hardshrink", "lambd", 0.5F, &hardshrink},
};

constexpr const char* kElementDoc =
    "Each element by itself. Result: shape, dtype and, unless memory_config is given, "
    "place of the input; output_tensor is written to instead of a new tensor.";

void bind_unary(nb::module_& m) {
    for (const auto& each : kPlain) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::kw_only(),
                  "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    }
    for (const auto& each : kApproximable) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::kw_only(),
                  "fast_and_approximate_mode"_a = false, "memory_config"_a = nb::none(),
                  "output_tensor"_a = nb::none(), kElementDoc);
    }
    for (const auto& each : kNumbered) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::arg(each.argument), nb::kw_only(),
                  "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    }
    for (const auto& each : kDefaulted) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::kw_only(),
                  nb::arg(each.argument) = each.value, "memory_config"_a = nb::none(),
                  "output_tensor"_a = nb::none(), kElementDoc);
    }
}

void bind_unary_with_more(nb::module_& m) {
    const auto gelu_variant = [](const Tensor& input, GeluVariant variant,
                                 const OptionalMemoryConfig& memory_config, const OptionalTensor& output) {
        return gelu(input, variant, memory_config, output);
    };
    const auto gelu_mode = [](const Tensor& input, bool fast, const OptionalMemoryConfig& memory_config,
                              const OptionalTensor& output) {
        return gelu(input, fast, memory_config, output);
    };
    operation(m, "gelu", gelu_mode, "input_tensor"_a, nb::kw_only(), "fast_and_approximate_mode"_a = false,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    operation(m, "gelu", gelu_variant, "input_tensor"_a, nb::kw_only(), "variant"_a = GeluVariant::Accurate,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    operation(m, "round", &tilemeter::round, "input_tensor"_a, nb::kw_only(), "decimals"_a = 0,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    operation(m, "hardtanh", &hardtanh, "input_tensor"_a, nb::kw_only(), "min_val"_a = -1.0F,
              "max_val"_a = 1.0F, "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
              kElementDoc);
    operation(m, "selu", &selu, "input_tensor"_a, nb::kw_only(), "scale"_a = 1.0506999492645264F,
              "alpha"_a = 1.673259973526001F, "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
              kElementDoc);
    operation(m, "softplus", &softplus, "input_tensor"_a, nb::kw_only(), "beta"_a = 1.0F,
              "threshold"_a = 20.0F, "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
              kElementDoc);
    operation(m, "threshold", &threshold, "input_tensor"_a, "threshold"_a, "value"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    operation(m, "clamp", &clamp, "input_tensor"_a, "min"_a = nb::none(), "max"_a = nb::none(), nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    operation(m, "clip", &clip, "input_tensor"_a, "min"_a = nb::none(), "max"_a = nb::none(), nb::kw_only(),
              "memory_config"_a = nb::none(), kElementDoc);
}

}  // namespace

void bind_elementwise(nb::module_& m) {
    bind_binary(m);
    bind_unary(m);
    bind_unary_with_more(m);
}

}  // namespace tilemeter::python
