// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/output.hpp"

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "report/file_replacement.hpp"
#include "report/render/verdict_render.hpp"
#include "report/same_file.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

namespace {

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

Json json_of(analysis::Number number) {
    return number.given() ? Json(number.value_or(0)) : Json(nullptr);
}

void print_answer(const char* verb, const analysis::Judgement& judgement, const Json& answer) {
    Json json = analysis::verdict_json(judgement);
    json.update(answer);
    print_answer(verb, json);
}

void print_answer(const char* verb, const Json& answer) {
    const AsItIs as_it_is;
    std::cout << answer_text(verb, answer);
}

std::string answer_text(const char* verb, const Json& answer) {
    Json json{{"schema", std::string("tilemeter.") + verb + "/1"}};
    json.update(answer);
    return json_text(json);
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
    std::cout << json_text(json);
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
    write_file(path, [&text](report::FileReplacement& file) { return file.write(text); });
}

void write_file(const std::string& path,
                const std::function<report::Status(report::FileReplacement&)>& write) {
    check_output(path);
    // A mistyped folder is not made.
    std::error_code unknown;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty() && !std::filesystem::exists(folder, unknown)) throw cannot_be_written(path, ENOENT);
    auto file = report::FileReplacement::open(path);
    report::Status written = file ? write(*file) : file.error();
    if (written) written = file->commit();
    if (!written) throw Failure(path + ": cannot be written: " + written.error().found);
}

void check_output(const std::string& path) {
    if (path == "-")
        throw Failure(
            "-: expected the name of a file to write (one of this name is ./-), found standard output",
            kWrongUsage);
    if (const auto distinct = report::refuse_input_as_output(path, inputs()); !distinct)
        throw failure_of(distinct.error());
}

}  // namespace tilemeter::cli
