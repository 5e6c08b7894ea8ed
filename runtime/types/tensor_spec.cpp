// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/tensor_spec.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "capture/record/placement.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "runtime/types/interning_cache.hpp"
#include "runtime/types/rounding.hpp"
#include "runtime/types/runtime_error.hpp"
#include "runtime/types/tile_text.hpp"

namespace tilemeter {

namespace {

// Rows and columns of the tensor as a matrix: all dimensions but the last fold into the rows.
struct Matrix {
    std::uint64_t rows;
    std::uint64_t columns;
};

Matrix as_matrix(const Shape& shape) {
    if (shape.rank() == 0) return {1, 1};
    const std::uint64_t columns = shape[-1];
    return {columns == 0 ? 0 : shape.volume() / columns, columns};
}

std::string text_of(Tile tile) {
    return "{" + std::to_string(tile.height) + ", " + std::to_string(tile.width) + "}";
}

const ShardSpec& shard_spec_of(const TensorSpec& spec) {
    if (!spec.memory_config.shard_spec) {
        throw RuntimeError("MemoryConfig must have Shard Spec specified for sharded memory layout");
    }
    const ShardSpec& shard = *spec.memory_config.shard_spec;
    if (shard.shape[0] == 0 || shard.shape[1] == 0 || shard.grid.empty()) {
        throw RuntimeError("shard spec: expected a shard of at least one element on at least one core");
    }
    if (spec.layout == Layout::TILE &&
        (shard.shape[0] % spec.tile.height != 0 || shard.shape[1] % spec.tile.width != 0)) {
        throw RuntimeError("Physical shard shape (" + std::to_string(shard.shape[0]) + ", " +
                           std::to_string(shard.shape[1]) + ") must be tile " + text_of(spec.tile) +
                           " sized!");
    }
    return shard;
}

std::uint64_t shards_needed(const Matrix& matrix, const ShardSpec& shard) {
    return ceil_div(matrix.rows, shard.shape[0]) * ceil_div(matrix.columns, shard.shape[1]);
}

void require_at_most(std::uint64_t shards, const char* along, std::uint64_t most, const std::string& of) {
    if (shards <= most) return;
    throw RuntimeError("Number of shards along " + std::string(along) + " " + std::to_string(shards) +
                       " must not exceed number of " + of);
}

// TT-NN's own statements.
void require_shards_fit(const TensorSpec& spec, const ShardSpec& shard, const Matrix& matrix) {
    const MemoryConfig& config = spec.memory_config;
    const std::uint64_t along_height = ceil_div(matrix.rows, shard.shape[0]);
    const std::uint64_t along_width = ceil_div(matrix.columns, shard.shape[1]);
    const std::uint64_t cores = shard.grid.num_cores();
    const std::string of_cores = "cores " + std::to_string(cores);
    if (config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        if (shard.shape[1] != matrix.columns) {
            throw RuntimeError("Shard width " + std::to_string(shard.shape[1]) +
                               " must match physical width " + std::to_string(matrix.columns) +
                               " for height sharded");
        }
        require_at_most(along_height, "height", cores, of_cores);
    } else if (config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED) {
        if (shard.shape[0] != matrix.rows) {
            throw RuntimeError("Shard height " + std::to_string(shard.shape[0]) +
                               " must match physical height " + std::to_string(matrix.rows) +
                               " for width sharded");
        }
        require_at_most(along_width, "width", cores, of_cores);
    } else if (config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        const CoreRange box = shard.grid.bounding_box();
        if (shard.grid.ranges().size() != 1)
            throw RuntimeError("Shard grid must be one full rectangular grid for block sharded!");
        const std::uint64_t columns = box.end.x - box.start.x + 1;
        const std::uint64_t rows = box.end.y - box.start.y + 1;
        const std::string of_rows = "rows " + std::to_string(rows);
        const std::string of_columns = "columns " + std::to_string(columns);
        if (shard.orientation == ShardOrientation::ROW_MAJOR) {
            require_at_most(along_height, "height", rows, of_rows + " for row major orientation!");
            require_at_most(along_width, "width", columns, of_columns + " for row major orientation!");
        } else {
            require_at_most(along_height, "height", columns, of_columns + " for column major orientation!");
            require_at_most(along_width, "width", rows, of_rows + " for column major orientation!");
        }
    }
    if (spec.shape.rank() <= 1 && spec.layout == Layout::ROW_MAJOR && shard.shape[0] != 1)
        throw RuntimeError("Shard shape must be 1D for 1D tensor!");
}

// Rows of elements fill their shards, of whichever kind these are: their number of elements is a multiple of this.
std::uint64_t row_step(const MemoryConfig& config) {
    if (config.nd_shard_spec) return std::max<std::uint64_t>(config.nd_shard_spec->shape[-1], 1);
    return config.shard_spec ? std::max<std::uint64_t>(config.shard_spec->shape[1], 1) : 1;
}

}  // namespace

Shape TensorSpec::padded_shape() const {
    const bool aligned = alignment != std::array<std::uint32_t, 2>{};
    if (layout == Layout::ROW_MAJOR && !aligned) {
        const std::uint64_t step = row_step(memory_config);
        if (step == 1) return shape;
        // One element fills a shard, too.
        if (shape.rank() == 0)
            return memory_config.shard_spec ? Shape{static_cast<std::uint32_t>(step)} : shape;
        Shape whole = shape;
        whole.set(-1, static_cast<std::uint32_t>(round_up(shape[-1], step)));
        return whole;
    }
    Shape padded = shape.rank() < 2 ? shape.to_rank(2) : shape;
    const auto pad = [&](int dimension, std::uint64_t multiple) {
        padded.set(dimension, static_cast<std::uint32_t>(round_up(padded[dimension], multiple)));
    };
    if (layout == Layout::TILE) {
        pad(-1, tile.width);
        pad(-2, tile.height);
    }
    if (alignment[1] != 0) pad(-1, alignment[1]);
    if (alignment[0] != 0) pad(-2, alignment[0]);
    return padded;
}

std::uint64_t TensorSpec::tile_rows() const {
    const Matrix matrix = as_matrix(padded_shape());
    return matrix.rows / tile.height;
}

std::uint64_t TensorSpec::tile_columns() const {
    return as_matrix(padded_shape()).columns / tile.width;
}

namespace {

// TT-NN's own statements.
void require_possible(const TensorSpec& spec, const NdShardSpec& shards) {
    const Shape& shard = shards.shape;
    if (shard.rank() == 0 || shard.volume() == 0 || shards.grid.empty())
        throw RuntimeError("shard spec: expected a shard of at least one element on at least one core");
    if (shard.rank() > std::max<std::size_t>(spec.shape.rank(), 1)) {
        throw RuntimeError("Tensor shape rank (" +
                           std::to_string(std::max<std::size_t>(spec.shape.rank(), 1)) +
                           ") can't be less than shard shape rank (" + std::to_string(shard.rank()) + ")!");
    }
    if (spec.layout == Layout::TILE &&
        (shard.rank() < 2 || shard[-2] % spec.tile.height != 0 || shard[-1] % spec.tile.width != 0)) {
        throw RuntimeError("Physical shard shape " + shard.to_string() + " must be tile " +
                           text_of(spec.tile) + " sized!");
    }
    if (shards.strategy == ShardDistributionStrategy::CONTIGUOUS_1D)
        throw NotModelledError("NdShardSpec: shard_distribution_strategy: CONTIGUOUS_1D is not modelled");
    if (shards.strategy != ShardDistributionStrategy::GRID_2D) return;
    if (shard.rank() > 2) throw RuntimeError("2D grid distribution is only supported for 2D sharding!");
    if (shards.grid.ranges().size() != 1)
        throw RuntimeError("2D grid distribution is only supported for one contiguous core grid!");
}

// True if each shard has the same number of rows that follow each other, of the matrix into which all dimensions but
// the last fold.
bool has_whole_rows(const Shape& tensor, const Shape& shard) {
    const auto outer = static_cast<std::int64_t>(shard.rank()) - 1;
    std::int64_t first = 0;
    while (first < outer && shard[first] == 1)
        ++first;
    std::uint64_t before = 1;
    for (std::int64_t i = 0; i < first; ++i)
        before *= tensor[i];
    if (first < outer && before != 1 && tensor[first] % shard[first] != 0) return false;
    for (std::int64_t i = first + 1; i < outer; ++i)
        if (shard[i] != tensor[i]) return false;
    return true;
}

struct Places {
    std::uint64_t rows, columns;
};

// Cores down and along, as the orientation walks them.
Places places_in(const CoreRange& box, ShardOrientation orientation) {
    const std::uint64_t across = std::uint64_t{box.end.x} - box.start.x + 1;
    const std::uint64_t down = std::uint64_t{box.end.y} - box.start.y + 1;
    return orientation == ShardOrientation::ROW_MAJOR ? Places{down, across} : Places{across, down};
}

TensorMemoryLayout::Value layout_of(const Matrix& tensor, const Matrix& shard, bool whole_rows,
                                    const NdShardSpec& shards) {
    const std::uint64_t down = ceil_div(tensor.rows, shard.rows),
                        across = ceil_div(tensor.columns, shard.columns);
    if (shards.strategy == ShardDistributionStrategy::GRID_2D) {
        const Places places = places_in(shards.grid.bounding_box(), shards.orientation);
        // TT-NN names the side of the grid.
        const bool by_rows = shards.orientation == ShardOrientation::ROW_MAJOR;
        const bool too_many_down = down > places.rows, too_many_across = across > places.columns;
        if (by_rows ? too_many_across : too_many_down)
            throw RuntimeError("Number of shards along width must not exceed core grid width!");
        if (by_rows ? too_many_down : too_many_across)
            throw RuntimeError("Number of shards along height must not exceed core grid height!");
        return TensorMemoryLayout::BLOCK_SHARDED;
    }
    const std::uint64_t cores = shards.grid.num_cores();
    if (!whole_rows) return TensorMemoryLayout::ND_SHARDED;
    if (shard.rows == tensor.rows && across <= cores) return TensorMemoryLayout::WIDTH_SHARDED;
    if (shard.columns == tensor.columns && down <= cores) return TensorMemoryLayout::HEIGHT_SHARDED;
    if (shards.grid.ranges().size() != 1) return TensorMemoryLayout::ND_SHARDED;
    const Places places = places_in(shards.grid.bounding_box(), shards.orientation);
    // Whole lines of cores along x: those of a row of shards, or of a column.
    const bool lines = shards.orientation == ShardOrientation::ROW_MAJOR
                           ? down <= places.rows && across == places.columns
                           : down == places.rows && across <= places.columns;
    return lines ? TensorMemoryLayout::BLOCK_SHARDED : TensorMemoryLayout::ND_SHARDED;
}

// Pages of whole tensors and of shards: tiles, or the rows of a shard's width.
PageGeometry geometry_of_nd_shards(const TensorSpec& spec, PageGeometry geometry) {
    const NdShardSpec& shards = *spec.memory_config.nd_shard_spec;
    const Shape padded = spec.padded_shape().to_rank(shards.shape.rank());
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < padded.rank(); ++i)
        count *= ceil_div(padded.dimensions()[i], shards.shape.dimensions()[i]);
    std::uint64_t elements = std::uint64_t{spec.tile.height} * spec.tile.width;
    if (spec.layout != Layout::TILE) {
        elements = shards.shape[-1];
        geometry.page_size_bytes = elements * element_size(spec.dtype);
        geometry.num_pages = padded.volume() / elements;
    }
    const std::uint64_t cores = shards.grid.num_cores();
    geometry.pages_per_shard = ceil_div(count, cores) * (shards.shape.volume() / elements);
    geometry.num_shards = static_cast<std::uint32_t>(std::min(count, cores));
    return geometry;
}

}  // namespace

TensorSpec placed_shards(TensorSpec spec) {
    MemoryConfig& config = spec.memory_config;
    if (!config.nd_shard_spec) return spec;
    const NdShardSpec& shards = *config.nd_shard_spec;
    const Shape padded = spec.padded_shape();
    // The shards of another tensor that had the same shards of rows and columns: those have to fit, too.
    if (config.shard_spec) require_shards_fit(spec, *config.shard_spec, as_matrix(padded));
    require_possible(spec, shards);
    const Matrix shard = as_matrix(shards.shape);
    config.memory_layout = layout_of(
        as_matrix(padded), shard, has_whole_rows(padded.to_rank(shards.shape.rank()), shards.shape), shards);
    config.shard_spec.reset();
    if (config.memory_layout == TensorMemoryLayout::ND_SHARDED) return spec;
    config.shard_spec =
        ShardSpec{shards.grid,
                  {static_cast<std::uint32_t>(shard.rows), static_cast<std::uint32_t>(shard.columns)},
                  shards.orientation};
    return spec;
}

PageGeometry page_geometry(const TensorSpec& spec) {
    if (is_block_float(spec.dtype) && spec.layout != Layout::TILE) {
        throw RuntimeError(std::string(name_of(spec.dtype)) +
                           " tensor: expected TILE layout, found ROW_MAJOR");
    }
    const Matrix padded = as_matrix(spec.padded_shape());
    const bool tiled = spec.layout == Layout::TILE;
    PageGeometry geometry;
    if (tiled) {
        geometry.page_size_bytes = tile_size(spec.dtype, spec.tile);
        geometry.num_pages = padded.rows / spec.tile.height * (padded.columns / spec.tile.width);
    } else {
        geometry.page_size_bytes = padded.columns * element_size(spec.dtype);
        geometry.num_pages = padded.rows;
    }
    if (!spec.memory_config.is_sharded()) return geometry;
    if (spec.memory_config.memory_layout == TensorMemoryLayout::ND_SHARDED &&
        spec.memory_config.nd_shard_spec)
        return geometry_of_nd_shards(spec, geometry);
    const ShardSpec& shard = shard_spec_of(spec);
    require_shards_fit(spec, shard, padded);
    if (tiled) {
        geometry.pages_per_shard =
            std::uint64_t{shard.shape[0]} * shard.shape[1] / (spec.tile.height * spec.tile.width);
    } else {
        geometry.page_size_bytes = shard.shape[1] * element_size(spec.dtype);
        geometry.num_pages = padded.rows * ceil_div(padded.columns, shard.shape[1]);
        geometry.pages_per_shard = shard.shape[0];
    }
    geometry.num_shards = static_cast<std::uint32_t>(shards_needed(padded, shard));
    return geometry;
}

// A face is what of 16 x 16 elements is in the tile.
std::string to_string(Tile tile) {
    constexpr std::uint32_t kFace = 16;
    const Tile face{std::min(tile.height, kFace), kFace};
    const std::uint32_t num_faces = tile.height / face.height * (tile.width / face.width);
    return "Tile(tile_shape=" + text_of(tile) + ",face_shape=" + text_of(face) +
           ",num_faces=" + std::to_string(num_faces) + ")";
}

std::string size_text(Tile tile) {
    return std::to_string(tile.height) + " x " + std::to_string(tile.width);
}

std::string argument_text(const TensorSpec& spec, bool on_device) {
    const bool tiled = spec.layout == Layout::TILE;
    constexpr std::size_t kMostWithoutShards = 640;  // one allocation for all of these
    std::string text;
    text.reserve(kMostWithoutShards);
    text += on_device ? "Tensor(storage=DeviceStorage()" : "Tensor(storage=HostStorage()";
    text += ",tensor_spec=TensorSpec(logical_shape=" + spec.shape.to_string();
    text += ",tensor_layout=TensorLayout(dtype=DataType::" + std::string(name_of(spec.dtype));
    text += ",page_config=PageConfig(config=";
    if (tiled) {
        text += "TilePageConfig(tile=" + to_string(spec.tile) + ")";
    } else {
        text += "RowMajorPageConfig()";
    }
    text += "),memory_config=" + spec.memory_config.to_string(true);
    text += ",alignment=Alignment(";
    if (spec.alignment != std::array<std::uint32_t, 2>{}) {
        text += "[" + std::to_string(spec.alignment[0]) + ", " + std::to_string(spec.alignment[1]) + "]";
    } else {
        text += tiled ? "[" + std::to_string(spec.tile.height) + ", " + std::to_string(spec.tile.width) + "]"
                      : "[" + std::to_string(row_step(spec.memory_config)) + "]";
    }
    text += "))))";
    return text;
}

namespace {

record::TensorSpecId intern_spec(const TensorSpec& spec, bool on_device) {
    record::TensorInfo info;
    for (const std::uint32_t dimension : spec.shape.dimensions())
        info.shape.push_back(dimension);
    info.dtype = record::intern("DataType::" + std::string(name_of(spec.dtype)));
    info.layout = record::intern("Layout::" + std::string(name_of(spec.layout)));
    info.on_device = on_device;
    info.size_bytes = spec.size_bytes();
    if (on_device) {
        info.buffer_size_bytes = page_geometry(spec).size_bytes();
        info.memory = spec.memory_config.buffer_type;
        info.buffer_layout = spec.memory_config.memory_layout;
        info.memory_config = record::intern(spec.memory_config.to_string(true));
    }
    info.argument_text = record::intern(argument_text(spec, on_device));
    return record::intern(info);
}

record::PlacementId intern_placement(const TensorSpec& spec) {
    const ShardSpec& shard = shard_spec_of(spec);
    const Matrix padded = as_matrix(spec.padded_shape());
    const bool tiled = spec.layout == Layout::TILE;
    record::ShardPlacement placement;
    placement.page_rows = tiled ? padded.rows / spec.tile.height : padded.rows;
    placement.page_columns =
        tiled ? padded.columns / spec.tile.width : ceil_div(padded.columns, shard.shape[1]);
    placement.shard_page_rows = tiled ? shard.shape[0] / spec.tile.height : shard.shape[0];
    placement.shard_page_columns = tiled ? shard.shape[1] / spec.tile.width : 1;
    const bool by_rows = shard.orientation == ShardOrientation::ROW_MAJOR;
    const auto append_cores = [&](const CoreRangeSet& set) {
        for (const CoreCoord core : cores_of(set, by_rows))
            placement.cores.push_back(
                {static_cast<std::uint16_t>(core.x), static_cast<std::uint16_t>(core.y)});
    };
    if (spec.memory_config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        // Shards keep their places in the grid, also when it is wider than they need.
        const CoreRange box = shard.grid.bounding_box();
        append_cores(box);
        placement.shards_per_row =
            by_rows ? box.end.x - box.start.x + 1 : std::uint64_t{box.end.y} - box.start.y + 1;
    } else {
        append_cores(shard.grid);
        placement.shards_per_row = ceil_div(placement.page_columns, placement.shard_page_columns);
    }
    return record::intern(placement);
}

// What one thread interned lately. All of it is one thread-local variable: each takes 16 bytes of the little room that
// the C library keeps in every thread for libraries loaded late.
struct Interned {
    std::array<InterningCache<TensorSpec, record::TensorSpecId>, 2> specs;  // on the host, on a device
    InterningCache<TensorSpec, record::PlacementId> placements;
    std::array<InterningCache<MemoryConfig, record::TextId>, 2> memory_configs;  // a caller's, a tensor's
    InterningCache<Shape, record::TextId> shapes;
};

Interned& interned_by_thread() {
    thread_local const auto interned = std::make_unique<Interned>();
    return *interned;
}

}  // namespace

record::TensorSpecId record_spec(const TensorSpec& spec, bool on_device) {
    return interned_by_thread().specs[on_device ? 1 : 0].id_of(
        spec, [=](const TensorSpec& each) { return intern_spec(each, on_device); });
}

record::PlacementId record_placement(const TensorSpec& spec) {
    if (!spec.memory_config.is_sharded() || !spec.memory_config.shard_spec) return record::PlacementId::kNone;
    return interned_by_thread().placements.id_of(spec, intern_placement);
}

record::TextId record_text(const MemoryConfig& config) {
    return interned_by_thread().memory_configs[config.has_nd_shards_filled_in ? 1 : 0].id_of(
        config, [](const MemoryConfig& each) { return record::intern(each.to_string()); });
}

record::TextId record_text(const Shape& shape) {
    return interned_by_thread().shapes.id_of(
        shape, [](const Shape& each) { return record::intern(each.to_string()); });
}

}  // namespace tilemeter
