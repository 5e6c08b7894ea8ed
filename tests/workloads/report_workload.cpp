// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Runs one of the models, called like from Python, and writes its report.

#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/workloads/models.hpp"
#include "tools/command/arguments.hpp"

namespace tilemeter::workloads {

namespace {

/// "layers=24" and the like. Throws std::exception for other texts.
Sizes sizes_of(const std::vector<std::string>& texts) {
    Sizes sizes;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            throw std::invalid_argument("--size: expected NAME=NUMBER, got " + text);
        sizes[text.substr(0, equals)] = static_cast<std::uint32_t>(std::stoul(text.substr(equals + 1)));
    }
    return sizes;
}

int run(const Setup setup, const Sizes& sizes, const std::string& device_name, graph::RunMode mode,
        std::uint32_t warm_runs, const std::string& out) {
    const ScopedCallStyle python(CallStyle::kPython);
    DeviceOptions options;
    options.description = device_name;
    const std::shared_ptr<Device> device = open_device(0, options);
    const Model model = setup(device, sizes);
    for (std::uint32_t i = 0; i < warm_runs; ++i)
        model();
    graph::GraphProcessor::begin_graph_capture(mode);
    const Tensor result = model();
    graph::GraphProcessor::end_graph_capture_to_file(out);
    return 0;
}

}  // namespace

}  // namespace tilemeter::workloads

int main(int argc, char** argv) {
    using namespace tilemeter::workloads;  // NOLINT(google-build-using-namespace): a script
    std::string model;
    std::string mode = "NORMAL";
    std::string device = "n150";
    std::string out;
    std::uint32_t warm_runs = 0;
    std::vector<std::string> size_texts;
    const tilemeter::command::Program program{
        .name = "report_workload",
        .documentation = "Writes the report of a model with zero weights.",
        .parameters = {{"model", &model, "", {.required = true, .one_of = names_of_models()}},
                       {"--mode", &mode, "", {.one_of = {"NORMAL", "NO_DISPATCH"}}},
                       {"--device", &device},
                       {"--warm", &warm_runs, "runs before the capture"},
                       {"--size", &size_texts, "NAME=NUMBER"},
                       {"--out", &out, "", {.required = true}}}};
    if (const auto ended = tilemeter::command::parse(program, argc, argv)) return *ended;
    try {
        return run(
            models().at(model), sizes_of(size_texts), device,
            mode == "NORMAL" ? tilemeter::graph::RunMode::NORMAL : tilemeter::graph::RunMode::NO_DISPATCH,
            warm_runs, out);
    } catch (const std::exception& error) {
        std::cerr << "report_workload: " << error.what() << "\n";
        return 1;
    }
}
