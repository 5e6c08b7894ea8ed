// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdexcept>

namespace tilemeter::record {

/// A recording file that cannot be made or read. The text is one line: which file, where, what was expected,
/// what was found.
class RecordingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace tilemeter::record
