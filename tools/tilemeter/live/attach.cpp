// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <elf.h>
#include <unistd.h>

#include "report/report_writer.hpp"
#include "tools/tilemeter/live/process.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

namespace fs = std::filesystem;

namespace {

struct AttachOptions {
    std::vector<std::string> program;
    std::string out = "attached.json";
    std::string stream, version;
    bool text = false, threads = false;
};

/// The recorder that is preloaded: of an installation or a build, or of the Python package.
fs::path recorder() {
    constexpr const char* kName = "libtilemeter_attach_ttnn.so";
    if (const char* const named = std::getenv("TILEMETER_ATTACH_LIBRARY")) return fs::absolute(named);
    std::vector<fs::path> places;
    std::error_code failed;
    for (const fs::path& prefix : own_prefixes()) {
        places.push_back(prefix / "tilemeter_attach");
        for (const fs::directory_entry& each : fs::directory_iterator(prefix, failed)) {
            if (!each.path().filename().string().starts_with("lib")) continue;
            places.push_back(each.path());
            for (const fs::directory_entry& inner : fs::directory_iterator(each.path(), failed))
                if (inner.is_directory(failed)) places.push_back(inner.path());
        }
    }
    for (const fs::path& place : places)
        if (fs::exists(place / kName, failed)) return fs::weakly_canonical(place / kName, failed);
    throw Failure("attach: " + std::string(kName) +
                  " is not beside this program; TILEMETER_ATTACH_LIBRARY names it");
}

/// The program's file, as a shell finds it; Failure where there is none that can be run.
fs::path file_of(const std::string& program) {
    std::error_code failed;
    if (program.find('/') != std::string::npos) {
        if (!fs::exists(program, failed))
            throw Failure("attach: " + program + ": expected a program, found nothing", kWrongUsage);
        if (::access(program.c_str(), X_OK) != 0 || fs::is_directory(program, failed))
            throw Failure("attach: " + program + ": expected a program, found what cannot be run",
                          kWrongUsage);
        return program;
    }
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::path file = fs::path(folder.empty() ? "." : folder) / program;
            ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file, failed))
            return file;
    throw Failure("attach: " + program + ": expected a program, found none in PATH", kWrongUsage);
}

/// True of a program that no loader starts, so that nothing can be preloaded.
bool is_static(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    Elf64_Ehdr head{};
    stream.read(reinterpret_cast<char*>(&head), sizeof head);  // NOLINT: bytes of a file
    if (!stream || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    stream.seekg(static_cast<std::streamoff>(head.e_phoff));
    for (int i = 0; i < head.e_phnum; ++i) {
        Elf64_Phdr part{};
        stream.read(reinterpret_cast<char*>(&part), sizeof part);  // NOLINT
        if (!stream || part.p_type == PT_INTERP) return false;
    }
    return true;
}

void set(const char* name, const std::string& value) {
    if (::setenv(name, value.c_str(), 1) != 0)  // NOLINT(concurrency-mt-unsafe): there is one thread
        throw Failure(std::string("attach: ") + std::strerror(errno));
}

void check_place(const std::string& path) {
    // Hours of work are not begun for a report that cannot be written.
    if (const auto place = report::check_report_path(path); !place)
        throw Failure("cannot attach: " + place.error().message(), kWrongUsage);
}

void run_attached(const AttachOptions& options) {
    const std::string report = fs::absolute(options.out);
    const std::string stream = options.stream.empty() ? "" : fs::absolute(options.stream).string();
    check_place(report);
    if (!stream.empty()) check_place(stream);
    const fs::path file = file_of(options.program[0]);
    const std::string library = recorder();
    if (is_static(file))
        std::cerr << "tilemeter: cannot attach: " << options.program[0]
                  << " is linked statically, so that nothing can be preloaded\n";
    const char* const others = std::getenv("LD_PRELOAD");
    set("LD_PRELOAD", library + (others != nullptr && *others != '\0' ? std::string(":") + others : ""));
    set("TILEMETER_ATTACH", report);
    // The process that says so where nothing was recorded: it keeps its number.
    set("TILEMETER_ATTACH_WAITS", std::to_string(::getpid()));
    if (!stream.empty()) set("TILEMETER_ATTACH_STREAM", stream);
    if (!options.version.empty()) set("TILEMETER_ATTACH_VERSION", options.version);
    if (options.text) set("TILEMETER_ATTACH_TEXT", "1");
    if (options.threads) set("TILEMETER_ATTACH_THREADS", "all");
    ::unsetenv("TILEMETER_ATTACH_OWNER");      // NOLINT(concurrency-mt-unsafe)
    ::unsetenv("TILEMETER_ATTACHED_PROCESS");  // NOLINT(concurrency-mt-unsafe)
    std::cout.flush();
    std::vector<std::string> words = options.program;
    std::vector<char*> arguments;
    for (std::string& each : words)
        arguments.push_back(each.data());
    arguments.push_back(nullptr);
    ::execv(file.c_str(), arguments.data());
    throw Failure("attach: " + options.program[0] + ": cannot be started: " + std::strerror(errno),
                  kWrongUsage);
}

}  // namespace

command::Verb attach_verb() {
    auto options = std::make_shared<AttachOptions>();
    return {
        .name = "attach",
        .documentation =
            "Runs a program that links the real TT-NN, unchanged, and records what TT-NN does in it",
        .parameters =
            {{"program",
              &options->program,
              "the program and its arguments; its exit status is this one's",
              {.required = true, .takes_rest = true}},
             {"--out", &options->out, "the report of the whole run", {.shows_default = true}},
             {"--stream", &options->stream, "events go into this recording file; it outlives the process"},
             {"--text", &options->text, "arguments of operations as texts: 6 to 9 us an operation"},
             {"--threads", &options->threads,
              "threads that the program starts, too, TT-NN's own workers among them"},
             {"--ttnn-version", &options->version,
              "what to take TT-NN for, where it does not say its version or that one was never compared"}},
        .example = "tilemeter attach --out report.json -- build/program --batch 8",
        .run = [options] { run_attached(*options); }};
}

}  // namespace tilemeter::cli
