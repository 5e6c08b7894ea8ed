// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Cycles that moving data takes by TT-NN's measurements, places of slices, forms of untilize and reshape.

#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::data_movement {

/// Cycles of transactions of so many bytes, one after the other, and of waiting for the first.
std::pair<std::uint32_t, std::uint32_t> get_cycles_for_transaction_size(std::uint32_t transaction_size,
                                                                        bool is_dram, bool is_local,
                                                                        std::uint32_t num_transactions,
                                                                        tt::ARCH arch, bool is_read);
/// Cycles of an operation that reads its input and writes its output, by nothing but those; `compute_cycles` of all cores
/// together. `split_op`: it writes as much as it reads, in several outputs; `concat_op` the other way round.
int common_tm_bw_model(const Tensor& input_tensor, const Tensor& output_tensor, bool output_only = false,
                       int compute_cycles = 0, bool per_faceline = false, bool split_op = false,
                       bool bcast_local = false, bool concat_op = false);

/// Bytes of a core that an interleaved output in L1 will take; 0 of others. A tensor that cannot be so takes none, unless
/// `require_constructible`: then it is refused by std::runtime_error.
std::uint32_t get_pending_l1_output_reservation(const Tensor& input_tensor, const Shape& output_padded_shape,
                                                const MemoryConfig& output_memory_config,
                                                DataType output_dtype, Layout output_layout,
                                                bool require_constructible = false);

// The page where a slice begins.
std::uint32_t get_rm_start_offset(const Tensor& tensor, const Shape& slice_start);
/// `round_up`: the first tile that is in the slice as a whole.
std::uint32_t get_tiled_start_offset(const Shape& input_shape, const Shape& slice_start,
                                     bool round_up = false);
std::uint32_t get_tiled_start_offset(const Tensor& input_tensor, const Shape& slice_start,
                                     bool round_up = false);

/// The program of untilize by what fits into half of L1: 0 columns over cores, 1 one core, 2 rows over cores.
std::uint32_t get_pf_type(bool output_is_sharded, const Tensor& tensor);
/// As untilize without its program for few rows of tiles.
Tensor untilize_native(const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config,
                       bool use_multicore, const std::optional<CoreRangeSet>& sub_core_grids);

/// Both shapes with what a dimension of -1 takes. Throws std::runtime_error for two of them.
std::pair<Shape, Shape> shape_corrector(const Tensor& tensor, const Shape& logical_shape,
                                        const Shape& padded_shape);

}  // namespace ttnn::operations::data_movement
