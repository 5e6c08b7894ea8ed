// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/attention.hpp"
#include "runtime/compute/blocks.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/internal/attention_program.hpp"
#include "runtime/operations/transformer/internal/paged_cache_values.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};

struct RingDistributedSdpa {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "RingDistributedSdpaDeviceOperation";
    static constexpr std::string_view kAttributesName = "RingDistributedSDPAParams";

    std::uint32_t ring_size;
    std::uint32_t ring_id;
    float scale;
    MemoryConfig memory_config;
    OptionalSDPAProgramConfig config;
    DeviceComputeKernelConfig kernel_config;
    std::optional<std::uint32_t> chunk_start;  ///< a page table follows q, k and v

    auto attributes() const {
        return std::make_tuple(ring_size, ring_id, scale, memory_config, attribute_text(config),
                               attribute_text(kernel_config), chunk_start);
    }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs.first(3)) {
            require(input.layout == Layout::TILE && input.shape[3] % kTileWidth == 0 &&
                        !input.memory_config.is_sharded(),
                    "ring_distributed_scaled_dot_product_attention: expected interleaved tiles, the last "
                    "dimension of whole ones, got ",
                    input.shape);
            require(is_attention_dtype(input.dtype),
                    "Data type of input tensor must be BFLOAT16, BFLOAT8_B, or BFLOAT4_B and is DataType::",
                    name_of(input.dtype));
        }
        require(ring_size % 2 == 0, "ring_size must be even for balanced distribution, got ", ring_size);
        require(ring_id < ring_size, "ring_id must be less than ring_size, got ring_id=", ring_id,
                ", ring_size=", ring_size);
        const Shape &q = inputs[0].shape, &k = inputs[1].shape;
        if (chunk_start) {
            validate_pages(q, k, inputs[3]);
        } else {
            require(
                k[2] == q[2],
                "Ring-distributed SDPA is causal and requires Q and K to have the same sequence length when "
                "not using prefix caching. Got Q: ",
                q[2], ", K: ", k[2]);
        }
        require(k == inputs[2].shape && (chunk_start || k[0] == q[0]) && k[3] == q[3],
                "ring_distributed_scaled_dot_product_attention: expected k and v alike, as wide as q, got ",
                q, ", ", k, " and ", inputs[2].shape);
        require(k[1] > 0 && q[1] >= k[1] && q[1] % k[1] == 0,
                "Q num_heads must be >= K num_heads and divisible by K num_heads, and K num_heads must be "
                "greater than 0. Got Q: ",
                q[1], ", K: ", k[1]);
        require(q[2] % (2 * ring_size) == 0,
                "ring_distributed_scaled_dot_product_attention: expected a multiple of ", 2 * ring_size,
                " rows, got ", q[2]);
        const SDPAProgramConfig chunks = config.value_or(SDPAProgramConfig());
        const auto multiple = [](std::uint32_t size, const char* name) {
            require(size > 0 && size % kTileWidth == 0, name,
                    " must be a positive multiple of TILE_WIDTH. Got ", name, ": ", size, ", TILE_WIDTH: 32");
        };
        multiple(chunks.q_chunk_size, "q_chunk_size");
        multiple(chunks.k_chunk_size, "k_chunk_size");
        require(chunks.q_chunk_size <= part(q),
                "q_chunk_size must be less than or equal to per-device sequence length. Got q_chunk_size: ",
                chunks.q_chunk_size, ", per-device sequence length: ", part(q),
                ", global sequence length: ", q[2], ", ring size: ", ring_size);
        require(
            part(q) % chunks.q_chunk_size == 0,
            "per-device sequence length must be divisible by q_chunk_size. Got per-device sequence length: ",
            part(q), ", q_chunk_size: ", chunks.q_chunk_size);
    }
    void validate_program(SpecsView, const DeviceDescription& device) const {
        if (!config) return;
        const CoreCoord grid = config->compute_with_storage_grid_size;
        require(
            grid.x > 0 && grid.y > 0 && grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y,
            "ring_distributed_scaled_dot_product_attention: program_config: expected a grid within the device's");
    }

    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(2, shape[2] / ring_size);
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }

    // As of two sequences (plan_joint_attention), for a short and a long part at once, with two tiles of a mask.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kTile = 2048;  // bytes, of bfloat16
        SDPAProgramConfig chunks = config.value_or(SDPAProgramConfig());
        if (!config) chunks.compute_with_storage_grid_size = device.compute_grid;
        const std::uint64_t rows = chunks.q_chunk_size / kTileHeight;
        const std::uint64_t columns = chunks.k_chunk_size / kTileHeight;
        const std::uint64_t width = inputs[0].shape[3] / kTileWidth;
        std::vector<std::uint64_t> sizes = {2 * rows * width * tile_size(inputs[0].dtype),
                                            2 * columns * width * tile_size(inputs[1].dtype),
                                            2 * columns * width * tile_size(inputs[2].dtype)};
        sizes.insert(sizes.end(), {2 * kTile, kTile, kTile});
        if (chunk_start)
            sizes.push_back(round_up(inputs[3].shape[1] * sizeof(std::int32_t), device.dram_alignment));
        sizes.push_back(rows * columns * kTile);
        sizes.insert(sizes.end(), 2, rows * width * kTile);
        sizes.insert(sizes.end(), 5, rows * kTile);
        sizes.push_back(rows * width * tile_size(outputs[0].dtype));
        return {{"ttnn::prim::RingDistributedSdpaDeviceOperation::RingDistributedSdpaMeshWorkloadFactory", 0},
                circular_buffers(sizes, whole_grid(chunks.compute_with_storage_grid_size))};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::uint32_t rows = part(inputs[0]->shape());
        std::vector<HostArray> keys = {*inputs[1], *inputs[2]};
        if (chunk_start) {
            for (HostArray& each : keys)
                each = compute::without_pages(each, *inputs[3]);
        }
        const std::array<const HostArray*, 3> operands = {inputs[0], &keys[0], &keys[1]};
        const HostArray first = rows_from(operands, ring_id * rows, rows, outputs[0].dtype);
        const HostArray second =
            rows_from(operands, (2 * ring_size - 1 - ring_id) * rows, rows, outputs[0].dtype);
        const std::array<const HostArray*, 2> both = {&first, &second};
        return {compute::concatenated(both, 2)};
    }

private:
    void validate_pages(const Shape& q, const Shape& k, const TensorSpec& table) const {
        require_integers(table, 2, "ring_distributed_scaled_dot_product_attention: page_table");
        require(
            table.shape[0] == q[0] && k[2] % kTileHeight == 0,
            "ring_distributed_scaled_dot_product_attention: expected blocks of whole tiles and a row of them "
            "for each of ",
            q[0], " users, got ", k, " and ", table.shape);
        const std::uint32_t chunk = config.value_or(SDPAProgramConfig()).q_chunk_size;
        require(chunk == 0 || *chunk_start % chunk == 0,
                "chunk_start_idx must be a multiple of q_chunk_size. Got chunk_start_idx: ", *chunk_start,
                ", q_chunk_size: ", chunk);
        // TT-NN reads on behind the table.
        require(k[2] * table.shape[1] >= q[2] + *chunk_start,
                "ring_distributed_scaled_dot_product_attention: page_table: expected blocks of at least ",
                q[2] + *chunk_start, " rows, got ", k[2] * table.shape[1]);
    }

    std::uint32_t part(const Shape& q) const { return q[2] / (2 * ring_size); }

    HostArray rows_from(ArraysView inputs, std::uint32_t begin, std::uint32_t rows, DataType dtype) const {
        const auto some = [&](std::size_t i, std::uint32_t from, std::uint32_t to) {
            Shape shape = inputs[i]->shape();
            shape.set(2, to - from);
            return compute::sliced(*inputs[i], std::array<std::uint32_t, 4>{0, 0, from, 0}, kEach, shape);
        };
        // Each row sees the columns up to its own: the last row the last column.
        const HostArray arrays[] = {some(0, begin, begin + rows),
                                    some(1, 0, chunk_start.value_or(0) + begin + rows),
                                    some(2, 0, chunk_start.value_or(0) + begin + rows)};
        std::array<HostArray, 3> floats;
        for (std::size_t i = 0; i < floats.size(); ++i)
            floats[i] = compute::converted(arrays[i], DataType::FLOAT32);
        const auto operand = [&](std::size_t i) {
            return compute::AttentionOperand{std::as_const(floats[i]).floats(), floats[i].shape()};
        };
        compute::AttentionRule rule;
        rule.scale = scale;
        rule.is_causal = true;
        return compute::attention(operand(0), operand(1), operand(2), {}, {}, rule, dtype);
    }
};

}  // namespace

namespace transformer {

Tensor RingDistributedScaledDotProductAttention::body() const {
    constexpr const char* kOperationName = "ring_distributed_scaled_dot_product_attention";
    require_on_device(input_tensor_q, kOperationName, "input_tensor_q");
    require(page_table || !chunk_start_idx,
            "page_table must be provided when chunk_start_idx is set. chunk_start_idx: ",
            chunk_start_idx.value_or(0));
    require(!page_table || chunk_start_idx, kOperationName,
            ": page_table: expected none without chunk_start_idx, got one");
    require(ring_size > 0, kOperationName, ": ring_size: expected at least 2, got 0");
    require(ring_id.has_value(), kOperationName, ": ring_id: expected a number, got none");
    for (const Tensor* each : {&input_tensor_q, &input_tensor_k, &input_tensor_v}) {
        require(each->shape().rank() == 4, kOperationName, ": expected 4 dimensions, got ", each->shape());
    }
    std::vector<Tensor> inputs{input_tensor_q, input_tensor_k, input_tensor_v};
    if (page_table) inputs.push_back(*page_table);
    return launch(
        RingDistributedSdpa{ring_size, *ring_id, attention_scale(scale, input_tensor_q),
                            memory_config.value_or(DRAM_MEMORY_CONFIG), program_config,
                            compute_kernel_config.value_or(kAttentionKernelConfig), chunk_start_idx},
        inputs);
}

}  // namespace transformer

}  // namespace tilemeter
