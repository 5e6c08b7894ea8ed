// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The exception of TT-NN's analyses, with the kind that Python shows.

#pragma once

#include <stdexcept>
#include <string>

namespace tilemeter::analysis {

class AnalysisError : public std::runtime_error {
public:
    enum class Kind { kRuntime, kValue, kAttribute, kIndex, kKey, kType };  ///< RuntimeError, ValueError, ...
    AnalysisError(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    Kind kind() const { return kind_; }

private:
    Kind kind_;
};

}  // namespace tilemeter::analysis
