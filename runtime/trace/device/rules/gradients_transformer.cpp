// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention in one program: its shares are made again, as the way back through its products and its softmax needs them.

#include <cmath>
#include <vector>

#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/moreh/moreh_softmax.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/model_heads.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

// Far below any score, so that its share is 0, and finite in bfloat16.
constexpr float kUnseen = -1e30F;

Tensor product_of(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b) {
    return matmul(Matmul{
        .input_tensor_a = a, .input_tensor_b = b, .transpose_a = transpose_a, .transpose_b = transpose_b});
}

bool are_tiled_floats(const Call& call) {
    for (std::size_t i = 0; i < call.size(); ++i) {
        const TensorSpec& each = call.spec(i);
        if (each.layout != Layout::TILE || each.dtype != call.result_spec().dtype ||
            each.memory_config.is_sharded())
            return false;
    }
    return call.result_spec().dtype == DataType::BFLOAT16 || call.result_spec().dtype == DataType::FLOAT32;
}

// One for each head that asks; bfloat16, as moreh's softmax_backward takes.
bool takes_attention(const Call& call) {
    const std::size_t q = call.at("input_tensor_q");
    for (const char* const each : {"input_tensor_q", "input_tensor_k", "input_tensor_v"}) {
        const TensorSpec& spec = call.spec(call.at(each));
        if (spec.dtype != DataType::BFLOAT16 || spec.shape[1] != call.shape(q)[1]) return false;
    }
    const auto mask = call.find("attn_mask");
    return !call.find("attention_sink|cu_window_seqlens") && !call.find_number("sliding_window_size") &&
           !call.flag("output_concat_heads") && call.result_spec().dtype == DataType::BFLOAT16 &&
           (!mask || call.spec(*mask).dtype == DataType::BFLOAT16);
}

Tensor counted(std::uint32_t count, const Tensor& like) {
    return moreh_arange(MorehArange{
        .end = static_cast<float>(count), .device = like.shared_device(), .dtype = DataType::FLOAT32});
}

// Without the columns behind each row; programs alone, as the host can't write a mask where a metal trace is captured.
Tensor causal(const Tensor& scores) {
    const std::uint32_t rows = scores.shape()[-2];
    const std::uint32_t columns = scores.shape()[-1];
    const Tensor column = counted(columns, scores);
    const Tensor row = tilemeter::transpose(rows == columns ? column : counted(rows, scores), -2, -1);
    return tilemeter::where(gt(column, row, scores.dtype()), kUnseen, scores);
}

// With p = softmax(s), s = scale * q . k^T + mask: that of v is p^T . g, that of s as of any softmax of g . v^T.
void attention_back(Call& call) {
    const std::size_t q_at = call.at("input_tensor_q");
    const std::size_t k_at = call.at("input_tensor_k");
    const std::size_t v_at = call.at("input_tensor_v");
    const Tensor q = call.operand(q_at);
    const Tensor k = call.operand(k_at);
    const Tensor gradient = call.gradient();
    const Scalar scale(
        static_cast<double>(call.number("scale", 1 / std::sqrt(static_cast<double>(q.shape()[-1])))));
    Tensor scores = multiply(product_of(q, false, k, true), scale);
    const auto mask = call.find("attn_mask");
    if (mask) {
        scores = add(scores, call.operand(*mask));
    } else if (call.flag("is_causal", true)) {
        scores = causal(scores);
    }
    const Tensor shares = softmax(Softmax{.input_tensor = scores, .dim = -1});
    if (call.wants(v_at)) call.give(v_at, product_of(shares, true, gradient, false));
    if (!call.wants(q_at) && !call.wants(k_at) && !(mask && call.wants(*mask))) return;
    const Tensor of_shares = product_of(gradient, false, call.operand(v_at), true);
    const Tensor of_scores = moreh_softmax_backward(
        MorehSoftmaxBackward{.output_tensor = shares, .output_grad_tensor = of_shares, .dim = 3});
    if (mask && call.wants(*mask)) call.give(*mask, sum_to(of_scores, call.shape(*mask)));
    const Tensor of_product = multiply(of_scores, scale);
    if (call.wants(q_at)) call.give(q_at, product_of(of_product, false, k, false));
    if (call.wants(k_at)) call.give(k_at, product_of(of_product, true, q, false));
}

// ---- rows that are turned by their position: x * cos + [-x2 x1] * sin

Tensor rows_of(const Tensor& table, std::uint32_t count) {
    if (table.shape()[-2] == count) return table;
    return slice(Slice{.input_tensor = table,
                       .slice_start = {0, 0, 0, 0},
                       .slice_end = {1, 1, count, static_cast<std::int64_t>(table.shape()[-1])}});
}

void rotary_back(Call& call) {
    const Tensor gradient = call.gradient();
    const std::uint32_t count = gradient.shape()[-2];
    const Tensor turned = multiply(gradient, rows_of(call.operand("sin_cache"), count));
    call.give(0, subtract(multiply(gradient, rows_of(call.operand("cos_cache"), count)),
                          experimental::rotate_half(turned)));
}

bool takes_rotary(const Call& call) {
    const std::size_t cosines = call.at("cos_cache");
    const std::size_t sines = call.at("sin_cache");
    return are_tiled_floats(call) && !call.find_number("token_index|token_idx") && !call.wants(cosines) &&
           !call.wants(sines) && call.shape(0).rank() == 4 && call.shape(cosines).rank() == 4 &&
           call.shape(0) == call.result_spec().shape && call.shape(0)[-1] % 64 == 0 &&
           call.shape(cosines)[-2] >= call.shape(0)[-2];
}

}  // namespace

std::vector<Rule> attention_rules() {
    return {{"transformer.scaled_dot_product_attention",
             "input_tensor_q input_tensor_k input_tensor_v attn_mask", attention_back, takes_attention},
            {"experimental.rotary_embedding", "cos_cache sin_cache", rotary_back, takes_rotary}};
}

}  // namespace tilemeter::trace::backward
