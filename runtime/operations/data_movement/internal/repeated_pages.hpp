// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of repeat and repeat_interleave: whole pages - tiles, or rows - are copied, each several times.

#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

/// `input` with `times` as much along `dim`.
inline TensorSpec repeated_spec(const TensorSpec& input, std::size_t dim, std::uint32_t times,
                                const MemoryConfig& memory_config) {
    TensorSpec output{input.shape, input.dtype, input.layout, memory_config};
    const auto axis = static_cast<std::int64_t>(dim);
    output.shape.set(axis, output.shape[axis] * times);
    return output;
}

/// The bytes of a row of either in L1 on its way.
inline std::uint64_t place_of_row(const TensorSpec& input, const TensorSpec& output,
                                  const DeviceDescription& device) {
    return std::max(round_up(row_bytes(input), page_alignment(input.memory_config, device)),
                    round_up(row_bytes(output), page_alignment(output.memory_config, device)));
}

/// Each core writes its share of the output's pages, through one circular buffer of `pages_in_flight`, which are as
/// long as the longer of both tensors' rows.
inline ProgramPlan plan_repeated_pages(StaticName factory, const TensorSpec& input, const TensorSpec& output,
                                       const DeviceDescription& device, std::uint64_t pages_in_flight) {
    const bool tiled = output.layout == Layout::TILE;
    const std::uint64_t page = tiled ? tile_size(output.dtype) : place_of_row(input, output, device);
    const CoreRangeSet cores = whole_columns_and_rest(tiled ? num_tiles(output) : num_rows(output), device);
    return {{factory, 0}, {circular_buffer(pages_in_flight * page, cores)}};
}

/// Pages in flight as TT-NN wants them: two batches of four.
constexpr std::uint64_t kRepeatedPagesInFlight = 8;

}  // namespace tilemeter
