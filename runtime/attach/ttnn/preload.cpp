// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs that nobody edits: with this library in LD_PRELOAD and TILEMETER_ATTACH=REPORT in the environment, a capture
// begins before main(), or where TT-NN is loaded later as soon as that is done, and ends after main(). The program `tilemeter
// attach` sets both; where it did, TILEMETER_ATTACH_WAITS is the number of the process that says at its end that nothing
// loaded TT-NN. TILEMETER_ATTACH_STREAM names a file for the events, TILEMETER_ATTACH_TEXT=1 adds arguments as texts. A child
// of a program that is captured runs as without. The thread that has TT-NN loaded is captured; with
// TILEMETER_ATTACH_THREADS=all those that start after it, too, from their first operation on. TT-NN's own workers are among
// them, so that it is for who asks for it.
//
// The version is that of the package that the libraries lie in; TILEMETER_ATTACH_VERSION names it for other builds. One that
// was never compared is refused.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
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
std::atomic<bool> waits{false};  ///< for TT-NN to be loaded
pid_t speaker = 0;               ///< says at its end that nothing loaded it
fs::file_time_type& began = *new fs::file_time_type;

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

void attach_to(const Libraries& libraries) {
    setenv("TILEMETER_ATTACH_OWNER", "preload", 1);
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
    unsigned flags = 0;
    if (std::getenv("TILEMETER_ATTACH_TEXT") != nullptr) flags = TILEMETER_ATTACH_TEXTS;
    if (const char* const wrong =
            tilemeter_attach_begin(0, std::getenv("TILEMETER_ATTACH_STREAM"), flags, 1, &capture))
        return say(beginning + wrong);
    describe_devices_in_passing();
    const char* const threads = std::getenv("TILEMETER_ATTACH_THREADS");
    captures_all_threads = threads != nullptr && std::string_view(threads) == "all";
    owner = getpid();
    std::atexit(end);
}

/// Attaches where TT-NN is loaded by now; what it consists of has been initialised.
void look() {
    static auto& once = *new std::mutex;
    const std::scoped_lock lock(once);
    if (!waits) return;
    // Python's own start has taken it (tilemeter_attach.pth), or the parent has.
    if (std::getenv("TILEMETER_ATTACH_OWNER") != nullptr) {
        waits = false;
        return;
    }
    const Libraries libraries = loaded_libraries();
    if (libraries.metal.empty() || libraries.ttnn.empty()) return;
    waits = false;
    attach_to(libraries);
}

void say_if_nothing_was_loaded() {
    if (getpid() != speaker || !waits.exchange(false)) return;
    // One of its children may have been the program that was meant.
    std::error_code failed;
    const fs::file_time_type written = fs::last_write_time(report_path, failed);
    if (!failed && written >= began) return;
    say("cannot attach: the program never loaded TT-NN");
}

void begin() {
    const char* const wanted = std::getenv("TILEMETER_ATTACH");
    if (wanted == nullptr || *wanted == '\0' || std::getenv("TILEMETER_ATTACH_OWNER") != nullptr) return;
    std::error_code failed;
    report_path = fs::absolute(wanted, failed);
    waits = true;
    const char* const said = std::getenv("TILEMETER_ATTACH_WAITS");
    if (said != nullptr && std::to_string(getpid()) == said) {
        speaker = getpid();
        began = fs::file_time_type::clock::now();
        std::atexit(say_if_nothing_was_loaded);
    }
    look();
}

/// Whether a library that this code opens is looked for elsewhere than one that we open: by a path of its own.
bool has_own_search_path(const void* code) {
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr)
        return true;
    for (const ElfW(Dyn)* each = map->l_ld; each->d_tag != DT_NULL; ++each)
        if (each->d_tag == DT_RUNPATH || each->d_tag == DT_RPATH) return true;
    return false;
}

thread_local int opening = 0;  // libraries that are being initialised

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

/// In the place of glibc's: where TT-NN is loaded after main() began, its capture begins when that is done. A library that is
/// looked for by a path of the caller's is left to glibc, which asks who called; the next call sees what came with it.
extern "C" __attribute__((visibility("default"), optimize("O2"))) void* dlopen(const char* name,
                                                                               int mode) noexcept {
    namespace ours = tilemeter::attach::ttnn;
    using Open = void* (*)(const char*, int);
    static const auto open = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
    if (!ours::waits || name == nullptr) return open(name, mode);
    if (ours::opening == 0) ours::look();
    const std::string_view text(name);
    if (text.find('$') != std::string_view::npos ||
        (text.find('/') == std::string_view::npos && ours::has_own_search_path(__builtin_return_address(0))))
        return open(name, mode);
    ++ours::opening;
    void* const opened = open(name, mode);
    if (--ours::opening == 0) ours::look();
    return opened;
}

/// In the place of glibc's, for programs that end so, as shells do: what is registered for the end does not run.
extern "C" __attribute__((visibility("default"), noreturn)) void _exit(int status) {  // NOLINT: of POSIX
    namespace ours = tilemeter::attach::ttnn;
    ours::say_if_nothing_was_loaded();
    using Exit = void (*)(int);
    reinterpret_cast<Exit>(dlsym(RTLD_NEXT, "_exit"))(status);
    __builtin_unreachable();
}
