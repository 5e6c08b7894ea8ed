// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "runtime/operations.hpp"
#include "tests/runtime/trace/device/vjp_cases.hpp"

namespace tilemeter::trace::vjp_test {

namespace {

Tensor rows_of(const Tensor& x) {
    return to_layout(ToLayout{.tensor = x, .layout = ROW_MAJOR_LAYOUT});
}

// Two cores, one above the other or beside it.
MemoryConfig shards(std::uint32_t columns) {
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{
                CoreRange{{0, 0}, {columns, columns == 0 ? 1U : 0U}}, {32, 64}, ShardOrientation::ROW_MAJOR}};
}

Tensor sharded(const Tensor& x) {
    return interleaved_to_sharded(
        InterleavedToSharded{.input_tensor = x, .sharded_memory_config = shards(1)});
}

}  // namespace

std::vector<Case> movement_cases() {
    const auto bf16 = DataType::BFLOAT16;
    return {
        {"reshape",
         [](Inputs x) {
             return reshape(x[0], Shape{4, 16, 64});
         },
         {{kFour}}},
        {"view",
         [](Inputs x) {
             return view(x[0], Shape{2, 32, 64});
         },
         {{kFour}}},
        {"experimental.view",
         [](Inputs x) {
             return experimental::view(x[0], Shape{2, 32, 64});
         },
         {{kFour}}},
        {"squeeze", [](Inputs x) { return squeeze(Squeeze{.input_tensor = x[0]}); }, {{kFour}}},
        {"unsqueeze", [](Inputs x) { return unsqueeze(x[0], 0); }, {{kTile}}},
        {"unsqueeze_to_4D", [](Inputs x) { return unsqueeze_to_4D(x[0]); }, {{kTile}}},
        {"permute",
         [](Inputs x) {
             return permute(Permute{.input_tensor = x[0], .dims = {0, 3, 1, 2}});
         },
         {{kFour}}},
        {"transpose",
         [](Inputs x) {
             return tilemeter::transpose(Transpose{.input_tensor = x[0], .dim1 = 1, .dim2 = -1});
         },
         {{kFour}}},
        {"concat",
         [](Inputs x) {
             return concat(Concat{.tensors = {x[0], x[1]}, .dim = 2});
         },
         {{kFour}, {{1, 2, 96, 64}}},
         {0, 1}},
        {"concat",
         [](Inputs x) {
             return concat(Concat{.tensors = {x[0], x[1], x[2]}, .dim = -1});
         },
         {{kTile}, {kTile}, {kTile}},
         {0, 2}},
        {"split",
         [](Inputs x) { return split(Split{.input_tensor = x[0], .split_size = 32U, .dim = 3})[1]; },
         {{kFour}}},
        {"chunk",
         [](Inputs x) { return chunk(Chunk{.input_tensor = x[0], .chunks = 2, .dim = 3})[1]; },
         {{kFour}}},
        {"slice",
         [](Inputs x) {
             return slice(
                 Slice{.input_tensor = x[0], .slice_start = {0, 0, 0, 0}, .slice_end = {1, 1, 32, 32}});
         },
         {{kFour}}},
        {"slice",
         [](Inputs x) {
             return slice(
                 Slice{.input_tensor = x[0], .slice_start = {0, 1, 0, 32}, .slice_end = {1, 2, 32, 64}});
         },
         {{kFour}}},
        {"expand",
         [](Inputs x) {
             return expand(Expand{.input_tensor = x[0], .output_shape = {2, 32, 64}});
         },
         {{{1, 64}}}},
        {"to_layout", [](Inputs x) { return rows_of(x[0]); }, {{kFour}}},
        {"untilize", [](Inputs x) { return untilize(Untilize{.input_tensor = x[0]}); }, {{kFour}}},
        {"tilize", [](Inputs x) { return tilize(Tilize{.input_tensor = rows_of(x[0])}); }, {{kFour}}},
        {"to_memory_config",
         [](Inputs x) {
             return to_memory_config(ToMemoryConfig{.tensor = x[0], .memory_config = L1_MEMORY_CONFIG});
         },
         {{kFour}}},
        {"clone", [](Inputs x) { return clone(Clone{.input = x[0]}); }, {{kFour}}},
        {"identity", [](Inputs x) { return identity(x[0]); }, {{kFour}}},
        {"typecast",
         [](Inputs x) { return typecast(Typecast{.input_tensor = x[0], .dtype = DataType::BFLOAT16}); },
         {{kTile}},
         {0},
         bf16},
        {"embedding",
         [](Inputs x) {
             return embedding(Embedding{.input_tensor = x[1], .weight = x[0], .layout = TILE_LAYOUT});
         },
         {{{64, 64}}, {{2, 32}, 0, 0, 64}},
         {0},
         bf16},
        {"embedding",
         [](Inputs x) {
             return embedding(Embedding{.input_tensor = x[1], .weight = x[0], .layout = TILE_LAYOUT});
         },
         {{{64, 64}}, {{2, 20}, 0, 0, 64}},
         {0},
         bf16},
        {"transformer.scaled_dot_product_attention",
         [](Inputs x) {
             return transformer::scaled_dot_product_attention(transformer::ScaledDotProductAttention{
                 .input_tensor_q = x[0], .input_tensor_k = x[1], .input_tensor_v = x[2]});
         },
         {{{1, 2, 32, 32}}, {{1, 2, 32, 32}}, {{1, 2, 32, 32}}},
         {0, 1, 2},
         bf16},
        {"transformer.scaled_dot_product_attention",
         [](Inputs x) {
             return transformer::scaled_dot_product_attention(
                 transformer::ScaledDotProductAttention{.input_tensor_q = x[0],
                                                        .input_tensor_k = x[1],
                                                        .input_tensor_v = x[2],
                                                        .attn_mask = x[3],
                                                        .is_causal = false,
                                                        .scale = 0.5F});
         },
         {{{2, 2, 32, 32}}, {{2, 2, 64, 32}}, {{2, 2, 64, 32}}, {{2, 1, 32, 64}}},
         {0, 1, 2},
         bf16},
        {"experimental.typecast",
         [](Inputs x) {
             return experimental::typecast(
                 experimental::Typecast{.input_tensor = x[0], .dtype = DataType::FLOAT32});
         },
         {{kTile}},
         {0},
         bf16},
        {"fill_implicit_tile_padding",
         [](Inputs x) { return fill_implicit_tile_padding(FillImplicitTilePadding{.input_tensor = x[0]}); },
         {{{30, 40}}}},
        {"interleaved_to_sharded",
         [](Inputs x) {
             return to_memory_config(
                 ToMemoryConfig{.tensor = sharded(x[0]), .memory_config = DRAM_MEMORY_CONFIG});
         },
         {{kFour}}},
        {"sharded_to_interleaved",
         [](Inputs x) { return sharded_to_interleaved(ShardedToInterleaved{.input_tensor = sharded(x[0])}); },
         {{kFour}}},
        {"reshard",
         [](Inputs x) {
             const Tensor moved =
                 reshard(Reshard{.input_tensor = sharded(x[0]), .output_memory_config = shards(0)});
             return sharded_to_interleaved(ShardedToInterleaved{.input_tensor = moved});
         },
         {{kFour}}},
        {"move", [](Inputs x) { return move(Move{.input_tensor = exp(x[0])}); }, {{kFour, -1, 1}}},
        {"reallocate",
         [](Inputs x) { return reallocate(Reallocate{.tensor = exp(x[0])}); },
         {{kFour, -1, 1}}},
        {"reshape_on_device",
         [](Inputs x) {
             return reshape_on_device(
                 ReshapeOnDevice{.input_tensor = x[0], .w = 1, .z = 1, .y = 64, .x = 64});
         },
         {{kFour}}},
        {"tilize_with_val_padding",
         [](Inputs x) {
             return tilize_with_val_padding(
                 TilizeWithValPadding{.input_tensor = rows_of(x[0]), .output_tensor_shape = kFour});
         },
         {{kFour}}},
        {"tilize_with_zero_padding",
         [](Inputs x) {
             return tilize_with_zero_padding(TilizeWithZeroPadding{.input_tensor = rows_of(x[0])});
         },
         {{kFour}}},
        {"untilize_with_unpadding",
         [](Inputs x) {
             return untilize_with_unpadding(
                 UntilizeWithUnpadding{.input_tensor = x[0], .output_tensor_end = {0, 1, 31, 63}});
         },
         {{kFour}}},
        {"experimental.nlp_create_qkv_heads",
         [](Inputs x) {
             const auto [q, k, v] = experimental::nlp_create_qkv_heads(
                 {.input = x[0], .num_heads = 2, .transpose_k_heads = false});
             return multiply(multiply(q, k), v);
         },
         {{{1, 1, 32, 192}, 0.5F, 1}}},
        {"transformer.concatenate_heads",
         [](Inputs x) { return transformer::concatenate_heads(x[0]); },
         {{kFour}}},
        {"experimental.nlp_concat_heads",
         [](Inputs x) { return experimental::nlp_concat_heads(x[0]); },
         {{kFour}}},
        {"transformer.split_query_key_value_and_split_heads",
         [](Inputs x) {
             const auto [q, k, v] =
                 transformer::split_query_key_value_and_split_heads({.input_tensor = x[0], .num_heads = 2});
             return matmul(matmul(q, k), v);
         },
         {{{1, 32, 192}, -1, 1}}},
    };
}

std::vector<Case> selection_cases() {
    const auto bf16 = DataType::BFLOAT16;
    return {
        {"pad",
         [](Inputs x) {
             return pad(Pad{.input_tensor = x[0], .padding = {{0, 0}, {0, 1}, {0, 8}, {0, 24}}, .value = 2});
         },
         {{{1, 2, 24, 40}}}},
        {"pad",
         [](Inputs x) {
             return pad(Pad{.input_tensor = rows_of(x[0]), .padding = {{2, 1}, {3, 5}}});
         },
         {{kTile}}},
        {"pad",
         [](Inputs x) {
             return pad(PadToShape{.input_tensor = x[0],
                                   .output_padded_shape = {1, 3, 64, 64},
                                   .input_tensor_start = {0, 0, 0, 0}});
         },
         {{kFour}}},
        {"roll",
         [](Inputs x) {
             return roll(Roll{.input_tensor = x[0],
                              .shifts = std::vector<std::int64_t>{5, -7},
                              .dim = std::vector<std::int64_t>{2, 3}});
         },
         {{kFour}}},
        {"roll",
         [](Inputs x) { return roll(Roll{.input_tensor = x[0], .shifts = std::int64_t{37}}); },
         {{kTile}}},
        {"repeat",
         [](Inputs x) {
             return repeat(Repeat{.input_tensor = x[0], .repeat_dims = {1, 3, 1, 1}});
         },
         {{{1, 1, 32, 64}}},
         {0},
         bf16},
        {"repeat",
         [](Inputs x) {
             return repeat(Repeat{.input_tensor = x[0], .repeat_dims = {3, 1, 2, 2}});
         },
         {{{2, 17, 32}}}},
        {"repeat_interleave",
         [](Inputs x) {
             return repeat_interleave(RepeatInterleave{.input_tensor = x[0], .repeats = 3, .dim = 1});
         },
         {{kFour}}},
        {"stack",
         [](Inputs x) {
             return stack(Stack{.input_tensors = {x[0], x[1], x[2]}, .dim = 1});
         },
         {{kTile}, {kTile}, {kTile}},
         {0, 2}},
        {"tril", [](Inputs x) { return tril(x[0], 1); }, {{kFour}}},
        {"triu", [](Inputs x) { return triu(x[0], -2); }, {{kFour}}},
        {"gather",
         [](Inputs x) {
             return gather(Gather{.input = x[0], .dim = 1, .index = to_layout(x[1], TILE_LAYOUT)});
         },
         {{{32, 64}}, {{32, 32}, 0, 0, 64}}},
        {"sort", [](Inputs x) { return sort(Sort{.input_tensor = x[0]})[0]; }, {{{32, 64}}}, {0}, bf16},
        {"topk",
         [](Inputs x) { return topk(Topk{.input_tensor = x[0], .k = 32})[0]; },
         {{{32, 64}}},
         {0},
         bf16},
        {"experimental.rotary_embedding",
         [](Inputs x) {
             return experimental::rotary_embedding(
                 experimental::RotaryEmbedding{.input_tensor = x[0], .cos_cache = x[1], .sin_cache = x[2]});
         },
         {{kFour}, {{1, 1, 64, 64}}, {{1, 1, 64, 64}}}},
    };
}

std::vector<Case> other_cases() {
    const auto bf16 = DataType::BFLOAT16;
    std::vector<Case> cases{
        {"max",
         [](Inputs x) { return max(Max{.input_tensor = x[0], .dim = -1, .keepdim = true}); },
         {{kFour}},
         {0},
         bf16},
        {"max", [](Inputs x) { return max(Max{.input_tensor = x[0]}); }, {{{30, 40}}}},
        {"min", [](Inputs x) { return min(Min{.input_tensor = x[0], .dim = 1}); }, {{kTile}}, {0}, bf16},
        {"var",
         [](Inputs x) { return var(Var{.input_tensor = x[0], .dim = -1, .keepdim = true}); },
         {{kFour}}},
        {"var",
         [](Inputs x) {
             return var(Var{.input_tensor = x[0], .dim = std::vector<int>{0, 1}, .correction = false});
         },
         {{{30, 40}}}},
        {"std", [](Inputs x) { return tilemeter::std(Std{.input_tensor = x[0], .dim = 1}); }, {{{30, 40}}}},
        {"mse_loss",
         [](Inputs x) {
             return mse_loss(MseLoss{
                 .input_reference = x[0], .input_prediction = x[1], .reduction = LossReductionMode::MEAN});
         },
         {{{30, 40}}, {{30, 40}}},
         {0, 1}},
        {"mse_loss",
         [](Inputs x) { return mse_loss(MseLoss{.input_reference = x[0], .input_prediction = x[1]}); },
         {{kTile}, {kTile}},
         {0, 1}},
        {"l1_loss",
         [](Inputs x) {
             return l1_loss(L1Loss{
                 .input_reference = x[0], .input_prediction = x[1], .reduction = LossReductionMode::SUM});
         },
         {{kTile, 0.5F, 1}, {kTile, 1.5F, 2}},
         {0, 1}},
        {"sum",
         [](Inputs x) { return sum(Sum{.input_tensor = x[0], .dim = 1, .keepdim = true}); },
         {{kFour}}},
        {"sum",
         [](Inputs x) {
             return sum(Sum{.input_tensor = x[0], .dim = std::vector<int>{0, -1}, .scalar = 2});
         },
         {{kFour}}},
        {"mean", [](Inputs x) { return mean(Mean{.input_tensor = x[0], .dim = -2}); }, {{kFour}}},
        {"mean", [](Inputs x) { return mean(Mean{.input_tensor = x[0]}); }, {{kFour}}},
        {"cumsum", [](Inputs x) { return cumsum(Cumsum{.input = x[0], .dim = 1}); }, {{kFour}}},
        {"moreh_sum",
         [](Inputs x) { return moreh_sum(MorehSum{.input = x[0], .dim = 1, .keepdim = true}); },
         {{kFour}},
         {0},
         bf16},
        {"moreh_mean",
         [](Inputs x) { return moreh_mean(MorehMean{.input = x[0], .dim = 3, .keepdim = true}); },
         {{kFour}},
         {0},
         bf16},
        {"moreh_norm",
         [](Inputs x) { return moreh_norm(MorehNorm{.input = x[0], .p = 2, .dim = 3, .keepdim = true}); },
         {{kFour, 0.5F, 2}},
         {0},
         bf16},
        {"moreh_matmul",
         [](Inputs x) { return moreh_matmul(MorehMatmul{.input = x[0], .other = x[1]}); },
         {{{2, 32, 64}, -0.5F, 0.5F}, {{64, 96}, -0.5F, 0.5F}},
         {0, 1},
         bf16},
        {"moreh_matmul",
         [](Inputs x) {
             return moreh_matmul(
                 MorehMatmul{.input = x[0], .other = x[1], .transpose_input = true, .transpose_other = true});
         },
         {{{64, 32}, -0.5F, 0.5F}, {{96, 64}, -0.5F, 0.5F}},
         {0, 1},
         bf16},
        {"moreh_linear",
         [](Inputs x) { return moreh_linear(MorehLinear{.input = x[0], .weight = x[1], .bias = x[2]}); },
         {{{32, 64}, -0.5F, 0.5F}, {{96, 64}, -0.5F, 0.5F}, {{1, 96}}},
         {0, 1, 2},
         bf16},
        {"moreh_bmm",
         [](Inputs x) { return moreh_bmm(MorehBmm{.input = x[0], .mat2 = x[1]}); },
         {{{2, 32, 64}, -0.5F, 0.5F}, {{2, 64, 96}, -0.5F, 0.5F}},
         {0, 1},
         bf16},
        {"moreh_dot",
         [](Inputs x) { return moreh_dot(MorehDot{.input_tensor_a = x[0], .input_tensor_b = x[1]}); },
         {{{1, 1, 1, 96}}, {{1, 1, 1, 96}}},
         {0, 1},
         bf16},
        {"matmul",
         [](Inputs x) {
             return matmul(Matmul{.input_tensor_a = x[0],
                                  .input_tensor_b = x[1],
                                  .compute_kernel_config = DeviceComputeKernelConfig{
                                      .math_fidelity = MathFidelity::HiFi4, .fp32_dest_acc_en = true}});
         },
         {{{2, 32, 64}, -0.5F, 0.5F}, {{64, 96}, -0.5F, 0.5F}},
         {0, 1}},
        {"matmul",
         [](Inputs x) { return matmul(x[0], x[1]); },
         {{{2, 32, 64}, -0.5F, 0.5F}, {{2, 64, 96}, -0.5F, 0.5F}},
         {0, 1},
         bf16},
        {"matmul",
         [](Inputs x) { return matmul(x[0], x[1], true, true); },
         {{{64, 32}, -0.5F, 0.5F}, {{96, 64}, -0.5F, 0.5F}},
         {0, 1},
         bf16},
        {"linear",
         [](Inputs x) {
             return linear(Linear{.input_tensor_a = x[0], .input_tensor_b = x[1], .bias = x[2]});
         },
         {{{2, 32, 64}, -0.5F, 0.5F}, {{64, 96}, -0.5F, 0.5F}, {{1, 96}}},
         {0, 1, 2},
         bf16},
        {"linear",
         [](Inputs x) {
             return linear(
                 Linear{.input_tensor_a = x[0], .input_tensor_b = x[1], .bias = x[2], .activation = "silu"});
         },
         {{{2, 32, 64}, -0.5F, 0.5F}, {{64, 96}, -0.5F, 0.5F}, {{1, 1, 96}}},
         {0, 1, 2},
         bf16},
    };
    for (const DataType dtype : {DataType::FLOAT32, bf16}) {
        const std::vector<Case> of_both{
            {"softmax", [](Inputs x) { return softmax(x[0], -1); }, {{kFour}}, {0}, dtype},
            {"softmax", [](Inputs x) { return softmax(x[0], 1); }, {{{2, 32, 64}}}, {0}, dtype},
            {"softmax_in_place",
             [](Inputs x) { return softmax_in_place(SoftmaxInPlace{.input_tensor = multiply(x[0], 0.5F)}); },
             {{kFour}},
             {0},
             dtype},
            {"scale_mask_softmax_in_place",
             [](Inputs x) {
                 return scale_mask_softmax_in_place(ScaleMaskSoftmaxInPlace{
                     .input_tensor = multiply(x[0], 0.5F), .scale = 0.5F, .mask = x[1]});
             },
             {{kFour}, {{1, 1, 32, 64}}},
             {0},
             dtype},
            {"transformer.attention_softmax_",
             [](Inputs x) {
                 return transformer::attention_softmax_(transformer::AttentionSoftmaxInPlace{
                     .tensor = multiply(x[0], 0.5F), .head_size = 16, .attention_mask = x[1]});
             },
             {{kFour}, {{1, 1, 32, 64}}},
             {0},
             dtype},
            {"moreh_softmax", [](Inputs x) { return moreh_softmax(x[0], 3); }, {{kFour}}, {0}, dtype},
            {"moreh_softmin", [](Inputs x) { return moreh_softmin(x[0], 3); }, {{kFour}}, {0}, dtype},
            {"moreh_logsoftmax", [](Inputs x) { return moreh_logsoftmax(x[0], 2); }, {{kFour}}, {0}, dtype},
            {"scale_mask_softmax",
             [](Inputs x) { return scale_mask_softmax({.input_tensor = x[0], .scale = 0.5F, .mask = x[1]}); },
             {{kFour}, {{1, 1, 32, 64}}},
             {0},
             dtype},
            {"transformer.attention_softmax",
             [](Inputs x) {
                 return transformer::attention_softmax(
                     {.tensor = x[0], .head_size = 16, .attention_mask = x[1]});
             },
             {{kFour}, {{1, 1, 32, 64}}},
             {0},
             dtype},
            {"layer_norm",
             [](Inputs x) {
                 return layer_norm({.input_tensor = x[0], .epsilon = 1e-5F, .weight = x[1], .bias = x[2]});
             },
             {{{2, 32, 64}}, {{1, 64}, 0.5F, 2}, {{1, 64}}},
             {0, 1, 2},
             dtype},
            {"layer_norm",
             [](Inputs x) { return layer_norm({.input_tensor = x[0]}); },
             {{kTile}},
             {0},
             dtype},
            {"rms_norm",
             [](Inputs x) { return rms_norm({.input_tensor = x[0], .epsilon = 1e-5F, .weight = x[1]}); },
             {{{2, 32, 64}}, {{1, 64}, 0.5F, 2}},
             {0, 1},
             dtype},
        };
        cases.insert(cases.end(), of_both.begin(), of_both.end());
    }
    return cases;
}

}  // namespace tilemeter::trace::vjp_test
