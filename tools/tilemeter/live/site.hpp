// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The pages of `tilemeter open`: the page of a report and its database, of two reports beside each other, of a training step, of a
// recording while it is written, or a table of the reports of a folder.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/page_server/server.hpp"
#include "tools/tilemeter/live/watch.hpp"

namespace tilemeter::cli {

class Site {
public:
    /// `path`: a report, a node list, what save_memory() of a training step's plan wrote, a recording (whose report is made in a
    /// temporary folder) or the number of the process that writes it, or a folder of reports. `other`: empty, or a second report,
    /// for a page of both. Throws Failure where none of these is there.
    explicit Site(const std::string& path, const std::string& other = "");
    ~Site();
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    [[nodiscard]] std::size_t size() const { return reports_.size(); }
    /// ""            the page of the only report, of both, of what runs, or the table
    /// "reports/N/"  the page of report N; of a recording that is being written what there is of it now
    /// "db.sqlite", "reports/N/db.sqlite"  its database, which is imported when it is first asked for
    /// "live.json"   what runs now
    Response answer(std::string_view path);
    /// Reads on in a recording that is being written, so that nothing is missed while nobody looks.
    void look();
    [[nodiscard]] bool is_live() const { return live_ != nullptr; }
    /// Of one report, which is no training step's memory.
    [[nodiscard]] bool has_database() const;

private:
    struct Report {
        std::filesystem::path file;
        std::string name;
        std::optional<std::string> page = {};
        std::filesystem::path database = {};  ///< empty: not imported yet
    };

    const std::filesystem::path& temporary_folder();
    void open_recording(const std::string& path);
    void recover();
    Response page(Report& report);
    Response database(Report& report, std::size_t number);
    Response table() const;

    bool is_folder_;
    std::string title_;
    std::vector<Report> reports_;
    std::string both_;  ///< the page of two reports
    std::string recording_;
    std::unique_ptr<Watch> live_;  ///< of a recording that was being written when it was opened
    std::filesystem::path temporary_;
};

}  // namespace tilemeter::cli
