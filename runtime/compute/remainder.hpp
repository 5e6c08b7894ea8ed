// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// For sources of this folder alone.

#pragma once

#include <cmath>

namespace tilemeter::compute {

/// The rest of a / b rounded down: it has the divisor's sign, as in Python.
inline double remainder(double a, double b) {
    const double rest = std::fmod(a, b);
    return rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}

}  // namespace tilemeter::compute
