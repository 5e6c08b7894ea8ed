// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/binary.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/elementwise.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;

std::string_view name_of(BinaryKind kind) {
    switch (kind) {
        case BinaryKind::kAdd:
            return "BinaryOpType::ADD";
        case BinaryKind::kSubtract:
            return "BinaryOpType::SUB";
        case BinaryKind::kMultiply:
            return "BinaryOpType::MUL";
        case BinaryKind::kDivide:
            break;
    }
    return "BinaryOpType::DIV";
}

/// Which of the two operands is repeated within a tile, so that the program needs a place to repeat it in.
enum class TileBroadcast : std::uint8_t { kNone, kLeft, kRight };

// By the last two dimensions: those are inside the tile. A left operand that is repeated in either wins.
TileBroadcast tile_broadcast(const Shape& a, const Shape& b) {
    const Shape left = a.to_rank(std::max<std::size_t>(a.rank(), 2));
    const Shape right = b.to_rank(std::max<std::size_t>(b.rank(), 2));
    for (const int dimension : {-1, -2}) {
        if (left[dimension] < right[dimension]) return TileBroadcast::kLeft;
    }
    for (const int dimension : {-1, -2}) {
        if (right[dimension] < left[dimension]) return TileBroadcast::kRight;
    }
    return TileBroadcast::kNone;
}

class BinaryNg : public DeviceOperationWith<BinaryNg> {
public:
    static constexpr std::string_view kName = "BinaryNgDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    BinaryNg(BinaryKind kind, std::optional<float> scalar, MemoryConfig memory_config, DataType dtype)
        : kind_(kind), scalar_(scalar), memory_config_(std::move(memory_config)), dtype_(dtype) {}

    auto attributes() const { return std::make_tuple(name_of(kind_), scalar_, memory_config_, dtype_); }

    void validate(std::span<const TensorSpec> inputs) const override {
        if (inputs.size() == 1) return;
        if (!compute::broadcast_shape(inputs[0].shape, inputs[1].shape)) {
            throw RuntimeError(std::string(kName) + ": shapes " + inputs[0].shape.to_string() + " and " +
                               inputs[1].shape.to_string() + ": expected equal dimensions or 1");
        }
        if (inputs[0].layout != inputs[1].layout) {
            throw RuntimeError(std::string(kName) + ": expected inputs of one layout, got " +
                               std::string(tilemeter::name_of(inputs[0].layout)) + " and " +
                               std::string(tilemeter::name_of(inputs[1].layout)));
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        const Shape shape = inputs.size() == 1 ? inputs[0].shape
                                               : *compute::broadcast_shape(inputs[0].shape, inputs[1].shape);
        return {TensorSpec{shape, dtype_, inputs[0].layout, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override {
        ProgramPlan plan{"ttnn::operations::binary_ng::BinaryNgDeviceOperation::ProgramFactory", 0, {}, {}};
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        const auto take = [&](std::uint64_t size, int shared_with = ProgramMemory::kOwn) {
            plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, cores, shared_with});
        };
        const std::uint64_t out_tile = tile_size(outputs[0].dtype);
        const std::uint64_t left_tile = tile_size(inputs[0].dtype);
        if (inputs.size() == 1) {
            take(2 * left_tile);
            take(left_tile);  // one tile that holds the number
            take(2 * out_tile);
            return plan;
        }
        const std::uint64_t right_tile = tile_size(inputs[1].dtype);
        if (all_sharded_alike(inputs, outputs)) {
            take(buffer_geometry(inputs[0], device).size_per_bank_bytes, 0);
            take(buffer_geometry(inputs[1], device).size_per_bank_bytes, 1);
            take(buffer_geometry(outputs[0], device).size_per_bank_bytes, 2);
            return plan;
        }
        take(2 * left_tile);
        take(2 * right_tile);
        take(2 * out_tile);
        switch (tile_broadcast(inputs[0].shape, inputs[1].shape)) {
            case TileBroadcast::kLeft:
                take(2 * left_tile);
                break;
            case TileBroadcast::kRight:
                take(2 * right_tile);
                break;
            case TileBroadcast::kNone:
                break;
        }
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        const HostArray& a = *inputs[0];
        const HostArray b =
            scalar_ ? HostArray::from_floats({&*scalar_, 1}, DataType::FLOAT32, Shape{1}) : *inputs[1];
        const TensorSpec& out = outputs[0];
        if (!is_floating_point(a.dtype()) && !is_floating_point(b.dtype())) {
            return {HostArray::from_integers(
                compute::binary(kind_, a.to_integers(), a.shape(), b.to_integers(), b.shape(), out.shape),
                out.dtype, out.shape)};
        }
        return {HostArray::from_floats(
            compute::binary(kind_, a.to_floats(), a.shape(), b.to_floats(), b.shape(), out.shape), out.dtype,
            out.shape)};
    }

private:
    static bool all_sharded_alike(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs) {
        const MemoryConfig& config = inputs[0].memory_config;
        return config.is_sharded() && inputs[1].memory_config == config &&
               outputs[0].memory_config == config && inputs[0].shape == inputs[1].shape;
    }

    BinaryKind kind_;
    std::optional<float> scalar_;
    MemoryConfig memory_config_;
    DataType dtype_;
};

Tensor untraced_run(BinaryKind kind, const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
                    const OptionalMemoryConfig& memory_config) {
    return launch(
        BinaryNg(kind, std::nullopt, memory_config.value_or(a.memory_config()), dtype.value_or(a.dtype())),
        {a, b});
}

Tensor run(const OperationName& name, BinaryKind kind, const Tensor& a, const Tensor& b,
           const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config) {
    return in_operation(name, std::tie(a, b, dtype, memory_config),
                        [&] { return untraced_run(kind, a, b, dtype, memory_config); });
}

Tensor run(const OperationName& name, BinaryKind kind, const Tensor& a, float b,
           const OptionalDataType& dtype, const OptionalMemoryConfig& memory_config) {
    return in_operation(name, std::tie(a, b, dtype, memory_config), [&] {
        return launch(BinaryNg(kind, b, memory_config.value_or(a.memory_config()), dtype.value_or(a.dtype())),
                      {a});
    });
}

const OperationName kAdd("add");
const OperationName kSubtract("subtract");
const OperationName kMultiply("multiply");
const OperationName kDivide("divide");

}  // namespace

Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
           const OptionalMemoryConfig& memory_config) {
    return run(kAdd, BinaryKind::kAdd, a, b, dtype, memory_config);
}
Tensor add(const Tensor& a, float b, const OptionalDataType& dtype,
           const OptionalMemoryConfig& memory_config) {
    return run(kAdd, BinaryKind::kAdd, a, b, dtype, memory_config);
}
Tensor subtract(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config) {
    return run(kSubtract, BinaryKind::kSubtract, a, b, dtype, memory_config);
}
Tensor subtract(const Tensor& a, float b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config) {
    return run(kSubtract, BinaryKind::kSubtract, a, b, dtype, memory_config);
}
Tensor multiply(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config) {
    return run(kMultiply, BinaryKind::kMultiply, a, b, dtype, memory_config);
}
Tensor multiply(const Tensor& a, float b, const OptionalDataType& dtype,
                const OptionalMemoryConfig& memory_config) {
    return run(kMultiply, BinaryKind::kMultiply, a, b, dtype, memory_config);
}
Tensor divide(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
              const OptionalMemoryConfig& memory_config) {
    return run(kDivide, BinaryKind::kDivide, a, b, dtype, memory_config);
}
Tensor divide(const Tensor& a, float b, const OptionalDataType& dtype,
              const OptionalMemoryConfig& memory_config) {
    return run(kDivide, BinaryKind::kDivide, a, b, dtype, memory_config);
}

namespace untraced {

Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
           const OptionalMemoryConfig& memory_config) {
    return untraced_run(BinaryKind::kAdd, a, b, dtype, memory_config);
}

}  // namespace untraced

}  // namespace tilemeter
