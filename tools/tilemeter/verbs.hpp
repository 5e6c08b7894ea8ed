// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The verbs of the command line. Each adds its subcommand; what it does runs as the subcommand's callback and
// ends with a Failure when it can't.

#pragma once

#include <stdexcept>
#include <string>

#include "report/result.hpp"

namespace CLI {
class App;
}

namespace tilemeter::cli {

/// What the program exits with: the same for all verbs.
enum Exit : int {
    kDone =
        0,  ///< answered; of `check`, `fit` and `diff --exit-code`: within the limits, fits, no difference
    kBadInput = 1,    ///< a file that cannot be read, or is no report
    kWrongUsage = 2,  ///< options that are not there, or with impossible values
    kExceeded =
        3,  ///< `check`: a limit was exceeded; `fit`: it does not fit; `diff --exit-code`: they differ
    kCannotBeJudged = 4  ///< `check`, `fit`, `diff --exit-code`: what a verdict needs is not recorded, or an
                         ///< operation failed
};

/// One line for the user and the status the program exits with.
class Failure : public std::runtime_error {
public:
    explicit Failure(const std::string& message, int status = kBadInput)
        : std::runtime_error(message), status_(status) {}
    /// Wrong usage is status 2.
    explicit Failure(const report::Error& error)
        : std::runtime_error(error.message()),
          status_(error.wrong_usage ? kWrongUsage : kBadInput),
          parts_(error) {}
    int status() const { return status_; }
    /// File, position, expected, found; empty where the message alone is known.
    const report::Error& parts() const { return parts_; }

private:
    int status_;
    report::Error parts_ = {};
};

/// A verb has answered, and the program exits with `status`: 3 and 4 are no errors.
struct Answered {
    int status = kDone;
};
inline Failure failure_of(const report::Error& error) {
    return Failure(error);
}

void add_check(CLI::App& app);
void add_configs(CLI::App& app);
void add_diff(CLI::App& app);
void add_explain(CLI::App& app);
void add_figures(CLI::App& app);
void add_fit(CLI::App& app);
void add_html(CLI::App& app);
void add_levelized(CLI::App& app);
void add_overhead(CLI::App& app);
void add_peak(CLI::App& app);
void add_perfetto(CLI::App& app);
void add_print(CLI::App& app);
void add_recover(CLI::App& app);
void add_summary(CLI::App& app);
void add_svg(CLI::App& app);
void add_timeline(CLI::App& app);
void add_tree(CLI::App& app);

}  // namespace tilemeter::cli
