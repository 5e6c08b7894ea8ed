// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Attention of one new token for each user, and its heads.

#include <limits>

#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

// Blocks [blocks, heads, rows, width] in the order of each user's row of the table.
ValueId without_pages(const Call& call, ValueId blocks, ValueId table) {
    FlatBuilder& to = call.to;
    const Shape shape = to.shape(blocks);
    const Shape pages = to.shape(table);
    call.require(pages.rank() == 2, "its table of pages is not of rank 2");
    const ValueId taken = call.rows(blocks, to.convert(table, ElementType::kI32));
    const ValueId rows = to.transpose(taken, {0, 2, 1, 3, 4});
    return to.reshape(rows, {pages[0], shape[1], pages[1] * shape[2], shape[3]});
}

Values attention_decode(const Call& call) {
    FlatBuilder& to = call.to;
    call.require(!call.find("attention_sink") && call.integer("sliding_window_size", 0) == 0 &&
                     !call.has("cache_position_modulo") && !call.has("spec_multi_pos_tiles"),
                 "it has more than positions and a mask");
    const ValueId q = call.as_float(call.tensor("input_tensor_q"));
    ValueId k = call.as_float(call.tensor("input_tensor_k"));
    ValueId v = call.as_float(call.tensor("input_tensor_v"));
    if (const auto table = call.find("page_table_tensor")) {
        k = without_pages(call, k, *table);
        v = without_pages(call, v, *table);
    }
    const Shape shape = to.shape(q);
    const std::int64_t users = shape[1];
    const std::int64_t heads = shape[2];
    const Shape keys = to.shape(k);
    call.require(keys[0] == users || keys[0] == 1, "its caches are of other users");
    const ValueId rows = to.reshape(q, {users, heads, 1, shape[3]});
    k = call.repeat_heads(k, heads);
    v = call.repeat_heads(v, heads);
    ValueId scores = call.scores(rows, k);
    const Shape wide = to.shape(scores);
    if (const auto mask = call.find("attn_mask")) {
        const std::int64_t count = to.shape(*mask).elements();
        call.require(count == wide.elements(), "its mask is not of all heads");
        scores = to.add(scores, to.reshape(call.as_float(*mask), wide));
    }
    std::optional<ValueId> positions;
    if (call.flag("is_causal", true)) {
        if (const auto tensor = call.find("cur_pos_tensor")) {
            positions = to.reshape(to.convert(*tensor, ElementType::kI32), {users, 1, 1, 1});
        } else if (const auto list = call.integers("cur_pos"); list && !list->empty()) {
            Values each;
            for (const std::int64_t position : *list)
                each.push_back(to.full({ElementType::kI32, {1, 1, 1, 1}, {}}, static_cast<double>(position)));
            positions = call.concat(each, 0);
        }
    }
    if (positions) {
        const ValueId column = call.count(wide, 3, ElementType::kI32);
        const ValueId is_seen = to.compare("LE", column, to.broadcast(*positions, wide));
        scores = to.select(is_seen, scores, to.full_like(scores, -std::numeric_limits<double>::infinity()));
    }
    return {call.reshape_to_result(call.matmul(call.softmax(scores, 3), v))};
}

// The queries and keys of two sequences together.
Values attention_joint(const Call& call) {
    FlatBuilder& to = call.to;
    const auto both = [&](const char* first, const char* second) {
        return call.concat({call.as_float(call.tensor(first)), call.as_float(call.tensor(second))}, 2);
    };
    const std::int64_t rows = to.shape(call.tensor("input_tensor_q"))[2];
    const ValueId q = both("input_tensor_q", "joint_tensor_q");
    const Shape shape = to.shape(q);
    const ValueId k = call.repeat_heads(both("input_tensor_k", "joint_tensor_k"), shape[1]);
    const ValueId v = call.repeat_heads(both("input_tensor_v", "joint_tensor_v"), shape[1]);
    const ValueId out = call.matmul(call.softmax(call.scores(q, k), 3), v);
    return {call.slice(out, 2, 0, rows), call.slice(out, 2, rows, shape[2])};
}

Values create_heads_decode(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape shape = to.shape(call[0]);
    const std::int64_t users = shape[2];
    const std::int64_t count = call.integer("num_heads", 1);
    const std::int64_t kv_count = call.integer("num_kv_heads", count);
    call.require(!call.has("slice_size") && call.size() == 1, "it takes a part of its users");
    const std::int64_t size = shape[3] / (count + 2 * kv_count);
    const ValueId heads = to.reshape(call.as_float(call[0]), {1, users, count + 2 * kv_count, size});
    Values parts;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < call.result_count(); ++i) {
        const std::int64_t extent = call.shape(i)[2];
        parts.push_back(call.slice(heads, 2, first, first + extent));
        first += extent;
    }
    return parts;
}

Values concat_heads_decode(const Call& call) {
    FlatBuilder& to = call.to;
    const Shape shape = to.shape(call[0]);
    const std::int64_t heads = call.integer("num_heads", 1);
    const ValueId rows =
        to.reshape(call.slice(call.as_float(call[0]), 2, 0, heads), {1, 1, shape[1], heads * shape[3]});
    return {call.pad(rows, {0, 0, 0, 0}, {0, 0, call.shape()[2] - shape[1], 0}, 0)};
}

// Groups of heads: the queries that share a key, the key, the value.
Values grouped_heads(const Call& call) {
    FlatBuilder& to = call.to;
    const std::int64_t count = call.integer("num_heads", 1);
    const std::int64_t keys = call.integer("num_kv_heads", count);
    const std::int64_t ratio = count / keys;
    const bool transposes = call.flag("transpose_k_heads", true);
    const auto heads = [&](ValueId rows, std::int64_t groups, std::int64_t first, std::int64_t each,
                           std::int64_t size, bool is_transposed) {
        const Shape shape = to.shape(rows);
        const ValueId apart = to.reshape(rows, {shape[0] * shape[2], groups, shape[3] / size / groups, size});
        const ValueId chosen =
            to.reshape(call.slice(apart, 2, first, first + each), {shape[0], shape[2], groups * each, size});
        return to.transpose(chosen, is_transposed ? Integers{0, 2, 3, 1} : Integers{0, 2, 1, 3});
    };
    const ValueId input = call.as_float(call.tensor("input"));
    const std::optional<ValueId> kv = call.find("input_kv");
    const std::int64_t width = to.shape(input)[3];
    const std::int64_t size = kv ? width / count : width / (count + 2 * keys);
    if (!kv)
        return {heads(input, keys, 0, ratio, size, false), heads(input, keys, ratio, 1, size, transposes),
                heads(input, keys, ratio + 1, 1, size, false)};
    const ValueId pairs = call.as_float(*kv);
    return {heads(input, 1, 0, count, size, false), heads(pairs, keys, 0, 1, size, transposes),
            heads(pairs, keys, 1, 1, size, false)};
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> transformer_decoding_rules() {
    return {
        {"transformer.scaled_dot_product_attention_decode",
         {"input_tensor_q input_tensor_k input_tensor_v attn_mask cur_pos_tensor attention_sink",
          lowering::attention_decode}},
        {"transformer.paged_scaled_dot_product_attention_decode",
         {"input_tensor_q input_tensor_k input_tensor_v page_table_tensor attn_mask cur_pos_tensor attention_sink",
          lowering::attention_decode}},
        {"transformer.joint_scaled_dot_product_attention",
         {"input_tensor_q input_tensor_k input_tensor_v joint_tensor_q joint_tensor_k joint_tensor_v",
          lowering::attention_joint}},
        {"experimental.nlp_create_qkv_heads_decode", {"input_tensor", lowering::create_heads_decode}},
        {"experimental.nlp_concat_heads_decode", {"input_tensor", lowering::concat_heads_decode}},
        {"experimental.create_qkv_heads", {"input", lowering::grouped_heads}},
        {"experimental.create_qkv_heads_from_separate_tensors", {"input input_kv", lowering::grouped_heads}},
    };
}

}  // namespace tilemeter::trace::rules
