// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A googletest that asserts how much memory a workload takes, and what it leaves behind, by a tracker that sums a capture's
// buffers, as programs do that run on a device.

#include "report/analysis/answers/peak.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/nodes/load.hpp"
#include "ttnn/device.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"

namespace {

/// A number of a node: some versions of TT-NN write it as text.
std::int64_t number(const nlohmann::json& value) {
    return value.is_string() ? std::stoll(value.get<std::string>()) : value.get<std::int64_t>();
}

/// Bytes in a memory ("L1", "DRAM") of each device that the nodes allocate and do not free: of a TT-NN capture or of ours.
std::map<std::int64_t, std::int64_t> bytes_kept(const nlohmann::json& nodes, const std::string& memory) {
    std::map<std::int64_t, std::int64_t> kept;
    for (const auto& node : nodes) {
        const auto& params = node.at("params");
        const bool allocates = node.at("node_type") == "buffer_allocate";
        if ((!allocates && node.at("node_type") != "buffer_deallocate") || params.at("type") != memory)
            continue;
        const std::int64_t bytes = number(params.at("size"));
        kept[number(params.at("device_id"))] += allocates ? bytes : -bytes;
    }
    return kept;
}

class PeakTest : public testing::Test {
protected:
    ttnn::Tensor in_l1(const ttnn::Shape& shape) {
        return ttnn::ones(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device_,
                          ttnn::L1_MEMORY_CONFIG);
    }
    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::MeshDevice::create_unit_mesh(0);
};

TEST_F(PeakTest, TwoActivationsStayBelowTheLimit) {
    const ttnn::Tensor x = in_l1(ttnn::Shape({1, 1, 512, 512}));
    const std::string report = testing::TempDir() + "peak_test.json";
    ttnn::graph::GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NORMAL);
    const ttnn::Tensor y = ttnn::relu(x, ttnn::L1_MEMORY_CONFIG);
    ttnn::graph::GraphProcessor::end_graph_capture_to_file(report);
    const auto list = tilemeter::analysis::load_node_list(report);
    std::filesystem::remove(report);
    ASSERT_TRUE(list) << list.error().message();
    const auto peak = tilemeter::analysis::find_peak(list.value());
    // Two tensors of 512 x 512 bfloat16 over 64 cores, and circular buffers beside them.
    ASSERT_GT(peak.l1()->bytes, 2 * 512 * 512 * 2 / 64);
    EXPECT_LE(peak.l1()->bytes, 32 * 1024) << "in " << peak.l1()->path;
}

TEST_F(PeakTest, NothingIsLeftInL1) {
    const ttnn::Tensor x = in_l1(ttnn::Shape({1, 1, 64, 64}));
    ttnn::graph::GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NORMAL);
    { const ttnn::Tensor y = ttnn::relu(x, ttnn::L1_MEMORY_CONFIG); }
    const auto first = bytes_kept(ttnn::graph::GraphProcessor::end_graph_capture(), "L1");
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first.begin()->second, 0);

    ttnn::graph::GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NORMAL);
    const ttnn::Tensor z = ttnn::relu(x, ttnn::L1_MEMORY_CONFIG);
    const auto second = bytes_kept(ttnn::graph::GraphProcessor::end_graph_capture(), "L1");
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second.begin()->second, 64 * 64 * 2);
}

}  // namespace
