// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/output.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include <unistd.h>

#include "report/render/verdict_render.hpp"
#include "report/same_file.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

Json json_of(analysis::Number number) {
    return number.given() ? Json(number.value_or(0)) : Json(nullptr);
}

void print_answer(const char* verb, const analysis::Judgement& judgement, const Json& answer) {
    Json json = analysis::verdict_json(judgement);
    json.update(answer);
    print_answer(verb, json);
}

void print_answer(const char* verb, const Json& answer) {
    Json json{{"schema", std::string("tilemeter.") + verb + "/1"}};
    json.update(answer);
    print(json);
}

int exit_status(analysis::Verdict verdict) {
    switch (verdict) {
        case analysis::Verdict::kFits:
            return kDone;
        case analysis::Verdict::kDoesNotFit:
            return kExceeded;
        case analysis::Verdict::kFailed:
        case analysis::Verdict::kUnknown:
            return kCannotBeJudged;
    }
    return kCannotBeJudged;
}

void print(const Json& json) {
    const AsItIs as_it_is;
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

Failure cannot_be_written(const std::string& path, int reason) {
    return Failure(path + ": cannot be written" +
                   (reason == 0 ? std::string() : ": " + std::generic_category().message(reason)));
}

void print_text(const std::string& text) {
    std::cout << text;
    errno = 0;
    if (!std::cout.flush()) throw cannot_be_written("standard output", errno);
}

void write_text(const std::string& path, const std::string& text) {
    if (path == "-") {
        const AsItIs as_it_is;
        return print_text(text);
    }
    if (const auto distinct = report::refuse_input_as_output(path, inputs()); !distinct)
        throw failure_of(distinct.error());
    // An old file stays until the new file is whole; devices and pipes are written to as they are.
    std::error_code problem;
    const bool replaces = !std::filesystem::exists(path, problem) || std::filesystem::is_regular_file(path);
    const std::string target = replaces ? path + "." + std::to_string(::getpid()) + ".tmp" : path;
    errno = 0;
    std::ofstream file(target, std::ios::binary);
    file << text;
    file.close();
    int reason = file.fail() ? errno : 0;
    const bool failed = file.fail();
    if (!failed && replaces) {
        std::filesystem::rename(target, path, problem);
        reason = problem.value();
    }
    if (!failed && reason == 0) return;
    if (replaces) std::filesystem::remove(target, problem);
    throw cannot_be_written(path, reason);
}

}  // namespace tilemeter::cli
