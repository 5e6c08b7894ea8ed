// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Convolutions whose stride is folded into channels: the blocks of pixels that a stride steps over become
// channels of one pixel (fold_operation.hpp), the kernel shrinks by the stride, and the stride becomes 1. A
// kernel as large as its stride, as that of a vision transformer's patches, becomes a matrix product.

#pragma once

#include "runtime/operations/sliding_window/conv2d.hpp"

namespace tilemeter {

/// True if TT-NN folds: as enable_kernel_stride_folding says, else kernels that tile the image.
bool folds_stride(const Conv2dArguments& arguments, const Tensor& input);

/// The arguments of the convolution that is left.
/// Throws RuntimeError if the strides do not divide the padded images, or the input lies in shards that are not modelled:
/// others than HEIGHT shards, or padded.
Conv2dArguments without_stride(const Conv2dArguments& arguments, const Tensor& input);

/// The place of the folded input: shards have whole rows of blocks then.
MemoryConfig folded_memory(const Conv2dArguments& arguments, const Tensor& input, CoreCoord grid);

/// Weights on the host for `to`, which `from` becomes without its stride; those on the device as they are.
/// Throws RuntimeError if they have not the shape that `from` asks for.
Tensor folded_weights(const Tensor& weights, const Conv2dArguments& from, const Conv2dArguments& to);

struct FoldedConv2d {
    Conv2dArguments arguments;
    Tensor input;    ///< [batch, height / stride, width / stride, channels * stride * stride], ROW_MAJOR
    Tensor weights;  ///< on the host [out, channels * stride * stride, ...]; those on the device as they are
};

/// Throws RuntimeError where without_stride() does.
FoldedConv2d fold_stride(const Conv2dArguments& arguments, const Tensor& input, const Tensor& weights);

}  // namespace tilemeter
