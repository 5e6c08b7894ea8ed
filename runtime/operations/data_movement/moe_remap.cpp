// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/moe_remap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct MoeExpertTokenRemapOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MoeExpertTokenRemapDeviceOperation";

    OptionalMemoryConfig memory_config;
    std::uint32_t reduction_size;
    std::uint32_t chips;

    auto attributes() const { return std::make_tuple(memory_config, reduction_size); }

    void validate(SpecsView inputs) const {
        const TensorSpec &topk = inputs[0], &mapping = inputs[1], &metadata = inputs[2];
        require(topk.layout == Layout::ROW_MAJOR, "topk tensor must be in row major layout");
        require(metadata.layout == Layout::ROW_MAJOR, "Metadata tensor must be in row major layout");
        require(metadata.dtype == DataType::UINT16, "Metadata tensor must be uint16");
        require(mapping.dtype == DataType::UINT16, "Mapping tensor must be uint16");
        require(mapping.layout == Layout::ROW_MAJOR, "Mapping tensor must be in row major layout");
        require_shapes(topk.shape, mapping.shape, metadata.shape);
    }

    TensorSpecs infer(SpecsView inputs) const {
        const Shape &mapping = inputs[1].shape, &metadata = inputs[2].shape;
        require(mapping.rank() == 4 && metadata.rank() == 4,
                "moe_expert_token_remap: expected tensors of four dimensions, got ", mapping, " and ",
                metadata);
        require(reduction_size != 0, "moe_expert_token_remap: reduction_size: expected at least 1, got 0");
        const std::uint32_t experts = mapping[2] / chips;
        const MemoryConfig config = memory_config.value_or(DRAM_MEMORY_CONFIG);
        const auto of = [&](const Shape& shape, DataType dtype) {
            return TensorSpec{shape, dtype, Layout::ROW_MAJOR, config};
        };
        return {of({1, metadata[1], metadata[2], experts}, inputs[0].dtype),
                of({1, 1, static_cast<std::uint32_t>(ceil_div(metadata[1] * metadata[2], reduction_size)),
                    experts},
                   DataType::UINT16)};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const auto aligned = [&](std::uint64_t bytes) { return round_up(bytes, device.l1_alignment); };
        const std::uint64_t experts = outputs[0].shape[-1];
        const std::vector<std::uint64_t> sizes = {
            aligned(row_bytes(inputs[1])), aligned(experts * sizeof(std::uint16_t)),
            aligned(row_bytes(inputs[2])), 2 * aligned(row_bytes(inputs[0])),
            row_bytes(outputs[0]),         row_bytes(outputs[1])};
        ProgramPlan plan{{"ttnn::operations::data_movement::MoeExpertTokenRemapDeviceOperation::Multicore"}};
        plan.memory = circular_buffers(sizes, whole_grid(device.compute_grid));
        plan.num_programs = chips;
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return remapped(*inputs[0], *inputs[1], *inputs[2], 0, outputs);
    }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView inputs, SpecsView outputs) const {
        std::vector<std::vector<HostArray>> results(2);
        for (std::size_t chip = 0; chip < chips; ++chip) {
            std::vector<HostArray> of_chip =
                remapped(*inputs[chip], *inputs[chips + chip], *inputs[2 * chips + chip], chip, outputs);
            for (std::size_t i = 0; i < results.size(); ++i)
                results[i].push_back(std::move(of_chip[i]));
        }
        return results;
    }

private:
    void require_shapes(const Shape& topk, const Shape& mapping, const Shape& metadata) const {
        require(topk.rank() == 4, "moe_expert_token_remap: topk_tensor: expected four dimensions, got ",
                topk);
        require(mapping[-1] == chips, "Last mapping_tensor dim should be num_devices ", chips, ", got ",
                mapping[-1]);
        require(mapping[-2] == topk[-1],
                "Expected mapping shape dim 2 to be equal to topk dim 3 (number of experts), got ",
                mapping[-2], " and ", topk[-1], " respectively");
        require(metadata[1] == topk[1],
                "Expected metadata dim 1 to be equal to topk dim 1 (batch size), got ", metadata[1], " and ",
                topk[1], ", respectively");
        require(metadata[2] == topk[2] && mapping[-2] % chips == 0 &&
                    metadata[1] * metadata[2] % reduction_size == 0,
                "moe_expert_token_remap: expected scores of the tokens ", metadata, ", ", chips,
                " equal shares of the experts, and tokens in groups of ", reduction_size, ", got ", topk);
    }

    std::vector<HostArray> remapped(const HostArray& topk, const HostArray& mapping,
                                    const HostArray& metadata, std::size_t chip, SpecsView outputs) const {
        HostArray scores(outputs[0].dtype, outputs[0].shape);
        const std::vector<std::int64_t> owners = mapping.to_integers();
        const std::vector<std::int64_t> selected = metadata.to_integers();
        const std::uint64_t all = topk.shape()[-1], own = outputs[0].shape[-1], count = metadata.shape()[-1];
        std::vector<std::uint64_t> experts;
        for (std::uint64_t expert = 0; expert < all && experts.size() < own; ++expert)
            if (owners[expert * chips + chip] == 1) experts.push_back(expert);
        std::vector<std::int64_t> any(outputs[1].shape.volume(), 0);
        const std::uint64_t size = topk.stored_element_size(),
                            tokens = count == 0 ? 0 : selected.size() / count;
        for (std::uint64_t t = 0; t < tokens; ++t) {
            const auto first = selected.begin() + static_cast<std::ptrdiff_t>(t * count);
            for (std::uint64_t i = 0; i < experts.size(); ++i) {
                const auto last = first + static_cast<std::ptrdiff_t>(count);
                if (std::find(first, last, static_cast<std::int64_t>(experts[i])) == last) continue;
                std::memcpy(scores.bytes().data() + (t * own + i) * size,
                            topk.bytes().data() + (t * all + experts[i]) * size, size);
                any[t / reduction_size * own + i] = 1;
            }
        }
        return {std::move(scores), HostArray::from_integers(any, outputs[1].dtype, outputs[1].shape)};
    }
};

struct MoeRoutingRemapOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MoeRoutingRemapDeviceOperation";

    std::uint32_t non_zero_weight_size;
    std::uint32_t expert_parallel_size;
    std::uint32_t cluster_axis;
    OptionalMemoryConfig memory_config;
    MeshShape mesh;

    auto attributes() const {
        return std::make_tuple(non_zero_weight_size, expert_parallel_size, cluster_axis, memory_config);
    }

    void validate(SpecsView inputs) const {
        const Shape& shape = inputs[0].shape;
        require(inputs[0].layout == Layout::ROW_MAJOR, "input tensor expected to be row major");
        require(shape.rank() == 2 && shape[0] == 1, "expected input shape [1,E]");
        require(non_zero_weight_size <= shape[1],
                "Number of non Zero weights must be less than or equal to weights");
        require(expert_parallel_size != 0 && shape[1] % expert_parallel_size == 0,
                "Number of experts must be evenly divisible by cluster");
        require(cluster_axis == 0 || cluster_axis == 1,
                "Invalid cluster axis, should be 0 (rows), or 1 (cols)");
        const std::uint32_t chips = cluster_axis == 0 ? mesh.rows : mesh.columns;
        require(expert_parallel_size == chips, "expert parallel size (", expert_parallel_size,
                ") should be the same as size of cluster axis ", cluster_axis, " (", chips, ")");
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec out = inputs[0];
        out.memory_config = memory_config.value_or(out.memory_config);
        return {out};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t weights = round_up(row_bytes(inputs[0]), device.l1_alignment);
        const std::uint64_t places = round_up(share() * sizeof(std::uint16_t), device.l1_alignment);
        ProgramPlan plan{{"ttnn::operations::data_movement::MoeRoutingRemapDeviceOperation::SingleCore"}};
        plan.memory = circular_buffers({weights, places, weights}, CoreRange{{0, 0}, {0, 0}});
        plan.num_programs = mesh.size();
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const { return {share_of(*inputs[0], 0)}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView inputs, SpecsView) const {
        std::vector<HostArray> results;
        for (std::uint32_t chip = 0; chip < mesh.size(); ++chip)
            results.push_back(
                share_of(*inputs[chip], cluster_axis == 0 ? chip / mesh.columns : chip % mesh.columns));
        return {std::move(results)};
    }

private:
    std::uint64_t share() const { return non_zero_weight_size / expert_parallel_size; }

    HostArray share_of(const HostArray& weights, std::uint64_t place) const {
        HostArray share_of_chip(weights.dtype(), weights.shape());
        const std::vector<float> values = weights.to_floats();
        const std::uint64_t size = weights.stored_element_size(), first = place * share();
        std::uint64_t found = 0;
        for (std::uint64_t i = 0; i < values.size() && found < first + share(); ++i) {
            if (values[i] == 0.0F) continue;
            if (found++ >= first)
                std::memcpy(share_of_chip.bytes().data() + i * size, weights.bytes().data() + i * size, size);
        }
        return share_of_chip;
    }
};

}  // namespace

std::vector<Tensor> MoeExpertTokenRemap::body() const {
    require_on_device(topk_tensor, "moe_expert_token_remap", "topk_tensor");
    return launch_filling(
        MoeExpertTokenRemapOperation{memory_config, reduction_size, topk_tensor.device().mesh_shape().size()},
        {topk_tensor, expert_mapping_tensor, expert_metadata_tensor},
        {optional_output_mapping_tensor, optional_output_reduced_tensor});
}

Tensor MoeRoutingRemap::body() const {
    require_on_device(routing_weights_tensor, "moe_routing_remap", "routing_weights_tensor");
    return launch_filling(
               MoeRoutingRemapOperation{non_zero_weight_size, expert_parallel_size, cluster_axis,
                                        memory_config, routing_weights_tensor.device().mesh_shape()},
               {routing_weights_tensor}, {optional_output_tensor})
        .at(0);
}

}  // namespace tilemeter
