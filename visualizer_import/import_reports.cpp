// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/import_reports.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "capture/log/log.hpp"
#include "report/input.hpp"
#include "report/pending_file.hpp"
#include "report/same_file.hpp"
#include "visualizer_import/database/database.hpp"
#include "visualizer_import/database/report_files.hpp"
#include "visualizer_import/database/stack_sources.hpp"
#include "visualizer_import/database_summary.hpp"
#include "visualizer_import/file_import.hpp"
#include "visualizer_import/graph/graph_drawing.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;
using report::Error;
using report::PendingFile;
using report::Status;

// Ids of the k-th file of a rank begin behind k times this, as in the reference.
constexpr std::int64_t kOperationIdStride = 10000;

// A page of the database. A graph of an operation has some kilobytes: in larger pages it lies in one piece, and is
// written with fewer calls; but each table and index takes a page at least.
constexpr int kSmallPageBytes = 4096;
constexpr int kLargePageBytes = 16384;
constexpr std::uintmax_t kLargeInputBytes = 16'000'000;

struct Source {
    fs::path path;
    std::optional<report::Input> input = {};  // kept where there is no other: a pipe is read once
    std::optional<std::uint64_t> embedded_python_io;
    std::string skipped_because = {};  // "" : it is imported
    bool broken = false;               // skipped as a report that cannot be read
    std::optional<report::FoundVersion> other_version = {};
};

// The folder for the results; removed again if it was made for an import that failed.
class OutputFolder {
public:
    static report::Result<OutputFolder> open(const fs::path& path) {
        OutputFolder folder;
        std::error_code problem;
        fs::path missing = fs::absolute(path);
        while (!missing.empty() && !fs::exists(missing, problem)) {
            folder.made_.push_back(missing);
            if (missing == missing.parent_path()) break;
            missing = missing.parent_path();
        }
        fs::create_directories(path, problem);
        if (problem || !fs::is_directory(path, problem))
            return Error{path.string(), "", "a folder for the database",
                         problem ? problem.message() : "something else of that name"};
        return folder;
    }
    ~OutputFolder() {
        std::error_code ignored;
        for (const fs::path& folder : made_)
            fs::remove(folder, ignored);  // only if empty
    }
    OutputFolder(OutputFolder&&) = default;
    OutputFolder& operator=(OutputFolder&&) = default;
    void keep() { made_.clear(); }

private:
    OutputFolder() = default;
    std::vector<fs::path> made_;  // innermost first
};

class Import {
public:
    Import(fs::path output_folder, const ImportOptions& options, const ImportProgress& progress)
        : output_folder_(std::move(output_folder)), options_(options), progress_(progress) {}

    report::Result<ImportSummary> run(const fs::path& report_or_folder);

private:
    enum class Outcome { kDone, kAgain };
    Status check_target();
    [[nodiscard]] Status nothing_imported() const;
    Status find_sources(const fs::path& report_or_folder);
    report::Result<Outcome> unreadable(Source& source, Error error, bool may_skip);
    void leave_out(Source& source, std::string reason);
    void leave_out_other_version(Source& source, const report::FoundVersion& version);
    report::Result<Outcome> attempt();
    report::Result<Outcome> import_source(Source& source, bool may_skip);
    static report::Result<report::Input> input_of(const Source& source);
    Status finish_database();
    Status write_side_files();
    void write_info();
    void draw_graphs();
    std::int64_t base_of(std::int64_t rank) const;
    int page_bytes();
    void note_rank(const FileImport& file);

    fs::path output_folder_;
    const ImportOptions& options_;
    const ImportProgress& progress_;
    std::vector<Source> sources_;
    bool of_folder_ = false;
    bool replaces_ = false;  // a file that was there

    // of one attempt
    std::optional<PendingFile> file_;
    std::optional<Database> database_;
    std::optional<StackSources> stack_sources_;
    std::map<std::int64_t, std::int64_t> next_base_;  // by rank
    std::map<std::int64_t, std::map<std::string, std::int64_t>> info_;
    FileImport::KnownDevices known_devices_;
    std::set<std::int64_t> folder_comparison_used_;
    std::map<std::string, std::string> side_files_;
    ImportSummary summary_;
};

std::int64_t Import::base_of(std::int64_t rank) const {
    const auto found = next_base_.find(rank);
    return found == next_base_.end() ? 0 : found->second;
}

int Import::page_bytes() {
    std::uintmax_t input_bytes = 0;
    if (sources_.size() == 1 && sources_[0].input)
        input_bytes = sources_[0].input->size_up_to(kLargeInputBytes);
    for (const Source& source : sources_) {
        if (source.input) continue;
        std::error_code problem;
        const std::uintmax_t size = fs::file_size(source.path, problem);
        if (!problem) input_bytes += size;
    }
    return input_bytes >= kLargeInputBytes ? kLargePageBytes : kSmallPageBytes;
}

void Import::note_rank(const FileImport& file) {
    std::int64_t& next = next_base_[file.rank()];
    const std::int64_t used = options_.reference_quirks ? next : std::max(next, file.last_operation_id() - 1);
    next = (used / kOperationIdStride + 1) * kOperationIdStride;
    for (const auto& [key, value] : file.info()) {
        std::int64_t& total = info_[file.rank()][key];
        const bool is_peak = key.starts_with("peak_");
        if (!is_peak) {
            total += value;
        } else if (key == "peak_l1_bytes_per_core" && value > total) {
            total = value;
            for (const auto& [other, id] : file.info())
                if (other == "peak_l1_operation_id") info_[file.rank()][other] = id;
        }
    }
    side_files_.insert(file.side_files().begin(), file.side_files().end());
}

void Import::leave_out(Source& source, std::string reason) {
    source.skipped_because = std::move(reason);
    logging::info({"left out: ", source.skipped_because});
    if (options_.on_warning) options_.on_warning(source.skipped_because);
}

// As the reference does, in its words.
void Import::leave_out_other_version(Source& source, const report::FoundVersion& version) {
    source.other_version = version;
    leave_out(source, source.path.string() + " has version " + version.text + ", expected 1");
}

// A report of another version need not hold the same as ours: that it is of another one comes first.
report::Result<Import::Outcome> Import::unreadable(Source& source, Error error, bool may_skip) {
    if (options_.stop_requested() || !database_->status()) return error;
    std::error_code ignored;
    const auto version = fs::is_regular_file(source.path, ignored) ? report::version_of_report(source.path)
                                                                   : std::nullopt;  // a pipe is gone
    if (version && !is_our_version(*version, options_.reference_quirks)) {
        if (options_.reference_quirks) {
            leave_out_other_version(source, *version);
            return Outcome::kAgain;
        }
        error = other_version(source.path, *version);
    }
    if (!may_skip) return error;
    source.broken = true;
    leave_out(source, error.message());
    return Outcome::kAgain;
}

report::Result<report::Input> Import::input_of(const Source& source) {
    if (source.input) return *source.input;
    return report::Input::open(source.path);
}

report::Result<Import::Outcome> Import::import_source(Source& source, bool may_skip) {
    auto input = input_of(source);
    if (!input) return unreadable(source, input.error(), may_skip);
    FileImport file(
        *database_, options_, *stack_sources_, known_devices_,
        [this](std::int64_t rank) { return base_of(rank); }, *input, source.path, source.embedded_python_io);
    report::ReadOptions reading;
    reading.ahead_from_bytes = options_.read_ahead_from_bytes;
    reading.window_bytes = options_.read_window_bytes;
    reading.progress = [&](std::uint64_t done, std::uint64_t all) {
        if (progress_) progress_(input->name(), done, all);
        return !options_.stop_requested();
    };
    FileImport::Again again;
    const bool use_folder_comparison = options_.reference_quirks || folder_comparison_used_.empty();
    auto read = file.read(reading, use_folder_comparison, again);
    if (!read) return unreadable(source, read.error(), may_skip);
    if (!*read) {
        logging::debug({input->name(),
                        again.left_out ? ": of another version" : ": its Python records lie in it",
                        ", so the import begins anew"});
        if (again.left_out) leave_out_other_version(source, *again.left_out);
        source.embedded_python_io = again.embedded_python_io;
        return Outcome::kAgain;
    }
    if (file.used_folder_comparison()) folder_comparison_used_.insert(file.rank());
    note_rank(file);
    summary_.imported.push_back(source.path);
    return Outcome::kDone;
}

void Import::write_info() {
    for (const auto& [rank, info] : info_)
        for (const auto& [key, value] : info)
            database_->insert<Table::kImportSummary>(key, std::to_string(value), rank);
    for (const Source& source : sources_) {
        if (source.skipped_because.empty()) continue;
        summary_.skipped.push_back(source.skipped_because);
        if (!source.broken) continue;
        database_->insert<Table::kErrors>(0, source.path.filename().string(),
                                          std::string_view("skipped_report"), source.skipped_because,
                                          std::string_view(), std::string_view(), 0);
    }
}

Status Import::finish_database() {
    write_info();
    const bool one_rank_0 =
        std::ranges::all_of(next_base_, [](const auto& entry) { return entry.first == 0; });
    const bool as_rows = options_.materialize || !one_rank_0;
    logging::debug({"buffers per operation become ", as_rows ? "rows" : "a view over lifetimes",
                    !one_rank_0 ? ", since reports are of several ranks" : ""});
    if (Status completed = database_->complete(); !completed) return completed;
    if (Status finished = finish_buffers(*database_, as_rows); !finished) return finished;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Table::kCount); ++i)
        summary_.rows.emplace_back(spec_of(static_cast<Table>(i)).name,
                                   database_->row_count(static_cast<Table>(i)));
    return database_->finish();
}

// Whoever finds the database finds what belongs to it: these come first.
Status Import::write_side_files() {
    std::vector<PendingFile> pending;
    for (const auto& [name, content] : side_files_) {
        const fs::path path = output_folder_ / name;
        std::error_code ignored;
        const bool once = options_.reference_quirks && name.ends_with(".yaml") && fs::exists(path, ignored);
        if (once) continue;
        auto file = PendingFile::create(path);
        if (!file) return file.error();
        if (Status written = file->write(content); !written) return written;
        pending.push_back(std::move(*file));
    }
    for (PendingFile& file : pending)
        if (Status published = file.publish(); !published) return published;
    return {};
}

// A picture less is no reason to lose the database.
void Import::draw_graphs() {
    for (const Source& source : sources_) {
        if (!source.skipped_because.empty()) continue;
        auto input = input_of(source);
        const Status drawn =
            input ? draw_graph(*input, source.path, output_folder_ / "graphs") : Status(input.error());
        if (drawn) continue;
        summary_.skipped.push_back(drawn.error().message());
        if (options_.on_warning) options_.on_warning(summary_.skipped.back());
    }
}

// The reference makes an empty database of it. So does this with its quirks, but for reports that say the
// number of another version.
Status Import::nothing_imported() const {
    for (const Source& source : sources_)
        if (source.other_version && (source.other_version->kind == report::JsonKind::kInteger ||
                                     source.other_version->kind == report::JsonKind::kReal))
            return other_version(source.path, *source.other_version);
    if (options_.reference_quirks) return {};
    return Error{sources_.front().path.string(), "", "at least one report that can be imported",
                 "none; the first: " + sources_.front().skipped_because};
}

report::Result<Import::Outcome> Import::attempt() {
    next_base_.clear();
    info_.clear();
    known_devices_.clear();
    folder_comparison_used_.clear();
    side_files_.clear();
    summary_ = {};
    database_.reset();
    auto file = PendingFile::create(output_folder_ / options_.db_name);
    if (!file) return file.error();
    file_.emplace(std::move(*file));
    auto database =
        Database::create(file_->descriptor(), file_->final_path().string(), page_bytes(), options_.stop);
    if (!database) return database.error();
    database_.emplace(std::move(*database));
    stack_sources_.emplace(options_.source_roots);
    database_->insert<Table::kReportMetadata>(std::string_view("schema_version"), kSchemaVersion);
    for (Source& source : sources_) {
        if (!source.skipped_because.empty()) continue;
        auto outcome = import_source(source, of_folder_ && options_.lenient);
        if (!outcome || *outcome == Outcome::kAgain) return outcome;
    }
    if (summary_.imported.empty())
        if (Status enough = nothing_imported(); !enough) return enough.error();
    if (Status finished = finish_database(); !finished) return finished.error();
    return Outcome::kDone;
}

// A file that is no report is left out of a folder, and refused by itself. In a folder the reference fails on it.
Status Import::find_sources(const fs::path& report_or_folder) {
    auto files = report_files(report_or_folder, options_.reference_quirks);
    if (!files) return files.error();
    std::error_code problem;
    of_folder_ = fs::is_directory(report_or_folder, problem);
    for (fs::path& path : *files) {
        Source& source = sources_.emplace_back(Source{std::move(path), {}, {}});
        auto input = report::Input::open(source.path);
        if (!input && !of_folder_) return input.error();
        if (!input) continue;  // said when it is imported
        if (!of_folder_) source.input = *input;
        const auto instead = report::why_no_report(*input);
        if (!instead) continue;
        const Error error = input->cause_of({input->name(), "", "a graph report", *instead});
        if (of_folder_ && error.found != *instead) continue;  // a damaged archive, said when it is imported
        if (!of_folder_ || (options_.reference_quirks && !options_.lenient)) return error;
        leave_out(source, source.path.string() + ": no graph report, but " + *instead);
    }
    return {};
}

// A file that has the database's name is replaced in the end: only a database that an importer made, unless told to.
// The reference deletes what is no database, and adds to what is one.
Status Import::check_target() {
    const fs::path target = output_folder_ / options_.db_name;
    std::error_code problem;
    const fs::file_status status = fs::status(target, problem);
    if (!fs::exists(status)) return {};
    for (const Source& source : sources_)
        if (Status distinct = report::refuse_input_as_output(target, report::files_of_report(source.path));
            !distinct)
            return distinct.error();
    if (!fs::is_regular_file(status))
        return Error{target.string(), "", "a name for the database", "what is no ordinary file"};
    replaces_ = fs::file_size(target, problem) > 0;
    if (!replaces_ || options_.force || options_.reference_quirks) return {};
    if (auto instead = why_no_import(target))
        return Error{target.string(), "",
                     "a database that an importer made, which would be replaced (or --force)",
                     std::move(*instead)};
    return {};
}

report::Result<ImportSummary> Import::run(const fs::path& report_or_folder) {
    if (Status found = find_sources(report_or_folder); !found) return found.error();
    std::error_code problem;
    auto folder = OutputFolder::open(output_folder_);
    if (!folder) return folder.error();
    if (Status replaceable = check_target(); !replaceable) return replaceable.error();
    while (true) {
        auto outcome = attempt();
        if (!outcome) return outcome.error();
        if (*outcome == Outcome::kDone) break;
    }
    if (options_.stop_requested())
        return Error{file_->final_path().string(), "", "a database that is complete", "a request to stop"};
    if (Status written = write_side_files(); !written) return written.error();
    if (Status published = file_->publish(); !published) return published.error();
    folder->keep();
    if (options_.svg) draw_graphs();
    summary_.database = output_folder_ / options_.db_name;
    summary_.replaced = replaces_;
    summary_.size_bytes = fs::file_size(summary_.database, problem);
    logging::info({summary_.database.native(), replaces_ ? ": replaced, " : ": made, ", summary_.size_bytes,
                   " bytes, of ", summary_.imported.size(), " report(s)"});
    return summary_;
}

}  // namespace

report::Result<ImportSummary> import_reports(const fs::path& report_or_folder, const fs::path& output_folder,
                                             const ImportOptions& options, const ImportProgress& progress) {
    return Import(output_folder, options, progress).run(report_or_folder);
}

}  // namespace tilemeter::visualizer_import
