// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Every model: planned without running it gives the nodes that running it gives, and leaves the process as it
// was.

#include <array>
#include <ostream>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/comparable_nodes.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/workloads/models.hpp"

namespace tilemeter::workloads {
namespace {

using graph::GraphProcessor;
using graph::RunMode;

struct ModeCase {
    const char* name;
    Setup setup;
    Sizes sizes;
    int warm_runs = 0;             ///< before the capture: its programs are cached then
    bool drops_its_input = false;  ///< lets go of a tensor that was there before the capture
};

void PrintTo(const ModeCase& each, std::ostream* out) {
    *out << each.name;
}

const std::array<ModeCase, 9> kCases = {{{"minilm", minilm, {}},
                                         {"minilm_warm", minilm, {{"batch", 1}}, 1},
                                         {"decoder", decoder, {}, 0, true},
                                         {"decoder2", decoder, {{"input_first", 1}}},
                                         {"decoder24", decoder, {{"input_first", 1}, {"layers", 24}}},
                                         {"decoder2_cached", decoder, {{"input_first", 1}}, 1},
                                         {"attention_sdpa", attention_sdpa, {}},
                                         {"attention_mm", attention_mm, {}},
                                         {"bert_tiny", bert_tiny, {}}}};

class EveryModel : public testing::TestWithParam<std::tuple<ModeCase, std::string>> {
protected:
    static DeviceOptions board() {
        DeviceOptions options;
        options.description = std::get<1>(GetParam());
        return options;
    }
    static nlohmann::json capture(const Model& model, RunMode mode) {
        GraphProcessor::begin_graph_capture(mode);
        const Tensor result = model();
        return GraphProcessor::end_graph_capture();
    }
};

TEST_P(EveryModel, has_the_same_nodes_planned_and_executed) {
    const ModeCase& each = std::get<0>(GetParam());
    const auto nodes = [&](RunMode mode) {
        const test::OpenDevice device(board());
        const Model model = each.setup(device.get(), each.sizes);
        for (int i = 0; i < each.warm_runs; ++i)
            model();
        return capture(model, mode);
    };
    test::expect_same_nodes(nodes(RunMode::NORMAL), nodes(RunMode::NO_DISPATCH));
}

TEST_P(EveryModel, planned_leaves_the_state_of_the_process) {
    const ModeCase& each = std::get<0>(GetParam());
    if (each.drops_its_input) GTEST_SKIP() << "nobody holds the input any more: it is gone for good";
    const test::OpenDevice device(board());
    const Model model = each.setup(device.get(), each.sizes);
    for (int i = 0; i < each.warm_runs; ++i)
        model();
    const std::uint64_t before = state_hash();
    capture(model, RunMode::NO_DISPATCH);
    EXPECT_EQ(state_hash(), before);
}

INSTANTIATE_TEST_SUITE_P(BothModes, EveryModel,
                         testing::Combine(testing::ValuesIn(kCases), testing::Values("n150", "p150")),
                         [](const auto& each) {
                             return std::string(std::get<0>(each.param).name) + "_" + std::get<1>(each.param);
                         });

}  // namespace
}  // namespace tilemeter::workloads
