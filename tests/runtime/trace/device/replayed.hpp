// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A function of TT-NN tensors, traced, replayed and compared with its calls.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/trace/device/replay/executable.hpp"

namespace tilemeter::test {

using graph::GraphProcessor;
using graph::RunMode;
using trace::Executable;
using trace::TensorFunction;
using trace::trace_on_device;
using trace::TracedProgram;

using Tensors = std::vector<Tensor>;
using Inputs = std::span<const Tensor>;

Tensor counted(const std::shared_ptr<Device>& device, const Shape& shape, float first = 0.0F,
               const MemoryConfig& config = DRAM_MEMORY_CONFIG);
nlohmann::json captured(const std::function<Tensors()>& call, RunMode mode = RunMode::NORMAL);
std::vector<std::vector<float>> values_of(const Tensors& tensors);
std::vector<std::string> operations_of(const ir::Graph& graph);
TracingErrorKind kind_of_refusal(const std::function<void()>& call);

// Traces, replays, and compares: the state before and after, nodes with those of a NO_DISPATCH and a NORMAL capture of
// the calls, and values. `inputs` makes them anew, for functions that write to them.
std::shared_ptr<const TracedProgram> expect_replay_as_called(const std::function<Tensors()>& inputs,
                                                             const TensorFunction& function);

}  // namespace tilemeter::test
