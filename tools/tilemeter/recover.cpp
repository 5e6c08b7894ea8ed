// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/recover.hpp"

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct RecoverOptions {
    std::string recording;
    std::string report;
    bool json = false;
    report::ReportOrigin origin = report::origin_of_process();
};

/// Text that may be unknown.
Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

template <typename Number>
Json number_or_null(const std::optional<Number>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json json_of(const report::DeathFrame& frame) {
    return {{"function", text_or_null(frame.function)},
            {"module", text_or_null(frame.module)},
            {"source_file", text_or_null(frame.file)},
            {"source_line_number", frame.line != 0 ? Json(frame.line) : Json(nullptr)},
            {"address", frame.address},
            {"inlined", frame.inlined}};
}

Json json_of(const std::optional<report::Death>& death) {
    if (!death) return nullptr;
    Json frames = Json::array();
    for (const report::DeathFrame& frame : death->frames)
        frames.push_back(json_of(frame));
    return {{"text", report::to_text(*death)},
            {"signal", text_or_null(death->signal)},
            {"terminate", death->terminate},
            {"exception", text_or_null(death->exception)},
            {"message", text_or_null(death->message)},
            {"process_id", death->process},
            {"thread_id", death->thread},
            {"thread_name", text_or_null(death->thread_name)},
            {"sender_process_id", number_or_null(death->sender)},
            {"address", number_or_null(death->address)},
            {"place", death->frames.empty() ? Json(nullptr) : json_of(death->frames[death->place])},
            {"frames", std::move(frames)}};
}

void run_recover(const RecoverOptions& options) {
    if (options.origin.rank >= options.origin.world_size) {
        throw Failure("--rank: expected less than --world-size (" +
                          std::to_string(options.origin.world_size) + "), found " +
                          std::to_string(options.origin.rank),
                      kWrongUsage);
    }
    const std::string path = options.report.empty() ? options.recording + ".json" : options.report;
    check_output(path);
    const auto recovered = report::recover_report(options.recording, path, options.origin);
    if (!recovered) throw failure_of(recovered.error());
    const report::Recovered& found = recovered.value();
    if (options.json) {
        return print_answer("recover", Json{{"file", path},
                                            {"node_count", found.nodes},
                                            {"operation_count", found.operations},
                                            {"incomplete_operation_count", found.incomplete_operations},
                                            {"lost_event_count", found.lost_events},
                                            {"process_died", found.process_died},
                                            {"death", json_of(found.death)}});
    }
    std::cout << path << ": " << grouped(found.operations) << " operations, "
              << grouped(found.incomplete_operations) << " of them incomplete, in " << grouped(found.nodes)
              << " nodes";
    if (found.lost_events > 0) std::cout << "; " << grouped(found.lost_events) << " events were dropped";
    std::cout << (found.process_died ? "; the process died while it recorded\n" : "\n");
    if (!found.death) return;
    std::cout << "it died of " << report::to_text(*found.death) << '\n';
    for (const report::DeathFrame& frame : found.death->frames)
        std::cout << "    " << frame.text << '\n';
}

}  // namespace

command::Verb recover_verb() {
    auto options = std::make_shared<RecoverOptions>();
    return {.name = "recover",
            .documentation = "The report of a recording file, also of a process that died while it recorded",
            .parameters =
                {{"recording",
                  &options->recording,
                  "the file that the capture recorded into",
                  {.required = true}},
                 {"report", &options->report, "the report to write (default: the recording's name + .json)"},
                 {"--rank", &options->origin.rank,
                  "of the process that recorded, of several that MPI launched (default: of this process)"},
                 {"--world-size", &options->origin.world_size, "how many there were", {.needs = {"--rank"}}},
                 {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter recover recording report.json",
            .run = [options] { run_recover(*options); }};
}

}  // namespace tilemeter::cli
