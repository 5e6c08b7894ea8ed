// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// allocator_check FILE.jsonl... : replays recorded allocations and counts how many come out equal, per kind.

#include <cstddef>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/allocator_check/replay.hpp"

namespace {

struct Score {
    std::size_t equal = 0;
    std::size_t total = 0;
};

struct Options {
    std::vector<std::string> files;
    std::size_t show = 3;
};

class Check {
public:
    explicit Check(Options options) : options_(std::move(options)) {}

    bool file(const std::string& path) {
        std::ifstream in(path);
        if (!in) {
            std::cerr << "allocator_check: " << path << ": expected a file that can be read, found none\n";
            return false;
        }
        tilemeter::allocator_check::Replay replay;
        std::string line;
        for (std::size_t number = 1; std::getline(in, line); ++number) {
            const std::string where = path + ":" + std::to_string(number);
            try {
                const auto row = nlohmann::json::parse(line);
                count(where, row.at("kind"), replay.row(row));
            } catch (const std::exception& error) {
                std::cerr << "allocator_check: " << where << ": expected a recorded allocation, found "
                          << error.what() << "\n";
                return false;
            }
        }
        return true;
    }

    int report() const {
        Score all;
        for (const auto& [kind, score] : scores_) {
            std::cout << kind << " " << score.equal << "/" << score.total << "\n";
            all.equal += score.equal;
            all.total += score.total;
        }
        std::cout << all.equal << " passed, " << all.total - all.equal << " failed\n";
        return all.total != 0 && all.equal == all.total ? 0 : 1;
    }

private:
    void count(const std::string& where, const std::string& kind, const std::string& difference) {
        Score& score = scores_[kind];
        ++score.total;
        if (difference.empty()) {
            ++score.equal;
        } else if (score.total - score.equal <= options_.show) {
            std::cout << where << ": " << kind << ": " << difference << "\n";
        }
    }

    Options options_;
    std::map<std::string, Score> scores_;
};

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Replays recorded allocations on the modelled devices and counts how many come out equal."};
    app.add_option("files", options.files, "allocator tables (JSON lines)")->required();
    app.add_option("--show", options.show, "differences to show per kind")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    Check check(options);
    for (const std::string& path : options.files) {
        if (!check.file(path)) return 2;
    }
    return check.report();
}
