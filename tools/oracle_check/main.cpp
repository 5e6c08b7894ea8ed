// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// oracle_check FILE.jsonl... : replays recorded operations and counts how many come out equal, per operation.

#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/oracle_check/compare.hpp"
#include "tools/oracle_check/oracle_row.hpp"
#include "tools/oracle_check/replay.hpp"

namespace {

struct Score {
    std::size_t equal = 0;
    std::size_t total = 0;
};

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
};

class Check {
public:
    explicit Check(Options options) : options_(std::move(options)) {}

    bool file(const std::string& path) {
        std::ifstream in(path);
        if (!in) {
            std::cerr << "oracle_check: " << path << ": cannot be opened\n";
            return false;
        }
        std::string line;
        for (std::size_t number = 1; std::getline(in, line); ++number) {
            try {
                row(path + ":" + std::to_string(number), tilemeter::oracle::parse_row(line));
            } catch (const std::exception& error) {
                std::cerr << "oracle_check: " << path << ":" << number
                          << ": expected a recorded operation, found " << error.what() << "\n";
                return false;
            }
        }
        return true;
    }

    int report() const {
        Score all;
        for (const auto& [operation, score] : scores_) {
            std::cout << operation << " " << score.equal << "/" << score.total << "\n";
            all.equal += score.equal;
            all.total += score.total;
        }
        std::cout << all.equal << " passed, " << all.total - all.equal << " failed\n";
        return all.total != 0 && all.equal == all.total ? 0 : 1;
    }

private:
    void row(const std::string& where, const tilemeter::oracle::Row& row) {
        if (!options_.only.empty() && row.operation != options_.only) return;
        Score& score = scores_[row.operation];
        const std::string found = first_difference(row.recorded, tilemeter::oracle::replay(row));
        ++score.total;
        if (found.empty()) {
            ++score.equal;
        } else if (score.total - score.equal <= options_.show) {
            std::cout << where << ": " << describe(row) << "\n    " << found << "\n";
        }
    }

    Options options_;
    std::map<std::string, Score> scores_;
};

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Replays recorded operations on the modelled devices and counts how many come out equal."};
    app.add_option("files", options.files, "oracle tables (JSON lines)")->required();
    app.add_option("--only", options.only, "only this operation");
    app.add_option("--show", options.show, "differences to show per operation")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    Check check(options);
    for (const std::string& path : options.files) {
        if (!check.file(path)) return 2;
    }
    return check.report();
}
