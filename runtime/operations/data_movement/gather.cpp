// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/gather.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "runtime/compute/blocks.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/leading_part.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

void require_index(const TensorSpec& index) {
    require(index.dtype == DataType::UINT32 || index.dtype == DataType::UINT16,
            "gather: index tensor must be of type UINT32 or UINT16. Got: DataType::", name_of(index.dtype));
}

// In four dimensions, along the last: the row of the input from which a row of the index picks.
std::uint64_t row_picked_from(std::uint64_t row, const Shape& from, const Shape& index) {
    std::uint64_t picked = 0, pitch = 1;
    for (std::int64_t dim = 2; dim >= 0; --dim) {
        picked += row % index[dim] * pitch;
        row /= index[dim];
        pitch *= from[dim];
    }
    return picked;
}

template <typename T>
void pick(std::span<const T> values, std::span<const std::int64_t> places, std::span<T> to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        require(places[i] < static_cast<std::int64_t>(values.size()), "gather: index: expected less than ",
                values.size(), ", got ", places[i]);
        to[i] = values[static_cast<std::uint64_t>(places[i])];
    }
}

std::vector<HostArray> picked(ArraysView inputs, const TensorSpec& output) {
    const HostArray &input = *inputs[0], &index = *inputs[1];
    const std::uint64_t width = input.shape()[3], count = index.shape()[3];
    if (is_floating_point(input.dtype())) {
        constexpr std::uint64_t kSteps = 4;
        return {compute::by_blocks(
            output.dtype, output.shape, count, kSteps, [&](std::uint64_t first, std::span<float> block) {
                std::vector<std::int64_t> places(block.size());
                index.read_integers(first, places);
                const std::span<float> values = compute::block_room(0, width);
                for (std::uint64_t at = 0; at < block.size(); at += count) {
                    input.read_floats(
                        row_picked_from((first + at) / count, input.shape(), index.shape()) * width, values);
                    pick<float>(values, std::span(places).subspan(at, count), block.subspan(at, count));
                }
            })};
    }
    // Integers as such: a float does not hold all of 32 bits.
    const std::vector<std::int64_t> values = input.to_integers(), places = index.to_integers();
    std::vector<std::int64_t> result(places.size());
    for (std::uint64_t at = 0; at < result.size(); at += count) {
        const std::uint64_t row = row_picked_from(at / count, input.shape(), index.shape());
        pick<std::int64_t>(std::span(values).subspan(row * width, width),
                           std::span(places).subspan(at, count), std::span(result).subspan(at, count));
    }
    return {HostArray::from_integers(result, output.dtype, output.shape)};
}

/// All but the plan, which the two programs have each their own of.
struct Gathering {
    std::size_t dim;
    MemoryConfig memory_config;
    OptionalCores sub_core_grids;

    auto attributes() const {
        constexpr bool kSparseGradient = false;
        return std::make_tuple(dim, kSparseGradient, memory_config, sub_core_grids);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        require_index(inputs[1]);
        require_on_grid(sub_core_grids, device.compute_grid, "Gather");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[1].shape, inputs[0].dtype, inputs[0].layout, memory_config}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return picked(inputs, outputs[0]);
    }
};

/// Gathers bfloat16 in tiles: each core looks up tiles of the index in a row that it keeps whole, or, of a row that it
/// has no room for, in one part of it after the other.
struct GatherCodegen : Gathering {
    static constexpr bool kKeepsProgramsByFreeL1 = true;
    static constexpr std::string_view kName = "GatherCodegenDeviceOperation";
    static constexpr std::string_view kAttributesName = "GatherCodegenParams";

    /// True if TT-NN takes it for such tensors.
    static bool takes(const TensorSpec& input, const TensorSpec& index, std::size_t axis,
                      const MemoryConfig& memory_config) {
        constexpr std::uint32_t kMostOfSixteenBits = 65536;
        return input.layout == Layout::TILE && input.dtype == DataType::BFLOAT16 &&
               !input.memory_config.is_sharded() && !index.memory_config.is_sharded() &&
               !memory_config.is_sharded() &&
               (index.dtype != DataType::UINT16 || input.shape.dimensions()[axis] <= kMostOfSixteenBits);
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const {
        constexpr std::uint64_t kTilesInFlight = 4;
        const TensorSpec &input = inputs[0], &index = inputs[1];
        const std::uint64_t value = tile_size(input.dtype), place = tile_size(index.dtype);
        const std::uint64_t columns = input.tile_columns(), picked = index.tile_columns();
        const auto program = [&](StaticName factory, std::uint64_t units, std::uint64_t in,
                                 std::uint64_t out) {
            const CoreRangeSet cores =
                sub_core_grids
                    ? split_work(units, sub_core_grids, device.compute_grid, CoreWalk::kDownColumns).cores
                    : whole_columns_and_rest(units, device);
            return ProgramPlan{
                {factory, 0},
                circular_buffers({in * value, place, out * tile_size(outputs[0].dtype)}, cores)};
        };
        const std::uint64_t results = std::max(kTilesInFlight, picked);
        if (columns * value + place + results * value > free_l1_bytes) {
            return program("ttnn::prim::GatherCodegenProgramFactoryStreaming", picked,
                           part_of_row(columns, value, place, free_l1_bytes), 1);
        }
        if (picked > 1 && index.tile_rows() < device.num_compute_cores())
            return program("ttnn::prim::GatherCodegenProgramFactoryTiled", num_tiles(index), columns,
                           results);
        return program("ttnn::prim::GatherCodegenProgramFactoryInterleaved", index.tile_rows(), columns,
                       results);
    }

private:
    // Parts of the same length, as few as fit.
    static std::uint64_t part_of_row(std::uint64_t columns, std::uint64_t value, std::uint64_t place,
                                     std::uint64_t free_l1_bytes) {
        constexpr std::uint64_t kLeast = 2;
        const std::uint64_t others = value + place;
        const std::uint64_t room = free_l1_bytes > others ? (free_l1_bytes - others) / value : 0;
        const std::uint64_t most = std::min(std::max(room, kLeast), columns);
        return ceil_div(columns, ceil_div(columns, most));
    }
};

struct GatherOperation : Gathering {
    static constexpr std::string_view kName = "GatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "GatherParams";

    // A core takes whole rows; of wide rows, of either tensor in tiles, all cores take a part of each.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kWidestForOneCore = 60;
        const TensorSpec &input = inputs[0], &index = inputs[1], &output = outputs[0];
        const auto split = [&](std::uint64_t units) {
            return split_work(units, sub_core_grids, device.compute_grid, CoreWalk::kAlongRows);
        };
        if (input.layout == Layout::ROW_MAJOR) {
            const bool shared = row_elements(index) > kWidestForOneCore * kTileWidth;
            const WorkSplit work = split(shared ? row_elements(index) : num_rows(index));
            const std::uint64_t elements = shared ? work.most : row_elements(index);
            return {{shared ? "ttnn::prim::GatherDeviceOperation::RmSingleRowMultiCore"
                            : "ttnn::prim::GatherDeviceOperation::RmSingleRowSingleCore",
                     shared ? 1U : 0U},
                    circular_buffers(
                        {(shared ? kRowsInFlight : 1) * row_bytes(input),
                         elements * element_size(index.dtype), elements * element_size(output.dtype)},
                        work.cores)};
        }
        const bool shared = std::max(input.tile_columns(), index.tile_columns()) > kWidestForOneCore;
        const WorkSplit work = split(shared ? index.tile_columns() : index.tile_rows());
        return {
            {shared ? "ttnn::prim::GatherDeviceOperation::SingleRowMultiCore"
                    : "ttnn::prim::GatherDeviceOperation::SingleRowSingleCore",
             shared ? 1U : 0U},
            circular_buffers({(shared ? kTilesOfSharedRow : input.tile_columns()) * tile_size(input.dtype),
                              tile_size(index.dtype), tile_size(output.dtype)},
                             work.cores)};
    }

private:
    static constexpr std::uint64_t kTilesOfSharedRow = 2;
    static constexpr std::uint64_t kRowsInFlight = 2;
};

Tensor with_padding_filled(const Tensor& tensor) {
    return has_padding(tensor) ? fill_padding(tensor, 0.0F) : tensor;
}

// The rows of the input that the index has, its padding included, which TT-NN takes for rows.
Shape part_for(const Tensor& input, const Tensor& index) {
    Shape shape = index.padded_shape();
    shape.set(3, input.shape()[3]);
    return shape;
}

// A tensor of more than four dimensions, with the leading ones as one.
Tensor with_4_dimensions(const Tensor& tensor) {
    constexpr std::size_t kRank = 4;
    return tensor.shape().rank() <= kRank ? unscoped::unsqueeze_to_4D(tensor)
                                          : unscoped::squeeze_from_4D(tensor, kRank);
}

Tensor gathered(const Tensor& input, std::int64_t dim, const Tensor& index,
                const OptionalMemoryConfig& memory_config, const OptionalTensor& out,
                const OptionalCores& sub_core_grids = std::nullopt) {
    const std::size_t rank = input.shape().rank();
    require(index.shape().rank() == rank && rank != 0, "gather: index: expected the rank of the input (",
            input.shape(), "), got ", index.shape());
    const std::size_t axis = input.shape().position(dim);
    const bool last = axis + 1 == rank;
    const auto from = static_cast<std::int64_t>(axis);
    ScopedTensor out_moved{Tensor()};  // is let go last
    const ScopedTensor index_moved(last ? Tensor() : unscoped::transpose(index, from, -1));
    const Tensor places = with_padding_filled(with_4_dimensions(last ? index : *index_moved));
    ScopedTensor input_moved(last ? Tensor() : unscoped::transpose(input, from, -1));
    if (rank > 4) {
        // The dimensions that become one of four are as large in both.
        Tensor whole = last ? input : *input_moved;
        Shape shape = whole.shape();
        for (std::size_t i = 0; i + 3 < rank; ++i)
            shape.set(static_cast<std::int64_t>(i), (last ? index : *index_moved).shape().dimensions()[i]);
        if (shape != whole.shape()) {
            input_moved = leading_part(std::move(whole), shape, input.memory_config());
        }
    }
    const Tensor& moved = *input_moved;
    Tensor values = with_4_dimensions(moved.is_allocated() ? moved : input);
    ScopedTensor part{Tensor()};
    if (const Shape shape = part_for(values, places); shape != values.shape()) {
        part = leading_part(values, shape, input.memory_config());
        values = with_padding_filled(*part);
        const ScopedTensor no_longer_needed(input_moved.take());
    } else {
        values = with_padding_filled(values);
    }
    const MemoryConfig config = memory_config.value_or(out ? out->memory_config() : input.memory_config());
    const bool generated = GatherCodegen::takes(input.spec(), index.spec(), axis, config);
    // Along another dimension TT-NN writes into a transposed copy of what is given, and returns new memory.
    OptionalTensor room;
    if (out) {
        if (!last) out_moved = unscoped::transpose(*out, from, -1);
        room = with_padding_filled(with_4_dimensions(last ? *out : *out_moved));
    }
    const auto picked_from = [&](const auto& operation) { return launch(operation, {values, places}, room); };
    Tensor result = generated ? picked_from(GatherCodegen{{axis, config, sub_core_grids}})
                              : picked_from(GatherOperation{{axis, config, sub_core_grids}});
    values = Tensor();
    result = rank <= 4 ? unscoped::squeeze_from_4D(result, rank)
                       : unscoped::reshape(result, last ? index.shape() : index_moved->shape());
    if (!last) result = unscoped::transpose(result, from, -1, index.memory_config());
    return result;
}

}  // namespace

Tensor index_of_channels(const Tensor& index, const Tensor& input) {
    const Shape &picks = index.shape(), &rows = input.shape();
    require(rows.rank() == 3, "According to TOSA specification, input tensor must be of rank 3, it is ",
            rows.rank(), " instead.");
    require(picks.rank() == 2, "Index tensor rank must be 2, got: ", picks.rank());
    require(picks[0] == rows[0],
            "Index tensor first dimension must be equal to input tensor first dimension");
    const ScopedTensor column(unscoped::reshape(index, {picks[0], picks[1], 1}));
    return unscoped::repeat(*column, {1, 1, rows[2]});
}

Tensor TosaGather::call() const {
    return in_operation(*this, [&] {
        require_on_device(input, "tosa_gather", "input");
        require_on_device(index, "tosa_gather", "index");
        const ScopedTensor picks(index_of_channels(index, input));
        return gathered(input, 1, *picks, memory_config, std::nullopt);
    });
}

Tensor Gather::call() const {
    return in_operation(*this, [&] {
        require_on_device(input, "gather", "input");
        require_on_device(index, "gather", "index");
        require(input.shape().rank() > 1 || input.layout() == Layout::ROW_MAJOR,
                "gather: input: Can't convert shape rank: expected at least two dimensions "
                "in TILE layout, got ",
                input.shape());
        return gathered(input, dim, index, memory_config, out, sub_core_grids);
    });
}

}  // namespace tilemeter
