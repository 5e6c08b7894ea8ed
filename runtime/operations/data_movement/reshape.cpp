// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/reshape.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/shards_over.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/internal/fill_pad_operation.hpp"
#include "runtime/operations/data_movement/internal/reshape_operation.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/sharding_operations.hpp"
#include "runtime/operations/data_movement/typecast.hpp"

namespace tilemeter {

namespace {

Tensor viewed(const Tensor& tensor, const Shape& shape) {
    return tensor.shape() == shape ? tensor : reshape_view(tensor, shape);
}

std::uint32_t dimension_or_one(const Shape& shape, std::int64_t index) {
    return shape.rank() >= static_cast<std::size_t>(-index) ? shape[index] : 1;
}

bool nothing_moves(const Tensor& input, const Shape& shape, const MemoryConfig& memory_config) {
    const MemoryConfig& from = input.memory_config();
    if (dimension_or_one(input.shape(), -1) != dimension_or_one(shape, -1)) return false;
    if (memory_config.is_sharded() != from.is_sharded()) return false;
    if ((memory_config.buffer_type == BufferType::L1) != (from.buffer_type == BufferType::L1)) return false;
    if (input.layout() == Layout::ROW_MAJOR) return true;
    const std::uint32_t rows_from = dimension_or_one(input.shape(), -2);
    const std::uint32_t rows_to = dimension_or_one(shape, -2);
    return rows_from == rows_to || (rows_from % kTileHeight == 0 && rows_to % kTileHeight == 0);
}

MemoryConfig interleaved(const MemoryConfig& config) {
    return {TensorMemoryLayout::INTERLEAVED, config.buffer_type, std::nullopt};
}

Shape as_matrix(const Shape& shape) {
    return shape.to_rank(2);
}

// Where the result goes: shards are cut anew for the new shape where their cores are one rectangle, else they
// are given up.
MemoryConfig place_of_result(const Tensor& input, const Shape& shape, const MemoryConfig& wanted) {
    if (!wanted.is_sharded() || wanted != input.memory_config()) return wanted;
    if (wanted.shard_spec->grid.ranges().size() != 1) return interleaved(wanted);
    return fitted_shards(wanted, TensorSpec{shape, input.dtype(), input.layout(), DRAM_MEMORY_CONFIG});
}

Tensor move_rows(const Tensor& input, const Shape& shape, const MemoryConfig& wanted,
                 const OptionalCores& sub_core_grids) {
    const MemoryConfig place = place_of_result(input, shape, wanted);
    const auto moved = [&] {
        ScopedTensor source(viewed(input, as_matrix(input.shape())));
        if (input.is_sharded())
            source = unscoped::sharded_to_interleaved(*source, interleaved(input.memory_config()));
        ScopedTensor result(
            launch(ReshapeView{as_matrix(shape), interleaved(place), sub_core_grids}, {*source}));
        return place.is_sharded() ? launch(InterleavedToShardedOperation{place, input.dtype()}, {*result})
                                  : result.take();
    };
    return viewed(moved(), shape);
}

// From shards to shards without a stop on the way, but for block formats.
Tensor move_tiles(const Tensor& input, const Shape& shape, const MemoryConfig& wanted,
                  const OptionalCores& sub_core_grids) {
    const MemoryConfig place = place_of_result(input, shape, wanted);
    const bool by_bfloat16 = is_block_float(input.dtype());
    const bool directly =
        input.is_sharded() && place.is_sharded() && !by_bfloat16 && wanted == input.memory_config();
    ScopedTensor source(viewed(input, input.shape().to_rank(3)));
    if (input.is_sharded() && !directly)
        source = unscoped::sharded_to_interleaved(*source, interleaved(input.memory_config()));
    if (by_bfloat16) source = unscoped::typecast(*source, DataType::BFLOAT16);
    ScopedTensor moved(launch(
        ReshapeView{shape.to_rank(3), directly ? place : interleaved(place), sub_core_grids}, {*source}));
    if (by_bfloat16) {
        // What lies in the padding would get into the exponents that blocks share.
        if (moved->padded_shape() != moved->shape()) {
            launch_into(FillPadDeviceOperation{0, moved->memory_config()}, {*moved}, *moved);
        }
        moved = unscoped::typecast(*moved, input.dtype());
    }
    if (place.is_sharded() && !directly) moved = unscoped::interleaved_to_sharded(*moved, place);
    return viewed(*moved, shape);
}

Shape without_dimensions(const Shape& shape, const std::vector<std::int64_t>& dims) {
    std::vector<bool> left_out(shape.rank());
    const auto rank = static_cast<std::int64_t>(shape.rank());
    std::vector<std::int64_t> seen;
    for (const std::int64_t dim : dims) {
        const std::int64_t at = dim < 0 ? dim + rank : dim;
        // TT-NN's words.
        require(at >= 0 && at < rank, "Dimension out of range (expected to be in range of [", -rank, ",",
                rank - 1, "], but got ", at, ")");
        require(std::find(seen.begin(), seen.end(), at) == seen.end(), "dim ", at,
                " appears multiple times in the list of dims");
        seen.push_back(at);
        const auto position = static_cast<std::size_t>(at);
        left_out[position] = shape.dimensions()[position] == 1;
    }
    Shape result;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (!left_out[i]) result.push_back(shape.dimensions()[i]);
    }
    return result;
}

std::vector<std::int64_t> all_dimensions(const Shape& shape) {
    std::vector<std::int64_t> dims;
    for (std::size_t i = 0; i < shape.rank(); ++i)
        dims.push_back(static_cast<std::int64_t>(i));
    return dims;
}

Shape to_4D(const Shape& shape) {  // NOLINT: as the operation
    require(shape.rank() <= 4, "unsqueeze_to_4D: ", shape, ": expected at most 4 dimensions, found ",
            shape.rank());
    return shape.to_rank(4);
}

}  // namespace

namespace unscoped {

Tensor reshape(const Tensor& input, const Shape& shape, const OptionalMemoryConfig& memory_config,
               const OptionalCores& sub_core_grids) {
    require(shape.volume() == input.shape().volume(), "Invalid arguments to reshape: ", input.shape(), " to ",
            shape, ": expected equal volumes, found ", input.shape().volume(), " and ", shape.volume());
    if (input.shape() == shape) return input;
    if (input.storage_type() == StorageType::HOST || shape.volume() == 0) return reshape_view(input, shape);
    require_on_device(input, "reshape", "input");
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    if (nothing_moves(input, shape, config)) return viewed(input, shape);
    return input.layout() == Layout::ROW_MAJOR ? move_rows(input, shape, config, sub_core_grids)
                                               : move_tiles(input, shape, config, sub_core_grids);
}

Tensor unsqueeze_to_4D(const Tensor& input) {
    return viewed(input, to_4D(input.shape()));
}

Tensor squeeze_from_4D(const Tensor& input, std::size_t rank) {
    return viewed(input, input.shape().to_rank(rank));
}

}  // namespace unscoped

Shape resolve_shape(const Tensor& tensor, std::span<const std::int64_t> dimensions) {
    constexpr std::int64_t kOpen = -1;
    std::uint64_t known = 1;
    for (const std::int64_t dimension : dimensions) {
        require(dimension >= kOpen && dimension <= std::int64_t{0xffffffff}, "reshape: dimension ", dimension,
                ": expected -1 or a size below 2^32");
        if (dimension != kOpen) known *= static_cast<std::uint64_t>(dimension);
    }
    const auto open = std::count(dimensions.begin(), dimensions.end(), kOpen);
    if (open > 1) {
        std::string used;
        for (const std::int64_t dimension : dimensions)
            used += std::to_string(dimension) + ",";
        throw RuntimeError("Shape cannot have more than 1 elements that is set to -1! Shape used: (" + used +
                           ")");
    }
    Shape shape;
    for (const std::int64_t dimension : dimensions) {
        const std::uint64_t left = known == 0 ? 0 : tensor.shape().volume() / known;
        shape.push_back(static_cast<std::uint32_t>(dimension == kOpen ? left : dimension));
    }
    return shape;
}

Tensor Reshape::body() const {
    return unscoped::reshape(input_tensor, shape, memory_config, sub_core_grids);
}

Tensor ReshapeWithPadding::call() const {
    TensorSpec spec = input_tensor.spec();
    spec.shape = logical_shape;
    if (spec.padded_shape() != padded_shape) {
        throw std::invalid_argument("reshape: padded_shape: expected " + spec.padded_shape().to_string() +
                                    ", got " + padded_shape.to_string());
    }
    return call_operation(Reshape{.input_tensor = input_tensor,
                                  .shape = logical_shape,
                                  .memory_config = memory_config,
                                  .sub_core_grids = sub_core_grids});
}

Tensor ReshapeByNumbers::call() const {
    return call_operation(Reshape{.input_tensor = input_tensor,
                                  .shape = resolve_shape(input_tensor, shape),
                                  .memory_config = memory_config,
                                  .sub_core_grids = sub_core_grids});
}

namespace {

// TT-NN's words.
void require_view(const Tensor& input, const Shape& shape) {
    const Shape& from = input.shape();
    const auto refuse = [](const std::string& what, std::uint64_t was, std::uint64_t is, const char* advice) {
        throw RuntimeError(what + " from " + std::to_string(was) + " to " + std::to_string(is) + advice);
    };
    constexpr const char* kAdvice = ", use reshape instead";
    if (shape.volume() != from.volume())
        refuse("Invalid view, logical volumes are changing", from.volume(), shape.volume(), "");
    require(input.storage_type() != StorageType::HOST,
            "View requires the tensor be stored on device, use reshape instead");
    require_on_device(input, "view", "input_tensor");
    if (dimension_or_one(from, -1) != dimension_or_one(shape, -1)) {
        refuse("The last dimension can not change in view, attempting to change last dimension",
               dimension_or_one(from, -1), dimension_or_one(shape, -1), kAdvice);
    }
    if (!nothing_moves(input, shape, input.memory_config())) {
        refuse("Invalid second last dims for TILED reshape,", dimension_or_one(from, -2),
               dimension_or_one(shape, -2), kAdvice);
    }
}

}  // namespace

Tensor View::body() const {
    require_view(input_tensor, shape);
    return reshape_view(input_tensor, shape);
}

Tensor experimental::View::body() const {
    const bool nothing = shape.volume() == 0 && input_tensor.shape().volume() == 0;
    if (input_tensor.storage_type() == StorageType::DEVICE && !nothing) require_view(input_tensor, shape);
    return reshape_view(input_tensor, shape);
}

Tensor UnsqueezeTo4D::body() const {
    return unscoped::unsqueeze_to_4D(tensor);
}

Tensor Unsqueeze::body() const {
    const auto rank = static_cast<std::int64_t>(input_tensor.shape().rank());
    require(dim >= -rank - 1 && dim <= rank, "Dimension out of range (expected to be in range of [",
            -rank - 1, ",", rank, "], but got ", dim, ")");
    const std::int64_t at = dim < 0 ? dim + rank + 1 : dim;
    Shape shape;
    for (std::int64_t i = 0; i <= rank; ++i) {
        if (i == at) shape.push_back(1);
        if (i < rank) shape.push_back(input_tensor.shape()[i]);
    }
    return unscoped::reshape(input_tensor, shape);
}

std::vector<std::int64_t> Squeeze::dims() const {
    if (!dim) return all_dimensions(input_tensor.shape());
    if (const auto* one = std::get_if<std::int64_t>(&*dim)) return {*one};
    return std::get<std::vector<std::int64_t>>(*dim);
}

Tensor Squeeze::body() const {
    return unscoped::reshape(input_tensor, without_dimensions(input_tensor.shape(), dims()));
}

}  // namespace tilemeter
