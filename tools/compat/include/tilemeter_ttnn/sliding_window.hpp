// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Windows that slide over images, and the cores among which their outputs are shared out.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/core_coord.hpp"
#include "tilemeter_ttnn/enums.hpp"
#include "tilemeter_ttnn/shape.hpp"

namespace ttnn::operations::sliding_window {

using uint32_pair_t = std::pair<std::uint32_t, std::uint32_t>;

struct ParallelConfig {
    CoreRangeSet grid;
    TensorMemoryLayout shard_scheme = TensorMemoryLayout::INTERLEAVED;
    ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;
    bool operator==(const ParallelConfig&) const = default;
};

/// Heights come before widths.
struct SlidingWindowConfig {
    std::uint32_t batch_size = 0;
    std::uint32_t channels = 0;
    uint32_pair_t input_hw{0, 0};
    uint32_pair_t window_hw{1, 1};
    uint32_pair_t stride_hw{1, 1};
    std::array<std::uint32_t, 4> padding{};  ///< top, bottom, left, right
    uint32_pair_t output_pad_hw{0, 0};       ///< of a transposed window
    uint32_pair_t dilation_hw{1, 1};
    std::optional<uint32_pair_t>
        ceil_pad_hw{};          ///< what ceil_mode adds behind the padding, where it is given
    std::uint32_t scale_h = 1;  ///< of a bilinear window
    std::uint32_t scale_w = 1;
    std::uint32_t num_cores_nhw = 1;  ///< among which rows of output are shared out
    std::uint32_t num_cores_c = 1;    ///< among which channels are
    CoreRangeSet core_range_set = CoreRangeSet(CoreRange({0, 0}, {0, 0}));
    bool snap_to_tile = false;  ///< a core's rows are whole tiles
    bool is_bilinear = false;
    bool is_transpose = false;
    bool ceil_mode = false;  ///< windows may end beyond the padded image
    bool is_avg_pool = false;

    bool has_parallel_config() const;
    Shape get_input_shape() const;
    /// Batch, height, width and, of the channels that it knows nothing of, 0. Throws std::runtime_error for ceil_mode of a
    /// transposed or bilinear window.
    Shape get_output_shape() const;
    std::uint32_t get_pad_top() const { return padding[0]; }
    std::uint32_t get_pad_bottom() const { return padding[1]; }
    std::uint32_t get_pad_left() const { return padding[2]; }
    std::uint32_t get_pad_right() const { return padding[3]; }
    std::uint32_t get_pad_h() const { return padding[0] + padding[1]; }
    std::uint32_t get_pad_w() const { return padding[2] + padding[3]; }
    /// Rows and columns that ceil_mode needs behind the padding.
    std::uint32_t get_ceil_pad_h() const { return get_ceil_pad_hw().first; }
    std::uint32_t get_ceil_pad_w() const { return get_ceil_pad_hw().second; }
    uint32_pair_t get_ceil_pad_hw() const;
    // These throw std::runtime_error for windows that are not transposed.
    /// The size of the image that a transposed window slides over with steps of one.
    Shape get_transposed_full_input_shape() const;
    /// Before and behind its rows, before and behind its columns.
    std::array<uint32_pair_t, 2> get_transposed_real_padding() const;
    /// Rows of output of a core.
    std::uint32_t get_output_shard_y(bool whole_tiles = false) const;
};

struct Range {
    std::uint32_t start = 0;
    std::uint32_t end = 0;  ///< the last one
};

/// What a core makes, and what it reads of the padded images for it.
struct ShardBoundary {
    Range output_range;
    Range input_range;
};

/// Where in the padded images the window of each output begins.
std::vector<std::uint32_t> generate_op_trace_metadata(const SlidingWindowConfig& config);
/// Throws std::runtime_error for a bilinear window.
std::vector<ShardBoundary> generate_shard_boundaries(const SlidingWindowConfig& config);

/// Top, bottom, left, right.
std::array<std::uint32_t, 4> get_pair_n4_padding(
    const std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>>& padding);
/// Rounded up to what buffers in L1 are aligned to.
std::uint32_t align_buffer(std::uint32_t size);

}  // namespace ttnn::operations::sliding_window

template <>
struct std::hash<ttnn::operations::sliding_window::ParallelConfig> {
    std::size_t operator()(const ttnn::operations::sliding_window::ParallelConfig& config) const noexcept {
        std::size_t mixed = static_cast<std::size_t>(config.shard_scheme) * 2 +
                            static_cast<std::size_t>(config.shard_orientation);
        for (const CoreRange& each : config.grid.ranges())
            mixed = mixed * 1000003U ^ std::hash<tt::tt_metal::CoreRange>{}(each);
        return mixed;
    }
};
