// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/narrow.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/tensor/stored_values.hpp"
#include "runtime/types/tile_text.hpp"

namespace tilemeter {

namespace {

/// Elements first to first + count - 1 along a dimension.
struct Range {
    std::size_t dim;
    std::uint32_t first;
    std::uint32_t count;
};

/// The place of a range: the spec that its view has, and its bytes behind the tensor's address in each bank.
struct Part {
    TensorSpec spec;
    std::uint64_t offset_bytes;
};

std::uint64_t volume_between(const Shape& shape, std::size_t first, std::size_t end) {
    std::uint64_t volume = 1;
    for (std::size_t i = first; i < end; ++i)
        volume *= shape.dimensions()[i];
    return volume;
}

// The statements are TT-NN's.
Range range_of(const Narrow& arguments, const Shape& padded) {
    const auto rank = static_cast<std::int64_t>(padded.rank());
    const std::int64_t dim = arguments.dim < 0 ? arguments.dim + rank : arguments.dim;
    require(dim >= 0 && dim < rank, "Index is out of bounds for the rank, should be between 0 and ", rank - 1,
            " however is ", static_cast<std::uint64_t>(dim));
    const std::uint32_t size = padded[dim];
    const auto first =
        static_cast<std::uint32_t>(arguments.start < 0 ? arguments.start + size : arguments.start);
    const Range range{static_cast<std::size_t>(dim), first, arguments.length};
    if (first == 0 && range.count == size) return range;
    require(first < size, "Narrow start index ", first, " out of bounds for dimension ", dim, " with size ",
            size);
    require(range.count > 0 && std::uint64_t{first} + range.count <= size, "Narrow length ", range.count,
            " out of bounds for dimension ", dim, " with start index ", first, " and size ", size);
    return range;
}

void require_aligned(const TensorSpec& spec, const Range& range, std::size_t rank, std::uint64_t alignment) {
    const bool along_width = range.dim + 1 == rank;
    if (spec.layout == Layout::TILE) {
        require(spec.tile == kWholeTile, "narrow: input_tensor: expected tiles of ", size_text(kWholeTile),
                ", got ", size_text(spec.tile));
        if (range.dim + 2 < rank) return;
        const std::uint32_t side = along_width ? kTileWidth : kTileHeight;
        require(range.first % side == 0 && range.count % side == 0, "Narrowing on ",
                along_width ? "width" : "height",
                " for TILE layout requires start and length to be multiples of ",
                along_width ? "TILE_WIDTH" : "TILE_HEIGHT", " (", side, "), got start ", range.first,
                " and length ", range.count);
    } else if (along_width) {
        require(range.first % alignment == 0, "Narrowing on width for ROW_MAJOR layout requires start (",
                range.first, ") to be aligned to buffer alignment (", alignment, ")");
    }
}

// The buffer that TT-NN makes for the view has the pages of the whole one.
void require_whole_pages(std::uint64_t size_bytes, std::uint64_t page_bytes) {
    require(size_bytes % page_bytes == 0, "For valid non-interleaved buffers page size ", page_bytes,
            " must equal buffer size ", size_bytes,
            ". For interleaved-buffers, buffer size should be divisible by the page size");
}

Part part_of_pages(const Tensor& input, const Range& range, const BufferGeometry& buffer) {
    const Shape padded = input.padded_shape();
    const DeviceDescription& device = input.device().description();
    require(volume_between(padded, 0, range.dim) == 1, "Narrowing on dimension ", range.dim,
            " for DRAM INTERLEAVED tensors requires all preceding dimensions to be trivial (size 1). Got "
            "non-trivial dimensions before dimension ",
            range.dim, ".");
    const std::uint64_t before = range.first * volume_between(padded, range.dim + 1, padded.rank());
    const std::uint64_t page_elements = input.layout() == Layout::TILE
                                            ? std::uint64_t{kTileHeight} * kTileWidth
                                            : buffer.page_size_bytes / element_size(input.dtype());
    const std::uint64_t banks = num_banks_of(BufferType::DRAM, device);
    const std::uint64_t page = before / page_elements;
    require(page % banks == 0,
            "Start page ID must be aligned with number of banks for INTERLEAVED DRAM buffer");
    require_whole_pages(buffer.size_bytes * range.count / padded.dimensions()[range.dim],
                        buffer.page_size_bytes);
    TensorSpec spec = input.spec();
    spec.shape.set(static_cast<std::int64_t>(range.dim), range.count);
    const std::uint64_t aligned_page =
        (buffer.page_size_bytes + device.dram_alignment - 1) / device.dram_alignment * device.dram_alignment;
    return {std::move(spec), page / banks * aligned_page};
}

/// Shards in TT-NN's order, and how many lie side by side.
struct Shards {
    std::vector<CoreCoord> cores;
    std::uint64_t per_row;
};

Shards shards_of(const MemoryConfig& memory, std::uint64_t rows_of_shards, std::uint64_t columns_of_shards) {
    const ShardSpec& shard = *memory.shard_spec;
    const bool by_rows = shard.orientation == ShardOrientation::ROW_MAJOR;
    Shards shards{cores_of(shard.grid, by_rows), columns_of_shards};
    if (memory.memory_layout != TensorMemoryLayout::BLOCK_SHARDED) {
        shards.cores.resize(std::min<std::size_t>(shards.cores.size(), rows_of_shards * columns_of_shards));
        return shards;
    }
    const CoreCoord corner = shard.grid.bounding_box().start;
    std::erase_if(shards.cores, [&](CoreCoord core) {
        const std::uint64_t x = core.x - corner.x, y = core.y - corner.y;
        return (by_rows ? y : x) >= rows_of_shards || (by_rows ? x : y) >= columns_of_shards;
    });
    return shards;
}

Part part_of_shards(const Tensor& input, const Range& range, const BufferGeometry& buffer) {
    const MemoryConfig& memory = input.memory_config();
    const Shape padded = input.padded_shape();
    const bool tiled = input.layout() == Layout::TILE;
    const auto [shard_rows, shard_columns] = memory.shard_spec->shape;
    const std::uint64_t page_rows = tiled ? kTileHeight : 1,
                        page_columns = tiled ? kTileWidth : shard_columns;
    const std::uint64_t pages_wide = shard_columns / page_columns;  // of a shard
    const bool along_width = range.dim + 1 == padded.rank();

    // The range in rows or columns of the matrix that shards are cut from, of one block of the dimensions before it.
    const std::uint64_t each = along_width ? 1 : volume_between(padded, range.dim + 1, padded.rank() - 1);
    const std::uint64_t first = range.first * each, count = range.count * each;
    const std::uint64_t side = along_width ? shard_columns : shard_rows;
    ShardSpec shard = *memory.shard_spec;
    std::uint64_t page_offset = 0;
    if ((!along_width || shard_rows == page_rows) && first % side + count <= side) {
        shard.shape[along_width ? 1 : 0] = static_cast<std::uint32_t>(count);
        page_offset = along_width ? first % side / page_columns : first % side / page_rows * pages_wide;
    } else {
        require(first % side == 0 && count % side == 0, "Narrowing on ", along_width ? "" : "non-",
                "last dimension for L1 sharded tensor only supports full shards or splitting within single "
                "shard. Got start ",
                range.first, " and length ", range.count, " with shard shape (", shard_rows, ", ",
                shard_columns, ")");
    }
    require(shard.shape[1] >= page_columns, "Shard shape must have non zero volume!");

    const std::uint64_t columns = padded[-1], rows = padded.volume() / columns;
    const std::uint64_t side_by_side = (columns + page_columns - 1) / page_columns / pages_wide;
    const Shards shards = shards_of(memory, (rows + shard_rows - 1) / shard_rows,
                                    (columns + shard_columns - 1) / shard_columns);
    // TT-NN counts the shards of a row without one that is not full.
    const std::uint64_t per_row = std::max<std::uint64_t>(side_by_side, 1);
    const std::uint64_t page_side = along_width ? page_columns : page_rows;
    const std::uint64_t block = padded.dimensions()[range.dim] * each / page_side;
    std::vector<CoreCoord> cores;
    for (std::size_t i = 0; i < shards.cores.size(); ++i) {
        const std::uint64_t at = along_width
                                     ? i % per_row * (side / page_side) + page_offset
                                     : (i / per_row * (side / page_side) + page_offset / pages_wide) % block;
        if (at >= first / page_side && at < (first + count) / page_side) cores.push_back(shards.cores[i]);
    }
    require(!cores.empty(), "Can't distribute non zero volume tensor over an empty set of cores");
    require_whole_pages(buffer.size_bytes * range.count / padded.dimensions()[range.dim],
                        buffer.page_size_bytes);

    if (shard.orientation == ShardOrientation::ROW_MAJOR ||
        memory.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        shard.grid = merge_cores(std::move(cores));
    } else {
        std::vector<CoreRange> singles;
        for (const CoreCoord core : cores)
            singles.push_back({core, core});
        shard.grid = CoreRangeSet(std::move(singles));
    }
    TensorSpec spec = input.spec();
    spec.shape.set(static_cast<std::int64_t>(range.dim), range.count);
    spec.memory_config.shard_spec = std::move(shard);
    const std::uint64_t alignment = input.device().description().l1_alignment;
    return {std::move(spec),
            page_offset * ((buffer.page_size_bytes + alignment - 1) / alignment * alignment)};
}

/// The values of a range of a tensor; what of it is padding reads as zeros and is not written.
class ValuesOfRange : public PartOfValues {
public:
    ValuesOfRange(const TensorSpec& whole, const TensorSpec& part, const Range& range)
        : whole_(whole.shape), part_(part.shape), dtype_(whole.dtype), range_(range) {}

    ChipValues take(const ChipValues& whole) const override {
        ChipValues parts;
        for (const HostArray& each : of_tensor(whole)) {
            HostArray part(dtype_, part_);
            copy(each.bytes().data(), part.bytes().data(), each.stored_element_size(), false);
            parts.push_back(std::move(part));
        }
        return parts;
    }

    ChipValues put(const ChipValues* whole, const ChipValues& part) const override {
        ChipValues all =
            whole == nullptr ? ChipValues(part.size(), HostArray(dtype_, whole_)) : of_tensor(*whole);
        if (all.size() < part.size()) all.resize(part.size(), HostArray(all.front()));
        for (std::size_t chip = 0; chip < all.size(); ++chip) {
            const HostArray& from = part[part.size() == 1 ? 0 : chip];
            copy(from.bytes().data(), all[chip].bytes().data(), from.stored_element_size(), true);
        }
        return all;
    }

private:
    // As the tensor that was narrowed has them: its memory may hold its padding, too.
    ChipValues of_tensor(const ChipValues& stored) const {
        if (stored.front().size() == whole_.volume()) return stored;
        return *values_of_tensor(std::make_shared<const ChipValues>(stored), whole_, dtype_, std::nullopt,
                                 stored.size());
    }

    // From the whole to the part, or back.
    void copy(const std::byte* from, std::byte* to, std::uint64_t element_bytes, bool back) const {
        const std::uint64_t size = whole_.dimensions()[range_.dim];
        if (range_.first >= size) return;
        const std::uint64_t each = volume_between(whole_, range_.dim + 1, whole_.rank()) * element_bytes;
        const std::uint64_t bytes = std::min<std::uint64_t>(range_.count, size - range_.first) * each;
        const std::uint64_t blocks = volume_between(whole_, 0, range_.dim);
        for (std::uint64_t block = 0; block < blocks; ++block) {
            const std::uint64_t in_whole = (block * size + range_.first) * each;
            const std::uint64_t in_part = block * range_.count * each;
            std::memcpy(to + (back ? in_whole : in_part), from + (back ? in_part : in_whole), bytes);
        }
    }

    Shape whole_, part_;
    DataType dtype_;
    Range range_;
};

}  // namespace

Tensor Narrow::body() const {
    const Shape padded = input_tensor.padded_shape();
    const Range range = range_of(*this, padded);
    if (range.first == 0 && range.count == padded.dimensions()[range.dim]) return input_tensor;
    require(input_tensor.storage_type() == StorageType::DEVICE,
            "NarrowOperation currently only supports DEVICE tensors, got StorageType::HOST");
    require_on_device(input_tensor, "narrow", "input_tensor");
    const std::size_t rank = input_tensor.shape().rank();
    require(range.dim < rank, "ShapeBase[] index out of range. ", range.dim, " not in [-4, ", rank, ")");

    const TensorSpec& spec = input_tensor.spec();
    const DeviceDescription& device = input_tensor.device().description();
    const bool in_dram = spec.memory_config.buffer_type == BufferType::DRAM;
    require_aligned(spec, range, rank, in_dram ? device.dram_alignment : device.l1_alignment);
    const bool in_l1 = spec.memory_config.buffer_type == BufferType::L1;
    require(in_dram != spec.memory_config.is_sharded() && (in_dram || in_l1),
            "Narrowing for the given tensor configuration is not yet implemented."
            "Supported: DRAM INTERLEAVED tensors on first non-trivial dimension, L1 sharded tensors with "
            "restrictions.");
    const BufferGeometry buffer = buffer_geometry(spec, device);
    Part part =
        in_dram ? part_of_pages(input_tensor, range, buffer) : part_of_shards(input_tensor, range, buffer);

    std::shared_ptr<Buffer> memory =
        Buffer::part_of(input_tensor.shared_buffer(), plan_buffer(part.spec, device), part.offset_bytes,
                        std::make_shared<ValuesOfRange>(spec, part.spec, range));
    Tensor narrowed = Tensor::on_device(std::move(part.spec), std::move(memory), true);
    if (input_tensor.chip()) narrowed = Tensor::of_chip(narrowed, *input_tensor.chip());
    narrowed.set_distribution(input_tensor.distribution());
    return narrowed;
}

}  // namespace tilemeter
