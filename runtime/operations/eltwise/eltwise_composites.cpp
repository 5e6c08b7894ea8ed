// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/eltwise_composites.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/internal/ternary_operation.hpp"
#include "runtime/operations/eltwise/where.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;

UnaryWithParam function(UnaryOpType type) {
    return {type, {}};
}

UnaryOpType rounding(const std::string& mode) {
    if (mode == "floor") return UnaryOpType::FLOOR;
    if (mode == "trunc") return UnaryOpType::TRUNC;
    refuse_with("div: rounding_mode: expected floor, trunc or none, got ", mode);
}

DataType dtype_of(const Tensor& tensor) {
    return tensor.dtype();
}
DataType dtype_of(const Scalar& /*number*/) {
    return DataType::FLOAT32;
}

template <typename Left, typename Right>
Tensor divided(const Left& a, const Right& b, const std::optional<std::string>& mode,
               const BinaryOptions& options) {
    if (!mode) return unscoped::binary(BinaryKind::kDivide, a, b, options);
    const UnaryOpType rounded = rounding(*mode);
    if (dtype_of(a) == DataType::INT32) {
        const bool down = rounded == UnaryOpType::FLOOR;
        return unscoped::binary(down ? BinaryKind::kDivideFloor : BinaryKind::kDivideTrunc, a, b, options);
    }
    const ScopedTensor quotient(unscoped::binary(BinaryKind::kDivide, a, b, options));
    return unscoped::unary(function(rounded), *quotient, options.memory_config, options.output_tensor,
                           options.sub_core_grids);
}

Tensor ternary(const TernaryDeviceOperation& operation, std::vector<Tensor> inputs,
               const OptionalTensor& output) {
    require_sizes(inputs);
    return launch(operation, inputs, output);
}

// True if tiles are repeated along one side, or along both where each operand has all of them or one.
bool repeats_tiles(const std::array<const Tensor*, 3>& operands) {
    std::array<std::uint32_t, 2> most{};
    const auto sides = [](const Tensor& tensor) {
        const Shape shape = tensor.shape().to_rank(std::max<std::size_t>(tensor.shape().rank(), 2));
        return std::array{shape[-2], shape[-1]};
    };
    for (const Tensor* each : operands)
        for (std::size_t i = 0; i < 2; ++i)
            most[i] = std::max(most[i], sides(*each)[i]);
    bool rows = false, columns = false, all_or_one = true;
    for (const Tensor* each : operands) {
        const auto [height, width] = sides(*each);
        rows = rows || height != most[0];
        columns = columns || width != most[1];
        all_or_one = all_or_one && (height != most[0]) == (width != most[1]);
    }
    return rows != columns || (rows && all_or_one);
}

// Three operands need a program of two at a time: integers, and blocks that are repeated.
bool goes_in_pairs(const Tensor& a, const Tensor& b, const Tensor& c) {
    if (!is_floating_point(a.dtype())) return true;
    return is_block_float(a.dtype()) && repeats_tiles({&a, &b, &c});
}

// A gated linear unit.
template <typename Definition>
Tensor gated(const Definition& call, const UnaryWithParam& gate) {
    require(call.dim == -1 || call.dim == 3,
            "glu-family ops only support the last dimension, got dim=", call.dim);
    // Padded columns are cut as the others are.
    TensorSpec spec = call.input_tensor.spec();
    spec.shape = call.input_tensor.padded_shape();
    const std::size_t rank = spec.shape.rank();
    require(rank > 3, "ShapeBase[] index out of range. 3 not in [-4, ", rank, ")");
    const std::uint32_t half = spec.shape[3] / 2;
    require(half % kTileWidth == 0, "Split tensor dimension should be in full tile");
    require(rank == 4, "Input rank ", rank, " and begins 4 must have the same size");
    const bool columns_padded = call.input_tensor.shape()[-1] != spec.shape[-1];
    const Tensor padded =
        columns_padded ? Tensor::on_device(spec, call.input_tensor.shared_buffer(), true) : call.input_tensor;
    std::vector<std::uint32_t> begin(rank, 0);
    std::vector<std::uint32_t> end(spec.shape.dimensions().begin(), spec.shape.dimensions().end());
    end.back() = half;
    Tensor first = unscoped::slice(padded, begin, end, call.memory_config);
    begin.back() = half;
    end.back() = 2 * half;
    // Given back in the order in which they were made.
    const ScopedTensor gates(unscoped::slice(padded, begin, end, call.memory_config));
    const ScopedTensor values(std::move(first));
    const ScopedTensor opened(unscoped::unary(gate, *gates, call.memory_config));
    return unscoped::binary(BinaryKind::kMultiply, *values, *opened, {std::nullopt, call.memory_config});
}

}  // namespace

template <typename Left, typename Right>
Tensor Divide<Left, Right>::body() const {
    return divided(input_tensor_a, input_tensor_b, rounding_mode,
                   {dtype,
                    memory_config,
                    output_tensor,
                    activations,
                    input_tensor_a_activations,
                    input_tensor_b_activations,
                    {},
                    fast_and_approximate_mode,
                    sub_core_grids});
}
template struct Divide<Tensor, Tensor>;
template struct Divide<Tensor, Scalar>;
template struct Divide<Scalar, Tensor>;

template <>
Tensor FloorDivide<Tensor>::body() const {
    const MemoryConfig config = memory_config.value_or(input_tensor_a.memory_config());
    const BinaryOptions options{std::nullopt, config};
    const ScopedTensor quotient(
        unscoped::binary(BinaryKind::kDivide, input_tensor_a, input_tensor_b, options));
    const ScopedTensor rounded(divided(input_tensor_a, input_tensor_b, "floor", options));
    const ScopedTensor infinite(unscoped::unary(function(UnaryOpType::ISINF), *quotient, config));
    return unscoped::where(*infinite, *quotient, *rounded, config);
}

template <>
Tensor FloorDivide<Scalar>::body() const {
    const ScopedTensor quotient(unscoped::binary(BinaryKind::kMultiply, input_tensor_a,
                                                 1.0F / input_tensor_b.to_float(),
                                                 {std::nullopt, memory_config}));
    return unscoped::unary(function(UnaryOpType::FLOOR), *quotient);
}

template <>
Tensor DivideNoNan<Tensor>::body() const {
    const MemoryConfig config = memory_config.value_or(input_tensor_a.memory_config());
    const ScopedTensor quotient(
        unscoped::binary(BinaryKind::kDivide, input_tensor_a, input_tensor_b, {std::nullopt, config}));
    const ScopedTensor zero(unscoped::unary(function(UnaryOpType::EQZ), input_tensor_b, memory_config));
    if (zero->dtype() == quotient->dtype()) {
        return unscoped::where(*zero, 0.0F, *quotient, config);
    }
    const ScopedTensor like_quotient(unscoped::typecast(*zero, quotient->dtype()));
    return unscoped::where(*like_quotient, 0.0F, *quotient, config);
}

template <>
Tensor DivideNoNan<Scalar>::body() const {
    const float factor = input_tensor_b.value() == 0.0 ? 0.0F : 1.0F / input_tensor_b.to_float();
    return unscoped::binary(BinaryKind::kMultiply, input_tensor_a, factor, {std::nullopt, memory_config});
}

Tensor IsClose::body() const {
    BinaryOptions options{std::nullopt, memory_config};
    options.parameters = {rtol, atol, equal_nan};
    if (input_tensor_a.dtype() == DataType::INT32 && input_tensor_b.dtype() == DataType::INT32) {
        const ScopedTensor left(unscoped::typecast(input_tensor_a, DataType::FLOAT32));
        const ScopedTensor right(unscoped::typecast(input_tensor_b, DataType::FLOAT32));
        return unscoped::binary(BinaryKind::kIsClose, *left, *right, options);
    }
    return unscoped::binary(BinaryKind::kIsClose, input_tensor_a, input_tensor_b, options);
}

Tensor AddAlpha::body() const {
    return unscoped::binary(
        row->kind, input_tensor_a, input_tensor_b,
        {std::nullopt, memory_config, output_tensor, {}, {}, {{UnaryOpType::MUL_UNARY_SFPU, {alpha}}}});
}

Tensor Polyval::body() const {
    require(!coeffs.empty(), "polyval: coeffs: expected at least one, got none");
    const BinaryOptions options{std::nullopt, memory_config};
    const std::size_t last = coeffs.size() - 1;
    if (last == 0) return unscoped::unary({UnaryOpType::FILL, {coeffs[0]}}, input_tensor_a, memory_config);
    ScopedTensor sum(unscoped::binary(BinaryKind::kMultiply, input_tensor_a, coeffs[0], options));
    for (std::size_t i = 1; i < last; ++i) {
        sum = unscoped::binary(BinaryKind::kAdd, *sum, coeffs[i], options);
        sum = unscoped::binary(BinaryKind::kMultiply, *sum, input_tensor_a, options);
    }
    return unscoped::binary(BinaryKind::kAdd, *sum, coeffs[last], options);
}

Tensor Lerp::body() const {
    const Tensor* tensor = std::get_if<Tensor>(&weight);
    std::vector<Tensor> operands = {input, end};
    if (tensor != nullptr) operands.push_back(*tensor);
    const auto config = [&] { return place_of_ternary(memory_config, std::nullopt, operands); };
    if (tensor == nullptr) {
        return ternary({TernaryKind::kLerp, std::get<float>(weight), NumberOperand::kThird, config()},
                       {input, end}, output_tensor);
    }
    const std::array given{&input, &end, tensor};
    require(std::ranges::none_of(given, [](const Tensor* each) { return each->dtype() == DataType::UINT32; }),
            [&] {
                return "lerp does not support UINT32 inputs. Got input=" + attribute_text(input.dtype()) +
                       ", end=" + attribute_text(end.dtype()) + ", weight=" + attribute_text(tensor->dtype());
            });
    if (goes_in_pairs(input, end, *tensor) && input.dtype() != DataType::UINT16) {
        const BinaryOptions options{std::nullopt, memory_config};
        const auto weighted = [&] {
            const ScopedTensor difference(unscoped::binary(BinaryKind::kSubtract, end, input, options));
            return unscoped::binary(BinaryKind::kMultiply, *difference, *tensor, options);
        };
        const ScopedTensor step(weighted());
        return unscoped::binary(BinaryKind::kAdd, input, *step, {std::nullopt, memory_config, output_tensor});
    }
    return ternary({TernaryKind::kLerp, config()}, {input, end, *tensor}, output_tensor);
}

Tensor Mac::body() const {
    const Tensor* factor = std::get_if<Tensor>(&input_tensor_b);
    const Tensor* summand = std::get_if<Tensor>(&input_tensor_c);
    std::vector<Tensor> operands = {input_tensor_a};
    for (const Tensor* each : {factor, summand})
        if (each != nullptr) operands.push_back(*each);
    const auto config = [&] { return place_of_ternary(memory_config, std::nullopt, operands); };
    if (factor != nullptr && summand != nullptr) {
        if (!goes_in_pairs(input_tensor_a, *factor, *summand)) {
            return ternary(TernaryDeviceOperation(TernaryKind::kMac, config()).on(sub_core_grids),
                           {input_tensor_a, *factor, *summand}, output_tensor);
        }
        const ScopedTensor product(
            unscoped::binary(BinaryKind::kMultiply, input_tensor_a, *factor, {std::nullopt, memory_config}));
        return unscoped::binary(BinaryKind::kAdd, *product, *summand,
                                {std::nullopt, memory_config, output_tensor});
    }
    if (factor != nullptr) {
        return ternary({TernaryKind::kMac, std::get<float>(input_tensor_c), NumberOperand::kThird, config()},
                       {input_tensor_a, *factor}, output_tensor);
    }
    const float number = std::get<float>(input_tensor_b);
    if (summand != nullptr) {
        return ternary({TernaryKind::kMac, number, NumberOperand::kSecond, config()},
                       {input_tensor_a, *summand}, output_tensor);
    }
    return unscoped::unary({UnaryOpType::MAC_TSS, {number, std::get<float>(input_tensor_c)}}, input_tensor_a,
                           memory_config, output_tensor, sub_core_grids);
}

namespace {

// Adds a quotient of blocks, which have no program of a quotient: where a divisor is 0, infinity with the sign of the
// value and of what it multiplies, 0 counted as positive.
Tensor add_quotient_of_blocks(const AddTerm& call) {
    const BinaryOptions options{std::nullopt, call.memory_config};
    const ScopedTensor divided(unscoped::binary(BinaryKind::kMultiply, call.input_b, call.value, options));
    const ScopedTensor quotient(unscoped::binary(BinaryKind::kDivide, *divided, call.input_c, options));
    ScopedTensor sum(unscoped::binary(BinaryKind::kAdd, call.input_a, *quotient, options));
    const ScopedTensor sign(unscoped::unary(function(UnaryOpType::SIGN), call.input_b, call.memory_config));
    const auto sign_or_one = [&] {
        const ScopedTensor zero(
            unscoped::unary(function(UnaryOpType::EQZ), call.input_b, call.memory_config));
        return unscoped::where(*zero, 1.0F, *sign, call.memory_config);
    };
    const ScopedTensor signs(sign_or_one());
    const ScopedTensor infinite(unscoped::binary(
        BinaryKind::kMultiply, *signs, call.value * std::numeric_limits<float>::infinity(), options));
    const ScopedTensor by_zero(unscoped::unary(function(UnaryOpType::EQZ), call.input_c, call.memory_config));
    const ScopedTensor without_result(sum.take());
    return unscoped::where(*by_zero, *infinite, *without_result, call.memory_config);
}

}  // namespace

Tensor AddTerm::body() const {
    const auto place = [&] {
        return place_on_most_cores(memory_config, output_tensor, {input_a, input_b, input_c});
    };
    const std::array not_added{DataType::UINT16, DataType::UINT8, DataType::BFLOAT4_B};
    require(row->quotient || std::ranges::find(not_added, input_a.dtype()) == not_added.end(), [&] {
        return "Addcmul supports only BFLOAT16, BFLOAT8_B, FLOAT32, INT32, and UINT32 dtypes. Got " +
               attribute_text(input_a.dtype());
    });
    const bool mixed = input_b.dtype() != input_a.dtype() || input_c.dtype() != input_a.dtype();
    require(row->quotient || !mixed, [&] {
        return "Addcmul TTT requires all input tensors to have the same dtype. Got input_a=" +
               attribute_text(input_a.dtype()) + ", input_b=" + attribute_text(input_b.dtype()) +
               ", input_c=" + attribute_text(input_c.dtype());
    });
    if (row->quotient) {
        const std::array operands{&input_a, &input_b, &input_c};
        require(!std::ranges::all_of(operands,
                                     [](const Tensor* each) { return each->dtype() == DataType::INT32; }),
                "Addcdiv TTT does not support INT32 inputs.");
        if (std::ranges::any_of(operands, [](const Tensor* each) { return is_block_float(each->dtype()); }))
            return add_quotient_of_blocks(*this);
    }
    if (row->quotient || !is_floating_point(input_a.dtype()) || !goes_in_pairs(input_a, input_b, input_c)) {
        return ternary({row->quotient ? TernaryKind::kAddcdiv : TernaryKind::kAddcmul, value,
                        NumberOperand::kNone, place()},
                       {input_a, input_b, input_c}, output_tensor);
    }
    const BinaryOptions options{std::nullopt, memory_config};
    const auto product = [&] {
        const ScopedTensor scaled(unscoped::binary(BinaryKind::kMultiply, input_b, value, options));
        return unscoped::binary(BinaryKind::kMultiply, *scaled, input_c, options);
    };
    const ScopedTensor summand(product());
    return unscoped::binary(BinaryKind::kAdd, input_a, *summand,
                            {std::nullopt, memory_config, output_tensor});
}

Tensor SnakeBeta::body() const {
    const auto of_two_dimensions = [](const Tensor& tensor) {
        return tensor.shape().rank() < 2 ? reshape_view(tensor, tensor.shape().to_rank(2)) : tensor;
    };
    const MemoryConfig config = place_of_ternary(memory_config, std::nullopt, {input_tensor});
    // As TT-NN's compiler orders them: the last argument first.
    const Tensor denominators = of_two_dimensions(beta);
    return ternary({TernaryKind::kSnakeBeta, config}, {input_tensor, of_two_dimensions(alpha), denominators},
                   output_tensor);
}

Tensor GatedLinearUnit::body() const {
    return gated(*this, function(row->gate));
}

Tensor Geglu::body() const {
    return gated(*this, gelu_function(variant));
}

Tensor ClampedSiluGlu::body() const {
    require(!(limit <= 0.0F),
            [&] { return "clamped_silu_glu: limit: expected a positive one, got " + attribute_text(limit); });
    BinaryOptions options{std::nullopt, memory_config};
    options.left_activations = {{UnaryOpType::MINIMUM, {limit}}, {UnaryOpType::SILU, {}}};
    options.right_activations = {{UnaryOpType::CLAMP_TSS, {-limit, limit}}};
    options.sub_core_grids = sub_core_grids;
    return unscoped::binary(BinaryKind::kMultiply, gate, up, options);
}

Tensor Multigammaln::body() const {
    const BinaryOptions options{std::nullopt, memory_config};
    constexpr float kLogPiTimesThree = 3.434189657547F;
    ScopedTensor sum(unscoped::unary(function(UnaryOpType::LGAMMA), input_tensor, memory_config));
    for (const float less : {0.5F, 1.0F, 1.5F}) {
        const ScopedTensor argument(unscoped::binary(BinaryKind::kAdd, input_tensor, -less, options));
        const ScopedTensor next(unscoped::unary(function(UnaryOpType::LGAMMA), *argument, memory_config));
        sum = unscoped::binary(BinaryKind::kAdd, *sum, *next, options);
    }
    sum = unscoped::binary(BinaryKind::kAdd, *sum, kLogPiTimesThree, options);
    return sum.take();
}

}  // namespace tilemeter
