// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Traces one of the models with zero weights and writes two reports: the plan of its replay, and what a NORMAL capture of
// the replay records.

#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "capture/graph/captured_graph.hpp"
#include "capture/graph/graph_processor.hpp"
#include "report/report_writer.hpp"
#include "runtime/device/device.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/replay/executable.hpp"
#include "tests/workloads/models.hpp"
#include "tools/command/arguments.hpp"

namespace tilemeter::workloads {

namespace {

int run(const Setup setup, const std::string& device_name, const std::string& plan,
        const std::string& capture) {
    DeviceOptions options;
    options.description = device_name;
    const std::shared_ptr<Device> device = open_device(0, options);
    const Model model = setup(device, {{"input_first", 1}});  // inputs that the model does not free
    const trace::Executable executable(
        trace::trace_on_device([&](std::span<const Tensor>) { return std::vector<Tensor>{model()}; }, {}));
    executable.save(plan, {}, [](const graph::CapturedGraph& captured, const std::filesystem::path& path) {
        const report::Status written = report::write_report(captured, path);
        return written ? std::string() : written.error().message();
    });
    graph::GraphProcessor::begin_graph_capture();
    const std::vector<Tensor> results = executable.replay({});
    graph::GraphProcessor::end_graph_capture_to_file(capture);
    return 0;
}

}  // namespace

}  // namespace tilemeter::workloads

int main(int argc, char** argv) {
    using namespace tilemeter::workloads;  // NOLINT(google-build-using-namespace): a script
    std::string model, device = "n150", plan, capture;
    const tilemeter::command::Program program{
        .name = "traced_workload",
        .documentation = "Writes the plan of a traced model's replay, and a capture of the replay.",
        .parameters = {{"model", &model, "", {.required = true, .one_of = names_of_models()}},
                       {"--device", &device},
                       {"--plan", &plan, "", {.required = true}},
                       {"--capture", &capture, "", {.required = true}}}};
    if (const auto ended = tilemeter::command::parse(program, argc, argv)) return *ended;
    try {
        return run(models().at(model), device, plan, capture);
    } catch (const std::exception& error) {
        std::cerr << "traced_workload: " << error.what() << "\n";
        return 1;
    }
}
