// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The MiniLM encoder with zero weights, called like from Python: its report is compared with what TT-NN
// recorded of the same model (minilm_encoder).

#include <iostream>
#include <string>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "tools/command/arguments.hpp"
#include "tools/minilm_demo/weights.hpp"

int main(int argc, char** argv) {
    using namespace tilemeter;  // NOLINT(google-build-using-namespace): a script
    std::string mode = "NORMAL";
    std::string device_name = "n150";
    std::string out;
    std::uint32_t batch = 8;
    const command::Program program{
        .name = "minilm_workload",
        .documentation = "Writes the report of a MiniLM encoder with zero weights.",
        .parameters = {{"--mode", &mode, "", {.one_of = {"NORMAL", "NO_DISPATCH"}}},
                       {"--device", &device_name},
                       {"--batch", &batch},
                       {"--out", &out, "", {.required = true}}}};
    if (const auto ended = command::parse(program, argc, argv)) return *ended;
    try {
        const ScopedCallStyle python(CallStyle::kPython);
        DeviceOptions options;
        options.description = device_name;
        const std::shared_ptr<Device> device = open_device(0, options);
        const demo::Encoder encoder({}, demo::zero_weights(device));
        graph::GraphProcessor::begin_graph_capture(mode == "NORMAL" ? graph::RunMode::NORMAL
                                                                    : graph::RunMode::NO_DISPATCH);
        const Tensor tokens = zeros({batch, demo::Encoder::kSequence}, uint32, ROW_MAJOR_LAYOUT, device);
        const Tensor mask = zeros({batch, 1, 1, demo::Encoder::kSequence}, bfloat16, TILE_LAYOUT, device);
        const Tensor hidden = encoder(tokens, mask);
        const Tensor pooled = mean(hidden, 1);
        graph::GraphProcessor::end_graph_capture_to_file(out);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "minilm_workload: " << error.what() << "\n";
        return 1;
    }
}
