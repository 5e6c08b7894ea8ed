// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/fold.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape_on_device.hpp"
#include "runtime/operations/data_movement/sharding_operations.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/sliding_window/internal/fold_operation.hpp"
#include "runtime/operations/sliding_window/parallelization.hpp"

namespace tilemeter {

namespace {

Padding sides_of(const Fold::FoldPadding& padding) {
    std::array<std::uint32_t, 6> sides{};
    if (const auto* both = std::get_if<std::array<std::uint32_t, 2>>(&padding)) {
        sides = {(*both)[0], (*both)[0], (*both)[1], (*both)[1]};
    } else if (const auto* four = std::get_if<std::array<std::uint32_t, 4>>(&padding)) {
        std::copy(four->begin(), four->end(), sides.begin());
    } else {
        sides = std::get<std::array<std::uint32_t, 6>>(padding);
    }
    return {{0, 0}, {sides[0], sides[1]}, {sides[2], sides[3]}, {sides[4], sides[5]}};
}

MemoryConfig height_shards(const Shape& shape, const CoreRangeSet& cores, ShardOrientation orientation) {
    const auto rows = static_cast<std::uint32_t>(ceil_div(shape.volume() / shape[-1], cores.num_cores()));
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{cores, {rows, shape[-1]}, orientation}};
}

std::uint32_t whole_tiles(std::uint32_t size) {
    return static_cast<std::uint32_t>(round_up(size, kTileHeight));
}

// With zeros around it: `begin` in front, and behind up to `shape`.
Tensor placed(const Tensor& tensor, const Shape& begin, const Shape& shape, const MemoryConfig& config,
              const CoreChoice& cores) {
    Padding padding;
    for (std::int64_t axis = 0; axis < 4; ++axis) {
        const std::uint64_t used = std::uint64_t{begin[axis]} + tensor.shape()[axis];
        require(used <= shape[axis], "Output size cannot fit input with offset");
        padding.emplace_back(begin[axis], static_cast<std::uint32_t>(shape[axis] - used));
    }
    return unscoped::pad(tensor, padding, 0.0F, config, cores);
}

// [n, c, h, w] as [n, c / by, h * by, w]: those of the second dimension that a block has become one.
Shape with_blocks_of_second(const Shape& shape, std::uint32_t by) {
    return Shape{shape[0], shape[1] / by, shape[2] * by, shape[3]};
}

// [n, w, h, c] as [n, w, h / by, c * by].
Shape with_blocks_of_third(const Shape& shape, std::uint32_t by) {
    return Shape{shape[0], shape[1], shape[2] / by, shape[3] * by};
}

Tensor kept_part(const Tensor& blocks, const Shape& shape, const MemoryConfig& config) {
    const std::span<const std::uint32_t> end = shape.dimensions();
    return unscoped::slice(blocks, std::vector<std::uint32_t>(4, 0), {end.begin(), end.end()}, config);
}

// Padding in front and behind is what the caller wants in front; what is there behind fills whole tiles.
Tensor fold_shards_by_transposing(const Fold& fold, const Padding& sides) {
    const Tensor& input = fold.input;
    require(input.memory_config().memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
            "fold op does not support non height-sharding!");
    const Shape& image = input.shape();
    const CoreRangeSet cores = fold.grid_size.value_or(CoreRangeSet(CoreRange{{0, 0}, {1, 1}}));
    const ShardOrientation orientation = input.memory_config().shard_spec->orientation;
    const std::uint32_t channels = image[1] + sides[3].second;
    const std::uint32_t height = image[2] + 2 * sides[1].first;
    const std::uint32_t width = image[3] + 2 * sides[2].first;
    const auto pad_on_one_mover = [&](const Tensor& tensor, std::uint32_t in_front, const Shape& shape) {
        return placed(tensor, {0, 0, in_front, 0}, shape, height_shards(shape, cores, orientation), false);
    };
    ScopedTensor images(
        pad_on_one_mover(input, sides[1].first, {image[0], channels, whole_tiles(height), image[3]}));
    images = unscoped::transpose(*images, 2, 3);
    images = pad_on_one_mover(*images, sides[2].first,
                              {image[0], channels, whole_tiles(height), whole_tiles(width)});
    images = unscoped::transpose(*images, 1, 2);
    images = reshape_view(*images, with_blocks_of_second(images->shape(), fold.stride_w));
    images = unscoped::transpose(*images, 2, 3);
    images = reshape_view(*images, with_blocks_of_third(images->shape(), fold.stride_h));
    images = unscoped::transpose(*images, 1, 2);
    const Shape blocks{image[0], height / fold.stride_h, width / fold.stride_w,
                       channels * fold.stride_h * fold.stride_w};
    const Shape kept = fold.output_shape.value_or(blocks);
    images = kept_part(*images, kept,
                       fold.override_memory_config.value_or(height_shards(kept, cores, orientation)));
    return images.take();
}

// All padding lies behind, of height and width what the caller wants in front.
Tensor fold_by_transposing(const Fold& fold, const Padding& sides) {
    const Tensor& input = fold.input;
    const Shape& image = input.shape();
    const Shape padded{image[0], image[1] + sides[3].second, whole_tiles(image[2] + sides[1].first),
                       whole_tiles(image[3] + sides[2].first)};
    const ScopedTensor pixels(placed(input, {0, 0, 0, 0}, padded, input.memory_config(), {}));
    const ScopedTensor columns_first(unscoped::permute(*pixels, {0, 3, 1, 2}, L1_MEMORY_CONFIG));
    const ScopedTensor rows_last(unscoped::reshape_on_device(
        *columns_first, with_blocks_of_second(columns_first->shape(), fold.stride_w), L1_MEMORY_CONFIG));
    const ScopedTensor channels_last(unscoped::transpose(*rows_last, 2, 3, L1_MEMORY_CONFIG));
    const ScopedTensor blocks(unscoped::reshape_on_device(
        *channels_last, with_blocks_of_third(channels_last->shape(), fold.stride_h), L1_MEMORY_CONFIG));
    ScopedTensor images(unscoped::transpose(*blocks, 1, 2, L1_MEMORY_CONFIG));
    return fold.output_shape ? kept_part(*images, *fold.output_shape, L1_MEMORY_CONFIG) : images.take();
}

}  // namespace

Tensor Fold::call() const {
    return in_operation(*this, [&] {
        require_on_device(input, "fold", "input");
        if (use_transpose_as_fold) {
            require(input.shape().rank() == 4, "fold: input: expected four dimensions, got ", input.shape());
            return input.is_sharded() ? fold_shards_by_transposing(*this, sides_of(padding))
                                      : fold_by_transposing(*this, sides_of(padding));
        }
        const FoldDeviceOperation operation{stride_h, stride_w, collapse_output};
        const Padding sides = sides_of(padding);
        const bool padded = std::any_of(sides.begin(), sides.end(),
                                        [](const auto& each) { return each.first + each.second != 0; });
        if (input.is_sharded()) {
            const bool divides =
                !padded && input.shape().rank() == 4 && stride_h != 0 && input.shape()[1] % stride_h == 0;
            if (!divides || FoldDeviceOperation::takes_shards(input.spec(), stride_h)) {
                require(!padded, "fold: padding: expected none for shards, got some");
                return launch(operation, {input});
            }
            const ScopedTensor source(
                launch(ReshardOperation{shards_of_blocks(input.spec(), stride_h,
                                                         input.device().description().compute_grid)},
                       {input}));
            return launch(operation, {*source});
        }
        ScopedTensor source(padded ? unscoped::pad(input, sides) : input);
        if (!operation.takes(source->spec(), source->device().description()))
            source = unscoped::to_layout(*source, Layout::ROW_MAJOR);
        return launch(operation, {*source});
    });
}

}  // namespace tilemeter
