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

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"

namespace tilemeter {

/// The spread of an attention program: its cores begin at the grid's origin; chunks are rows of q and of k, in
/// multiples of 32.
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
struct ScaledDotProductAttention {
    using Self = ScaledDotProductAttention;
    Tensor input_tensor_q{}, input_tensor_k{}, input_tensor_v{};
    OptionalTensor attn_mask{};
    bool is_causal = true;
    std::optional<float> scale{};
    std::optional<std::uint32_t> sliding_window_size{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalTensor attention_sink{};
    OptionalTensor cu_window_seqlens{};
    std::uint32_t windowed_q_token_offset = 0;  ///< has no effect
    Ignored windowed_q_token_offset_tensor{};
    bool output_concat_heads = false;
    Ignored attn_mask_block_map{};

    static constexpr OperationInfo kOperation{
        "transformer::scaled_dot_product_attention",
        "q [b, h, s, d], k and v [b, kv, t, d] -> [b, h, s, d]. is_causal excludes attn_mask [1 or b, 1 or "
        "h, s, t]."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::input_tensor_v>(),
        keyword<&Self::attn_mask, &Self::is_causal, &Self::scale, &Self::sliding_window_size,
                &Self::memory_config>(),
        unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>(),
        keyword<&Self::attention_sink, &Self::cu_window_seqlens>(),
        unrecorded_keyword<&Self::windowed_q_token_offset, &Self::windowed_q_token_offset_tensor>(),
        keyword<&Self::output_concat_heads, &Self::attn_mask_block_map>());
    Tensor body() const;
};
inline constexpr Operation<ScaledDotProductAttention> scaled_dot_product_attention;

/// One token of each of b users: q [1, b, h, d], k and v [b, kv, t, d] -> [1, b, h, d]. is_causal: user i
/// sees columns 0 .. cur_pos[i], or, where a tensor gives positions, cur_pos_tensor[i] (INT32, ROW_MAJOR,
/// [b]); below 0: none, the user's result is 0; without positions all. Else all columns plus attn_mask [1, b,
/// h, t] or [b, 1, h, t]. q lies in DRAM or HEIGHT_SHARDED in L1; with kv > 1 it is BFLOAT16. attention_sink
/// [h, 32]: its first column counts. k_chunk_size 0: the largest power of two that divides t, at most 512;
/// else it divides t.
struct ScaledDotProductAttentionDecode {
    using Self = ScaledDotProductAttentionDecode;
    Tensor input_tensor_q{}, input_tensor_k{}, input_tensor_v{};
    bool is_causal = true;
    OptionalTensor attn_mask{};
    std::vector<std::int64_t> cur_pos{};
    OptionalTensor cur_pos_tensor{};
    OptionalTensor attention_sink{};
    std::optional<float> scale{};
    std::optional<std::uint32_t> sliding_window_size{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    std::optional<bool> share_cache{};  ///< has no effect

    static constexpr OperationInfo kOperation{
        "transformer::scaled_dot_product_attention_decode",
        "One token of each of b users: q [1, b, h, d], k and v [b, kv, t, d] -> [1, b, h, d]."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::input_tensor_v>(),
        keyword<&Self::is_causal, &Self::attn_mask, &Self::cur_pos, &Self::cur_pos_tensor,
                &Self::attention_sink, &Self::scale, &Self::sliding_window_size, &Self::memory_config>(),
        unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config, &Self::share_cache>());
    Tensor body() const;
};
inline constexpr Operation<ScaledDotProductAttentionDecode> scaled_dot_product_attention_decode;

/// The same with keys and values in blocks [n, kv, t, d]: block j of user i is page_table_tensor[i, j]
/// (INT32, ROW_MAJOR, [b, blocks of each]). is_causal needs cur_pos_tensor. Not causal, or with attn_mask [b,
/// 1, h, columns], a program_config must give k_chunk_size; else 0 is the largest that a core takes.
struct PagedScaledDotProductAttentionDecode {
    using Self = PagedScaledDotProductAttentionDecode;
    Tensor input_tensor_q{}, input_tensor_k{}, input_tensor_v{}, page_table_tensor{};
    bool is_causal = true;
    OptionalTensor attn_mask{};
    OptionalTensor cur_pos_tensor{};
    OptionalTensor attention_sink{};
    std::optional<float> scale{};
    std::optional<std::uint32_t> sliding_window_size{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    Ignored paged_cache_geometry{};
    std::optional<std::uint32_t> cache_position_modulo{};  ///< has no effect
    std::uint32_t spec_multi_pos_tiles = 0;                ///< has no effect

    static constexpr OperationInfo kOperation{
        "transformer::paged_scaled_dot_product_attention_decode",
        "scaled_dot_product_attention_decode of keys and values in blocks [n, kv, t, d], named by "
        "page_table_tensor [b, blocks]."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::input_tensor_v,
                 &Self::page_table_tensor>(),
        keyword<&Self::is_causal, &Self::attn_mask, &Self::cur_pos_tensor, &Self::attention_sink,
                &Self::scale, &Self::sliding_window_size, &Self::memory_config>(),
        unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config, &Self::paged_cache_geometry,
                           &Self::cache_position_modulo, &Self::spec_multi_pos_tiles>());
    Tensor body() const;
};
inline constexpr Operation<PagedScaledDotProductAttentionDecode> paged_scaled_dot_product_attention_decode;

/// Causal attention of rows that begin at chunk_start_idx of a sequence: q [b, h, s, d], keys and values in
/// blocks [n, kv, t, d] of page_table_tensor [b, blocks of each]. Row i sees columns 0 .. chunk_start_idx +
/// i. chunk_start_idx is a multiple of both chunk sizes.
struct ChunkedScaledDotProductAttention {
    using Self = ChunkedScaledDotProductAttention;
    Tensor input_tensor_q{}, input_tensor_k{}, input_tensor_v{}, page_table_tensor{};
    std::optional<std::uint32_t> chunk_start_idx{};
    OptionalTensor chunk_start_idx_tensor{};  ///< instead, INT32 [1], with tables of a multiple of 8 blocks
    std::optional<float> scale{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    Ignored paged_cache_geometry{};
    std::optional<std::uint32_t> sliding_window_size{};
    OptionalTensor attention_sink{};

    static constexpr OperationInfo kOperation{
        "transformer::chunked_scaled_dot_product_attention",
        "Causal attention of rows that begin at chunk_start_idx, over keys and values in blocks."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::input_tensor_v,
                            &Self::page_table_tensor>(),
                   optional<&Self::chunk_start_idx>(),
                   keyword<&Self::chunk_start_idx_tensor, &Self::scale, &Self::memory_config>(),
                   unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>(),
                   keyword<&Self::paged_cache_geometry, &Self::sliding_window_size, &Self::attention_sink>());
    Tensor call() const;
};
inline constexpr Operation<ChunkedScaledDotProductAttention> chunked_scaled_dot_product_attention;

/// Causal attention of the rows that one chip of a ring has: of 2 * ring_size equal parts of q the part ring_id and, as
/// far from the end, another, one behind the other. k and v [b, kv, s, d] are whole.
struct RingDistributedScaledDotProductAttention {
    using Self = RingDistributedScaledDotProductAttention;
    Tensor input_tensor_q{}, input_tensor_k{}, input_tensor_v{};
    std::uint32_t ring_size = 0;             ///< even
    std::optional<std::uint32_t> ring_id{};  ///< must be given
    std::optional<float> scale{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};
    OptionalTensor page_table{};  ///< of k and v in blocks [n, kv, t, d]: INT32, ROW_MAJOR, [b, blocks]
    std::optional<std::uint32_t> chunk_start_idx{};  ///< of the columns, where q begins; with page_table

    static constexpr OperationInfo kOperation{
        "transformer::ring_distributed_scaled_dot_product_attention",
        "Causal attention of two of 2 * ring_size parts of q [b, h, s, d]: ring_id and its opposite, as [b, h, s / "
        "ring_size, d]."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::input_tensor_v, &Self::ring_size>(),
        optional<&Self::ring_id>(), keyword<&Self::scale, &Self::memory_config>(),
        unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>(),
        keyword<&Self::page_table, &Self::chunk_start_idx>());
    Tensor body() const;
};
inline constexpr Operation<RingDistributedScaledDotProductAttention>
    ring_distributed_scaled_dot_product_attention;

/// Attention, not causal, over two sequences joined end to end: q, k, v [b, h, s, d] and joint ones [b, h, t,
/// d], in DRAM. Returns what belongs to either.
struct JointScaledDotProductAttention {
    using Self = JointScaledDotProductAttention;
    Tensor input_tensor_q{}, input_tensor_k{}, input_tensor_v{};
    Tensor joint_tensor_q{}, joint_tensor_k{}, joint_tensor_v{};
    std::string joint_strategy = "rear";  ///< the only one
    SDPAProgramConfig program_config{};
    std::optional<float> scale{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "transformer::joint_scaled_dot_product_attention",
        "Attention, not causal, over two sequences joined end to end; the results of either."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::input_tensor_v,
                            &Self::joint_tensor_q, &Self::joint_tensor_k, &Self::joint_tensor_v>(),
                   required_keyword<&Self::joint_strategy, &Self::program_config>(), keyword<&Self::scale>(),
                   unrecorded_keyword<&Self::compute_kernel_config>());
    std::pair<Tensor, Tensor> call() const;
};
inline constexpr Operation<JointScaledDotProductAttention> joint_scaled_dot_product_attention;

}  // namespace transformer

}  // namespace tilemeter
