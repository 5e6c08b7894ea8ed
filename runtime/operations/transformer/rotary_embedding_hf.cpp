// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/rotary_embedding_hf.hpp"

#include <span>
#include <tuple>
#include <vector>

#include "runtime/compute/rotary.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/internal/rotary_config.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct RotaryEmbeddingHfOperation {
    static constexpr std::string_view kName = "RotaryEmbeddingHfDeviceOperation";
    static constexpr std::string_view kAttributesName = "RotaryEmbeddingHfParams";

    bool decode;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig config;

    auto attributes() const { return std::make_tuple(decode, memory_config, attribute_text(config)); }

    void validate(SpecsView inputs) const {
        const Shape& shape = inputs[0].shape;
        for (const TensorSpec& input : inputs) {
            require(input.layout == Layout::TILE && is_floating_point(input.dtype) && input.shape.rank() == 4,
                    "rotary_embedding_hf: expected floating point tiles of 4 dimensions, got ", input.shape,
                    " ", name_of(input.dtype), " ", name_of(input.layout));
        }
        const std::uint32_t width = inputs[0].padded_shape()[3];
        require(width == kTileWidth || width % (2 * kTileWidth) == 0, "Input X dim (", width,
                ") must be either 32 (single tile) or divisible by 64 (rotate_half midpoint must align "
                "with a tile boundary).");
        const Shape& cos = inputs[1].shape;
        require(cos == inputs[2].shape, "Cos and Sin dims must match. Cos: ", cos);
        require(cos[0] == 1 && cos[3] == width && shape[3] == width,
                "rotary_embedding_hf: cos_cache: expected rows of ", width, ", got ", cos);
        if (decode) {
            validate_users(inputs);
            return;
        }
        require(cos[1] == 1 && cos[2] >= shape[2],
                "rotary_embedding_hf: cos_cache: expected [1, 1, at least ", shape[2], ", ", width, "], got ",
                cos);
        require(!inputs[1].memory_config.is_sharded() && !inputs[2].memory_config.is_sharded(),
                "rotary_embedding_hf: cos_cache, sin_cache: expected INTERLEAVED");
        for (const MemoryConfig* place : {&inputs[0].memory_config, &memory_config}) {
            require(!place->is_sharded() || place->memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                    "rotary_embedding_hf: expected shards to be HEIGHT_SHARDED, got ",
                    name_of(place->memory_layout));
        }
    }

    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const {
        MemoryConfig place = memory_config;
        if (place.is_sharded() && !place.shard_spec) {
            place.shard_spec =
                inputs[0].memory_config.is_sharded()
                    ? *inputs[0].memory_config.shard_spec
                    : ShardSpec{
                          split_work(inputs[0].tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores,
                          {kTileHeight, inputs[0].padded_shape()[3]},
                          ShardOrientation::ROW_MAJOR};
        }
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, place}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return decode ? plan_users(inputs, outputs, device) : plan_rows(inputs, outputs, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const std::vector<float> values = inputs[0]->to_floats();
        const std::vector<float> cos = inputs[1]->to_floats();
        const std::vector<float> sin = inputs[2]->to_floats();
        if (!decode) {
            return {HostArray::from_floats(
                compute::rotate_halves(values, cos, sin, shape[2], shape[3], shape[2], std::nullopt),
                outputs[0].dtype, outputs[0].shape)};
        }
        std::vector<float> rotated;
        const std::size_t each = std::size_t{shape[2]} * shape[3];
        for (std::uint32_t user = 0; user < shape[1]; ++user) {
            const std::span<const float> of_user(&values[user * each], each);
            const std::vector<float> part =
                compute::rotate_halves(of_user, cos, sin, shape[2], shape[3], shape[2], user);
            rotated.insert(rotated.end(), part.begin(), part.end());
        }
        return {HostArray::from_floats(rotated, outputs[0].dtype, outputs[0].shape)};
    }

private:
    static void validate_users(SpecsView inputs) {
        for (const TensorSpec& input : inputs) {
            require(input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                    "Input must be sharded in decode mode");
        }
        const Shape& shape = inputs[0].shape;
        require(shape[0] == 1 && inputs[1].shape[1] == shape[1], "rotary_embedding_hf: cos_cache: expected ",
                shape[1], " users, got ", inputs[1].shape);
    }

    // A head of a single tile is rotated by a matrix product instead of by taking the other half.
    static std::uint64_t scalar_bytes(const TensorSpec& input) {
        return tile_size(input.tile_columns() == 1 ? input.dtype : DataType::BFLOAT16);
    }

    // A row of tiles in flight, twice; of shards all of them.
    static ProgramPlan plan_rows(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) {
        const MemoryConfig& where = inputs[0].memory_config;
        const CoreRangeSet cores =
            where.is_sharded()
                ? where.shard_spec->grid
                : split_work(inputs[0].tile_rows(), device.compute_grid, CoreWalk::kAlongRows).cores;
        const std::uint64_t width = inputs[0].tile_columns();
        const std::uint64_t in = tile_size(inputs[0].dtype);
        const std::uint64_t cos = tile_size(inputs[1].dtype);
        const std::uint64_t sin = tile_size(inputs[2].dtype);
        const std::uint64_t deep = 2 * width;
        std::vector<std::uint64_t> sizes = {deep * in, scalar_bytes(inputs[0]), cos, sin, in, in, in};
        if (width > 1)
            sizes = {deep * in, deep * in, deep * cos, deep * sin, scalar_bytes(inputs[0]), in, cos, sin};
        ProgramPlan plan{{"ttnn::experimental::prim::RotaryEmbeddingHfMultiCore", 0},
                         circular_buffers(sizes, cores)};
        if (where.is_sharded()) lie_in(plan.memory[0], inputs[0], 0, device);
        plan.memory.push_back(circular_buffer(deep * tile_size(outputs[0].dtype), cores));
        if (outputs[0].memory_config.is_sharded()) lie_in(plan.memory.back(), outputs[0], 3, device);
        return plan;
    }

    static ProgramPlan plan_users(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) {
        const CoreRangeSet cores(inputs[0].memory_config.shard_spec->grid.bounding_box());
        ProgramPlan plan{{"ttnn::experimental::prim::RotaryEmbeddingHfMultiCoreSharded", 1}};
        const auto borrow = [&](const TensorSpec& spec, int tensor) {
            plan.memory.push_back(circular_buffer(0, cores));
            lie_in(plan.memory.back(), spec, tensor, device);
        };
        for (int i = 0; i < 3; ++i)
            borrow(inputs[static_cast<std::size_t>(i)], i);
        plan.memory.push_back(circular_buffer(scalar_bytes(inputs[0]), cores));
        const std::uint64_t width = inputs[0].tile_columns();
        for (const TensorSpec& input : inputs) {
            const DataType dtype = width == 1 ? inputs[0].dtype : input.dtype;
            plan.memory.push_back(circular_buffer(width * tile_size(dtype), cores));
        }
        borrow(outputs[0], 3);
        return plan;
    }

    static void lie_in(ProgramMemory& piece, const TensorSpec& spec, int tensor,
                       const DeviceDescription& device) {
        piece.size_bytes = buffer_geometry(spec, device).size_per_bank_bytes;
        piece.shared_with = tensor;
    }
};

}  // namespace

namespace experimental {

Tensor RotaryEmbeddingHf::body() const {
    require_on_device(input_tensor, "rotary_embedding_hf", "input_tensor");
    return launch(
        RotaryEmbeddingHfOperation{is_decode_mode, memory_config.value_or(input_tensor.memory_config()),
                                   compute_kernel_config.value_or(internal::kRotaryKernelConfig)},
        {input_tensor, cos_cache, sin_cache});
}

}  // namespace experimental

}  // namespace tilemeter
