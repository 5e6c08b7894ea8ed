// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/gate/gate_reports.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <glob.h>

#include "report/report_kind.hpp"
#include "report/same_file.hpp"

namespace tilemeter::analysis {
namespace {

namespace fs = std::filesystem;

bool is_pattern(std::string_view text) {
    return text.find_first_of("*?[") != std::string_view::npos;
}

std::vector<fs::path> matches_of(const std::string& pattern) {
    glob_t found{};
    std::vector<fs::path> paths;
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
        for (std::size_t i = 0; i < found.gl_pathc; ++i)
            paths.emplace_back(found.gl_pathv[i]);
    ::globfree(&found);
    return paths;
}

class Finder {
public:
    FoundReports run(const std::vector<std::string>& arguments) {
        for (const std::string& argument : arguments) {
            std::error_code error;
            if (fs::is_directory(argument, error)) {
                add_folder(argument);
            } else if (fs::exists(argument, error) || !is_pattern(argument)) {
                add(argument);  // a missing file is said by who reads it
            } else {
                const auto matches = matches_of(argument);
                if (matches.empty())
                    add_error(argument, "a file, a folder or a pattern of reports", "no match");
                for (const fs::path& path : matches)
                    fs::is_directory(path, error) ? add_folder(path) : add_if_report(path);
            }
        }
        leave_sidecars();
        return std::move(found_);
    }

private:
    void add_error(const fs::path& path, std::string expected, std::string found) {
        found_.errors.push_back({path.string(), "", std::move(expected), std::move(found)});
    }

    void add(const fs::path& path) {
        std::error_code error;
        const fs::path canonical = fs::weakly_canonical(path, error);
        if (known_.insert(error ? path : canonical).second) found_.files.push_back(path);
    }

    void add_if_report(const fs::path& path) {
        if (const auto instead = report::why_no_report(path))
            left_out_.emplace_back(path, path.string() + ": no graph report, but " + *instead);
        else
            add(path);
    }

    void add_folder(const fs::path& folder) {
        std::error_code error;
        std::vector<fs::path> here;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            std::error_code no_matter;
            if (it->is_directory(no_matter)) {
                if (fs::is_regular_file(it->path() / "report.json", no_matter))
                    here.push_back(it->path() / "report.json");
            } else if (it->is_regular_file(no_matter) && it->path().extension() == ".json") {
                here.push_back(it->path());
            }
        }
        if (error) return add_error(folder, "a folder that can be read", error.message());
        std::sort(here.begin(), here.end());
        const std::size_t before = found_.files.size();
        const std::size_t known_before = known_.size();
        for (const fs::path& path : here)
            add_if_report(path);
        const bool all_known = known_.size() == known_before && here.size() > left_out_.size();
        if (found_.files.size() == before && !all_known)
            add_error(folder, "reports in it, as *.json or */report.json", "none");
    }

    void leave_sidecars() {
        std::set<fs::path> sidecars;
        for (const fs::path& file : found_.files) {
            std::error_code error;
            for (const fs::path& it : report::files_of_report(file))
                if (it != file) sidecars.insert(fs::weakly_canonical(it, error));
        }
        const auto is_sidecar = [&](const fs::path& path) {
            std::error_code error;
            return sidecars.contains(fs::weakly_canonical(path, error));
        };
        // A report that is called like a sidecar is one all the same.
        std::erase_if(found_.files, [&](const fs::path& path) {
            return is_sidecar(path) && report::why_no_report(path).has_value();
        });
        for (auto& [path, why] : left_out_)
            if (!is_sidecar(path)) found_.left_out.push_back(std::move(why));
    }

    FoundReports found_;
    std::set<fs::path> known_;
    std::vector<std::pair<fs::path, std::string>> left_out_;
};

}  // namespace

FoundReports find_reports(const std::vector<std::string>& arguments) {
    return Finder().run(arguments);
}

std::string name_of_report(const std::filesystem::path& report) {
    if (report.filename() != "report.json") return report.filename().string();
    std::error_code error;
    const fs::path whole = fs::absolute(report, error).lexically_normal();
    return error ? report.string() : whole.parent_path().filename().string() + "/report.json";
}

}  // namespace tilemeter::analysis
