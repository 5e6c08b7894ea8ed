// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// l1_loss, mse_loss: losses of a prediction.
//
// Both tensors: equal shapes, BFLOAT16 or FLOAT32, TILE. NONE: one loss per element, in the shape of the
// inputs; SUM and MEAN: over all elements, shape [].

#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/unary.hpp"

namespace tilemeter {

enum class LossReductionMode : std::uint8_t { NONE, SUM, MEAN };

/// The losses: a function of reference - prediction each.
struct LossRow {
    OperationInfo operation;
    UnaryOpType of_difference;
};
inline constexpr std::array kLosses{
    LossRow{{"l1_loss", "|reference - prediction|, per element, summed or averaged."}, UnaryOpType::ABS},
    LossRow{{"mse_loss", "(reference - prediction)^2, per element, summed or averaged."},
            UnaryOpType::SQUARE},
};

template <std::size_t Row>
struct Loss {
    Tensor input_reference{};
    Tensor input_prediction{};
    LossReductionMode reduction = LossReductionMode::NONE;
    OptionalMemoryConfig memory_config{};  ///< none: that of the reference
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation = kLosses[Row].operation;
    static constexpr auto kParameters = parameters(
        required<&Loss::input_reference, &Loss::input_prediction>(),
        keyword<&Loss::reduction, &Loss::memory_config>(), keyword<&Loss::output_tensor>().output());

    auto recorded() const {
        return std::tuple<const Tensor&, const Tensor&, std::int64_t, const OptionalMemoryConfig&,
                          const OptionalTensor&>(input_reference, input_prediction,
                                                 static_cast<std::int64_t>(reduction), memory_config,
                                                 output_tensor);
    }
    Tensor body() const;
};

using L1Loss = Loss<0>;
using MseLoss = Loss<1>;
inline constexpr Operation<L1Loss> l1_loss;
inline constexpr Operation<MseLoss> mse_loss;

}  // namespace tilemeter
