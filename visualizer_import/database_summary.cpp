// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database_summary.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <sqlite3.h>

#include "report/input.hpp"
#include "report/text.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;

constexpr std::string_view kMagic = "SQLite format 3";
constexpr std::string_view kJsonBlanks = " \t\r\n";
constexpr int kErrorsShown = 5;
constexpr std::size_t kLongestErrorBytes = 400;

class Reader {
public:
    static report::Result<Reader> open(const std::filesystem::path& path) {
        sqlite3* handle = nullptr;
        const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
        Reader reader(handle, path.string());
        if (code != SQLITE_OK) return reader.failure();
        return reader;
    }
    using Row = std::vector<std::string>;
    // The rows of a query as texts, "" for NULL; none if the database lacks what it asks for.
    std::vector<Row> rows(const std::string& sql) {
        std::vector<Row> result;
        sqlite3_stmt* raw = nullptr;
        if (sqlite3_prepare_v2(handle_.get(), sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) return result;
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
        while (sqlite3_step(raw) == SQLITE_ROW) {
            Row& row = result.emplace_back();
            for (int i = 0; i < sqlite3_column_count(raw); ++i) {
                const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw, i));
                row.emplace_back(text != nullptr ? text : "");
            }
        }
        return result;
    }
    std::optional<std::int64_t> number(const std::string& sql) {
        const auto found = rows(sql);
        if (found.empty() || found[0].empty() || found[0][0].empty()) return std::nullopt;
        return std::strtoll(found[0][0].c_str(), nullptr, 10);
    }
    bool has_table(const std::string& name) {
        return number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + name + "'") ==
               1;
    }
    [[nodiscard]] Error failure() const {
        return {name_, "", "a database that can be read", sqlite3_errmsg(handle_.get())};
    }

private:
    Reader(sqlite3* handle, std::string name) : handle_(handle, sqlite3_close), name_(std::move(name)) {}
    std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_;
    std::string name_;
};

// Rows are only ever appended to these tables, so the highest row number is their count.
constexpr std::array<const char*, 16> kCounted{
    "operations",           "tensors",           "devices",       "edges",          "errors",
    "operation_executions", "stack_traces",      "source_files",  "buffer_chunks",  "buffer_spans",
    "program_memory",       "nested_operations", "input_tensors", "output_tensors", "captured_graph",
    "tensor_lifetime",
};

struct Feature {
    const char* table;
    const char* says;
};
constexpr std::array<Feature, 6> kFeatures{{
    {"stack_traces", "Python stack traces"},
    {"source_files", "sources"},
    {"buffer_chunks", "pages per core"},
    {"local_tensor_comparison_records", "comparison with golden tensors"},
    {"tensor_lifetime", "tensor lifetimes"},
    {"program_memory", "program memory"},
}};

void count_tables(Reader& reader, ContentSummary& summary) {
    for (const char* table : kCounted)
        if (reader.has_table(table))
            summary.counts[table] = reader.number("SELECT max(rowid) FROM " + std::string(table)).value_or(0);
    if (reader.has_table("buffers"))
        summary.counts["buffers"] = reader.number("SELECT max(rowid) FROM buffers").value_or(0);
    for (const Feature& feature : kFeatures)
        if (reader.number("SELECT 1 FROM " + std::string(feature.table) + " LIMIT 1"))
            summary.features.emplace_back(feature.says);
}

void read_import_info(Reader& reader, ContentSummary& summary) {
    for (const auto& row :
         reader.rows("SELECT key, sum(value) FROM import_summary WHERE key NOT LIKE 'peak%' GROUP BY key"))
        summary.counts[row[0]] = std::strtoll(row[1].c_str(), nullptr, 10);
    const auto peak = reader.rows(
        "SELECT peak.value, (SELECT name FROM operations o, import_summary at WHERE at.key = "
        "'peak_l1_operation_id' AND at.rank = peak.rank AND o.operation_id = CAST(at.value AS int) AND "
        "o.rank = peak.rank), (SELECT value FROM import_summary at WHERE at.key = 'peak_l1_operation_id' AND "
        "at.rank = peak.rank) FROM import_summary peak WHERE peak.key = 'peak_l1_bytes_per_core' ORDER BY "
        "CAST(peak.value AS int) DESC LIMIT 1");
    if (peak.empty()) return;
    summary.peak_l1_bytes_per_core = std::strtoll(peak[0][0].c_str(), nullptr, 10);
    if (!peak[0][1].empty()) summary.peak_operation = peak[0][1] + " (operation " + peak[0][2] + ")";
}

// The live list changes at the first operation of a span and behind its last.
constexpr const char* kDramPeak = R"(
    SELECT max(total) FROM (
        SELECT sum(change) OVER (PARTITION BY device_id, rank ORDER BY operation, change) AS total FROM (
            SELECT device_id, rank, first_operation_id AS operation, max_size_per_bank AS change
                FROM buffer_spans WHERE buffer_type = 0
            UNION ALL
            SELECT device_id, rank, last_operation_id + 1, -max_size_per_bank
                FROM buffer_spans WHERE buffer_type = 0)))";

void read_devices(Reader& reader, ContentSummary& summary) {
    for (const auto& row :
         reader.rows("SELECT device_id, rank, num_x_compute_cores, num_y_compute_cores FROM "
                     "devices ORDER BY rank, device_id")) {
        const auto number = [&](std::size_t i) { return std::strtoll(row[i].c_str(), nullptr, 10); };
        summary.devices.push_back({number(0), number(1), number(2), number(3)});
    }
    summary.l1_bank_bytes = reader.number("SELECT max(l1_bank_size) FROM devices").value_or(0);
    if (reader.has_table("buffer_spans"))
        summary.peak_dram_bytes_per_bank = reader.number(kDramPeak).value_or(0);
}

std::int64_t count_of(const ContentSummary& summary, const std::string& key) {
    const auto found = summary.counts.find(key);
    return found == summary.counts.end() ? 0 : found->second;
}

void find_suspicious(ContentSummary& summary) {
    struct Suspicion {
        const char* key;
        const char* says;
    };
    static constexpr std::array<Suspicion, 9> kSuspicions{{
        {"executions_without_program_memory",
         "executions that show no program memory: cache hits, or kinds that the capture did not record"},
        {"incomplete_operations", "operations that never ended"},
        {"placed_buffers", "buffers without address, placed by the importer"},
        {"overlapping_buffers", "of them over others: more was alive than the memory holds"},
        {"unmatched_function_ends", "function ends without a start"},
        {"dropped_executions", "executions beyond 1024 in one operation, left out"},
        {"foreign_python_records", "Python records of other threads or captures"},
        {"unknown_nodes", "nodes of types that this version does not know"},
        {"unknown_sections", "sections that this version does not know"},
    }};
    const auto say = [&](std::int64_t count, const char* what) {
        if (count > 0) summary.suspicious.push_back(std::to_string(count) + " " + what);
    };
    for (const Suspicion& suspicion : kSuspicions)
        say(count_of(summary, suspicion.key), suspicion.says);
    if (count_of(summary, "operations") == 0) summary.suspicious.emplace_back("0 operations recorded");
    const bool device_events = count_of(summary, "operation_executions") > 0 ||
                               count_of(summary, "program_memory") > 0 ||
                               count_of(summary, "buffer_spans") > 0 || count_of(summary, "buffers") > 0;
    if (!device_events) summary.suspicious.emplace_back("0 device events recorded");
}

// TT-NN's messages are a place and a condition, a line "info:" with what it means, and a stack trace.
std::string in_one_line(std::string_view message) {
    std::string line;
    while (!message.empty()) {
        const std::size_t end = std::min(message.find('\n'), message.size());
        const std::string_view part = message.substr(0, end);
        message.remove_prefix(std::min(end + 1, message.size()));
        if (part.starts_with("backtrace:")) break;
        if (!part.empty() && part != "info:") line.append(line.empty() ? "" : ": ").append(part);
    }
    return line.size() <= kLongestErrorBytes ? line
                                             : report::to_valid_utf8(line.substr(0, kLongestErrorBytes));
}

}  // namespace

// Opening a pipe would wait for its writer.
bool is_database(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::ifstream file(path, std::ios::binary);
    std::array<char, kMagic.size()> head{};
    file.read(head.data(), head.size());
    return file && std::string_view(head.data(), head.size()) == kMagic;
}

std::optional<std::string> why_no_import(const std::filesystem::path& path) {
    if (!is_database(path)) return "a file that is no SQLite database";
    auto reader = Reader::open(path);
    if (!reader) return reader.error().found;
    if (!reader->number("SELECT count(*) FROM sqlite_master")) return reader->failure().found;
    for (const char* table : {"operations", "tensors", "input_tensors"})
        if (!reader->has_table(table)) return "a database without the table " + std::string(table);
    return std::nullopt;
}

report::Result<ContentSummary> summarize_database(const std::filesystem::path& database) {
    auto reader = Reader::open(database);
    if (!reader) return reader.error();
    ContentSummary summary;
    if (!reader->has_table("operations"))
        return Error{database.string(), "", "a database of ttnn-visualizer", "one without operations"};
    count_tables(*reader, summary);
    read_import_info(*reader, summary);
    for (const auto& row : reader->rows("SELECT key, value FROM report_metadata"))
        summary.metadata[row[0]] = row[1];
    read_devices(*reader, summary);
    for (const auto& row : reader->rows("SELECT DISTINCT rank FROM devices ORDER BY rank"))
        summary.ranks.push_back(std::strtoll(row[0].c_str(), nullptr, 10));
    for (const auto& row :
         reader->rows("SELECT operation_id, operation_name, error_type, error_message FROM errors LIMIT " +
                      std::to_string(kErrorsShown)))
        summary.errors.push_back("operation " + row[0] + " " + row[1] + ": " + row[2] + ": " +
                                 in_one_line(row[3]));
    find_suspicious(summary);
    return summary;
}

bool is_node_list(const std::filesystem::path& path) {
    auto input = report::Input::open(path);
    if (!input) return false;
    char first = ' ';
    for (std::uint64_t offset = 0; kJsonBlanks.find(first) != kJsonBlanks.npos; ++offset)
        if (auto count = input->read(offset, &first, 1); !count || *count == 0) return false;
    return first == '[';
}

}  // namespace tilemeter::visualizer_import
