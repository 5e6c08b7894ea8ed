// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/halo.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/parallel.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/parallelization.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

std::uint64_t rows_of(const Shape& shape) {
    return shape[-1] == 0 ? 0 : shape.volume() / shape[-1];
}

DataType halo_dtype(DataType input) {
    return input == DataType::FLOAT32 || input == DataType::UINT16 ? input : DataType::BFLOAT16;
}

// The place of the cores that share out the sticks.
CoreCoord core_of_rows(const MemoryConfig& config, std::uint32_t core) {
    const CoreRange box = config.shard_spec->grid.bounding_box();
    if (config.memory_layout == TensorMemoryLayout::BLOCK_SHARDED) {
        return config.shard_spec->orientation == ShardOrientation::COL_MAJOR ? CoreCoord{core, 0}
                                                                             : CoreCoord{0, core};
    }
    const std::uint32_t columns = box.end.x - box.start.x + 1;
    return {core % columns, core / columns};
}

// From this stick of the padded image on so many are padding, or pixels that are neighbours in the input; at least 1.
std::uint64_t alike_from(const SlidingWindow& window, std::uint64_t padded_stick) {
    if (window.transposed || window.scale_height != 0 || window.scale_width != 0 || window.replicates_edges)
        return 1;
    const std::uint64_t column = padded_stick % window.padded_width();
    const std::uint64_t first = window.pad_left, last = first + window.width;
    return (column < first ? first : column < last ? last : window.padded_width()) - column;
}

// Narrower sticks are filled up with 0, wider ones cut. Those that stay as they are are left to be copied.
void copy_sticks(const std::byte* from, std::uint64_t bytes, std::byte* to, std::uint64_t bytes_out,
                 std::uint64_t count, std::vector<compute::BytesToCopy>& to_copy) {
    if (bytes == bytes_out) return to_copy.push_back({to, from, count * bytes});
    const std::uint64_t kept = std::min(bytes, bytes_out);
    for (std::uint64_t i = 0; i < count; ++i, from += bytes, to += bytes_out) {
        std::memcpy(to, from, kept);
        std::memset(to + kept, 0, bytes_out - kept);
    }
}

std::uint64_t padded_pixels(const SlidingWindow& window) {
    return std::uint64_t{window.batch} * window.padded_height() * window.padded_width();
}

// Sticks of the padded images, [begin, end), whose values are at rows from `row` on.
struct KeptSticks {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t row = 0;
};

// Cores begin to read at or behind where the core before them begins, mostly with some of the sticks that it has read:
// these are kept once. What a core reads lies in one of the runs.
std::vector<KeptSticks> kept_sticks(const SlidingWindow& window) {
    std::vector<KeptSticks> kept;
    for (const HaloShard& shard : halo_shards(window)) {
        if (kept.empty() || shard.input_begin > kept.back().end) {
            const std::uint64_t row =
                kept.empty() ? 0 : kept.back().row + kept.back().end - kept.back().begin;
            kept.push_back({shard.input_begin, shard.input_end, row});
        } else {
            kept.back().end = std::max(kept.back().end, shard.input_end);
        }
    }
    return kept;
}

}  // namespace

TensorSpec window_table(const MemoryConfig& tensor, std::uint32_t words, TableMemory memory) {
    const ShardSpec& shard = *tensor.shard_spec;
    if (memory == TableMemory::kDram) {
        const Parallelization spread{shard.grid, tensor.memory_layout, shard.orientation};
        return {Shape{spread.cores_rows(), words}, DataType::UINT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG};
    }
    const auto cores = static_cast<std::uint32_t>(shard.grid.num_cores());
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;
    if (tensor.memory_layout == TensorMemoryLayout::BLOCK_SHARDED &&
        shard.orientation == ShardOrientation::ROW_MAJOR) {
        orientation = ShardOrientation::COL_MAJOR;
    }
    return {Shape{cores, words}, DataType::UINT16, Layout::ROW_MAJOR,
            MemoryConfig{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1_SMALL,
                         ShardSpec{shard.grid, {1, words}, orientation}}};
}

HostArray padded_images(const SlidingWindow& window, const HostArray& halo, std::uint32_t channels) {
    const std::vector<KeptSticks> kept = kept_sticks(window);
    const std::uint64_t pixels = padded_pixels(window);
    const bool in_order = kept.size() == 1 && kept[0].begin == 0;
    if (in_order && halo.shape()[-1] == channels && rows_of(halo.shape()) >= pixels) return halo;
    HostArray images =
        HostArray::unwritten(halo.dtype(), {1, 1, static_cast<std::uint32_t>(pixels), channels});
    const std::uint64_t stick_bytes = halo.shape()[-1] * halo.stored_element_size();
    const std::uint64_t pixel_bytes = channels * images.stored_element_size();
    const std::span<const std::byte> sticks = halo.bytes();
    const std::span<std::byte> to = images.bytes();
    std::vector<compute::BytesToCopy> to_copy;
    std::uint64_t done = 0;
    const auto clear_to = [&](std::uint64_t end) {
        if (end > done) std::memset(to.data() + done * pixel_bytes, 0, (end - done) * pixel_bytes);
    };
    for (const KeptSticks& run : kept) {
        const std::uint64_t end = std::min(pixels, run.end);
        if (run.begin >= end) continue;
        clear_to(run.begin);
        copy_sticks(sticks.data() + run.row * stick_bytes, stick_bytes, to.data() + run.begin * pixel_bytes,
                    pixel_bytes, end - run.begin, to_copy);
        done = end;
    }
    clear_to(pixels);
    compute::parallel_copy(to_copy);
    return images;
}

std::vector<float> kept_floats(const SlidingWindow& window, const HostArray& halo) {
    const KeptSticks last = kept_sticks(window).back();
    std::vector<float> floats((last.row + last.end - last.begin) * halo.shape()[-1]);
    halo.read_floats(0, floats);
    return floats;
}

std::vector<std::uint64_t> window_rows(const SlidingWindow& window) {
    const std::vector<KeptSticks> kept = kept_sticks(window);
    const WindowOrigins origin(window);
    std::vector<std::uint64_t> rows;
    for (const HaloShard& shard : halo_shards(window)) {
        const auto run = std::find_if(kept.begin(), kept.end(), [&](const KeptSticks& each) {
            return each.begin <= shard.input_begin && shard.input_begin < each.end;
        });
        for (std::uint64_t stick = shard.output_begin; stick < shard.output_end; ++stick)
            rows.push_back(run->row + origin(stick) - run->begin);
    }
    return rows;
}

void Halo::validate(SpecsView inputs) const {
    require_valid(window, "halo");
    const TensorSpec& input = inputs[0];
    require(input.memory_config.is_sharded() && input.memory_config.shard_spec,
            "halo: expected a height, width or block sharded tensor, got ",
            name_of(input.memory_config.memory_layout));
    const std::uint64_t sticks = std::uint64_t{window.batch} * window.height * window.width;
    require(rows_of(input.shape) == sticks, "halo: expected ", sticks,
            " rows, one for each pixel of each image, got ", input.shape);
}

TensorSpecs Halo::infer(SpecsView inputs) const {
    const TensorSpec& input = inputs[0];
    ShardSpec shard = *input.memory_config.shard_spec;
    const std::uint64_t sticks = most_halo_sticks(halo_shards(window));
    shard.shape[0] = static_cast<std::uint32_t>(sticks);
    const auto channels = static_cast<std::uint32_t>(round_up(input.padded_shape()[-1], shard.shape[1]));
    return {TensorSpec{Shape{1, 1, static_cast<std::uint32_t>(sticks * window.cores_rows), channels},
                       halo_dtype(input.dtype), Layout::ROW_MAJOR,
                       MemoryConfig{input.memory_config.memory_layout, BufferType::L1, std::move(shard)}}};
}

ProgramPlan Halo::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
    constexpr int kInput = 0;
    constexpr int kOutput = 1;
    constexpr int kFirstTable = 2;
    const TensorSpec& input = inputs[0];
    const TensorSpec& output = outputs[0];
    const MemoryConfig& config = input.memory_config;
    const ShardSpec& shard = *config.shard_spec;
    const bool tiled = input.layout == Layout::TILE;
    ProgramPlan plan{{"ttnn::prim::UntilizeWithHaloProgramFactory", 0}};

    const HaloTables lists = halo_tables(window, shard.shape[0], tiled,
                                         [&](std::uint32_t core) { return core_of_rows(config, core); });
    for (const std::uint32_t words : {lists.pad[0], lists.pad[1], lists.gather[0], lists.gather[1]})
        plan.config_tensors.push_back(window_table(config, words, tables));
    plan.frees_config_tensors_in_scope = true;

    const CoreRangeSet& cores = output.memory_config.shard_spec->grid;
    const auto add = [&](std::uint64_t size, int tensor = ProgramMemory::kOwn) {
        plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, cores, tensor});
    };
    const std::uint64_t tiles_of_row = ceil_div(shard.shape[1], kTileWidth);
    if (tiled) {
        // Shards of images whose rows were padded to tiles have more rows than pixels.
        const std::uint64_t pixels =
            ceil_div(std::uint64_t{window.batch} * window.height * window.width, window.cores_rows);
        const std::uint64_t rows = std::min<std::uint64_t>(shard.shape[0], round_up(pixels, kTileHeight));
        add(tiles_of_row * ceil_div(rows, kTileHeight) * tile_size(input.dtype), kInput);
    } else {
        add(std::uint64_t{shard.shape[0]} * shard.shape[1] * element_size(input.dtype), kInput);
    }
    const std::uint64_t stick = round_up(shard.shape[1] * element_size(output.dtype), device.l1_alignment);
    add(output.memory_config.shard_spec->shape[0] * stick, kOutput);
    add(stick);
    add(stick);
    if (tiled) {
        // Rows of tiles become rows of sticks, two at a time, for each of the two processors.
        add(2 * tiles_of_row * tile_size(output.dtype));
        add(2 * tiles_of_row * tile_size(output.dtype));
    }
    for (std::size_t i = 0; i < plan.config_tensors.size(); ++i) {
        add(plan.config_tensors[i].shape[-1] * element_size(DataType::UINT16),
            tables == TableMemory::kDram ? ProgramMemory::kOwn : kFirstTable + static_cast<int>(i));
    }
    return plan;
}

std::vector<HostArray> Halo::compute(ArraysView inputs, SpecsView outputs) const {
    const HostArray from = compute::converted(*inputs[0], outputs[0].dtype);
    const std::uint64_t stick_bytes = from.shape()[-1] * from.stored_element_size();
    HostArray to = HostArray::unwritten(outputs[0].dtype, outputs[0].shape);
    const std::uint64_t stick_bytes_out = outputs[0].shape[-1] * to.stored_element_size();
    const HostArray padding = HostArray::from_floats(std::vector<float>(outputs[0].shape[-1], pad_value),
                                                     to.dtype(), Shape{outputs[0].shape[-1]});
    const std::byte* const sticks = from.bytes().data();
    const std::span<std::byte> bytes_out = to.bytes();
    std::byte* target = bytes_out.data();
    std::vector<compute::BytesToCopy> to_copy;
    for (const KeptSticks& kept : kept_sticks(window)) {
        for (std::uint64_t stick = kept.begin; stick < kept.end;) {
            const std::uint64_t run = std::min(alike_from(window, stick), kept.end - stick);
            const auto input = input_stick(window, stick);
            for (std::uint64_t i = 0; !input && i < run; ++i)
                std::memcpy(target + i * stick_bytes_out, padding.bytes().data(), stick_bytes_out);
            if (input)
                copy_sticks(sticks + *input * stick_bytes, stick_bytes, target, stick_bytes_out, run,
                            to_copy);
            target += run * stick_bytes_out;
            stick += run;
        }
    }
    // Pixels that no window covers; whoever takes whole images reads them.
    std::byte* const end =
        bytes_out.data() + std::min(bytes_out.size(), padded_pixels(window) * stick_bytes_out);
    if (target < end) std::fill(target, end, std::byte{0});
    compute::parallel_copy(to_copy);
    return {std::move(to)};
}

}  // namespace tilemeter
