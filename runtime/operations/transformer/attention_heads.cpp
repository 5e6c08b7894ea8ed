// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/attention_heads.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/transformer/grouped_heads.hpp"
#include "runtime/operations/transformer/internal/heads_operations.hpp"
#include "runtime/operations/transformer/model_heads.hpp"

namespace tilemeter {

namespace {

std::vector<Tensor> create_heads(const Tensor& input, const OptionalTensor& input_kv, std::uint32_t num_heads,
                                 std::uint32_t num_kv_heads, std::uint32_t head_dim, bool transpose,
                                 const OptionalMemoryConfig& memory_config) {
    std::vector<Tensor> inputs = {input};
    if (input_kv) inputs.push_back(*input_kv);
    const MemoryConfig& with_keys = inputs.back().memory_config();
    const auto groups =
        static_cast<std::uint32_t>(with_keys.is_sharded() ? with_keys.shard_spec->grid.num_cores() : 1);
    return launch_all(NlpCreateHeadsOperation{num_heads, num_kv_heads, head_dim, transpose,
                                              memory_config.value_or(input.memory_config()), groups},
                      std::move(inputs));
}

// The head size, from the width of the input that holds it.
std::uint32_t head_dim_of(const Tensor& input, const OptionalTensor& kv, std::uint32_t num_heads,
                          std::uint32_t num_kv_heads) {
    require(input.shape().rank() == 4, "nlp_create_qkv_heads: input: expected 4 dimensions, got ",
            input.shape());
    const std::uint32_t sections = kv ? num_heads : num_heads + 2 * num_kv_heads;
    const std::uint32_t width = input.shape()[3];
    require(sections > 0 && width % sections == 0, "Unsupported input shape");
    const std::uint32_t head_dim = width / sections;
    require(head_dim % kTileWidth == 0,
            "nlp_create_qkv_heads: input: expected a head size of whole tiles of 32, got ", head_dim);
    if (kv) {
        require(kv->shape().rank() == 4, "nlp_create_qkv_heads: input_kv: expected 4 dimensions, got ",
                kv->shape());
        require(num_kv_heads > 0 && kv->shape()[3] == 2 * num_kv_heads * head_dim,
                "Head dims must be the same for Q and K, V");
    }
    return head_dim;
}

Tensor with_middle_one(const Tensor& tensor) {
    const Shape& shape = tensor.shape();
    return reshape_view(tensor, {shape[0], 1, shape[1], shape[2]});
}

// Head size of split_query_key_value_and_split_heads; TT-NN's own statements.
std::uint32_t split_head_dim(const Shape& shape, const OptionalTensor& kv, std::uint32_t num_heads,
                             std::uint32_t num_kv_heads) {
    if (kv) {
        const Shape& kv_shape = kv->shape();
        require(kv_shape.rank() == 3, "Invalid KV input tensor: expected 3 dimensions, but found ",
                kv_shape.rank(), ".");
        require(kv_shape[0] == shape[0], "Dimension mismatch: KV tensor batch dimension (", kv_shape[0],
                ") must match Q tensor batch dimension (", shape[0], ").");
        require(kv_shape[1] == shape[1], "Dimension mismatch: KV tensor sequence length (", kv_shape[1],
                ") must match Q tensor sequence length (", shape[1], ").");
        require(kv_shape[2] == 2 * num_kv_heads * (shape[2] / num_heads),
                "Dimension mismatch: KV head size (", kv_shape[2] / (2 * num_kv_heads),
                ") must be equal to query");
    }
    const std::uint32_t head_dim = shape[2] / (kv ? num_heads : num_heads + 2 * num_kv_heads);
    require(head_dim > 0 && head_dim % kTileWidth == 0, "Invalid head size: ", head_dim,
            ". The head size must be a multiple of the tile width (32). Please adjust the dimensions "
            "accordingly.");
    return head_dim;
}

std::vector<Tensor> heads_of_falcon7b(const transformer::SplitQueryKeyValueAndSplitHeads& call,
                                      const MemoryConfig& config) {
    require(call.num_kv_heads && !call.kv_input_tensor,
            "Invalid configuration: use_falcon7b_backend requires num_kv_heads to be set and no separate KV "
            "tensor.");
    require(!call.transpose_key,
            "Invalid configuration: Transpose is set to true, but this is not supported when separate "
            "num_kv_heads is used.");
    std::vector<Tensor> heads =
        unscoped::nlp_create_qkv_heads_falcon7b(with_middle_one(call.input_tensor), config);
    const std::uint32_t rows = call.input_tensor.shape()[1];
    if (rows % kTileHeight == 0) return heads;
    for (Tensor& each : heads)
        each = without_padding_rows(each, {each.shape()[0], each.shape()[1], rows, each.shape()[3]});
    return heads;
}

// Heads without their rows of padding: the first `rows` alone.
std::vector<Tensor> without_padding(std::vector<Tensor> heads, std::uint32_t rows, bool key_transposed) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
        Shape shape = heads[i].shape();
        shape.set(i == 1 && key_transposed ? -1 : -2, rows);
        heads[i] = view_of_tiles(heads[i], shape);
    }
    return heads;
}

}  // namespace

namespace experimental {

AttentionHeads NlpCreateQkvHeads::call() const {
    return in_order(in_operation(*this, [&] {
        require_on_device(input, "nlp_create_qkv_heads", "input");
        const std::uint32_t kv_heads = num_kv_heads.value_or(num_heads);
        return create_heads(input, input_kv, num_heads, kv_heads,
                            head_dim_of(input, input_kv, num_heads, kv_heads), transpose_k_heads,
                            memory_config);
    }));
}

Tensor NlpConcatHeads::body() const {
    require_on_device(input_tensor, "nlp_concat_heads", "input");
    return launch(NlpConcatHeadsOperation{memory_config.value_or(input_tensor.memory_config())},
                  {input_tensor});
}

}  // namespace experimental

namespace transformer {

AttentionHeads SplitQueryKeyValueAndSplitHeads::call() const {
    return in_order(in_operation(*this, [&] {
        require_on_device(input_tensor, "split_query_key_value_and_split_heads", "input_tensor");
        const Shape& shape = input_tensor.shape();
        require(shape.rank() == 3, "Invalid input tensor: expected 3 dimensions, but found ", shape.rank(),
                ".");
        require(input_tensor.layout() == Layout::TILE, "Invalid layout: input tensor must use TILE_LAYOUT");
        const std::uint32_t kv_heads = num_kv_heads.value_or(num_heads);
        require(num_heads > 0 && kv_heads > 0,
                "split_query_key_value_and_split_heads: num_heads, num_kv_heads: expected at least 1");
        const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
        if (use_falcon7b_backend) return heads_of_falcon7b(*this, config);
        const std::uint32_t head_dim = split_head_dim(shape, kv_input_tensor, num_heads, kv_heads);
        if (input_tensor.memory_config().is_sharded()) {
            require(!kv_input_tensor,
                    "Invalid operation: KV tensor should not be provided when the input tensor is "
                    "sharded. Please ensure that the KV tensor is only used in non-sharded "
                    "configurations.");
            std::vector<Tensor> heads = unscoped::create_qkv_heads(with_middle_one(input_tensor), num_heads,
                                                                   kv_heads, transpose_key, config);
            return shape[1] % kTileHeight == 0 ? heads
                                               : without_padding(std::move(heads), shape[1], transpose_key);
        }
        const Tensor input = with_middle_one(input_tensor);
        const OptionalTensor kv =
            kv_input_tensor ? OptionalTensor(with_middle_one(*kv_input_tensor)) : std::nullopt;
        std::vector<Tensor> heads =
            create_heads(input, kv, num_heads, kv_heads, head_dim, transpose_key, config);
        // TT-NN splits with padding and takes it away again.
        if (shape[1] % kTileHeight != 0) {
            for (Tensor& each : heads)
                each = reshape_view(each, each.shape());
        }
        return heads;
    }));
}

Tensor ConcatenateHeads::body() const {
    require_on_device(input_tensor, "concatenate_heads", "input_tensor");
    const Shape& shape = input_tensor.shape();
    require(shape.rank() == 4, "Input tensor must have rank 4. Shape: ", shape);
    require(shape[3] % kTileWidth == 0, "Head size must be a multiple of 32 but was found to be ", shape[3],
            ".");
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    const Shape joined{shape[0], shape[2], shape[1] * shape[3]};
    if (!input_tensor.memory_config().is_sharded() || config.is_sharded())
        return reshape_view(launch(NlpConcatHeadsOperation{config}, {input_tensor}), joined);
    const ScopedTensor heads(unscoped::sharded_to_interleaved(input_tensor, config));
    return reshape_view(launch(NlpConcatHeadsOperation{config}, {*heads}), joined);
}

}  // namespace transformer

}  // namespace tilemeter
