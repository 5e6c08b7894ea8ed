// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/halo_call.hpp"

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/internal/halo.hpp"

namespace tilemeter {

Tensor halo(const Tensor& input, const HaloRequest& request) {
    require_on_device(input, "halo", "input_tensor");
    require_valid(request.window, "halo");
    require(input.is_sharded(), "halo: input_tensor: expected shards, got ", input.memory_config());
    const TableMemory tables = request.tables_in_dram ? TableMemory::kDram : TableMemory::kL1Small;
    return launch(Halo{request.window, request.pad_value, tables, request.compute_config}, {input});
}

}  // namespace tilemeter
