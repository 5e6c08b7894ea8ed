// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The example of TT-NN's document, add(a, multiply(b, c)), as a capture of our own in C++.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/graph/graph_processor.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/ttnn/levelized_graph.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::analysis {
namespace {

/// As text, with a, b and c for the tensors' ids, which differ from run to run.
std::string levelized(const NodeList& list, std::int64_t max_level, const std::vector<std::string>& ids) {
    std::string text;
    for (const LevelizedVertex& vertex : extract_levelized_graph(list, max_level, Joining::kByTensor)) {
        std::string name = vertex.name(list);
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (name == "tensor[" + ids[i] + "]") name = std::string(1, static_cast<char>('a' + i));
        text += std::to_string(vertex.counter) + " " + name + " <-";
        for (const std::uint32_t id : vertex.in_edges)
            text += " " + std::to_string(id);
        text += " ->";
        for (const std::uint32_t id : vertex.out_edges)
            text += " " + std::to_string(id);
        for (const TextRef shape : vertex.output_shape)
            text += " " + std::string(list.text(shape));
        text += "\n";
    }
    return text;
}

TEST(LevelizedCapture, multiply_feeds_add_and_inputs_keep_their_edges) {
    const test::OpenDevice device;
    const auto make = [&] { return zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG); };
    const Tensor a = make();
    const Tensor b = make();
    const Tensor c = make();
    for (const graph::RunMode mode : {graph::RunMode::NORMAL, graph::RunMode::NO_DISPATCH}) {
        graph::ScopedGraphCapture capture(mode);
        const Tensor sum = add(a, multiply(b, c));
        const NodeList list = node_list_of(capture.end_capture());
        std::vector<std::string> ids;
        for (const Tensor& tensor : {a, b, c})
            ids.push_back(std::to_string(static_cast<std::uint64_t>(tensor.id())));
        EXPECT_EQ(levelized(list, 1, ids),
                  "0 b <- -> 3 Shape([32, 32])\n"
                  "1 c <- -> 3 Shape([32, 32])\n"
                  "2 a <- -> 4 Shape([32, 32])\n"
                  "3 ttnn::multiply <- 0 1 -> 4 Shape([32, 32])\n"
                  "4 ttnn::add <- 2 3 -> Shape([32, 32])\n");
        EXPECT_EQ(levelized(list, 2, ids),
                  "0 b <- -> 3 4 Shape([32, 32])\n"
                  "1 c <- -> 3 4 Shape([32, 32])\n"
                  "2 a <- -> 5 6 Shape([32, 32])\n"
                  "3 ttnn::multiply <- 0 1 -> 5 6 Shape([32, 32])\n"
                  "4 BinaryNgDeviceOperation <- 0 1 -> Shape([32, 32])\n"
                  "5 ttnn::add <- 2 3 -> Shape([32, 32])\n"
                  "6 BinaryNgDeviceOperation <- 2 3 -> Shape([32, 32])\n");
    }
}

}  // namespace
}  // namespace tilemeter::analysis
