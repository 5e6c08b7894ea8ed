// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// pad: a tensor with a constant around it.
//
// Any shape, dtype and layout. TILE: padding behind the values only; where the input does not fill its tiles
// it goes by way of rows.

#pragma once

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

/// Elements before and behind, per dimension; fewer pairs than dimensions: of the last ones.
using Padding = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Pad {
    Tensor input_tensor{};
    Padding padding{};
    float value = 0.0F;
    bool use_multicore = true;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "pad",
        "padding: (before, after) of each dimension. On the host: padding that is no part of the shape."};
    static constexpr auto kParameters =
        parameters(required<&Pad::input_tensor, &Pad::padding>(), optional<&Pad::value>(),
                   keyword<&Pad::use_multicore, &Pad::memory_config, &Pad::sub_core_grids>());

    /// The padding before the input in each dimension, not the whole padding.
    std::tuple<const Tensor&, Shape, const float&, const OptionalMemoryConfig&> recorded() const;

    /// Throws RuntimeError (more pairs than dimensions, padding in front of tiles; on the host, before the
    /// values or of other dimensions than the last two), OutOfMemoryError.
    Tensor body() const;
};

/// The same said by the shape of the result and where in it the input begins.
struct PadToShape {
    Tensor input_tensor{};
    Shape output_padded_shape{};
    Shape input_tensor_start{};
    float value = 0.0F;
    bool use_multicore = true;
    OptionalMemoryConfig memory_config{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "pad", "To output_padded_shape, in which the input begins at input_tensor_start."};
    static constexpr auto kParameters = parameters(
        required<&PadToShape::input_tensor, &PadToShape::output_padded_shape, &PadToShape::input_tensor_start,
                 &PadToShape::value>(),
        keyword<&PadToShape::use_multicore, &PadToShape::memory_config, &PadToShape::sub_core_grids>());
    Tensor call() const;
};

inline constexpr Overloaded<Operation<Pad>, Operation<PadToShape>> pad;

namespace unscoped {
Tensor pad(const Tensor& input, const Padding& padding, float value = 0.0F,
           const OptionalMemoryConfig& memory_config = std::nullopt, const CoreChoice& cores = {});
/// More of one value behind those there are, as part of another operation: without a scope of its own.
/// REQUIRES: rank 4; TILE: the input fills its tiles, or its padding holds that value.
Tensor pad_behind(const Tensor& input, const Shape& shape, float value = 0.0F);
/// A tensor on the host with padding up to these rows and columns, "Tensor::pad", unless it has them: its shape
/// stays, and so do its values. Tiles stay as they are.
Tensor pad_on_host(const Tensor& input, std::uint32_t rows, std::uint32_t columns);
/// Zeros around the values. REQUIRES: rank 4, ROW_MAJOR.
Tensor pad_around(const Tensor& input, const Padding& padding);
}  // namespace unscoped

}  // namespace tilemeter
