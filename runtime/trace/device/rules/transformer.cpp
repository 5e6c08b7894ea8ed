// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention: heads, scores, caches, positions, embeddings.

#include <cmath>
#include <limits>

#include "runtime/trace/device/rules/lowering_call.hpp"

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
    const double scale = call.number("scale", 1.0 / std::sqrt(static_cast<double>(shape[3])));
    ValueId scores = to.mul(call.matmul(q, call.swap(k, -2, -1)), scale);
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
        const ValueId column =
            to.broadcast(to.mul(to.reshape(call.as_float(*sink), {1, square[1], 1, 1}), scale),
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

// Of one new token of each user: the angles of a user are a row.
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

ValueId replaced(const Call& call, ValueId cache, ValueId part, const Integers& at) {
    FlatBuilder& to = call.to;
    Values operands{cache, part};
    for (const std::int64_t each : at)
        operands.push_back(to.scalar(ElementType::kI32, static_cast<double>(each)));
    return to.op("dynamic_update_slice", operands);
}

Values fill_cache(const Call& call, const char* batch, const char* position) {
    const ValueId cache = call.as_float(call[0]);
    const ValueId input = call.as_float(call[1]);
    return {replaced(call, cache, input, {call.integer(batch, 0), 0, call.integer(position, 0), 0})};
}

// A row of the input for each user.
Values update_cache(const Call& call, const char* position) {
    FlatBuilder& to = call.to;
    const ValueId cache = call.as_float(call[0]);
    const ValueId input = call.as_float(call[1]);
    const Shape shape = to.shape(cache);
    const std::int64_t first = call.integer("batch_offset", 0);
    const std::int64_t users = std::min(shape[0], to.shape(input)[2] - first);
    const ValueId rows = to.transpose(call.slice(input, 2, first, first + users), {2, 1, 0, 3});
    return {replaced(call, cache, rows, {0, 0, call.integer(position, 0), 0})};
}

}  // namespace

std::vector<Rule> attention_rules() {
    return {
        {"embedding", "input_tensor weight", embedding},
        {"transformer.split_query_key_value_and_split_heads", "input_tensor kv_input_tensor", split_heads},
        {"experimental.nlp_create_qkv_heads", "input input_kv", nlp_create_heads},
        {"transformer.concatenate_heads", "input_tensor", concatenate_heads},
        {"experimental.nlp_concat_heads", "input_tensor", concatenate_heads},
        {"transformer.scaled_dot_product_attention",
         "input_tensor_q input_tensor_k input_tensor_v attn_mask attention_sink cu_window_seqlens "
         "windowed_q_token_offset_tensor attn_mask_block_map",
         attention},
        {"experimental.rotate_half", "input", rotate_half},
        {"experimental.rotary_embedding", "input_tensor cos_cache sin_cache", rotary_embedding},
        {"experimental.rotary_embedding_llama", "input_tensor cos_cache sin_cache trans_mat",
         rotary_embedding_llama},
        {"experimental.rotary_embedding_hf", "input_tensor cos_cache sin_cache", rotary_embedding_hf},
        {"fill_cache", "", [](const Call& call) { return fill_cache(call, "batch_idx", "update_idx"); }},
        {"kv_cache.fill_cache_for_user_", "",
         [](const Call& call) { return fill_cache(call, "batch_index", "update_idx"); }},
        {"update_cache", "", [](const Call& call) { return update_cache(call, "update_idx"); }},
        {"kv_cache.update_cache_for_token_", "",
         [](const Call& call) { return update_cache(call, "update_index"); }},
    };
}

}  // namespace tilemeter::trace::lowering
