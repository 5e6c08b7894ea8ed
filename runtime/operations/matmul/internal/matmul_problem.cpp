// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/internal/matmul_problem.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

// At least two dimensions: a vector is a row.
Shape as_matrix(const Shape& shape) {
    return shape.to_rank(std::max<std::size_t>(shape.rank(), 2));
}

Shape transposed(Shape shape, bool transpose) {
    if (!transpose || shape.rank() < 2) return shape;
    const std::uint32_t height = shape[-2];
    shape.set(-2, shape[-1]);
    shape.set(-1, height);
    return shape;
}

Tile transposed(Tile tile, bool transpose) {
    return transpose ? Tile{tile.width, tile.height} : tile;
}

std::uint64_t batches(const Shape& shape) {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i + 2 < shape.rank(); ++i)
        count *= shape.dimensions()[i];
    return count;
}

std::uint64_t shard_tiles(const TensorSpec& spec, std::size_t dimension, bool transpose) {
    const std::size_t index = transpose ? 1 - dimension : dimension;
    return spec.memory_config.shard_spec->shape.at(index) / (index == 0 ? spec.tile.height : spec.tile.width);
}

// The message is made when it is needed: most products are fine.
template <typename Message>
void require_product(bool holds, Message message) {
    require(holds, [&] { return "matmul: " + message(); });
}

void require_operand(const TensorSpec& spec, const char* argument) {
    const std::string_view dtype = name_of(spec.dtype), layout = name_of(spec.layout);
    const auto expected = [&](const char* what, std::string_view found) {
        return std::string(argument) + ": expected " + what + ", got " + std::string(found);
    };
    require_product(spec.shape.rank() > 0,
                    [&] { return expected("at least one dimension", spec.shape.to_string()); });
    require_product(spec.layout == Layout::TILE,
                    [&] { return "Inputs to matmul must be tilized: " + expected("TILE layout", layout); });
    require_product(is_floating_point(spec.dtype), [&] { return expected("a floating point dtype", dtype); });
}

// Batches of both match from the last one on, or one side has a single one.
bool batches_match(const Shape& a, const Shape& b) {
    if (batches(a) == 1 || batches(b) == 1) return true;
    const std::size_t rank = std::max(a.rank(), b.rank());
    const Shape left = a.to_rank(rank);
    const Shape right = b.to_rank(rank);
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        if (left.dimensions()[i] != right.dimensions()[i]) return false;
    }
    return true;
}

std::string text_of(Tile tile) {
    return "(" + std::to_string(tile.height) + ", " + std::to_string(tile.width) + ")";
}

// TT-NN's own statements.
void require_tiles(const MatmulProblem& problem) {
    constexpr std::uint32_t kFaceHeight = 16;
    const Tile a = problem.tile_a(), b = problem.tile_b();
    if (a == kWholeTile && b == kWholeTile && (!problem.bias || problem.bias->tile == kWholeTile)) return;
    require(a.width <= kTileWidth && a.width >= kFaceHeight && b.width >= kFaceHeight,
            "Tile size is not valid for our hardware");
    require(a.width == kTileWidth && b.height == kTileHeight,
            "Matmul inner tile dim must be 32 (hardware constraint): got in0 tile width ", a.width,
            ", in1 tile height ", b.height);
    constexpr std::uint32_t kLeastHeightOfFourBits = 4;
    require(a.height >= kLeastHeightOfFourBits || problem.a.dtype != DataType::BFLOAT4_B,
            "BFLOAT4_B matmul requires in0 tile height >= 4 (got ", a.height, ")");
    if (!problem.bias) return;
    const Tile bias = problem.bias->tile;
    require(bias == Tile{a.height, b.width}, [&] {
        return "Unsupported bias tile shape: bias tile " + text_of(bias) + " has to be (in0 tile height " +
               std::to_string(a.height) + ", in1 tile width " + std::to_string(b.width) + ")";
    });
    require(
        a.height != kTileHeight || b.width == kTileWidth,
        "matmul fused bias does not support 32x16 narrow in1 tile (in0 tile height=32, in1 tile width=16). Use "
        "tile width 32 when bias is fused, or apply bias as a post-process add.");
}

// TT-NN's own statement.
ShardSpec first_shards(std::uint64_t count, CoreCoord grid, std::uint64_t height, std::uint64_t width,
                       Tile tile, ShardOrientation orientation = ShardOrientation::ROW_MAJOR) {
    const std::uint64_t available = std::uint64_t{grid.x} * grid.y;
    require(count <= available, "Target number of cores ", count,
            " is greater than total number of available cores ", available);
    return {
        first_cores(count, grid, orientation == ShardOrientation::ROW_MAJOR),
        {static_cast<std::uint32_t>(height * tile.height), static_cast<std::uint32_t>(width * tile.width)},
        orientation};
}

struct ShardSpecOf {
    const MatmulProblem& problem;
    const DeviceDescription& device;

    ShardSpec operator()(const MatmulMultiCoreProgramConfig&) const {
        refuse_with(
            "matmul: memory_config: expected INTERLEAVED, as this product is made one tile at a time, got ",
            name_of(problem.output_memory_config.memory_layout));
    }
    ShardSpec operator()(const MatmulMultiCoreReuseProgramConfig& config) const {
        const std::uint64_t blocks = ceil_div(problem.batch_a() * problem.m_tiles(), config.per_core_M) *
                                     ceil_div(problem.n_tiles(), config.per_core_N);
        const auto& given = problem.output_memory_config.shard_spec;
        const MemoryConfig& like =
            problem.a.memory_config.is_sharded() ? problem.a.memory_config : problem.b.memory_config;
        const ShardOrientation orientation = given             ? given->orientation
                                             : like.shard_spec ? like.shard_spec->orientation
                                                               : ShardOrientation::ROW_MAJOR;
        ShardSpec spec = first_shards(blocks, config.compute_with_storage_grid_size, config.per_core_M,
                                      config.per_core_N, problem.output_tile(), orientation);
        // On the cores that the caller names, in shards of what a core makes.
        if (given) spec.grid = given->grid;
        return spec;
    }
    ShardSpec operator()(const MatmulMultiCoreReuseMultiCastProgramConfig& config) const {
        const std::uint64_t rows = ceil_div(problem.batch_a() * problem.m_tiles(), config.per_core_M);
        const std::uint64_t columns = ceil_div(problem.n_tiles(), config.per_core_N);
        CoreCoord last{static_cast<std::uint32_t>(columns - 1), static_cast<std::uint32_t>(rows - 1)};
        if (config.transpose_mcast) std::swap(last.x, last.y);
        return {CoreRange{{0, 0}, last},
                {static_cast<std::uint32_t>(config.per_core_M * problem.output_tile().height),
                 static_cast<std::uint32_t>(config.per_core_N * problem.output_tile().width)},
                config.transpose_mcast ? ShardOrientation::COL_MAJOR : ShardOrientation::ROW_MAJOR};
    }
    ShardSpec operator()(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config) const {
        const std::uint64_t rows = ceil_div(problem.batch_a() * problem.m_tiles(), config.per_core_M);
        const std::uint64_t columns = ceil_div(problem.n_tiles(), config.per_core_N);
        return first_shards(rows * columns, config.compute_with_storage_grid_size, config.per_core_M,
                            config.per_core_N, problem.output_tile());
    }
    ShardSpec operator()(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) const {
        return first_shards(ceil_div(problem.n_tiles(), config.per_core_N), device.compute_grid,
                            config.per_core_M, config.per_core_N, problem.output_tile());
    }
    ShardSpec operator()(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig&) const {
        require(problem.output_memory_config.shard_spec.has_value(),
                "Output memory config must have a shard spec for batched DRAM sharded matmul");
        return *problem.output_memory_config.shard_spec;
    }
};

}  // namespace

Shape MatmulProblem::logical_shape_a() const {
    return transposed(a.shape, transpose_a);
}
Shape MatmulProblem::logical_shape_b() const {
    return transposed(b.shape, transpose_b);
}
Tile MatmulProblem::tile_a() const {
    return transposed(a.tile, transpose_a);
}
Tile MatmulProblem::tile_b() const {
    return transposed(b.tile, transpose_b);
}
std::uint64_t MatmulProblem::batch_a() const {
    return batches(a.shape);
}
std::uint64_t MatmulProblem::batch_b() const {
    return batches(b.shape);
}
std::uint64_t MatmulProblem::m_tiles() const {
    return ceil_div(as_matrix(logical_shape_a())[-2], tile_a().height);
}
std::uint64_t MatmulProblem::k_tiles() const {
    return ceil_div(as_matrix(logical_shape_a())[-1], kTileWidth);
}
std::uint64_t MatmulProblem::n_tiles() const {
    return ceil_div(as_matrix(logical_shape_b())[-1], tile_b().width);
}
std::uint64_t MatmulProblem::a_shard_height() const {
    return shard_tiles(a, 0, false);
}
std::uint64_t MatmulProblem::a_shard_width() const {
    return shard_tiles(a, 1, false);
}
std::uint64_t MatmulProblem::b_shard_height() const {
    return shard_tiles(b, 0, transpose_b);
}
std::uint64_t MatmulProblem::b_shard_width() const {
    return shard_tiles(b, 1, transpose_b);
}

void require_tiles_of_mcast(const MatmulProblem& problem) {
    constexpr std::uint32_t kFaceHeight = 16;
    const std::uint32_t height = problem.tile_a().height;
    require(height >= kFaceHeight || !is_block_float(problem.b.dtype),
            "matmul tiny-tile combo with in1 dtype DataType::", name_of(problem.b.dtype), " and tile_h ",
            height, " is not currently supported on the mcast program config path (requires tile_h >= 16)");
}

void require_valid(const MatmulProblem& problem) {
    require_operand(problem.a, "input_tensor_a");
    require_operand(problem.b, "input_tensor_b");
    require_tiles(problem);
    const Shape a = problem.logical_shape_a();
    const Shape b = as_matrix(problem.logical_shape_b());
    const auto both = [&] { return a.to_string() + " and " + b.to_string(); };
    require_product(a[-1] == b[-2], [&] {
        return "The width of the first tensor must be equal to the height of the second tensor. Mismatch: "
               "width=" +
               std::to_string(a[-1]) + " height=" + std::to_string(b[-2]) + ", of " + both();
    });
    require_product(batches_match(a, b), [&] {
        return "bmm (non-bcast matmul) expects input tensors of shapes BCMK*BCKN=BCMN, got " + both();
    });
    if (!problem.bias) return;
    const TensorSpec& bias = *problem.bias;
    require_product(bias.layout == Layout::TILE,
                    [&] { return "bias: expected TILE layout, got " + std::string(name_of(bias.layout)); });
    require_product(bias.shape.rank() > 0 && bias.shape[-1] == b[-1], [&] {
        return "bias: expected last dimension " + std::to_string(b[-1]) + ", got " + bias.shape.to_string();
    });
    const std::uint64_t row = b[-1], rows = row * (a.rank() < 2 ? 1 : a[-2]);
    require_product(bias.shape.volume() == row || bias.shape.volume() == rows, [&] {
        return "bias: expected one row, or one for each of the product, got " + bias.shape.to_string();
    });
}

Shape output_shape(const MatmulProblem& problem) {
    const Shape a = problem.logical_shape_a();
    const Shape b = problem.logical_shape_b();
    const std::size_t rank = std::max<std::size_t>({a.rank(), b.rank(), 2});
    const Shape left = a.to_rank(rank);
    const Shape right = as_matrix(b).to_rank(rank);
    std::vector<std::uint32_t> dimensions;
    for (std::size_t i = 0; i + 2 < rank; ++i)
        dimensions.push_back(left.dimensions()[i] == 1 ? right.dimensions()[i] : left.dimensions()[i]);
    if (a.rank() > 1) dimensions.push_back(left[-2]);
    dimensions.push_back(right[-1]);
    return Shape(dimensions);
}

TensorSpec output_spec(const MatmulProblem& problem, const MatmulProgramConfig& config,
                       const DeviceDescription& device) {
    TensorSpec spec{output_shape(problem), problem.output_dtype, Layout::TILE, problem.output_memory_config};
    spec.tile = problem.output_tile();
    if (spec.memory_config.is_sharded()) {
        spec.memory_config.shard_spec = std::visit(ShardSpecOf{problem, device}, config);
    }
    return spec;
}

}  // namespace tilemeter
