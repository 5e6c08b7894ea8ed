// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/global_pool.hpp"

#include <array>
#include <optional>

#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

namespace {

// True if tiles have padding between images.
bool padded_between_images(const Pool2dArguments& arguments, const Tensor& input) {
    return input.layout() == Layout::TILE &&
           std::uint64_t{arguments.input_h} * arguments.input_w % kTileHeight != 0;
}

// Shards are laid out one after the other.
MemoryConfig wanted_memory(const Pool2dArguments& arguments, const Tensor& input) {
    if (arguments.memory_config) return *arguments.memory_config;
    if (!input.is_sharded()) return input.memory_config();
    return {TensorMemoryLayout::INTERLEAVED, input.memory_config().buffer_type, std::nullopt};
}

}  // namespace

bool averages_whole_images(const Pool2dArguments& arguments, const Tensor& input) {
    constexpr std::array<std::uint32_t, 2> kOnes{1, 1};
    return arguments.kernel_size == std::array{arguments.input_h, arguments.input_w} &&
           arguments.padding == std::array<std::uint32_t, 4>{} && arguments.dilation == kOnes &&
           !arguments.applied_shard_scheme &&
           !(is_block_float(input.dtype()) && padded_between_images(arguments, input));
}

Tensor average_of_whole_images(const Pool2dArguments& arguments, const Tensor& input) {
    const std::uint32_t pixels = arguments.input_h * arguments.input_w;
    const MemoryConfig memory = wanted_memory(arguments, input);
    ScopedTensor source(input.memory_config() == memory ? input : unscoped::to_memory_config(input, memory));
    if (padded_between_images(arguments, *source)) source = unscoped::to_layout(*source, Layout::ROW_MAJOR);
    const Shape shape{arguments.batch_size, 1, pixels, arguments.channels};
    const ScopedTensor images(source->shape() == shape ? *source : unscoped::reshape(*source, shape));

    const bool rows = images->layout() == Layout::ROW_MAJOR;
    std::optional<Layout> layout = arguments.output_layout;
    // Not modelled: tiles of several images' rows, and rows of block formats.
    if (rows ? *layout == Layout::TILE && arguments.batch_size > 1 : is_block_float(input.dtype()))
        layout = std::nullopt;
    const float divisor =
        static_cast<float>(arguments.divisor_override.value_or(static_cast<std::int32_t>(pixels)));
    Tensor sums = unscoped::sum_of_rows(*images, 1.0F / divisor, memory, layout);
    const Shape flat{1, 1, arguments.batch_size, arguments.channels};
    sums = arguments.batch_size == 1 || sums.layout() == Layout::ROW_MAJOR ? reshape_view(sums, flat)
                                                                           : unscoped::reshape(sums, flat);
    return sums.layout() == arguments.output_layout ? sums
                                                    : unscoped::to_layout(sums, arguments.output_layout);
}

}  // namespace tilemeter
