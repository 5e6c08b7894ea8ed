// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/movement_costs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"
#include "tilemeter_ttnn/device_facts.hpp"
#include "tilemeter_ttnn/functions/massaged_operation.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"
#include "ttnn/operations/data_movement/untilize_with_unpadding/untilize_with_unpadding.hpp"

namespace ttnn::operations::data_movement {

namespace {

namespace metal = tt::tt_metal;
using tilemeter::compat::refuse_as_fatal;
using tilemeter::compat::to_model;

constexpr std::uint32_t kTile = 32;

// Bytes per nanosecond of transactions of 16, 32, 64, ... bytes, as TT-NN's developers measured them on both chips.
constexpr std::size_t kSizes = 13;
constexpr std::uint32_t kLeastSize = 16;
using Rates = std::array<float, kSizes>;
struct RatesOf {
    Rates wormhole, blackhole;
};
constexpr RatesOf kDram{{0.436F, 0.868F, 1.736F, 3.489F, 6.975F, 13.889F, 27.891F, 28.411F, 28.227F, 28.537F,
                         27.831F, 27.758F, 28.694F},
                        {0.387F, 0.772F, 1.545F, 3.088F, 6.176F, 12.361F, 24.71F, 49.164F, 50.238F, 50.393F,
                         50.636F, 50.695F, 50.626F}};
constexpr RatesOf kRead{{0.868F, 1.724F, 3.477F, 6.885F, 13.794F, 27.143F, 28.976F, 29.742F, 29.544F, 28.728F,
                         28.7F, 28.618F, 28.7F},
                        {0.671F, 1.336F, 2.673F, 5.354F, 10.691F, 21.382F, 42.771F, 47.977F, 49.34F, 49.961F,
                         50.287F, 50.335F, 50.403F}};
constexpr RatesOf kWrite{{0.681F, 1.254F, 2.709F, 5.417F, 10.823F, 21.668F, 27.837F, 27.811F, 27.811F,
                          27.808F, 27.808F, 27.811F, 28.808F},
                         {0.511F, 1.018F, 2.036F, 4.072F, 8.143F, 16.284F, 32.593F, 48.644F, 49.828F, 50.219F,
                          50.578F, 50.412F, 50.383F}};
constexpr RatesOf kWithinCore{{0.868F, 1.724F, 3.477F, 6.899F, 13.791F, 27.594F, 27.696F, 27.911F, 27.811F,
                               27.808F, 27.814F, 27.805F, 27.84F},
                              {0.671F, 1.337F, 2.675F, 5.354F, 10.708F, 21.413F, 42.792F, 46.455F, 48.5F,
                               49.639F, 50.171F, 50.123F, 50.21F}};

struct Way {
    bool is_dram, is_local, is_read;
};

// The measured size that is nearer; beyond the last one TT-NN takes the first for a size below.
float rate(std::uint32_t size, Way way, tt::ARCH arch) {
    const RatesOf& both = way.is_dram ? kDram : way.is_local ? kWithinCore : way.is_read ? kRead : kWrite;
    const Rates& rates = arch == tt::ARCH::WORMHOLE_B0 ? both.wormhole : both.blackhole;
    const std::uint32_t below = std::bit_floor(size), above = std::bit_ceil(size);
    const auto place = [](std::uint32_t measured) {
        return static_cast<std::size_t>(std::countr_zero(std::max(measured, kLeastSize)) -
                                        std::countr_zero(kLeastSize));
    };
    if (size - below >= above - size) return rates[std::min(place(above), kSizes - 1)];
    return rates[place(below) < kSizes ? place(below) : 0];
}

std::uint32_t rounded_up(float value) {
    return static_cast<std::uint32_t>(std::ceil(value));
}
std::uint32_t parts(std::uint32_t count, std::uint32_t among) {
    return rounded_up(static_cast<float>(count) / static_cast<float>(among));
}

// Cores that together use all that the network, or DRAM, can move.
struct Cores {
    tt::ARCH arch;
    std::uint32_t networks, all;

    std::uint32_t for_l1(std::uint32_t size, bool is_write) const {
        const float each = arch == tt::ARCH::WORMHOLE_B0 ? 32.0F : 50.0F;
        return enough(each * static_cast<float>(networks), rate(size, {false, false, !is_write}, arch));
    }
    std::uint32_t for_dram(std::uint32_t size) const {
        constexpr float kBothNetworks = 265;
        return enough(kBothNetworks, rate(size, {true, false, true}, arch));
    }

private:
    std::uint32_t enough(float together, float each) const {
        return std::min(rounded_up(together / each), all);
    }
};

// One side of an operation: its transactions.
struct Side {
    std::uint32_t size = 0, count = 0;
    bool is_dram = false;
    const metal::ShardSpec* shards = nullptr;

    std::uint32_t cycles(std::uint32_t cores, bool is_local, tt::ARCH arch, bool is_read, bool waits) const {
        const auto [moving, waiting] =
            get_cycles_for_transaction_size(size, is_dram, is_local, parts(count, cores), arch, is_read);
        return waits ? moving + waiting : moving;
    }
};

Side side_of(const Tensor& tensor, const Shape& shape, std::uint32_t element, std::uint32_t tile) {
    constexpr std::uint32_t kFastest = 2048;
    Side side;
    const MemoryConfig& config = tensor.memory_config();
    side.is_dram = config.buffer_type() == BufferType::DRAM;
    const bool is_tiled = tensor.layout() == Layout::TILE;
    side.size = is_tiled ? tile : shape[-1] * element;
    if (config.is_sharded() && config.shard_spec()) {
        side.shards = &*config.shard_spec();
        const std::uint32_t row = side.shards->shape[1] * element;
        const bool in_one = !side.is_dram && config.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED;
        if (!is_tiled) side.size = in_one ? std::min(side.shards->shape[0] * row, kFastest) : row;
    }
    side.count = parts(static_cast<std::uint32_t>(shape.volume()) * element, side.size);
    return side;
}

// The product of all dimensions but the last two, pages of each, at a slice's beginning.
std::uint32_t pages_before(const Shape& shape, std::uint64_t pages, const Shape& slice_start) {
    std::uint64_t place = 0, outer = 1;
    for (std::size_t axis = 0; axis + 2 < shape.rank(); ++axis) {
        outer *= shape.view()[axis];
        place += pages / outer * slice_start.view()[axis];
    }
    return static_cast<std::uint32_t>(place);
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> get_cycles_for_transaction_size(std::uint32_t transaction_size,
                                                                        bool is_dram, bool is_local,
                                                                        std::uint32_t num_transactions,
                                                                        tt::ARCH arch, bool is_read) {
    const bool is_wormhole = arch == tt::ARCH::WORMHOLE_B0;
    std::uint32_t waiting = is_wormhole ? 259 : 403;
    if (is_dram)
        waiting = is_wormhole ? 358 : 529;
    else if (is_local)
        waiting = is_wormhole ? 56 : 88;
    else if (!is_read)
        waiting = is_wormhole ? 256 : 404;
    const std::uint32_t size = std::max(transaction_size, kLeastSize);
    const float each = rate(size, {is_dram, is_local, is_read}, arch);
    const float frequency = is_wormhole ? 1e9F : 1.2e9F;
    const auto moving = static_cast<std::uint32_t>(
        std::ceil(static_cast<float>(num_transactions * size) * frequency / static_cast<float>(each * 1e9)));
    return {moving, waiting};
}

int common_tm_bw_model(const Tensor& input_tensor, const Tensor& output_tensor, bool output_only,
                       int compute_cycles, bool per_faceline, bool split_op, bool bcast_local,
                       bool concat_op) {
    const tt::ARCH arch = input_tensor.device()->arch();
    const CoreCoord grid = input_tensor.device()->compute_with_storage_grid_size();
    const Cores network{arch, static_cast<std::uint32_t>(grid.x + grid.y),
                        static_cast<std::uint32_t>(grid.x * grid.y)};
    const std::uint32_t element = input_tensor.element_size();
    const metal::Tile tile = input_tensor.tensor_spec().tile();
    const std::uint32_t tile_bytes = tile.get_tile_hw() * element;
    const Shape& read_shape = concat_op ? output_tensor.padded_shape() : input_tensor.padded_shape();
    const Shape& written_shape = split_op ? read_shape : output_tensor.padded_shape();
    const Side read = side_of(input_tensor, read_shape, element, tile_bytes);
    Side written = side_of(output_tensor, written_shape, element, tile_bytes);
    // Rows of tiles' faces, where an operation exchanges rows.
    const bool rows_move = read_shape[-1] == written_shape[-1] && read_shape[-2] != written_shape[-2];
    if (per_faceline && output_tensor.layout() == Layout::TILE && rows_move) {
        written.size = tile.get_width() / 2 * element;
        written.count =
            parts(static_cast<std::uint32_t>(output_tensor.logical_volume()) * element, written.size);
    }

    // Of those that can move at once, the cores of the side that takes longer.
    std::uint32_t cores = network.all;
    const auto slower_side = [&](std::uint32_t reading, std::uint32_t writing) {
        const std::uint32_t readers = std::min(reading, read.count),
                            writers = std::min(writing, written.count);
        return parts(read.count, readers) < parts(written.count, writers) ? writers : readers;
    };
    if (read.is_dram && written.is_dram) {
        cores = slower_side(network.for_dram(read.size), network.for_dram(written.size));
    } else if (read.is_dram) {
        cores = network.for_dram(read.size);
        const std::uint32_t writing = network.for_l1(written.size, true);
        if (parts(read.count, cores) < written.count / writing) cores = writing;
    } else if (written.is_dram) {
        cores = network.for_dram(written.size);
        const std::uint32_t reading = network.for_l1(read.size, false);
        if (parts(written.count, cores) < read.count / reading) cores = reading;
    } else {
        cores = slower_side(network.for_l1(read.size, false), network.for_l1(written.size, true));
    }

    const bool same_cores = read.shards != nullptr && written.shards != nullptr && !read.is_dram &&
                            !written.is_dram && written.shards->grid == read.shards->grid;
    const bool is_local = same_cores || bcast_local;
    // Where there are fewer cores with shards, all of them may still be faster.
    std::uint32_t elsewhere = 0x7FFFFFFF;
    if (is_local) {
        const std::uint32_t own = written.shards->grid.num_cores();
        if (cores > own) {
            const std::uint32_t writing = written.cycles(cores, false, arch, false, true);
            elsewhere =
                output_only ? writing : std::max(read.cycles(cores, false, arch, true, true), writing);
        }
        cores = own;
    }
    const std::uint32_t reading = read.cycles(cores, is_local, arch, true, true);
    const std::uint32_t writing = written.cycles(cores, is_local, arch, false, true);
    std::uint32_t cycles = 0;
    if ((read.is_dram && written.is_dram) || bcast_local)
        cycles = output_only ? writing
                             : rounded_up(static_cast<float>(
                                   reading + written.cycles(cores, is_local, arch, false, false)));
    else
        cycles = std::min(elsewhere, output_only ? writing : std::max(reading, writing));
    int computing = 0;
    if (compute_cycles > 0)
        computing = static_cast<int>(parts(static_cast<std::uint32_t>(compute_cycles),
                                           std::min(network.all, std::max(read.count, written.count))));
    return std::max(static_cast<int>(cycles), computing);
}

std::uint32_t get_pending_l1_output_reservation(const Tensor& input_tensor, const Shape& output_padded_shape,
                                                const MemoryConfig& output_memory_config,
                                                DataType output_dtype, Layout output_layout,
                                                bool require_constructible) {
    if (output_memory_config.buffer_type() != BufferType::L1 || output_memory_config.is_sharded()) return 0;
    std::uint64_t all = 0, page = 0;
    try {
        const metal::TensorSpec spec(
            output_padded_shape,
            metal::TensorLayout(output_dtype, metal::PageConfig(output_layout), output_memory_config));
        all = spec.compute_packed_buffer_size_bytes();
        page = spec.compute_page_size_bytes();
    } catch (const std::runtime_error&) {
        if (require_constructible) throw;
        return 0;
    }
    const auto& allocator = input_tensor.device()->allocator();
    const std::uint64_t banks = allocator->get_num_banks(BufferType::L1);
    if (page == 0) return static_cast<std::uint32_t>(tilemeter::ceil_div(all, banks));
    const std::uint64_t pages = tilemeter::ceil_div(tilemeter::ceil_div(all, page), banks);
    const std::uint64_t fullest = pages * tilemeter::round_up(page, allocator->get_alignment(BufferType::L1));
    // Allocators of L1 hand out what DRAM is aligned to.
    const std::uint64_t unit = allocator->get_alignment(BufferType::DRAM);
    return static_cast<std::uint32_t>(tilemeter::round_up(std::max(fullest, unit), unit));
}

std::uint32_t get_rm_start_offset(const Tensor& tensor, const Shape& slice_start) {
    const Shape& shape = tensor.padded_shape();
    if (shape.rank() < 2) return 0;
    const std::uint64_t pages =
        tensor.layout() == Layout::TILE ? shape.volume() / (kTile * kTile) : shape.volume() / shape[-1];
    return pages_before(shape, pages, slice_start) + slice_start[-2];
}

std::uint32_t get_tiled_start_offset(const Shape& input_shape, const Shape& slice_start, bool round_up) {
    const std::uint64_t pages = input_shape.volume() / (kTile * kTile);
    const std::uint64_t outer = input_shape.volume() / (std::uint64_t{input_shape[-1]} * input_shape[-2]);
    const auto columns =
        static_cast<std::uint32_t>(pages / (outer * tilemeter::ceil_div(input_shape[-2], kTile)));
    const auto tile = [round_up](std::uint32_t place) {
        return (place + (round_up ? kTile - 1 : 0)) / kTile;
    };
    return pages_before(input_shape, pages, slice_start) + tile(slice_start[-2]) * columns +
           tile(slice_start[-1]);
}

std::uint32_t get_tiled_start_offset(const Tensor& input_tensor, const Shape& slice_start, bool round_up) {
    return get_tiled_start_offset(input_tensor.padded_shape(), slice_start, round_up);
}

std::uint32_t get_pf_type(bool output_is_sharded, const Tensor& tensor) {
    const std::uint64_t base = tensor.device()->allocator()->get_base_allocator_addr(metal::HalMemType::L1);
    const std::uint64_t half = tensor.device()->l1_size_per_core() / 2 - base;
    const std::uint32_t tile_bytes =
        metal::Tile().get_tile_size(metal::datatype_to_dataformat_converter(tensor.dtype()));
    const metal::Tile tile = tensor.tensor_spec().tile();
    const std::uint32_t width = tensor.padded_shape()[-1];
    const std::uint64_t height = width == 0 ? 0 : tensor.physical_volume() / width;
    if (tensor.is_sharded() || width / tile.get_width() <= half / (std::uint64_t{2} * tile_bytes)) return 2;
    return !output_is_sharded && height / tile.get_height() == 1 ? 0 : 1;
}

Tensor untilize_native(const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config,
                       bool use_multicore, const std::optional<CoreRangeSet>& sub_core_grids) {
    if (!input_tensor.is_sharded() && input_tensor.logical_shape() != input_tensor.padded_shape()) {
        std::vector<std::uint32_t> last(input_tensor.logical_shape().begin(),
                                        input_tensor.logical_shape().end());
        for (std::uint32_t& each : last)
            --each;
        return ttnn::untilize_with_unpadding(input_tensor, Shape(last), memory_config, use_multicore,
                                             sub_core_grids);
    }
    return build_ndiml_untilize([&](const Tensor& tensor) {
        return tilemeter::compat::as_fatal("ttnn::untilize", [&] {
            const tilemeter::Tensor& model = tensor.model();
            const tilemeter::MemoryConfig config =
                memory_config ? to_model(*memory_config) : model.memory_config();
            const tilemeter::DataType dtype =
                tilemeter::is_block_float(model.dtype()) ? tilemeter::DataType::BFLOAT16 : model.dtype();
            const tilemeter::TensorSpec output{model.shape(), dtype, tilemeter::Layout::ROW_MAJOR, config};
            tilemeter::Device& device = model.device();
            const bool fits = tilemeter::row_of_tiles_fits(tilemeter::ceil_div(model.shape()[-1], kTile),
                                                           model.dtype(), dtype, false, device.description(),
                                                           tilemeter::free_l1_beside(device, output));
            return tilemeter::compat::from_model(tilemeter::launch(
                tilemeter::UntilizeOperation{
                    config, tilemeter::CoreChoice(use_multicore, to_model(sub_core_grids)), fits},
                {model}));
        });
    })(input_tensor);
}

std::pair<Shape, Shape> shape_corrector(const Tensor& tensor, const Shape& logical_shape,
                                        const Shape& padded_shape) {
    constexpr std::uint32_t kAsked = 0xFFFFFFFF;  // -1
    std::optional<std::size_t> place;
    std::uint32_t others = 1;
    for (std::size_t axis = 0; axis < logical_shape.rank(); ++axis) {
        if (logical_shape.view()[axis] != kAsked) {
            others *= logical_shape.view()[axis];
            continue;
        }
        if (place) refuse_as_fatal("inferred_dim == -1", "Only one dimension can be inferred in reshape");
        place = axis;
    }
    if (!place) return {logical_shape, padded_shape};
    Shape corrected = logical_shape;
    corrected[static_cast<std::int32_t>(*place)] =
        others == 0 ? 0 : static_cast<std::uint32_t>(tensor.logical_volume()) / others;
    return {corrected, corrected};
}

}  // namespace ttnn::operations::data_movement
