// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Compares a model with recorded rows: reads tables of JSON lines, counts the rows that come out equal, prints
// some of those that differ, and ends with "N passed, M failed". Shared by the programs oracle_check and
// allocator_check.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace tilemeter::oracle {

class RowCheck {
public:
    struct Score {
        std::size_t equal = 0;
        std::size_t total = 0;
    };
    /// The outcome of one line.
    struct Result {
        std::string kind;        ///< counted under this name; empty: the row was not asked for
        std::string difference;  ///< empty: equal
        std::string what;        ///< the row in words, for the differences shown
    };
    /// Checks one line; throws std::exception for one that it can't read.
    using Check = std::function<Result(const std::string& line)>;

    /// `program` and `expected` ("a recorded operation") go into messages; so many differences are shown per
    /// kind.
    RowCheck(std::string program, std::string expected, std::size_t show)
        : program_(std::move(program)), expected_(std::move(expected)), show_(show) {}

    /// Checks the lines of a file and prints differences. A file or line that cannot be read: prints one line on
    /// stderr and returns false.
    bool file(const std::string& path, const Check& check);

    /// Prints the counts. Exit status: 0 if there were rows and all are equal, else 1.
    int report() const;

    /// The counts of all kinds together.
    Score total() const;

private:
    std::string program_;
    std::string expected_;
    std::size_t show_;
    std::map<std::string, Score> scores_;
};

}  // namespace tilemeter::oracle
