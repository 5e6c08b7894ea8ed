// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The pages of `tilemeter open`: the page of a report and its database, or a table of the reports of a folder.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/page_server/server.hpp"

namespace tilemeter::cli {

class Site {
public:
    /// `path`: a report, a node list, a recording (whose report is made in a temporary folder) or a folder of reports. Throws
    /// Failure where none of these is there.
    explicit Site(const std::string& path);
    ~Site();
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    [[nodiscard]] std::size_t size() const { return reports_.size(); }
    /// ""            the page of the only report, or the table
    /// "reports/N/"  the page of report N
    /// "db.sqlite", "reports/N/db.sqlite"  its database, which is imported when it is first asked for
    Response answer(std::string_view path);

private:
    struct Report {
        std::filesystem::path file;
        std::string name;
        std::optional<std::string> page = {};
        std::filesystem::path database = {};  ///< empty: not imported yet
    };

    const std::filesystem::path& temporary_folder();
    Response page(Report& report);
    Response database(Report& report, std::size_t number);
    Response table() const;

    bool is_folder_;
    std::string title_;
    std::vector<Report> reports_;
    std::filesystem::path temporary_;
};

}  // namespace tilemeter::cli
