// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention: heads, scores, rotations, caches.

#include "runtime/operations/transformer/attention.hpp"

#include <string>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/transformer/attention_heads.hpp"
#include "runtime/operations/transformer/attention_heads_decode.hpp"
#include "runtime/operations/transformer/grouped_heads.hpp"
#include "runtime/operations/transformer/kv_cache.hpp"
#include "runtime/operations/transformer/paged_cache.hpp"
#include "runtime/operations/transformer/rotary_embedding.hpp"
#include "runtime/operations/transformer/rotary_embedding_fused.hpp"
#include "runtime/operations/transformer/rotary_embedding_hf.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

/// Accepted for TT-NN's sake; what it prescribes changes neither values nor memory here.
using Unused = nb::handle;
using Count = std::optional<std::uint32_t>;

void bind_attention_configs(nb::module_& m) {
    nb::class_<SDPAProgramConfig>(m, "SDPAProgramConfig",
                                  "How attention is spread over cores; chunks in rows.")
        .def(
            "__init__",
            [](SDPAProgramConfig* self, CoreCoord grid, Unused, std::uint32_t q_chunk_size,
               std::uint32_t k_chunk_size, std::optional<bool> exp_approx_mode,
               std::uint32_t max_cores_per_head_batch, std::uint32_t, Unused, bool) {
                new (self) SDPAProgramConfig{grid, q_chunk_size, k_chunk_size, exp_approx_mode,
                                             max_cores_per_head_batch};
            },
            nb::kw_only(), "compute_with_storage_grid_size"_a, "sub_core_grids"_a = nb::none(),
            "q_chunk_size"_a, "k_chunk_size"_a, "exp_approx_mode"_a = nb::none(),
            "max_cores_per_head_batch"_a = 16, "max_k_splits"_a = 1, "matmul_math_fidelity"_a = nb::none(),
            "segmented_accumulation"_a = false)
        .def_rw("compute_with_storage_grid_size", &SDPAProgramConfig::compute_with_storage_grid_size)
        .def_rw("q_chunk_size", &SDPAProgramConfig::q_chunk_size)
        .def_rw("k_chunk_size", &SDPAProgramConfig::k_chunk_size)
        .def_rw("exp_approx_mode", &SDPAProgramConfig::exp_approx_mode, nb::arg().none())
        .def_rw("max_cores_per_head_batch", &SDPAProgramConfig::max_cores_per_head_batch)
        .def("__repr__", [](const SDPAProgramConfig& self) {
            const CoreCoord grid = self.compute_with_storage_grid_size;
            return "SDPAProgramConfig(compute_with_storage_grid_size=" + std::to_string(grid.x) + "-" +
                   std::to_string(grid.y) +
                   ", sub_core_grids=std::nullopt, q_chunk_size=" + std::to_string(self.q_chunk_size) +
                   ", k_chunk_size=" + std::to_string(self.k_chunk_size) + ", exp_approx_mode=" +
                   (self.exp_approx_mode ? (*self.exp_approx_mode ? "true" : "false") : "std::nullopt") +
                   ", max_cores_per_head_batch=" + std::to_string(self.max_cores_per_head_batch) +
                   ", max_k_splits=1, matmul_math_fidelity=std::nullopt, segmented_accumulation=false)";
        });
}

void bind_scores(nb::module_& transformer) {
    operation(
        transformer, "scaled_dot_product_attention",
        [](const Tensor& q, const Tensor& k, const Tensor& v, const OptionalTensor& mask, bool is_causal,
           std::optional<float> scale, Count window, const OptionalMemoryConfig& memory_config,
           const OptionalSDPAProgramConfig& program_config, const OptionalComputeKernelConfig& kernel_config,
           const OptionalTensor& sink, const OptionalTensor& windows, std::uint32_t, Unused,
           bool concat_heads, Unused) {
            return transformer::scaled_dot_product_attention(q, k, v, mask, is_causal, scale, window,
                                                             memory_config, program_config, kernel_config,
                                                             sink, concat_heads, windows);
        },
        "input_tensor_q"_a, "input_tensor_k"_a, "input_tensor_v"_a, nb::kw_only(), "attn_mask"_a = nb::none(),
        "is_causal"_a = true, "scale"_a = nb::none(), "sliding_window_size"_a = nb::none(),
        "memory_config"_a = nb::none(), "program_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "attention_sink"_a = nb::none(),
        "cu_window_seqlens"_a = nb::none(), "windowed_q_token_offset"_a = 0,
        "windowed_q_token_offset_tensor"_a = nb::none(), "output_concat_heads"_a = false,
        "attn_mask_block_map"_a = nb::none(),
        "q [b, h, s, d], k and v [b, kv, t, d] -> [b, h, s, d]. is_causal excludes attn_mask [1 or b, 1 or "
        "h, s, t].");
    operation(
        transformer, "scaled_dot_product_attention_decode",
        [](const Tensor& q, const Tensor& k, const Tensor& v, bool is_causal, const OptionalTensor& mask,
           const std::vector<std::int64_t>& positions, const OptionalTensor& position_tensor,
           const OptionalTensor& sink, std::optional<float> scale, Count window,
           const OptionalMemoryConfig& memory_config, const OptionalSDPAProgramConfig& program_config,
           const OptionalComputeKernelConfig& kernel_config, std::optional<bool>) {
            return transformer::scaled_dot_product_attention_decode(
                q, k, v, is_causal, mask, positions, position_tensor, sink, scale, window, memory_config,
                program_config, kernel_config);
        },
        "input_tensor_q"_a, "input_tensor_k"_a, "input_tensor_v"_a, nb::kw_only(), "is_causal"_a = true,
        "attn_mask"_a = nb::none(), "cur_pos"_a = std::vector<std::int64_t>(),
        "cur_pos_tensor"_a = nb::none(), "attention_sink"_a = nb::none(), "scale"_a = nb::none(),
        "sliding_window_size"_a = nb::none(), "memory_config"_a = nb::none(), "program_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "share_cache"_a = nb::none(),
        "One token of each of b users: q [1, b, h, d], k and v [b, kv, t, d] -> [1, b, h, d].");
    operation(
        transformer, "paged_scaled_dot_product_attention_decode",
        [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& page_table, bool is_causal,
           const OptionalTensor& mask, const OptionalTensor& positions, const OptionalTensor& sink,
           std::optional<float> scale, Count window, const OptionalMemoryConfig& memory_config,
           const OptionalSDPAProgramConfig& program_config, const OptionalComputeKernelConfig& kernel_config,
           Unused, Count, std::uint32_t) {
            return transformer::paged_scaled_dot_product_attention_decode(
                q, k, v, page_table, is_causal, mask, positions, sink, scale, window, memory_config,
                program_config, kernel_config);
        },
        "input_tensor_q"_a, "input_tensor_k"_a, "input_tensor_v"_a, "page_table_tensor"_a, nb::kw_only(),
        "is_causal"_a = true, "attn_mask"_a = nb::none(), "cur_pos_tensor"_a = nb::none(),
        "attention_sink"_a = nb::none(), "scale"_a = nb::none(), "sliding_window_size"_a = nb::none(),
        "memory_config"_a = nb::none(), "program_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "paged_cache_geometry"_a = nb::none(),
        "cache_position_modulo"_a = nb::none(), "spec_multi_pos_tiles"_a = 0,
        "scaled_dot_product_attention_decode of keys and values in blocks [n, kv, t, d], named by "
        "page_table_tensor [b, blocks].");
    operation(
        transformer, "chunked_scaled_dot_product_attention",
        [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& page_table, Count start, Unused,
           std::optional<float> scale, const OptionalMemoryConfig& memory_config,
           const OptionalSDPAProgramConfig& program_config, const OptionalComputeKernelConfig& kernel_config,
           Unused, Count window, Unused) {
            if (!start)
                throw RuntimeError(
                    "chunked_scaled_dot_product_attention: chunk_start_idx: expected a number, found none");
            return transformer::chunked_scaled_dot_product_attention(
                q, k, v, page_table, *start, scale, memory_config, program_config, kernel_config, window);
        },
        "input_tensor_q"_a, "input_tensor_k"_a, "input_tensor_v"_a, "page_table_tensor"_a,
        "chunk_start_idx"_a = nb::none(), nb::kw_only(), "chunk_start_idx_tensor"_a = nb::none(),
        "scale"_a = nb::none(), "memory_config"_a = nb::none(), "program_config"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "paged_cache_geometry"_a = nb::none(),
        "sliding_window_size"_a = nb::none(), "attention_sink"_a = nb::none(),
        "Causal attention of rows that begin at chunk_start_idx, over keys and values in blocks.");
    operation(
        transformer, "joint_scaled_dot_product_attention",
        [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& joint_q, const Tensor& joint_k,
           const Tensor& joint_v, const std::string& strategy, const SDPAProgramConfig& program_config,
           std::optional<float> scale, const OptionalComputeKernelConfig& kernel_config) {
            return transformer::joint_scaled_dot_product_attention(
                q, k, v, joint_q, joint_k, joint_v, strategy, program_config, scale, kernel_config);
        },
        "input_tensor_q"_a, "input_tensor_k"_a, "input_tensor_v"_a, "joint_tensor_q"_a, "joint_tensor_k"_a,
        "joint_tensor_v"_a, nb::kw_only(), "joint_strategy"_a, "program_config"_a, "scale"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(),
        "Attention, not causal, over two sequences joined end to end; the results of either.");
}

void bind_heads(nb::module_& transformer, nb::module_& experimental) {
    operation(
        experimental, "nlp_create_qkv_heads",
        [](const Tensor& input, const OptionalTensor& kv, std::uint32_t heads, Count kv_heads,
           bool transpose_k, bool, const OptionalMemoryConfig& memory_config, Unused) {
            return experimental::nlp_create_qkv_heads(input, kv, heads, kv_heads, transpose_k, memory_config);
        },
        "input"_a, "input_kv"_a = nb::none(), nb::kw_only(), "num_heads"_a, "num_kv_heads"_a = nb::none(),
        "transpose_k_heads"_a = true, "kv_tied"_a = false, "memory_config"_a = nb::none(),
        "output_tensors"_a = nb::none(),
        "[b, 1, s, (h + 2 * kv) * d] -> q [b, h, s, d], k and v [b, kv, s, d].");
    operation(
        experimental, "nlp_create_qkv_heads_decode",
        [](const Tensor& input, std::uint32_t heads, Count kv_heads, Unused, std::optional<bool> overlap,
           Unused, Unused, const OptionalMemoryConfig& memory_config) {
            return experimental::nlp_create_qkv_heads_decode(input, heads, kv_heads, memory_config,
                                                             overlap.value_or(true));
        },
        "input_tensor"_a, nb::kw_only(), "num_heads"_a, "num_kv_heads"_a = nb::none(),
        "output_tensors"_a = nb::none(), "overlap_qk_coregrid"_a = true, "batch_offset"_a = nb::none(),
        "slice_size"_a = nb::none(), "memory_config"_a = nb::none(),
        "One token of each of b users; results HEIGHT_SHARDED by users.");
    operation(
        experimental, "create_qkv_heads",
        [](const Tensor& input, std::uint32_t heads, Count kv_heads, bool transpose_k,
           const OptionalMemoryConfig& memory_config, Unused) {
            return experimental::create_qkv_heads(input, heads, kv_heads, transpose_k, memory_config);
        },
        "input"_a, nb::kw_only(), "num_heads"_a, "num_kv_heads"_a = nb::none(), "transpose_k_heads"_a = true,
        "memory_config"_a = nb::none(), "output_tensors"_a = nb::none(),
        "BLOCK_SHARDED [b, 1, s, kv * (h / kv + 2) * d], groups of queries, key and value -> q [b, h, s, d], "
        "k and v [b, kv, s, d], HEIGHT_SHARDED.");
    operation(
        experimental, "create_qkv_heads_from_separate_tensors",
        [](const Tensor& input, const Tensor& kv, std::uint32_t heads, Count kv_heads, bool transpose_k,
           const OptionalMemoryConfig& memory_config, Unused) {
            return experimental::create_qkv_heads_from_separate_tensors(input, kv, heads, kv_heads,
                                                                        transpose_k, memory_config);
        },
        "input"_a, "input_kv"_a, nb::kw_only(), "num_heads"_a, "num_kv_heads"_a = nb::none(),
        "transpose_k_heads"_a = true, "memory_config"_a = nb::none(), "output_tensors"_a = nb::none(),
        "BLOCK_SHARDED [b, 1, s, h * d] and [b, 1, t, kv * 2 * d], pairs of key and value -> q [b, h, s, d], "
        "k and v [b, kv, t, d], HEIGHT_SHARDED.");
    operation(
        experimental, "nlp_concat_heads",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config) {
            return experimental::nlp_concat_heads(input, memory_config);
        },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "[b, h, s, d] -> [b, 1, s, h * d].");
    operation(
        experimental, "nlp_concat_heads_decode",
        [](const Tensor& input, std::uint32_t heads, Unused, Unused, Unused) {
            return experimental::nlp_concat_heads_decode(input, heads);
        },
        "input_tensor"_a, nb::kw_only(), "num_heads"_a, "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "The first num_heads heads of each user side by side; WIDTH_SHARDED.");
    operation(
        transformer, "split_query_key_value_and_split_heads",
        [](const Tensor& input, const OptionalTensor& kv, std::uint32_t heads, Count kv_heads,
           bool transpose_key, const OptionalMemoryConfig& memory_config, bool) {
            return transformer::split_query_key_value_and_split_heads(input, kv, heads, kv_heads,
                                                                      transpose_key, memory_config);
        },
        "input_tensor"_a, "kv_input_tensor"_a = nb::none(), nb::kw_only(), "num_heads"_a,
        "num_kv_heads"_a = nb::none(), "transpose_key"_a = true, "memory_config"_a = nb::none(),
        "use_falcon7b_backend"_a = false,
        "[b, s, (h + 2 * kv) * d] -> q [b, h, s, d], k [b, kv, d, s] if transposed, v [b, kv, s, d].");
    operation(
        transformer, "concatenate_heads",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config) {
            return transformer::concatenate_heads(input, memory_config);
        },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(), "[b, h, s, d] -> [b, s, h * d].");
}

void bind_rotations(nb::module_& experimental) {
    operation(
        experimental, "rotary_embedding",
        [](const Tensor& input, const Tensor& cos, const Tensor& sin, Count token,
           const OptionalMemoryConfig& memory_config, const OptionalComputeKernelConfig& kernel_config) {
            return experimental::rotary_embedding(input, cos, sin, token, memory_config, kernel_config);
        },
        "input_tensor"_a, "cos_cache"_a, "sin_cache"_a, "token_index"_a = nb::none(), nb::kw_only(),
        "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "Rows turned by their position; cos_cache, sin_cache [1, 1, t, d].");
    operation(
        experimental, "rotary_embedding_llama",
        [](const Tensor& input, const Tensor& cos, const Tensor& sin, const Tensor& trans_mat, bool decode,
           const OptionalMemoryConfig& memory_config, const OptionalComputeKernelConfig& kernel_config) {
            return experimental::rotary_embedding_llama(input, cos, sin, trans_mat, decode, memory_config,
                                                        kernel_config);
        },
        "input_tensor"_a, "cos_cache"_a, "sin_cache"_a, "trans_mat"_a, nb::kw_only(),
        "is_decode_mode"_a = false, "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "Rows turned by their position, by a product with trans_mat [1, 1, 32, 32].");
    operation(
        experimental, "rotary_embedding_hf",
        [](const Tensor& input, const Tensor& cos, const Tensor& sin, bool decode,
           const OptionalMemoryConfig& memory_config, const OptionalComputeKernelConfig& kernel_config) {
            return experimental::rotary_embedding_hf(input, cos, sin, decode, memory_config, kernel_config);
        },
        "input_tensor"_a, "cos_cache"_a, "sin_cache"_a, nb::kw_only(), "is_decode_mode"_a = false,
        "memory_config"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "Rows turned by their position; decoding, [1, b, h, d] by the angles [1, b, 1, d] of each user.");
    operation(
        experimental, "rotary_embedding_llama_fused_qk",
        [](const Tensor& q, const Tensor& k, const Tensor& cos, const Tensor& sin, const Tensor& trans_mat,
           const OptionalComputeKernelConfig& kernel_config) {
            return experimental::rotary_embedding_llama_fused_qk(q, k, cos, sin, trans_mat, kernel_config);
        },
        "q_input_tensor"_a, "k_input_tensor"_a, "cos_cache"_a, "sin_cache"_a, "trans_mat"_a, nb::kw_only(),
        "compute_kernel_config"_a = nb::none(),
        "rotary_embedding_llama of queries [1, b, h, d] and keys [1, b, kv, d], HEIGHT_SHARDED by users.");
}

void bind_caches(nb::module_& m, nb::module_& kv_cache, nb::module_& experimental) {
    operation(m, "fill_cache", &fill_cache, "cache_tensor"_a, "input_tensor"_a, "batch_idx"_a, nb::kw_only(),
              "update_idx"_a = 0, "input_tensor written into the cache of one user, which is returned.");
    operation(m, "update_cache", &update_cache, "cache"_a, "input"_a, "update_idx"_a, nb::kw_only(),
              "batch_offset"_a = 0, "compute_kernel_config"_a = nb::none(),
              "One token of each user written into the cache, which is returned.");
    operation(kv_cache, "fill_cache_for_user_", &kv_cache::fill_cache_for_user_, "cache"_a, "input"_a,
              "batch_index"_a, nb::kw_only(), "update_idx"_a = 0, "fill_cache under its older name.");
    operation(kv_cache, "update_cache_for_token_", &kv_cache::update_cache_for_token_, "cache"_a, "input"_a,
              "update_index"_a, "batch_offset"_a = 0, "compute_kernel_config"_a = nb::none(),
              "update_cache under its older name.");
    operation(
        experimental, "paged_update_cache",
        [](const Tensor& cache, const Tensor& input, const std::vector<std::int64_t>& indices,
           const OptionalTensor& index_tensor, std::optional<bool> share_cache,
           const OptionalTensor& page_table, int, Unused, Unused, nb::handle block_size,
           nb::handle num_kv_heads, nb::handle modulo) {
            require_none(block_size, "paged_update_cache", "block_size");
            require_none(num_kv_heads, "paged_update_cache", "num_kv_heads");
            require_none(modulo, "paged_update_cache", "cache_position_modulo");
            return experimental::paged_update_cache(cache, input, indices, index_tensor, page_table,
                                                    share_cache.value_or(false));
        },
        "cache_tensor"_a, "input_tensor"_a, nb::kw_only(), "update_idxs"_a = std::vector<std::int64_t>(),
        "update_idxs_tensor"_a = nb::none(), "share_cache"_a = nb::none(), "page_table"_a = nb::none(),
        "batch_offset"_a = 0, "compute_kernel_config"_a = nb::none(), "mesh_coords"_a = nb::none(),
        "block_size"_a = nb::none(), "num_kv_heads"_a = nb::none(), "cache_position_modulo"_a = nb::none(),
        "One token of each user written into the pages of the cache.");
    operation(
        experimental, "paged_fused_update_cache",
        [](const Tensor& cache1, const Tensor& input1, const Tensor& cache2, const Tensor& input2,
           const std::vector<std::int64_t>& indices, const OptionalTensor& index_tensor,
           std::optional<bool> share_cache, const OptionalTensor& page_table, int, Unused, Unused) {
            return experimental::paged_fused_update_cache(cache1, input1, cache2, input2, indices,
                                                          index_tensor, page_table,
                                                          share_cache.value_or(false));
        },
        "cache_tensor1"_a, "input_tensor1"_a, "cache_tensor2"_a, "input_tensor2"_a, nb::kw_only(),
        "update_idxs"_a = std::vector<std::int64_t>(), "update_idxs_tensor"_a = nb::none(),
        "share_cache"_a = nb::none(), "page_table"_a = nb::none(), "batch_offset"_a = 0,
        "compute_kernel_config"_a = nb::none(), "mesh_coords"_a = nb::none(),
        "paged_update_cache of two caches, which are returned.");
    operation(
        experimental, "paged_fill_cache",
        [](const Tensor& cache, const Tensor& input, const Tensor& page_table,
           const OptionalTensor& batch_tensor, std::uint32_t batch, Unused, Unused, nb::handle block_size,
           nb::handle modulo, nb::handle valid) {
            require_none(block_size, "paged_fill_cache", "block_size");
            require_none(modulo, "paged_fill_cache", "cache_position_modulo");
            require_none(valid, "paged_fill_cache", "valid_seq_len_tensor");
            return experimental::paged_fill_cache(cache, input, page_table, batch, batch_tensor);
        },
        "cache_tensor"_a, "input_tensor"_a, "page_table"_a, nb::kw_only(), "batch_idx_tensor"_a = nb::none(),
        "batch_idx"_a = 0, "compute_kernel_config"_a = nb::none(), "mesh_coords"_a = nb::none(),
        "block_size"_a = nb::none(), "cache_position_modulo"_a = nb::none(),
        "valid_seq_len_tensor"_a = nb::none(),
        "input_tensor written into the pages of one user, or of those in batch_idx_tensor.");
}

}  // namespace

void bind_attention(nb::module_& m, nb::module_& operations) {
    bind_attention_configs(m);
    nb::module_ transformer = operations.def_submodule("transformer", "Attention.");
    nb::module_ experimental =
        operations.def_submodule("experimental", "Operations that TT-NN calls experimental.");
    nb::module_ kv_cache = operations.def_submodule("kv_cache", "Caches of keys and values.");
    bind_scores(transformer);
    bind_heads(transformer, experimental);
    bind_rotations(experimental);
    bind_caches(operations, kv_cache, experimental);
}

}  // namespace tilemeter::python
