// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family, and its tables of operations: who adds one adds it here.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/bcast.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/binary_backward.hpp"
#include "runtime/operations/eltwise/clamp.hpp"
#include "runtime/operations/eltwise/complex.hpp"
#include "runtime/operations/eltwise/concat_backward.hpp"
#include "runtime/operations/eltwise/creation_like.hpp"
#include "runtime/operations/eltwise/eltwise_composites.hpp"
#include "runtime/operations/eltwise/quantization.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"
#include "runtime/operations/eltwise/where.hpp"

namespace tilemeter {

using EltwiseDefinitions =
    Definitions<PowerOfNumber, PowerOfTensor, Clamp<Tensor>, Clamp<Scalar>, Clip<Tensor>, Clip<Scalar>,
                Gelu<bool>, Gelu<GeluVariant>, Round, ReverseDivide, Logit, Polygamma, Prelu, UnaryChain,
                LogicalNotInPlace, GeluGradient, PolygammaGradient, ReverseDivideGradient, PowerGradient,
                DivideByNumberGradient, DivideGradient, AssignGradient, BiasGeluGradient<Tensor, GeluVariant>,
                BiasGeluGradient<Tensor, std::string>, BiasGeluGradient<float, GeluVariant>,
                BiasGeluGradient<float, std::string>, LerpGradient<Tensor>, LerpGradient<float>,
                WhereGradient, ConcatGradient, Divide<Tensor, Tensor>, Divide<Tensor, Scalar>,
                Divide<Scalar, Tensor>, FloorDivide<Tensor>, FloorDivide<Scalar>, DivideNoNan<Tensor>,
                DivideNoNan<Scalar>, IsClose, Polyval, Lerp, Mac, SnakeBeta, Where, Requantize, Bcast,
                FullLike, EmptyLike, Geglu, ClampedSiluGlu, Multigammaln, MakeComplexTensor>;

/// Calls `visit` with each operation of the family that is a row of a table (an OperationOf), in the order in
/// which overloads are tried.
template <typename Visit>
void for_each_eltwise_row(const Visit& visit) {
    const auto each = [&](const auto& table) {
        for (const auto* row : table)
            visit(*row);
    };
    each(kBinariesOfTensors);
    each(kNumberFirstBinaryFunctions);
    each(kBinaryFunctions);
    each(kInPlaceBinaryFunctions);
    each(kUnaryFunctions);
    visit(alt_complex_rotate90);
    each(kApproximableUnaryFunctions);
    each(kNumberedUnaryFunctions);
    each(kDefaultedUnaryFunctions);
    each(kTwoNumbersUnaryFunctions);
    visit(threshold);
    visit(addalpha);
    visit(subalpha);
    visit(addcmul);
    visit(addcdiv);
    visit(quantize);
    visit(dequantize);
    visit(tril);
    visit(triu);
    visit(zeros_like);
    visit(ones_like);
    each(kGatedFunctions);
    each(unary_gradients());
    each(unary_gradients_into());
    each(defaulted_gradients());
    each(numbered_gradients());
    visit(hardtanh_bw);
    visit(softplus_bw);
    visit(threshold_bw);
    visit(clamp_bw);
    visit(clip_bw);
    each(gradients_beside_numbers_into());
    each(gradients_beside_numbers());
    each(binary_gradients());
    each(pair_gradients());
    visit(addalpha_bw);
    visit(subalpha_bw);
    visit(addcmul_bw);
    visit(addcdiv_bw);
    visit(complex_real);
    visit(complex_imag);
    visit(complex_is_real);
    visit(complex_is_imag);
    visit(complex_angle);
    visit(complex_abs);
    visit(complex_conj);
    visit(complex_polar);
    visit(complex_reciprocal);
    visit(complex_real_bw);
    visit(complex_imag_bw);
    visit(complex_angle_bw);
    visit(complex_abs_bw);
    visit(complex_conj_bw);
    visit(complex_polar_bw);
    visit(complex_reciprocal_bw);
    visit(complex_add_bw);
    visit(complex_sub_bw);
    visit(complex_mul_bw);
    visit(complex_div_bw);
}

}  // namespace tilemeter
