// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/runtime/trace/device/replayed.hpp"

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/reduction/variance.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/comparable_nodes.hpp"

namespace tilemeter::test {

Tensor counted(const std::shared_ptr<Device>& device, const Shape& shape, float first,
               const MemoryConfig& config) {
    std::vector<float> values(shape.volume());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (first + static_cast<float>(i % 61)) / 16.0F;
    return from_vector(std::span<const float>(values), shape, bfloat16, TILE_LAYOUT, device, config);
}

nlohmann::json captured(const std::function<Tensors()>& call, RunMode mode) {
    GraphProcessor::begin_graph_capture(mode);
    const Tensors results = call();
    return GraphProcessor::end_graph_capture();
}

std::vector<std::vector<float>> values_of(const Tensors& tensors) {
    std::vector<std::vector<float>> values;
    for (const Tensor& each : tensors)
        values.push_back(each.to_vector<float>());
    return values;
}

std::vector<std::string> operations_of(const ir::Graph& graph) {
    std::vector<std::string> names;
    for (const ir::Equation each : graph.equations())
        names.push_back(each.operation());
    return names;
}

TracingErrorKind kind_of_refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const TracingError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        return error.kind();
    }
    return TracingErrorKind::kCount;
}

std::shared_ptr<const TracedProgram> expect_replay_as_called(const std::function<Tensors()>& inputs,
                                                             const TensorFunction& function) {
    std::vector<std::vector<float>> expected;
    std::vector<std::vector<float>> expected_inputs;
    nlohmann::json called;
    {
        const Tensors given = inputs();
        function(given);  // from here on its programs are cached
    }
    {
        const Tensors given = inputs();
        called = captured([&] { return function(given); });
    }
    {
        const Tensors given = inputs();
        expected = values_of(function(given));
        expected_inputs = values_of(given);
    }
    std::shared_ptr<const TracedProgram> traced;
    {
        const Tensors given = inputs();
        const std::uint64_t before = state_hash();
        traced = trace_on_device(function, given);
        EXPECT_EQ(state_hash(), before);
        EXPECT_FALSE(ir::verify(traced->graph()).has_value()) << ir::print(traced->graph());
    }
    const Executable executable(traced);
    {
        const Tensors given = inputs();
        const std::uint64_t before = state_hash();
        const record::Recording plan = executable.plan(given);
        EXPECT_EQ(state_hash(), before);
        expect_same_nodes(called, graph::CapturedGraph(plan).to_json());
        expect_same_nodes(called, captured([&] { return executable.replay(given); }));
    }
    {
        const Tensors given = inputs();
        expect_same_nodes(called, captured([&] { return executable.replay(given); }, RunMode::NO_DISPATCH));
        for (int i = 0; i < 2; ++i) {
            const Tensors again = inputs();
            EXPECT_EQ(values_of(executable.replay(again)), expected);
            EXPECT_EQ(values_of(again), expected_inputs);
        }
    }
    return traced;
}

}  // namespace tilemeter::test
