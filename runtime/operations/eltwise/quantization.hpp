// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Floating point as integers by a scale and a zero point, one for the whole tensor or one for each channel, and back.
// Quantized tensors are INT32 or UINT8. memory_config of the result: that of the input unless given. Throws RuntimeError (dtypes,
// sizes of scales and zero points), OutOfMemoryError.

#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

enum class QuantKind : std::uint8_t { kQuantize, kDequantize, kRequantize };

using Scale = std::variant<Tensor, float>;
using ZeroPoint = std::variant<Tensor, std::int32_t>;

inline constexpr const char* kQuantizationDocumentation =
    "Scales and zero points are numbers or tensors: of one element, or with axis of one for each channel there. Quantized tensors "
    "are int32 or uint8; quantize: input / scale + zero_point, dequantize: (input - zero_point) * scale.";

struct Quantize {
    struct Row : OperationRow {
        QuantKind kind;
    };

    const Row* row = nullptr;
    Tensor input_tensor{};
    Scale scale = 1.0F;
    ZeroPoint zero_point = 0;
    std::optional<std::int32_t> axis{};
    OptionalDataType dtype{};  ///< none: INT32, of dequantize BFLOAT16
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr const char* kDocumentation = kQuantizationDocumentation;
    static constexpr auto kParameters = parameters(
        required<&Quantize::input_tensor, &Quantize::scale, &Quantize::zero_point>(),
        unrecorded_keyword<&Quantize::axis>(), keyword<&Quantize::dtype, &Quantize::memory_config>(),
        keyword<&Quantize::output_tensor>().output());
    Tensor body() const;
};
/// Block formats become BFLOAT16 before.
inline constexpr OperationOf<Quantize> quantize{"quantize", QuantKind::kQuantize};
inline constexpr OperationOf<Quantize> dequantize{"dequantize", QuantKind::kDequantize};

/// From one scale and zero point to others.
struct Requantize {
    Tensor input_tensor{};
    Scale in_scale = 1.0F;
    ZeroPoint in_zero_point = 0;
    Scale out_scale = 1.0F;
    ZeroPoint out_zero_point = 0;
    std::optional<std::int32_t> axis{};
    OptionalDataType dtype{};  ///< none: INT32
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"requantize", kQuantizationDocumentation};
    static constexpr auto kParameters = parameters(
        required<&Requantize::input_tensor, &Requantize::in_scale, &Requantize::in_zero_point,
                 &Requantize::out_scale, &Requantize::out_zero_point>(),
        unrecorded_keyword<&Requantize::axis>(), keyword<&Requantize::dtype, &Requantize::memory_config>(),
        unrecorded_keyword<&Requantize::output_tensor>().output());
    Tensor body() const;
};
inline constexpr Operation<Requantize> requantize;

}  // namespace tilemeter
