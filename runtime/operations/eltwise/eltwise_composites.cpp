// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/eltwise_composites.hpp"

#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/shards_of_operand.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/internal/ternary_operation.hpp"
#include "runtime/operations/eltwise/where.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;
using TensorOrFloat = std::variant<Tensor, float>;

UnaryWithParam function(UnaryOpType type) {
    return {type, {}};
}

UnaryOpType rounding(const std::string& mode) {
    if (mode == "floor") return UnaryOpType::FLOOR;
    if (mode == "trunc") return UnaryOpType::TRUNC;
    throw RuntimeError("div: rounding_mode: expected floor, trunc or none, got " + mode);
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
    return output ? launch_into(operation, std::move(inputs), *output) : launch(operation, std::move(inputs));
}

// Three operands need a program of two at a time: integers, and blocks that are repeated.
bool goes_in_pairs(const Tensor& a, const Tensor& b, const Tensor& c) {
    if (!is_floating_point(a.dtype())) return true;
    return is_block_float(a.dtype()) && (a.shape() != b.shape() || a.shape() != c.shape());
}

MemoryConfig place(const OptionalMemoryConfig& memory_config, const OptionalTensor& output, const Tensor& a) {
    return with_shards_of(memory_config.value_or(output ? output->memory_config() : a.memory_config()),
                          a.memory_config());
}

Tensor with_value(const OperationName& name, TernaryKind kind, const Tensor& a, const Tensor& b,
                  const Tensor& c, float value, const OptionalMemoryConfig& memory_config,
                  const OptionalTensor& output) {
    return in_operation(name, std::tie(a, b, c, value, memory_config, output), [&] {
        return ternary({kind, value, NumberOperand::kNone, place(memory_config, output, a)}, {a, b, c},
                       output);
    });
}

Tensor gated(const OperationName& name, const UnaryWithParam& gate, const Tensor& input, int dim,
             const OptionalMemoryConfig& memory_config) {
    return in_operation(name, std::tie(input, dim, memory_config), [&] {
        const Shape& shape = input.shape();
        if (shape.position(dim) + 1 != shape.rank()) {
            throw RuntimeError("glu-family ops only support the last dimension, got dim=" +
                               std::to_string(dim));
        }
        const std::uint32_t half = shape[-1] / 2;
        std::vector<std::uint32_t> begin(shape.rank(), 0);
        std::vector<std::uint32_t> end(shape.dimensions().begin(), shape.dimensions().end());
        end.back() = half;
        Tensor first = unscoped::slice(input, begin, end, memory_config);
        begin.back() = half;
        end.back() = 2 * half;
        // Given back in the order in which they were made.
        const ScopedTensor gates(unscoped::slice(input, begin, end, memory_config));
        const ScopedTensor values(std::move(first));
        const ScopedTensor opened(unscoped::unary(gate, *gates, memory_config));
        return unscoped::binary(BinaryKind::kMultiply, *values, *opened, {std::nullopt, memory_config});
    });
}

const OperationName kDivName("div");
const OperationName kFloorDivName("floor_div");
const OperationName kDivNoNanName("div_no_nan");

}  // namespace

#define TILEMETER_DEFINE_DIV(Left, Right)                                                                 \
    Tensor div(Left a, Right b, bool fast_and_approximate_mode,                                           \
               const std::optional<std::string>& rounding_mode, const OptionalDataType& dtype,            \
               const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,            \
               const Activations& activations, const Activations& input_tensor_a_activations,             \
               const Activations& input_tensor_b_activations, const OptionalCores& sub_core_grids) {      \
        return in_operation(                                                                              \
            kDivName, std::tie(a, b, rounding_mode, dtype, memory_config, output_tensor, sub_core_grids), \
            [&] {                                                                                         \
                return divided(a, b, rounding_mode,                                                       \
                               {dtype,                                                                    \
                                memory_config,                                                            \
                                output_tensor,                                                            \
                                activations,                                                              \
                                input_tensor_a_activations,                                               \
                                input_tensor_b_activations,                                               \
                                {},                                                                       \
                                fast_and_approximate_mode,                                                \
                                sub_core_grids});                                                         \
            });                                                                                           \
    }
TILEMETER_DEFINE_DIV(const Tensor&, const Tensor&)
TILEMETER_DEFINE_DIV(const Tensor&, Scalar)
TILEMETER_DEFINE_DIV(Scalar, const Tensor&)
#undef TILEMETER_DEFINE_DIV

Tensor floor_div(const Tensor& a, const Tensor& b, const OptionalMemoryConfig& memory_config) {
    return in_operation(kFloorDivName, std::tie(a, b, memory_config), [&] {
        const MemoryConfig config = memory_config.value_or(a.memory_config());
        const BinaryOptions options{std::nullopt, config};
        const ScopedTensor quotient(unscoped::binary(BinaryKind::kDivide, a, b, options));
        const ScopedTensor rounded(divided(a, b, "floor", options));
        const ScopedTensor infinite(unscoped::unary(function(UnaryOpType::ISINF), *quotient, config));
        return unscoped::where(*infinite, *quotient, *rounded, config);
    });
}

Tensor floor_div(const Tensor& a, Scalar value, const OptionalMemoryConfig& memory_config) {
    return in_operation(kFloorDivName, std::tie(a, value, memory_config), [&] {
        const ScopedTensor quotient(unscoped::binary(BinaryKind::kMultiply, a, 1.0F / value.to_float(),
                                                     {std::nullopt, memory_config}));
        return unscoped::unary(function(UnaryOpType::FLOOR), *quotient, memory_config);
    });
}

Tensor div_no_nan(const Tensor& a, const Tensor& b, const OptionalMemoryConfig& memory_config) {
    return in_operation(kDivNoNanName, std::tie(a, b, memory_config), [&] {
        const MemoryConfig config = memory_config.value_or(a.memory_config());
        const ScopedTensor quotient(unscoped::binary(BinaryKind::kDivide, a, b, {std::nullopt, config}));
        const ScopedTensor zero(unscoped::unary(function(UnaryOpType::EQZ), b, memory_config));
        if (zero->dtype() == quotient->dtype()) {
            return unscoped::where(*zero, 0.0F, *quotient, config);
        }
        const ScopedTensor like_quotient(unscoped::typecast(*zero, quotient->dtype()));
        return unscoped::where(*like_quotient, 0.0F, *quotient, config);
    });
}

Tensor div_no_nan(const Tensor& a, Scalar value, const OptionalMemoryConfig& memory_config) {
    return in_operation(kDivNoNanName, std::tie(a, value, memory_config), [&] {
        const float factor = value.value() == 0.0 ? 0.0F : 1.0F / value.to_float();
        return unscoped::binary(BinaryKind::kMultiply, a, factor, {std::nullopt, memory_config});
    });
}

Tensor isclose(const Tensor& a, const Tensor& b, float rtol, float atol, bool equal_nan,
               const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("isclose");
    return in_operation(kName, std::tie(a, b, rtol, atol, equal_nan, memory_config), [&] {
        BinaryOptions options{std::nullopt, memory_config};
        options.parameters = {rtol, atol, equal_nan};
        if (a.dtype() == DataType::INT32 && b.dtype() == DataType::INT32) {
            const ScopedTensor left(unscoped::typecast(a, DataType::FLOAT32));
            const ScopedTensor right(unscoped::typecast(b, DataType::FLOAT32));
            return unscoped::binary(BinaryKind::kIsClose, *left, *right, options);
        }
        return unscoped::binary(BinaryKind::kIsClose, a, b, options);
    });
}

Tensor addalpha(const Tensor& a, const Tensor& b, float alpha, const OptionalMemoryConfig& memory_config,
                const OptionalTensor& output_tensor) {
    static const OperationName kName("addalpha");
    return in_operation(kName, std::tie(a, b, alpha, memory_config, output_tensor), [&] {
        return unscoped::binary(
            BinaryKind::kAdd, a, b,
            {std::nullopt, memory_config, output_tensor, {}, {}, {{UnaryOpType::MUL_UNARY_SFPU, {alpha}}}});
    });
}

Tensor subalpha(const Tensor& a, const Tensor& b, float alpha, const OptionalMemoryConfig& memory_config,
                const OptionalTensor& output_tensor) {
    static const OperationName kName("subalpha");
    return in_operation(kName, std::tie(a, b, alpha, memory_config, output_tensor), [&] {
        return unscoped::binary(
            BinaryKind::kSubtract, a, b,
            {std::nullopt, memory_config, output_tensor, {}, {}, {{UnaryOpType::MUL_UNARY_SFPU, {alpha}}}});
    });
}

Tensor polyval(const Tensor& input, const std::vector<float>& coefficients,
               const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("polyval");
    return in_operation(kName, std::tie(input, coefficients, memory_config), [&] {
        if (coefficients.empty()) throw RuntimeError("polyval: coeffs: expected at least one, got none");
        const BinaryOptions options{std::nullopt, memory_config};
        const std::size_t last = coefficients.size() - 1;
        if (last == 0) return unscoped::unary({UnaryOpType::FILL, {coefficients[0]}}, input, memory_config);
        ScopedTensor sum(unscoped::binary(BinaryKind::kMultiply, input, coefficients[0], options));
        for (std::size_t i = 1; i < last; ++i) {
            sum = unscoped::binary(BinaryKind::kAdd, *sum, coefficients[i], options);
            sum = unscoped::binary(BinaryKind::kMultiply, *sum, input, options);
        }
        return unscoped::binary(BinaryKind::kAdd, *sum, coefficients[last], options);
    });
}

Tensor lerp(const Tensor& input, const Tensor& end, const TensorOrFloat& weight,
            const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("lerp");
    const MemoryConfig config = place(memory_config, output_tensor, input);
    if (const Tensor* tensor = std::get_if<Tensor>(&weight)) {
        return in_operation(kName, std::tie(input, end, *tensor, memory_config, output_tensor), [&] {
            if (goes_in_pairs(input, end, *tensor) && input.dtype() != DataType::UINT16) {
                const BinaryOptions options{std::nullopt, config};
                const auto weighted = [&] {
                    const ScopedTensor difference(
                        unscoped::binary(BinaryKind::kSubtract, end, input, options));
                    return unscoped::binary(BinaryKind::kMultiply, *difference, *tensor, options);
                };
                const ScopedTensor step(weighted());
                return unscoped::binary(BinaryKind::kAdd, input, *step,
                                        {std::nullopt, config, output_tensor});
            }
            return ternary({TernaryKind::kLerp, config}, {input, end, *tensor}, output_tensor);
        });
    }
    const float number = std::get<float>(weight);
    return in_operation(kName, std::tie(input, end, number, memory_config, output_tensor), [&] {
        return ternary({TernaryKind::kLerp, number, NumberOperand::kThird, config}, {input, end},
                       output_tensor);
    });
}

Tensor mac(const Tensor& a, const TensorOrFloat& b, const TensorOrFloat& c,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor,
           const OptionalCores& sub_core_grids) {
    static const OperationName kName("mac");
    const MemoryConfig config = place(memory_config, output_tensor, a);
    const auto tensor_of = [](const TensorOrFloat& operand) {
        const Tensor* tensor = std::get_if<Tensor>(&operand);
        return tensor != nullptr ? OptionalTensor(*tensor) : std::nullopt;
    };
    const OptionalTensor factor = tensor_of(b), summand = tensor_of(c);
    const float second = factor ? 0.0F : std::get<float>(b);
    const float third = summand ? 0.0F : std::get<float>(c);
    return in_operation(
        kName, std::tie(a, factor, second, summand, third, memory_config, output_tensor, sub_core_grids),
        [&] {
            if (factor && summand && goes_in_pairs(a, *factor, *summand)) {
                const ScopedTensor product(
                    unscoped::binary(BinaryKind::kMultiply, a, *factor, {std::nullopt, config}));
                return unscoped::binary(BinaryKind::kAdd, *product, *summand,
                                        {std::nullopt, config, output_tensor});
            }
            if (factor && summand)
                return ternary(TernaryDeviceOperation(TernaryKind::kMac, config).on(sub_core_grids),
                               {a, *factor, *summand}, output_tensor);
            if (factor) {
                return ternary({TernaryKind::kMac, third, NumberOperand::kThird, config}, {a, *factor},
                               output_tensor);
            }
            if (summand) {
                return ternary({TernaryKind::kMac, second, NumberOperand::kSecond, config}, {a, *summand},
                               output_tensor);
            }
            return unscoped::unary({UnaryOpType::MAC_TSS, {second, third}}, a, memory_config, output_tensor,
                                   sub_core_grids);
        });
}

Tensor addcmul(const Tensor& a, const Tensor& b, const Tensor& c, float value,
               const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("addcmul");
    if (is_floating_point(a.dtype()) && goes_in_pairs(a, b, c)) {
        return in_operation(kName, std::tie(a, b, c, value, memory_config, output_tensor), [&] {
            const BinaryOptions options{std::nullopt, place(memory_config, output_tensor, a)};
            const auto product = [&] {
                const ScopedTensor scaled(unscoped::binary(BinaryKind::kMultiply, b, value, options));
                return unscoped::binary(BinaryKind::kMultiply, *scaled, c, options);
            };
            const ScopedTensor summand(product());
            return unscoped::binary(BinaryKind::kAdd, a, *summand,
                                    {std::nullopt, options.memory_config, output_tensor});
        });
    }
    return with_value(kName, TernaryKind::kAddcmul, a, b, c, value, memory_config, output_tensor);
}

Tensor addcdiv(const Tensor& a, const Tensor& b, const Tensor& c, float value,
               const OptionalMemoryConfig& memory_config, const OptionalTensor& output_tensor) {
    static const OperationName kName("addcdiv");
    return with_value(kName, TernaryKind::kAddcdiv, a, b, c, value, memory_config, output_tensor);
}

Tensor glu(const Tensor& input, int dim, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("glu");
    return gated(kName, function(UnaryOpType::SIGMOID), input, dim, memory_config);
}

Tensor reglu(const Tensor& input, int dim, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("reglu");
    return gated(kName, function(UnaryOpType::RELU), input, dim, memory_config);
}

Tensor geglu(const Tensor& input, int dim, const OptionalMemoryConfig& memory_config, GeluVariant variant) {
    static const OperationName kName("geglu");
    return gated(kName, gelu_function(variant), input, dim, memory_config);
}

Tensor swiglu(const Tensor& input, int dim, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("swiglu");
    return gated(kName, function(UnaryOpType::SILU), input, dim, memory_config);
}

Tensor clamped_silu_glu(const Tensor& gate, const Tensor& up, float limit,
                        const OptionalMemoryConfig& memory_config, const OptionalCores& sub_core_grids) {
    static const OperationName kName("clamped_silu_glu");
    return in_operation(kName, std::tie(gate, up, limit, memory_config, sub_core_grids), [&] {
        if (limit <= 0.0F)
            throw RuntimeError("clamped_silu_glu: limit: expected a positive one, got " +
                               attribute_text(limit));
        BinaryOptions options{std::nullopt, memory_config};
        options.left_activations = {{UnaryOpType::MINIMUM, {limit}}, {UnaryOpType::SILU, {}}};
        options.right_activations = {{UnaryOpType::CLAMP_TSS, {-limit, limit}}};
        options.sub_core_grids = sub_core_grids;
        return unscoped::binary(BinaryKind::kMultiply, gate, up, options);
    });
}

Tensor multigammaln(const Tensor& input, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("multigammaln");
    return in_operation(kName, std::tie(input, memory_config), [&] {
        const BinaryOptions options{std::nullopt, memory_config};
        constexpr float kLogPiTimesThree = 3.434189657547F;
        ScopedTensor sum(unscoped::unary(function(UnaryOpType::LGAMMA), input, memory_config));
        for (const float less : {0.5F, 1.0F, 1.5F}) {
            const ScopedTensor argument(unscoped::binary(BinaryKind::kAdd, input, -less, options));
            const ScopedTensor next(unscoped::unary(function(UnaryOpType::LGAMMA), *argument, memory_config));
            sum = unscoped::binary(BinaryKind::kAdd, *sum, *next, options);
        }
        sum = unscoped::binary(BinaryKind::kAdd, *sum, kLogPiTimesThree, options);
        return sum.take();
    });
}

}  // namespace tilemeter
