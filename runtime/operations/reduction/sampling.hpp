// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// sampling, manual_seed: tokens drawn from the most probable ones.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <variant>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// One element of each of up to 32 rows, drawn at random with the probabilities that softmax gives the values times
/// `temp`: from the k most probable, and of those from the first that come to the probability p.
struct Sampling {
    Tensor input_values_tensor{};   ///< [1, 1, users, W], BFLOAT16, TILE; W / 32 a power of 2
    Tensor input_indices_tensor{};  ///< of that shape, UINT32 or INT32, ROW_MAJOR: the result for an element
    Tensor k{};                     ///< users, UINT32 or INT32, ROW_MAJOR
    Tensor p{};                     ///< users, BFLOAT16, ROW_MAJOR
    Tensor temp{};                  ///< 1/T: as p
    std::optional<std::uint32_t> seed{};  ///< 0 and none: another one each time
    OptionalCores sub_core_grids{};       ///< a core for each user, or more
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{
        "sampling",
        "One index of each of up to 32 rows, drawn with the probabilities softmax(values * temp): from the k most "
        "probable, of those from as many as come to p. values: [1, 1, N, W], bfloat16, TILE; indices: "
        "uint32 or int32, ROW_MAJOR; k, p, temp (1/T): N each. Result: [1, 1, 1, N], uint32. seed 0 or "
        "None: another one each time."};
    static constexpr auto kParameters =
        parameters(required<&Sampling::input_values_tensor, &Sampling::input_indices_tensor, &Sampling::k,
                            &Sampling::p, &Sampling::temp>(),
                   keyword<&Sampling::seed>(), unrecorded_keyword<&Sampling::sub_core_grids>(),
                   unrecorded_keyword<&Sampling::output_tensor>().output());

    /// [1, 1, 1, users], ROW_MAJOR, UINT32. Throws RuntimeError, OutOfMemoryError.
    Tensor body() const;
};

using SeedOrTensor = std::variant<std::uint32_t, Tensor>;

/// A program for the device's generators; values drawn on the host take their seed from each call.
struct ManualSeed {
    SeedOrTensor seeds = 0U;
    std::shared_ptr<Device> device{};  ///< needed for a number
    std::optional<SeedOrTensor> user_ids{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "manual_seed",
        "The program that seeds the device's generators; values drawn here take their seed from each call."};
    static constexpr auto kParameters =
        parameters(optional<&ManualSeed::seeds>(),
                   keyword<&ManualSeed::device, &ManualSeed::user_ids, &ManualSeed::sub_core_grids>());

    /// The numbers given for seed and user.
    auto recorded() const {
        const std::uint32_t* const user = user_ids ? std::get_if<std::uint32_t>(&*user_ids) : nullptr;
        const auto number = [](const std::uint32_t* value) {
            return value != nullptr ? std::optional(*value) : std::nullopt;
        };
        return std::tuple(number(std::get_if<std::uint32_t>(&seeds)), number(user));
    }

    /// [1], UINT32, without meaning. Throws RuntimeError.
    Tensor body() const;
};

inline constexpr Operation<Sampling> sampling;
inline constexpr Operation<ManualSeed> manual_seed;

}  // namespace tilemeter
