// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Every model traced: the plan of its replay is what a NO_DISPATCH capture of the model records, and a replay what a NORMAL
// capture records, addresses included.

#include <ostream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/device/device.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/replay/executable.hpp"
#include "runtime/trace/device/rules/lower_ttnn.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "tests/runtime/operations/comparable_nodes.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/workloads/models.hpp"

namespace tilemeter::workloads {
namespace {

using graph::GraphProcessor;
using graph::RunMode;
using Tensors = std::vector<Tensor>;

struct TraceCase {
    const char* name;
    Setup setup;
    Sizes sizes;
};

void PrintTo(const TraceCase& each, std::ostream* out) {
    *out << each.name;
}

class TracedModel : public testing::TestWithParam<TraceCase> {};

TEST_P(TracedModel, replays_what_it_records) {
    const test::OpenDevice device;
    const Model model = GetParam().setup(device.get(), GetParam().sizes);
    const auto captured = [&](RunMode mode, const std::function<Tensor()>& call) {
        GraphProcessor::begin_graph_capture(mode);
        const Tensor result = call();
        return GraphProcessor::end_graph_capture();
    };
    model();
    const nlohmann::json planned = captured(RunMode::NO_DISPATCH, model);
    const nlohmann::json executed = captured(RunMode::NORMAL, model);
    const std::vector<float> values = model().to_vector<float>();

    const std::uint64_t before = state_hash();
    const trace::Executable executable(
        trace::trace_on_device([&](std::span<const Tensor>) { return Tensors{model()}; }, {}));
    EXPECT_EQ(state_hash(), before);
    const ir::Graph& graph = executable.traced().graph();
    EXPECT_FALSE(ir::verify(graph).has_value());
    EXPECT_EQ(ir::print(ir::parse(ir::print(graph))), ir::print(graph));

    const ir::Graph flat = trace::lower_ttnn(graph);
    EXPECT_FALSE(ir::verify(flat, trace::flat_operations()).has_value());

    test::expect_same_nodes(planned, graph::CapturedGraph(executable.plan({})).to_json());
    test::expect_same_nodes(executed, captured(RunMode::NORMAL, [&] { return executable.replay({}).at(0); }));
    test::expect_same_nodes(planned,
                            captured(RunMode::NO_DISPATCH, [&] { return executable.replay({}).at(0); }));
    EXPECT_EQ(executable.replay({}).at(0).to_vector<float>(), values);
}

INSTANTIATE_TEST_SUITE_P(Models, TracedModel,
                         testing::Values(TraceCase{"minilm", minilm, {}},
                                         TraceCase{"decoder", decoder, {{"input_first", 1}}},
                                         TraceCase{"attention_sdpa", attention_sdpa, {}},
                                         TraceCase{"attention_mm", attention_mm, {}},
                                         TraceCase{"bert_tiny", bert_tiny, {}}),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace tilemeter::workloads
