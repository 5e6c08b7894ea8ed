// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Windows over images in DRAM that do not fit into L1 at once. The result is cut along its height or width. The pixels
// under the windows of a part are brought into shards of L1, and the part of the result is written back. Convolutions
// and poolings share this.
//
// The number of parts is the smallest with which every part fits, by TT-NN's estimate. Where no direction is asked for,
// the cut is along the width; it is along the height if the images are narrow and the result is in tiles, or if nothing
// else fits. The rules follow sweeps of TT-NN 0.81.1.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// [begin, end) of rows and columns.
struct ImageBox {
    std::array<std::uint32_t, 2> begin{}, end{};
};

/// A part of the result and what it is made of.
struct WindowPart {
    SlidingWindow window;  ///< over the part of the input
    ImageBox input;        ///< within the images
    ImageBox output;       ///< within the result; columns of a TILE result rounded up to tiles
};

/// The result in `slices.num_slices` parts, fewer if there is not so much to cut. Parts of a TILE result
/// along its width are whole tiles; the smaller ones come last. `exact_padding`: where columns are rounded
/// up, the padding on the right ends where the last window does; else it grows by a stride for each of them.
/// REQUIRES: not L1_FULL, at least one part.
std::vector<WindowPart> window_parts(const SlidingWindow& whole, const Conv2dSliceConfig& slices,
                                     Layout output_layout, bool exact_padding = false);

/// The functions that carry out one part.
struct PartOperation {
    /// Bytes that a part needs of each core.
    std::function<std::uint64_t(const WindowPart&)> l1_bytes;
    std::function<MemoryConfig(const WindowPart&)> input_shards;
    /// The part's result [1, 1, pixels, channels] in L1, in `layout` unless it is TILE; frees its input.
    std::function<Tensor(Tensor input, const WindowPart&)> run;
    bool exact_padding = false;  ///< as for window_parts
};

/// The number of parts, and their direction. `asked`: as given by the caller; num_slices 0: the number that is needed.
/// Throws RuntimeError if no number of parts makes them fit.
Conv2dSliceConfig choose_slices(const SlidingWindow& whole, const std::optional<Conv2dSliceConfig>& asked,
                                Layout output_layout, std::uint64_t free_l1_bytes,
                                const PartOperation& operation);

/// Carries out all parts. `images`: [batch, height, width, channels] in DRAM; `whole`: the result, of such a
/// shape, in DRAM, into which they are written.
void run_in_slices(const SlidingWindow& window, const Conv2dSliceConfig& slices, const Tensor& images,
                   const Tensor& whole, const PartOperation& operation);

}  // namespace tilemeter
