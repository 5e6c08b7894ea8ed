// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/recover.hpp"
#include "report/render/verdict_render.hpp"
#include "report/report_writer.hpp"
#include "report/same_file.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/live/cpp_build.hpp"
#include "tools/tilemeter/live/process.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

namespace fs = std::filesystem;

namespace {

struct RunCppOptions {
    std::vector<std::string> program;
    std::string report, package, build, target, device;
    std::string mode = "NO_DISPATCH";
    bool json = false;
};

/// A file of this process's own, which goes when the object does.
class TemporaryFile {
public:
    explicit TemporaryFile(fs::path path) : path_(std::move(path)) { remove(); }
    ~TemporaryFile() { remove(); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const fs::path& path() const { return path_; }

private:
    void remove() const {
        std::error_code failed;
        fs::remove(path_, failed);
    }
    fs::path path_;
};

/// A report of the same name may have been Python's, whose records of that run lie beside it.
void remove_sidecars(const fs::path& report) {
    for (const fs::path& each : report::files_of_report(report)) {
        std::error_code failed;
        const std::string name = each.filename().string();
        if (each != report && name.starts_with(report.stem().string() + ".")) fs::remove(each, failed);
    }
}

/// What became of the program, beside what its report says.
struct Outcome {
    Ended ended;
    std::string death;  ///< the cause of death in a line, where it left word
};

/// "model.cpp" and the folder "model/" give "model.json".
fs::path default_report(const std::string& program) {
    std::error_code failed;
    fs::path name = fs::weakly_canonical(program, failed).filename();
    if (name.empty()) name = "program";
    return fs::is_directory(program, failed) ? name += ".json" : name.replace_extension(".json");
}

/// The report of the program, in its place, whatever way the program ended.
Outcome captured_run(const BuiltProgram& built, const RunCppOptions& options, const fs::path& report) {
    const std::string own = "-" + std::to_string(::getpid());
    const TemporaryFile written(built.work / ("report" + own + ".json"));
    const TemporaryFile recording(built.work / ("recording" + own));
    Command command;
    command.words = {built.file.string()};
    command.words.insert(command.words.end(), options.program.begin() + 1, options.program.end());
    command.folder = built.folder;
    command.environment = {{"TILEMETER_RUN_CPP_REPORT", written.path().string()},
                           {"TILEMETER_RUN_CPP_RECORDING", recording.path().string()},
                           {"TILEMETER_RUN_CPP_MODE", options.mode}};
    if (!options.device.empty()) command.environment["TILEMETER_DEVICE"] = options.device;
    command.prints_to_errors = options.json;
    Outcome outcome;
    outcome.ended = run(command);
    std::error_code failed;
    if (fs::exists(written.path(), failed)) {
        fs::create_directories(report.parent_path(), failed);
        fs::copy_file(written.path(), report, fs::copy_options::overwrite_existing, failed);
        if (failed) throw cannot_be_written(report.string(), failed.value());
        return outcome;
    }
    if (!fs::exists(recording.path(), failed))
        throw Failure("run-cpp: " + options.program[0] + ": the program ended before its main()" +
                      (outcome.ended.signal != 0
                           ? ", by " + name_of_signal(outcome.ended.signal)
                           : ", with exit status " + std::to_string(outcome.ended.status)));
    const auto recovered = report::recover_report(recording.path(), report);
    if (!recovered) throw failure_of(recovered.error());
    if (const auto& death = recovered.value().death) outcome.death = report::to_text(*death);
    return outcome;
}

/// What a reader has to know of the program's end; empty where it ended well.
std::string end_text(const Outcome& outcome) {
    const Ended& ended = outcome.ended;
    if (ended.signal != 0)
        return "ended by " + name_of_signal(ended.signal) +
               (outcome.death.empty() ? "" : ": " + outcome.death);
    if (ended.status != 0) return "ended with exit status " + std::to_string(ended.status);
    return {};
}

void print_use(const char* what, const analysis::MemoryUse& use) {
    std::cout << "  " << what << "  peak " << analysis::use_text(use);
    if (const std::string headroom = analysis::headroom_text(use); !headroom.empty())
        std::cout << ", " << headroom;
    if (!use.operation.empty()) std::cout << "; in " << use.operation << " (node " << use.node << ")";
    std::cout << '\n';
}

void run_program(const RunCppOptions& options) {
    if (!options.device.empty()) device_limits(options.device);  // refuses names that are none
    const fs::path report =
        fs::absolute(options.report.empty() ? default_report(options.program[0]) : fs::path(options.report));
    if (const auto place = report::check_report_path(report); !place) throw failure_of(place.error());
    CppBuild asked;
    asked.source = options.program[0];
    asked.package = options.package;
    asked.folder = options.build;
    asked.target = options.target;
    const BuiltProgram built = build_program(asked);
    const Outcome outcome = captured_run(built, options, report);
    remove_sidecars(report);

    const analysis::NodeList list = load(report.string());
    analysis::Judgement judgement = analysis::judge(list, analysis::find_lifetimes(list));
    const bool opens_device = !list.devices.empty();
    if (!opens_device && judgement.verdict == analysis::Verdict::kFits) {
        judgement.verdict = analysis::Verdict::kUnknown;  // nothing was asked of any device
        judgement.reasons = {analysis::Reason::of(analysis::Reason::Kind::kNoDeviceRecord)};
    }
    // What the program refused itself is in no list: the report ends where its user's program may have just begun.
    if (const std::string end = end_text(outcome);
        !end.empty() && judgement.verdict == analysis::Verdict::kFits) {
        judgement.verdict = analysis::Verdict::kUnknown;
        judgement.reasons = {analysis::Reason::of(analysis::Reason::Kind::kProgramFailed)};
        judgement.reasons.front().detail = end;
    }
    if (options.json) {
        const Ended& ended = outcome.ended;
        print_answer(
            "run-cpp", judgement,
            Json{{"device", judgement.device.empty() ? Json(nullptr) : Json(judgement.device)},
                 {"mode", options.mode},
                 {"file", report.string()},
                 {"program",
                  {{"exit_status", ended.signal == 0 ? Json(ended.status) : Json(nullptr)},
                   {"signal", ended.signal != 0 ? Json(name_of_signal(ended.signal)) : Json(nullptr)},
                   {"death", outcome.death.empty() ? Json(nullptr) : Json(outcome.death)},
                   {"opens_device", opens_device}}},
                 {"l1", analysis::use_json(judgement.l1, "per_core")},
                 {"dram", analysis::use_json(judgement.dram, "per_bank")}});
        throw Answered{exit_status(judgement.verdict)};
    }
    if (const std::string end = end_text(outcome); !end.empty()) std::cout << "the program " << end << '\n';
    if (!opens_device) std::cout << "the program opened no device\n";
    std::cout << analysis::verdict_text(judgement);
    print_use("L1 per core  ", judgement.l1);
    print_use("DRAM per bank", judgement.dram);
    std::cout << "report: " << report.string() << '\n';
    throw Answered{exit_status(judgement.verdict)};
}

}  // namespace

command::Verb run_cpp_verb() {
    auto options = std::make_shared<RunCppOptions>();
    return {
        .name = "run-cpp",
        .documentation =
            "Builds a C++ program that calls TT-NN, runs it on the model, and says whether it fits; exit status 3 if not",
        .parameters =
            {{"program",
              &options->program,
              "a C++ file, or a folder with or without a CMakeLists.txt, and the program's arguments",
              {.required = true, .takes_rest = true}},
             {"--mode",
              &options->mode,
              "NO_DISPATCH: operations are planned; NORMAL: they compute, and memory has addresses",
              {.shows_default = true, .one_of = {"NO_DISPATCH", "NORMAL"}}},
             {"--device", &options->device,
              "the board that the program finds: n150, n300, p100, p150, t3000, galaxy; default: "
              "TILEMETER_DEVICE, or n150"},
             {"--report", &options->report, "the report to write (default: the program's name + .json)"},
             {"--target", &options->target, "the program to run, where a CMakeLists.txt has several"},
             {"--package", &options->package,
              "where tilemeter's C++ package is installed, or a build of it (default: beside this program)"},
             {"--build", &options->build,
              "the folder to build in (default: one of the user's cache, kept for the next time)"},
             {"--json", &options->json, "machine-readable; what the program prints goes to standard error"}},
        .example = "tilemeter run-cpp ttnn-standalone.cpp",
        .run = [options] { run_program(*options); }};
}

}  // namespace tilemeter::cli
