// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Caches [users or blocks, heads, rows, width] that are written at a place, or at one for each user.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/trace/device/rules/rule.hpp"

namespace tilemeter::trace::lowering {

namespace {

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

// ---- places that differ by user, also in blocks of a table of pages

/// The cache with parts [..., heads, width] at blocks and rows [...]; what lies outside is left out.
ValueId written_at(const Call& call, ValueId cache, ValueId parts, ValueId block, ValueId row) {
    FlatBuilder& to = call.to;
    Shape column = to.shape(block);
    const auto rank = static_cast<std::int64_t>(column.rank());
    column.push_back(1);
    const ValueId places = call.concat({to.reshape(block, column), to.reshape(row, column)}, rank);
    return to.op("scatter", {cache, places, parts},
                 {{"update_window_dims", Integers{rank, rank + 1}},
                  {"inserted_window_dims", Integers{0, 2}},
                  {"scatter_dims_to_operand_dims", Integers{0, 2}},
                  {"index_vector_dim", rank}});
}

/// A token for each user. `number`: of the cache among several.
ValueId with_tokens(const Call& call, const std::string& number) {
    FlatBuilder& to = call.to;
    const ValueId cache = call.as_float(call.tensor("cache_tensor" + number));
    const ValueId input = call.as_float(call.tensor("input_tensor" + number));
    const Shape shape = to.shape(cache);
    const Shape tokens = to.shape(input);
    const std::int64_t users = tokens[1];
    const std::int64_t heads = std::min(tokens[2], shape[1]);
    const ValueId parts = to.reshape(call.slice(input, 2, 0, heads), {users, heads, tokens[3]});
    ValueId position{};
    if (const auto given = call.find("update_idxs_tensor")) {
        position = to.reshape(to.convert(*given, ElementType::kI32), {users});
    } else {
        const Integers list = call.integers("update_idxs").value_or(Integers{});
        call.require(static_cast<std::int64_t>(list.size()) == users, "it has no position for each user");
        position = call.constant({users}, std::vector<std::int32_t>(list.begin(), list.end()));
    }
    const ValueId zero = to.full_like(position, 0);
    ValueId block = call.flag("share_cache") ? zero : call.count({users}, 0, ElementType::kI32);
    ValueId row = position;
    if (const auto table = call.find("page_table")) {
        const ValueId rows = to.full_like(position, static_cast<double>(shape[2]));
        const ValueId known = to.op("maximum", {position, zero});
        const ValueId page = to.reshape(to.op("div", {known, rows}), {users, 1});
        block = to.reshape(call.take_along(to.convert(*table, ElementType::kI32), page, 1), {users});
        // A position below 0 stays one, and so outside.
        row = to.select(to.compare("LT", position, zero), position, to.op("rem", {known, rows}));
    }
    return written_at(call, cache, parts, block, row);
}

Values update_one(const Call& call) {
    return {with_tokens(call, "")};
}

Values update_two(const Call& call) {
    return {with_tokens(call, "1"), with_tokens(call, "2")};
}

// Rows of one user, or of those that a tensor names.
Values fill(const Call& call) {
    FlatBuilder& to = call.to;
    const ValueId cache = call.as_float(call.tensor("cache_tensor"));
    const ValueId input = call.as_float(call.tensor("input_tensor"));
    const ValueId table = to.convert(call.tensor("page_table"), ElementType::kI32);
    const Shape shape = to.shape(cache);
    const Shape rows = to.shape(input);
    const std::int64_t pages = to.shape(table)[1];
    const auto named = call.find("batch_idx_tensor");
    const ValueId users =
        named ? to.reshape(to.convert(*named, ElementType::kI32), {rows[0]})
              : call.constant({rows[0]}, std::vector<std::int32_t>(
                                             static_cast<std::size_t>(rows[0]),
                                             static_cast<std::int32_t>(call.integer("batch_idx", 0))));
    const ValueId blocks = to.reshape(call.rows(table, users), {rows[0], pages, 1});
    const ValueId repeated =
        to.reshape(to.broadcast(blocks, {rows[0], pages, shape[2]}), {rows[0], pages * shape[2]});
    const Shape places{rows[0], rows[2]};
    const ValueId count = call.count(places, 1, ElementType::kI32);
    const ValueId row = to.op("rem", {count, to.full_like(count, static_cast<double>(shape[2]))});
    return {
        written_at(call, cache, to.transpose(input, {0, 2, 1, 3}), call.slice(repeated, 1, 0, rows[2]), row)};
}

}  // namespace

}  // namespace tilemeter::trace::lowering

namespace tilemeter::trace::rules {

std::vector<Rule> transformer_cache_rules() {
    return {
        {"fill_cache", {"", with(lowering::fill_cache, "batch_idx", "update_idx")}},
        {"kv_cache.fill_cache_for_user_", {"", with(lowering::fill_cache, "batch_index", "update_idx")}},
        {"update_cache", {"", with(lowering::update_cache, "update_idx")}},
        {"kv_cache.update_cache_for_token_", {"", with(lowering::update_cache, "update_index")}},
        {"experimental.paged_update_cache",
         {"cache_tensor input_tensor update_idxs_tensor page_table", lowering::update_one}},
        {"experimental.paged_fused_update_cache",
         {"cache_tensor1 input_tensor1 cache_tensor2 input_tensor2 update_idxs_tensor page_table",
          lowering::update_two}},
        {"experimental.paged_fill_cache",
         {"cache_tensor input_tensor page_table batch_idx_tensor", lowering::fill}},
    };
}

}  // namespace tilemeter::trace::rules
