// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The operations that have neither a lowering nor a gradient, by the reason.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::rules {

namespace {

struct Reason {
    const char* text;
    const char* operations;  // with blanks between
};

}  // namespace

std::vector<Rule> without_rules() {
    const Reason reasons[] = {
        {"it is between chips; a flat graph is of one",
         "all_broadcast all_gather all_reduce all_to_all_combine all_to_all_dispatch broadcast experimental.all_to_all_dispatch_metadata "
         "experimental.moe_compute experimental.moe_gpt experimental.selective_reduce_combine "
         "fused_rms_minimal mesh_partition "
         "moe_expert_token_remap moe_routing_remap point_to_point reduce_scatter experimental.all_gather_async "
         "experimental.all_gather_async_reversed experimental.all_reduce_async "
         "experimental.reduce_scatter_minimal_async "
         "transformer.ring_distributed_scaled_dot_product_attention"},
        {"it draws numbers, or seeds the device's generator; a flat graph does not have that generator",
         "bernoulli experimental.dropout manual_seed rand randn sampling uniform"},
        {"its numbers are complex; those of flat graphs are real",
         "alt_complex_rotate90 angle angle_bw complex_tensor conj conj_bw imag imag_bw is_imag is_real "
         "polar polar_bw real real_bw"},
        {"what it makes, or whether it makes it, depends on values", "nonzero sparse_matmul"},
        {"it steps by the bits of its element type; a flat graph has float32", "nextafter"},
        {"it lays weights out as a device's program reads them; a flat graph has logical tensors",
         "experimental.prepare_conv3d_weights prepare_conv_bias prepare_conv_transpose2d_bias "
         "prepare_conv_transpose2d_weights prepare_conv_weights"},
        {"it is TT-NN's example of an operation", "composite_example composite_example_multiple_return"},
        {"it could be lowered, and is not so far",
         "ema experimental.broadcast_to experimental.concatenate_heads experimental.conv3d "
         "experimental.convert_to_chw experimental.convert_to_hwc experimental.dit_rms_norm_unary_fused experimental.hc_sum_reduce "
         "experimental.indexer_score_dsa "
         "experimental.intimg experimental.nlp_create_qkv_heads_falcon7b "
         "experimental.nlp_create_qkv_heads_segformer experimental.nlp_create_qkv_heads_vit "
         "experimental.padded_slice experimental.prefix_scan "
         "experimental.repeat_and_interleave_eltwise_mul experimental.rotary_embedding_llama_fused_qk "
         "experimental.slice_write experimental.split_query_key_value_and_split_heads "
         "experimental.topk_router_gpt experimental.wan_fused_rmsnorm_post_allgather "
         "experimental.wan_fused_rmsnorm_pre_allgather fill_ones_rm fill_rm gcd indexed_fill "
         "interleaved_to_sharded_partial lcm moe moreh_clip_grad_norm moreh_fold moreh_getitem "
         "moreh_group_norm moreh_group_norm_backward moreh_layer_norm moreh_layer_norm_backward "
         "moreh_nll_loss moreh_nll_loss_backward moreh_nll_loss_unreduced_backward narrow "
         "sharded_to_interleaved_partial snake_beta tosa_gather tosa_scatter "
         "transformer.chunked_flash_mla_prefill transformer.chunked_scaled_dot_product_attention "
         "transformer.flash_mla_prefill transformer.flash_multi_latent_attention_decode "
         "transformer.paged_flash_multi_latent_attention_decode"},
    };
    std::vector<Rule> rules;
    for (const Reason& each : reasons)
        for_each_name(each.operations, ' ', [&](std::string_view operation) {
            rules.push_back({std::string(operation), {}, {}, each.text});
        });
    return rules;
}

}  // namespace tilemeter::trace::rules
