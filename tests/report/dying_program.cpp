// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A program that records to a file and dies in one of many ways: dying_program HOW RECORDING [LIBRARY].

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"

namespace dying {

volatile int zero = 0;
int* volatile nowhere = nullptr;

[[gnu::noinline, gnu::no_sanitize("undefined")]] void write_nowhere() {
    *nowhere = 1;
    asm volatile("" ::: "memory");
}

[[gnu::noinline]] void give_up() {
    std::abort();
}

[[gnu::noinline, gnu::no_sanitize("undefined")]] void divide_by_zero() {
    zero = 7 / zero;
}

[[gnu::noinline]] void throw_something() {
    throw std::runtime_error("nobody\nlistens");
}

[[gnu::noinline]] void break_promise() noexcept {
    throw_something();
}

volatile int deepest = 1'000'000'000;  // deeper than any stack

[[gnu::noinline]] int go_deeper(int depth) {
    if (depth == deepest) return 0;
    volatile char frame[512];
    frame[0] = static_cast<char>(depth);
    const int below = go_deeper(depth + 1);
    return below + frame[0];
}

[[gnu::noinline]] void raise_and_wait() {
    kill(getpid(), SIGSEGV);
    for (;;)
        pause();
}

void on_thread(void (*work)()) {
    std::thread([work] {
        pthread_setname_np(pthread_self(), "worker");
        tilemeter::graph::GraphProcessor::track_function_start("on thread");
        work();
    }).join();
}

sigjmp_buf recovered;

struct sigaction before {};

void set_handler(int signal, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(signal, &action, &before);
}

void leave_with_7(int, siginfo_t* info, void*) {
    if (info->si_addr == nowhere) _exit(7);
    _exit(1);
}

void leave_by_jump(int, siginfo_t*, void*) {
    siglongjmp(recovered, 1);
}

// As handlers of libraries do that were installed later: its own word, then whoever was before.
void say_and_pass_on(int signal, siginfo_t*, void*) {
    static_cast<void>(write(STDERR_FILENO, "later handler\n", 14) + 1);
    sigaction(signal, &before, nullptr);
    raise(signal);
}

void abort_in_turn(int, siginfo_t*, void*) {
    std::abort();
}

void before_recording(const std::string& how) {
    if (how == "own_handler") set_handler(SIGSEGV, leave_with_7);
    if (how == "survives") set_handler(SIGSEGV, leave_by_jump);
    if (how == "aborting_handler") set_handler(SIGSEGV, abort_in_turn);
    if (how == "own_terminate") std::set_terminate([] { _exit(9); });
    if (how == "ignored") std::signal(SIGABRT, SIG_IGN);
}

void die_in_library(const char* library) {
    void* const handle = dlopen(library, RTLD_NOW);
    if (handle == nullptr) _exit(1);
    reinterpret_cast<void (*)()>(dlsym(handle, "crash_in_library"))();
}

void die(const std::string& how, const char* library) {
    static const std::map<std::string, void (*)()> kWays = {
        {"segfault", write_nowhere},
        {"abort", give_up},
        {"divide", divide_by_zero},
        {"throw", throw_something},
        {"promise", break_promise},
        {"overflow", [] { go_deeper(0); }},
        {"sent", raise_and_wait},
        {"own_handler", write_nowhere},
        {"aborting_handler", write_nowhere},
        {"own_terminate", throw_something},
        {"thread", [] { on_thread(write_nowhere); }},
        {"thread_overflow", [] { on_thread([] { go_deeper(0); }); }},
        {"thread_throw", [] { on_thread(throw_something); }},
        {"later_handler",
         [] {
             set_handler(SIGSEGV, say_and_pass_on);
             write_nowhere();
         }},
        {"survives",
         [] {
             if (sigsetjmp(recovered, 1) == 0) write_nowhere();
             tilemeter::graph::GraphProcessor::track_function_start("afterwards");
             raise(SIGKILL);
         }},
        {"ignored", [] { raise(SIGABRT); }},
    };
    if (how == "library") return die_in_library(library);
    kWays.at(how)();
}

}  // namespace dying

int main(int, char** arguments) {
    const std::string how = arguments[1];
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dying::before_recording(how);
    if (how == "late") {  // two recordings, with a handler that came between
        for (int i = 0; i < 2; ++i) {
            tilemeter::graph::CaptureOptions options;
            options.recording = arguments[2];
            tilemeter::graph::GraphProcessor::begin_graph_capture(options);
            if (i == 0) dying::set_handler(SIGSEGV, dying::say_and_pass_on);
            if (i == 0) tilemeter::graph::GraphProcessor::end_capture();
        }
        dying::write_nowhere();
    }
    tilemeter::graph::CaptureOptions options;
    options.recording = arguments[2];
    tilemeter::graph::GraphProcessor::begin_graph_capture(options);
    tilemeter::graph::GraphProcessor::track_function_start("ttnn.last");
    dying::die(how, arguments[3]);
    tilemeter::graph::GraphProcessor::track_function_end();
    tilemeter::graph::GraphProcessor::end_capture();
    return 0;
}
