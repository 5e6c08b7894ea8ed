// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/traced_program.hpp"

#include <utility>

#include "capture/record/private_log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/trace/device/internal/recorder.hpp"

namespace tilemeter::trace {

const std::shared_ptr<Device>& TracedProgram::device() const {
    return recipe_->device;
}

std::size_t TracedProgram::input_count() const {
    return recipe_->inputs.size();
}

std::size_t TracedProgram::program_count() const {
    return recipe_->programs.size();
}

std::vector<std::shared_ptr<Buffer>> TracedProgram::captured() const {
    std::vector<std::shared_ptr<Buffer>> buffers;
    for (const internal::SlotInfo& slot : recipe_->slots)
        if (slot.captured) buffers.push_back(slot.captured);
    return buffers;
}

std::shared_ptr<const TracedProgram> trace_on_device(const TensorFunction& function,
                                                     std::span<const Tensor> inputs,
                                                     const DeviceTraceOptions& options) {
    // In this order: what the function leaves behind goes before the frame that it was planned in.
    const PlanningFrame frame(OutsideOfFrame::kAreRefused);
    const ScopedPlanning planning(frame);
    const record::PrivateLog log;
    internal::Recorder recorder(log, inputs);
    std::vector<Tensor> results;
    {
        const ScopedCallRecorder scope(&recorder);
        results = function(inputs);
    }
    auto [graph, recipe] = recorder.finish(options.name, options.input_names, inputs, results);
    return std::make_shared<const TracedProgram>(std::move(graph), std::move(recipe));
}

}  // namespace tilemeter::trace
