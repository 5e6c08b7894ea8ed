// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/slice.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "runtime/device/errors.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/layout_conversion.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/reshape.hpp"
#include "runtime/operations/scoped_tensor.hpp"
#include "runtime/operations/sharding.hpp"
#include "runtime/operations/slice_operation.hpp"
#include "runtime/operations/tilize_operations.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

using Index = Slice::Index;

bool takes_all(const Shape& shape, const Index& begin, const Index& end, const Index& step) {
    return std::all_of(begin.begin(), begin.end(), [](std::uint32_t at) { return at == 0; }) &&
           std::equal(end.begin(), end.end(), shape.dimensions().begin(), shape.dimensions().end()) &&
           std::all_of(step.begin(), step.end(), [](std::uint32_t each) { return each == 1; });
}

// Whole tiles can be taken from where a tile begins.
bool takes_tiles(const Index& begin, const Index& step) {
    const std::size_t rank = begin.size();
    return rank >= 2 && begin[rank - 1] % kTileWidth == 0 && begin[rank - 2] % kTileHeight == 0 &&
           std::all_of(step.begin(), step.end(), [](std::uint32_t each) { return each == 1; });
}

// TT-NN views each result under the shape it has.
Tensor cut(const Slice& operation, const Tensor& input) {
    const ScopedTensor part(launch(operation, {input}));
    return reshape_view(*part, part->shape());
}

Tensor slice_untraced(const Tensor& input, const Index& begin, const Index& end, const Index& step,
                      const MemoryConfig& memory_config) {
    const Slice operation(begin, end, step, memory_config);
    require_on_device(input, "slice", "input");
    operation.validate(std::vector<TensorSpec>{input.spec()});
    if (takes_all(input.shape(), begin, end, step)) return untraced::to_memory_config(input, memory_config);
    if (input.layout() == Layout::ROW_MAJOR || takes_tiles(begin, step)) return cut(operation, input);
    const ScopedTensor rows(untraced::to_layout(input, Layout::ROW_MAJOR, std::nullopt, memory_config));
    const ScopedTensor part(cut(operation, *rows));
    return untraced::to_layout(*part, Layout::TILE);
}

// Equal parts of whole tiles along the last dimension have a program of their own, if the grid has a column
// for each batch and a row for each part.
bool splits_at_once(const Tensor& input, std::uint32_t split_size, std::size_t position) {
    const Shape& shape = input.shape();
    if (input.layout() != Layout::TILE || input.is_sharded()) return false;
    if (shape.rank() < 2 || shape.rank() > 4 || position + 1 != shape.rank()) return false;
    if (shape[-1] % split_size != 0 || split_size % kTileWidth != 0 || shape[-2] % kTileHeight != 0)
        return false;
    const TileGrid tiles = tile_grid(shape);
    const CoreCoord grid = input.device().description().compute_grid;
    const std::uint32_t parts = shape[-1] / split_size;
    return parts > 1 && parts <= grid.y && tiles.batch <= grid.x && tiles.rows > 1;
}

std::vector<Tensor> split_at_once(const Tensor& input, std::uint32_t split_size,
                                  const MemoryConfig& memory_config) {
    const std::size_t rank = input.shape().rank();
    const ScopedTensor source(untraced::unsqueeze_to_4D(input));
    std::vector<Tensor> parts = launch_all(Split(input.shape()[-1] / split_size, memory_config), {*source});
    for (Tensor& part : parts)
        part = untraced::squeeze_from_4D(part, rank);
    return parts;
}

}  // namespace

Tensor slice(const Tensor& input, const std::vector<std::uint32_t>& begin,
             const std::vector<std::uint32_t>& end, const std::vector<std::uint32_t>& step,
             const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("slice");
    return in_operation(kName, std::tie(input, begin, end, step, memory_config), [&] {
        const Index steps = step.empty() ? Index(begin.size(), 1) : step;
        return slice_untraced(input, begin, end, steps, memory_config.value_or(input.memory_config()));
    });
}

std::vector<Tensor> split(const Tensor& input, std::uint32_t split_size, std::int64_t dim,
                          const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("split");
    return in_operation(kName, std::tie(input, split_size, dim, memory_config), [&] {
        if (split_size == 0) throw RuntimeError("split: split_size: expected at least 1, found 0");
        const MemoryConfig config = memory_config.value_or(input.memory_config());
        const std::size_t position = input.shape().position(dim);
        if (splits_at_once(input, split_size, position)) return split_at_once(input, split_size, config);
        const std::span<const std::uint32_t> dimensions = input.shape().dimensions();
        std::vector<Tensor> parts;
        for (std::uint32_t at = 0; at < dimensions[position]; at += split_size) {
            Index begin(dimensions.size(), 0);
            Index end(dimensions.begin(), dimensions.end());
            begin[position] = at;
            end[position] = std::min(at + split_size, dimensions[position]);
            parts.push_back(slice_untraced(input, begin, end, Index(begin.size(), 1), config));
        }
        return parts;
    });
}

}  // namespace tilemeter
