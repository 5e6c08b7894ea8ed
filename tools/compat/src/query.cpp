// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/graph/query.hpp"

#include <any>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "runtime/query/query.hpp"
#include "tilemeter_ttnn/configs.hpp"
#include "tools/compat/src/arguments.hpp"
#include "tools/compat/src/model.hpp"

namespace tilemeter::compat {

namespace {

namespace experimental = ::tt::tt_metal::experimental;
namespace graph = ::ttnn::graph;
namespace matmul = ::ttnn::operations::matmul;

metal::BufferType to_ttnn(record::MemoryType memory) {
    return static_cast<metal::BufferType>(memory);
}

experimental::AllocationRecord to_ttnn(const query::AllocationRecord& record) {
    return {to_ttnn(record.memory), record.address, record.size_per_bank};
}

std::vector<experimental::AllocationRecord> to_ttnn(const std::vector<query::AllocationRecord>& records) {
    std::vector<experimental::AllocationRecord> converted;
    for (const query::AllocationRecord& each : records)
        converted.push_back(to_ttnn(each));
    return converted;
}

experimental::MockAllocatorState to_ttnn(query::AllocatorState state) {
    return experimental::MockAllocatorState::of(
        std::make_shared<const query::AllocatorState>(std::move(state)));
}

graph::Refusal to_ttnn(const query::Refusal& refusal) {
    graph::Refusal converted;
    converted.kind = static_cast<graph::RefusalKind>(refusal.kind);
    converted.buffer_type = to_ttnn(refusal.memory);
    converted.bytes_wanted = refusal.bytes_wanted;
    converted.free_bytes = refusal.free_bytes;
    converted.largest_free_block = refusal.largest_free_block;
    converted.region_end = refusal.region_end;
    converted.lowest_live_address = refusal.lowest_live_address;
    converted.in_the_way = to_ttnn(refusal.in_the_way);
    converted.fewest_to_go = to_ttnn(refusal.fewest_to_go);
    converted.operation = refusal.operation;
    return converted;
}

std::optional<::ttnn::UnaryWithParam> to_ttnn(const std::optional<UnaryWithParam>& fused) {
    if (!fused) return std::nullopt;
    return compat::from_model(*fused);
}

matmul::MatmulProgramConfig to_ttnn(const MatmulProgramConfig& config) {
    return compat::from_model(config);
}

::ttnn::Conv2dConfig to_ttnn(const Conv2dConfig& config) {
    ::ttnn::Conv2dConfig to;
    if (config.weights_dtype) to.weights_dtype = compat::from_model(*config.weights_dtype);
    to.activation = to_ttnn(config.activation);
    to.deallocate_activation = config.deallocate_activation;
    to.reallocate_halo_output = config.reallocate_halo_output;
    to.config_tensors_in_dram = config.config_tensors_in_dram;
    to.act_block_h_override = config.act_block_h_override;
    to.act_block_w_div = config.act_block_w_div;
    to.reshard_if_not_optimal = config.reshard_if_not_optimal;
    to.override_sharding_config = config.override_sharding_config;
    if (config.shard_layout) to.shard_layout = static_cast<metal::TensorMemoryLayout>(*config.shard_layout);
    if (config.core_grid) to.core_grid = compat::from_model(*config.core_grid);
    to.transpose_shards = config.transpose_shards;
    to.output_layout = compat::from_model(config.output_layout);
    to.enable_act_double_buffer = config.enable_act_double_buffer;
    to.enable_weights_double_buffer = config.enable_weights_double_buffer;
    to.full_inner_dim = config.full_inner_dim;
    to.enable_kernel_stride_folding = config.enable_kernel_stride_folding;
    to.enable_activation_reuse = config.enable_activation_reuse;
    to.force_split_reader = config.force_split_reader;
    to.override_output_sharding_config = config.override_output_sharding_config;
    return to;
}

using LayerNormConfig = std::variant<LayerNormDefaultProgramConfig, LayerNormShardedMultiCoreProgramConfig>;

::ttnn::LayerNormProgramConfig to_ttnn(const LayerNormConfig& config) {
    if (const auto* from = std::get_if<LayerNormShardedMultiCoreProgramConfig>(&config)) {
        ::ttnn::LayerNormShardedMultiCoreProgramConfig to;
        to.compute_with_storage_grid_size = compat::from_model(from->compute_with_storage_grid_size);
        to.subblock_w = from->subblock_w;
        to.block_h = from->block_h;
        to.block_w = from->block_w;
        to.inplace = from->inplace;
        to.use_welford = from->use_welford;
        return to;
    }
    ::ttnn::LayerNormDefaultProgramConfig to;
    to.use_welford = std::get<LayerNormDefaultProgramConfig>(config).use_welford;
    return to;
}

::ttnn::SoftmaxProgramConfig to_ttnn(const OptionalSoftmaxProgramConfig& config) {
    if (!config) return ::ttnn::SoftmaxDefaultProgramConfig();
    return ::ttnn::SoftmaxShardedMultiCoreProgramConfig{
        compat::from_model(config->compute_with_storage_grid_size), config->subblock_w, config->block_h,
        config->block_w};
}

std::optional<std::any> to_ttnn(const std::any& config) {
    if (const auto* each = std::any_cast<MatmulProgramConfig>(&config)) return std::any(to_ttnn(*each));
    if (const auto* each = std::any_cast<Conv2dConfig>(&config)) return std::any(to_ttnn(*each));
    if (const auto* each = std::any_cast<LayerNormConfig>(&config)) return std::any(to_ttnn(*each));
    if (const auto* each = std::any_cast<OptionalSoftmaxProgramConfig>(&config))
        return std::any(to_ttnn(*each));
    return std::nullopt;
}

graph::QueryOutput to_ttnn(query::Answer answer) {
    graph::QueryOutput output;
    graph::ConstraintQueryResponse& response = output.response;
    response.status = static_cast<graph::ExecutionStatus>(answer.status);
    const query::ResourceUsage& usage = answer.usage;
    response.resource_usage = {usage.cb_peak_size_per_core,         usage.l1_buffers_peak_per_core,
                               usage.peak_memory_usage_per_core,    usage.l1_output_buffer_per_core,
                               usage.dataflow_buffer_peak_per_core, usage.scratchpad_peak_per_core,
                               usage.peak_of_all_kinds_per_core,    usage.program_region_end};
    output.captured_config = to_ttnn(answer.captured_config);
    if (answer.status == query::ExecutionStatus::Error) {
        response.error_message = answer.error;
        if (answer.refusal) response.refusal = to_ttnn(*answer.refusal);
        return output;
    }
    response.output_tensor_specs.emplace();
    for (const TensorSpec& each : answer.output_specs)
        response.output_tensor_specs->push_back(compat::from_model(each));
    response.output_tensor_spec = response.output_tensor_specs->front();
    for (const query::OutputPlace& each : answer.outputs) {
        response.outputs.push_back(to_ttnn(each));
        response.outputs.back().shares_input = each.shares_input;
    }
    return output;
}

const query::AllocatorState& state_of(const experimental::MockAllocatorState& state) {
    static const query::AllocatorState& none = *new query::AllocatorState;
    return state.model() ? *state.model() : none;
}

}  // namespace

}  // namespace tilemeter::compat

namespace tt::tt_metal::experimental {

namespace compat = tilemeter::compat;

MockAllocator* get_mock_allocator(distributed::MeshDevice& device) {
    return reinterpret_cast<MockAllocator*>(&device);
}

std::uint64_t MockAllocatorState::total_allocated_size() const {
    return compat::state_of(*this).total_allocated_size();
}

std::uint64_t MockAllocatorState::total_allocated_size(BufferType buffer_type) const {
    return compat::state_of(*this).total_allocated_size(compat::to_model(buffer_type));
}

bool MockAllocatorState::is_empty(BufferType buffer_type) const {
    return compat::state_of(*this).is_empty(compat::to_model(buffer_type));
}

std::optional<std::uint64_t> MockAllocatorState::lowest_occupied(BufferType buffer_type) const {
    return compat::state_of(*this).lowest_occupied(compat::to_model(buffer_type));
}

MockAllocatorState MockAllocatorState::with_allocations(const std::vector<AllocationRecord>& live) const {
    std::vector<tilemeter::query::AllocationRecord> records;
    for (const AllocationRecord& each : live)
        records.push_back({compat::to_model(each.buffer_type), each.address, each.size_per_bank});
    return compat::to_ttnn(compat::state_of(*this).with_allocations(records));
}

MockAllocatorState extract_mock_allocator_state(distributed::MeshDevice& device) {
    return compat::to_ttnn(tilemeter::query::AllocatorState::of(*compat::to_model(&device)));
}

void override_mock_allocator_state(distributed::MeshDevice& device, const MockAllocatorState& state) {
    compat::state_of(state).put_on(*compat::to_model(&device));
}

}  // namespace tt::tt_metal::experimental

namespace ttnn::graph::detail {

namespace compat = tilemeter::compat;

QueryOutput ask(tt::tt_metal::distributed::MeshDevice* device,
                const tt::tt_metal::experimental::MockAllocatorState* state,
                std::span<const tt::tt_metal::TensorSpec> specs, const Function& function) {
    const std::shared_ptr<tilemeter::Device> model = compat::to_model(device);
    std::vector<tilemeter::TensorSpec> inputs;
    inputs.reserve(specs.size());
    for (const tt::tt_metal::TensorSpec& each : specs)
        inputs.push_back(compat::to_model(each));
    const auto call = [&](std::span<const tilemeter::Tensor> tensors) {
        std::vector<Tensor> given;
        given.reserve(tensors.size());
        for (const tilemeter::Tensor& each : tensors)
            given.push_back(Tensor::of(each));
        std::vector<tilemeter::Tensor> results;
        for (const Tensor& each : function(given))
            results.push_back(each.model());
        return results;
    };
    namespace query = tilemeter::query;
    if (state == nullptr) {
        QueryOutput output = compat::to_ttnn(query::ask(model, inputs, call));
        return output;
    }
    query::Answer answer = query::ask_beside(model, compat::state_of(*state), inputs, call,
                                             {.ignores_clashes = ScopedIgnoredClashes::is_in_force()});
    auto new_state = compat::to_ttnn(std::move(answer.new_state));
    QueryOutput output = compat::to_ttnn(std::move(answer));
    output.new_state = std::move(new_state);
    output.output_allocations = output.response.outputs;
    return output;
}

}  // namespace ttnn::graph::detail
