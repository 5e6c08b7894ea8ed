// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A capture in C++, its report, and the peak of L1 with what it is made of: capture_peak [REPORT]

#include <iostream>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/nodes/load.hpp"
#include "ttnn/device.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"

int main(int count, char** arguments) {
    const char* report = count > 1 ? arguments[1] : "report.json";
    const auto device = ttnn::open_mesh_device(0);  // an n150, unless TILEMETER_DEVICE names another board
    const auto ones = [&](const ttnn::Shape& shape) {
        return ttnn::ones(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device,
                          ttnn::L1_MEMORY_CONFIG);
    };
    const auto x = ones({1, 1, 512, 512}), weight = ones({1, 1, 512, 512});

    ttnn::graph::GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NORMAL);
    const auto result = ttnn::add(ttnn::relu(x), weight);
    ttnn::graph::GraphProcessor::end_graph_capture_to_file(report);

    const auto list = tilemeter::analysis::load_node_list(report);
    if (!list) {
        std::cerr << list.error().message() << '\n';
        return 1;
    }
    const auto peak = tilemeter::analysis::find_peak(list.value());
    std::cout << peak.l1()->bytes << " bytes per core in " << peak.l1()->path << '\n';
    for (const auto& part : peak.l1()->contributors)
        std::cout << "  " << part.bytes << ' ' << part.name << ' ' << part.shape << '\n';
}
