// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/rotary_embedding_fused.hpp"

#include <span>
#include <tuple>
#include <vector>

#include "runtime/compute/rotary.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/internal/rotary_config.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

/// Cores of both, in TT-NN's grouping.
CoreRangeSet united(const CoreRangeSet& first, const CoreRangeSet& second) {
    std::vector<CoreCoord> cores = cores_of(first);
    const std::vector<CoreCoord> more = cores_of(second);
    cores.insert(cores.end(), more.begin(), more.end());
    return merge_cores(std::move(cores));
}

// Inputs: queries, keys, cosines, sines, the matrix.
struct RotaryEmbeddingFused {
    static constexpr std::string_view kName = "RotaryEmbeddingLlamaFusedQKDeviceOperation";
    static constexpr std::string_view kAttributesName = "RotaryEmbeddingLlamaFusedQkParams";

    MemoryConfig queries;
    MemoryConfig keys;
    DeviceComputeKernelConfig config;

    auto attributes() const { return std::make_tuple(queries, keys, attribute_text(config), false); }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs) {
            require(
                input.dtype == DataType::BFLOAT16 && input.layout == Layout::TILE &&
                    input.shape.rank() == 4 &&
                    input.memory_config.memory_layout == TensorMemoryLayout::HEIGHT_SHARDED,
                "rotary_embedding_llama_fused_qk: expected BFLOAT16 tiles of 4 dimensions, HEIGHT_SHARDED, "
                "got ",
                input.shape, " ", name_of(input.dtype));
        }
        const Shape& q = inputs[0].shape;
        const Shape& k = inputs[1].shape;
        require(q[0] == 1 && k[0] == 1 && q[1] == k[1] && q[3] == k[3],
                "rotary_embedding_llama_fused_qk: k_input_tensor: expected the users and head size of ", q,
                ", got ", k);
        require(q[3] <= 256, "Head dim must be less than 256");
        require(
            !inputs[0].memory_config.shard_spec->grid.intersects(inputs[1].memory_config.shard_spec->grid),
            "Q and K must not overlap");
        for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
            require(inputs[i].shape[1] == 2 * q[1] && inputs[i].shape[3] == q[3],
                    "rotary_embedding_llama_fused_qk: cos_cache, sin_cache: expected [1, ", 2 * q[1], ", 1, ",
                    q[3], "], got ", inputs[i].shape);
        }
        require(inputs[4].shape[3] == kTileWidth && inputs[4].shape[2] >= kTileHeight,
                "Transformation matrix must have 4th dim equal to TILE_WIDTH");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, queries},
                TensorSpec{inputs[1].shape, inputs[1].dtype, Layout::TILE, keys}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const CoreRangeSet cores =
            united(inputs[0].memory_config.shard_spec->grid, inputs[1].memory_config.shard_spec->grid);
        const auto shard = [&](const TensorSpec& spec) {
            return buffer_geometry(spec, device).size_per_bank_bytes;
        };
        ProgramPlan plan{{"ttnn::experimental::prim::RotaryEmbeddingLlamaFusedQKProgramFactory", 0}};
        for (int i = 0; i < 4; ++i)
            plan.memory.push_back(borrowed_buffer(shard(inputs[static_cast<std::size_t>(i)]), cores, i));
        const std::uint64_t tile = tile_size(DataType::BFLOAT16);
        plan.memory.push_back(borrowed_buffer(tile, cores, 4));
        plan.memory.insert(plan.memory.end(), 3, dataflow_buffer(inputs[0].tile_columns() * tile, cores));
        plan.memory.push_back(borrowed_buffer(shard(outputs[0]), cores, 5));
        plan.memory.push_back(borrowed_buffer(shard(outputs[1]), cores, 6));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> cos = inputs[2]->to_floats();
        const std::vector<float> sin = inputs[3]->to_floats();
        const std::vector<float> matrix = inputs[4]->to_floats();
        const Shape& angles = inputs[2]->shape();
        const Shape of_each{1, angles[1] / 2, angles[2], angles[3]};
        std::vector<HostArray> results;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::size_t half = of_each.volume();
            const std::span<const float> cosines(&cos[i * half], half);
            const std::span<const float> sines(&sin[i * half], half);
            results.push_back(
                HostArray::from_floats(compute::rotate_pairs(inputs[i]->to_floats(), inputs[i]->shape(),
                                                             cosines, sines, of_each, matrix, true),
                                       outputs[i].dtype, outputs[i].shape));
        }
        return results;
    }
};

}  // namespace

namespace experimental {

std::pair<Tensor, Tensor> RotaryEmbeddingLlamaFusedQk::call() const {
    std::vector<Tensor> rotated = in_operation(*this, [&] {
        require_on_device(q_input_tensor, "rotary_embedding_llama_fused_qk", "q_input_tensor");
        require_on_device(k_input_tensor, "rotary_embedding_llama_fused_qk", "k_input_tensor");
        return launch_all(RotaryEmbeddingFused{q_input_tensor.memory_config(), k_input_tensor.memory_config(),
                                               compute_kernel_config.value_or(internal::kRotaryKernelConfig)},
                          {q_input_tensor, k_input_tensor, cos_cache, sin_cache, trans_mat});
    });
    return {std::move(rotated.at(0)), std::move(rotated.at(1))};
}

}  // namespace experimental

}  // namespace tilemeter
