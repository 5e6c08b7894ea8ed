// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A program of tt-mlir's file format, run by its runtime, beside the same calls made directly: both are captured without
// dispatch, and their buffers and programs are compared.
//
//     usage: compiled_runtime FILE

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <tt/runtime/detail/ttnn/ttnn.h>
#include <tt/runtime/detail/ttnn/utils.h>

#include "ttnn/device.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/data_movement/transpose/transpose.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/reduction/generic/generic_reductions.hpp"

namespace {

using nlohmann::json;
using ttnn::graph::GraphProcessor;

ttnn::MemoryConfig interleaved(ttnn::BufferType type) {
    return ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, type);
}

ttnn::Tensor input(ttnn::MeshDevice& device, const ttnn::Shape& shape) {
    return ttnn::ones(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, device,
                      interleaved(ttnn::BufferType::DRAM));
}

// The calls of tests/acceptance/compiled_runtime's program, one by one.
ttnn::Tensor call_directly(ttnn::Tensor a, ttnn::Tensor b) {
    const auto dram = interleaved(ttnn::BufferType::DRAM), l1 = interleaved(ttnn::BufferType::L1);
    using Config = std::optional<ttnn::MemoryConfig>;
    ttnn::Tensor product = ttnn::matmul(a, b, false, false, Config(dram), ttnn::DataType::BFLOAT16);
    ttnn::Tensor twice = ttnn::add(product, product, ttnn::DataType::BFLOAT16, Config(l1));
    ttnn::Tensor positive = ttnn::relu(twice, Config(l1));
    ttnn::Tensor weights = ttnn::softmax(positive, -1, Config(l1), std::nullopt, true);
    ttnn::deallocate(twice, false);
    ttnn::Tensor halves = ttnn::reshape(weights, std::vector<std::int32_t>{1, 2, 32, 64}, Config(l1));
    ttnn::Tensor turned = ttnn::transpose(halves, 2, 3, Config(l1));
    ttnn::Tensor joined = ttnn::concat(std::vector<ttnn::Tensor>{turned, turned}, 3, Config(l1));
    ttnn::Tensor moved = ttnn::to_memory_config(joined, dram, std::nullopt);
    return ttnn::sum(moved, ttsl::SmallVector<int>{3}, true, Config(dram), std::nullopt);
}

// What either run leaves in memory, in order.
json memory_of(const json& graph) {
    json rows = json::array();
    for (const json& node : graph) {
        const std::string type = node["node_type"];
        if (type.find("allocate") == std::string::npos) continue;
        json row = {type};
        for (const char* name : {"type", "size", "address", "page_size", "core_range_set", "layout"})
            if (node["params"].contains(name)) row.push_back(node["params"][name]);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: compiled_runtime FILE\n";
        return EXIT_FAILURE;
    }
    tt::runtime::Device device = tt::runtime::ttnn::openMeshDevice({});
    auto& mesh = device.as<ttnn::MeshDevice>(tt::runtime::DeviceRuntime::TTNN);
    json by_runtime, by_hand;
    {
        const tt::runtime::Binary binary = tt::runtime::Binary::loadFromPath(arguments[1]);
        const ttnn::Tensor a = input(mesh, {1, 1, 64, 128}), b = input(mesh, {1, 1, 128, 64});
        std::vector<tt::runtime::Tensor> inputs = {
            tt::runtime::ttnn::utils::createRuntimeTensorFromTTNN(a, std::nullopt, true),
            tt::runtime::ttnn::utils::createRuntimeTensorFromTTNN(b, std::nullopt, true)};
        GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NO_DISPATCH);
        std::vector<tt::runtime::Tensor> outputs = tt::runtime::ttnn::submit(device, binary, 0, inputs);
        by_runtime = memory_of(GraphProcessor::end_graph_capture());
        GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NO_DISPATCH);
        const ttnn::Tensor result = call_directly(a, b);
        by_hand = memory_of(GraphProcessor::end_graph_capture());
    }
    tt::runtime::ttnn::closeMeshDevice(device);
    std::cout << by_runtime.size() << " entries of memory by the runtime, " << by_hand.size() << " by hand\n";
    for (std::size_t i = 0; i < std::max(by_runtime.size(), by_hand.size()); ++i) {
        const json left = i < by_runtime.size() ? by_runtime[i] : json();
        const json right = i < by_hand.size() ? by_hand[i] : json();
        if (left != right) std::cout << "  " << i << ": " << left.dump() << " | " << right.dump() << '\n';
    }
    const bool are_equal = by_runtime == by_hand && by_runtime.size() > 20;
    std::cout << (are_equal ? "equal\n" : "DIFFERENT\n");
    return are_equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
