// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/halo.hpp"

#include <bit>

#include "runtime/operations/sliding_window/halo_call.hpp"
#include "tools/compat/src/arguments.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn {

Tensor halo(const Tensor& input_tensor, const operations::sliding_window::SlidingWindowConfig& config,
            const ComputeKernelConfig& compute_kernel_config, std::uint32_t pad_val, bool /*remote_read*/,
            bool /*transpose_mcast*/, bool /*is_out_tiled*/, bool config_tensors_in_dram) {
    tilemeter::HaloRequest request;
    tilemeter::SlidingWindow& window = request.window;
    window.batch = config.batch_size;
    window.height = config.input_hw.first;
    window.width = config.input_hw.second;
    window.kernel_height = config.window_hw.first;
    window.kernel_width = config.window_hw.second;
    window.stride_height = config.stride_hw.first;
    window.stride_width = config.stride_hw.second;
    window.pad_top = config.padding[0];
    window.pad_bottom = config.padding[1];
    window.pad_left = config.padding[2];
    window.pad_right = config.padding[3];
    window.dilation_height = config.dilation_hw.first;
    window.dilation_width = config.dilation_hw.second;
    window.ceil_mode = config.ceil_mode;
    window.cores_rows = config.num_cores_nhw;
    window.snap_to_tile = config.snap_to_tile;
    window.transposed = config.is_transpose;
    window.output_pad_height = config.output_pad_hw.first;
    window.output_pad_width = config.output_pad_hw.second;
    if (config.is_bilinear) {
        window.scale_height = config.scale_h;
        window.scale_width = config.scale_w;
    }
    request.pad_value = std::bit_cast<float>(pad_val << 16U);
    request.tables_in_dram = config_tensors_in_dram;
    request.compute_config = tilemeter::compat::to_model(compute_kernel_config);
    return tilemeter::compat::as_fatal("ttnn::halo", [&] {
        return tilemeter::compat::from_model(tilemeter::halo(input_tensor.model(), request));
    });
}

}  // namespace ttnn
