// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database/stack_sources.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "report/text.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLineBlanks = " \t\r\f\v";

std::string_view trimmed(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(kLineBlanks);
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(kLineBlanks) - begin + 1);
}

template <class Visit>
void each_line(std::string_view text, Visit&& visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!visit(text.substr(0, end))) return;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// File "path", line N<rest>
std::optional<StackFrame> python_frame(std::string_view line, std::string_view* rest = nullptr) {
    constexpr std::string_view kFile = "File \"";
    constexpr std::string_view kLine = "\", line ";
    line = trimmed(line);
    if (!line.starts_with(kFile)) return std::nullopt;
    line.remove_prefix(kFile.size());
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos || quote == 0 || !line.substr(quote).starts_with(kLine))
        return std::nullopt;
    StackFrame frame{line.substr(0, quote), 0};
    line.remove_prefix(quote + kLine.size());
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), frame.line);
    if (problem != std::errc{} || line[0] == '-') return std::nullopt;
    if (rest != nullptr) *rest = line.substr(static_cast<std::size_t>(end - line.data()));
    return frame;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// path:line or path:line:column, and nothing else
std::optional<std::string_view> colon_frame(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    std::string_view numbers = line.substr(colon + 1);
    const std::size_t second = numbers.find(':');
    if (second != std::string_view::npos && !is_number(numbers.substr(second + 1))) return std::nullopt;
    return is_number(numbers.substr(0, second)) ? std::optional(line.substr(0, colon)) : std::nullopt;
}

std::optional<std::string_view> named_file(std::string_view stack_trace) {
    std::optional<std::string_view> file;
    each_line(stack_trace, [&](std::string_view line) {
        std::string_view rest;
        if (const auto frame = python_frame(line, &rest); frame && rest.starts_with(", in")) {
            file = frame->file;
        } else {
            file = colon_frame(trimmed(line));
        }
        return !file;
    });
    return file;
}

bool is_below(const fs::path& path, const fs::path& root) {
    return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

std::optional<StackFrame> first_frame(std::string_view stack_trace) {
    std::optional<StackFrame> frame;
    each_line(stack_trace, [&](std::string_view line) {
        frame = python_frame(line);
        return !frame;
    });
    return frame;
}

StackSources::StackSources(const std::vector<fs::path>& roots) {
    for (const fs::path& root : roots) {
        std::error_code problem;
        const fs::path resolved = fs::canonical(root, problem);
        if (!problem && resolved != resolved.root_path()) roots_.push_back(resolved);
    }
}

std::optional<std::string> StackSources::read(const std::string& named, std::string& resolved) const {
    std::error_code problem;
    const fs::path path = fs::canonical(named, problem);
    if (problem || !fs::is_regular_file(path, problem)) return std::nullopt;
    const bool allowed =
        std::ranges::any_of(roots_, [&](const fs::path& root) { return is_below(path, root); });
    if (!allowed) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    resolved = path.string();
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::optional<std::int64_t> StackSources::source_file_id(Database& database, std::string_view stack_trace) {
    const auto named = named_file(stack_trace);
    if (!named) return std::nullopt;
    if (const auto known = known_.find(*named); known != known_.end()) return known->second;
    std::string resolved;
    std::optional<std::int64_t> id;
    if (const auto contents = read(std::string(*named), resolved)) {
        if (const auto stored = stored_.find(resolved); stored != stored_.end()) {
            id = stored->second;
        } else {
            id = static_cast<std::int64_t>(stored_.size()) + 1;
            database.insert<Table::kSourceFiles>(*id, resolved, *contents);
            stored_.emplace(resolved, *id);
        }
    }
    known_.emplace(std::string(*named), id);
    return id;
}

}  // namespace tilemeter::visualizer_import
