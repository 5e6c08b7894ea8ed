// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
// The summary of a report, by way of a temporary database.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "report/input.hpp"
#include "visualizer_import/database_summary.hpp"
#include "visualizer_import/import_reports.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::Status;

// Gone with everything in it at the end.
class TemporaryFolder {
public:
    static report::Result<TemporaryFolder> create() {
        std::error_code problem;
        std::string name =
            (std::filesystem::temp_directory_path(problem) / "tilemeter-summary-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            return Error{name, "", "a folder for temporary files", std::strerror(errno)};
        return TemporaryFolder(name);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

// A report around a list of nodes.
Status wrap_list(const std::filesystem::path& list, const std::filesystem::path& report) {
    auto from = report::Input::open(list);
    if (!from) return from.error();
    std::ofstream to(report, std::ios::binary);
    to << R"({"devices": [], "graph": )";
    std::vector<char> block(std::size_t{256} << 10U);
    for (std::uint64_t offset = 0;;) {
        auto count = from->read(offset, block.data(), block.size());
        if (!count) return count.error();
        if (*count == 0) break;
        to.write(block.data(), static_cast<std::streamsize>(*count));
        offset += *count;
    }
    to << R"(, "metadata": {"rank": 0}, "version": 1})";
    to.close();
    return to ? Status() : Status(Error{report.string(), "", "a file that can be written to", ""});
}

}  // namespace

report::Result<ContentSummary> summarize_report(const std::filesystem::path& path,
                                                const ImportProgress& progress,
                                                const std::atomic<bool>* stop) {
    const report::KeptPipes kept;  // it is looked at before it is imported
    auto folder = TemporaryFolder::create();
    if (!folder) return folder.error();
    const bool is_list = is_node_list(path);
    const std::filesystem::path wrapped = folder->path() / "list.json";
    if (is_list)
        if (Status written = wrap_list(path, wrapped); !written) return written.error();
    ImportOptions options;
    options.buffer_chunks = false;
    options.stop = stop;
    auto imported = import_reports(is_list ? wrapped : path, folder->path(), options, progress);
    if (!imported) {
        Error error = imported.error();
        if (is_list) error.file = path.string();
        return error;
    }
    auto summary = summarize_database(imported.value().database);
    if (!summary) return summary;
    summary->counts.erase("buffer_chunks");
    summary->files = is_list ? std::vector{path} : imported.value().imported;
    for (const std::string& left_out : imported.value().skipped)
        summary->suspicious.push_back("left out: " + left_out);
    return summary;
}

}  // namespace tilemeter::visualizer_import
