// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database/report_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "report/input.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPythonIo = ".python_io.json";
constexpr std::string_view kComparison = ".comparison_records.json";
constexpr std::string_view kFolderComparison = "comparison_records.json";
// Endings of files that lie beside reports and are none; the last are this importer's own outputs.
constexpr std::array<std::string_view, 3> kOtherEndings{kPythonIo, kComparison, ".tensor_lifetime.json"};
constexpr std::array<std::string_view, 2> kOtherNames{"config.json", kFolderComparison};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view without_number(std::string_view text) {
    while (!text.empty() && is_digit(text[0]))
        text.remove_prefix(1);
    return text;
}

// graph_capture_<n>_of_<m>.json, case ignored
bool is_ranked_capture(const std::string& name) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string_view rest = lower;
    constexpr std::string_view kBegin = "graph_capture_";
    constexpr std::string_view kMiddle = "_of_";
    if (!rest.starts_with(kBegin)) return false;
    rest.remove_prefix(kBegin.size());
    std::string_view after = without_number(rest);
    if (after.size() == rest.size() || !after.starts_with(kMiddle)) return false;
    after.remove_prefix(kMiddle.size());
    const std::string_view end = without_number(after);
    return end.size() < after.size() && end == ".json";
}

// name: without the ending of a compressed file
bool is_report_name(const std::string& name) {
    if (!name.ends_with(".json") || std::ranges::find(kOtherNames, name) != kOtherNames.end()) return false;
    return std::ranges::none_of(kOtherEndings,
                                [&](std::string_view ending) { return name.ends_with(ending); });
}

// Runs of digits compare as numbers.
bool natural_less(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a[0]) && is_digit(b[0])) {
            std::string_view a_number = a.substr(0, a.size() - without_number(a).size());
            std::string_view b_number = b.substr(0, b.size() - without_number(b).size());
            a.remove_prefix(a_number.size());
            b.remove_prefix(b_number.size());
            while (a_number.size() > 1 && a_number[0] == '0')
                a_number.remove_prefix(1);
            while (b_number.size() > 1 && b_number[0] == '0')
                b_number.remove_prefix(1);
            if (a_number.size() != b_number.size()) return a_number.size() < b_number.size();
            if (a_number != b_number) return a_number < b_number;
            continue;
        }
        if (a[0] != b[0]) return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]);
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    return a.size() < b.size();
}

}  // namespace

report::Result<std::vector<fs::path>> report_files(const fs::path& path, bool text_order) {
    if (path == "-") return std::vector<fs::path>{path};
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (!fs::exists(status))
        return report::Error{path.string(), "", "a report or a folder of reports", "nothing there"};
    if (!fs::is_directory(status)) return std::vector<fs::path>{path};
    std::vector<fs::path> ranked;
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(path, problem)) {
        const fs::path plain = report::without_compression(entry.path());
        if (report::find_compressed_or_not(plain) != entry.path()) continue;  // the same once more
        const std::string name = plain.filename().string();
        if (is_ranked_capture(name)) ranked.push_back(entry.path());
        if (is_report_name(name)) all.push_back(entry.path());
    }
    if (problem) return report::Error{path.string(), "", "a readable folder", problem.message()};
    std::vector<fs::path>& files = ranked.empty() ? all : ranked;
    if (files.empty()) return report::Error{path.string(), "", "at least one report (*.json)", "none"};
    std::ranges::sort(files, [&](const fs::path& a, const fs::path& b) {
        return text_order ? a.native() < b.native() : natural_less(a.native(), b.native());
    });
    return std::move(files);
}

fs::path python_io_sidecar(const fs::path& report) {
    return report::find_sidecar(report, kPythonIo);
}

fs::path comparison_sidecar(const fs::path& report, bool& of_folder) {
    of_folder = false;
    fs::path own = report::find_sidecar(report, kComparison);
    if (!own.empty() || report == "-") return own;
    fs::path shared = report::find_compressed_or_not(report.parent_path() / kFolderComparison);
    of_folder = !shared.empty();
    return shared;
}

}  // namespace tilemeter::visualizer_import
