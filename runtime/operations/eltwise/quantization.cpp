// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/quantization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/program_pieces.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"

namespace tilemeter {

namespace {

/// (input - minus) * factor + plus, in a program of an operand and a number, which is float32.
struct Quantization {
    static constexpr std::string_view kName = "BinaryNgDeviceOperation";

    struct Line {
        double minus = 0.0;
        double factor = 1.0;
        double plus = 0.0;
        auto key_fields() const { return std::tie(minus, factor, plus); }
    };

    QuantKind kind;
    Line line;
    DataType dtype;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(type(), line.minus, line.factor, line.plus, memory_config, dtype);
    }

    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(kind);
        append_binary_program_key(key, call, memory_config);
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        ProgramPlan plan{{"ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory", 0}};
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        const bool alike = all_sharded_alike(inputs, outputs);
        const auto tensor = [&](const TensorSpec& spec, int index) {
            ProgramMemory piece = circular_buffer(
                alike ? buffer_geometry(spec, device).size_per_bank_bytes : 2 * tile_size(spec.dtype), cores);
            if (alike) piece.shared_with = index;
            return piece;
        };
        plan.memory = {tensor(inputs[0], 0), circular_buffer(tile_size(DataType::FLOAT32), cores),
                       tensor(outputs[0], 1)};
        return plan;
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const TensorSpec& out = outputs[0];
        const auto on_line = [&](double x) { return (x - line.minus) * line.factor + line.plus; };
        if (is_floating_point(out.dtype)) {
            for (float& value : values)
                value = static_cast<float>(on_line(value));
            return {HostArray::from_floats(values, out.dtype, out.shape)};
        }
        const double low = out.dtype == DataType::UINT8 ? 0.0 : std::numeric_limits<std::int32_t>::min();
        const double high = out.dtype == DataType::UINT8 ? 255.0 : std::numeric_limits<std::int32_t>::max();
        std::vector<std::int64_t> integers;
        for (const float value : values)
            integers.push_back(
                static_cast<std::int64_t>(std::clamp(std::nearbyint(on_line(value)), low, high)));
        return {HostArray::from_integers(integers, out.dtype, out.shape)};
    }

private:
    std::string_view type() const {
        switch (kind) {
            case QuantKind::kQuantize:
                return "BinaryOpType::QUANT";
            case QuantKind::kDequantize:
                return "BinaryOpType::DEQUANT";
            case QuantKind::kRequantize:
                break;
        }
        return "BinaryOpType::REQUANT";
    }
};

bool is_quantized(DataType dtype) {
    return dtype == DataType::INT32 || dtype == DataType::UINT8;
}

Tensor launched(QuantKind kind, const Quantization::Line& line, const Tensor& input, DataType dtype,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& output) {
    const Quantization operation{
        kind, line, dtype, memory_config.value_or(output ? output->memory_config() : input.memory_config())};
    return launch(operation, {input}, output);
}

DataType dtype_of(const OptionalDataType& dtype, const OptionalTensor& output, DataType otherwise) {
    return dtype.value_or(output ? output->dtype() : otherwise);
}

void require_quantized(const char* operation, const char* what, DataType dtype) {
    require(is_quantized(dtype), [&] {
        return std::string(operation) + " only supports int32, int8 or uint8 " + what + " for now, got " +
               attribute_text(dtype);
    });
}

Tensor quantized(const Quantize& call) {
    const DataType from = call.input_tensor.dtype();
    require(is_floating_point(from), "Quantize only takes floating-point number inputs");
    const DataType to = dtype_of(call.dtype, call.output_tensor, DataType::INT32);
    require_quantized("Quantize", "outputs", to);
    const Quantization::Line line{0.0, 1.0 / call.scale, static_cast<double>(call.zero_point)};
    const ScopedTensor input(is_block_float(from) ? unscoped::typecast(call.input_tensor, DataType::BFLOAT16)
                                                  : call.input_tensor);
    return launched(QuantKind::kQuantize, line, *input, to, call.memory_config, call.output_tensor);
}

Tensor dequantized(const Quantize& call) {
    require_quantized("Dequantize", "inputs", call.input_tensor.dtype());
    const DataType to = dtype_of(call.dtype, call.output_tensor, DataType::BFLOAT16);
    require(to == DataType::BFLOAT16 || to == DataType::FLOAT32,
            "Dequantize only supports bf16/f32 outputs for now");
    const Quantization::Line line{static_cast<double>(call.zero_point), call.scale, 0.0};
    return launched(QuantKind::kDequantize, line, call.input_tensor, to, call.memory_config,
                    call.output_tensor);
}

}  // namespace

Tensor Quantize::body() const {
    return row->kind == QuantKind::kQuantize ? quantized(*this) : dequantized(*this);
}

Tensor Requantize::body() const {
    require_quantized("Requantize", "inputs", input_tensor.dtype());
    const DataType to = dtype_of(dtype, output_tensor, DataType::INT32);
    require_quantized("Requantize", "outputs", to);
    const Quantization::Line line{static_cast<double>(in_zero_point),
                                  static_cast<double>(in_scale) / out_scale,
                                  static_cast<double>(out_zero_point)};
    return launched(QuantKind::kRequantize, line, input_tensor, to, memory_config, output_tensor);
}

}  // namespace tilemeter
