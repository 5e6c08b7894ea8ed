// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/fold.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/largest_divisor.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
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

Padding sides_of(const Fold::FoldPadding& padding) {
    std::array<std::uint32_t, 6> sides{};
    if (const auto* both = std::get_if<std::array<std::uint32_t, 2>>(&padding)) {
        sides = {(*both)[0], (*both)[0], (*both)[1], (*both)[1]};
    } else if (const auto* four = std::get_if<std::array<std::uint32_t, 4>>(&padding)) {
        std::copy(four->begin(), four->end(), sides.begin());
    } else {
        sides = std::get<std::array<std::uint32_t, 6>>(padding);
    }
    return {{0, 0}, {sides[0], sides[1]}, {sides[2], sides[3]}, {sides[4], sides[5]}};
}

}  // namespace

Tensor Fold::call() const {
    require(!use_transpose_as_fold, "fold: expected use_transpose_as_fold=False, got True");
    return in_operation(*this, [&] {
        require_on_device(input, "fold", "input");
        const FoldDeviceOperation operation{stride_h, stride_w, collapse_output};
        const Padding sides = sides_of(padding);
        const bool padded = std::any_of(sides.begin(), sides.end(),
                                        [](const auto& each) { return each.first + each.second != 0; });
        if (input.is_sharded()) {
            const bool divides =
                !padded && input.shape().rank() == 4 && stride_h != 0 && input.shape()[1] % stride_h == 0;
            if (!divides || FoldDeviceOperation::takes_shards(input.spec(), stride_h)) {
                require(!padded, "fold: padding: expected none for shards, got some");
                return launch(operation, {input});
            }
            const ScopedTensor source(launch(ReshardOperation{shards_of_blocks(input, stride_h)}, {input}));
            return launch(operation, {*source});
        }
        ScopedTensor source(padded ? unscoped::pad(input, sides) : input);
        if (!FoldDeviceOperation::takes(source->spec()))
            source = unscoped::to_layout(*source, Layout::ROW_MAJOR);
        return launch(operation, {*source});
    });
}

}  // namespace tilemeter
