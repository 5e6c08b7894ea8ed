// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A window that slides over images: what convolution, pooling and the halo that feeds them share.
//
// Images lie as sticks: one row of channels per pixel, pixels in order of batch, row, column. Each core owns
// as many output sticks as the next one; it needs the input sticks under the windows of its outputs, those of
// its neighbours included, with the padding written out. That is the halo: input sticks of the padded image
// from the first one that a core reads to the last one.
//
// Tables that the programs read say which sticks go where; their lengths follow TT-NN's serialization (16-bit
// words), learnt from its public sources and recordings.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/types/core_range.hpp"

namespace tilemeter {

struct SlidingWindow {
    std::uint32_t batch = 1;
    std::uint32_t height = 1, width = 1;  ///< of the input
    std::uint32_t kernel_height = 1, kernel_width = 1;
    std::uint32_t stride_height = 1, stride_width = 1;
    std::uint32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
    std::uint32_t dilation_height = 1, dilation_width = 1;
    bool ceil_mode = false;        ///< windows may begin inside and end outside of the padded image
    std::uint32_t cores_rows = 1;  ///< among which output sticks are shared out
    bool snap_to_tile = true;      ///< a core's share is whole tiles
    /// Windows go one pixel at a time over the input with `stride - 1` pixels of padding between its pixels;
    /// the padding is that of the convolution which this one undoes.
    bool transposed = false;
    std::uint32_t output_pad_height = 0, output_pad_width = 0;  ///< transposed: rows and columns beyond
    /// The factor by which the result is larger, if not 0: each of its sticks between four of the input (bilinear).
    std::uint32_t scale_height = 0, scale_width = 0;
    /// The last rows and columns of the padding that means do not count: a part has there what ceil_mode needs.
    std::uint32_t uncounted_bottom = 0, uncounted_right = 0;
    bool replicates_edges = false;  ///< padding repeats the nearest pixel

    std::uint32_t step_height() const { return transposed ? 1 : stride_height; }
    std::uint32_t step_width() const { return transposed ? 1 : stride_width; }
    std::uint32_t output_height() const;
    std::uint32_t output_width() const;
    std::uint64_t output_sticks() const;
    /// The size of the padded image, with what ceil_mode needs beyond the padding, and what lies between pixels.
    std::uint32_t padded_height() const;
    std::uint32_t padded_width() const;

    auto key_fields() const {
        return std::tie(batch, height, width, kernel_height, kernel_width, stride_height, stride_width,
                        pad_top, pad_bottom, pad_left, pad_right, dilation_height, dilation_width, ceil_mode,
                        cores_rows, snap_to_tile, transposed, output_pad_height, output_pad_width,
                        scale_height, scale_width, uncounted_bottom, uncounted_right, replicates_edges);
    }
};

/// "SlidingWindowConfig(batch_size=1, input_hw=(56,56), ...)", as TT-NN writes it.
std::string attribute_text(const SlidingWindow& window);

/// Throws RuntimeError naming `operation` unless every window has a place and all sizes are at least 1.
void require_valid(const SlidingWindow& window, std::string_view operation);

/// The sticks of the output and of the padded input that one core owns and reads.
struct HaloShard {
    std::uint64_t output_begin = 0, output_end = 0;  ///< [begin, end)
    std::uint64_t input_begin = 0, input_end = 0;    ///< [begin, end)
};

std::vector<HaloShard> halo_shards(const SlidingWindow& window);

/// Sticks of the fullest core.
std::uint64_t most_halo_sticks(const std::vector<HaloShard>& shards);

/// Along one axis of a result `scale` times as large: the pixel before each of its places, -1 before the
/// first, and how far behind it the place is, in pixels. Added up in single precision, as TT-NN does.
struct BetweenPixels {
    std::int64_t before = 0;
    float behind = 0.0F;
};
std::vector<BetweenPixels> between_pixels(std::uint32_t size, std::uint32_t scale);

/// Stick of the padded image where the window of an output stick begins.
class WindowOrigins {
public:
    explicit WindowOrigins(const SlidingWindow& window);
    std::uint64_t operator()(std::uint64_t output_stick) const;

private:
    std::uint64_t height_, width_;  ///< of the result
    std::uint64_t padded_height_, padded_width_;
    std::vector<std::uint64_t> rows_, columns_;  ///< the beginnings of an image's rows and columns
};

/// The input stick at a place of the padded image; nothing: padding.
std::optional<std::uint64_t> input_stick(const SlidingWindow& window, std::uint64_t padded_stick);

/// Lengths in 16-bit words of a core's tables, equal for all cores: padding to write and sticks to copy, for
/// each of the two data movement processors.
struct HaloTables {
    std::uint32_t pad[2] = {0, 0};
    std::uint32_t gather[2] = {0, 0};
};

/// `shard_height`: input sticks that each core holds. `core_of`: where a core of the row-wise order lies.
/// `tiled`: the input is in tiles, and goes in blocks of 32 sticks.
HaloTables halo_tables(const SlidingWindow& window, std::uint32_t shard_height, bool tiled,
                       const std::function<CoreCoord(std::uint32_t)>& core_of);

/// Length in 16-bit words of the table of where windows begin, for the core that needs most: runs of sticks
/// in blocks of `first` and `second` sticks by turns (`second` 0: all of `first`; `first` 0: one block).
std::uint32_t window_table_length(const SlidingWindow& window, std::uint64_t first, std::uint64_t second);

}  // namespace tilemeter
