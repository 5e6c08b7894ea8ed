// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Recorded cases of graphs, checked one kind of answer after the other.
//
// Thread safety: outside locking.

#pragma once

#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/device/device.hpp"
#include "tools/trace_check/expressions.hpp"

namespace tilemeter::trace_check {

struct Options {
    std::set<std::string> only{};  ///< kinds of checks; empty: all
    Precision precision{};
    std::filesystem::path stablehlo{};  ///< a folder for modules; empty: none are written
    std::shared_ptr<Device> on{};       ///< functions are placed there as well; null: nowhere
};

class Tally {
public:
    explicit Tally(std::ostream& out) : out_(&out) {}

    void passed(const std::string& kind) { ++counts_[kind].passed; }
    void failed(const std::string& kind, const std::string& name, const std::string& why);
    /// Refusals of graphs that the device has no calls for.
    void cannot_be_placed(const std::string& kind, const std::vector<std::string>& operations);

    /// Prints "KIND: n of m" for each kind and "N passed, N failed". Whether nothing failed, something passed, and at
    /// most a fifth can't be placed.
    bool finish() const;

private:
    struct Count {
        std::size_t passed = 0, failed = 0, not_placed = 0;
    };
    std::ostream* out_;
    std::map<std::string, Count> counts_;
    std::map<std::string, std::size_t> not_placed_;  ///< by operation, the functions that hold it
};

/// A file of cases, known by its content: functions with values, or passes with counts. Throws std::runtime_error
/// where it is neither.
void check_file(const nlohmann::json& file, const Options& options, Tally& tally);

}  // namespace tilemeter::trace_check
