// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A process that records, as the file that it writes tells: what `watch` prints and the live page of `open` shows. The file
// alone is read.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tilemeter::cli {

/// `what`, or where it is the number of a process the recording that this process has open; Failure where it has none.
std::string recording_named(const std::string& what);

class Watch {
public:
    /// Throws Failure where `path` is no recording that can be read.
    explicit Watch(const std::string& path);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Reads what is new; throws Failure where that cannot be read.
    void look();
    /// As of the last look(): the capture has ended, or the process has died.
    [[nodiscard]] bool is_over() const;
    /// The members of the verb's answer (tools/tilemeter/JSON.md).
    [[nodiscard]] nlohmann::ordered_json json() const;
    /// For a terminal; operations a second are those between the last two looks.
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilemeter::cli
