// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The main() of programs that `tilemeter run-cpp` builds: a capture around the program's own, which the linker calls
// __real_main (--wrap=main). The capture lies in a recording file, so that the verb can read it however the program ends.
// Without the variables the program runs as without this.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>

#include <unistd.h>

#include "capture/graph/graph_processor.hpp"

namespace {

using tilemeter::graph::ScopedGraphCapture;

std::unique_ptr<ScopedGraphCapture>& capture() {
    // Outlives all that the program destroys.
    static auto* const open = new std::unique_ptr<ScopedGraphCapture>;
    return *open;
}
const char* report = nullptr;
pid_t owner = 0;

const char* variable(const char* name) {
    return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before the program begins
}

void end() {
    if (getpid() != owner) return;  // a child's; the report is its parent's
    try {
        capture()->end_graph_capture_to_file(report);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tilemeter: %s\n", error.what());  // the verb has the recording
    }
}

void begin() {
    report = variable("TILEMETER_RUN_CPP_REPORT");
    const char* const recording = variable("TILEMETER_RUN_CPP_RECORDING");
    const char* const mode = variable("TILEMETER_RUN_CPP_MODE");
    if (report == nullptr || recording == nullptr || mode == nullptr) return;
    tilemeter::graph::CaptureOptions options;
    options.mode = std::string_view(mode) == "NORMAL" ? tilemeter::graph::RunMode::NORMAL
                                                      : tilemeter::graph::RunMode::NO_DISPATCH;
    options.recording = recording;
    // What a child of the program starts is a program of its own.
    unsetenv("TILEMETER_RUN_CPP_RECORDING");  // NOLINT(concurrency-mt-unsafe)
    try {
        capture() = std::make_unique<ScopedGraphCapture>(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tilemeter: %s\n", error.what());
        return;
    }
    owner = getpid();
    std::atexit(end);
}

}  // namespace

extern "C" int __real_main(int count, char** arguments, char** environment);  // NOLINT: the linker's names

extern "C" int __wrap_main(int count, char** arguments, char** environment) {  // NOLINT
    begin();
    return __real_main(count, arguments, environment);
}
