// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/internal/padded_slice.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/parallel.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/sliding_window/parallelization.hpp"
#include "runtime/operations/work/largest_divisor.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

constexpr std::size_t kRank = 4;

void require_part(const char* operation, const Shape& begin, const Shape& end, const Shape& whole) {
    bool fits = begin.rank() == kRank && end.rank() == kRank && whole.rank() == kRank;
    for (std::size_t i = 0; fits && i < kRank; ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        fits = begin[axis] < end[axis] && end[axis] <= whole[axis];
    }
    require(fits, operation, ": from ", begin, " to ", end, ": expected a part of ", whole);
}

std::uint64_t pixels_of(const Shape& begin, const Shape& end) {
    return std::uint64_t{end[0] - begin[0]} * (end[1] - begin[1]) * (end[2] - begin[2]);
}

std::uint32_t cores_of_channels(const MemoryConfig& config) {
    return Parallelization{config.shard_spec->grid, config.memory_layout, config.shard_spec->orientation}
        .cores_channels();
}

// Tiles that the columns of a shard lie in, of the shard that needs most.
std::uint64_t most_tiles_of_columns(std::uint64_t channels, std::uint64_t shard) {
    std::uint64_t most = 1;
    for (std::uint64_t begin = 0; begin < channels; begin += shard)
        most = std::max(most, ceil_div(begin + shard, kTileWidth) - begin / kTileWidth);
    return most;
}

// Pixels that are neighbours in the part and in the whole.
struct PixelRun {
    std::uint64_t row;    ///< of the part, the first
    std::uint64_t pixel;  ///< of the whole, the first
    std::uint64_t count;
};

// The elements of the part that are no padding of the whole, in order.
std::vector<PixelRun> pixel_runs(const Shape& begin, const Shape& end, const Shape& whole) {
    std::vector<PixelRun> runs;
    std::uint64_t row = 0;
    const std::uint32_t last = std::min(end[2], whole[2]);
    for (std::uint32_t image = begin[0]; image < end[0]; ++image) {
        for (std::uint32_t y = begin[1]; y < end[1]; ++y, row += end[2] - begin[2]) {
            if (last <= begin[2]) continue;
            const PixelRun run{row, (std::uint64_t{image} * whole[1] + y) * whole[2] + begin[2],
                               last - begin[2]};
            const bool goes_on = !runs.empty() && runs.back().row + runs.back().count == run.row &&
                                 runs.back().pixel + runs.back().count == run.pixel;
            if (goes_on)
                runs.back().count += run.count;
            else
                runs.push_back(run);
        }
    }
    return runs;
}

// The pixels of a side: the place of the first, and the distance from one to the next.
template <typename Byte>
struct Pixels {
    Byte* first;
    std::uint64_t next;
};

// So many bytes of each pixel of the runs, whose numbers on the two sides are given.
template <typename NumberTo, typename NumberFrom>
void copy_pixels(const std::vector<PixelRun>& runs, const Pixels<std::byte>& to, NumberTo number_to,
                 const Pixels<const std::byte>& from, NumberFrom number_from, std::uint64_t bytes) {
    std::vector<compute::BytesToCopy> to_copy;
    for (const PixelRun& run : runs) {
        std::byte* const first_to = to.first + run.*number_to * to.next;
        const std::byte* const first_from = from.first + run.*number_from * from.next;
        if (to.next == bytes && from.next == bytes) {
            to_copy.push_back({first_to, first_from, run.count * bytes});
            continue;
        }
        for (std::uint64_t i = 0; i < run.count; ++i)
            std::memcpy(first_to + i * to.next, first_from + i * from.next, bytes);
    }
    compute::parallel_copy(to_copy);
}

}  // namespace

void PaddedSlice::validate(SpecsView inputs) const {
    require_part("padded_slice", begin, end, inputs[0].shape);
    require(memory_config.is_sharded() && memory_config.shard_spec,
            "padded_slice: memory_config: expected shards, got ", memory_config);
}

TensorSpecs PaddedSlice::infer(SpecsView inputs) const {
    const auto padded =
        static_cast<std::uint32_t>(round_up(end[3] - begin[3], memory_config.shard_spec->shape[1]));
    TensorSpec spec{Shape{1, 1, static_cast<std::uint32_t>(pixels_of(begin, end)), padded},
                    rows_dtype(inputs[0].dtype), Layout::ROW_MAJOR, memory_config};
    // Each shard of columns has all rows, and more where these don't fill it.
    if (memory_config.memory_layout == TensorMemoryLayout::WIDTH_SHARDED)
        spec.alignment = memory_config.shard_spec->shape;
    return {spec};
}

ProgramPlan PaddedSlice::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
    constexpr int kOutput = 1;
    const TensorSpec& input = inputs[0];
    const ShardSpec& shard = *memory_config.shard_spec;
    const std::uint64_t element = element_size(outputs[0].dtype);
    const std::uint64_t stick = shard.shape[1] * element;
    const bool tiled = input.layout == Layout::TILE;
    ProgramPlan plan{{tiled ? "ttnn::experimental::prim::PaddedSliceTileProgramFactory"
                            : "ttnn::experimental::prim::PaddedSliceRMProgramFactory",
                      tiled ? 1U : 0U}};
    const auto add = [&](std::uint64_t size, int tensor = ProgramMemory::kOwn) {
        plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, shard.grid, tensor});
    };
    if (tiled) {
        // Two rows of tiles, twice, as they are and as rows.
        const std::uint64_t tiles = 4 * most_tiles_of_columns(input.shape[-1], shard.shape[1]);
        add(tiles * tile_size(input.dtype));
        add(tiles * tile_size(outputs[0].dtype));
    }
    add(shard.shape[0] * stick, kOutput);
    const std::uint64_t pixel = (end[3] - begin[3]) * element;
    if (tiled || pixel < cores_of_channels(memory_config) * stick) add(stick);
    // Bytes that begin or end between two reads of DRAM are read around and copied.
    if (!tiled && stick % device.dram_alignment != 0)
        add(2 * (round_up(pixel, device.dram_alignment) + device.dram_alignment));
    return plan;
}

std::vector<HostArray> PaddedSlice::compute(ArraysView inputs, SpecsView outputs) const {
    const HostArray from = compute::converted(*inputs[0], outputs[0].dtype);
    const Shape& whole = inputs[0]->shape();
    const bool fills_all = end[2] <= whole[2] && outputs[0].shape[-1] == whole[-1];
    HostArray to = fills_all ? HostArray::unwritten(outputs[0].dtype, outputs[0].shape)
                             : HostArray(outputs[0].dtype, outputs[0].shape);
    const std::uint64_t pixel_bytes = whole[-1] * from.stored_element_size();
    const std::uint64_t stick_bytes = outputs[0].shape[-1] * to.stored_element_size();
    const std::byte* const pixels = from.bytes().data();
    std::byte* const sticks = to.bytes().data();
    copy_pixels(pixel_runs(begin, end, whole), {sticks, stick_bytes}, &PixelRun::row, {pixels, pixel_bytes},
                &PixelRun::pixel, pixel_bytes);
    return {std::move(to)};
}

// TT-NN's words.
void SliceWrite::validate(SpecsView inputs) const {
    const Shape whole = inputs[1].padded_shape();
    require(inputs[0].shape.rank() == begin.rank() && whole.rank() == begin.rank(),
            "Ranks of input tensor, output_tensor, slice start and slice end should be equal. Got ",
            inputs[0].shape.rank(), " ", whole.rank(), " ", begin.rank(), " ", end.rank());
    for (std::size_t i = 0; i < begin.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        require(begin[axis] < whole[axis], "Start is outside the bounds of the output tensor for index ", i,
                ". Got ", begin[axis], ". Size ", whole[axis]);
        require(end[axis] <= whole[axis], "Ends ", end[axis],
                " must be less than or equal to the shape of the tensor ", whole[axis]);
    }
    if (!inputs[0].memory_config.is_sharded()) return;
    require_part("slice_write", begin, end, whole);
    require(inputs[0].shape.volume() / inputs[0].shape[-1] == pixels_of(begin, end), [&] {
        return "slice_write: expected " + std::to_string(pixels_of(begin, end)) + " pixels, got " +
               inputs[0].shape.to_string();
    });
}

TensorSpecs SliceWrite::infer(SpecsView inputs) const {
    return {inputs[1]};
}

ProgramPlan SliceWrite::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
    const TensorSpec& part = inputs[0];
    if (part.memory_config.is_sharded()) {
        const ShardSpec& shard = *part.memory_config.shard_spec;
        const bool tiled = part.layout == Layout::TILE;
        const std::uint64_t elements = std::uint64_t{shard.shape[0]} * shard.shape[1];
        const std::uint64_t bytes = tiled ? elements / (kTileHeight * kTileWidth) * tile_size(part.dtype)
                                          : elements * element_size(part.dtype);
        return {{tiled ? "ttnn::experimental::prim::SliceWriteTiledShardedInputProgramFactory"
                       : "ttnn::experimental::prim::SliceWriteRMShardedInputProgramFactory",
                 tiled ? 2U : 1U},
                {{ProgramMemoryKind::kCircularBuffer, bytes, shard.grid, 0}}};
    }
    // So many rows at a time as a read of 4 KiB holds, twice.
    constexpr std::uint64_t kRead = 4096;
    constexpr std::uint64_t kRowsAtOnce = 32;
    const std::uint64_t alignment = std::max(page_alignment(part.memory_config, device),
                                             page_alignment(outputs[0].memory_config, device));
    const std::uint64_t row = round_up(row_bytes(part), alignment);
    const WorkSplit work = split_work(num_rows(part), device.compute_grid, CoreWalk::kDownColumns);
    const std::uint64_t rows = round_up(work.most, kRowsAtOnce);
    // Bytes before an unaligned beginning of a row are read, too.
    const std::uint64_t before =
        begin[-1] * element_size(part.dtype) % page_alignment(part.memory_config, device);
    const std::uint64_t read = round_up(row_bytes(part) + before, alignment);
    const std::uint64_t at_once = largest_divisor(rows, std::clamp<std::uint64_t>(kRead / read, 1, rows));
    ProgramPlan plan{{"ttnn::experimental::prim::SliceWriteRMInterleavedProgramFactory", 0},
                     {circular_buffer(2 * at_once * read, whole_grid(device.compute_grid))}};
    // Rows of the whole, of which every step-th element is replaced.
    if (step[-1] != 1)
        plan.memory.push_back(circular_buffer(2 * at_once * row, whole_grid(device.compute_grid)));
    return plan;
}

// Element by element, from where each row begins in the whole.
HostArray SliceWrite::written_with_steps(const HostArray& part, HostArray whole) const {
    const Shape& shape = part.shape();
    const std::size_t size = whole.stored_element_size();
    const std::byte* from = part.bytes().data();
    std::byte* const to = whole.bytes().data();
    std::vector<std::uint32_t> index(shape.rank(), 0);
    for (std::uint64_t row = 0; row < shape.volume() / shape[-1]; ++row) {
        std::uint64_t place = 0;
        for (std::size_t i = 0; i < index.size(); ++i) {
            const auto axis = static_cast<std::int64_t>(i);
            place = place * whole.shape()[axis] + begin[axis] + std::uint64_t{index[i]} * step[axis];
        }
        for (std::uint32_t x = 0; x < shape[-1]; ++x, from += size)
            std::memcpy(to + (place + std::uint64_t{x} * step[-1]) * size, from, size);
        for (std::size_t i = index.size() - 1; i-- > 0;) {
            if (++index[i] < shape[static_cast<std::int64_t>(i)]) break;
            index[i] = 0;
        }
    }
    return whole;
}

std::vector<HostArray> SliceWrite::compute(ArraysView inputs, SpecsView outputs) const {
    const Shape& whole = outputs[0].shape;
    const std::span<const std::uint32_t> steps = step.dimensions();
    const bool in_pixels =
        whole.rank() == kRank && begin[-1] == 0 && end[-1] >= whole[-1] &&
        std::all_of(steps.begin(), steps.end(), [](std::uint32_t each) { return each == 1; });
    if (!in_pixels) {
        return {written_with_steps(compute::converted(*inputs[0], outputs[0].dtype),
                                   compute::converted(*inputs[1], outputs[0].dtype).reshaped(whole))};
    }
    const HostArray part = compute::converted(*inputs[0], outputs[0].dtype);
    const HostArray before = compute::converted(*inputs[1], outputs[0].dtype);
    HostArray to = HostArray::unwritten(outputs[0].dtype, whole);
    const std::uint64_t stick_bytes = inputs[0]->shape()[-1] * part.stored_element_size();
    const std::uint64_t pixel_bytes = whole[-1] * to.stored_element_size();
    const std::byte* const sticks = part.bytes().data();
    std::byte* const pixels = to.bytes().data();
    const std::vector<PixelRun> runs = pixel_runs(begin, end, whole);
    std::vector<compute::BytesToCopy> kept;
    std::uint64_t done = 0;
    const auto keep_until = [&](std::uint64_t end_byte) {
        kept.push_back({pixels + done, before.bytes().data() + done, end_byte - done});
    };
    for (const PixelRun& run : runs) {
        keep_until(run.pixel * pixel_bytes);
        done = (run.pixel + run.count) * pixel_bytes;
    }
    keep_until(to.bytes().size());
    compute::parallel_copy(kept);
    copy_pixels(runs, {pixels, pixel_bytes}, &PixelRun::pixel, {sticks, stick_bytes}, &PixelRun::row,
                pixel_bytes);
    // The block formats share exponents between neighbours, which are new ones here and there.
    if (is_block_float(to.dtype())) return {HostArray::from_floats(to.to_floats(), to.dtype(), whole)};
    return {std::move(to)};
}

}  // namespace tilemeter
