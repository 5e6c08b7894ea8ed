// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "runtime/operations/sliding_window/parallelization.hpp"
#include "runtime/types/rounding.hpp"
#include "tilemeter_ttnn/device_facts.hpp"
#include "tilemeter_ttnn/functions/pool_helpers.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn::operations::pool {

namespace {

using sliding_window::ParallelConfig;
using sliding_window::SlidingWindowConfig;
using tilemeter::compat::refuse_as_fatal;
using tilemeter::compat::refuse_as_thrown;
using tilemeter::compat::to_model;

constexpr std::uint32_t kTile = 32, kFace = 16, kAlignedRow = 8;
constexpr std::uint32_t kTileElements = kTile * kTile;

std::uint32_t shares(std::uint64_t size, std::uint64_t parts) {
    return static_cast<std::uint32_t>(tilemeter::ceil_div(size, parts));
}

// The upper half of a float: a BFLOAT16 that was cut off.
std::uint16_t upper_half(float value) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
}

std::uint32_t element_bytes(DataType dtype) {
    return static_cast<std::uint32_t>(tilemeter::element_size(to_model(dtype)));
}
std::uint32_t tile_bytes(tt::DataFormat format) {
    return tt::tt_metal::Tile().get_tile_size(format);
}

void require(bool condition, const char* text, const std::string& refusal) {
    if (!condition) refuse_as_fatal(text, "Pool2D: " + refusal);
}

std::string numbers(std::initializer_list<std::uint32_t> values) {
    std::string text;
    for (const std::uint32_t each : values)
        text += (text.empty() ? "(" : ", ") + std::to_string(each);
    return text + ")";
}

// Pixels of a window [start, start + kernel) along one dimension that a mean counts.
std::int64_t counted(std::int64_t start, std::int64_t kernel, std::int64_t size, std::int64_t pad_after,
                     bool with_padding) {
    const std::int64_t end = std::min(start + kernel, size + pad_after);
    if (with_padding) return end - start;
    return std::max<std::int64_t>(0, std::min(end, size) - std::max<std::int64_t>(start, 0));
}

tilemeter::Parallelization model_of(const ParallelConfig& config) {
    return {to_model(config.grid), to_model(config.shard_scheme), to_model(config.shard_orientation)};
}

}  // namespace

std::uint32_t PoolCBSizes::local_cb_total() const {
    const std::uint32_t scalars = scalar_cb_pagesize * scalar_cb_npages * (has_second_scalar_cb ? 2 : 1);
    const std::uint32_t inputs = in_cb_pagesize * in_cb_npages * (has_split_reader ? 2 : 1);
    return scalars + clear_value_cb_size + inputs + mpwi_total_size +
           pre_tilize_cb_pagesize * pre_tilize_cb_npages + config_tensor_l1_size;
}

std::uint32_t PoolCBSizes::global_cb_total() const {
    const std::uint32_t outputs = sliding_window::align_buffer(out_cb_pagesize * out_cb_npages);
    return has_out_idx ? outputs + sliding_window::align_buffer(out_idx_cb_pagesize * out_idx_cb_npages)
                       : outputs;
}

std::uint32_t get_bf16_pool_scalar(Pool2DType pool_type, std::uint32_t kernel_h, std::uint32_t kernel_w,
                                   std::optional<std::int32_t> divisor_override) {
    const auto area = static_cast<float>(kernel_h * kernel_w);
    const float divisor = divisor_override ? static_cast<float>(*divisor_override) : area;
    const float factor = pool_type == Pool2DType::MAX_POOL2D ? 1.0F : static_cast<float>(1.0 / divisor);
    return std::uint32_t{upper_half(factor)} << 16U;
}

std::uint32_t get_bf16_pool_init_value(Pool2DType pool_type) {
    return pool_type == Pool2DType::MAX_POOL2D ? upper_half(-std::numeric_limits<float>::infinity()) : 0U;
}

std::map<std::string, std::string> get_defines(Pool2DType pool_type) {
    return {{"REDUCE_DIM", "ReduceDim::REDUCE_COL"},
            {"REDUCE_OP", pool_type == Pool2DType::MAX_POOL2D ? "PoolType::MAX" : "PoolType::AVG"}};
}

bool is_pool_op_one_scalar_per_core(Pool2DType pool_type, bool ceil_mode, std::uint32_t ceil_h,
                                    std::uint32_t ceil_w, bool count_include_pad, std::uint32_t pad_h,
                                    std::uint32_t pad_w, std::optional<std::int32_t> divisor_override) {
    if (pool_type == Pool2DType::MAX_POOL2D || divisor_override) return true;
    const bool ends_beyond = ceil_mode && (ceil_h != 0 || ceil_w != 0);
    const bool leaves_out_padding = !count_include_pad && (pad_h != 0 || pad_w != 0);
    return !ends_beyond && !leaves_out_padding;
}

std::vector<ScalarInfo> get_bf16_avg_pool_config_scalars(const AvgPoolConfig& config,
                                                         std::uint32_t output_stick_x,
                                                         std::uint32_t output_stick_y) {
    require(
        !is_pool_op_one_scalar_per_core(Pool2DType::AVG_POOL2D, config.ceil_mode, config.ceil_h,
                                        config.ceil_w, config.count_include_pad, config.pad_t + config.pad_b,
                                        config.pad_l + config.pad_r, config.divisor_override),
        "!is_pool_op_one_scalar_per_core", "expected means that divide by different areas");
    std::vector<ScalarInfo> runs;
    std::int64_t last = -1;
    for (std::uint32_t i = 0; i < config.max_out_nhw_per_core; ++i) {
        const std::int64_t row = std::int64_t{output_stick_x} * config.stride_h - config.pad_t;
        const std::int64_t column = std::int64_t{output_stick_y} * config.stride_w - config.pad_l;
        const std::int64_t height =
            counted(row, config.kernel_h, config.in_h, config.pad_b, config.count_include_pad);
        const std::int64_t width =
            counted(column, config.kernel_w, config.in_w, config.pad_r, config.count_include_pad);
        const std::int64_t area = std::max<std::int64_t>(0, height * width);
        if (area != last) {
            if (!runs.empty()) runs.back().end = static_cast<std::uint16_t>(i);
            const float factor = area == 0 ? 0.0F : 1.0F / static_cast<float>(area);
            runs.push_back({static_cast<std::uint16_t>(i), upper_half(factor), 0});
        }
        last = area;
        output_stick_y = (output_stick_y + 1) % config.out_w;
        if (output_stick_y == 0) output_stick_x = (output_stick_x + 1) % config.out_h;
    }
    if (!runs.empty()) runs.back().end = static_cast<std::uint16_t>(config.max_out_nhw_per_core);
    return runs;
}

std::vector<std::uint32_t> generate_core_starting_indices(
    const std::vector<std::uint32_t>& op_trace_metadata,
    const std::vector<sliding_window::ShardBoundary>& shard_boundaries, TensorMemoryLayout shard_scheme,
    std::uint32_t num_cores_x, std::uint32_t ncores) {
    std::uint32_t copies = 1;
    if (shard_scheme == TensorMemoryLayout::WIDTH_SHARDED)
        copies = ncores;
    else if (shard_scheme == TensorMemoryLayout::BLOCK_SHARDED)
        copies = num_cores_x;
    else
        require(shard_scheme == TensorMemoryLayout::HEIGHT_SHARDED, "false",
                "expected height, width or block shards");
    std::vector<std::uint32_t> starts;
    for (const sliding_window::ShardBoundary& each : shard_boundaries) {
        const std::uint32_t first = each.output_range.start;
        // A core without outputs has one place, whatever the shards.
        if (first >= op_trace_metadata.size())
            starts.push_back(0);
        else
            starts.insert(starts.end(), copies, op_trace_metadata[first]);
    }
    return starts;
}

std::optional<ParallelConfig> determine_valid_parallel_config(
    TensorMemoryLayout shard_layout, std::uint32_t batch_size, std::uint32_t channels,
    std::uint32_t output_height, std::uint32_t output_width, const CoreCoord& compute_grid_size,
    ShardOrientation block_shard_orientation, bool enable_channels_padding,
    bool is_shard_height_tile_multiple, bool is_shard_width_tile_multiple,
    std::uint32_t act_block_h_override) {
    return tilemeter::compat::as_fatal("determine_valid_parallel_config", [&] {
        tilemeter::ParallelizationRequest request;
        request.layout = to_model(shard_layout);
        request.block_orientation = to_model(block_shard_orientation);
        request.output_sticks = std::uint64_t{batch_size} * output_height * output_width;
        request.input_channels = channels;
        request.output_channels = channels;
        request.channels_alignment = kTile;
        request.compute_grid = to_model(compute_grid_size);
        request.pad_channels = enable_channels_padding;
        request.whole_tiles_of_rows = is_shard_height_tile_multiple;
        request.whole_tiles_of_columns = is_shard_width_tile_multiple;
        request.act_block_h_override = act_block_h_override;
        const tilemeter::Parallelization chosen = tilemeter::choose_parallelization(request);
        return std::optional(ParallelConfig{tilemeter::compat::from_model(chosen.grid),
                                            static_cast<TensorMemoryLayout>(chosen.layout),
                                            static_cast<ShardOrientation>(chosen.orientation)});
    });
}

std::optional<ParallelConfig> determine_pool_config_for_auto_shard(
    const DataType& input_dtype, const Layout& input_layout, CoreCoord compute_grid_size,
    const SlidingWindowConfig& sliding_window_config, Pool2DType pool_type, bool count_include_pad,
    std::optional<std::int32_t> divisor_override, bool return_indices, const Layout& output_layout,
    const DataType& output_dtype, bool config_tensor_in_dram) {
    const SlidingWindowConfig& window = sliding_window_config;
    const Shape output = window.get_output_shape();
    const bool is_tiled = output_layout == Layout::TILE;
    const bool one_factor = is_pool_op_one_scalar_per_core(
        pool_type, window.ceil_mode, window.get_ceil_pad_h(), window.get_ceil_pad_w(), count_include_pad,
        window.get_pad_h(), window.get_pad_w(), divisor_override);
    std::optional<ParallelConfig> best;
    std::uint32_t least = 0;
    const auto spread = [&](TensorMemoryLayout layout) {
        return *determine_valid_parallel_config(layout, window.batch_size, window.channels, output[1],
                                                output[2], compute_grid_size, ShardOrientation::ROW_MAJOR,
                                                false, is_tiled, is_tiled || input_layout == Layout::TILE);
    };
    const auto used_l1 = [&](const ParallelConfig& config) {
        const tilemeter::Parallelization cores = model_of(config);
        const std::uint64_t sticks = std::uint64_t{window.batch_size} * output[1] * output[2];
        // Rows of outputs that are no tiles are as wide as buffers in L1 are aligned.
        const std::uint32_t unit = is_tiled ? kTile : kAlignedRow;
        const auto wide = static_cast<std::uint32_t>(
            tilemeter::round_up(window.channels, std::uint64_t{cores.cores_channels()} * unit));
        const tilemeter::MemoryConfig shards = tilemeter::sharded_config(sticks, wide, cores, kTile);
        const FactoryParameters parameters =
            get_factory_parameters(cores.cores_channels(), input_dtype, output_dtype, window.window_hw.first,
                                   window.window_hw.second, window.channels, pool_type, return_indices,
                                   window.input_hw.first, window.input_hw.second, output_layout);
        return calculate_pool_cb_sizes(parameters, one_factor, return_indices, output_layout, output_dtype,
                                       {shards.shard_spec->shape[0], shards.shard_spec->shape[1]},
                                       config_tensor_in_dram)
            .total();
    };
    // Of two that take as much, heights go before blocks, and widths before blocks.
    const ParallelConfig height = spread(TensorMemoryLayout::HEIGHT_SHARDED),
                         width = spread(TensorMemoryLayout::WIDTH_SHARDED),
                         block = spread(TensorMemoryLayout::BLOCK_SHARDED);
    best = height;
    least = used_l1(height);
    for (const ParallelConfig& each : {width, block}) {
        const std::uint32_t used = used_l1(each);
        if (used >= least) continue;
        best = each;
        least = used;
    }
    return best;
}

Pool2dExecutionPath determine_pool2d_execution_path(
    const Tensor& /*input_tensor*/, const std::optional<const op_slicing::Op2DSliceConfig>& slice_config) {
    const bool is_sliced =
        slice_config && slice_config->slice_type != op_slicing::Op2DSliceConfig::SliceType::L1_FULL;
    return is_sliced ? Pool2dExecutionPath::DRAM : Pool2dExecutionPath::L1;
}

DataType get_index_data_type(std::uint32_t in_h, std::uint32_t in_w) {
    return in_h * in_w <= std::numeric_limits<std::uint16_t>::max() ? DataType::UINT16 : DataType::UINT32;
}

FactoryParameters get_factory_parameters(std::uint32_t num_shards_c, const DataType& input_dtype,
                                         const DataType& output_dtype, std::uint32_t kernel_h,
                                         std::uint32_t kernel_w, std::uint32_t in_channels,
                                         Pool2DType pool_type, bool return_indices, std::uint32_t in_h,
                                         std::uint32_t in_w, const Layout& output_layout,
                                         bool is_read_by_one) {
    require(!return_indices || !is_read_by_one, "split_reader || !return_indices",
            "return_indices: expected two processors that read");
    require(!return_indices || pool_type == Pool2DType::MAX_POOL2D, "!is_avg_pool",
            "return_indices: expected a maximum");
    const DataType dtype =
        tt::tt_metal::is_block_float(input_dtype) ? DataType::BFLOAT16 : DataType(input_dtype);
    const DataType index_dtype = get_index_data_type(in_h, in_w);
    const std::uint32_t kernel = kernel_h * kernel_w, channels = in_channels / num_shards_c;
    // A core's share of channels, rounded up only where it is cut into tiles.
    const auto tiles = [&](std::uint32_t width) {
        return shares(in_channels, std::uint64_t{num_shards_c} * width);
    };

    FactoryParameters parameters;
    parameters.multi_buffering_factor = 2;
    parameters.split_reader = !is_read_by_one;
    parameters.nbytes = element_bytes(dtype);
    parameters.index_nbytes = element_bytes(index_dtype);
    parameters.data_format = tt::tt_metal::datatype_to_dataformat_converter(dtype);
    parameters.index_format = tt::tt_metal::datatype_to_dataformat_converter(index_dtype);
    parameters.output_data_format = tt::tt_metal::datatype_to_dataformat_converter(output_dtype);
    parameters.in_ntiles_c = tiles(kTile);
    parameters.out_ntiles_c = tiles(output_layout == Layout::TILE ? kTile : kFace);
    parameters.is_avg_pool = pool_type == Pool2DType::AVG_POOL2D;
    const std::uint32_t rest = channels % kTile;
    parameters.max_rows_for_reduction = rest != 0 && rest <= kFace ? kFace : kTile;
    parameters.is_large_kernel = kernel > parameters.max_rows_for_reduction;
    parameters.MAX_TILES_PER_REDUCTION =
        return_indices ? 1 : (parameters.is_avg_pool && parameters.is_large_kernel ? 4 : 8);
    parameters.is_wide_reduction = parameters.in_ntiles_c > parameters.MAX_TILES_PER_REDUCTION;
    parameters.num_tilized_rows = kernel <= kFace ? kernel : kTile;
    return parameters;
}

PoolCBSizes calculate_pool_cb_sizes(const FactoryParameters& params, bool one_scalar_per_core,
                                    bool return_indices, const Layout& output_layout,
                                    const DataType& output_dtype,
                                    const std::array<std::uint32_t, 2>& output_shard_shape,
                                    bool config_tensor_in_dram,
                                    std::optional<std::uint32_t> windows_table_size,
                                    std::optional<std::uint32_t> factors_table_size) {
    constexpr std::uint32_t kBytesOfRun = 6;
    const bool is_tiled = output_layout == Layout::TILE;
    const auto [rows, columns] = output_shard_shape;
    PoolCBSizes sizes;
    sizes.scalar_cb_pagesize = tile_bytes(params.data_format);
    sizes.scalar_cb_npages = params.multi_buffering_factor;
    sizes.has_second_scalar_cb = params.is_avg_pool && params.split_reader && !one_scalar_per_core;
    sizes.clear_value_cb_size = tile_bytes(params.data_format);

    const bool is_cut = return_indices || params.is_wide_reduction;
    const std::uint32_t tiles = is_cut ? params.MAX_TILES_PER_REDUCTION : params.in_ntiles_c;
    sizes.in_cb_raw_size = tiles * kTile * (return_indices ? kTile : params.num_tilized_rows);
    sizes.in_cb_pagesize =
        params.nbytes * static_cast<std::uint32_t>(tilemeter::round_up(sizes.in_cb_raw_size, kTileElements));
    sizes.in_cb_npages = params.multi_buffering_factor;
    sizes.has_split_reader = params.split_reader;

    if (return_indices) {
        const std::uint32_t places = params.is_large_kernel ? 8 : 6;
        sizes.mpwi_total_size = kTileElements * (places * params.index_nbytes + params.nbytes);
    }
    sizes.has_pre_tilize = is_tiled;
    if (is_tiled) {
        sizes.pre_tilize_cb_pagesize = kTile * params.nbytes;
        sizes.pre_tilize_cb_npages = kTile * params.in_ntiles_c;
        sizes.out_cb_pagesize = tile_bytes(tt::tt_metal::datatype_to_dataformat_converter(output_dtype));
        sizes.out_cb_npages = rows * columns / kTileElements;
    } else {
        sizes.out_cb_pagesize = std::min(kFace, columns) * params.nbytes;
        sizes.out_cb_npages = rows * shares(columns, kFace);
    }
    sizes.has_out_idx = return_indices;
    if (return_indices) {
        sizes.out_idx_cb_pagesize = std::min(kFace, columns) * params.index_nbytes;
        sizes.out_idx_cb_npages = sizes.out_cb_npages;
    }
    if (config_tensor_in_dram) {
        // A table that is not known has a run for each output.
        sizes.config_tensor_l1_size = windows_table_size.value_or(rows * kBytesOfRun + 2);
        if (!one_scalar_per_core)
            sizes.config_tensor_l1_size += factors_table_size.value_or(rows * kBytesOfRun);
    }
    return sizes;
}

std::uint32_t get_aligned_stick_size(const Shape& shape, const Tensor& tensor) {
    const bool in_dram = tensor.memory_config().buffer_type() == BufferType::DRAM;
    const std::uint32_t alignment =
        in_dram ? tt::tt_metal::hal::get_dram_alignment() : tt::tt_metal::hal::get_l1_alignment();
    return static_cast<std::uint32_t>(
        tilemeter::round_up(std::uint64_t{shape[-1]} * tensor.element_size(), alignment));
}

void validate_input_params(const Tensor& input_tensor, std::uint32_t batch_size, std::uint32_t input_h,
                           std::uint32_t input_w, std::uint32_t channels,
                           const std::array<std::uint32_t, 2>& kernel_size,
                           const std::array<std::uint32_t, 2>& stride, std::uint32_t pad_top,
                           std::uint32_t pad_bottom, std::uint32_t pad_left, std::uint32_t pad_right,
                           std::uint32_t dilation_h, std::uint32_t dilation_w, bool is_in_tiled) {
    require(batch_size > 0, "batch_size > 0", "batch size: expected at least 1, found 0");
    require(input_h > 0, "input_h > 0", "input height: expected at least 1, found 0");
    require(input_w > 0, "input_w > 0", "input width: expected at least 1, found 0");
    require(channels > 0, "channels > 0", "channels: expected at least 1, found 0");

    const std::uint32_t sticks = batch_size * input_h * input_w;
    if (is_in_tiled && input_tensor.logical_shape() == Shape({1, 1, sticks, channels})) {
        const auto whole = [](std::uint32_t size) {
            return static_cast<std::uint32_t>(tilemeter::round_up(size, kTile));
        };
        require(input_tensor.padded_shape() == Shape({1, 1, whole(sticks), whole(channels)}),
                "padded_input_shape",
                "padded shape: expected " + numbers({1, 1, whole(sticks), whole(channels)}));
    }
    const auto both = [](std::uint32_t a, std::uint32_t b) { return a > 0 && b > 0; };
    require(both(kernel_size[0], kernel_size[1]), "kernel_size",
            "kernel size: expected at least 1, found " + numbers({kernel_size[0], kernel_size[1]}));
    require(both(stride[0], stride[1]), "stride",
            "stride: expected at least 1, found " + numbers({stride[0], stride[1]}));
    require(both(dilation_h, dilation_w), "dilation",
            "dilation: expected at least 1, found " + numbers({dilation_h, dilation_w}));
    require(std::max(pad_top, pad_bottom) <= kernel_size[0] / 2 && pad_left <= kernel_size[1] / 2, "padding",
            "padding " + numbers({pad_top, pad_bottom, pad_left}) + ": expected at most half of the kernel " +
                numbers({kernel_size[0], kernel_size[1]}));
    const std::uint32_t height = dilation_h * (kernel_size[0] - 1) + 1,
                        width = dilation_w * (kernel_size[1] - 1) + 1;
    const std::uint32_t padded_h = input_h + pad_top + pad_bottom, padded_w = input_w + pad_left + pad_right;
    require(height <= padded_h && width <= padded_w, "effective_kernel",
            "kernel " + numbers({height, width}) + ": expected one within the padded input " +
                numbers({padded_h, padded_w}));
}

void validate_pool2d(const Tensor& input, Pool2DType pool_type,
                     const SlidingWindowConfig& sliding_window_config, const MemoryConfig& out_mem_config,
                     std::optional<const std::int32_t> /*divisor_override*/, bool return_indices,
                     const Layout& output_layout) {
    require(input.storage_type() == StorageType::DEVICE, "input.storage_type()",
            "expected an input on a device");
    require(input.is_allocated(), "input.buffer()", "expected an input that has memory");
    require(input.dtype() == DataType::BFLOAT16, "input.dtype()", "expected an input of BFLOAT16");
    require(input.layout() == Layout::ROW_MAJOR, "input.layout()", "expected an input in ROW_MAJOR");
    require(input.memory_config().is_sharded(), "input.is_sharded()", "expected an input in shards");
    if (return_indices) {
        require(pool_type == Pool2DType::MAX_POOL2D, "pool_type", "return_indices: expected a maximum");
        require(output_layout == Layout::ROW_MAJOR, "output_layout", "return_indices: expected ROW_MAJOR");
    }
    require(out_mem_config.is_sharded(), "out_mem_config.is_sharded()", "expected an output in shards");
    const std::uint32_t parts = sliding_window_config.num_cores_c;
    if (input.memory_config().memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED)
        require(input.padded_shape()[3] % parts == 0, "input_shape[3] % num_shards_c",
                "channels: expected a multiple of " + std::to_string(parts) + ", found " +
                    std::to_string(input.padded_shape()[3]));
}

}  // namespace ttnn::operations::pool
