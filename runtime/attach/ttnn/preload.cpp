// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// C++ programs that nobody edits: with this library in LD_PRELOAD and TILEMETER_ATTACH=REPORT in the environment, a capture
// begins before main() and ends after it. TILEMETER_ATTACH_STREAM names a file for its events. A program that has not
// loaded TT-NN when main() begins, and a child of a program that is captured, run as without. The thread of main() is
// captured; with TILEMETER_ATTACH_THREADS=all those that start after it, too, from their first operation on. TT-NN's own
// workers are among them, so that it is for who asks for it.
//
// The version is that of the package that the libraries lie in; TILEMETER_ATTACH_VERSION names it for other builds. One that
// was never compared is refused.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include "report/report_writer.hpp"
#include "runtime/attach/ttnn/attach.h"
#include "runtime/attach/ttnn/devices.hpp"

namespace tilemeter::attach::ttnn {

namespace {

namespace fs = std::filesystem;

using Main = int (*)(int, char**, char**);
Main main_of_program = nullptr;
bool captures_all_threads = false;  // written before main() begins
std::string& report_path = *new std::string;
std::uint64_t capture = 0;
pid_t owner = 0;

void say(const std::string& line) {
    std::fprintf(stderr, "tilemeter: %s\n", line.c_str());
}

struct Libraries {
    std::string metal;
    std::string ttnn;
};

Libraries loaded_libraries() {
    Libraries found;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& libraries = *static_cast<Libraries*>(data);
            const std::string_view path(info->dlpi_name);
            if (path.ends_with("/libtt_metal.so")) libraries.metal = path;
            if (path.ends_with("/_ttnncpp.so")) libraries.ttnn = path;
            return 0;
        },
        &found);
    return found;
}

/// From the folder that pip keeps beside the package: SITE/ttnn-VERSION.dist-info for SITE/ttnn/build/lib/LIBRARY.
std::string version_of(const std::string& library) {
    if (const char* const said = std::getenv("TILEMETER_ATTACH_VERSION")) return said;
    constexpr std::string_view kBegin = "ttnn-";
    constexpr std::string_view kEnd = ".dist-info";
    std::error_code failed;
    const fs::path site = fs::path(library).parent_path().parent_path().parent_path().parent_path();
    for (const fs::directory_entry& each : fs::directory_iterator(site, failed)) {
        const std::string name = each.path().filename();
        if (name.starts_with(kBegin) && name.ends_with(kEnd))
            return name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
    }
    return {};
}

/// Why the version is none to attach to; empty: it is one. Python's start runs the self-test with others (_observer.py);
/// here there is none.
std::string what_is_wrong_with(const std::string& version) {
    constexpr std::string_view kCompared[] = {"0.79.0", "0.80.0", "0.81.1"};
    if (std::find(std::begin(kCompared), std::end(kCompared), version) != std::end(kCompared)) return {};
    int major = 0;
    int minor = 0;
    constexpr int kOldestMinor = 79;
    if (std::sscanf(version.c_str(), "%d.%d", &major, &minor) == 2 && major == 0 && minor < kOldestMinor)
        return "0.79 is the oldest that is known; convert TT-NN's own report instead: graph_report REPORT.json OUT_DIR";
    return "it was never compared; TILEMETER_ATTACH_VERSION=0.81.1 attaches as to that one";
}

void end() {
    if (getpid() != owner) return;
    tilemeter_attach_exit();
    if (const char* const wrong = tilemeter_attach_end(capture, report_path.c_str())) {
        // The program's work cannot be done again: it is kept where something can be written.
        const std::string problem = wrong;
        std::error_code failed;
        report_path = fs::temp_directory_path(failed) / ("tilemeter_" + std::to_string(owner) + ".json");
        if (const char* const another = tilemeter_attach_end(capture, report_path.c_str()))
            return say(problem + "; nor could it be kept: " + another);
        say(problem + "; it is kept in " + report_path);
    }
    if (const char* const summary = tilemeter_attach_summary(report_path.c_str())) say(summary);
}

void begin() {
    const char* const wanted = std::getenv("TILEMETER_ATTACH");
    if (wanted == nullptr || *wanted == '\0' || std::getenv("TILEMETER_ATTACH_OWNER") != nullptr) return;
    const Libraries libraries = loaded_libraries();
    if (libraries.metal.empty() || libraries.ttnn.empty()) return;  // a program beside the one that is meant
    setenv("TILEMETER_ATTACH_OWNER", "preload", 1);
    std::error_code failed;
    report_path = fs::absolute(wanted, failed);
    const std::string version = version_of(libraries.metal);
    if (version.empty())
        return say("cannot attach: TT-NN does not say its version; TILEMETER_ATTACH_VERSION names it");
    const std::string beginning = "cannot attach to TT-NN " + version + ": ";
    if (const std::string wrong = what_is_wrong_with(version); !wrong.empty()) return say(beginning + wrong);
    if (const auto place = report::check_report_path(report_path); !place)
        return say("cannot attach: " + place.error().message());
    if (const char* const wrong =
            tilemeter_attach_load(libraries.metal.c_str(), libraries.ttnn.c_str(), version.c_str()))
        return say(beginning + wrong);
    if (const char* const wrong =
            tilemeter_attach_begin(0, std::getenv("TILEMETER_ATTACH_STREAM"), 0, 1, &capture))
        return say(beginning + wrong);
    describe_devices_in_passing();
    const char* const threads = std::getenv("TILEMETER_ATTACH_THREADS");
    captures_all_threads = threads != nullptr && std::string_view(threads) == "all";
    owner = getpid();
    std::atexit(end);
}

struct ThreadStart {
    void* (*run)(void*);
    void* argument;
};

void* run_captured(void* start) {
    const std::unique_ptr<ThreadStart> owned(static_cast<ThreadStart*>(start));
    const ThreadStart begins = *owned;
    if (getpid() == owner) tilemeter_attach_join();
    return begins.run(begins.argument);
}

int main_with_capture(int count, char** arguments, char** environment) {
    begin();
    return main_of_program(count, arguments, environment);
}

}  // namespace

}  // namespace tilemeter::attach::ttnn

/// In the place of glibc's: a thread joins the capture before it runs anything. It matters in LD_PRELOAD only.
extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*run)(void*), void* argument) {
    namespace ours = tilemeter::attach::ttnn;
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (!ours::captures_all_threads) return create(thread, attributes, run, argument);
    std::unique_ptr<ours::ThreadStart> start(new (std::nothrow) ours::ThreadStart{run, argument});
    if (start == nullptr) return create(thread, attributes, run, argument);  // runs as without
    const int failed = create(thread, attributes, &ours::run_captured, start.get());
    if (failed == 0) start.release();  // the thread's
    return failed;
}

/// In the place of glibc's, which runs main(): libraries are initialised then. It matters in LD_PRELOAD only.
extern "C" __attribute__((visibility("default"))) int
__libc_start_main(  // NOLINT(bugprone-reserved-identifier)
    int (*main)(int, char**, char**), int count, char** arguments, void (*initialise)(), void (*finish)(),
    void (*finish_loader)(), void* stack_end) {
    namespace ours = tilemeter::attach::ttnn;
    ours::main_of_program = main;
    using Start = int (*)(ours::Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
    return start(&ours::main_with_capture, count, arguments, initialise, finish, finish_loader, stack_end);
}
