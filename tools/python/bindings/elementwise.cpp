// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations on each element: of two tensors, of a tensor and a number, of one tensor.

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"
#include "tools/python/bindings/scalar_caster.hpp"

namespace tilemeter::python {

namespace {

template <typename Left, typename Right>
using Binary = Tensor (*)(Left, Right, const OptionalDataType&, const OptionalMemoryConfig&,
                          const OptionalTensor&, const Activations&, const Activations&, const Activations&,
                          const OptionalCores&);
using TensorTensor = Binary<const Tensor&, const Tensor&>;
using TensorNumber = Binary<const Tensor&, Scalar>;
using NumberTensor = Binary<Scalar, const Tensor&>;
template <typename Right>
using InPlace = Tensor (*)(const Tensor&, Right, const Activations&, const Activations&, const Activations&,
                           const OptionalCores&);

template <typename Function>
struct Named {
    const char* name;
    Function function;
};

#define TILEMETER_NAME(name, kind) {#name, &name},
const Named<TensorTensor> kOfTensors[] = {TILEMETER_BINARY_OPERATIONS(TILEMETER_NAME)
                                              TILEMETER_TENSOR_BINARY_OPERATIONS(TILEMETER_NAME)};
const Named<TensorNumber> kWithNumber[] = {TILEMETER_BINARY_OPERATIONS(TILEMETER_NAME)};
const Named<NumberTensor> kNumberFirst[] = {TILEMETER_NUMBER_FIRST_OPERATIONS(TILEMETER_NAME)};
const Named<InPlace<const Tensor&>> kInPlace[] = {TILEMETER_IN_PLACE_BINARY_OPERATIONS(TILEMETER_NAME)};
const Named<InPlace<Scalar>> kInPlaceWithNumber[] = {TILEMETER_IN_PLACE_BINARY_OPERATIONS(TILEMETER_NAME)};
#undef TILEMETER_NAME

/// None for none: an empty list would be converted anew at each call.
using GivenActivations = std::optional<Activations>;

const Activations& list_of(const GivenActivations& given) {
    static const Activations kNone;
    return given ? *given : kNone;
}

constexpr const char* kPairDoc =
    "Element by element of a and b (a tensor or a number). Shapes: equal, or 1 on either side, which is "
    "repeated. dtype and place of the result: those of a unless given. Activations: functions of the result, "
    "of a or of b, applied on the way. sub_core_grids: the cores that the program runs on, all unless given.";

bool is_one_of(const char* name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), std::string_view(name)) != names.end();
}

// TT-NN's names and defaults, which are not those of a rule.
bool is_approximate(const char* name) {
    return is_one_of(name, {"add", "add_", "sub", "sub_", "subtract", "subtract_", "rsub", "rsub_"});
}
const char* name_of_number(const char* operation) {
    if (is_one_of(operation, {"fmod"})) return "scalar";
    return is_one_of(operation, {"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift",
                                 "bitwise_right_shift", "logical_left_shift", "maximum", "minimum", "rsub"})
               ? "input_b"
               : "input_tensor_b";
}

template <typename Left, typename Right>
void bind_pair(nb::module_& m, const char* name, Binary<Left, Right> function) {
    const char* const right_name =
        std::is_same_v<Right, const Tensor&> ? "input_tensor_b" : name_of_number(name);
    operation(
        m, name,
        [function](Left a, Right b, const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config,
                   const OptionalTensor& output, const GivenActivations& activations,
                   const GivenActivations& left, const GivenActivations& right, nb::handle,
                   const OptionalCores& sub_core_grids, nb::handle) {
            return function(a, b, dtype, memory_config, output, list_of(activations), list_of(left),
                            list_of(right), sub_core_grids);
        },
        "input_tensor_a"_a, nb::arg(right_name), nb::kw_only(), "dtype"_a = nb::none(),
        "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "activations"_a = nb::none(),
        "input_tensor_a_activations"_a = nb::none(), "input_tensor_b_activations"_a = nb::none(),
        "fast_and_approximate_mode"_a = is_approximate(name), "sub_core_grids"_a = nb::none(),
        "sub_device_id"_a = nb::none(), kPairDoc);
}

template <typename Right>
void bind_in_place(nb::module_& m, const char* name, InPlace<Right> function) {
    const bool long_names = is_one_of(name, {"add_", "sub_", "subtract_"});
    operation(
        m, name,
        [function](const Tensor& a, Right b, const GivenActivations& activations,
                   const GivenActivations& left, const GivenActivations& right, nb::handle,
                   const OptionalCores& sub_core_grids, nb::handle) {
            return function(a, b, list_of(activations), list_of(left), list_of(right), sub_core_grids);
        },
        nb::arg(long_names ? "input_tensor_a" : "input_a"),
        nb::arg(long_names ? "input_tensor_b" : "input_b"), nb::kw_only(), "activations"_a = nb::none(),
        "input_tensor_a_activations"_a = nb::none(), "input_tensor_b_activations"_a = nb::none(),
        "fast_and_approximate_mode"_a = is_approximate(name), "sub_core_grids"_a = nb::none(),
        "sub_device_id"_a = nb::none(),
        "Element by element of a and b (a tensor that fits a, or a number), written over a, which is given "
        "back; a's shape and dtype. Raises RuntimeError where b's shape would need a larger a.");
}

void bind_binary(nb::module_& m) {
    for (const auto& each : kOfTensors)
        bind_pair(m, each.name, each.function);
    for (const auto& each : kWithNumber)
        bind_pair(m, each.name, each.function);
    for (const auto& each : kNumberFirst)
        bind_pair(m, each.name, each.function);
    for (const auto& each : kInPlace)
        bind_in_place(m, each.name, each.function);
    for (const auto& each : kInPlaceWithNumber)
        bind_in_place(m, each.name, each.function);
}

using PlainUnary = Tensor (*)(const Tensor&, const OptionalMemoryConfig&, const OptionalTensor&,
                              const OptionalCores&);
using ApproximableUnary = Tensor (*)(const Tensor&, bool, const OptionalMemoryConfig&, const OptionalTensor&,
                                     const OptionalCores&);
using UnaryOfNumber = Tensor (*)(const Tensor&, float, const OptionalMemoryConfig&, const OptionalTensor&,
                                 const OptionalCores&);

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
    {"softcap", "beta", &softcap},
    {"heaviside", "value", &heaviside},
    {"fill", "fill_value", &fill},
    {"relu_max", "upper_limit", &relu_max},
    {"relu_min", "lower_limit", &relu_min},
    {"pow", "exponent", &pow},
    {"rpow", "exponent", &rpow},
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
    "Each element by itself. Result: shape, dtype and, unless memory_config is given, place of the input; "
    "output_tensor is written to instead of a new tensor. sub_core_grids: the cores that the program runs "
    "on, all unless given.";

void bind_unary(nb::module_& m) {
    for (const auto& each : kPlain) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::kw_only(),
                  "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
                  "sub_core_grids"_a = nb::none(), kElementDoc);
    }
    for (const auto& each : kApproximable) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::kw_only(),
                  "fast_and_approximate_mode"_a = false, "memory_config"_a = nb::none(),
                  "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(), kElementDoc);
    }
    for (const auto& each : kNumbered) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::arg(each.argument), nb::kw_only(),
                  "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
                  "sub_core_grids"_a = nb::none(), kElementDoc);
    }
    for (const auto& each : kDefaulted) {
        operation(m, each.name, each.function, "input_tensor"_a, nb::kw_only(),
                  nb::arg(each.argument) = each.value, "memory_config"_a = nb::none(),
                  "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(), kElementDoc);
    }
}

void bind_unary_with_more(nb::module_& m) {
    const auto gelu_variant = [](const Tensor& input, GeluVariant variant,
                                 const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
                                 const OptionalCores& sub_core_grids) {
        return gelu(input, variant, memory_config, output, sub_core_grids);
    };
    const auto gelu_mode = [](const Tensor& input, bool fast, const OptionalMemoryConfig& memory_config,
                              const OptionalTensor& output, const OptionalCores& sub_core_grids) {
        return gelu(input, fast, memory_config, output, sub_core_grids);
    };
    operation(m, "gelu", gelu_mode, "input_tensor"_a, nb::kw_only(), "fast_and_approximate_mode"_a = false,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              kElementDoc);
    operation(m, "gelu", gelu_variant, "input_tensor"_a, nb::kw_only(), "variant"_a = GeluVariant::Accurate,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              kElementDoc);
    operation(m, "round", &tilemeter::round, "input_tensor"_a, nb::kw_only(), "decimals"_a = 0,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              kElementDoc);
    operation(m, "hardtanh", &hardtanh, "input_tensor"_a, nb::kw_only(), "min_val"_a = -1.0F,
              "max_val"_a = 1.0F, "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
              "sub_core_grids"_a = nb::none(), kElementDoc);
    operation(m, "selu", &selu, "input_tensor"_a, nb::kw_only(), "scale"_a = 1.0506999492645264F,
              "alpha"_a = 1.673259973526001F, "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
              "sub_core_grids"_a = nb::none(), kElementDoc);
    operation(m, "softplus", &softplus, "input_tensor"_a, nb::kw_only(), "beta"_a = 1.0F,
              "threshold"_a = 20.0F, "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
              "sub_core_grids"_a = nb::none(), kElementDoc);
    operation(m, "xielu", &xielu, "input_tensor"_a, nb::kw_only(), "alpha_p"_a = 0.8F, "alpha_n"_a = 0.8F,
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              kElementDoc);
    operation(m, "threshold", &threshold, "input_tensor"_a, "threshold"_a, "value"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              kElementDoc);
    operation(m, "rdiv", &rdiv, "input_tensor"_a, "value"_a, nb::kw_only(), "rounding_mode"_a = nb::none(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              "value / input_tensor.");
    operation(m, "logit", &logit, "input_tensor"_a, nb::kw_only(), "eps"_a = nb::none(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              kElementDoc);
    operation(m, "polygamma", &polygamma, "input_tensor"_a, "k"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kElementDoc);
    operation(m, "prelu", &prelu, "input_tensor_a"_a, "weight"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), kElementDoc);
    operation(m, "unary_chain", &unary_chain, "input_tensor"_a, "ops_chain"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
              "Several functions, one after the other, in one program.");
    operation(m, "logical_not_", &logical_not_, "input_tensor"_a, nb::kw_only(),
              "memory_config"_a = nb::none(), "Written over the input.");
    operation(m, "clamp",
              nb::overload_cast<const Tensor&, std::optional<float>, std::optional<float>,
                                const OptionalMemoryConfig&, const OptionalTensor&>(&clamp),
              "input_tensor"_a, "min"_a = nb::none(), "max"_a = nb::none(), nb::kw_only(),
              "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), kElementDoc);
    operation(m, "clip",
              nb::overload_cast<const Tensor&, std::optional<float>, std::optional<float>,
                                const OptionalMemoryConfig&>(&clip),
              "input_tensor"_a, "min"_a = nb::none(), "max"_a = nb::none(), nb::kw_only(),
              "memory_config"_a = nb::none(), kElementDoc);
}

}  // namespace

void bind_elementwise(nb::module_& m) {
    bind_binary(m);
    bind_composites(m);
    bind_unary(m);
    bind_unary_with_more(m);
}

}  // namespace tilemeter::python
