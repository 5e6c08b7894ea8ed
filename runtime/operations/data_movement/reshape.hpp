// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// reshape, view, unsqueeze_to_4D, unsqueeze, squeeze: the same elements, in row-major order, under other
// dimensions.
//
// They share the input's memory where no element changes its place (the last dimension stays, the rows stay
// whole tiles, the memory config stays the same kind). Else reshape moves the data: bfloat16, float32, int32,
// uint32 and, by way of bfloat16, bfloat8_b.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// The shape that `dimensions` mean for this tensor: one of them may be -1, it takes what is left.
Shape resolve_shape(const Tensor& tensor, std::span<const std::int64_t> dimensions);

struct Reshape {
    Tensor input_tensor{};
    Shape shape{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    Ignored pad_value{};
    Ignored reshape_tile_mode{};
    OptionalCores sub_core_grids{};
    bool skip_padding_fill = false;   ///< has no effect
    bool padding_may_change = false;  ///< of tiles: a padded shape was given, so that volumes may differ

    static constexpr OperationInfo kOperation{
        "reshape",
        "The same elements, in row-major order, under other dimensions; shares memory where none moves."};
    static constexpr auto kParameters =
        parameters(required<&Reshape::input_tensor, &Reshape::shape>(),
                   keyword<&Reshape::memory_config, &Reshape::pad_value, &Reshape::reshape_tile_mode>(),
                   unrecorded_keyword<&Reshape::sub_core_grids, &Reshape::skip_padding_fill>());

    /// Throws RuntimeError (unequal volumes, a dtype that can't be moved), OutOfMemoryError.
    Tensor body() const;
};

/// With the padded shape, which must be the one that follows from the layout. Tiles may be taken for padding, or padding
/// for part of the tensor, where they stay where they are.
struct ReshapeWithPadding {
    Tensor input_tensor{};
    Shape logical_shape{};
    Shape padded_shape{};
    OptionalMemoryConfig memory_config{};
    Ignored pad_value{};
    Ignored reshape_tile_mode{};
    OptionalCores sub_core_grids{};
    bool skip_padding_fill = false;  ///< has no effect

    static constexpr OperationInfo kOperation{
        "reshape",
        "padded_shape: what the layout makes of logical_shape, or anything where tiles are filled up or move."};
    static constexpr auto kParameters = parameters(
        required<&ReshapeWithPadding::input_tensor, &ReshapeWithPadding::logical_shape,
                 &ReshapeWithPadding::padded_shape>(),
        keyword<&ReshapeWithPadding::memory_config, &ReshapeWithPadding::pad_value,
                &ReshapeWithPadding::reshape_tile_mode>(),
        unrecorded_keyword<&ReshapeWithPadding::sub_core_grids, &ReshapeWithPadding::skip_padding_fill>());

    /// Throws std::invalid_argument (another padded shape), and as Reshape.
    Tensor call() const;
};

/// With numbers, of which one may be -1.
struct ReshapeByNumbers {
    Tensor input_tensor{};
    std::vector<std::int64_t> shape{};
    OptionalMemoryConfig memory_config{};
    Ignored pad_value{};
    Ignored reshape_tile_mode{};
    OptionalCores sub_core_grids{};
    bool skip_padding_fill = false;  ///< has no effect

    static constexpr OperationInfo kOperation{"reshape", "One dimension may be -1: it takes what is left."};
    static constexpr auto kParameters = parameters(
        required<&ReshapeByNumbers::input_tensor, &ReshapeByNumbers::shape>(),
        keyword<&ReshapeByNumbers::memory_config, &ReshapeByNumbers::pad_value,
                &ReshapeByNumbers::reshape_tile_mode>(),
        unrecorded_keyword<&ReshapeByNumbers::sub_core_grids, &ReshapeByNumbers::skip_padding_fill>());

    /// As Reshape.
    Tensor call() const;
};

inline constexpr Operation<Reshape> reshape;

struct View {
    Tensor input_tensor{};
    Shape shape{};

    static constexpr OperationInfo kOperation{"view", "The same for a ttnn.Shape."};
    static constexpr auto kParameters = parameters(required<&View::input_tensor, &View::shape>());

    /// Throws RuntimeError where an element would have to move.
    Tensor body() const;
};

/// With numbers, of which one may be -1.
struct ViewByNumbers {
    Tensor input_tensor{};
    std::vector<std::int64_t> shape{};

    static constexpr OperationInfo kOperation{
        "view",
        "The same memory under another shape, of which one dimension may be -1; raises RuntimeError where an "
        "element would have to move."};
    static constexpr auto kParameters =
        parameters(required<&ViewByNumbers::input_tensor, &ViewByNumbers::shape>());
    Tensor call() const { return call_operation(View{input_tensor, resolve_shape(input_tensor, shape)}); }
};

inline constexpr Operation<View> view;

namespace experimental {

struct View {
    Tensor input_tensor{};
    Shape shape{};

    static constexpr OperationInfo kOperation{"experimental::view", "The same for a ttnn.Shape."};
    static constexpr auto kParameters = parameters(required<&View::input_tensor, &View::shape>());

    /// Throws RuntimeError where an element would have to move.
    Tensor body() const;
};

/// With numbers, of which one may be -1.
struct ViewByNumbers {
    Tensor input_tensor{};
    std::vector<std::int64_t> shape{};

    static constexpr OperationInfo kOperation{
        "experimental::view",
        "The same memory under another shape, of which one dimension may be -1; raises RuntimeError where an "
        "element would have to move."};
    static constexpr auto kParameters =
        parameters(required<&ViewByNumbers::input_tensor, &ViewByNumbers::shape>());
    Tensor call() const { return call_operation(View{input_tensor, resolve_shape(input_tensor, shape)}); }
};

inline constexpr Operation<View> view;

/// With four numbers.
struct ViewInFour {
    Tensor input_tensor{};
    std::int64_t n = 0;
    std::int64_t c = 0;
    std::int64_t h = 0;
    std::int64_t w = 0;

    static constexpr OperationInfo kOperation{"experimental::view", "Four dimensions."};
    static constexpr auto kParameters = parameters(
        required<&ViewInFour::input_tensor>(), required<&ViewInFour::n>("N"), required<&ViewInFour::c>("C"),
        required<&ViewInFour::h>("H"), required<&ViewInFour::w>("W"));
    Tensor call() const { return call_operation(ViewByNumbers{input_tensor, {n, c, h, w}}); }
};

}  // namespace experimental

struct UnsqueezeTo4D {
    Tensor tensor{};

    static constexpr OperationInfo kOperation{"unsqueeze_to_4D", "Leading dimensions of 1 up to four."};
    static constexpr auto kParameters = parameters(required<&UnsqueezeTo4D::tensor>());

    /// Throws RuntimeError for more than four.
    Tensor body() const;
};

inline constexpr Operation<UnsqueezeTo4D> unsqueeze_to_4D;  // NOLINT: TT-NN's name

struct Unsqueeze {
    Tensor input_tensor{};
    std::int64_t dim = 0;  ///< -rank-1 .. rank

    static constexpr OperationInfo kOperation{"unsqueeze", "A dimension of 1 at dim."};
    static constexpr auto kParameters = parameters(required<&Unsqueeze::input_tensor, &Unsqueeze::dim>());
    Tensor body() const;
};

inline constexpr Operation<Unsqueeze> unsqueeze;

struct Squeeze {
    Tensor input_tensor{};
    std::optional<std::variant<std::int64_t, std::vector<std::int64_t>>> dim{};

    static constexpr OperationInfo kOperation{
        "squeeze",
        "Without dimension dim, or each of the dimensions dim, if it is 1; None: without all that are 1."};
    static constexpr auto kParameters =
        parameters(required<&Squeeze::input_tensor>(), optional<&Squeeze::dim>());

    std::vector<std::int64_t> dims() const;
    std::tuple<const Tensor&, std::vector<std::int64_t>> recorded() const { return {input_tensor, dims()}; }
    Tensor body() const;
};

inline constexpr Operation<Squeeze> squeeze;

namespace unscoped {
Tensor reshape(const Tensor& input, const Shape& shape,
               const OptionalMemoryConfig& memory_config = std::nullopt,
               const OptionalCores& sub_core_grids = std::nullopt);
/// To four dimensions and back; nothing happens where the rank is right already.
Tensor unsqueeze_to_4D(const Tensor& input);                    // NOLINT: TT-NN's name
Tensor squeeze_from_4D(const Tensor& input, std::size_t rank);  // NOLINT: TT-NN's name
}  // namespace unscoped

}  // namespace tilemeter
