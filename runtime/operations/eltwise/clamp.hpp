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
    static constexpr auto kParameters = parameters(
        required("input_tensor", &ClampByNumbers::input_tensor), optional("min", &ClampByNumbers::min),
        optional("max", &ClampByNumbers::max), keyword("memory_config", &ClampByNumbers::memory_config),
        keyword("output_tensor", &ClampByNumbers::output_tensor));
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
    static constexpr auto kParameters = parameters(
        required("input_tensor", &ClampByTensors::input_tensor), optional("min", &ClampByTensors::min),
        optional("max", &ClampByTensors::max), keyword("memory_config", &ClampByTensors::memory_config),
        keyword("output_tensor", &ClampByTensors::output_tensor));
    Tensor call() const;
};
inline constexpr Overloaded<Operation<ClampByNumbers>, Operation<ClampByTensors>> clamp;

struct ClipByNumbers {
    Tensor input_tensor{};
    std::optional<float> min{};
    std::optional<float> max{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"clip", kUnaryDocumentation};
    static constexpr auto kParameters = parameters(
        required("input_tensor", &ClipByNumbers::input_tensor), optional("min", &ClipByNumbers::min),
        optional("max", &ClipByNumbers::max), keyword("memory_config", &ClipByNumbers::memory_config));
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
    static constexpr auto kParameters = parameters(
        required("input_tensor", &ClipByTensors::input_tensor), optional("min", &ClipByTensors::min),
        optional("max", &ClipByTensors::max), keyword("memory_config", &ClipByTensors::memory_config));
    Tensor call() const;
};
inline constexpr Overloaded<Operation<ClipByNumbers>, Operation<ClipByTensors>> clip;

}  // namespace tilemeter
