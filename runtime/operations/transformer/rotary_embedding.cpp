// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/rotary_embedding.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "runtime/compute/rotary.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/transformer/internal/rotary_config.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct RotaryEmbeddingOperation {
    static constexpr std::string_view kName = "RotaryEmbeddingDeviceOperation";
    static constexpr std::string_view kAttributesName = "RotaryEmbeddingParams";

    std::uint32_t length;
    std::optional<std::uint32_t> token_index;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig config;

    auto attributes() const {
        return std::make_tuple(length, token_index, memory_config, attribute_text(config));
    }
    /// One program serves all tokens.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(length);
        key.append(token_index.has_value());
        key.append(memory_config);
        key.append(attribute_text(config));
        key.append(call.inputs);
    }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs) {
            require(input.layout == Layout::TILE, "rotary_embedding: expected tensors in TILE layout");
        }
        require(!inputs[1].memory_config.is_sharded() && !inputs[2].memory_config.is_sharded(),
                "rotary_embedding: cos_cache, sin_cache: expected INTERLEAVED");
        for (const MemoryConfig* place : {&inputs[0].memory_config, &memory_config}) {
            require(!place->is_sharded() || place->memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                    "rotary_embedding: expected shards to be HEIGHT_SHARDED, got ",
                    name_of(place->memory_layout));
        }
        require(is_floating_point(inputs[0].dtype),
                "rotary_embedding: input_tensor: expected floating point, got ", name_of(inputs[0].dtype));
        const Shape& shape = inputs[0].shape;
        const Shape& cos = inputs[1].shape;
        require(shape.rank() >= 2 && shape.rank() <= 4 && cos.rank() == 4,
                "rotary_embedding: expected up to 4 dimensions, got ", shape, " and ", cos);
        const std::uint32_t width = inputs[0].padded_shape()[-1];
        require(width == kTileWidth || width % (2 * kTileWidth) == 0, "Input X dimension (", width,
                ") must be either 32 (single tile) or divisible by 64");
        require(shape[-1] == width, "rotary_embedding: input_tensor: expected whole tiles, got ", shape);
        require(cos == inputs[2].shape,
                "Cosine and Sine cache dimensions must match. Cos cache dimensions: ", cos);
        require(cos[0] == 1 && cos[1] == 1 && cos[-1] == width,
                "Cosine cache dimensions must match input dimensions. Expected (1, 1, ", width, ")");
        if (token_index) {
            const std::uint32_t tokens = shape.to_rank(4)[0];
            require(tokens == 1,
                    "When token index is provided, sequence length must be 1. Current sequence length: ",
                    tokens, ".");
            require(cos[2] > *token_index,
                    "Cosine cache must cover the token index. Token index: ", *token_index,
                    ", Cos cache sequence length: ", cos[2], ".");
        } else {
            require(cos[2] >= shape[-2],
                    "Cosine cache must cover the input sequence length. Input sequence length: ", shape[-2],
                    ", Cos cache sequence length: ", cos[2], ".");
        }
    }

    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const {
        MemoryConfig place = memory_config;
        // Shards of the result lie where those of the input do, or one row of tiles to a core.
        if (place.is_sharded()) {
            place.shard_spec =
                inputs[0].memory_config.is_sharded()
                    ? inputs[0].memory_config.shard_spec
                    : ShardSpec{
                          split_work(inputs[0].tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores,
                          {kTileHeight, inputs[0].padded_shape()[-1]},
                          ShardOrientation::ROW_MAJOR};
        }
        return {TensorSpec{inputs[0].padded_shape(), inputs[0].dtype, Layout::TILE, place}};
    }

    // A row of tiles in flight, twice; of shards all of them. A head of a single tile is rotated by a matrix
    // product instead of by taking the other half; one token's cosines and sines are spread over all rows
    // first.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const bool in_shards = inputs[0].memory_config.is_sharded();
        const CoreRangeSet cores =
            in_shards ? inputs[0].memory_config.shard_spec->grid
                      : split_work(inputs[0].tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        const std::uint64_t width = inputs[0].tile_columns();
        const std::uint64_t in = tile_size(inputs[0].dtype);
        const std::uint64_t cos = tile_size(inputs[1].dtype);
        const std::uint64_t sin = tile_size(inputs[2].dtype);
        const std::uint64_t bf16 = tile_size(DataType::BFLOAT16);
        const std::uint64_t deep = 2 * width;
        const std::uint64_t angles = token_index ? width : deep;
        const bool single = width == 1;
        std::vector<std::uint64_t> sizes = {deep * in, single ? std::min(in, bf16) : deep * in, angles * cos,
                                            angles * sin};
        if (single) {
            sizes.insert(sizes.end(), {in, in, in});
        } else {
            sizes.insert(sizes.end(), {bf16, in, cos, sin});
        }
        const std::size_t out = sizes.size();
        sizes.push_back(deep * tile_size(outputs[0].dtype));
        if (token_index) sizes.insert(sizes.end(), {width * cos, width * sin, width * bf16, width * bf16});
        ProgramPlan plan{{"ttnn::experimental::prim::RotaryEmbeddingProgramFactory", 0},
                         circular_buffers(sizes, cores)};
        const auto lies_in = [&](std::size_t piece, const TensorSpec& spec, int tensor) {
            if (!spec.memory_config.is_sharded()) return;
            plan.memory[piece].size_bytes = buffer_geometry(spec, device).size_per_bank_bytes;
            plan.memory[piece].shared_with = tensor;
        };
        lies_in(0, inputs[0], 0);
        lies_in(out, outputs[0], 3);
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        return {HostArray::from_floats(
            compute::rotate_halves(inputs[0]->to_floats(), inputs[1]->to_floats(), inputs[2]->to_floats(),
                                   shape[-2], shape[-1], outputs[0].shape[-2], token_index),
            outputs[0].dtype, outputs[0].shape)};
    }
};

struct RotaryEmbeddingLlamaOperation {
    static constexpr std::string_view kName = "RotaryEmbeddingLlamaDeviceOperation";
    static constexpr std::string_view kAttributesName = "RotaryEmbeddingLlamaParams";

    bool is_decode_mode;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig config;

    auto attributes() const { return std::make_tuple(is_decode_mode, memory_config, attribute_text(config)); }

    void validate(SpecsView inputs) const {
        const Shape& shape = inputs[0].shape;
        for (const TensorSpec& input : inputs) {
            require(input.dtype == DataType::BFLOAT16, "All input tensors must have dtype = bfloat16");
            require(input.layout == Layout::TILE, "input tensor to rotary embedding must be tilized");
            require(input.shape.rank() == 4, "rotary_embedding_llama: expected 4 dimensions, got ",
                    input.shape);
            require(
                (input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED) == is_decode_mode,
                "rotary_embedding_llama: expected ", is_decode_mode ? "HEIGHT_SHARDED" : "interleaved",
                " tensors");
        }
        require(shape[3] <= 256, "Head dim must be less than 256");
        require(inputs[3].shape[-1] == kTileWidth,
                "Transformation matrix must have 4th dim equal to TILE_WIDTH");
        require(inputs[3].shape[-2] >= kTileHeight,
                "rotary_embedding_llama: trans_mat: expected at least 32 rows, got ", inputs[3].shape);
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
            require_angles(inputs[i].shape, shape);
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return is_decode_mode ? plan_shards(inputs, outputs, device) : plan_rows(inputs, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return {HostArray::from_floats(
            compute::rotate_pairs(inputs[0]->to_floats(), inputs[0]->shape(), inputs[1]->to_floats(),
                                  inputs[2]->to_floats(), inputs[1]->shape(), inputs[3]->to_floats(),
                                  is_decode_mode),
            outputs[0].dtype, outputs[0].shape)};
    }

private:
    void require_angles(const Shape& angles, const Shape& shape) const {
        require(angles[-1] == shape[3], "Cos dims must match input dims: cos.shape = ", angles,
                ", head_dim = ", shape[3]);
        if (is_decode_mode) {
            require(angles[1] == shape[1], "rotary_embedding_llama: cos, sin: expected ", shape[1],
                    " users, got ", angles);
            return;
        }
        require(angles[0] == 1, "Cos dims must match input dims: cos.shape = ", angles);
        require(angles[1] == shape[1] || angles[1] == 1,
                "Num heads in cos/sin must match input tensor num heads");
    }

    // Every core of the grid, however few rows there are.
    static ProgramPlan plan_rows(SpecsView inputs, const DeviceDescription& device) {
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        const std::uint64_t tile = tile_size(inputs[0].dtype);
        const std::uint64_t row = inputs[0].tile_columns() * tile;
        ProgramPlan plan{{"ttnn::experimental::prim::RotaryEmbeddingLlamaMultiCore", 0},
                         dataflow_buffers({2 * row, 2 * row, 2 * row, tile, row, row, row, 2 * row}, cores)};
        plan.memory.push_back(scratchpad(row, cores));
        return plan;
    }

    // On the rectangle around the cores that hold the users' shards.
    static ProgramPlan plan_shards(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) {
        const CoreRangeSet cores(inputs[0].memory_config.shard_spec->grid.bounding_box());
        const auto shard = [&](const TensorSpec& spec) {
            return buffer_geometry(spec, device).size_per_bank_bytes;
        };
        ProgramPlan plan{{"ttnn::experimental::prim::RotaryEmbeddingLlamaMultiCoreSharded", 1}};
        for (int i = 0; i < 4; ++i) {
            const TensorSpec& input = inputs[static_cast<std::size_t>(i)];
            plan.memory.push_back(borrowed_buffer(i == 3 ? tile_size(input.dtype) : shard(input), cores, i));
        }
        const std::uint64_t row = inputs[0].tile_columns() * tile_size(inputs[0].dtype);
        plan.memory.insert(plan.memory.end(), 3, dataflow_buffer(row, cores));
        plan.memory.push_back(borrowed_buffer(shard(outputs[0]), cores, 4));
        return plan;
    }
};

}  // namespace

namespace experimental {

Tensor RotaryEmbedding::body() const {
    require_on_device(input_tensor, "rotary_embedding", "input_tensor");
    require(input_tensor.shape().rank() >= 2,
            "rotary_embedding: input_tensor: expected at least 2 dimensions, got ", input_tensor.shape());
    require_on_device(cos_cache, "rotary_embedding", "cos_cache");
    require_on_device(sin_cache, "rotary_embedding", "sin_cache");
    std::array<std::optional<ScopedTensor>, 3> tilized;
    std::vector<Tensor> inputs = {input_tensor, cos_cache, sin_cache};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].layout() == Layout::TILE) continue;
        tilized[i].emplace(unscoped::tilize_with_val_padding(inputs[i], 0.0F, inputs[i].memory_config()));
        inputs[i] = **tilized[i];
    }
    const std::uint32_t length = token_index ? 1 : inputs[0].padded_shape()[-2];
    return launch(
        RotaryEmbeddingOperation{length, token_index, memory_config.value_or(input_tensor.memory_config()),
                                 compute_kernel_config.value_or(internal::kRotaryKernelConfig)},
        inputs);
}

Tensor RotaryEmbeddingLlama::body() const {
    require_on_device(input_tensor, "rotary_embedding_llama", "input_tensor");
    return launch(
        RotaryEmbeddingLlamaOperation{is_decode_mode, memory_config.value_or(input_tensor.memory_config()),
                                      compute_kernel_config.value_or(internal::kRotaryKernelConfig)},
        {input_tensor, cos_cache, sin_cache, trans_mat});
}

}  // namespace experimental

}  // namespace tilemeter
