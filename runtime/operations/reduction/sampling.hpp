// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tokens drawn from the most probable ones.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// Of each of 32 rows one element, drawn at random with the probabilities that softmax gives the values times
/// `temp` (1/T): from the k most probable, and of those from as many as come to the probability p.
/// input_values_tensor: [1, 1, 32, W], BFLOAT16, TILE; input_indices_tensor of that shape, UINT32 or INT32,
/// ROW_MAJOR: what is given for an element. k, p, temp: 32 each, ROW_MAJOR. sub_core_grids: 32 cores. Result:
/// [1, 1, 1, 32], ROW_MAJOR, UINT32. seed: 0 and none: another one each time. Throws RuntimeError,
/// OutOfMemoryError.
Tensor sampling(const Tensor& input_values_tensor, const Tensor& input_indices_tensor, const Tensor& k,
                const Tensor& p, const Tensor& temp, const std::optional<std::uint32_t>& seed = std::nullopt,
                const OptionalCores& sub_core_grids = std::nullopt,
                const OptionalTensor& output_tensor = std::nullopt);

using SeedOrTensor = std::variant<std::uint32_t, Tensor>;

/// As a program for the device's generators; the host's take their seed from each call. A number needs the
/// device. Result: [1], UINT32, without meaning. Throws RuntimeError.
Tensor manual_seed(const SeedOrTensor& seeds, const std::shared_ptr<Device>& device,
                   const std::optional<SeedOrTensor>& user_ids = std::nullopt,
                   const OptionalCores& sub_core_grids = std::nullopt);

}  // namespace tilemeter
