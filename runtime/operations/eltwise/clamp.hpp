// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// clamp, clip: elements brought between limits, numbers or tensors, of which one may be missing.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <optional>
#include <tuple>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/unary.hpp"

namespace tilemeter {

struct ClampByNumbers {
    Tensor input_tensor{};
    std::optional<float> min{};
    std::optional<float> max{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"clamp", kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&ClampByNumbers::input_tensor>(), optional<&ClampByNumbers::min>(),
                   optional<&ClampByNumbers::max>(), keyword<&ClampByNumbers::memory_config>(),
                   keyword<&ClampByNumbers::output_tensor>());
    auto recorded() const {
        return std::tuple_cat(std::tie(input_tensor, min, max, memory_config, output_tensor),
                              std::tuple(OptionalCores()));
    }
    Tensor call() const;
};

struct ClampByTensors {
    Tensor input_tensor{};
    OptionalTensor min{};
    OptionalTensor max{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"clamp", "Between tensors."};
    static constexpr auto kParameters =
        parameters(required<&ClampByTensors::input_tensor>(), optional<&ClampByTensors::min>(),
                   optional<&ClampByTensors::max>(), keyword<&ClampByTensors::memory_config>(),
                   keyword<&ClampByTensors::output_tensor>());
    Tensor call() const;
};
inline constexpr Overloaded<Operation<ClampByNumbers>, Operation<ClampByTensors>> clamp;

struct ClipByNumbers {
    Tensor input_tensor{};
    std::optional<float> min{};
    std::optional<float> max{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"clip", kUnaryDocumentation};
    static constexpr auto kParameters =
        parameters(required<&ClipByNumbers::input_tensor>(), optional<&ClipByNumbers::min>(),
                   optional<&ClipByNumbers::max>(), keyword<&ClipByNumbers::memory_config>());
    auto recorded() const {
        return std::tuple_cat(std::tie(input_tensor, min, max, memory_config),
                              std::tuple(OptionalTensor(), OptionalCores()));
    }
    Tensor call() const;
};

struct ClipByTensors {
    Tensor input_tensor{};
    OptionalTensor min{};
    OptionalTensor max{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"clip", "Between tensors."};
    static constexpr auto kParameters =
        parameters(required<&ClipByTensors::input_tensor>(), optional<&ClipByTensors::min>(),
                   optional<&ClipByTensors::max>(), keyword<&ClipByTensors::memory_config>());
    Tensor call() const;
};
inline constexpr Overloaded<Operation<ClipByNumbers>, Operation<ClipByTensors>> clip;

}  // namespace tilemeter
