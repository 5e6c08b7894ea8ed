// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The choices of conv2d before anything runs: whether it is a matrix product, how activations and result are spread
// over the cores, in what blocks, and what that takes of L1. Nothing here allocates.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/device/device.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_program.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"
#include "runtime/operations/sliding_window/parallelization.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// A convolution on its way: what was asked for and what follows from it.
struct Conv2dProblem {
    Conv2dArguments arguments;
    SlidingWindow window;
    std::shared_ptr<Device> device;
    DataType input_dtype = DataType::BFLOAT16;
    Layout input_layout = Layout::ROW_MAJOR;
    DataType weights_dtype = DataType::BFLOAT16;
    DataType output_dtype = DataType::BFLOAT16;
    DeviceComputeKernelConfig compute;
    bool is_matmul = false;
    bool has_bias = false;
    /// For a convolution of interleaved images whose stride has been folded: its kernel before that. TT-NN lays weights
    /// out for it where shards are asked for.
    std::optional<std::array<std::uint32_t, 2>> unfolded_kernel;

    bool depthwise_row() const {
        return is_depthwise_row({arguments.groups, arguments.in_channels, arguments.out_channels,
                                 arguments.kernel_size[0], arguments.input_height, has_bias});
    }
    CoreCoord grid() const { return device->description().compute_grid; }
    ShardOrientation block_orientation() const {
        return arguments.conv_config.transpose_shards ? ShardOrientation::COL_MAJOR
                                                      : ShardOrientation::ROW_MAJOR;
    }
    Shape input_shape() const {
        return {arguments.batch_size, arguments.input_height, arguments.input_width, arguments.in_channels};
    }
    Parallelization spread(TensorMemoryLayout::Value layout, std::uint32_t channels_alignment,
                           std::uint32_t act_block_h_override) const {
        return choose_parallelization({layout, block_orientation(), window.output_sticks(),
                                       arguments.in_channels, arguments.out_channels, channels_alignment,
                                       grid(), !is_matmul, true, true, act_block_h_override});
    }
};

Conv2dProblem conv2d_problem(const Tensor& input, const Tensor& weights,
                             const std::shared_ptr<Device>& device, bool has_bias,
                             const Conv2dArguments& arguments);

/// Throws RuntimeError("conv2d: " + what).
[[noreturn]] void refuse_conv2d(const std::string& what);
/// Throws RuntimeError on what does not fit together, and on what TT-NN takes and this does not.
void require_supported_conv2d(const Conv2dProblem& problem);

/// The spread of a convolution's parts.
struct Conv2dSpread {
    Parallelization input;
    Parallelization output;
    std::uint32_t input_channels_padded = 1;
    MemoryConfig output_config;
    Conv2dBlocks blocks;
};

Conv2dSpread conv2d_spread(const Conv2dProblem& problem, const Parallelization& input,
                           std::uint32_t channels_alignment);

/// The bytes that a core needs, by TT-NN's estimate.
struct Conv2dL1Usage {
    std::uint64_t cores = 0;  ///< that take part
    std::uint64_t halo_input = 0;
    std::uint64_t halo_output = 0;
    std::uint64_t total = 0;  ///< circular buffers, the result and the halo
};

/// `input`: the shards of the input, where they are given; else null.
Conv2dL1Usage conv2d_l1_usage(const Conv2dProblem& problem, TensorMemoryLayout::Value layout,
                              const MemoryConfig* input);

/// The layout that takes least of L1; blocks only if they cut the channels, columns not for matrix products. Always
/// rows for a depthwise convolution along one row.
TensorMemoryLayout::Value choose_conv2d_layout(const Conv2dProblem& problem);

/// The activations in the shards that the program reads.
struct Conv2dInputShards {
    Parallelization spread;
    std::optional<MemoryConfig> config;  ///< to be brought there; nothing: they lie well
};

Conv2dInputShards conv2d_input_shards(const Conv2dProblem& problem, const Tensor& input);

}  // namespace tilemeter
