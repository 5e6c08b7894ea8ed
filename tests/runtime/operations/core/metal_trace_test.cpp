// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device's handling of traces cannot be recorded without one: the words of its errors are TT-NN's, values are held
// against the same programs executed one by one.

#include "runtime/device/metal_trace.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using graph::RunMode;

constexpr std::uint64_t kRegion = 1 << 20;

class MetalTrace : public testing::Test {
protected:
    MetalTrace() : device_(open_device(0, options())) {}
    ~MetalTrace() override { close_device(*device_); }

    static DeviceOptions options() {
        DeviceOptions options;
        options.trace_region_size = kRegion;
        return options;
    }
    Tensor filled(float value) const {
        return full({1, 1, 64, 64}, value, DataType::BFLOAT16, Layout::TILE, device_, DRAM_MEMORY_CONFIG);
    }
    static Tensor model(const Tensor& x) { return add(relu(multiply(x, 2.0F)), x); }
    std::uint64_t taken() const {
        return device_->memory().allocator(record::MemoryType::kTrace).statistics().allocated;
    }

    std::shared_ptr<Device> device_;
};

TEST_F(MetalTrace, executes_its_programs_over_what_its_inputs_hold_then) {
    const Tensor x = filled(1);
    model(x);  // into the program cache
    const MeshTraceId trace = begin_trace_capture(*device_);
    const Tensor y = model(x);
    EXPECT_TRUE(is_trace_capture_active(*device_));
    end_trace_capture(*device_, trace);
    EXPECT_FALSE(is_trace_capture_active(*device_));
    EXPECT_FALSE(y.has_values());

    execute_trace(*device_, trace);
    EXPECT_EQ(y.to_vector<float>()[100], 3);
    x.buffer().set_values(filled(5).chip_values());
    execute_trace(*device_, trace);
    EXPECT_EQ(y.to_vector<float>(), model(x).to_vector<float>());
    EXPECT_EQ(y.to_vector<float>()[4095], 15);
    release_trace(*device_, trace);
}

TEST_F(MetalTrace, reads_what_its_own_programs_wrote_in_place) {
    const Tensor counter = filled(0);
    add_(counter, 1.0F);
    const MeshTraceId trace = begin_trace_capture(*device_);
    add_(counter, 1.0F);
    end_trace_capture(*device_, trace);
    EXPECT_EQ(counter.to_vector<float>()[0], 1);
    for (int i = 0; i < 3; ++i)
        execute_trace(*device_, trace);
    EXPECT_EQ(counter.to_vector<float>()[0], 4);
}

TEST_F(MetalTrace, leaves_a_result_alone_whose_memory_is_gone) {
    const Tensor x = filled(1);
    model(x);
    const MeshTraceId trace = begin_trace_capture(*device_);
    Tensor y = model(x);
    end_trace_capture(*device_, trace);
    y.deallocate();
    execute_trace(*device_, trace);
    EXPECT_FALSE(y.is_allocated());
}

TEST_F(MetalTrace, takes_memory_of_the_trace_region_until_it_is_released) {
    const Tensor x = filled(1);
    model(x);
    GraphProcessor::begin_graph_capture(RunMode::NORMAL);
    const MeshTraceId trace = begin_trace_capture(*device_);
    const Tensor y = model(x);
    end_trace_capture(*device_, trace);
    EXPECT_GT(taken(), 0U);
    execute_trace(*device_, trace);
    release_trace(*device_, trace);
    EXPECT_EQ(taken(), 0U);
    int programs = 0;
    int allocations = 0;
    for (const auto& node : GraphProcessor::end_graph_capture()) {
        programs += node["node_type"] == "program_execution" ? 1 : 0;
        allocations += node["node_type"] == "buffer_allocate" ? 1 : 0;
    }
    EXPECT_EQ(programs, 3);  // as they were recorded: what is executed is the device's affair
    EXPECT_EQ(allocations, 3);
    EXPECT_NE(test::message_of([&] { execute_trace(*device_, trace); }).find("Trace instance"),
              std::string::npos);
    release_trace(*device_, trace);  // no error
}

TEST_F(MetalTrace, refuses_what_a_device_refuses_meanwhile) {
    const Tensor x = filled(1);
    model(x);
    const MeshTraceId trace = begin_trace_capture(*device_);
    EXPECT_EQ(
        test::message_of([&] { begin_trace_capture(*device_); }),
        "CQ 0 is already being used for tracing tid " + std::to_string(static_cast<std::uint32_t>(trace)));
    EXPECT_EQ(test::message_of([&] { end_trace_capture(*device_, trace, 1); }),
              "CQ 1 is not being used for tracing tid " + std::to_string(static_cast<std::uint32_t>(trace)));
    EXPECT_EQ(test::message_of([&] { filled(2); }), "Writes are not supported during trace capture.");
    for (int i = 0; i < 2; ++i)  // the program is not in the cache after the first refusal either
        EXPECT_NE(test::message_of([&] { exp(x); }).find("not yet in program cache"), std::string::npos);
    end_trace_capture(*device_, trace);
    EXPECT_EQ(exp(x).to_vector<float>().size(), 4096U);
}

TEST_F(MetalTrace, of_a_no_dispatch_capture_computes_nothing_and_leaves_the_state_alone) {
    const Tensor x = filled(1);
    model(x);
    const MeshTraceId kept = begin_trace_capture(*device_);
    end_trace_capture(*device_, kept);
    const std::uint64_t before = device_->state_hash();
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    const MeshTraceId trace = begin_trace_capture(*device_);
    { const Tensor y = model(x); }
    end_trace_capture(*device_, trace);
    execute_trace(*device_, trace);
    release_trace(*device_, trace);
    release_trace(*device_, kept);
    GraphProcessor::end_graph_capture();
    EXPECT_EQ(device_->state_hash(), before);
    execute_trace(*device_, kept);
}

TEST_F(MetalTrace, without_room_says_so_in_the_devices_words) {
    const Tensor x = filled(1);
    model(x);
    std::string error;
    for (int i = 0; i < 1000 && error.empty(); ++i) {
        const MeshTraceId trace = begin_trace_capture(*device_);
        const Tensor y = model(x);
        error = test::message_of([&] { end_trace_capture(*device_, trace); });
    }
    EXPECT_NE(error.find("is allocated for trace region."), std::string::npos) << error;
    EXPECT_FALSE(is_trace_capture_active(*device_));
}

}  // namespace
}  // namespace tilemeter
