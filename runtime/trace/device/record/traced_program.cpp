// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/record/traced_program.hpp"

#include <utility>

#include "capture/record/private_log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/trace/device/record/internal/call_graph.hpp"
#include "runtime/trace/device/record/internal/recipe_builder.hpp"
#include "runtime/trace/device/record/internal/recorder.hpp"

namespace tilemeter::trace {

std::string source_of(const ir::Location& location) {
    return location.file.empty() ? "" : location.file + ":" + std::to_string(location.line);
}

std::string text_with_source(const ir::Equation& equation) {
    const std::string source = source_of(equation.location());
    return equation.operation() + (source.empty() ? "" : " at " + source);
}

TracedProgram::TracedProgram(std::shared_ptr<internal::RecordedCalls> recorded)
    : device_(recorded->recipe->device),
      input_count_(recorded->recipe->inputs.size()),
      program_count_(recorded->programs.size()),
      recorded_for_graph_(recorded),
      recorded_for_recipe_(std::move(recorded)) {}

TracedProgram::TracedProgram(std::unique_ptr<const internal::GraphOfCalls> graph,
                             std::shared_ptr<const internal::Recipe> recipe)
    : device_(recipe->device),
      input_count_(recipe->inputs.size()),
      program_count_(recipe->programs.size()),
      graph_(std::move(graph)),
      recipe_(std::move(recipe)) {}

TracedProgram::~TracedProgram() = default;

const internal::GraphOfCalls& TracedProgram::graph_of_calls() const {
    std::call_once(graph_made_, [this] {
        if (graph_) return;
        graph_ = std::make_unique<const internal::GraphOfCalls>(internal::make_graph(*recorded_for_graph_));
        recorded_for_graph_.reset();
    });
    return *graph_;
}

const ir::Graph& TracedProgram::graph() const {
    return graph_of_calls().graph;
}

std::span<const std::uint32_t> TracedProgram::calls() const {
    return graph_of_calls().calls;
}

std::vector<std::shared_ptr<Buffer>> TracedProgram::captured() const {
    std::vector<std::shared_ptr<Buffer>> buffers;
    for (const auto& [slot, buffer] : recipe().captured)
        buffers.push_back(buffer);
    return buffers;
}

const internal::Recipe& TracedProgram::recipe() const {
    std::call_once(recipe_made_, [this] {
        if (recipe_) return;
        recipe_ = internal::make_recipe(*recorded_for_recipe_);
        recorded_for_recipe_.reset();
    });
    return *recipe_;
}

std::shared_ptr<const TracedProgram> trace_on_device(const TensorFunction& function,
                                                     std::span<const Tensor> inputs,
                                                     const DeviceTraceOptions& options) {
    // In this order: what the function leaves behind goes before the frame that it was planned in.
    const PlanningFrame frame(OutsideOfFrame::kAreRefused);
    const ScopedPlanning planning(frame);
    const record::PrivateLog log;
    internal::Recorder recorder(log, inputs, options.location_source);
    std::vector<Tensor> results;
    {
        const ScopedCallRecorder scope(&recorder);
        results = function(inputs);
    }
    std::shared_ptr<internal::RecordedCalls> recorded = recorder.finish(inputs, results);
    recorded->name = options.name;
    recorded->input_names = options.input_names;
    return std::make_shared<const TracedProgram>(std::move(recorded));
}

}  // namespace tilemeter::trace
