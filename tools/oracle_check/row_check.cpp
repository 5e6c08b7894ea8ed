// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/row_check.hpp"

#include <exception>
#include <fstream>
#include <iostream>

namespace tilemeter::oracle {

bool RowCheck::file(const std::string& path, const Check& check) {
    std::ifstream in(path);
    if (!in) {
        std::cerr << program_ << ": " << path << ": expected a file that can be read, found none\n";
        return false;
    }
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        const std::string where = path + ":" + std::to_string(number);
        Result result;
        try {
            result = check(line);
        } catch (const std::exception& error) {
            std::cerr << program_ << ": " << where << ": expected " << expected_ << ", found " << error.what()
                      << "\n";
            return false;
        }
        if (result.kind.empty()) continue;
        Score& score = scores_[result.kind];
        ++score.total;
        if (result.difference.empty()) {
            ++score.equal;
        } else if (score.total - score.equal <= show_) {
            std::cout << where << ": " << result.what << "\n    " << result.difference << "\n";
        }
    }
    return true;
}

RowCheck::Score RowCheck::total() const {
    Score all;
    for (const auto& [kind, score] : scores_) {
        all.equal += score.equal;
        all.total += score.total;
    }
    return all;
}

int RowCheck::report() const {
    for (const auto& [kind, score] : scores_) {
        std::cout << kind << " " << score.equal << "/" << score.total << "\n";
    }
    const Score all = total();
    std::cout << all.equal << " passed, " << all.total - all.equal << " failed\n";
    return all.total != 0 && all.equal == all.total ? 0 : 1;
}

}  // namespace tilemeter::oracle
