// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/unary_program.hpp"

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/program_pieces.hpp"

namespace tilemeter {

ProgramPlan plan_unary(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                       const std::optional<CoreRangeSet>& sub_core_grids) {
    ProgramPlan plan{{"ttnn::operations::unary::UnaryDeviceOperation::ProgramFactory", 0}};
    const CoreRangeSet cores = sub_core_grids.value_or(whole_grid(device.compute_grid));
    if (input.memory_config.is_sharded() && input.memory_config == output.memory_config) {
        plan.memory = {borrowed_buffer(buffer_geometry(input, device).size_per_bank_bytes, cores, 0),
                       borrowed_buffer(buffer_geometry(output, device).size_per_bank_bytes, cores, 1)};
    } else {
        plan.memory = dataflow_buffers({2 * tile_size(input.dtype), 2 * tile_size(output.dtype)}, cores);
    }
    return plan;
}

}  // namespace tilemeter
