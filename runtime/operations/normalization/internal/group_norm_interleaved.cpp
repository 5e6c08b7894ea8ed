// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/internal/group_norm_interleaved.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "runtime/compute/normalization.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

std::uint64_t tile_rows_of_image(const Shape& shape) {
    return ceil_div(shape[2], kTileHeight);
}

/// The distribution of the work over the cores; in tiles.
struct GroupNormCores {
    CoreCoord grid;  ///< those that take part
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
    std::uint64_t groups = 1;       ///< of a core
    std::uint64_t group_width = 1;  ///< tiles that a group touches at most
    std::uint64_t sharing = 1;      ///< cores that an image's rows are shared out to
    bool multicast = true;  ///< cores of an image send each other their sums; else each core has whole images
    std::uint64_t images_left = 0;  ///< rows of cores with an image more than the others
    std::uint32_t apart = 1;        ///< columns of cores between those of a row
};

bool rows_fit(std::uint64_t tile_rows, std::uint64_t virtual_rows, std::uint64_t batches) {
    if (tile_rows % virtual_rows != 0) return false;
    return std::max(virtual_rows, batches) % std::min(virtual_rows, batches) == 0;
}

GroupNormCores cores_of(const InterleavedGroupNormRequest& request, const Shape& shape,
                        const DeviceDescription& device) {
    const std::uint32_t channels = shape[3];
    const std::uint64_t tile_rows = shape[0] * tile_rows_of_image(shape);
    const std::optional<CoreCoord> largest =
        find_group_norm_grid(request.core_grid.value_or(device.compute_grid), channels, request.groups,
                             tile_rows * kTileHeight, shape[0]);
    const CoreCoord grid = request.core_grid ? *request.core_grid : largest.value_or(CoreCoord{0, 0});
    const std::uint32_t columns = group_norm_virtual_columns(grid.x, channels, request.groups);
    const std::uint64_t rows = columns == 0 ? 0 : std::uint64_t{grid.x / columns} * grid.y;
    const bool fits = rows != 0 && tile_rows % rows == 0 && (rows <= shape[0] || rows % shape[0] == 0);
    if (!fits) {
        refuse_group_norm(
            "Requested core_grid (x=" + std::to_string(grid.x) + ", y=" + std::to_string(grid.y) +
            ") is invalid for the input dimensions (Ht=" + std::to_string(tile_rows) +
            ", W=" + std::to_string(channels) + ", num_groups=" + std::to_string(request.groups) +
            ", num_batches=" + std::to_string(shape[0]) +
            "). The grid must satisfy: num_virtual_rows = (grid_x / num_virtual_cols) * grid_y <= Ht, Ht "
            "must be divisible by num_virtual_rows, and num_virtual_rows must be divisible by num_batches "
            "(for uniform multicast groups). Computed num_virtual_rows=" +
            std::to_string(rows) + ", num_virtual_cols=" + std::to_string(columns) + "." +
            (largest ? " The largest valid grid that fits is (x=" + std::to_string(largest->x) +
                           ", y=" + std::to_string(largest->y) + ")."
                     : ""));
    }
    const std::uint64_t width = channels / columns;
    const std::uint64_t group = channels / request.groups;
    std::uint64_t widest = 0;
    for (std::uint64_t begin = 0; begin < width; begin += group)
        widest = std::max(widest, (begin + group - 1) / kTileWidth - begin / kTileWidth + 1);
    return {{grid.x / columns * columns, grid.y},
            tile_rows / std::max<std::uint64_t>(rows, shape[0]),
            width / kTileWidth,
            request.groups / columns,
            widest,
            std::max<std::uint64_t>(rows / shape[0], 1),
            rows > shape[0],
            rows > shape[0] ? 0 : shape[0] % rows,
            grid.x / columns};
}

// In how many turns: few tiles of each core in one; the larger an image is for its cores, the more, by powers of two.
std::uint64_t own_out_blocks(const GroupNormCores& cores, const Shape& shape, bool two_pass) {
    constexpr std::uint64_t kTilesAtOnce = 64;  // of an image, for each core
    constexpr std::uint64_t kFewTiles = 8;
    const std::uint64_t image = tile_rows_of_image(shape) * shape[3] / kTileWidth;
    const std::uint64_t num_cores = std::uint64_t{cores.grid.x} * cores.grid.y;
    const std::uint64_t blocks = std::bit_ceil(image / (kTilesAtOnce * num_cores));
    if (blocks > 1) return blocks;
    return !two_pass && cores.rows > 1 && cores.rows * cores.group_width > kFewTiles ? 2 : 1;
}

// Below 1: asked for so.
std::int64_t out_blocks(const InterleavedGroupNormRequest& request, const GroupNormCores& cores,
                        const TensorSpec& input, bool two_pass) {
    if (request.num_out_blocks && *request.num_out_blocks != -1) return *request.num_out_blocks;
    if (request.core_grid && !request.num_out_blocks) return 1;
    const bool wide = two_pass || input.dtype == DataType::FLOAT32;
    return static_cast<std::int64_t>(own_out_blocks(cores, input.shape, wide));
}

// Rows of padding would count: a mask of their own leaves them out, which the two passes lack.
bool has_two_passes(const InterleavedGroupNormRequest& request, const TensorSpec& input) {
    return request.use_welford && input.shape[2] % kTileHeight == 0;
}

// Each core by itself, down columns, as TT-NN lists those that send to each other.
template <typename IsIn>
CoreRangeSet one_by_one(CoreCoord grid, IsIn is_in) {
    std::vector<CoreRange> cores;
    for (std::uint32_t x = 0; x < grid.x; ++x) {
        for (std::uint32_t y = 0; y < grid.y; ++y)
            if (is_in(x, y)) cores.push_back({{x, y}, {x, y}});
    }
    return CoreRangeSet(std::move(cores));
}

// Cores that have as many images each.
struct CoresOfImages {
    CoreRangeSet most, fewer;
};

// Images go round the rows of cores; the cores of a row, which share out the channels, lie `apart` columns apart.
CoresOfImages cores_of_images(const GroupNormCores& cores) {
    const auto has_one_more = [&](std::uint32_t x, std::uint32_t y) {
        return cores.images_left == 0 || x % cores.apart * cores.grid.y + y < cores.images_left;
    };
    return {one_by_one(cores.grid, has_one_more),
            one_by_one(cores.grid, [&](std::uint32_t x, std::uint32_t y) { return !has_one_more(x, y); })};
}

}  // namespace

void refuse_group_norm(const std::string& what) {
    refuse_with("group_norm: ", what);
}

std::uint32_t group_norm_virtual_columns(std::uint32_t grid_x, std::uint32_t num_channels,
                                         std::uint32_t num_groups) {
    std::uint32_t columns = std::min(grid_x, num_groups);
    while (columns > 0 && (num_channels / columns % kTileWidth != 0 || num_groups % columns != 0))
        --columns;
    return columns;
}

std::optional<CoreCoord> find_group_norm_grid(CoreCoord compute_grid, std::uint32_t num_channels,
                                              std::uint32_t num_groups, std::uint64_t input_nhw,
                                              std::uint32_t num_batches) {
    for (std::uint32_t x = compute_grid.x; x > 0; --x) {
        const std::uint32_t columns = group_norm_virtual_columns(x, num_channels, num_groups);
        if (columns == 0 || x % columns != 0) continue;
        for (std::uint32_t y = compute_grid.y; y > 0; --y) {
            if (rows_fit(input_nhw / kTileHeight, std::uint64_t{x / columns} * y, num_batches))
                return CoreCoord{x, y};
        }
    }
    return std::nullopt;
}

std::string InterleavedGroupNorm::grid_text() const {
    if (!request.core_grid) return "std::nullopt";
    return std::to_string(request.core_grid->x) + "x" + std::to_string(request.core_grid->y);
}

void InterleavedGroupNorm::validate(SpecsView inputs) const {
    const TensorSpec& input = inputs[0];
    if (input.dtype != DataType::BFLOAT16 && input.dtype != DataType::FLOAT32)
        refuse_group_norm("input: expected BFLOAT16 or FLOAT32, got " + std::string(name_of(input.dtype)));
    if (input.layout != Layout::TILE)
        refuse_group_norm("input: expected TILE of an interleaved tensor, got ROW_MAJOR, which is not there");
    if (input.shape.rank() != 4 || input.shape[1] != 1)
        refuse_group_norm("input: expected [images, 1, height * width, channels], got " +
                          input.shape.to_string());
    const std::uint32_t channels = input.shape[3];
    if (request.groups == 0 || channels % request.groups != 0 || channels % kTileWidth != 0) {
        refuse_group_norm("num_groups: expected a divisor of the channels, and these a multiple of 32, got " +
                          std::to_string(request.groups) + " groups of " + std::to_string(channels) +
                          " channels");
    }
    if (request.memory_config.is_sharded()) {
        refuse_group_norm("memory_config: expected an interleaved one for an interleaved tensor, got " +
                          request.memory_config.to_string());
    }
    if (request.output_layout != Layout::TILE) {
        refuse_group_norm(
            "interleaved (non-sharded) output must be in TILE layout, got ROW_MAJOR output_layout. Request "
            "TILE output and convert it yourself with ttnn.to_layout(output, ttnn.ROW_MAJOR_LAYOUT). "
            "ROW_MAJOR output is supported only for sharded inputs, or on Wormhole.");
    }
    if (request.has_mask && input.shape[2] % kTileHeight != 0) {
        refuse_group_norm(
            "input_mask: expected none where height * width is no multiple of 32, got one for " +
            input.shape.to_string());
    }
    for (std::size_t i = request.has_mask ? 2 : 1; i < inputs.size(); ++i) {
        if (inputs[i].layout == Layout::ROW_MAJOR && inputs[i].shape[-1] == kTileWidth &&
            inputs[i].shape.volume() == channels) {
            continue;
        }
        refuse_group_norm("weight and bias: expected ROW_MAJOR [1, 1, " +
                          std::to_string(channels / kTileWidth) + ", 32], got " +
                          std::string(name_of(inputs[i].layout)) + " " + inputs[i].shape.to_string());
    }
}

void InterleavedGroupNorm::validate_program(SpecsView inputs, const DeviceDescription& device) const {
    constexpr std::uint64_t kMostGroupsOfTwoPasses = 16;
    const GroupNormCores cores = cores_of(request, inputs[0].shape, device);
    const bool two_pass = has_two_passes(request, inputs[0]);
    require(!two_pass || cores.groups <= kMostGroupsOfTwoPasses, "num_groups_per_core (", cores.groups,
            ") must be <= ", kMostGroupsOfTwoPasses, " when use_welfords is true.");
    const std::int64_t blocks = out_blocks(request, cores, inputs[0], two_pass);
    require(blocks >= 1 && static_cast<std::uint64_t>(blocks) <= cores.rows, "num_out_blocks (", blocks,
            ") must be in [1, block_h (", cores.rows,
            ")]. Reduce num_out_blocks or increase input spatial dimensions.");
}

TensorSpecs InterleavedGroupNorm::infer(SpecsView inputs) const {
    return {TensorSpec{inputs[0].shape, inputs[0].dtype, request.output_layout, request.memory_config}};
}

ProgramPlan InterleavedGroupNorm::plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
    constexpr std::uint64_t kBytesOfPartialSum = 16;
    const TensorSpec& input = inputs[0];
    const GroupNormCores cores = cores_of(request, input.shape, device);
    const bool whole_rows = input.shape[2] % kTileHeight == 0;
    const bool two_pass = has_two_passes(request, input);
    const std::uint64_t rows =
        cores.rows / static_cast<std::uint64_t>(out_blocks(request, cores, input, two_pass));
    const std::uint64_t tile = tile_size(input.dtype);
    const std::uint64_t small = tile_size(DataType::BFLOAT16);
    const std::uint64_t block = rows * cores.group_width * tile;
    const CoresOfImages by_images = cores_of_images(cores);
    const CoreRangeSet all = CoreRange{{0, 0}, {cores.grid.x - 1, cores.grid.y - 1}};
    const DataType mask_dtype = request.has_mask ? inputs[1].dtype : DataType::BFLOAT16;

    ProgramPlan plan{{"ttnn::prim::GroupNormDeviceOperation::GroupNormMcastProgramFactory", 2}};
    if (!cores.multicast)
        plan.factory = {"ttnn::prim::GroupNormDeviceOperation::GroupNormNoMcastProgramFactory", 1};
    const auto add = [&](std::uint64_t size, const CoreRangeSet& on) {
        plan.memory.push_back(circular_buffer(size, on));
    };
    // Without multicasts TT-NN has buffers of their own for cores with fewer images, also where there are none.
    const auto add_for_fewer = [&](std::uint64_t size) {
        if (!cores.multicast) add(size, by_images.fewer);
    };
    const std::uint64_t block_of_fewer = cores.images_left == 0 ? 0 : block;
    const auto add_blocks = [&] {
        add(block, by_images.most);
        add_for_fewer(block_of_fewer);
    };
    const auto add_blocks_of_input = [&] {
        add(block, by_images.most);
        add(block, by_images.most);
        add_for_fewer(block_of_fewer);
        add_for_fewer(block_of_fewer);
        add_blocks();
    };
    const auto add_parameters = [&] {
        for (std::size_t i = request.has_mask ? 2 : 1; i < inputs.size(); ++i)
            add(cores.columns * tile_size(inputs[i].dtype), all);
    };
    if (two_pass) {
        add_blocks_of_input();
        add(small, all);
        add_parameters();
        add(cores.groups * cores.group_width * tile_size(mask_dtype), all);
        for (const std::uint64_t size : {tile, 2 * tile}) {
            add(size, by_images.most);
            add_for_fewer(size);
        }
        add_blocks();
        add(2 * tile, all);
        add(2 * cores.groups * tile, all);
        add(cores.groups * tile, all);
        // All of a core's tiles are kept where they fit.
        std::uint64_t others = 0;
        for (const ProgramMemory& memory : plan.memory)
            others += memory.cores.contains({0, 0}) ? memory.size_bytes : 0;
        const std::uint64_t kept = cores.rows * cores.columns * tile;
        if (others - block + kept <= device.l1_size - device.l1_unreserved_base) {
            plan.memory[0].size_bytes = kept;
            if (cores.images_left != 0) plan.memory[2].size_bytes = kept;
        }
        return plan;
    }
    add_blocks_of_input();
    add(tile, all);
    add(small, all);
    add(tile, all);
    add_parameters();
    add((whole_rows ? 2 : 4) * cores.group_width * tile_size(mask_dtype), all);
    for (int i = 0; i < 4; ++i)
        add_blocks();
    add(tile, all);
    add(tile, all);
    // The sums of all cores of an image, for each of their blocks.
    add(round_up(cores.sharing * ceil_div(cores.rows, rows) * kBytesOfPartialSum, tile), all);
    for (int i = 0; i < 3; ++i)
        add(tile, all);
    return plan;
}

std::vector<HostArray> InterleavedGroupNorm::compute(ArraysView inputs, SpecsView outputs) const {
    const Shape& shape = outputs[0].shape;
    std::size_t next = request.has_mask ? 2 : 1;
    const auto parameter = [&](bool there) {
        return there ? inputs[next++]->to_floats() : std::vector<float>();
    };
    const std::vector<float> weight = parameter(request.has_weight);
    const std::vector<float> bias = parameter(request.has_bias);
    return {HostArray::from_floats(compute::group_norm(inputs[0]->to_floats(), shape[0], shape[3],
                                                       request.groups, request.epsilon, weight, bias),
                                   outputs[0].dtype, shape)};
}

}  // namespace tilemeter
