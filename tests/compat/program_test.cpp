// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Generated programs beside what the real TT-NN 0.81.1 recorded for the same calls from Python, on an n150
// (tests/data/compat): memory of tensors in the order of its allocation, with addresses, and program memory by operation.

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/compat/programs.hpp"
#include "tests/paths.hpp"
#include "ttnn/device.hpp"
#include "ttnn/graph/graph_processor.hpp"

namespace tilemeter::programs {
namespace {

using nlohmann::json;

std::uint64_t number(const json& value) {
    return value.is_string() ? std::stoull(value.get<std::string>()) : value.get<std::uint64_t>();
}

json allocations_of(const json& graph) {
    json found = json::array();
    for (const json& node : graph)
        if (node["node_type"] == "buffer_allocate")
            found.push_back(
                {node["params"]["type"], number(node["params"]["size"]), number(node["params"]["address"])});
    return found;
}

json programs_of(const json& graph) {
    json found = json::array();
    std::vector<std::string> inside;
    for (const json& node : graph) {
        const std::string type = node["node_type"];
        if (type == "function_start") inside.push_back(node["params"]["name"]);
        if (type == "function_end" && !inside.empty()) inside.pop_back();
        if (type == "circular_buffer_allocate" || type == "dataflow_buffer_allocate" ||
            type == "scratchpad_allocate")
            found.push_back({type, inside.empty() ? "" : inside.back(), number(node["params"]["size"]),
                             node["params"]["core_range_set"]});
    }
    return found;
}

// The rows of operations of which the reference has some: TT-NN shows none of those whose programs it had cached.
json rows_of(const json& programs, const json& reference) {
    std::set<std::string> operations;
    for (const json& row : reference)
        operations.insert(row[1]);
    json found = json::array();
    for (const json& row : programs)
        if (operations.contains(row[1])) found.push_back(row);
    return found;
}

class CompatProgram : public testing::TestWithParam<const char*> {
protected:
    json captured(ttnn::graph::RunMode mode) {
        const auto device = ttnn::MeshDevice::create_unit_mesh(0, 32768);
        ttnn::graph::GraphProcessor::begin_graph_capture(mode);
        {
            const std::string name = GetParam();
            const ttnn::Tensor result = name == "attention"     ? attention(device.get())
                                        : name == "convolution" ? convolution(device.get())
                                        : name == "decoding"    ? decoding(device.get())
                                                                : movement(device.get());
            EXPECT_TRUE(result.is_allocated());
        }
        return ttnn::graph::GraphProcessor::end_graph_capture();
    }
    json reference() const {
        std::ifstream file(test::data_folder() + "/compat/" + GetParam() + ".json");
        return json::parse(file);
    }
};

TEST_P(CompatProgram, AllocatesAsTtnnDoes) {
    EXPECT_EQ(allocations_of(captured(ttnn::graph::RunMode::NORMAL)), reference()["allocations"]);
}

TEST_P(CompatProgram, HasTtnnsPrograms) {
    // What is planned in NORMAL is what NO_DISPATCH plans; TT-NN itself frees and moves otherwise there.
    const json expected = reference()["programs"];
    EXPECT_EQ(rows_of(programs_of(captured(ttnn::graph::RunMode::NORMAL)), expected), expected);
}

INSTANTIATE_TEST_SUITE_P(Programs, CompatProgram,
                         testing::Values("attention", "convolution", "decoding", "movement"),
                         [](const auto& program) { return std::string(program.param); });

}  // namespace
}  // namespace tilemeter::programs
