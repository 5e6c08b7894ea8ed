// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/binary.hpp"

#include <algorithm>

#include "runtime/compute/broadcast.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/creation_like.hpp"
#include "runtime/operations/eltwise/internal/binary_dtypes.hpp"
#include "runtime/operations/eltwise/internal/binary_operation.hpp"
#include "runtime/operations/work/shards_over.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;

// The place of the result: that of the operand on the most cores, the first of several, with shards for the result.
// What is interleaved in L1 goes before all shards of the second.
MemoryConfig place_of_result(const Tensor& a, const Tensor& b) {
    if (a.memory_config() == L1_MEMORY_CONFIG) return a.memory_config();
    const Tensor& like = cores_of_shards(b.memory_config()) > cores_of_shards(a.memory_config()) ? b : a;
    const auto shape = compute::broadcast_shape(a.shape(), b.shape());
    return shape ? stretched_shards(like.spec(), *shape) : like.memory_config();
}

// The place of a result that is asked for in shards of whatever form: in those of the first operand that has some.
MemoryConfig place_in_shards(const Tensor& a, const Tensor& b) {
    const Tensor& like = a.is_sharded() ? a : b;
    const auto shape = compute::broadcast_shape(a.shape(), b.shape());
    return shape ? stretched_shards(like.spec(), *shape) : like.memory_config();
}

// Before there is an operation: matrices of which neither repeats a row, a column or an element.
void require_repeatable(const Shape& a, const Shape& b) {
    const auto size = [](const Shape& shape, std::size_t from_end) {
        return shape.rank() < from_end ? 1 : shape[-static_cast<std::int64_t>(from_end)];
    };
    const std::uint32_t width_a = size(a, 1), width_b = size(b, 1);
    const std::uint32_t height_a = size(a, 2), height_b = size(b, 2);
    if (width_a == width_b && height_a == height_b) return;
    if (width_a == 1 || height_a == 1 || width_b == 1 || height_b == 1) return;
    throw_not_repeatable(a, b);
}

// TT-NN's words. Ones in front do not count.
void require_shape_of_result(std::initializer_list<Tensor> inputs, const Shape& given) {
    Shape shape = inputs.begin()->shape();
    if (inputs.size() == 2) {
        const auto both = compute::broadcast_shape(shape, inputs.begin()[1].shape());
        if (!both) return;
        shape = *both;
    }
    const std::size_t rank = std::max(shape.rank(), given.rank());
    require(shape.to_rank(rank) == given.to_rank(rank), "Shape of Output tensor ", given,
            " provided does not match the broadcasted output shape ", shape);
}

Tensor launched(const BinaryNg& operation, std::initializer_list<Tensor> inputs,
                const OptionalTensor& output_tensor) {
    for (const Tensor& input : inputs)
        require_on_device(input, BinaryNg::kName, "input tensor");
    if (inputs.size() == 2) require_repeatable(inputs.begin()[0].shape(), inputs.begin()[1].shape());
    if (output_tensor) require_shape_of_result(inputs, output_tensor->shape());
    return launch(operation, inputs, output_tensor);
}

bool is_on_device(const Tensor& tensor) {
    return tensor.is_allocated() && tensor.storage_type() == StorageType::DEVICE;
}

// An output tensor decides dtype and memory config where the caller leaves them open.
BinaryNg operation(BinaryKind kind, const Tensor& a, const BinaryOptions& options,
                   const MemoryConfig& otherwise, const MemoryConfig& in_shards) {
    const OptionalTensor& into = options.output_tensor;
    const MemoryConfig config = options.memory_config.value_or(into ? into->memory_config() : otherwise);
    // Shards that are left open are those of an operand, in its way to shard; without one, whole tiles over all cores.
    const bool open = config.is_sharded() && !config.shard_spec;
    const bool is_named = config.nd_shard_spec != nullptr;
    if (open && in_shards.is_sharded() && !is_named) {
        return {kind, options, in_shards,
                options.dtype.value_or(into ? into->dtype() : result_dtype(kind, a.dtype()))};
    }
    const MemoryConfig placed =
        open && is_on_device(a)
            ? with_open_shards(config, a.spec(), a.shape(), a.device().description().compute_grid)
            : config;
    return {kind, options, placed,
            options.dtype.value_or(into ? into->dtype() : result_dtype(kind, a.dtype()))};
}

// Rows in shards are tilized for the operation, and its result untilized.
bool goes_through_tiles(const Tensor& a) {
    return is_on_device(a) && a.layout() == Layout::ROW_MAJOR && a.memory_config().is_sharded();
}

Tensor in_tiles(const Tensor& tensor) {
    return unscoped::to_layout(tensor, Layout::TILE);
}

void require_no_output(const Tensor& rows, const BinaryOptions& options) {
    require(
        !options.output_tensor || !is_on_device(rows),
        "Optional output tensor with Row Major input is not supported right now for Elementwise operations");
}

// The function of one operand whose program TT-NN runs for a number, if there is one.
std::optional<UnaryOpType> as_function(BinaryKind kind, DataType dtype, const Scalar& number) {
    switch (kind) {
        case BinaryKind::kMaximum:
            return UnaryOpType::MAXIMUM;
        case BinaryKind::kMinimum:
            return UnaryOpType::MINIMUM;
        case BinaryKind::kBitwiseAnd:
            return UnaryOpType::BITWISE_AND;
        case BinaryKind::kBitwiseOr:
            return UnaryOpType::BITWISE_OR;
        case BinaryKind::kBitwiseXor:
            return UnaryOpType::BITWISE_XOR;
        case BinaryKind::kLeftShift:
            return UnaryOpType::LEFT_SHIFT;
        case BinaryKind::kRightShift:
            return UnaryOpType::RIGHT_SHIFT;
        case BinaryKind::kRemainder:
        case BinaryKind::kFmod:
            if (dtype == DataType::INT32 && number.is_integral()) return std::nullopt;
            return kind == BinaryKind::kFmod ? UnaryOpType::FMOD : UnaryOpType::REMAINDER;
        default:
            return std::nullopt;
    }
}

Tensor function_of_number(UnaryOpType function, const Tensor& a, const Scalar& number,
                          const BinaryOptions& options) {
    std::vector<UnaryWithParam> chain = options.left_activations;
    chain.push_back({function, {number.value()}});
    chain.insert(chain.end(), options.activations.begin(), options.activations.end());
    const bool divides = function == UnaryOpType::REMAINDER || function == UnaryOpType::FMOD;
    if (divides && a.dtype() == DataType::INT32) {
        const ScopedTensor real(unscoped::typecast(a, DataType::FLOAT32));
        return unscoped::unary_chain(chain, *real, options.memory_config, options.output_tensor,
                                     options.sub_core_grids);
    }
    return unscoped::unary_chain(chain, a, options.memory_config, options.output_tensor,
                                 options.sub_core_grids);
}

Tensor with_number(BinaryKind kind, const Tensor& a, const Scalar& number, const BinaryOptions& options,
                   NumberSide side) {
    if (const auto casts = operand_casts(kind, a.dtype(), number); casts.left && !options.dtype) {
        const ScopedTensor cast(unscoped::typecast(a, *casts.left));
        return with_number(kind, *cast, number, options, side);
    }
    if (a.layout() == Layout::ROW_MAJOR) require_no_output(a, options);
    if (goes_through_tiles(a)) {
        const ScopedTensor tiles(in_tiles(a));
        const ScopedTensor result(with_number(kind, *tiles, number, options, side));
        return unscoped::to_layout(*result, Layout::ROW_MAJOR);
    }
    require_representable(kind, a.dtype(), number);
    // Shards that are left open are the operand's in the way to shard that is asked for.
    MemoryConfig in_shards = a.memory_config();
    if (in_shards.shard_spec && options.memory_config) {
        in_shards = *options.memory_config;
        in_shards.shard_spec = a.memory_config().shard_spec;
    }
    return launched(operation(kind, a, options, a.memory_config(), in_shards).with_number(number, side), {a},
                    options.output_tensor);
}

}  // namespace

namespace unscoped {

Tensor binary(BinaryKind kind, const Tensor& a, const Tensor& b, const BinaryOptions& options) {
    const OperandCasts casts = operand_casts(kind, a.dtype(), b.dtype());
    if (casts.left && casts.right) {
        const ScopedTensor left(unscoped::typecast(a, *casts.left)),
            right(unscoped::typecast(b, *casts.right));
        return binary(kind, *left, *right, options);
    }
    if (casts.left) {
        const ScopedTensor left(unscoped::typecast(a, *casts.left));
        return binary(kind, *left, b, options);
    }
    if (casts.right) {
        const ScopedTensor right(unscoped::typecast(b, *casts.right));
        return binary(kind, a, *right, options);
    }
    const bool both_in_rows = a.layout() == Layout::ROW_MAJOR && b.layout() == Layout::ROW_MAJOR;
    if (both_in_rows) require_no_output(a, options);
    if (both_in_rows && (goes_through_tiles(a) || goes_through_tiles(b)) && is_on_device(a) &&
        is_on_device(b)) {
        require(
            !options.output_tensor,
            "Optional output tensor with Row Major input is not supported right now for Elementwise operations");
        const ScopedTensor left(in_tiles(a)), right(in_tiles(b));
        const ScopedTensor result(binary(kind, *left, *right, options));
        return unscoped::to_layout(*result, Layout::ROW_MAJOR);
    }
    if (a.layout() != b.layout() && is_on_device(a) && is_on_device(b)) {
        const bool left_in_rows = a.layout() == Layout::ROW_MAJOR;
        const ScopedTensor tiles(in_tiles(left_in_rows ? a : b));
        return left_in_rows ? binary(kind, *tiles, b, options) : binary(kind, a, *tiles, options);
    }
    return launched(operation(kind, a, options, place_of_result(a, b), place_in_shards(a, b)), {a, b},
                    options.output_tensor);
}

Tensor binary(BinaryKind kind, const Tensor& a, Scalar b, const BinaryOptions& options) {
    const bool alone =
        options.activations.empty() && options.left_activations.empty() && options.right_activations.empty();
    if (const auto function = as_function(kind, a.dtype(), b);
        function && (alone || kind != BinaryKind::kRemainder)) {
        return function_of_number(*function, a, b, options);
    }
    if (kind == BinaryKind::kBiasGelu) {
        const ScopedTensor sum(
            with_number(BinaryKind::kAdd, a, b, {std::nullopt, options.memory_config}, NumberSide::kRight));
        return unary({UnaryOpType::GELU, {}}, *sum, options.memory_config, options.output_tensor);
    }
    return with_number(kind, a, b, options, NumberSide::kRight);
}

Tensor binary(BinaryKind kind, Scalar a, const Tensor& b, const BinaryOptions& options) {
    return with_number(kind, b, a, options, NumberSide::kLeft);
}

Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype,
           const OptionalMemoryConfig& memory_config) {
    return binary(BinaryKind::kAdd, a, b, {dtype, memory_config});
}

Tensor multiply(const Tensor& a, float b, const OptionalMemoryConfig& memory_config) {
    return binary(BinaryKind::kMultiply, a, b, {std::nullopt, memory_config});
}

}  // namespace unscoped

const Activations& list_of(const OptionalActivations& activations) {
    static const Activations kNone;
    return activations ? *activations : kNone;
}

template <typename Left, typename Right>
Tensor Binary<Left, Right>::body() const {
    return unscoped::binary(row->kind, input_tensor_a, input_tensor_b,
                            {dtype,
                             memory_config,
                             output_tensor,
                             list_of(activations),
                             list_of(input_tensor_a_activations),
                             list_of(input_tensor_b_activations),
                             {},
                             false,
                             sub_core_grids});
}
template struct Binary<Tensor, Tensor>;
template struct Binary<Tensor, Scalar>;
template struct Binary<Scalar, Tensor>;

template <typename Right>
Tensor InPlaceBinary<Right>::body() const {
    return unscoped::binary(row->kind, a, b,
                            {std::nullopt,
                             std::nullopt,
                             a,
                             list_of(activations),
                             list_of(input_tensor_a_activations),
                             list_of(input_tensor_b_activations),
                             {},
                             false,
                             sub_core_grids});
}
template struct InPlaceBinary<Tensor>;
template struct InPlaceBinary<Scalar>;

Tensor PowerOfTensor::body() const {
    // These need no power.
    if (exponent == 0.0F && !output_tensor) return unscoped::full_like(input_tensor, 1.0F, memory_config);
    if (exponent == 1.0F && output_tensor) return unscoped::copy(input_tensor, *output_tensor);
    if (exponent == 1.0F) {
        return unscoped::copy_to(input_tensor, memory_config.value_or(input_tensor.memory_config()),
                                 input_tensor.dtype());
    }
    return unscoped::unary({UnaryOpType::POWER, {exponent}}, input_tensor, memory_config, output_tensor,
                           sub_core_grids);
}

Tensor PowerOfNumber::body() const {
    const ScopedTensor bases(unscoped::unary({UnaryOpType::FILL, {input_tensor}}, exponent));
    return unscoped::binary(BinaryKind::kPower, *bases, exponent, {dtype, memory_config, output_tensor});
}

}  // namespace tilemeter
