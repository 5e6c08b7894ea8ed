// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/fold.hpp"

#include <algorithm>
#include <tuple>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/largest_divisor.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/sharding_operations.hpp"
#include "runtime/operations/sliding_window/internal/fold_operation.hpp"
#include "runtime/operations/sliding_window/internal/parallelization.hpp"

namespace tilemeter {

namespace {

// One core for each row of blocks, or as many rows for each.
MemoryConfig shards_of_blocks(const Tensor& images, std::uint32_t stride_h) {
    const Shape& shape = images.shape();
    const CoreCoord grid = images.device().description().compute_grid;
    const std::uint64_t rows = std::uint64_t{shape[0]} * shape[1] / stride_h;
    const std::uint64_t cores =
        largest_divisor(rows, std::min<std::uint64_t>(rows, std::uint64_t{grid.x} * grid.y));
    MemoryConfig config = images.memory_config();
    config.shard_spec = ShardSpec{first_cores(cores, grid, true),
                                  {static_cast<std::uint32_t>(rows / cores * stride_h * shape[2]), shape[3]},
                                  ShardOrientation::ROW_MAJOR};
    return config;
}

}  // namespace

Tensor fold(const Tensor& input, std::uint32_t stride_h, std::uint32_t stride_w, const Padding& padding,
            bool collapse_output) {
    static const OperationName kName("fold");
    return in_operation(kName, std::tie(input, stride_h, stride_w, collapse_output), [&] {
        require_on_device(input, "fold", "input");
        const Fold operation(stride_h, stride_w, collapse_output);
        const bool padded = std::any_of(padding.begin(), padding.end(),
                                        [](const auto& sides) { return sides.first + sides.second != 0; });
        if (input.is_sharded()) {
            const bool divides =
                !padded && input.shape().rank() == 4 && stride_h != 0 && input.shape()[1] % stride_h == 0;
            if (!divides || Fold::takes_shards(input.spec(), stride_h)) {
                if (padded) throw RuntimeError("fold: padding: expected none for shards, found some");
                return launch(operation, {input});
            }
            const ScopedTensor source(launch(ReshardOperation(shards_of_blocks(input, stride_h)), {input}));
            return launch(operation, {*source});
        }
        ScopedTensor source(padded ? unscoped::pad(input, padding) : input);
        if (!Fold::takes(source->spec())) source = unscoped::to_layout(*source, Layout::ROW_MAJOR);
        return launch(operation, {*source});
    });
}

}  // namespace tilemeter
