// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/live/site.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "capture/recordings/recording_reader.hpp"
#include "report/analysis/gate/gate_reports.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/markup.hpp"
#include "report/recover.hpp"
#include "report/render/html_page.hpp"
#include "tools/tilemeter/capture_head.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/memory.hpp"
#include "visualizer_import/import_reports.hpp"

namespace tilemeter::cli {
namespace {

namespace fs = std::filesystem;

Response not_found() {
    return {404, "text/plain; charset=utf-8", "no such page\n"};
}

/// A row of the table, and how bad it is.
struct Row {
    int badness = 0;
    std::string html;
};

Row row_of(const fs::path& file, const std::string& name, std::size_t number) {
    const std::string link =
        "<td><a href=\"reports/" + std::to_string(number) + "/\">" + report::markup_text(name) + "</a></td>";
    try {
        const CaptureHead head = head_of_file(file.string());
        const auto verdict = head.judgement.verdict;
        const std::string operation = head.l1 ? head.l1->operation : "";
        return {badness_of(verdict),
                link + "<td class=\"" + std::string(verdict == analysis::Verdict::kFits ? "good" : "bad") +
                    "\">" + words_of(verdict) + "</td><td>" + amount_text(head.l1, "core", "") + "</td><td>" +
                    report::markup_text(operation) + "</td><td>" + amount_text(head.dram, "bank", "") +
                    "</td><td>" + (head.operations ? analysis::grouped(*head.operations) : "unknown") +
                    "</td>"};
    } catch (const std::exception& error) {
        return {4, link + "<td class=\"bad\">cannot be read</td><td colspan=\"4\">" +
                       report::markup_text(error.what()) + "</td>"};
    }
}

}  // namespace

Site::Site(const std::string& path, const std::string& other) : title_(path) {
    std::error_code ignored;
    is_folder_ = fs::is_directory(path, ignored) && other.empty();
    if (!other.empty()) {
        for (const std::string& each : {path, other})
            reports_.push_back({each, analysis::name_of_report(each)});
        std::vector<analysis::NodeList> lists;
        std::vector<analysis::MemoryLifetimes> lifetimes;
        for (const Report& each : reports_) {
            lists.push_back(load(each.file.string()));
            lifetimes.push_back(analysis::find_lifetimes(lists.back(), nullptr));
        }
        both_ = analysis::html_page({lists[0], lifetimes[0], reports_[0].name},
                                    {lists[1], lifetimes[1], reports_[1].name});
        return;
    }
    if (is_folder_) {
        for (const fs::path& file : analysis::find_reports({path}).files)
            reports_.push_back({file, analysis::name_of_report(file)});
        if (reports_.empty()) throw Failure(path + ": expected a folder of reports, found none in it");
        return;
    }
    const std::string file = fs::exists(path, ignored) ? path : recording_named(path);
    if (record::is_recording(file)) {
        open_recording(file);
        return;
    }
    reports_.push_back({file, analysis::name_of_report(file)});
    page(reports_.front());  // which refuses what is none, and has it ready
}

void Site::open_recording(const std::string& path) {
    recording_ = path;
    reports_.push_back({{}, analysis::name_of_report(path)});
    live_ = std::make_unique<Watch>(path);
    live_->look();
    if (!live_->is_over()) return;
    live_.reset();
    recover();
    page(reports_.front());
}

/// The report of what the recording holds now.
void Site::recover() {
    Report& report = reports_.front();
    report.page.reset();
    report.database.clear();
    report.file = temporary_folder() / (fs::path(recording_).filename().string() + ".json");
    if (const auto recovered = report::recover_report(recording_, report.file); !recovered)
        throw failure_of(recovered.error());
}

void Site::look() try {
    if (live_ && !live_->is_over()) live_->look();
} catch (const Failure&) {
    // Whoever asks for the page is told.
}

Site::~Site() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

bool Site::has_database() const {
    return reports_.size() == 1 && !is_memory_file(reports_.front().file.string());
}

const fs::path& Site::temporary_folder() {
    if (temporary_.empty()) {
        std::string name = (fs::temp_directory_path() / "tilemeter_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw cannot_be_written(name, errno);
        temporary_ = name;
    }
    return temporary_;
}

Response Site::page(Report& report) {
    if (!report.page && is_memory_file(report.file.string())) {
        report.page = memory_file_page(report.file.string());
    } else if (!report.page) {
        const analysis::NodeList list = load(report.file.string());
        report.page =
            analysis::html_page(list, analysis::find_lifetimes(list, nullptr), report.name, nullptr);
    }
    return {.body = *report.page};
}

Response Site::database(Report& report, std::size_t number) {
    if (report.database.empty()) {
        const fs::path folder = temporary_folder() / std::to_string(number);
        const auto imported = visualizer_import::import_reports(report.file, folder, {});
        if (!imported) throw failure_of(imported.error());
        report.database = imported.value().database;
    }
    return {.type = "application/vnd.sqlite3", .file = report.database};
}

Response Site::table() const {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < reports_.size(); ++i)
        rows.push_back(row_of(reports_[i].file, reports_[i].name, i));
    std::ranges::stable_sort(rows, std::ranges::greater{}, &Row::badness);
    std::string body =
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'\"><title>" +
        report::markup_text(title_) +
        "</title><style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:1.5rem}"
        "h1{font-size:1.2rem}table{border-collapse:collapse}th,td{text-align:left;padding:.3rem .9rem .3rem 0;"
        "border-bottom:1px solid #8885;font-variant-numeric:tabular-nums}.bad{font-weight:bold;color:light-dark(#b3261e,#ff8a80)}"
        ".good{color:light-dark(#1a6e2e,#7ee2a0)}</style></head><body><main><h1>" +
        std::to_string(reports_.size()) + " reports in " + report::markup_text(title_) +
        "</h1><table><thead><tr><th scope=\"col\">report</th><th scope=\"col\">verdict</th><th scope=\"col\">L1 peak per "
        "core</th><th scope=\"col\">in</th><th scope=\"col\">DRAM peak per bank</th><th scope=\"col\">operations</th></tr>"
        "</thead><tbody>";
    for (const Row& row : rows)
        body += "<tr>" + row.html + "</tr>";
    return {.body = body + "</tbody></table></main></body></html>\n"};
}

Response Site::answer(std::string_view path) {
    constexpr std::string_view kReports = "reports/", kDatabase = "db.sqlite";
    std::size_t number = 0;
    if (path.starts_with(kReports)) {
        path.remove_prefix(kReports.size());
        const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
        path.remove_prefix(static_cast<std::size_t>(end - path.data()));
        if (error != std::errc{} || number >= reports_.size() || !path.starts_with('/')) return not_found();
        path.remove_prefix(1);
        if (live_ && (path.empty() || path == kDatabase)) recover();
    } else if (is_folder_) {
        return path.empty() ? table() : not_found();
    } else if (!both_.empty()) {
        return path.empty() ? Response{.body = both_} : not_found();
    } else if (live_ && path.empty()) {
        return {.body = analysis::live_page(reports_.front().name)};
    } else if (live_ && path == kDatabase) {
        recover();
    } else if (live_ && path == "live.json") {
        live_->look();
        return {.type = "application/json", .body = live_->json().dump()};
    }
    if (path.empty()) return page(reports_[number]);
    return path == kDatabase ? database(reports_[number], number) : not_found();
}

}  // namespace tilemeter::cli
