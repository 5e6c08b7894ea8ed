// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that move values: their gradients move them back.

#include <algorithm>

#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/concat_backward.hpp"
#include "runtime/operations/transformer/embedding_backward.hpp"
#include "runtime/trace/device/rules/gradient_call.hpp"

namespace tilemeter::trace::backward {

namespace {

bool keeps_shape(const Call& call) {
    return call.shape(0) == call.result_spec().shape && is_floating_point(call.spec(0).dtype) &&
           is_floating_point(call.result_spec().dtype);
}

bool keeps_elements(const Call& call) {
    return call.shape(0).volume() == call.result_spec().shape.volume() &&
           is_floating_point(call.spec(0).dtype);
}

void same(Call& call) {
    call.give(0, call.gradient());
}

void reshape_back(Call& call) {
    call.give(0, reshaped(call.gradient(), call.shape(0)));
}

void permute_back(Call& call) {
    const Integers dims = call.integers("dims").value();
    Integers inverse(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const std::int64_t dim = dims[i] < 0 ? dims[i] + static_cast<std::int64_t>(dims.size()) : dims[i];
        inverse[static_cast<std::size_t>(dim)] = static_cast<std::int64_t>(i);
    }
    call.give(0, permute(Permute{.input_tensor = call.gradient(), .dims = inverse}));
}

void transpose_back(Call& call) {
    call.give(0, tilemeter::transpose(Transpose{.input_tensor = call.gradient(),
                                                .dim1 = static_cast<int>(call.number("dim1", 0)),
                                                .dim2 = static_cast<int>(call.number("dim2", 1))}));
}

Tensor part_of(const Tensor& tensor, std::size_t axis, std::int64_t begin, std::int64_t end) {
    Integers begins(tensor.shape().rank(), 0);
    Integers ends = extents_of(tensor.shape());
    begins[axis] = begin;
    ends[axis] = end;
    return slice(Slice{.input_tensor = tensor, .slice_start = begins, .slice_end = ends});
}

void concat_back(Call& call) {
    const std::size_t rank = call.result_spec().shape.rank();
    const auto axis = static_cast<std::size_t>(call.axis("dim", 0, rank));
    if (rank == 4 && call.size() == 2) {
        const Gradients gradients =
            concat_bw(ConcatGradient{.grad_tensor = call.gradient(),
                                     .input_tensor_a = call.operand(0),
                                     .input_tensor_b = call.operand(1),
                                     .dim = static_cast<std::int64_t>(axis),
                                     .are_required_outputs = {call.wants(0), call.wants(1)}});
        for (std::size_t i = 0; i < 2; ++i)
            if (gradients[i]) call.give(i, *gradients[i]);
        return;
    }
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < call.size(); ++i) {
        const std::int64_t end = begin + call.shape(i).dimensions()[axis];
        if (call.wants(i)) call.give(i, part_of(call.gradient(), axis, begin, end));
        begin = end;
    }
}

void join_parts(Call& call) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < call.recorded().results.size(); ++i)
        parts.push_back(call.gradient(i));
    call.give(0, parts.size() == 1
                     ? parts[0]
                     : concat(Concat{.tensors = parts, .dim = call.axis("dim", 0, call.shape(0).rank())}));
}

// Where the slice begins; none: it is not known, or takes not every element.
std::optional<Integers> begin_of(const Call& call) {
    const Shape& from = call.shape(0);
    const Shape& to = call.result_spec().shape;
    std::optional<Integers> begins = call.integers(call.has("slice_start") ? "slice_start" : "starts");
    if (call.size() != 1 || !begins || begins->size() != from.rank() || to.rank() != from.rank())
        return std::nullopt;
    const Integers steps =
        call.integers(call.has("slice_step") ? "slice_step" : "steps").value_or(Integers(from.rank(), 1));
    if (std::ranges::any_of(steps, [](std::int64_t step) { return step != 1; })) return std::nullopt;
    for (std::size_t i = 0; i < from.rank(); ++i)
        if ((*begins)[i] < 0) (*begins)[i] += from.dimensions()[i];
    return begins;
}

// Of tiles TT-NN pads the end alone.
void pad_back(Call& call) {
    const Integers begins = begin_of(call).value();
    const Shape& wanted = call.shape(0);
    const Shape& from = call.result_spec().shape;
    Padding padding;
    bool is_in_front = false;
    bool is_any = false;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto before = static_cast<std::uint32_t>(begins[i]);
        const std::uint32_t after = wanted.dimensions()[i] - before - from.dimensions()[i];
        padding.emplace_back(before, after);
        is_in_front = is_in_front || before != 0;
        is_any = is_any || before + after != 0;
    }
    Tensor gradient = call.gradient();
    if (!is_any) {
        call.give(0, gradient);
        return;
    }
    if (is_in_front) gradient = to_layout(ToLayout{.tensor = gradient, .layout = Layout::ROW_MAJOR});
    call.give(0, as_tiles(pad(Pad{.input_tensor = gradient, .padding = padding, .value = 0.0F})));
}

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
    if (call.size() != 1 || call.recorded().results.size() != 3) return false;
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

}  // namespace

std::vector<Rule> movement_rules() {
    std::vector<Rule> rules;
    for (const char* const name :
         {"to_memory_config", "clone", "tilize", "untilize", "interleaved_to_sharded",
          "sharded_to_interleaved", "reshard", "to_layout", "typecast", "experimental.typecast", "identity",
          "untilize_with_unpadding", "tilize_with_val_padding", "tilize_with_zero_padding",
          "fill_implicit_tile_padding"})
        rules.push_back({name, "", same, keeps_shape});
    for (const char* const name : {"move", "reallocate", "expand"})
        rules.push_back({name, "", same});
    for (const char* const name : {"reshape", "view", "experimental.view", "unsqueeze", "unsqueeze_to_4D",
                                   "squeeze", "reshape_on_device"})
        rules.push_back({name, "", reshape_back, keeps_elements});
    rules.push_back(
        {"permute", "", permute_back, [](const Call& call) { return call.integers("dims").has_value(); }});
    rules.push_back({"transpose", "", transpose_back, keeps_elements});
    rules.push_back({"concat", "tensors", concat_back, [](const Call& call) {
                         return call.find_number("groups").value_or(1) == 1 && !call.find("output_tensor");
                     }});
    for (const char* const name : {"split", "chunk"})
        rules.push_back({name, "", join_parts});
    rules.push_back({"slice", "", pad_back, [](const Call& call) { return begin_of(call).has_value(); }});
    rules.push_back({"embedding", "input_tensor weight", embedding_back, takes_embedding});
    for (const char* const name : {"experimental.nlp_concat_heads", "transformer.concatenate_heads"})
        rules.push_back({name, "", split_heads_back, has_four_dimensions});
    rules.push_back({"transformer.split_query_key_value_and_split_heads", "",
                     [](Call& call) { join_heads_back(call, "transpose_key"); }, takes_split});
    rules.push_back({"experimental.nlp_create_qkv_heads", "",
                     [](Call& call) { join_heads_back(call, "transpose_k_heads"); }, takes_split});
    return rules;
}

}  // namespace tilemeter::trace::backward
