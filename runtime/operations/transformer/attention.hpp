// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Scaled dot product attention in one program, with TT-NN's names, arguments and defaults.
//
//     softmax(scale * q . k^T + mask) . v
//
// TILE, interleaved; BFLOAT16, BFLOAT8_B or BFLOAT4_B; the head size d is a multiple of 32. Heads of k and v
// are shared by equally many heads of q. scale: 1 / sqrt(d) unless given. memory_config of the result: DRAM
// interleaved unless given; its dtype is that of q. program_config: grid and chunks of the program, values
// don't depend on it. compute_kernel_config: fp32_dest_acc_en chooses another program. All throw RuntimeError
// (shapes, dtypes, layouts, a config that does not fit), OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/operations/core/compute_kernel_config.hpp"
#include "runtime/operations/core/optional_arguments.hpp"

namespace tilemeter {

/// How an attention program is spread: its cores begin at the grid's origin; chunks are rows of q and of k,
/// in multiples of 32.
struct SDPAProgramConfig {
    CoreCoord compute_with_storage_grid_size;
    std::uint32_t q_chunk_size = 32;
    std::uint32_t k_chunk_size = 32;
    std::optional<bool> exp_approx_mode;
    std::uint32_t max_cores_per_head_batch = 16;  ///< decoding only
    friend bool operator==(const SDPAProgramConfig&, const SDPAProgramConfig&) = default;
};

using OptionalSDPAProgramConfig = std::optional<SDPAProgramConfig>;

namespace transformer {

/// q [b, h, s, d], k and v [b, kv, t, d] -> [b, h, s, d]; with output_concat_heads [b, 1, s, h * d].
/// is_causal: row i sees columns 0 .. i, t equals s; excludes attn_mask. attn_mask [1 or b, 1 or h, s, t]:
/// added to the scores. sliding_window_size: row i sees the last so many columns up to i, or, if not causal,
/// those within half of it on both sides. attention_sink [1, h, 1, 1]: one more score per head that leads
/// nowhere. cu_window_seqlens (INT32 or UINT32, ROW_MAJOR, [n]): row i sees the columns between the same two
/// of these bounds as i; excludes is_causal, attn_mask and sliding_window_size.
Tensor scaled_dot_product_attention(const Tensor& input_tensor_q, const Tensor& input_tensor_k,
                                    const Tensor& input_tensor_v,
                                    const OptionalTensor& attn_mask = std::nullopt, bool is_causal = true,
                                    std::optional<float> scale = std::nullopt,
                                    std::optional<std::uint32_t> sliding_window_size = std::nullopt,
                                    const OptionalMemoryConfig& memory_config = std::nullopt,
                                    const OptionalSDPAProgramConfig& program_config = std::nullopt,
                                    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt,
                                    const OptionalTensor& attention_sink = std::nullopt,
                                    bool output_concat_heads = false,
                                    const OptionalTensor& cu_window_seqlens = std::nullopt);

/// One token of each of b users: q [1, b, h, d], k and v [b, kv, t, d] -> [1, b, h, d]. is_causal: user i
/// sees columns 0 .. cur_pos[i], or, where a tensor gives positions, cur_pos_tensor[i] (INT32, ROW_MAJOR,
/// [b]); below 0: none, the user's result is 0; without positions all. Else all columns plus attn_mask [1, b,
/// h, t] or [b, 1, h, t]. q lies in DRAM or HEIGHT_SHARDED in L1; with kv > 1 it is BFLOAT16. attention_sink
/// [h, 32]: its first column counts. k_chunk_size 0: the largest power of two that divides t, at most 512;
/// else it divides t.
Tensor scaled_dot_product_attention_decode(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v,
    bool is_causal = true, const OptionalTensor& attn_mask = std::nullopt,
    const std::vector<std::int64_t>& cur_pos = {}, const OptionalTensor& cur_pos_tensor = std::nullopt,
    const OptionalTensor& attention_sink = std::nullopt, std::optional<float> scale = std::nullopt,
    std::optional<std::uint32_t> sliding_window_size = std::nullopt,
    const OptionalMemoryConfig& memory_config = std::nullopt,
    const OptionalSDPAProgramConfig& program_config = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// The same with keys and values in blocks [n, kv, t, d]: block j of user i is page_table_tensor[i, j]
/// (INT32, ROW_MAJOR, [b, blocks of each]). is_causal needs cur_pos_tensor. Not causal, or with attn_mask [b,
/// 1, h, columns], a program_config must give k_chunk_size; else 0 is the largest that a core takes.
Tensor paged_scaled_dot_product_attention_decode(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v,
    const Tensor& page_table_tensor, bool is_causal = true, const OptionalTensor& attn_mask = std::nullopt,
    const OptionalTensor& cur_pos_tensor = std::nullopt, const OptionalTensor& attention_sink = std::nullopt,
    std::optional<float> scale = std::nullopt,
    std::optional<std::uint32_t> sliding_window_size = std::nullopt,
    const OptionalMemoryConfig& memory_config = std::nullopt,
    const OptionalSDPAProgramConfig& program_config = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

/// Causal attention of rows that begin at chunk_start_idx of a sequence: q [b, h, s, d], keys and values in
/// blocks [n, kv, t, d] of page_table_tensor [b, blocks of each]. Row i sees columns 0 .. chunk_start_idx +
/// i. chunk_start_idx is a multiple of both chunk sizes.
Tensor chunked_scaled_dot_product_attention(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v,
    const Tensor& page_table_tensor, std::uint32_t chunk_start_idx, std::optional<float> scale = std::nullopt,
    const OptionalMemoryConfig& memory_config = std::nullopt,
    const OptionalSDPAProgramConfig& program_config = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt,
    std::optional<std::uint32_t> sliding_window_size = std::nullopt);

/// Attention, not causal, over two sequences joined end to end: q, k, v [b, h, s, d] and joint ones [b, h, t,
/// d], in DRAM. joint_strategy: "rear". Returns what belongs to either.
std::pair<Tensor, Tensor> joint_scaled_dot_product_attention(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v,
    const Tensor& joint_tensor_q, const Tensor& joint_tensor_k, const Tensor& joint_tensor_v,
    std::string_view joint_strategy, const SDPAProgramConfig& program_config,
    std::optional<float> scale = std::nullopt,
    const OptionalComputeKernelConfig& compute_kernel_config = std::nullopt);

}  // namespace transformer

}  // namespace tilemeter
