// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The distance that values may be from what was recorded.

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/ir/constant.hpp"
#include "tools/trace_check/expressions.hpp"

namespace tilemeter::trace_check {

/// Why tensors differ by more than the tolerance t: |a - b| > t + t |b|; empty if they do not.
std::string difference(const std::vector<ir::Constant>& found, const std::vector<ir::Constant>& expected,
                       double tolerance);

/// The bound of computing an answer ("value", "jvp", "vjp", "hvp") in this precision: in float32, ten times as far as
/// the recorded system was.
double tolerance_of(const nlohmann::json& function, const std::string& answer, Precision precision);

/// Those that are there: null stands for no value.
std::vector<ir::Constant> arrays_of(const nlohmann::json& arrays, Precision precision);

}  // namespace tilemeter::trace_check
