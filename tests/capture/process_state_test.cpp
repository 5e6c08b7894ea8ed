// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A capture leaves the process as it found it: file descriptors, signal handlers and mask, environment,
// threads.

#include <array>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/stack.hpp"

extern char** environ;

namespace tilemeter {
namespace {

namespace fs = std::filesystem;
using graph::GraphProcessor;

struct ProcessState {
    std::map<std::string, std::string> descriptors;
    std::size_t threads = 0;
    std::vector<std::tuple<void (*)(int), int>> handlers;
    std::string blocked_signals;
    std::terminate_handler terminate = nullptr;
    std::vector<std::string> environment;
    friend bool operator==(const ProcessState&, const ProcessState&) = default;
};

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.insert(entry.path().filename());
    return names;
}

ProcessState process_state() {
    ProcessState state;
    for (const std::string& name : names_in("/proc/self/fd")) {
        std::error_code error;
        const fs::path target = fs::read_symlink("/proc/self/fd/" + name, error);
        if (!error) state.descriptors[name] = target;  // the listing's own is gone again
    }
    state.threads = names_in("/proc/self/task").size();
    for (int signal = 1; signal < NSIG; ++signal) {
        struct sigaction action {};
        constexpr int kRestorer = 0x04000000;  // the C library's own, for whatever was set through it
        if (sigaction(signal, nullptr, &action) == 0)
            state.handlers.emplace_back(action.sa_handler, action.sa_flags & ~kRestorer);
    }
    state.terminate = std::get_terminate();
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, nullptr, &blocked);
    for (int signal = 1; signal < NSIG; ++signal)
        state.blocked_signals += sigismember(&blocked, signal) == 1 ? '1' : '0';
    for (char** each = environ; *each != nullptr; ++each)
        state.environment.emplace_back(*each);
    return state;
}

void work() {
    for (int i = 0; i < 3000; ++i) {
        GraphProcessor::track_function_start("op");
        GraphProcessor::track_function_end();
    }
}

void expect_unchanged(const graph::CaptureOptions& options) {
    const ProcessState before = process_state();
    GraphProcessor::begin_graph_capture(options);
    work();
    GraphProcessor::end_graph_capture();
    const ProcessState after = process_state();
    EXPECT_EQ(before.descriptors, after.descriptors);
    EXPECT_EQ(before.threads, after.threads);
    EXPECT_TRUE(before.handlers == after.handlers);
    EXPECT_TRUE(before.terminate == after.terminate);
    EXPECT_EQ(before.blocked_signals, after.blocked_signals);
    EXPECT_EQ(before.environment, after.environment);
}

TEST(ProcessState, given_a_capture_in_memory_then_it_is_as_before) {
    expect_unchanged({});
}

TEST(ProcessState, given_stack_traces_then_it_is_as_before) {
    // With its first walk libunwind opens a pipe of its own, through which it asks the kernel whether
    // addresses can be read, and keeps it.
    record::capture_stack();
    graph::CaptureOptions options;
    options.detail = record::Detail::kPages;
    expect_unchanged(options);
}

TEST(ProcessState, given_a_recording_file_then_it_is_as_before_but_for_the_file) {
    graph::CaptureOptions options;
    options.recording = fs::temp_directory_path() / ("process_state_test." + std::to_string(getpid()));
    expect_unchanged(options);
    EXPECT_TRUE(fs::remove(options.recording));
}

}  // namespace
}  // namespace tilemeter
