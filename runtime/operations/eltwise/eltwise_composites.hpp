// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise operations that are made of others, and those of three operands, with TT-NN's names, arguments
// and defaults. Shapes, dtypes, layouts and errors: as in binary.hpp and unary.hpp, of which they are made;
// operands of three-operand operations are TILE. sub_core_grids: as in unary.hpp. dtype and, unless given,
// memory_config of the result: those of the first tensor.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/clamp.hpp"

namespace tilemeter {

/// a / b, rounded: rounding_mode "floor", "trunc" or none. Integers (INT32) with a rounding mode give
/// integers. fast_and_approximate_mode: a * (1 / b) on the device.
Tensor div(const Tensor& a, const Tensor& b, bool fast_and_approximate_mode = false,
           const std::optional<std::string>& rounding_mode = std::nullopt,
           const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt, const Activations& activations = {},
           const Activations& input_tensor_a_activations = {},
           const Activations& input_tensor_b_activations = {},
           const OptionalCores& sub_core_grids = std::nullopt);
Tensor div(const Tensor& a, Scalar value, bool fast_and_approximate_mode = false,
           const std::optional<std::string>& rounding_mode = std::nullopt,
           const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt, const Activations& activations = {},
           const Activations& input_tensor_a_activations = {},
           const Activations& input_tensor_b_activations = {},
           const OptionalCores& sub_core_grids = std::nullopt);
Tensor div(Scalar value, const Tensor& b, bool fast_and_approximate_mode = false,
           const std::optional<std::string>& rounding_mode = std::nullopt,
           const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt, const Activations& activations = {},
           const Activations& input_tensor_a_activations = {},
           const Activations& input_tensor_b_activations = {},
           const OptionalCores& sub_core_grids = std::nullopt);

/// floor(a / b); infinite where a / b is.
Tensor floor_div(const Tensor& a, const Tensor& b, const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor floor_div(const Tensor& a, Scalar value, const OptionalMemoryConfig& memory_config = std::nullopt);
/// a / b; 0 where b is 0.
Tensor div_no_nan(const Tensor& a, const Tensor& b, const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor div_no_nan(const Tensor& a, Scalar value, const OptionalMemoryConfig& memory_config = std::nullopt);
/// 1 where |a - b| <= atol + rtol * |b|, else 0.
Tensor isclose(const Tensor& a, const Tensor& b, float rtol = 1e-05F, float atol = 1e-08F,
               bool equal_nan = false, const OptionalMemoryConfig& memory_config = std::nullopt);
/// a + alpha * b, a - alpha * b
Tensor addalpha(const Tensor& a, const Tensor& b, float alpha,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
Tensor subalpha(const Tensor& a, const Tensor& b, float alpha,
                const OptionalMemoryConfig& memory_config = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);
/// The polynomial with those coefficients, that of the highest power first.
Tensor polyval(const Tensor& input, const std::vector<float>& coefficients,
               const OptionalMemoryConfig& memory_config = std::nullopt);

/// input + weight * (end - input)
Tensor lerp(const Tensor& input, const Tensor& end, const std::variant<Tensor, float>& weight,
            const OptionalMemoryConfig& memory_config = std::nullopt,
            const OptionalTensor& output_tensor = std::nullopt);
/// a * b + c; b, c: tensors or numbers.
Tensor mac(const Tensor& a, const std::variant<Tensor, float>& b, const std::variant<Tensor, float>& c,
           const OptionalMemoryConfig& memory_config = std::nullopt,
           const OptionalTensor& output_tensor = std::nullopt,
           const OptionalCores& sub_core_grids = std::nullopt);
/// a + value * b * c, a + value * b / c
Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, float value = 1.0F,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output_tensor = std::nullopt);
Tensor addcdiv(const Tensor& a, const Tensor& b, const Tensor& c, float value = 1.0F,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalTensor& output_tensor = std::nullopt);

/// The first half of the last dimension times a function of the second: sigmoid, relu, gelu, silu. `dim`: the
/// last; it must be made of 64 * n columns.
Tensor glu(const Tensor& input, int dim = -1, const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor reglu(const Tensor& input, int dim = -1, const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor geglu(const Tensor& input, int dim = -1, const OptionalMemoryConfig& memory_config = std::nullopt,
             GeluVariant variant = GeluVariant::Accurate);
Tensor swiglu(const Tensor& input, int dim = -1, const OptionalMemoryConfig& memory_config = std::nullopt);

/// silu(min(gate, limit)) * clamp(up, -limit, limit)
Tensor clamped_silu_glu(const Tensor& gate, const Tensor& up, float limit,
                        const OptionalMemoryConfig& memory_config = std::nullopt,
                        const OptionalCores& sub_core_grids = std::nullopt);

/// The logarithm of the multivariate gamma function of four dimensions.
Tensor multigammaln(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt);

}  // namespace tilemeter
