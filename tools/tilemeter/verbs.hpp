// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The verbs of the program `tilemeter`: each function describes one, its parameters and what it does. A
// verb's run() throws a Failure where it cannot answer, and Answered where the exit status is not 0.

#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "report/result.hpp"
#include "tools/command/arguments.hpp"
#include "tools/command/parameters.hpp"

namespace tilemeter::cli {

/// The exit statuses of the program: the same for all verbs.
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

/// For questions about datasets, which the Python package answers: where it comes from.
Failure needs_fleet(const std::string& verb);

/// The range of --top and the like: beyond every level, line and node of a report that can be read.
inline constexpr command::Range kAnyCount{0, 1'000'000'000};

command::Verb attach_verb();  ///< of the program alone: it becomes another one
command::Verb check_verb();
command::Verb collect_verb();
/// Of all verbs of the program.
command::Verb completion_verb(const command::VerbProgram& program);
command::Verb configs_verb();
command::Verb diff_verb();
command::Verb explain_verb();
command::Verb export_verb();
command::Verb figures_verb();
command::Verb fit_verb();
command::Verb html_verb();
command::Verb import_verb();
command::Verb levelized_verb();
command::Verb memory_verb();
command::Verb open_verb();  ///< of the program alone: it serves until Ctrl-C
command::Verb overhead_verb();
command::Verb peak_verb();
command::Verb perfetto_verb();
command::Verb print_verb();
command::Verb recover_verb();
command::Verb run_cpp_verb();  ///< of the program alone: it builds and runs another one
command::Verb summary_verb();
command::Verb svg_verb();
command::Verb tightest_verb();
command::Verb timeline_verb();
command::Verb tree_verb();
command::Verb watch_verb();  ///< of the program alone: it runs as long as what it watches

/// The verbs of the program alone.
inline std::vector<command::Verb> served_verbs() {
    return {open_verb(), watch_verb(), run_cpp_verb(), attach_verb()};
}

}  // namespace tilemeter::cli
