// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors of a convolution as its program wants them: the weights as a matrix, the bias as a row, both on the
// device; the activations in shards.

#pragma once

#include <memory>

#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/parallelization.hpp"

namespace tilemeter {

/// Sizes of the matrix of weights, padding included; of rows and columns of elements.
struct WeightMatrix {
    std::uint32_t input_channels_padded = 1;
    std::uint32_t rows = 32;
    std::uint32_t columns = 32;
    /// For filters along a row: the number of copies of each value, below itself; 0 of others.
    std::uint32_t times = 0;
    bool padded_on_host = true;
    bool converted = true;  ///< to the dtype of weights, also where they have it already
};

/// For activations spread like `input`. `whole`: the product takes all weights at once (a kernel of one
/// pixel).
WeightMatrix weight_matrix(const Conv2dArguments& arguments, const Parallelization& input,
                           const Parallelization& output, std::uint32_t input_channels_padded, bool whole);

/// Weights and bias on the device. Those that are there and prepared are taken as they are, others in ROW_MAJOR
/// are brought to the host first.
/// Throws RuntimeError when they have not the shapes or the layout that the arguments ask for.
Tensor prepared_weights(const Tensor& weights, const Conv2dArguments& arguments, const WeightMatrix& matrix,
                        DataType dtype, const std::shared_ptr<Device>& device);
Tensor prepared_bias(const Tensor& bias, const Conv2dArguments& arguments, const WeightMatrix& matrix,
                     DataType dtype, const std::shared_ptr<Device>& device);

/// To how many channels each core's share of an input is rounded up.
std::uint32_t channels_alignment(TensorMemoryLayout::Value input_memory_layout, Layout input_layout,
                                 bool is_matmul, const MemoryConfig* input_memory_config);

/// L1 shards of an input of such a shape, spread so.
MemoryConfig input_shards(const Shape& input, Layout layout, const Parallelization& spread, bool is_matmul);

/// "Tensor::reshape" to [1, 1, rows, channels], unless it has that shape.
Tensor flattened(const Tensor& tensor);

}  // namespace tilemeter
