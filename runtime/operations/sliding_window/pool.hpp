// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pooling of images, with TT-NN's names, arguments and defaults: the largest value or the mean of each
// channel under a sliding window.
//
// Shapes: [batch, height, width, channels] or [1, 1, batch * height * width, channels] -> [1, 1, batch *
// output height * output width, channels]. dtypes: bfloat16, bfloat8_b; of the result bfloat16, in TILE also
// bfloat8_b. The input is brought into L1 shards (applied_shard_scheme, or what takes least of L1) unless it
// lies in shards already; the result stays in L1 shards unless memory_config says otherwise. An input in DRAM
// that does not fit into L1 goes in slices (dram_slices.hpp); the result is then [batch, output height,
// output width, channels] in DRAM. Throws RuntimeError (sizes and dtypes that do not fit), OutOfMemoryError,
// ProgramMemoryClashError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <array>
#include <optional>

#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// [0], [1]: height and width. Padding: top, bottom, left, right.
struct Pool2dArguments {
    std::uint32_t batch_size = 1;
    std::uint32_t input_h = 1;
    std::uint32_t input_w = 1;
    std::uint32_t channels = 1;
    std::array<std::uint32_t, 2> kernel_size{1, 1};
    std::array<std::uint32_t, 2> stride{1, 1};
    std::array<std::uint32_t, 4> padding{};
    std::array<std::uint32_t, 2> dilation{1, 1};
    bool ceil_mode = false;
    OptionalMemoryConfig memory_config;
    std::optional<TensorMemoryLayout::Value> applied_shard_scheme;
    bool deallocate_input = false;
    bool reallocate_halo_output = true;
    DataType dtype = DataType::BFLOAT16;
    Layout output_layout = Layout::ROW_MAJOR;
    /// Of means only.
    bool count_include_pad = true;
    std::optional<std::int32_t> divisor_override;
};

Tensor max_pool2d(const Tensor& input_tensor, const Pool2dArguments& arguments);
Tensor avg_pool2d(const Tensor& input_tensor, const Pool2dArguments& arguments);

struct MaxPool2dResult {
    Tensor values;
    Tensor indices;  ///< row * input_w + column of each value in its image; uint16, of the values' shape
};

/// max_pool2d with return_indices: ROW_MAJOR and bfloat16 only, images of at most 65,536 pixels, not in
/// slices.
MaxPool2dResult max_pool2d_with_indices(const Tensor& input_tensor, const Pool2dArguments& arguments);

/// Poolings to images of a size: kernel, stride and padding of `arguments` follow from it, as PyTorch cuts
/// images; those that no one kernel and stride give are refused, as by TT-NN. Padding does not count in
/// means.
Tensor adaptive_max_pool2d(const Tensor& input_tensor, const std::array<std::uint32_t, 2>& output_size,
                           const Pool2dArguments& arguments);
Tensor adaptive_avg_pool2d(const Tensor& input_tensor, const std::array<std::uint32_t, 2>& output_size,
                           const Pool2dArguments& arguments);

}  // namespace tilemeter
