// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps of operations that clients call by themselves, by what TT-NN 0.81.1's library returned to the same calls
// (tests/data/compat/rules.txt).

#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "ttnn/operations/data_movement/common/common.hpp"
#include "ttnn/operations/eltwise/unary/common/unary_op_utils.hpp"
#include "ttnn/operations/experimental/conv3d/prepare_conv3d_weights.hpp"
#include "ttnn/operations/normalization/groupnorm/groupnorm.hpp"
#include "ttnn/operations/pool/pool_utils.hpp"
#include "ttnn/operations/sliding_window/sliding_window.hpp"

namespace rules {
namespace {

namespace movement = ttnn::operations::data_movement;
namespace normalization = ttnn::operations::normalization;
namespace pool = ttnn::operations::pool;
namespace window = ttnn::operations::sliding_window;
namespace utils = ttnn::operations::unary::utils;

using Arguments = std::vector<std::uint32_t>;

template <typename... Values>
std::string joined(const Values&... values) {
    std::ostringstream text;
    const char* before = "";
    ((text << before << values, before = " "), ...);
    return text.str();
}

std::string text_of(const std::optional<window::ParallelConfig>& config) {
    if (!config) return "none";
    std::ostringstream text;
    for (const auto& each : config->grid.ranges())
        text << '[' << joined(each.start_coord.x, each.start_coord.y, "-", each.end_coord.x, each.end_coord.y)
             << ']';
    text << ' '
         << joined(static_cast<int>(config->shard_scheme), static_cast<int>(config->shard_orientation));
    return text.str();
}

pool::FactoryParameters factory_parameters(const Arguments& a) {
    return pool::get_factory_parameters(1, static_cast<ttnn::DataType>(a[7]), ttnn::DataType::BFLOAT16, a[2],
                                        a[2], a[4], static_cast<pool::Pool2DType>(a[3]), a[1] != 0, a[5],
                                        a[5], static_cast<ttnn::Layout>(a[6]), a[0] != 0);
}

std::string factory_text(const Arguments& a) {
    const pool::FactoryParameters p = factory_parameters(a);
    return joined(p.multi_buffering_factor, p.split_reader, p.nbytes, p.index_nbytes,
                  static_cast<int>(p.data_format), static_cast<int>(p.index_format),
                  static_cast<int>(p.output_data_format), p.in_ntiles_c, p.out_ntiles_c, p.is_avg_pool,
                  p.max_rows_for_reduction, p.is_large_kernel, p.MAX_TILES_PER_REDUCTION, p.is_wide_reduction,
                  p.num_tilized_rows);
}

std::string buffers_text(const Arguments& a) {
    const std::optional<std::uint32_t> windows = (a[10] & 1U) != 0 ? std::optional(7U) : std::nullopt;
    const std::optional<std::uint32_t> factors = (a[10] & 2U) != 0 ? std::optional(1000U) : std::nullopt;
    const pool::PoolCBSizes s = pool::calculate_pool_cb_sizes(
        factory_parameters(a), a[8] != 0, a[1] != 0, static_cast<ttnn::Layout>(a[6]),
        ttnn::DataType::BFLOAT16, {96, 64}, a[9] != 0, windows, factors);
    return joined(s.scalar_cb_pagesize, s.scalar_cb_npages, s.has_second_scalar_cb, s.clear_value_cb_size,
                  s.in_cb_pagesize, s.in_cb_npages, s.in_cb_raw_size, s.has_split_reader, s.mpwi_total_size,
                  s.pre_tilize_cb_pagesize, s.pre_tilize_cb_npages, s.has_pre_tilize, s.out_cb_pagesize,
                  s.out_cb_npages, s.out_idx_cb_pagesize, s.out_idx_cb_npages, s.has_out_idx,
                  s.config_tensor_l1_size);
}

std::string grid_text(const Arguments& a) {
    const auto grid = normalization::find_expected_dram_grid(static_cast<int>(a[0]), static_cast<int>(a[1]),
                                                             static_cast<int>(a[2]), static_cast<int>(a[3]),
                                                             static_cast<int>(a[4]), static_cast<int>(a[5]));
    return grid ? joined(grid->x, grid->y) : "none";
}

std::string cycles_text(const Arguments& a) {
    const auto [each, latency] = movement::get_cycles_for_transaction_size(
        a[2], (a[1] & 1U) != 0, (a[1] & 2U) != 0, 37, static_cast<tt::ARCH>(a[0]), (a[1] & 4U) != 0);
    return joined(each, latency);
}

std::string parallel_text(const Arguments& a) {
    return text_of(pool::determine_valid_parallel_config(
        static_cast<ttnn::TensorMemoryLayout>(a[0]), 2, a[2], 14, 13, {8, 8},
        static_cast<ttnn::ShardOrientation>(a[1]), (a[3] & 1U) != 0, (a[3] & 2U) != 0, (a[3] & 4U) != 0, 0));
}

std::string automatic_text(const Arguments& a) {
    window::SlidingWindowConfig config;
    config.batch_size = 2;
    config.channels = a[0];
    config.input_hw = {a[4], a[4]};
    config.window_hw = {3, 3};
    config.stride_hw = {2, 2};
    config.padding = {1, 1, 1, 1};
    return text_of(pool::determine_pool_config_for_auto_shard(
        ttnn::DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR, {8, 8}, config,
        static_cast<pool::Pool2DType>(a[1]), a[3] != 0, std::nullopt, false, static_cast<ttnn::Layout>(a[2]),
        ttnn::DataType::BFLOAT16, false));
}

std::string ceil_text(const Arguments& a) {
    window::SlidingWindowConfig config;
    config.batch_size = 1;
    config.input_hw = {a[3], 11};
    config.window_hw = {a[0], 4};
    config.stride_hw = {a[1], 3};
    config.padding = {a[2], 0, 2, 1};
    config.num_cores_nhw = 3;
    config.ceil_mode = true;
    return joined(config.get_ceil_pad_h(), config.get_ceil_pad_w(), config.get_output_shard_y(false),
                  config.get_output_shard_y(true));
}

std::string unary_text(const Arguments& a) {
    const auto type = static_cast<ttnn::operations::unary::UnaryOpType>(a[0]);
    std::map<std::string, std::string> defines;
    utils::update_macro_defines(type, defines);
    std::string macro = defines.begin()->first;
    macro = macro.substr(8, macro.size() - 8 - 8);  // SFPU_OP_ and _INCLUDE
    return joined(macro, utils::get_compute_kernel_path(type), utils::uses_dedicated_compute_kernel(type));
}

TEST(Rules, AreThoseOfTheLibrary) {
    const std::map<std::string, std::function<std::string(const Arguments&)>> rules = {
        {"auto", automatic_text},
        {"cb", buffers_text},
        {"ceil", ceil_text},
        {"cin",
         [](const Arguments& a) {
             return joined(ttnn::operations::experimental::conv3d::default_c_in_block(a[0]));
         }},
        {"cyc", cycles_text},
        {"fp", factory_text},
        {"grid", grid_text},
        {"nvc",
         [](const Arguments& a) {
             return joined(normalization::compute_num_virtual_cols(
                 static_cast<int>(a[0]), static_cast<int>(a[1]), static_cast<int>(a[2])));
         }},
        {"par", parallel_text},
        {"unary", unary_text},
    };
    std::ifstream file(tilemeter::test::data_folder() + "/compat/rules.txt");
    std::map<std::string, int> seen;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const std::size_t colon = line.find(" : ");
        ASSERT_NE(colon, std::string::npos) << line;
        std::istringstream words(line.substr(0, colon));
        std::string name;
        words >> name;
        Arguments arguments;
        for (std::uint32_t each = 0; words >> each;)
            arguments.push_back(each);
        ++seen[name];
        const std::string expected = line.substr(colon + 3);
        if (expected == "refused")
            EXPECT_THROW(rules.at(name)(arguments), std::runtime_error) << line;
        else
            EXPECT_EQ(rules.at(name)(arguments), expected) << line;
    }
    EXPECT_EQ(seen.size(), rules.size());
}

}  // namespace
}  // namespace rules
