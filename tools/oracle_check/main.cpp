// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// oracle_check FILE.jsonl... : replays recorded operations and counts how many come out equal, per operation or,
// with --table, per file as the Markdown table of runtime/AGREEMENT.md. With --operations it lists all operations.

#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/log/log.hpp"
#include "runtime/operation_list.hpp"
#include "tools/command/arguments.hpp"
#include "tools/oracle_check/oracle_row.hpp"
#include "tools/oracle_check/replay.hpp"
#include "tools/oracle_check/row_check.hpp"

namespace {

std::string describe(const tilemeter::oracle::Row& row) {
    std::string text = row.board + " " + row.operation + " " + row.arguments.dump();
    for (const tilemeter::TensorSpec& input : row.inputs) {
        text += " " + input.shape.to_string().substr(5) + tilemeter::oracle::lower_case_name(input.dtype) +
                " " + std::string(tilemeter::name_of(input.layout)) + " " +
                std::string(tilemeter::name_of(input.memory_config.memory_layout)) + " " +
                std::string(tilemeter::name_of(input.memory_config.buffer_type));
    }
    if (!row.out_memory_config) return text;
    return text + " -> " + std::string(tilemeter::name_of(row.out_memory_config->memory_layout)) + " " +
           std::string(tilemeter::name_of(row.out_memory_config->buffer_type));
}

struct Options {
    std::vector<std::string> files;
    std::string only;
    std::size_t show = 1;
    bool table = false;
    bool operations = false;
};

using tilemeter::oracle::RowCheck;

/// One row for each file, whose name is FAMILY_BOARD.jsonl. The links are relative to runtime/.
int print_table(const std::vector<std::string>& files, const RowCheck::Check& replayed) {
    bool all_equal = true;
    std::string table =
        "| family | board | rows | equal | known differences |\n| --- | --- | --: | --: | --- |\n";
    for (const std::string& path : files) {
        const std::string name = std::filesystem::path(path).stem().string();
        const std::size_t end = name.rfind('_');
        if (end == std::string::npos) {
            std::cerr << "oracle_check: " << path << ": expected a file FAMILY_BOARD.jsonl\n";
            return tilemeter::command::kBadInput;
        }
        RowCheck check("oracle_check", "a recorded operation", 0);
        if (!check.file(path, replayed)) return tilemeter::command::kBadInput;
        const RowCheck::Score score = check.total();
        all_equal = all_equal && score.equal == score.total;
        const std::string family = name.substr(0, end);
        table += "| " + family + " | " + name.substr(end + 1) + " | " + std::to_string(score.total) + " | " +
                 std::to_string(score.equal) + " | [list](operations/" + family +
                 "/README.md#known-differences) |\n";
    }
    std::cout << table;
    return all_equal ? tilemeter::command::kDone : tilemeter::command::kBadInput;
}

/// All operations with the number of rows that the files have of each name; rows leave out "experimental." unless
/// another operation would have the name, too.
int print_operations(const std::vector<std::string>& files) {
    std::map<std::string, std::size_t> rows;
    const auto count = [&](const std::string& line) -> RowCheck::Result {
        ++rows[tilemeter::oracle::parse_row(line).operation];
        return {};
    };
    RowCheck check("oracle_check", "a recorded operation", 0);
    for (const std::string& path : files) {
        if (!check.file(path, count)) return tilemeter::command::kBadInput;
    }
    std::cout << "| family | operation | rows |\n| --- | --- | --: |\n";
    std::set<std::string> taken;
    for (const tilemeter::ListedOperation& operation : tilemeter::all_operations()) {
        const std::string last_word = operation.name.substr(operation.name.rfind('.') + 1);
        std::cout << "| " << operation.family << " | `" << operation.signature() << "` | "
                  << rows[taken.insert(last_word).second ? last_word : operation.name] << " |\n";
    }
    return tilemeter::command::kDone;
}

}  // namespace

int main(int argc, char** argv) {
    tilemeter::logging::set_default_level(tilemeter::logging::Level::kWarn);
    Options options;
    const tilemeter::command::Program program{
        .name = "oracle_check",
        .documentation =
            "Replays recorded operations on the modelled devices and counts how many come out equal.",
        .parameters = {
            {"files", &options.files, "oracle tables (JSON lines)", {.required = true}},
            {"--only", &options.only, "only this operation"},
            {"--show", &options.show, "differences to show per operation", {.shows_default = true}},
            {"--table", &options.table,
             "print the counts of each file FAMILY_BOARD.jsonl as a Markdown table, without differences"},
            {"--operations", &options.operations,
             "list all operations with their parameters and the number of rows of each"}}};
    if (const auto ended = tilemeter::command::parse(program, argc, argv)) return *ended;
    const auto replayed = [&](const std::string& line) -> RowCheck::Result {
        const tilemeter::oracle::Row row = tilemeter::oracle::parse_row(line);
        if (!options.only.empty() && row.operation != options.only) return {};
        return {row.operation, tilemeter::oracle::difference_from_recorded(row), describe(row)};
    };
    if (options.operations) return print_operations(options.files);
    if (options.table) return print_table(options.files, replayed);
    RowCheck check("oracle_check", "a recorded operation", options.show);
    for (const std::string& path : options.files) {
        if (!check.file(path, replayed)) return tilemeter::command::kBadInput;
    }
    return check.report();
}
