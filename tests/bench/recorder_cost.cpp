// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost that a capture adds to a program: add and deallocate, again and again, with and without one. Prints one line
// of JSON per round: {"variant": {"ns": CPU time of the thread, "nodes": n}, ...}. recorder_beside_ttnn runs it in
// turns with ttnn_recorder.py, which does the same in TT-NN.
//
//     recorder_cost [CALLS [ROUNDS]]

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/operations.hpp"

namespace {

using namespace tilemeter;
using graph::GraphProcessor;

std::uint64_t cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t time_of_calls(const Tensor& a, const Tensor& b, int calls) {
    const std::uint64_t begin = cpu_ns();
    for (int i = 0; i < calls; ++i)
        add(a, b).deallocate();
    return cpu_ns() - begin;
}

}  // namespace

int main(int argc, char** argv) {
    const int calls = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
    const auto device = open_device(0);
    const auto zeros_of = [&] { return zeros({1, 1, 64, 64}, DataType::BFLOAT16, Layout::TILE, device); };
    const Tensor a = zeros_of();
    const Tensor b = zeros_of();
    time_of_calls(a, b, calls);  // the program cache, and the first memory
    using record::Detail;
    std::vector<std::pair<std::string, Detail>> variants = {{"no capture", Detail::kCounters},
                                                            {"NORMAL", Detail::kArguments},
                                                            {"NORMAL + stacks", Detail::kStacks},
                                                            {"NORMAL + stacks + pages", Detail::kPages}};
    for (int round = 0; round < rounds; ++round) {
        nlohmann::ordered_json line;
        for (const auto& [name, detail] : variants) {
            const bool captured = name != "no capture";
            if (captured) {
                graph::CaptureOptions options;
                options.detail = detail;
                GraphProcessor::begin_graph_capture(options);
            }
            const std::uint64_t ns = time_of_calls(a, b, calls);
            line[name] = {{"ns", ns}, {"nodes", captured ? GraphProcessor::end_capture().node_count() : 0}};
        }
        std::cout << line.dump() << '\n';
    }
}
