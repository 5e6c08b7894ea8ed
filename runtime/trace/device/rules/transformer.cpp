// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention: heads, scores, positions, embeddings. Of attention in one program the gradient makes its shares again, as the way back
// through its products and its softmax needs them.

#include <cmath>
#include <limits>
#include <vector>

#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/moreh/moreh_softmax.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/transformer/embedding_backward.hpp"
#include "runtime/operations/transformer/model_heads.hpp"
#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

Values embedding(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId weight = call.tensor("weight");
    const Shape from = to.shape(weight);
    const ValueId table =
        to.reshape(weight, {from.elements() / from[from.rank() - 1], from[from.rank() - 1]});
    const ValueId numbers = to.convert(call.tensor("input_tensor"), ElementType::kI32);
    ValueId rows = call.rows(table, numbers);
    if (const std::optional<double> padding = call.find_number("padding_idx")) {
        // As torch has it, the table has no gradient of that row.
        Shape kept = to.shape(numbers);
        kept.push_back(1);
        const ValueId is_padding = to.broadcast(
            to.reshape(to.compare("EQ", numbers, to.full_like(numbers, *padding)), kept), to.shape(rows));
        const ValueId constant = to.op("copy", {rows}, {{"stop_gradient", true}});
        rows = to.select(is_padding, constant, rows);
    }
    return {call.reshape_to_result(rows)};
}

// The rows of the gradient added up where they were taken from.
Values embedding_bw(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape shape = call.shape();
    const std::int64_t width = shape[shape.rank() - 1];
    const ValueId numbers = to.convert(call.tensor("input_tensor"), ElementType::kI32);
    const std::int64_t count = to.shape(numbers).elements();
    const ValueId gradient = to.reshape(call.as_float(call.tensor("output_gradient_tensor")), {count, width});
    const ValueId table = to.full({ElementType::kF32, {shape.elements() / width, width}, {}}, 0);
    const ValueId sums = to.op("scatter_add", {table, to.reshape(numbers, {count, 1}), gradient},
                               {{"update_window_dims", Integers{1}},
                                {"inserted_window_dims", Integers{0}},
                                {"scatter_dims_to_operand_dims", Integers{0}},
                                {"index_vector_dim", std::int64_t{1}}});
    return {to.reshape(sums, shape)};
}

// Heads `first` to `first + count` of rows [batch, 1, length, heads * size].
ValueId heads(const Call& call, ValueId rows, std::int64_t first, std::int64_t count, std::int64_t size,
              bool is_transposed) {
    FlatBuilder& to = call.to;
    const Shape from = to.shape(rows);
    const std::int64_t batch = from[0];
    const std::int64_t length = from[from.rank() - 2];
    const auto last = static_cast<std::int64_t>(from.rank()) - 1;
    const ValueId part = call.slice(rows, last, first * size, (first + count) * size);
    const ValueId apart = to.reshape(part, {batch, length, count, size});
    return to.transpose(apart, is_transposed ? Integers{0, 2, 3, 1} : Integers{0, 2, 1, 3});
}

Values create_heads(const Call& call, const char* input_name, const char* kv_name, bool is_transposed) {
    FlatBuilder& to = call.to;
    const ValueId input = call.as_float(call.tensor(input_name));
    const std::optional<ValueId> kv = call.find(kv_name);
    const std::int64_t count = call.integer("num_heads", 1);
    const std::int64_t kv_count = call.integer("num_kv_heads", count);
    const Shape shape = to.shape(input);
    const std::int64_t width = shape[shape.rank() - 1];
    const std::int64_t size = kv ? width / count : width / (count + 2 * kv_count);
    const ValueId keys = kv ? call.as_float(*kv) : input;
    const std::int64_t first = kv ? 0 : count;
    const Values made = {heads(call, input, 0, count, size, false),
                         heads(call, keys, first, kv_count, size, is_transposed),
                         heads(call, keys, first + kv_count, kv_count, size, false)};
    Values fitting;
    for (std::size_t i = 0; i < made.size(); ++i)
        fitting.push_back(call.reshape_to_result(made[i], i));
    return fitting;
}

Values split_heads(const Call& call) {
    call.require(!call.is_sharded(0), "its input is sharded");
    return create_heads(call, "input_tensor", "kv_input_tensor", call.flag("transpose_key", true));
}

Values nlp_create_heads(const Call& call) {
    call.require(!call.is_sharded(0), "its input is sharded");
    return create_heads(call, "input", "input_kv", call.flag("transpose_k_heads", true));
}

Values concatenate_heads(const Call& call) {
    return {call.reshape_to_result(call.to.transpose(call[0], {0, 2, 1, 3}))};
}

Values attention(const Call& call) {
    FlatBuilder& to = call.to;
    for (const char* const each :
         {"cu_window_seqlens", "windowed_q_token_offset_tensor", "attn_mask_block_map"})
        call.require(!call.find(each), "it has more than a mask");
    const ValueId q = call.as_float(call.tensor("input_tensor_q"));
    const Shape shape = to.shape(q);
    const ValueId k = call.repeat_heads(call.as_float(call.tensor("input_tensor_k")), shape[1]);
    const ValueId v = call.repeat_heads(call.as_float(call.tensor("input_tensor_v")), shape[1]);
    ValueId scores = call.scores(q, k);
    const Shape square = to.shape(scores);
    const bool is_causal = call.flag("is_causal", true);
    if (const auto mask = call.find("attn_mask"))
        scores = to.add(scores, to.broadcast(call.as_float(*mask), square));
    const auto window = static_cast<double>(call.integer("sliding_window_size", 0));
    if (is_causal || window > 0) {
        const auto first = static_cast<double>(std::max<std::int64_t>(square[3] - square[2], 0));
        const ValueId row = to.add(call.count(square, 2, ElementType::kI32), first);
        const ValueId column = call.count(square, 3, ElementType::kI32);
        const auto see = [&](const char* direction, double offset) {
            const ValueId sees = to.compare(direction, column, to.add(row, offset));
            scores = to.select(sees, scores, to.full_like(scores, -std::numeric_limits<double>::infinity()));
        };
        if (is_causal) see("LE", 0);
        if (window > 0 && is_causal) see("GT", -window);
        if (window > 0 && !is_causal) {
            see("GE", -std::floor(window / 2));
            see("LE", std::floor(window / 2));
        }
    }
    ValueId shares{};
    if (const auto sink = call.find("attention_sink")) {
        // One more column, which takes its share and is left out.
        call.require(to.shape(*sink).elements() == square[1], "its sink is not of one number for each head");
        const ValueId column = to.broadcast(
            to.mul(to.reshape(call.as_float(*sink), {1, square[1], 1, 1}), call.scale_of_scores(q)),
            {square[0], square[1], square[2], 1});
        shares = call.slice(call.softmax(call.concat({scores, column}, 3), 3), 3, 0, square[3]);
    } else {
        shares = call.softmax(scores, 3);
    }
    ValueId out = call.matmul(shares, v);
    if (call.flag("output_concat_heads")) out = to.transpose(out, {0, 2, 1, 3});
    return {call.reshape_to_result(out)};
}

// The halves of the last dimension exchanged, the first of them negative.
ValueId rotated(const Call& call, ValueId x) {
    const Shape shape = call.to.shape(x);
    const auto last = static_cast<std::int64_t>(shape.rank()) - 1;
    const std::int64_t width = shape[shape.rank() - 1];
    const ValueId second = call.slice(x, last, width / 2, width);
    return call.concat({call.to.op("neg", {second}), call.slice(x, last, 0, width / 2)}, last);
}

Values rotate_half(const Call& call) {
    return {rotated(call, call.as_float(call[0]))};
}

Values rotary_embedding(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(x);
    const std::int64_t rows = shape[2];
    const std::optional<double> token = call.find_number("token_index");
    const auto angles = [&](const char* name) {
        ValueId cache = call.as_float(call.tensor(name));
        const Shape from = to.shape(cache);
        cache = to.reshape(cache, {1, 1, from.elements() / from[from.rank() - 1], from[from.rank() - 1]});
        const std::int64_t first = token ? static_cast<std::int64_t>(*token) : 0;
        return to.broadcast(call.slice(cache, 2, first, first + (token ? 1 : rows)), shape);
    };
    const ValueId cos = angles("cos_cache");
    const ValueId sin = angles("sin_cache");
    const ValueId y = to.add(to.mul(x, cos), to.mul(rotated(call, x), sin));
    const std::int64_t more = call.shape()[2] - rows;
    return {call.pad(y, {0, 0, 0, 0}, {0, 0, more, 0}, 0)};
}

// Rotates one new token of each user: the angles of a user are a row.
Values rotary_embedding_hf(const Call& call) {
    if (!call.flag("is_decode_mode")) return rotary_embedding(call);
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(x);
    const auto angles = [&](const char* name) {
        const ValueId cache = call.as_float(call.tensor(name));
        const std::int64_t rows = to.shape(cache).elements() / shape[3];
        call.require(rows >= shape[1], "its angles are too few");
        const ValueId table = to.reshape(cache, {rows, shape[3]});
        return to.broadcast(to.reshape(call.slice(table, 0, 0, shape[1]), {1, shape[1], 1, shape[3]}), shape);
    };
    return {to.add(to.mul(x, angles("cos_cache")), to.mul(rotated(call, x), angles("sin_cache")))};
}

Values rotary_embedding_llama(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId x = call.as_float(call.tensor("input_tensor"));
    const Shape shape = to.shape(x);
    const bool by_user = call.flag("is_decode_mode");
    const std::int64_t width = shape[3];
    call.require(width % 32 == 0, "its rows are no whole tiles");
    const auto angles = [&](const char* name) {
        const ValueId cache = call.as_float(call.tensor(name));
        const Shape from = to.shape(cache);
        call.require(from.rank() == 4 && (by_user || from[2] >= shape[2]), "its angles are too few");
        return to.broadcast(call.slice(cache, 2, 0, by_user ? 1 : shape[2]), shape);
    };
    ValueId matrix = call.as_float(call.tensor("trans_mat"));
    const Shape given = to.shape(matrix);
    matrix = call.slice(matrix, Integers(given.rank(), 0), [&] {
        Integers ends(given.rank(), 1);
        ends[given.rank() - 2] = 32;
        ends[given.rank() - 1] = 32;
        return ends;
    }());
    matrix = to.reshape(matrix, {32, 32});
    const ValueId tiles = to.reshape(x, {shape.elements() / 32, 32});
    const ValueId turned = to.reshape(call.matmul(tiles, matrix), shape);
    return {to.add(to.mul(x, angles("cos_cache")), to.mul(turned, angles("sin_cache")))};
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

namespace {

bool takes_embedding(const Call& call) {
    const TensorSpec& numbers = call.spec(0);
    const TensorSpec& table = call.spec(1);
    return numbers.shape.rank() == 2 && numbers.layout == Layout::ROW_MAJOR &&
           (numbers.dtype == DataType::UINT32 || numbers.dtype == DataType::BFLOAT16) &&
           table.dtype == DataType::BFLOAT16 && call.result_spec().dtype == DataType::BFLOAT16 &&
           call.size() == 2 && !call.find_number("padding_idx");
}

// TT-NN adds up rows of whole tiles: behind them zeros, for row 0 of the table.
void embedding_back(Call& call) {
    constexpr std::uint32_t kTileRows = 32;
    Tensor numbers = call.operand(0);
    Tensor rows = as_tiles(call.gradient());
    if (const std::uint32_t behind = -numbers.shape()[1] % kTileRows; behind != 0) {
        numbers = pad(Pad{.input_tensor = numbers, .padding = {{0, 0}, {0, behind}}, .value = 0.0F});
        rows = pad(Pad{.input_tensor = rows, .padding = {{0, 0}, {0, behind}, {0, 0}}, .value = 0.0F});
    }
    const std::uint32_t count = numbers.shape()[0] * numbers.shape()[1];
    call.give(1, embedding_bw(EmbeddingGradient{
                     .input_tensor = numbers,
                     .weight_tensor = call.operand(1),
                     .output_gradient_tensor = reshaped(rows, {1, 1, count, rows.shape()[-1]})}));
}

// [batch, 1, rows, heads * width] or without the 1, to [batch, heads, rows, width].
void split_heads_back(Call& call) {
    const Shape& from = call.shape(0);
    const Tensor apart = reshaped(call.gradient(), {from[0], from[2], from[1], from[3]});
    call.give(0, permute(Permute{.input_tensor = apart, .dims = {0, 2, 1, 3}}));
}

bool has_four_dimensions(const Call& call) {
    return call.shape(0).rank() == 4 && call.shape(0).volume() == call.result_spec().shape.volume();
}

bool takes_split(const Call& call) {
    if (call.size() != 1 || call.result_count() != 3) return false;
    const Shape& query = call.result_spec(0).shape;
    const Shape& value = call.result_spec(2).shape;
    return query == value && query.rank() == 4 && call.shape(0).volume() == 3 * query.volume();
}

// Query, key and value stand beside each other in the columns.
void join_heads_back(Call& call, const char* transposed) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < 3; ++i) {
        Tensor gradient = call.gradient(i);
        if (i == 1 && call.flag(transposed, true))
            gradient = tilemeter::transpose(Transpose{.input_tensor = gradient, .dim1 = -2, .dim2 = -1});
        const Shape shape = gradient.shape();
        gradient = permute(Permute{.input_tensor = gradient, .dims = {0, 2, 1, 3}});
        parts.push_back(reshaped(gradient, {shape[0], shape[2], shape[1] * shape[3]}));
    }
    call.give(0, reshaped(concat(Concat{.tensors = parts, .dim = 2}), call.shape(0)));
}

// Far below any score, so that its share is 0, and finite in bfloat16.
constexpr float kUnseen = -1e30F;

Tensor product_of(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b) {
    return matmul(Matmul{
        .input_tensor_a = a, .input_tensor_b = b, .transpose_a = transpose_a, .transpose_b = transpose_b});
}

bool are_tiled_floats(const Call& call) {
    for (std::size_t i = 0; i < call.size(); ++i)
        if (!is_in_tiles(call.spec(i)) || call.spec(i).dtype != call.result_spec().dtype) return false;
    return true;
}

// One for each head that asks; bfloat16, as moreh's softmax_backward takes.
bool takes_attention(const Call& call) {
    const std::size_t q = call.at("input_tensor_q");
    for (const char* const each : {"input_tensor_q", "input_tensor_k", "input_tensor_v"}) {
        const TensorSpec& spec = call.spec(call.at(each));
        if (spec.dtype != DataType::BFLOAT16 || spec.shape[1] != call.shape(q)[1]) return false;
    }
    const auto mask = call.position("attn_mask");
    return !call.position("attention_sink|cu_window_seqlens") && !call.find_number("sliding_window_size") &&
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
        static_cast<double>(call.single("scale", 1 / std::sqrt(static_cast<double>(q.shape()[-1])))));
    Tensor scores = multiply(product_of(q, false, k, true), scale);
    const auto mask = call.position("attn_mask");
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

std::vector<Rule> transformer_rules() {
    const Gradient split{"", split_heads_back, has_four_dimensions};
    return {
        {"embedding",
         {"input_tensor weight", lowering::embedding},
         {"input_tensor weight", embedding_back, takes_embedding}},
        {"embedding_bw",
         {"input_tensor weight_tensor output_gradient_tensor output_tensor", lowering::embedding_bw}},
        {"transformer.split_query_key_value_and_split_heads",
         {"input_tensor kv_input_tensor", lowering::split_heads},
         {"", with(join_heads_back, "transpose_key"), takes_split}},
        {"experimental.nlp_create_qkv_heads",
         {"input input_kv", lowering::nlp_create_heads},
         {"", with(join_heads_back, "transpose_k_heads"), takes_split}},
        {"transformer.concatenate_heads", {"input_tensor", lowering::concatenate_heads}, split},
        {"experimental.nlp_concat_heads", {"input_tensor", lowering::concatenate_heads}, split},
        {"transformer.scaled_dot_product_attention",
         {"input_tensor_q input_tensor_k input_tensor_v attn_mask attention_sink cu_window_seqlens "
          "windowed_q_token_offset_tensor attn_mask_block_map",
          lowering::attention},
         {"input_tensor_q input_tensor_k input_tensor_v attn_mask", attention_back, takes_attention}},
        {"experimental.rotate_half", {"input", lowering::rotate_half}},
        {"experimental.rotary_embedding",
         {"input_tensor cos_cache sin_cache", lowering::rotary_embedding},
         {"cos_cache sin_cache", rotary_back, takes_rotary}},
        {"experimental.rotary_embedding_llama",
         {"input_tensor cos_cache sin_cache trans_mat", lowering::rotary_embedding_llama}},
        {"experimental.rotary_embedding_hf",
         {"input_tensor cos_cache sin_cache", lowering::rotary_embedding_hf}},
    };
}

}  // namespace tilemeter::trace::rules
