// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/python_records.hpp"

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "report/python_io.hpp"

namespace tilemeter::cli {
namespace {

std::filesystem::path sidecar_of(const std::filesystem::path& report) {
    std::filesystem::path path = report;
    return path.replace_extension(".python_io.json");
}

// `  File "/home/user/models/m.py", line 6, in f` -> "/home/user/models/m.py:6"
std::string line_of_frame(std::string_view frame) {
    const std::size_t open = frame.find('"');
    const std::size_t close = frame.find('"', open + 1);
    constexpr std::string_view kLine = ", line ";
    if (open == std::string_view::npos || close == std::string_view::npos) return {};
    std::string result(frame.substr(open + 1, close - open - 1));
    if (frame.substr(close + 1).starts_with(kLine)) {
        const std::string_view rest = frame.substr(close + 1 + kLine.size());
        result += ":" + std::string(rest.substr(0, rest.find_first_not_of("0123456789")));
    }
    return result;
}

}  // namespace

PythonRecords::PythonRecords(const std::string& report, const graph::NodeList& list,
                             const graph::Scopes& scopes) {
    const std::filesystem::path path = sidecar_of(report);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return;
    auto records = report::PythonIo::open(path);
    if (!records) return;
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope) {
        if (scopes.scopes[scope].parent != graph::kNoIndex) continue;
        const std::string_view name = list.name(scopes.scopes[scope].start);
        const auto waiting = records->waiting(name);
        if (waiting.empty()) continue;
        if (auto record = records->record(waiting.front())) {
            const auto frame = record.value().at("python_stack_trace").children();
            if (frame.valid()) lines_[scope] = line_of_frame(frame.value().text().value_or(""));
            const auto message = record.value().at("error").at("message").text();
            if (message) errors_[scope] = *message;
        }
        records->take(name);
    }
}

std::string PythonRecords::source_line(std::uint32_t scope) const {
    const auto found = lines_.find(scope);
    return found == lines_.end() ? std::string() : found->second;
}

std::string PythonRecords::error(std::uint32_t scope) const {
    const auto found = errors_.find(scope);
    return found == errors_.end() ? std::string() : found->second;
}

}  // namespace tilemeter::cli
