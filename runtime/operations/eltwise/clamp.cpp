// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/clamp.hpp"

#include <limits>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/work/shards_over.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;

// Between tensors, as a part of an operation.
Tensor clamp_between(const Tensor& input, const OptionalTensor& min, const OptionalTensor& max,
                     const OptionalMemoryConfig& memory_config, const OptionalTensor& output = std::nullopt) {
    MemoryConfig config = memory_config.value_or(output ? output->memory_config() : input.memory_config());
    if (input.storage_type() == StorageType::DEVICE) {
        config = with_open_shards(std::move(config), input.spec(), input.shape(),
                                  input.device().description().compute_grid);
    }
    if (min && max) {
        // Above both limits counts the upper one, even where it is the smaller.
        const ScopedTensor lower(unscoped::binary(BinaryKind::kMinimum, *min, *max, {std::nullopt, config}));
        const ScopedTensor below(unscoped::binary(BinaryKind::kMinimum, input, *max, {std::nullopt, config}));
        return unscoped::binary(BinaryKind::kMaximum, *below, *lower, {std::nullopt, config, output});
    }
    require(min || max, "clamp: min, max: expected one of them, got neither");
    const Tensor& limit = min ? *min : *max;
    const ScopedTensor within(unscoped::binary(min ? BinaryKind::kGreaterOrEqual : BinaryKind::kLessOrEqual,
                                               input, limit, {std::nullopt, config}));
    return unscoped::where(*within, input, limit, config, output);
}

// Between numbers. INT32 stays so between integers alone.
Tensor clamp_between(const Tensor& input, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
                     bool are_integers, const OptionalMemoryConfig& memory_config,
                     const OptionalTensor& output = std::nullopt) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const UnaryWithParam function{UnaryOpType::CLAMP_TSS,
                                  {min ? min->to_float() : -kInfinity, max ? max->to_float() : kInfinity}};
    if (input.dtype() != DataType::INT32 || are_integers)
        return unscoped::unary(function, input, memory_config, output);
    const ScopedTensor real(unscoped::typecast(input, DataType::FLOAT32, memory_config));
    return unscoped::unary(function, *real, memory_config, output);
}

// Before the scope of a call with numbers.
template <typename Definition>
void require_some_limit(const Definition& call) {
    require(call.min || call.max, Definition::kOperation.name,
            ": min, max: expected one of them, got neither");
}

}  // namespace

template <typename Limit>
Tensor Clamp<Limit>::call() const {
    if constexpr (std::is_same_v<Limit, Tensor>) {
        return in_operation(
            *this, [&] { return clamp_between(input_tensor, min, max, memory_config, output_tensor); });
    } else {
        require_some_limit(*this);
        return in_operation(*this, [&] {
            const bool are_integers = (min ? *min : *max).is_integral();
            require(
                !min || !max || min->is_integral() == max->is_integral(),
                "clamp: min, max: expected two integers or two real numbers, got one of each (std::get: wrong "
                "index for variant)");
            return clamp_between(input_tensor, min, max, are_integers, memory_config, output_tensor);
        });
    }
}
template struct Clamp<Scalar>;
template struct Clamp<Tensor>;

template <typename Limit>
Tensor Clip<Limit>::call() const {
    if constexpr (std::is_same_v<Limit, Tensor>) {
        return in_operation(*this, [&] { return clamp_between(input_tensor, min, max, memory_config); });
    } else {
        require_some_limit(*this);
        return in_operation(*this,
                            [&] { return clamp_between(input_tensor, min, max, false, memory_config); });
    }
}
template struct Clip<Scalar>;
template struct Clip<Tensor>;

}  // namespace tilemeter
