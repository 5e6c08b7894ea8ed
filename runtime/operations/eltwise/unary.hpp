// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations on each element of one tensor, with TT-NN's names, arguments and defaults.
//
// Shape and layout of the result: those of the input (TILE or ROW_MAJOR). dtype: that of the input; most need
// floating point, some take integers too (relu, neg, abs, square, sign, comparisons with zero, ...).
// memory_config: that of the input unless given. output_tensor: written to instead of a new tensor, must fit.
// sub_core_grids: the cores that the program runs on, all unless given.
// All throw RuntimeError (an integer dtype where there is no meaning for it, an output tensor that does not
// fit, a tensor that is deallocated or on the host), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/compute/unary.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

using UnaryOpType = compute::UnaryKind;

/// A function of one element with its parameters, as activations are handed to other operations.
struct UnaryWithParam {
    UnaryOpType op_type = UnaryOpType::IDENTITY;
    compute::UnaryParameters parameters{};
    auto key_fields() const { return std::tie(op_type, parameters); }
    friend bool operator==(const UnaryWithParam&, const UnaryWithParam&) = default;
};
std::string attribute_text(const UnaryWithParam& function);

/// The activation of that name ("relu", "gelu", "gelu_approx", "silu", "sigmoid", ...). Throws RuntimeError
/// for others.
UnaryWithParam string_to_unary_with_param(std::string_view name);

namespace unscoped {
/// Any function, by its type, as part of another operation: without a scope of its own.
Tensor unary(const UnaryWithParam& function, const Tensor& input_tensor,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);
Tensor unary_chain(const std::vector<UnaryWithParam>& functions, const Tensor& input_tensor,
                   const OptionalMemoryConfig& memory_config = std::nullopt,
                   const OptionalTensor& output_tensor = std::nullopt,
                   const OptionalCores& sub_core_grids = std::nullopt);
}  // namespace unscoped

/// The operations that have no arguments of their own: public name, function.
#define TILEMETER_PLAIN_UNARY_OPERATIONS(apply)                                                             \
    apply(abs, ABS) apply(acos, ACOS) apply(acosh, ACOSH) apply(asin, ASIN) apply(asinh, ASINH) apply(      \
        atan, ATAN) apply(atanh, ATANH) apply(bitwise_not, BITWISE_NOT) apply(cbrt, CBRT) apply(ceil, CEIL) \
        apply(cos, COS) apply(cosh, COSH) apply(deg2rad, DEG2RAD) apply(digamma, DIGAMMA) apply(eqz, EQZ)   \
            apply(erfc, ERFC) apply(erfinv, ERFINV) apply(exp2, EXP2) apply(expm1, EXPM1)                   \
                apply(floor, FLOOR) apply(frac, FRAC) apply(gez, GEZ) apply(gtz, GTZ)                       \
                    apply(hardsigmoid, HARDSIGMOID) apply(hardmish, HARDMISH) apply(hardswish, HARDSWISH)   \
                        apply(i0, I0) apply(i1, I1) apply(identity, IDENTITY) apply(isfinite, ISFINITE)     \
                            apply(isinf, ISINF) apply(isnan, ISNAN) apply(isneginf, ISNEGINF)               \
                                apply(isposinf, ISPOSINF) apply(lez, LEZ) apply(lgamma, LGAMMA)             \
                                    apply(log_sigmoid, LOGSIGMOID) apply(logical_not, LOGICAL_NOT_UNARY)    \
                                        apply(ltz, LTZ) apply(neg, NEG) apply(nez, NEZ) apply(              \
                                            rad2deg, RAD2DEG) apply(reciprocal, RECIP) apply(relu, RELU)    \
                                            apply(relu6, RELU6) apply(sigmoid, SIGMOID) apply(sign, SIGN)   \
                                                apply(signbit, SIGNBIT) apply(silu, SILU) apply(sin, SIN)   \
                                                    apply(sinh, SINH) apply(softsign, SOFTSIGN)             \
                                                        apply(square, SQUARE) apply(swish, SILU)            \
                                                            apply(tan, TAN) apply(tanhshrink, TANHSHRINK)   \
                                                                apply(trunc, TRUNC)

/// Those that can also run faster and less exactly on a device; values here are exact either way.
#define TILEMETER_APPROXIMABLE_UNARY_OPERATIONS(apply)                                           \
    apply(erf, ERF) apply(exp, EXP) apply(log, LOG) apply(log10, LOG10) apply(log1p, LOG1P)      \
        apply(log2, LOG2) apply(mish, MISH) apply(rsqrt, RSQRT) apply(sigmoid_accurate, SIGMOID) \
            apply(sqrt, SQRT) apply(tanh, TANH)

#define TILEMETER_DECLARE(name, type)                                                                 \
    Tensor name(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config = std::nullopt, \
                const OptionalTensor& output_tensor = std::nullopt,                                   \
                const OptionalCores& sub_core_grids = std::nullopt);
TILEMETER_PLAIN_UNARY_OPERATIONS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE
#define TILEMETER_DECLARE(name, type)                                               \
    Tensor name(const Tensor& input_tensor, bool fast_and_approximate_mode = false, \
                const OptionalMemoryConfig& memory_config = std::nullopt,           \
                const OptionalTensor& output_tensor = std::nullopt,                 \
                const OptionalCores& sub_core_grids = std::nullopt);
TILEMETER_APPROXIMABLE_UNARY_OPERATIONS(TILEMETER_DECLARE)
#undef TILEMETER_DECLARE

/// How gelu is computed: exactly (erf), by line segments on the device (here: the tanh form), by the tanh
/// form.
enum class GeluVariant : std::uint8_t { Accurate, FastLut, Tanh };
UnaryWithParam gelu_function(GeluVariant variant);

Tensor gelu(const Tensor& input_tensor, GeluVariant variant,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt,
            const OptionalCores& sub_core_grids = std::nullopt);
/// fast_and_approximate_mode: FastLut instead of Accurate.
Tensor gelu(const Tensor& input_tensor, bool fast_and_approximate_mode = false,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt,
            const OptionalCores& sub_core_grids = std::nullopt);

Tensor round(const Tensor& input_tensor, int decimals = 0,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);
Tensor hardtanh(const Tensor& input_tensor, float min_val = -1.0F, float max_val = 1.0F,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt,
                const OptionalCores& sub_core_grids = std::nullopt);
Tensor leaky_relu(const Tensor& input_tensor, float negative_slope,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalTensor& output_tensor = std::nullopt,
                  const OptionalCores& sub_core_grids = std::nullopt);
Tensor elu(const Tensor& input_tensor, float alpha = 1.0F,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt,
           const OptionalCores& sub_core_grids = std::nullopt);
Tensor celu(const Tensor& input_tensor, float alpha = 1.0F,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt,
            const OptionalCores& sub_core_grids = std::nullopt);
Tensor selu(const Tensor& input_tensor, float scale = 1.0506999492645264F, float alpha = 1.673259973526001F,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt,
            const OptionalCores& sub_core_grids = std::nullopt);
Tensor softplus(const Tensor& input_tensor, float beta = 1.0F, float threshold = 20.0F,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt,
                const OptionalCores& sub_core_grids = std::nullopt);
/// alpha_p * x^2 + x / 2 where x is positive, else alpha_n * (e^x - 1 - x) + x / 2.
Tensor xielu(const Tensor& input_tensor, float alpha_p = 0.8F, float alpha_n = 0.8F,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);
/// beta * tanh(x / beta). Of Blackhole only; throws RuntimeError on others.
Tensor softcap(const Tensor& input_tensor, float beta,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output_tensor = std::nullopt,
               const OptionalCores& sub_core_grids = std::nullopt);
Tensor softshrink(const Tensor& input_tensor, float lambd = 0.5F,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalTensor& output_tensor = std::nullopt,
                  const OptionalCores& sub_core_grids = std::nullopt);
Tensor hardshrink(const Tensor& input_tensor, float lambd = 0.5F,
                  const OptionalMemoryConfig& memory_config = std::nullopt,
                  const OptionalTensor& output_tensor = std::nullopt,
                  const OptionalCores& sub_core_grids = std::nullopt);
Tensor threshold(const Tensor& input_tensor, float threshold, float value,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& output_tensor = std::nullopt,
                 const OptionalCores& sub_core_grids = std::nullopt);
Tensor heaviside(const Tensor& input_tensor, float value,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalTensor& output_tensor = std::nullopt,
                 const OptionalCores& sub_core_grids = std::nullopt);
Tensor fill(const Tensor& input_tensor, float fill_value,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt,
            const OptionalCores& sub_core_grids = std::nullopt);
Tensor relu_max(const Tensor& input_tensor, float upper_limit,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt,
                const OptionalCores& sub_core_grids = std::nullopt);
Tensor relu_min(const Tensor& input_tensor, float lower_limit,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt,
                const OptionalCores& sub_core_grids = std::nullopt);
/// No limit where none is given.
Tensor clamp(const Tensor& input_tensor, std::optional<float> min, std::optional<float> max,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt);
Tensor clip(const Tensor& input_tensor, std::optional<float> min, std::optional<float> max,
            const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor pow(const Tensor& input_tensor, float exponent,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt,
           const OptionalCores& sub_core_grids = std::nullopt);
/// exponent ^ x: the number is the base, whatever TT-NN calls it.
Tensor rpow(const Tensor& input_tensor, float exponent,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt,
            const OptionalCores& sub_core_grids = std::nullopt);
/// value / x; rounding_mode "floor", "trunc" or none.
Tensor rdiv(const Tensor& input_tensor, float value,
            const std::optional<std::string>& rounding_mode = std::nullopt,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt,
            const OptionalCores& sub_core_grids = std::nullopt);
/// ln(x / (1 - x)), x first brought between eps and 1 - eps where eps is given.
Tensor logit(const Tensor& input_tensor, std::optional<float> eps = std::nullopt,
             const OptionalMemoryConfig& memory_config = std::nullopt,
             const OptionalTensor& output_tensor = std::nullopt,
             const OptionalCores& sub_core_grids = std::nullopt);
/// The k-th derivative of digamma, k from 1 to 10.
Tensor polygamma(const Tensor& input_tensor, int k, const OptionalMemoryConfig& memory_config = std::nullopt);
/// x where it is positive, else weight * x.
Tensor prelu(const Tensor& input_tensor, float weight,
             const OptionalMemoryConfig& memory_config = std::nullopt);
/// Several functions, one after the other, in one program.
Tensor unary_chain(const Tensor& input_tensor, const std::vector<UnaryWithParam>& ops_chain,
                   const OptionalMemoryConfig& memory_config = std::nullopt,
                   const OptionalTensor& output_tensor = std::nullopt,
                   const OptionalCores& sub_core_grids = std::nullopt);
/// In place.
Tensor logical_not_(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
