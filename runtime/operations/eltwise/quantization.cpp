// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/quantization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

/// (input - minus) * factor + plus, in a program of an operand and the factor: a number, which is float32, or a second tensor.
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
        if (inputs.size() > 1) return plan_binary(inputs, outputs, device);
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
        std::vector<float> factors;
        if (inputs.size() > 1)
            factors = compute::broadcast_to<float>(inputs[1]->to_floats(),
                                                   inputs[1]->shape().to_rank(out.shape.rank()), out.shape);
        const auto on_line = [&](std::size_t i) {
            const double factor = factors.empty() ? line.factor : factors[i];
            return (values[i] - line.minus) * factor + line.plus;
        };
        if (is_floating_point(out.dtype)) {
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<float>(on_line(i));
            return {HostArray::from_floats(values, out.dtype, out.shape)};
        }
        const double low = out.dtype == DataType::UINT8 ? 0.0 : std::numeric_limits<std::int32_t>::min();
        const double high = out.dtype == DataType::UINT8 ? 255.0 : std::numeric_limits<std::int32_t>::max();
        std::vector<std::int64_t> integers;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double rounded = std::nearbyint(on_line(i));
            integers.push_back(
                std::isnan(rounded) ? 0 : static_cast<std::int64_t>(std::clamp(rounded, low, high)));
        }
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

/// The place of a result, and its dtype.
struct Target {
    DataType dtype;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output{};
};

Tensor launched(QuantKind kind, const Quantization::Line& line, const Tensor& input, const Target& to,
                const Tensor* factors = nullptr) {
    const MemoryConfig place =
        to.memory_config.value_or(to.output ? to.output->memory_config() : input.memory_config());
    const Quantization operation{kind, line, to.dtype, place};
    if (factors != nullptr) return launch(operation, {input, *factors}, to.output);
    return launch(operation, {input}, to.output);
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

// TT-NN's words.

void require_wide(const char* operation, const std::optional<std::int32_t>& axis, DataType to) {
    require(!axis || to == DataType::INT32, "Per-channel (axis) ", operation,
            " does not support int8/uint8 output yet; use int32 output or per-tensor ", operation);
}

void require_scale_dtype(const Tensor& scale) {
    require(is_floating_point(scale.dtype()), "Quantization only takes floating-point number scales");
    require(!is_block_float(scale.dtype()), "Unsupported quantization scale data type");
}

void require_zero_point_dtype(const Tensor& zero_point) {
    require(zero_point.dtype() == DataType::INT32, "Quantization only takes int32 zero-points for now");
}

void require_axis(std::int32_t axis, const Shape& shape) {
    const auto rank = static_cast<std::int32_t>(shape.rank());
    require(axis >= -rank && axis < rank, "Axis ", axis, " is outside the range [", -rank, ", ", rank - 1,
            "]");
}

void require_channels(const Tensor& numbers, const Shape& shape, std::int32_t axis, const char* what) {
    require(numbers.shape().rank() == 1, "Per-channel quantization expects 1D ", what, " tensors");
    require(shape[axis] == numbers.shape().volume(), "Size of the ", what,
            " tensor doesn't match the size of the input tensor along the given axis");
}

void require_one_scale(const Tensor& scale) {
    require_scale_dtype(scale);
    require(scale.shape().volume() == 1, "Per-tensor quantization only takes scalar-tensor scales");
}

void require_one_zero_point(const Tensor& zero_point) {
    require_zero_point_dtype(zero_point);
    require(zero_point.shape().volume() == 1, "Per-tensor quantization only takes scalar-tensor zero-points");
}

/// Refuses what of them are tensors that don't fit.
void require_fitting(const Tensor& input, const Scale& scale, const ZeroPoint& zero_point,
                     const std::optional<std::int32_t>& axis) {
    const Tensor* const scales = std::get_if<Tensor>(&scale);
    const Tensor* const points = std::get_if<Tensor>(&zero_point);
    if (!axis) {
        if (scales != nullptr) require_one_scale(*scales);
        if (points != nullptr) require_one_zero_point(*points);
        return;
    }
    require(scales != nullptr, "Per-channel quantization expects 1D scale tensors");
    require_axis(*axis, input.shape());
    require_channels(*scales, input.shape(), *axis, "scale");
    require_scale_dtype(*scales);
    if (points == nullptr) return;
    require_zero_point_dtype(*points);
    require_channels(*points, input.shape(), *axis, "zero-point");
}

/// Numbers of channels in that dtype, along the axis.
Tensor along(const Tensor& numbers, const Shape& shape, std::int32_t axis, DataType dtype) {
    Shape spread = shape;
    for (std::size_t i = 0; i < shape.rank(); ++i)
        if (i != shape.position(axis)) spread.set(static_cast<std::int64_t>(i), 1);
    const ScopedTensor cast(unscoped::typecast(numbers, dtype));
    return unscoped::reshape(*cast, spread);
}

Tensor in_dtype(const Tensor& tensor, DataType dtype) {
    return tensor.dtype() == dtype ? tensor : unscoped::typecast(tensor, dtype);
}

/// Scales as tensors of float32 where they are that.
Tensor float_scales(const Tensor& scale, const Tensor& input, const std::optional<std::int32_t>& axis) {
    return axis ? along(scale, input.shape(), *axis, DataType::FLOAT32) : in_dtype(scale, DataType::FLOAT32);
}

/// sum in the target's dtype; it is freed before what it was made of.
Tensor rounded(Tensor sum, const Target& to) {
    const ScopedTensor temporary(std::move(sum));
    return unscoped::typecast(*temporary, to.dtype, to.memory_config, to.output);
}

Tensor divided(const Tensor& input, const Scale& scale, const std::optional<std::int32_t>& axis) {
    if (const float* number = std::get_if<float>(&scale))
        return unscoped::binary(BinaryKind::kDivide, input, Scalar(*number));
    const auto& scales = std::get<Tensor>(scale);
    const ScopedTensor cast(in_dtype(scales, input.dtype()));
    return unscoped::binary(BinaryKind::kDivide, input, *cast, {axis ? input.dtype() : OptionalDataType()});
}

Tensor quantized(const Tensor& given, const Scale& scale, const ZeroPoint& zero_point,
                 const std::optional<std::int32_t>& axis, const Target& to) {
    require(is_floating_point(given.dtype()), "Quantize only takes floating-point number inputs");
    require_quantized("Quantize", "outputs", to.dtype);
    require_wide("quantize", axis, to.dtype);
    const ScopedTensor input(is_block_float(given.dtype()) ? unscoped::typecast(given, DataType::BFLOAT16)
                                                           : given);
    require_fitting(*input, scale, zero_point, axis);
    if (const std::int32_t* point = std::get_if<std::int32_t>(&zero_point)) {
        if (const float* number = std::get_if<float>(&scale))
            return launched(QuantKind::kQuantize, {0.0, 1.0 / *number, static_cast<double>(*point)}, *input,
                            to);
        const ScopedTensor scales(float_scales(std::get<Tensor>(scale), *input, axis));
        const ScopedTensor factors(unscoped::unary({UnaryOpType::RECIP, {}}, *scales));
        return launched(QuantKind::kQuantize, {0.0, 1.0, static_cast<double>(*point)}, *input, to, &*factors);
    }
    const DataType dtype = input->dtype();
    const auto& points = std::get<Tensor>(zero_point);
    if (axis) {
        const ScopedTensor scales(along(std::get<Tensor>(scale), input->shape(), *axis, DataType::FLOAT32));
        const ScopedTensor along_axis(along(points, input->shape(), *axis, dtype));
        const ScopedTensor scaled(divided(*input, *scales, axis));
        return rounded(unscoped::binary(BinaryKind::kAdd, *scaled, *along_axis), to);
    }
    const ScopedTensor scaled(divided(*input, scale, axis));
    const ScopedTensor cast(in_dtype(points, dtype));
    return rounded(unscoped::binary(BinaryKind::kAdd, *scaled, *cast, {dtype}), to);
}

/// input - zero_point as float32: both are integers before.
Tensor shifted(const Tensor& input, const Tensor& points) {
    const ScopedTensor integers(in_dtype(input, DataType::INT32));
    const ScopedTensor difference(unscoped::binary(BinaryKind::kSubtract, *integers, points));
    return unscoped::typecast(*difference, DataType::FLOAT32);
}

Tensor dequantized(const Tensor& input, const Scale& scale, const ZeroPoint& zero_point,
                   const std::optional<std::int32_t>& axis, const Target& to) {
    require_quantized("Dequantize", "inputs", input.dtype());
    require(to.dtype == DataType::BFLOAT16 || to.dtype == DataType::FLOAT32,
            "Dequantize only supports bf16/f32 outputs for now");
    require_fitting(input, scale, zero_point, axis);
    const float* const number = std::get_if<float>(&scale);
    const BinaryOptions options{to.dtype, to.memory_config, to.output};
    if (const std::int32_t* point = std::get_if<std::int32_t>(&zero_point)) {
        const auto minus = static_cast<double>(*point);
        if (number != nullptr) return launched(QuantKind::kDequantize, {minus, *number, 0.0}, input, to);
        const ScopedTensor factors(float_scales(std::get<Tensor>(scale), input, axis));
        return launched(QuantKind::kDequantize, {minus, 1.0, 0.0}, input, to, &*factors);
    }
    const auto& points = std::get<Tensor>(zero_point);
    if (axis) {
        const ScopedTensor factors(along(std::get<Tensor>(scale), input.shape(), *axis, DataType::FLOAT32));
        const ScopedTensor along_axis(along(points, input.shape(), *axis, DataType::INT32));
        const ScopedTensor difference(shifted(input, *along_axis));
        return unscoped::binary(BinaryKind::kMultiply, *difference, *factors, options);
    }
    const ScopedTensor difference(shifted(input, points));
    if (number != nullptr)
        return unscoped::binary(BinaryKind::kMultiply, *difference, Scalar(*number), options);
    const ScopedTensor factors(in_dtype(std::get<Tensor>(scale), DataType::FLOAT32));
    return unscoped::binary(BinaryKind::kMultiply, *difference, *factors, options);
}

/// True if two that belong together are numbers of channels: both, or neither.
bool are_of_channels(const Tensor& scale, const Tensor& zero_point, std::uint32_t channels, const char* side,
                     const char* capital) {
    const bool scales = scale.shape().volume() == channels, points = zero_point.shape().volume() == channels;
    const auto is = [](bool of_channels) { return of_channels ? "is" : "is not"; };
    require(scales == points, capital, " scale and ", side,
            " zero-point must both be per-channel or both be per-tensor, but got: ", side, " scale ",
            is(scales), " per-channel, ", side, " zero-point ", is(points), " per-channel");
    return scales;
}

/// With four tensors and an axis: each is spread out, then one line is taken.
Tensor requantized_by_channels(const Requantize& call, const Target& to) {
    const Tensor& input = call.input_tensor;
    const std::int32_t axis = *call.axis;
    const std::uint32_t channels = input.shape()[axis];
    const Tensor &in_scale = std::get<Tensor>(call.in_scale), &out_scale = std::get<Tensor>(call.out_scale);
    const Tensor &in_point = std::get<Tensor>(call.in_zero_point),
                 &out_point = std::get<Tensor>(call.out_zero_point);
    const bool of_in = are_of_channels(in_scale, in_point, channels, "input", "Input");
    const bool of_out = are_of_channels(out_scale, out_point, channels, "output", "Output");
    for (const bool is_in : {true, false}) {
        const bool of_channels = is_in ? of_in : of_out;
        const std::optional<std::int32_t> its_axis = of_channels ? call.axis : std::nullopt;
        require_fitting(input, is_in ? in_scale : out_scale, is_in ? in_point : out_point, its_axis);
    }
    const auto spread = [&](const Tensor& numbers, bool of_channels) {
        return of_channels ? along(numbers, input.shape(), axis, DataType::FLOAT32)
                           : unscoped::typecast(numbers, DataType::FLOAT32);
    };
    const ScopedTensor from(spread(in_scale, of_in)), minus(spread(in_point, of_in));
    const ScopedTensor into(spread(out_scale, of_out)), plus(spread(out_point, of_out));
    const ScopedTensor factor(unscoped::binary(BinaryKind::kDivide, *from, *into));
    const ScopedTensor moved(unscoped::binary(BinaryKind::kMultiply, *minus, *factor));
    const ScopedTensor start(unscoped::binary(BinaryKind::kSubtract, *plus, *moved));
    const auto scale_input = [&] {
        const ScopedTensor real(unscoped::typecast(input, DataType::FLOAT32));
        return unscoped::binary(BinaryKind::kMultiply, *real, *factor);
    };
    const ScopedTensor scaled(scale_input());
    const ScopedTensor sum(
        unscoped::binary(BinaryKind::kAdd, *scaled, *start, {std::nullopt, to.memory_config, to.output}));
    return unscoped::typecast(*sum, to.dtype);
}

}  // namespace

Tensor Quantize::body() const {
    const bool back = row->kind == QuantKind::kDequantize;
    const Target to{dtype_of(dtype, output_tensor, back ? DataType::BFLOAT16 : DataType::INT32),
                    memory_config, output_tensor};
    return back ? dequantized(input_tensor, scale, zero_point, axis, to)
                : quantized(input_tensor, scale, zero_point, axis, to);
}

Tensor Requantize::body() const {
    require_quantized("Requantize", "inputs", input_tensor.dtype());
    const Target to{dtype_of(dtype, output_tensor, DataType::INT32), memory_config, output_tensor};
    require_quantized("Requantize", "outputs", to.dtype);
    require_wide("requantize", axis, to.dtype);
    const float* const from = std::get_if<float>(&in_scale);
    const float* const into = std::get_if<float>(&out_scale);
    const std::int32_t* const minus = std::get_if<std::int32_t>(&in_zero_point);
    const std::int32_t* const plus = std::get_if<std::int32_t>(&out_zero_point);
    if (from != nullptr && into != nullptr && minus != nullptr && plus != nullptr) {
        const Quantization::Line line{static_cast<double>(*minus), static_cast<double>(*from) / *into,
                                      static_cast<double>(*plus)};
        return launched(QuantKind::kRequantize, line, input_tensor, to);
    }
    const bool are_tensors = from == nullptr && into == nullptr && minus == nullptr && plus == nullptr;
    if (axis && are_tensors) return requantized_by_channels(*this, to);
    const ScopedTensor real(dequantized(input_tensor, in_scale, in_zero_point,
                                        from == nullptr ? axis : std::nullopt, {DataType::BFLOAT16}));
    return quantized(*real, out_scale, out_zero_point, into == nullptr ? axis : std::nullopt, to);
}

}  // namespace tilemeter
