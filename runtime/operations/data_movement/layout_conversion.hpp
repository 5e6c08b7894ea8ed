// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// to_layout, tilize, untilize and their like: the same values in tiles or in rows.
//
// Any shape. To TILE: bfloat16, float32, uint32, int32, uint16, and bfloat8_b as dtype of the result; rows and
// columns are padded to whole tiles. To ROW_MAJOR: the same and bfloat8_b, which becomes bfloat16; the padding
// goes. Programs run on all cores, on the first alone (use_multicore false), or on those of sub_core_grids.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

/// The input itself where it has that layout already.
struct ToLayout {
    Tensor tensor{};
    Layout layout = Layout::ROW_MAJOR;
    OptionalDataType dtype{};              ///< none: that of the input
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalCores sub_core_grids{};
    float pad_value = 0.0F;  ///< of rows and columns up to whole tiles

    static constexpr OperationInfo kOperation{
        "to_layout", "In tiles or in rows; pad_value fills up to whole tiles.", "identity"};
    static constexpr auto kParameters =
        parameters(required<&ToLayout::tensor, &ToLayout::layout>(),
                   optional<&ToLayout::dtype, &ToLayout::memory_config>(),
                   optional<&ToLayout::sub_core_grids, &ToLayout::pad_value>().unrecorded());
    Tensor body() const;
};

inline constexpr Operation<ToLayout> to_layout;

/// Height and width of the input are whole tiles.
struct Tilize {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalDataType dtype{};              ///< none: that of the input
    bool use_multicore = true;
    bool use_low_perf = false;  ///< one core, a tile at a time
    NotModelled tile{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "tilize",
        "From rows to tiles; height and width are multiples of 32. use_low_perf: by one core, a tile at a "
        "time, for L1 that is full.",
        "identity"};
    static constexpr auto kParameters =
        parameters(required<&Tilize::input_tensor>(), keyword<&Tilize::memory_config, &Tilize::dtype>(),
                   unrecorded_keyword<&Tilize::use_multicore, &Tilize::use_low_perf>(),
                   keyword<&Tilize::tile>(), unrecorded_keyword<&Tilize::sub_core_grids>());
    Tensor call() const;
};

inline constexpr Operation<Tilize> tilize;

/// The logical elements may be fewer than output_tensor_shape, which is whole tiles.
struct TilizeWithValPadding {
    Tensor input_tensor{};
    Shape output_tensor_shape{};
    float pad_value = 0.0F;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalDataType dtype{};              ///< none: that of the input
    bool use_multicore = true;
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "tilize_with_val_padding",
        "From rows to tiles, filled up with pad_value to output_tensor_shape, which is whole tiles."};
    static constexpr auto kParameters = parameters(
        required<&TilizeWithValPadding::input_tensor, &TilizeWithValPadding::output_tensor_shape,
                 &TilizeWithValPadding::pad_value>(),
        keyword<&TilizeWithValPadding::memory_config, &TilizeWithValPadding::dtype>(),
        unrecorded_keyword<&TilizeWithValPadding::use_multicore, &TilizeWithValPadding::sub_core_grids>());
    Tensor body() const;
};

inline constexpr Operation<TilizeWithValPadding> tilize_with_val_padding;

struct TilizeWithZeroPadding {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalDataType output_dtype{};       ///< none: that of the input
    bool use_multicore = true;
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"tilize_with_zero_padding",
                                              "From rows to tiles, filled up with zeros to whole tiles."};
    static constexpr auto kParameters = parameters(
        required<&TilizeWithZeroPadding::input_tensor>(),
        keyword<&TilizeWithZeroPadding::memory_config, &TilizeWithZeroPadding::output_dtype>(),
        unrecorded_keyword<&TilizeWithZeroPadding::use_multicore, &TilizeWithZeroPadding::sub_core_grids>());
    Tensor body() const;
};

inline constexpr Operation<TilizeWithZeroPadding> tilize_with_zero_padding;

struct Untilize {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    bool use_multicore = true;
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"untilize", "From tiles to rows.", "identity"};
    static constexpr auto kParameters =
        parameters(required<&Untilize::input_tensor>(), keyword<&Untilize::memory_config>(),
                   unrecorded_keyword<&Untilize::use_multicore, &Untilize::sub_core_grids>());
    Tensor body() const;
};

inline constexpr Operation<Untilize> untilize;

struct UntilizeWithUnpadding {
    Tensor input_tensor{};
    Shape output_tensor_end{};             ///< with a part of the padding, as zeros, if it lies there
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    bool use_multicore = true;
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "untilize_with_unpadding", "From tiles to rows, up to the element output_tensor_end, inclusive."};
    static constexpr auto kParameters = parameters(
        required<&UntilizeWithUnpadding::input_tensor, &UntilizeWithUnpadding::output_tensor_end>(),
        keyword<&UntilizeWithUnpadding::memory_config>(),
        unrecorded_keyword<&UntilizeWithUnpadding::use_multicore, &UntilizeWithUnpadding::sub_core_grids>());
    Tensor body() const;
};

inline constexpr Operation<UntilizeWithUnpadding> untilize_with_unpadding;

namespace unscoped {
Tensor to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype = std::nullopt,
                 const OptionalMemoryConfig& memory_config = std::nullopt,
                 const OptionalCores& sub_core_grids = std::nullopt, float pad_value = 0);
/// On the host, with TT-NN's steps around it where tiles are not filled. REQUIRES: another layout than it has.
Tensor host_to_layout(const Tensor& input, Layout layout, const OptionalDataType& dtype = std::nullopt);
Tensor untilize(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
                const CoreChoice& cores = {});
/// Up to whole tiles.
Tensor tilize_with_val_padding(const Tensor& input, float pad_value,
                               const OptionalMemoryConfig& memory_config = std::nullopt,
                               const OptionalDataType& dtype = std::nullopt, const CoreChoice& cores = {});
/// The logical elements.
Tensor untilize_with_unpadding(const Tensor& input, const OptionalMemoryConfig& memory_config = std::nullopt,
                               const CoreChoice& cores = {});
}  // namespace unscoped

}  // namespace tilemeter
