// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of tracing a model beside capturing it planned, and what a replay costs the host beside the calls: medians
// of interleaved rounds over MiniLM's encoder and the models of tests/workloads. Nothing is computed in them.
//
//   usage: device_trace_cost [ROUNDS [SOAK_ROUNDS]]
//
// SOAK_ROUNDS: a small function is traced, planned and replayed so often; what memory is left of it is printed.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <unistd.h>

#include "capture/record/window.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/operations.hpp"
#include "runtime/trace/device/replay/executable.hpp"
#include "tests/workloads/models.hpp"
#include "tools/minilm_demo/encoder.hpp"
#include "tools/minilm_demo/weights.hpp"

namespace {

using namespace tilemeter;
using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

void captured(record::RunMode mode, const std::function<void()>& work) {
    const record::WindowId window = record::open_window(mode);
    work();
    record::close_window(window);
}

void planned(const std::function<void()>& work) {
    const PlanningFrame frame;
    const ScopedPlanning planning(frame);
    work();
}

struct Measured {
    const char* name;
    std::function<void()> work;
    std::vector<double> seconds{};
};

void measure(const char* model, const trace::TensorFunction& function, std::span<const Tensor> inputs,
             int rounds) {
    function(inputs);  // from here on its programs are cached
    const auto traced = trace::trace_on_device(function, inputs);
    const trace::Executable executable(traced);
    const auto call = [&] { function(inputs); };
    const auto replay = [&] { executable.replay(inputs); };
    std::vector<Measured> all = {
        {"calls in a NO_DISPATCH capture", [&] { captured(record::RunMode::NO_DISPATCH, call); }},
        {"trace", [&] { trace::trace_on_device(function, inputs); }},
        {"trace and its graph", [&] { trace::trace_on_device(function, inputs)->graph(); }},
        {"trace and its executable", [&] { trace::Executable(trace::trace_on_device(function, inputs)); }},
        {"calls, planned, nothing recorded", [&] { planned(call); }},
        {"replay, planned, nothing recorded", [&] { planned(replay); }},
        {"replay in a NO_DISPATCH capture", [&] { captured(record::RunMode::NO_DISPATCH, replay); }},
    };
    for (int i = 0; i < rounds; ++i) {
        for (Measured& each : all)
            each.seconds.push_back(seconds_of(each.work));
    }
    std::vector<double> medians;
    const auto programs = static_cast<double>(traced->program_count());
    std::printf("%s: %zu programs, %zu equations\n", model, traced->program_count(),
                traced->graph().equation_count());
    for (const Measured& each : all) {
        medians.push_back(median(each.seconds));
        std::printf("  %-36s %8.1f us  %6.3f us a program\n", each.name, medians.back() * 1e6,
                    medians.back() * 1e6 / programs);
    }
    std::printf("  trace : capture = %.2f, replay : calls = %.2f, in a capture %.2f\n",
                medians[1] / medians[0], medians[5] / medians[4], medians[6] / medians[0]);
}

std::size_t resident_kilobytes() {
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

void soak(const std::shared_ptr<Device>& device, int rounds) {
    const std::vector<Tensor> inputs = {zeros({32, 64}, bfloat16, TILE_LAYOUT, device)};
    const trace::TensorFunction function = [](std::span<const Tensor> x) {
        return std::vector<Tensor>{relu(add(x[0], 1.0F), L1_MEMORY_CONFIG)};
    };
    const auto live_buffers = [&] {
        return device->owners(record::MemoryType::kDram).size() +
               device->owners(record::MemoryType::kL1).size();
    };
    function(inputs);
    const std::size_t before = live_buffers();
    for (int i = 1; i <= rounds; ++i) {
        const auto traced = trace::trace_on_device(function, inputs);
        traced->graph();
        const trace::Executable executable(traced);
        executable.plan(inputs);
        executable.replay(inputs);
        if (i % std::max(rounds / 10, 1) == 0)
            std::printf("after %d rounds: %zu KB resident, %zu buffers left\n", i, resident_kilobytes(),
                        live_buffers() - before);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
    const std::shared_ptr<Device> device = open_device();
    {
        const demo::Encoder encoder({}, demo::zero_weights(device));
        const std::vector<Tensor> inputs = {
            zeros({2, demo::Encoder::kSequence}, uint32, ROW_MAJOR_LAYOUT, device),
            zeros({2, 1, 1, demo::Encoder::kSequence}, bfloat16, TILE_LAYOUT, device)};
        measure(
            "MiniLM",
            [&](std::span<const Tensor> x) { return std::vector<Tensor>{mean(encoder(x[0], x[1]), 1)}; },
            inputs, rounds);
    }
    struct Case {
        const char* name;
        workloads::Setup setup;
    };
    for (const Case& each :
         {Case{"decoder", workloads::decoder}, Case{"attention_sdpa", workloads::attention_sdpa},
          Case{"attention_mm", workloads::attention_mm}, Case{"bert_tiny", workloads::bert_tiny}}) {
        const workloads::Model model = each.setup(device, {{"input_first", 1}});
        measure(
            each.name, [&](std::span<const Tensor>) { return std::vector<Tensor>{model()}; }, {}, rounds);
    }
    if (argc > 2) soak(device, std::atoi(argv[2]));
    close_device(*device);
    return 0;
}
