// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/transformer_operations.hpp"

#include <cstdint>
#include <optional>
#include <tuple>

#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/attention_heads_decode.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "runtime/operations/transformer/grouped_heads.hpp"
#include "runtime/operations/transformer/kv_cache.hpp"
#include "runtime/operations/transformer/paged_cache.hpp"
#include "runtime/operations/transformer/rotary_embedding.hpp"
#include "runtime/operations/transformer/rotary_embedding_fused.hpp"
#include "runtime/operations/transformer/rotary_embedding_hf.hpp"

namespace tilemeter::oracle {

namespace {

using Inputs = std::vector<Tensor>;

template <typename T>
std::optional<T> argument(const Row& row, const char* name) {
    if (!row.arguments.contains(name) || row.arguments.at(name).is_null()) return std::nullopt;
    return row.arguments.at(name).get<T>();
}

bool flag(const Row& row, const char* name) {
    return row.arguments.value(name, false);
}

OptionalTensor input_at(const Inputs& inputs, std::size_t i) {
    return i < inputs.size() ? OptionalTensor(inputs[i]) : std::nullopt;
}

OptionalSDPAProgramConfig program_config(const Row& row) {
    if (!row.arguments.contains("program_config")) return std::nullopt;
    const nlohmann::json& text = row.arguments.at("program_config");
    SDPAProgramConfig config;
    config.compute_with_storage_grid_size = {text.at("grid").at(0), text.at("grid").at(1)};
    config.q_chunk_size = text.at("q_chunk_size");
    config.k_chunk_size = text.at("k_chunk_size");
    config.max_cores_per_head_batch = text.value("max_cores_per_head_batch", 16U);
    if (text.contains("exp_approx_mode")) config.exp_approx_mode = text.at("exp_approx_mode").get<bool>();
    return config;
}

OptionalComputeKernelConfig kernel_config(const Row& row) {
    if (!flag(row, "fp32_dest_acc_en")) return std::nullopt;
    return DeviceComputeKernelConfig{MathFidelity::HiFi2, true, true, false, false};
}

Tensor call_attention(const Row& row, const Inputs& inputs) {
    std::size_t next = 3;
    const OptionalTensor mask = flag(row, "mask") ? input_at(inputs, next++) : std::nullopt;
    const OptionalTensor sink = flag(row, "sink") ? input_at(inputs, next++) : std::nullopt;
    const OptionalTensor windows = flag(row, "windows") ? input_at(inputs, next) : std::nullopt;
    return transformer::scaled_dot_product_attention(
        inputs.at(0), inputs.at(1), inputs.at(2), mask, flag(row, "is_causal"), argument<float>(row, "scale"),
        argument<std::uint32_t>(row, "sliding_window_size"), row.out_memory_config, program_config(row),
        kernel_config(row), sink, flag(row, "output_concat_heads"), windows);
}

Tensor call_attention_decode(const Row& row, const Inputs& inputs) {
    std::size_t next = 3;
    const auto optional = [&](const char* name) {
        return flag(row, name) ? input_at(inputs, next++) : std::nullopt;
    };
    const OptionalTensor mask = optional("mask");
    const OptionalTensor positions = optional("cur_pos_tensor");
    const OptionalTensor sink = optional("sink");
    return transformer::scaled_dot_product_attention_decode(
        inputs.at(0), inputs.at(1), inputs.at(2), flag(row, "is_causal"), mask,
        row.arguments.value("cur_pos", std::vector<std::int64_t>()), positions, sink,
        argument<float>(row, "scale"), argument<std::uint32_t>(row, "sliding_window_size"),
        row.out_memory_config, program_config(row), kernel_config(row));
}

Tensor call_paged_attention_decode(const Row& row, const Inputs& inputs) {
    std::size_t next = 4;
    const auto optional = [&](const char* name) {
        return flag(row, name) ? input_at(inputs, next++) : std::nullopt;
    };
    const OptionalTensor mask = optional("mask");
    const OptionalTensor positions = optional("cur_pos_tensor");
    const OptionalTensor sink = optional("sink");
    return transformer::paged_scaled_dot_product_attention_decode(
        inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3), flag(row, "is_causal"), mask, positions, sink,
        argument<float>(row, "scale"), argument<std::uint32_t>(row, "sliding_window_size"),
        row.out_memory_config, program_config(row), kernel_config(row));
}
Tensor call_chunked_attention(const Row& row, const Inputs& inputs) {
    return transformer::chunked_scaled_dot_product_attention(
        inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3), row.arguments.at("chunk_start_idx"),
        argument<float>(row, "scale"), row.out_memory_config, program_config(row), kernel_config(row),
        argument<std::uint32_t>(row, "sliding_window_size"));
}
CallResult call_joint_attention(const Row& row, const Inputs& inputs) {
    auto [first, second] = transformer::joint_scaled_dot_product_attention(
        inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3), inputs.at(4), inputs.at(5), "rear",
        *program_config(row), argument<float>(row, "scale"), kernel_config(row));
    CallResult result(first);
    result.others = {second};
    return result;
}

// Of query, key and value the table compares the shape of the first; the buffers of all.
CallResult first_of(const AttentionHeads& heads) {
    CallResult result(std::get<0>(heads));
    result.others = {std::get<1>(heads), std::get<2>(heads)};
    return result;
}

CallResult call_create_heads(const Row& row, const Inputs& inputs) {
    return first_of(experimental::nlp_create_qkv_heads(
        inputs.at(0), input_at(inputs, 1), row.arguments.at("num_heads"),
        argument<std::uint32_t>(row, "num_kv_heads"), flag(row, "transpose_k_heads"), row.out_memory_config));
}
CallResult call_split_heads(const Row& row, const Inputs& inputs) {
    return first_of(transformer::split_query_key_value_and_split_heads(
        inputs.at(0), input_at(inputs, 1), row.arguments.at("num_heads"),
        argument<std::uint32_t>(row, "num_kv_heads"), flag(row, "transpose_key"), row.out_memory_config));
}
Tensor call_nlp_concat_heads(const Row& row, const Inputs& inputs) {
    return experimental::nlp_concat_heads(inputs.at(0), row.out_memory_config);
}
Tensor call_concatenate_heads(const Row& row, const Inputs& inputs) {
    return transformer::concatenate_heads(inputs.at(0), row.out_memory_config);
}

Tensor call_rotary(const Row& row, const Inputs& inputs) {
    return experimental::rotary_embedding(inputs.at(0), inputs.at(1), inputs.at(2),
                                          argument<std::uint32_t>(row, "token_index"), row.out_memory_config,
                                          kernel_config(row));
}
Tensor call_rotary_llama(const Row& row, const Inputs& inputs) {
    return experimental::rotary_embedding_llama(inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3),
                                                flag(row, "is_decode_mode"), row.out_memory_config);
}

Tensor call_rotary_hf(const Row& row, const Inputs& inputs) {
    return experimental::rotary_embedding_hf(inputs.at(0), inputs.at(1), inputs.at(2),
                                             flag(row, "is_decode_mode"), row.out_memory_config);
}
CallResult call_rotary_fused(const Row&, const Inputs& inputs) {
    auto [q, k] = experimental::rotary_embedding_llama_fused_qk(inputs.at(0), inputs.at(1), inputs.at(2),
                                                                inputs.at(3), inputs.at(4));
    CallResult result(q);
    result.others = {k};
    return result;
}

Tensor call_fill_cache(const Row& row, const Inputs& inputs) {
    return fill_cache(inputs.at(0), inputs.at(1), row.arguments.at("batch_index"),
                      row.arguments.at("update_idx"));
}
Tensor call_fill_cache_for_user(const Row& row, const Inputs& inputs) {
    return kv_cache::fill_cache_for_user_(inputs.at(0), inputs.at(1), row.arguments.at("batch_index"),
                                          row.arguments.at("update_idx"));
}
Tensor call_update_cache(const Row& row, const Inputs& inputs) {
    return update_cache(inputs.at(0), inputs.at(1), row.arguments.at("update_index"),
                        row.arguments.at("batch_offset"));
}
Tensor call_update_cache_for_token(const Row& row, const Inputs& inputs) {
    return kv_cache::update_cache_for_token_(inputs.at(0), inputs.at(1), row.arguments.at("update_index"),
                                             row.arguments.at("batch_offset"));
}

CallResult call_create_heads_decode(const Row& row, const Inputs& inputs) {
    return first_of(experimental::nlp_create_qkv_heads_decode(
        inputs.at(0), row.arguments.at("num_heads"), argument<std::uint32_t>(row, "num_kv_heads"),
        row.out_memory_config, row.arguments.value("overlap_qk_coregrid", true)));
}
CallResult call_grouped_heads(const Row& row, const Inputs& inputs) {
    return first_of(experimental::create_qkv_heads(inputs.at(0), row.arguments.at("num_heads"),
                                                   argument<std::uint32_t>(row, "num_kv_heads"),
                                                   flag(row, "transpose_k_heads"), row.out_memory_config));
}
CallResult call_grouped_heads_separate(const Row& row, const Inputs& inputs) {
    return first_of(experimental::create_qkv_heads_from_separate_tensors(
        inputs.at(0), inputs.at(1), row.arguments.at("num_heads"),
        argument<std::uint32_t>(row, "num_kv_heads"), flag(row, "transpose_k_heads"), row.out_memory_config));
}
Tensor call_concat_heads_decode(const Row& row, const Inputs& inputs) {
    return experimental::nlp_concat_heads_decode(inputs.at(0), row.arguments.at("num_heads"));
}
/// Inputs that a row names, after those that every row has.
OptionalTensor named_input(const Row& row, const Inputs& inputs, std::size_t first, const char* name) {
    if (!row.arguments.contains("tensors")) return std::nullopt;
    for (const nlohmann::json& each : row.arguments.at("tensors")) {
        if (each == name) return input_at(inputs, first);
        ++first;
    }
    return std::nullopt;
}
std::vector<std::int64_t> positions_of(const Row& row) {
    return argument<std::vector<std::int64_t>>(row, "update_idxs").value_or(std::vector<std::int64_t>());
}
Tensor call_paged_update_cache(const Row& row, const Inputs& inputs) {
    const bool named = row.arguments.contains("tensors");
    return experimental::paged_update_cache(
        inputs.at(0), inputs.at(1), positions_of(row),
        named ? named_input(row, inputs, 2, "update_idxs_tensor") : input_at(inputs, 2),
        named ? named_input(row, inputs, 2, "page_table") : input_at(inputs, 3), flag(row, "share_cache"));
}
Tensor call_paged_fused_update_cache(const Row& row, const Inputs& inputs) {
    return experimental::paged_fused_update_cache(
               inputs.at(0), inputs.at(1), inputs.at(2), inputs.at(3), positions_of(row),
               named_input(row, inputs, 4, "update_idxs_tensor"), named_input(row, inputs, 4, "page_table"),
               flag(row, "share_cache"))
        .first;
}
Tensor call_paged_fill_cache(const Row& row, const Inputs& inputs) {
    return experimental::paged_fill_cache(inputs.at(0), inputs.at(1), inputs.at(2),
                                          row.arguments.at("batch_idx"), input_at(inputs, 3));
}

Tensor call_embedding(const Row& row, const Inputs& inputs) {
    const bool tiles = row.arguments.value("out_layout", "ROW_MAJOR") == "TILE";
    return embedding(inputs.at(0), inputs.at(1), std::nullopt, tiles ? Layout::TILE : Layout::ROW_MAJOR,
                     row.out_memory_config);
}

}  // namespace

std::map<std::string, CallOperation> transformer_operations() {
    return {
        {"chunked_scaled_dot_product_attention", call_chunked_attention},
        {"concatenate_heads", call_concatenate_heads},
        {"create_qkv_heads", call_grouped_heads},
        {"create_qkv_heads_from_separate_tensors", call_grouped_heads_separate},
        {"embedding", call_embedding},
        {"fill_cache", call_fill_cache},
        {"fill_cache_for_user_", call_fill_cache_for_user},
        {"joint_scaled_dot_product_attention", call_joint_attention},
        {"nlp_concat_heads", call_nlp_concat_heads},
        {"nlp_concat_heads_decode", call_concat_heads_decode},
        {"nlp_create_qkv_heads", call_create_heads},
        {"nlp_create_qkv_heads_decode", call_create_heads_decode},
        {"paged_fill_cache", call_paged_fill_cache},
        {"paged_fused_update_cache", call_paged_fused_update_cache},
        {"paged_scaled_dot_product_attention_decode", call_paged_attention_decode},
        {"paged_update_cache", call_paged_update_cache},
        {"rotary_embedding", call_rotary},
        {"rotary_embedding_hf", call_rotary_hf},
        {"rotary_embedding_llama", call_rotary_llama},
        {"rotary_embedding_llama_fused_qk", call_rotary_fused},
        {"scaled_dot_product_attention", call_attention},
        {"scaled_dot_product_attention_decode", call_attention_decode},
        {"split_query_key_value_and_split_heads", call_split_heads},
        {"update_cache", call_update_cache},
        {"update_cache_for_token_", call_update_cache_for_token},
    };
}

}  // namespace tilemeter::oracle
