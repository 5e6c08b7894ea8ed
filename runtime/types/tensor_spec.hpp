// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The spec of a tensor: shape, element type, page layout and memory config, and the padding and pages that
// follow from them on any device. The bytes per bank depend on the device (device/buffer_geometry.hpp).
//
// The rules, found by recordings of TT-NN 0.81.1: a page is a tile (TILE) or one row (ROW_MAJOR, of the tensor or of
// the shard). Tiles pad the last two dimensions to their size. A buffer's size is pages times page size.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "capture/events/ids.hpp"
#include "runtime/types/dtype.hpp"
#include "runtime/types/memory_config.hpp"
#include "runtime/types/shape.hpp"

namespace tilemeter {

struct TensorSpec {
    Shape shape;  ///< logical
    DataType dtype = DataType::BFLOAT16;
    Layout layout = Layout::ROW_MAJOR;
    MemoryConfig memory_config;
    /// The multiples that the last two dimensions are rounded up to beyond the layout's: whole shards of the
    /// input of a convolution. 0: none.
    std::array<std::uint32_t, 2> alignment{};
    /// The tiles of a TILE tensor. ROW_MAJOR: always 32 x 32.
    Tile tile{};

    /// TILE: the last two dimensions rounded up to tiles (rank 1 counts as [1, n]); ROW_MAJOR: the shape itself, of
    /// nd_shard_spec with the last dimension in whole shards; both then to `alignment`.
    Shape padded_shape() const;

    /// Logical elements times element size, as tensor nodes of reports say.
    std::uint64_t size_bytes() const { return shape.volume() * element_size(dtype); }

    /// Rows and columns of tiles of the whole tensor, padded, batch dimensions folded into the rows.
    /// REQUIRES: TILE.
    std::uint64_t tile_rows() const;
    std::uint64_t tile_columns() const;

    friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

/// The spec with the shards of its config (nd_shard_spec) as TT-NN places them: shards of whole rows, of whole columns
/// or of both, one for each core at most, become HEIGHT_SHARDED, WIDTH_SHARDED or BLOCK_SHARDED with a shard_spec;
/// others stay ND_SHARDED. Without nd_shard_spec: as it is. Throws RuntimeError for shards that can't be.
TensorSpec placed_shards(TensorSpec spec);

/// The pages of a tensor, as far as they do not depend on the device.
struct PageGeometry {
    std::uint64_t page_size_bytes = 0;  ///< not aligned
    std::uint64_t num_pages = 0;        ///< of the whole tensor
    std::uint64_t pages_per_shard = 0;  ///< 0: interleaved; ND_SHARDED: of all shards that a core has
    std::uint32_t num_shards = 0;       ///< 0: interleaved; ND_SHARDED: cores that have some

    std::uint64_t size_bytes() const { return num_pages * page_size_bytes; }
};

/// Throws RuntimeError for an impossible spec: a sharded config without a shard spec, a tiled shard that is
/// no multiple of a tile, a block format that is not tiled.
PageGeometry page_geometry(const TensorSpec& spec);

/// "Tensor(storage=DeviceStorage(),tensor_spec=TensorSpec(...))": the tensor as TT-NN writes it among
/// arguments.
std::string argument_text(const TensorSpec& spec, bool on_device);

/// The spec's TensorInfo, interned for recording.
record::TensorSpecId record_spec(const TensorSpec& spec, bool on_device);

/// The order of its pages over the cores of its shard grid, interned for recording; kNone if it is not
/// sharded.
record::PlacementId record_placement(const TensorSpec& spec);

/// Texts of arguments, interned for recording.
record::TextId record_text(const MemoryConfig& config);
record::TextId record_text(const Shape& shape);

}  // namespace tilemeter
