// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Multi-latent attention: keys and values are one cache, values the first head_dim_v columns of its keys. The programs are those
// of attention.hpp, with a narrower head of values and of results.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/transformer/attention.hpp"

namespace tilemeter::transformer {

/// q [b, h, s, d], k [b, kv, t, d] -> [b, h, s, head_dim_v]. The mask is added to scores that are not scaled yet: the scale
/// is of both.
struct FlashMlaPrefill {
    using Self = FlashMlaPrefill;
    Tensor input_tensor_q{}, input_tensor_k{};
    std::uint32_t head_dim_v = 0;  ///< at most d
    OptionalTensor attn_mask{};
    bool is_causal = true;
    std::optional<float> scale{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "transformer::flash_mla_prefill",
        "q [b, h, s, d], k [b, kv, t, d] -> [b, h, s, head_dim_v]: attention whose values are the first head_dim_v columns "
        "of k, or v [b, kv, t, head_dim_v]. is_causal excludes attn_mask [1 or b, 1 or h, s, t]."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::head_dim_v>(),
                   keyword<&Self::attn_mask, &Self::is_causal, &Self::scale, &Self::memory_config>(),
                   unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<FlashMlaPrefill> flash_mla_prefill;

/// The same with values of their own.
struct FlashMlaPrefillOfValues {
    using Self = FlashMlaPrefillOfValues;
    Tensor input_tensor_q{}, input_tensor_k{}, input_tensor_v{};
    OptionalTensor attn_mask{};
    bool is_causal = true;
    std::optional<float> scale{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation = FlashMlaPrefill::kOperation;
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::input_tensor_v>(),
                   keyword<&Self::attn_mask, &Self::is_causal, &Self::scale, &Self::memory_config>(),
                   unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<FlashMlaPrefillOfValues> flash_mla_prefill_of_values;

/// As chunked_scaled_dot_product_attention, of a cache [n, kv, t, d] in blocks.
struct ChunkedFlashMlaPrefill {
    using Self = ChunkedFlashMlaPrefill;
    Tensor input_tensor_q{}, input_tensor_k{};
    std::uint32_t head_dim_v = 0;
    Tensor page_table_tensor{};
    std::uint32_t chunk_start_idx = 0;
    std::optional<float> scale{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "transformer::chunked_flash_mla_prefill",
        "Causal attention of rows that begin at chunk_start_idx, over a cache in blocks whose values are the first "
        "head_dim_v columns of its keys."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor_q, &Self::input_tensor_k, &Self::head_dim_v,
                            &Self::page_table_tensor, &Self::chunk_start_idx>(),
                   keyword<&Self::scale, &Self::memory_config>(),
                   unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<ChunkedFlashMlaPrefill> chunked_flash_mla_prefill;

/// As scaled_dot_product_attention_decode: q [1, b, h, d], k [b, kv, t, d] -> [1, b, h, head_dim_v]. Causal.
struct FlashMultiLatentAttentionDecode {
    using Self = FlashMultiLatentAttentionDecode;
    Tensor input_tensor_q{}, input_tensor_k{};
    OptionalTensor input_tensor_v{};  ///< [b, kv, t, head_dim_v]; none: the first columns of k
    std::uint32_t head_dim_v = 0;
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

    static constexpr OperationInfo kOperation{
        "transformer::flash_multi_latent_attention_decode",
        "One token of each of b users: q [1, b, h, d], k [b, kv, t, d] -> [1, b, h, head_dim_v], whose values are the first "
        "head_dim_v columns of k, or input_tensor_v."};
    static constexpr auto kParameters = parameters(
        required<&Self::input_tensor_q, &Self::input_tensor_k>(), optional<&Self::input_tensor_v>(),
        required<&Self::head_dim_v>(),
        keyword<&Self::is_causal, &Self::attn_mask, &Self::cur_pos, &Self::cur_pos_tensor,
                &Self::attention_sink, &Self::scale, &Self::sliding_window_size, &Self::memory_config>(),
        unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<FlashMultiLatentAttentionDecode> flash_multi_latent_attention_decode;

/// The same of a cache [n, kv, t, d] in blocks.
struct PagedFlashMultiLatentAttentionDecode {
    using Self = PagedFlashMultiLatentAttentionDecode;
    Tensor input_tensor_q{}, input_tensor_k{};
    OptionalTensor input_tensor_v{};
    std::uint32_t head_dim_v = 0;
    Tensor page_table_tensor{};
    bool is_causal = true;
    OptionalTensor attn_mask{};
    OptionalTensor cur_pos_tensor{};
    OptionalTensor attention_sink{};
    std::optional<float> scale{};
    std::optional<std::uint32_t> sliding_window_size{};
    OptionalMemoryConfig memory_config{};
    OptionalSDPAProgramConfig program_config{};
    OptionalComputeKernelConfig compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "transformer::paged_flash_multi_latent_attention_decode",
        "flash_multi_latent_attention_decode of a cache in blocks [n, kv, t, d], named by page_table_tensor [b, blocks]."};
    static constexpr auto kParameters =
        parameters(required<&Self::input_tensor_q, &Self::input_tensor_k>(),
                   optional<&Self::input_tensor_v>(), required<&Self::head_dim_v, &Self::page_table_tensor>(),
                   keyword<&Self::is_causal, &Self::attn_mask, &Self::cur_pos_tensor, &Self::attention_sink,
                           &Self::scale, &Self::sliding_window_size, &Self::memory_config>(),
                   unrecorded_keyword<&Self::program_config, &Self::compute_kernel_config>());
    Tensor body() const;
};
inline constexpr Operation<PagedFlashMultiLatentAttentionDecode> paged_flash_multi_latent_attention_decode;

}  // namespace tilemeter::transformer
