// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Floating point as integers by a scale and a zero point, one for the whole tensor, and back. Quantized
// tensors are INT32 or UINT8. memory_config of the result: that of the input unless given.

#pragma once

#include <variant>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

enum class QuantKind : std::uint8_t { kQuantize, kDequantize, kRequantize };

inline constexpr const char* kQuantizationDocumentation =
    "scale and zero_point are numbers, for the whole tensor (axis: None). Quantized tensors are int32 or "
    "uint8; quantize: input / scale + zero_point, dequantize: (input - zero_point) * scale.";

struct Quantize {
    struct Row : OperationRow {
        constexpr Row(const char* name, QuantKind of)
            : OperationRow(name, kQuantizationDocumentation), kind(of) {}
        QuantKind kind;
    };

    const Row* row = nullptr;
    Tensor input_tensor{};
    float scale = 1.0F;
    int zero_point = 0;
    std::monostate axis{};
    OptionalDataType dtype{};  ///< none: INT32, of dequantize BFLOAT16
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr auto kParameters = parameters(
        required<&Quantize::input_tensor>(), required<&Quantize::scale>(), required<&Quantize::zero_point>(),
        keyword<&Quantize::axis>().unrecorded(), keyword<&Quantize::dtype>(),
        keyword<&Quantize::memory_config>(), keyword<&Quantize::output_tensor>());
    Tensor call() const;
};
/// Block formats become BFLOAT16 before.
inline constexpr OperationOf<Quantize> quantize{"quantize", QuantKind::kQuantize};
inline constexpr OperationOf<Quantize> dequantize{"dequantize", QuantKind::kDequantize};

/// From one scale and zero point to others.
struct Requantize {
    Tensor input_tensor{};
    float in_scale = 1.0F;
    int in_zero_point = 0;
    float out_scale = 1.0F;
    int out_zero_point = 0;
    std::monostate axis{};
    OptionalDataType dtype{};  ///< none: INT32
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"requantize", kQuantizationDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Requantize::input_tensor>(), required<&Requantize::in_scale>(),
                   required<&Requantize::in_zero_point>(), required<&Requantize::out_scale>(),
                   required<&Requantize::out_zero_point>(), keyword<&Requantize::axis>().unrecorded(),
                   keyword<&Requantize::dtype>(), keyword<&Requantize::memory_config>(),
                   keyword<&Requantize::output_tensor>().unrecorded());
    Tensor call() const;
};
inline constexpr Operation<Requantize> requantize;

}  // namespace tilemeter
