// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of poolings: cores, sizes of circular buffers, factors of means, what an input must be.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/sliding_window.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::pool {

enum class Pool2DType : std::uint8_t { MAX_POOL2D = 0, AVG_POOL2D = 1 };
enum class Pool2dExecutionPath : std::uint8_t { L1, DRAM };

struct AvgPoolConfig {
    std::uint32_t kernel_h = 0;
    std::uint32_t kernel_w = 0;
    std::uint32_t in_h = 0;
    std::uint32_t in_w = 0;
    std::uint32_t out_h = 0;
    std::uint32_t out_w = 0;
    std::uint32_t stride_h = 0;
    std::uint32_t stride_w = 0;
    bool ceil_mode = false;
    std::uint32_t ceil_h = 0;
    std::uint32_t ceil_w = 0;
    bool count_include_pad = false;
    std::uint32_t pad_t = 0;
    std::uint32_t pad_b = 0;
    std::uint32_t pad_l = 0;
    std::uint32_t pad_r = 0;
    std::uint32_t max_out_nhw_per_core = 0;
    std::optional<std::int32_t> divisor_override{};
};

/// A factor, upper half of a float, of the outputs [start, end) of a core.
struct ScalarInfo {
    std::uint16_t start = 0;
    std::uint16_t value = 0;
    std::uint16_t end = 0;
};

struct FactoryParameters {
    std::uint32_t multi_buffering_factor = 0;
    bool split_reader = false;       ///< two processors read
    std::uint32_t nbytes = 0;        ///< of an element
    std::uint32_t index_nbytes = 0;  ///< of a place in an image
    tt::DataFormat data_format{};
    tt::DataFormat index_format{};
    tt::DataFormat output_data_format{};
    std::uint32_t in_ntiles_c = 0;   ///< tiles of a core's channels
    std::uint32_t out_ntiles_c = 0;  ///< of ROW_MAJOR outputs half tiles
    bool is_avg_pool = false;
    std::uint32_t max_rows_for_reduction = 0;
    bool is_large_kernel = false;
    std::uint32_t MAX_TILES_PER_REDUCTION = 0;
    bool is_wide_reduction = false;
    std::uint32_t num_tilized_rows = 0;
};

/// Bytes of the pages of a pooling's circular buffers, and their numbers.
struct PoolCBSizes {
    std::uint32_t scalar_cb_pagesize = 0;
    std::uint32_t scalar_cb_npages = 0;
    bool has_second_scalar_cb = false;
    std::uint32_t clear_value_cb_size = 0;
    std::uint32_t in_cb_pagesize = 0;
    std::uint32_t in_cb_npages = 0;
    std::uint32_t in_cb_raw_size = 0;  ///< elements of a page that are used
    bool has_split_reader = false;
    std::uint32_t mpwi_total_size = 0;  ///< of tiles of places
    std::uint32_t pre_tilize_cb_pagesize = 0;
    std::uint32_t pre_tilize_cb_npages = 0;
    bool has_pre_tilize = false;
    std::uint32_t out_cb_pagesize = 0;
    std::uint32_t out_cb_npages = 0;
    std::uint32_t out_idx_cb_pagesize = 0;
    std::uint32_t out_idx_cb_npages = 0;
    bool has_out_idx = false;
    std::uint32_t config_tensor_l1_size = 0;

    std::uint32_t local_cb_total() const;   ///< of those that are the program's own
    std::uint32_t global_cb_total() const;  ///< of those in tensors' memory
    std::uint32_t total() const { return local_cb_total() + global_cb_total(); }
};

/// The factor of a window's sum, a BFLOAT16 in the upper half.
std::uint32_t get_bf16_pool_scalar(Pool2DType pool_type, std::uint32_t kernel_h, std::uint32_t kernel_w,
                                   std::optional<std::int32_t> divisor_override);
/// What a window's result begins with, a BFLOAT16 in the lower half.
std::uint32_t get_bf16_pool_init_value(Pool2DType pool_type);
std::map<std::string, std::string> get_defines(Pool2DType pool_type);
bool is_pool_op_one_scalar_per_core(Pool2DType pool_type, bool ceil_mode, std::uint32_t ceil_h,
                                    std::uint32_t ceil_w, bool count_include_pad, std::uint32_t pad_h,
                                    std::uint32_t pad_w, std::optional<std::int32_t> divisor_override);
/// Runs of outputs with one factor, from the output at a row and a column on. Throws std::runtime_error where all have the
/// same one.
std::vector<ScalarInfo> get_bf16_avg_pool_config_scalars(const AvgPoolConfig& config,
                                                         std::uint32_t output_stick_x,
                                                         std::uint32_t output_stick_y);
/// Where in the padded images each core's first window begins.
std::vector<std::uint32_t> generate_core_starting_indices(
    const std::vector<std::uint32_t>& op_trace_metadata,
    const std::vector<sliding_window::ShardBoundary>& shard_boundaries, TensorMemoryLayout shard_scheme,
    std::uint32_t num_cores_x, std::uint32_t ncores);

/// Throws std::runtime_error for a layout that is not sharded.
std::optional<sliding_window::ParallelConfig> determine_valid_parallel_config(
    TensorMemoryLayout shard_layout, std::uint32_t batch_size, std::uint32_t channels,
    std::uint32_t output_height, std::uint32_t output_width, const CoreCoord& compute_grid_size,
    ShardOrientation block_shard_orientation, bool enable_channels_padding,
    bool is_shard_height_tile_multiple = false, bool is_shard_width_tile_multiple = false,
    std::uint32_t act_block_h_override = 0);
/// Of height, width and block the one that takes least L1.
std::optional<sliding_window::ParallelConfig> determine_pool_config_for_auto_shard(
    const DataType& input_dtype, const Layout& input_layout, CoreCoord compute_grid_size,
    const sliding_window::SlidingWindowConfig& sliding_window_config, Pool2DType pool_type,
    bool count_include_pad, std::optional<std::int32_t> divisor_override, bool return_indices,
    const Layout& output_layout, const DataType& output_dtype, bool config_tensor_in_dram);
/// DRAM where slices of it are asked for.
Pool2dExecutionPath determine_pool2d_execution_path(
    const Tensor& input_tensor, const std::optional<const op_slicing::Op2DSliceConfig>& slice_config);

/// Of places in an image of that size.
DataType get_index_data_type(std::uint32_t in_h, std::uint32_t in_w);
/// Throws std::runtime_error for places of means, and for places that one processor reads.
FactoryParameters get_factory_parameters(std::uint32_t num_shards_c, const DataType& input_dtype,
                                         const DataType& output_dtype, std::uint32_t kernel_h,
                                         std::uint32_t kernel_w, std::uint32_t in_channels,
                                         Pool2DType pool_type, bool return_indices, std::uint32_t in_h,
                                         std::uint32_t in_w, const Layout& output_layout,
                                         bool is_read_by_one = false);
/// Bytes of the tables in DRAM, where they are known: of windows, of factors.
PoolCBSizes calculate_pool_cb_sizes(const FactoryParameters& params, bool one_scalar_per_core,
                                    bool return_indices, const Layout& output_layout,
                                    const DataType& output_dtype,
                                    const std::array<std::uint32_t, 2>& output_shard_shape,
                                    bool config_tensor_in_dram,
                                    std::optional<std::uint32_t> windows_table_size = std::nullopt,
                                    std::optional<std::uint32_t> factors_table_size = std::nullopt);
/// Bytes of a row, as its memory aligns it.
std::uint32_t get_aligned_stick_size(const Shape& shape, const Tensor& tensor);

// These throw std::runtime_error for what no pooling takes.
void validate_input_params(const Tensor& input_tensor, std::uint32_t batch_size, std::uint32_t input_h,
                           std::uint32_t input_w, std::uint32_t channels,
                           const std::array<std::uint32_t, 2>& kernel_size,
                           const std::array<std::uint32_t, 2>& stride, std::uint32_t pad_top,
                           std::uint32_t pad_bottom, std::uint32_t pad_left, std::uint32_t pad_right,
                           std::uint32_t dilation_h, std::uint32_t dilation_w, bool is_in_tiled);
void validate_pool2d(const Tensor& input, Pool2DType pool_type,
                     const sliding_window::SlidingWindowConfig& sliding_window_config,
                     const MemoryConfig& out_mem_config, std::optional<const std::int32_t> divisor_override,
                     bool return_indices, const Layout& output_layout);

}  // namespace ttnn::operations::pool
