// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// trace_check FILE.json... : do graphs compute, and passes leave, what was recorded?

#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "tools/command/arguments.hpp"
#include "tools/trace_check/checks.hpp"

namespace {

using tilemeter::command::Exit;

int wrong_usage(const std::string& what) {
    std::cerr << "trace_check: " << what << '\n';
    return Exit::kWrongUsage;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> files;
    std::string only;
    std::string precision = "f64";
    std::string on;
    std::string stablehlo;
    const tilemeter::command::Program program{
        .name = "trace_check",
        .documentation =
            "Checks recorded functions and passes: one line for each kind of check, the sum last.",
        .parameters = {
            {"files",
             &files,
             "recorded cases (functions.json, passes.json, prng.json, remat.json, shapes.json)",
             {.required = true}},
            {"--only", &only,
             "kinds of checks, with commas between: value, trace, jvp, vjp, hvp, dual, text, passes, "
             "accept, reject, calls, those of random numbers: bits, uniform ..., and of recomputation: chain, budget, "
             "below, curve"},
            {"--precision", &precision, "f64 or f32", {.shows_default = true}},
            {"--on", &on, "a device (n150, p150, n300) that the functions are placed on as well, in f32"},
            {"--stablehlo", &stablehlo, "write the functions' StableHLO modules into this folder"}}};
    if (const auto ended = tilemeter::command::parse(program, argc, argv)) return *ended;

    tilemeter::trace_check::Options options;
    std::istringstream kinds(only);
    for (std::string kind; std::getline(kinds, kind, ',');)
        options.only.insert(kind);
    if (precision != "f64" && precision != "f32")
        return wrong_usage("--precision: found '" + precision + "', expected f64 or f32");
    if (precision == "f32") options.precision.element = tilemeter::ir::ElementType::kF32;
    options.stablehlo = stablehlo;
    try {
        if (!on.empty()) options.on = tilemeter::open_device(0, {.description = on});
    } catch (const std::exception& error) {
        return wrong_usage(tilemeter::command::one_line("--on: " + std::string(error.what())));
    }

    tilemeter::trace_check::Tally tally(std::cout);
    for (const std::string& path : files) {
        try {
            std::ifstream file(path);
            if (!file) throw std::runtime_error("can't be read");
            check_file(nlohmann::json::parse(file), options, tally);
        } catch (const std::exception& error) {
            std::cerr << "trace_check: " << tilemeter::command::one_line(path + ": " + error.what()) << '\n';
            return Exit::kBadInput;
        }
    }
    return tally.finish() ? Exit::kDone : Exit::kBadInput;
}
