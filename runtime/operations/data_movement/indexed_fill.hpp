// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// indexed_fill: slices of a tensor replaced by those of another. fill_rm, fill_ones_rm: images with one value
// in a corner and another elsewhere.

#pragma once

#include <cstdint>
#include <tuple>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct IndexedFill {
    Tensor batch_id{};  ///< [1, 1, 1, B], UINT32, ROW_MAJOR
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    OptionalMemoryConfig memory_config{};  ///< none: that of input_tensor_a
    std::int64_t dim = 0;                  ///< other than 0: ROW_MAJOR

    static constexpr OperationInfo kOperation{
        "indexed_fill",
        "a with slice batch_id[i] along dim replaced by slice i of b. batch_id: uint32, ROW_MAJOR; dim other "
        "than 0: ROW_MAJOR."};
    static constexpr auto kParameters = parameters(
        required<&IndexedFill::batch_id, &IndexedFill::input_tensor_a, &IndexedFill::input_tensor_b>(),
        keyword<&IndexedFill::memory_config, &IndexedFill::dim>());
    Tensor body() const;
};

inline constexpr Operation<IndexedFill> indexed_fill;

struct FillRm {
    std::uint32_t n = 0;
    std::uint32_t c = 0;
    std::uint32_t h = 0;
    std::uint32_t w = 0;
    std::uint32_t h_ones = 0;
    std::uint32_t w_ones = 0;
    Tensor any{};  ///< on the device
    float val_hi = 1.0F;
    float val_lo = 0.0F;
    OptionalMemoryConfig memory_config{};  ///< none: that of `any`

    static constexpr OperationInfo kOperation{
        "fill_rm",
        "[N, C, H, W] of bfloat16, ROW_MAJOR: val_hi in the first hOnes rows and wOnes columns, else val_lo. "
        "any: a tensor on the device."};
    static constexpr auto kParameters = parameters(
        required<&FillRm::n>("N"), required<&FillRm::c>("C"), required<&FillRm::h>("H"),
        required<&FillRm::w>("W"), required<&FillRm::h_ones>("hOnes"), required<&FillRm::w_ones>("wOnes"),
        required<&FillRm::any, &FillRm::val_hi, &FillRm::val_lo>(), keyword<&FillRm::memory_config>());

    std::tuple<Shape, const Tensor&, const OptionalMemoryConfig&> recorded() const;
    Tensor body() const;
};

inline constexpr Operation<FillRm> fill_rm;

struct FillOnesRm {
    std::uint32_t n = 0;
    std::uint32_t c = 0;
    std::uint32_t h = 0;
    std::uint32_t w = 0;
    std::uint32_t h_ones = 0;
    std::uint32_t w_ones = 0;
    Tensor any{};                          ///< on the device
    OptionalMemoryConfig memory_config{};  ///< none: that of `any`

    static constexpr OperationInfo kOperation{"fill_ones_rm", "fill_rm of ones in zeros."};
    static constexpr auto kParameters =
        parameters(required<&FillOnesRm::n>("N"), required<&FillOnesRm::c>("C"),
                   required<&FillOnesRm::h>("H"), required<&FillOnesRm::w>("W"),
                   required<&FillOnesRm::h_ones>("hOnes"), required<&FillOnesRm::w_ones>("wOnes"),
                   required<&FillOnesRm::any>(), keyword<&FillOnesRm::memory_config>());

    std::tuple<Shape, const Tensor&, const OptionalMemoryConfig&> recorded() const;
    Tensor body() const;
};

inline constexpr Operation<FillOnesRm> fill_ones_rm;

}  // namespace tilemeter
