// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Queries as a compiler writes them against TT-NN's header: functions by name and wrapped, conv2d's variant, sort's list,
// optional tensors, lists, states threaded from call to call.

#include <any>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tt-metalium/experimental/mock_device/mock_allocator.hpp>

#include "ttnn/device.hpp"
#include "ttnn/graph/graph_query_op_constraints.hpp"
#include "ttnn/operations/conv/conv2d/conv2d.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/sort/sort.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/normalization/layernorm/layernorm.hpp"

#define WRAP_OP(op)                                                             \
    [](auto&&... args) -> decltype(op(std::forward<decltype(args)>(args)...)) { \
        return op(std::forward<decltype(args)>(args)...);                       \
    }

namespace {

namespace experimental = tt::tt_metal::experimental;
using tt::tt_metal::BufferType;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::graph::ExecutionStatus;

TensorSpec spec(const ttnn::Shape& shape, const ttnn::MemoryConfig& memory = ttnn::L1_MEMORY_CONFIG,
                Layout layout = Layout::TILE) {
    return TensorSpec(shape, TensorLayout(DataType::BFLOAT16, PageConfig(layout), memory));
}

class CompatQuery : public ::testing::Test {
protected:
    void TearDown() override { device_->close(); }
    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, 32768);
};

TEST_F(CompatQuery, StatelessFigures) {
    const TensorSpec a = spec(ttnn::Shape({1, 1, 64, 128}));
    const auto answer = ttnn::graph::query_op_constraints(WRAP_OP(ttnn::relu), device_.get(), a,
                                                          a.tensor_layout().get_memory_config());
    ASSERT_EQ(answer.status, ExecutionStatus::Success) << answer.error_message.value_or("");
    EXPECT_EQ(answer.resource_usage.l1_buffers_peak_per_core, 2 * 2048U);
    EXPECT_EQ(answer.resource_usage.l1_output_buffer_per_core, 2048U);
    EXPECT_GT(answer.resource_usage.peak_memory_usage_per_core, 2 * 2048U);
    ASSERT_TRUE(answer.output_tensor_specs.has_value());
    ASSERT_EQ(answer.output_tensor_specs->size(), 1U);
    EXPECT_EQ(answer.output_tensor_specs->front().logical_shape(), a.logical_shape());
    ASSERT_TRUE(answer.output_tensor_spec.has_value());
    EXPECT_FALSE(answer.error_message.has_value());
}

TEST_F(CompatQuery, ThreadsAState) {
    const TensorSpec a = spec(ttnn::Shape({1, 1, 64, 128}));
    auto state = experimental::extract_mock_allocator_state(*device_);
    ASSERT_NE(experimental::get_mock_allocator(*device_), nullptr);
    ASSERT_TRUE(state.is_empty(BufferType::L1));
    std::vector<experimental::AllocationRecord> live;
    for (int i = 0; i < 4; ++i) {
        const auto out = ttnn::graph::query_op_constraints_with_initial_state(
            [](auto&&... args) { return ttnn::relu(std::forward<decltype(args)>(args)...); }, device_.get(),
            state, a);
        ASSERT_EQ(out.response.status, ExecutionStatus::Success);
        ASSERT_EQ(out.output_allocations.size(), 1U);
        live.push_back(out.output_allocations[0]);
        EXPECT_EQ(out.new_state.total_allocated_size(BufferType::L1), live.size() * 2048U);
        EXPECT_EQ(out.new_state.lowest_occupied(BufferType::L1), live.back().address);
        state = out.new_state;
    }
    live.erase(live.begin() + 1);  // evicted
    const auto out = ttnn::graph::query_op_constraints_with_optional_state(
        WRAP_OP(ttnn::relu), device_.get(), std::optional(state.with_allocations(live)), a);
    EXPECT_EQ(out.output_allocations[0].address, live[0].address - 2048);
    const auto without = ttnn::graph::query_op_constraints_with_optional_state(
        WRAP_OP(ttnn::relu), device_.get(), std::nullopt, a);
    EXPECT_EQ(without.response.status, ExecutionStatus::Success);
    EXPECT_TRUE(without.output_allocations.empty());
    EXPECT_TRUE(without.new_state.is_empty(BufferType::L1));
    experimental::override_mock_allocator_state(*device_, state);
    EXPECT_EQ(experimental::extract_mock_allocator_state(*device_).total_allocated_size(), 4 * 2048U);
}

TEST_F(CompatQuery, TensorsOptionalInListsAndInVariants) {
    const TensorSpec a = spec(ttnn::Shape({1, 1, 64, 128})), row = spec(ttnn::Shape({1, 128}));
    const auto norm = [&](std::optional<TensorSpec> weight) {
        return ttnn::graph::query_op_constraints(WRAP_OP(ttnn::layer_norm), device_.get(), a, 1e-5F, weight);
    };
    ASSERT_EQ(norm(row).status, ExecutionStatus::Success) << norm(row).error_message.value_or("");
    EXPECT_EQ(norm(row).resource_usage.l1_buffers_peak_per_core,
              norm(std::nullopt).resource_usage.l1_buffers_peak_per_core + 2048);

    const auto joined =
        ttnn::graph::query_op_constraints(WRAP_OP(ttnn::concat), device_.get(), std::vector{a, a, a}, 3);
    ASSERT_EQ(joined.status, ExecutionStatus::Success) << joined.error_message.value_or("");
    EXPECT_EQ(joined.output_tensor_specs->front().logical_shape()[3], 384U);

    const auto sorted = ttnn::graph::query_op_constraints(WRAP_OP(ttnn::sort), device_.get(), a);
    ASSERT_EQ(sorted.status, ExecutionStatus::Success) << sorted.error_message.value_or("");
    ASSERT_EQ(sorted.output_tensor_specs->size(), 2U);
    EXPECT_EQ(sorted.output_tensor_specs->at(1).data_type(), DataType::UINT16);

    const TensorSpec image = spec(ttnn::Shape({1, 1, 1024, 64}), ttnn::DRAM_MEMORY_CONFIG, Layout::ROW_MAJOR);
    const TensorSpec weight = spec(ttnn::Shape({1, 1, 576, 64}), ttnn::DRAM_MEMORY_CONFIG);
    const auto state = experimental::extract_mock_allocator_state(*device_);
    const auto conv = ttnn::graph::query_op_constraints_with_initial_state(
        WRAP_OP(ttnn::conv2d), device_.get(), state, image, weight, device_.get(), 64U, 64U, 1U, 32U, 32U,
        std::array<std::uint32_t, 2>{3, 3}, std::array<std::uint32_t, 2>{1, 1},
        std::array<std::uint32_t, 2>{1, 1}, std::array<std::uint32_t, 2>{1, 1}, 1U);
    ASSERT_EQ(conv.response.status, ExecutionStatus::Success) << conv.response.error_message.value_or("");
    ASSERT_TRUE(conv.captured_config.has_value());
    const auto& config = std::any_cast<const ttnn::Conv2dConfig&>(*conv.captured_config);
    EXPECT_TRUE(config.shard_layout.has_value());
    EXPECT_GT(config.act_block_h_override, 0U);
}

TEST_F(CompatQuery, ConfigsAndRefusals) {
    const TensorSpec a = spec(ttnn::Shape({1, 1, 256, 512})), b = spec(ttnn::Shape({1, 1, 512, 1024}));
    const auto state = experimental::extract_mock_allocator_state(*device_);
    const auto product = ttnn::graph::query_op_constraints_with_initial_state(
        WRAP_OP(ttnn::matmul), device_.get(), state, a, b, false, false);
    ASSERT_EQ(product.response.status, ExecutionStatus::Success)
        << product.response.error_message.value_or("");
    ASSERT_TRUE(product.captured_config.has_value());
    const auto& chosen =
        std::any_cast<const ttnn::operations::matmul::MatmulProgramConfig&>(*product.captured_config);
    const auto again = ttnn::graph::query_op_constraints_with_initial_state(
        WRAP_OP(ttnn::matmul), device_.get(), state, a, b, false, false, std::nullopt, std::nullopt, chosen);
    EXPECT_EQ(again.response.resource_usage.cb_peak_size_per_core,
              product.response.resource_usage.cb_peak_size_per_core);

    const auto refused = ttnn::graph::query_op_constraints_with_initial_state(WRAP_OP(ttnn::matmul),
                                                                              device_.get(), state, a, a);
    EXPECT_EQ(refused.response.status, ExecutionStatus::Error);
    ASSERT_TRUE(refused.response.refusal.has_value());
    EXPECT_EQ(refused.response.refusal->kind, ttnn::graph::RefusalKind::BadArgument);
    EXPECT_FALSE(refused.response.output_tensor_specs.has_value());

    const std::uint64_t end =
        product.output_allocations[0].address + product.output_allocations[0].size_per_bank;
    EXPECT_THROW(static_cast<void>(
                     state.with_allocations({{BufferType::L1, end - 4096, 8192}, {BufferType::L1, end, 64}})),
                 std::runtime_error);
    const auto full = state.with_allocations({{BufferType::L1, 110'592, 2048}});
    const auto clash =
        ttnn::graph::query_op_constraints_with_initial_state(WRAP_OP(ttnn::add), device_.get(), full, a, a);
    ASSERT_TRUE(clash.response.refusal.has_value());
    EXPECT_EQ(clash.response.refusal->kind, ttnn::graph::RefusalKind::Clash);
    const ttnn::graph::ScopedIgnoredClashes as_ttnn;
    EXPECT_EQ(
        ttnn::graph::query_op_constraints_with_initial_state(WRAP_OP(ttnn::add), device_.get(), full, a, a)
            .response.status,
        ExecutionStatus::Success);
}

}  // namespace
