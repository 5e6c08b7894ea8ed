// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of calls of convolutions.

#pragma once

#include <memory>
#include <type_traits>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/sliding_window/conv2d.hpp"
#include "runtime/operations/sliding_window/conv_transpose2d.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_folding.hpp"
#include "runtime/operations/sliding_window/internal/conv2d_slices.hpp"

namespace tilemeter {

/// True if an input on the host goes straight into the shards that the program reads: in one piece, which a memory
/// config of L1 asks for, too, where nothing is said of slices; but of a transposed convolution.
template <typename Definition>
bool is_placed_from_host(const Definition& call, const Tensor& input) {
    const auto& slices = call.slice_config;
    const bool in_one_piece = slices ? slices->slice_type == Conv2dSliceConfig::SliceType::L1_FULL
                                     : !std::is_same_v<Definition, ConvTranspose2d> &&
                                           input.memory_config().buffer_type == BufferType::L1;
    return in_one_piece && !folds_stride(call, input);
}

/// The device that a convolution runs on.
inline std::shared_ptr<Device> device_of(const ConvolutionCall& call, const Tensor& input) {
    return input.storage_type() == StorageType::HOST ? call.device : input.shared_device();
}

/// A convolution in the scope of its call, its results those asked for.
/// `place(input)` may give the input another shape before it is uploaded; `carry_out_on(input, prepared, output)`
/// makes the output and returns the window.
template <typename Definition, typename Place, typename CarryOut>
auto convolution(const Definition& call, const char* name, Place place, CarryOut carry_out_on) {
    decltype(call.call()) result;
    in_operation(call, [&] {
        Tensor input = call.input_tensor;
        place(input);
        if (input.storage_type() == StorageType::HOST && !is_placed_from_host(call, input))
            input = upload(input, call.device, DRAM_MEMORY_CONFIG);
        if (input.storage_type() != StorageType::HOST) require_on_device(input, name, "input_tensor");
        // Freed in reverse order.
        ScopedTensor bias{Tensor()};
        ScopedTensor weights{Tensor()};
        const SlidingWindow window = carry_out_on(input, PreparedConv2d{weights, bias}, result.output);
        if (call.return_output_dim) {
            if constexpr (std::is_same_v<decltype(result), Conv1dResult>) {
                result.output_size = window.output_width();
            } else {
                result.output_size = {window.output_height(), window.output_width()};
            }
        }
        if (call.return_weights_and_bias) {
            result.weight = weights.take();
            if (call.bias_tensor) result.bias = bias.take();
        }
        return result.tensors();
    });
    return result;
}

/// The input that a preparation is told of.
inline Tensor planned_input(const ConvPreparation& call) {
    const Shape rows{1, 1, call.batch_size * call.input_height * call.input_width, call.in_channels};
    return Tensor::planned_on_host({rows, call.input_dtype, call.input_layout, call.input_memory_config});
}

inline void require_format(const ConvPreparation& call, const char* name, const char* format) {
    require(call.weights_format == format, name, ": weights_format: expected \"", format, "\", got \"",
            call.weights_format, "\"");
}

}  // namespace tilemeter
