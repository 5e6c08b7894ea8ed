// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Traces of captures of our own.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/graph/graph_processor.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/render/trace_events.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/report/render/trace_format.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::analysis {
namespace {

using nlohmann::json;
using test::judged;

Tensor in_l1(const std::shared_ptr<Device>& device, std::uint32_t rows) {
    return zeros({rows, 2048}, bfloat16, TILE_LAYOUT, device, L1_MEMORY_CONFIG);
}

std::set<std::string> counters(const json& trace) {
    std::set<std::string> names;
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == "C") names.insert(event["name"].get<std::string>());
    return names;
}

TEST(TraceCapture, of_both_modes_shows_the_peak_and_what_feeds_what) {
    const test::OpenDevice device;
    const Tensor older = in_l1(device.get(), 64);
    for (const graph::RunMode mode : {graph::RunMode::NORMAL, graph::RunMode::NO_DISPATCH}) {
        graph::ScopedGraphCapture capture(mode);
        const Tensor product = matmul(older, zeros({2048, 2048}, bfloat16, TILE_LAYOUT, device.get()), false,
                                      false, L1_MEMORY_CONFIG);
        const Tensor sum = add(older, product);
        const json trace = judged(node_list_of(capture.end_capture()));
        std::vector<std::string> flows;
        for (const json& event : trace["traceEvents"])
            if (event["ph"] == "f") flows.push_back(event["name"]);
        EXPECT_EQ(flows, (std::vector<std::string>{"Shape([2048, 2048]) BFLOAT16 TILE",
                                                   "Shape([64, 2048]) BFLOAT16 TILE"}));
    }
}

TEST(TraceCapture, of_nothing_is_valid) {
    for (const graph::RunMode mode : {graph::RunMode::NORMAL, graph::RunMode::NO_DISPATCH}) {
        graph::ScopedGraphCapture capture(mode);
        judged(node_list_of(capture.end_capture()));
    }
}

TEST(TraceCapture, tells_an_allocation_that_failed_where_it_did) {
    const test::OpenDevice device;
    graph::ScopedGraphCapture capture;
    std::vector<Tensor> held;
    std::string message;
    try {
        for (int i = 0; i < 100; ++i)
            held.push_back(relu(in_l1(device.get(), 2048), L1_MEMORY_CONFIG));
    } catch (const OutOfMemoryError& error) {
        message = error.what();
    }
    ASSERT_FALSE(message.empty());
    const json trace = judged(node_list_of(capture.end_capture()));
    std::vector<json> failures;
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == "i") failures.push_back(event);
    ASSERT_EQ(failures.size(), 1U) << json(failures).dump(1);
    EXPECT_EQ(failures[0]["args"]["message"], message);
    double end = 0;
    for (const json& event : trace["traceEvents"])
        end = std::max(end, event["ts"].get<double>() + event.value("dur", 0.0));
    EXPECT_GT(failures[0]["ts"].get<double>(), 0);
    EXPECT_LE(failures[0]["ts"].get<double>(), end);
}

TEST(TraceCapture, of_two_devices_counts_each) {
    DeviceOptions options;
    options.description = "n300";
    const std::shared_ptr<Device> first = open_device(0, options);
    const std::shared_ptr<Device> second = open_device(1, options);
    {
        graph::ScopedGraphCapture capture;
        const Tensor a = relu(in_l1(first, 64), L1_MEMORY_CONFIG);
        const Tensor b = relu(in_l1(second, 128), L1_MEMORY_CONFIG);
        EXPECT_EQ(counters(judged(node_list_of(capture.end_capture()))).size(), 6U);
    }
    close_device(*first);
    close_device(*second);
}

TEST(TraceCapture, of_a_mesh_counts_its_chips_once) {
    DeviceOptions options;
    options.description = "n300";
    const std::shared_ptr<Device> mesh = open_mesh_device({1, 2}, options);
    {
        graph::ScopedGraphCapture capture;
        const Tensor a = relu(in_l1(mesh, 64), L1_MEMORY_CONFIG);
        EXPECT_EQ(counters(judged(node_list_of(capture.end_capture()))).size(), 3U);
    }
    close_device(*mesh);
}

}  // namespace
}  // namespace tilemeter::analysis
