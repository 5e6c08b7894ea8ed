// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Judges of a trace, by the rules of the Trace Event Format and by the peak. They know nothing of the writer.

#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/peak.hpp"

namespace tilemeter::test {

/// The faults of a trace, a line each: fields that an event must have, times below 0, slices that do not nest, flows
/// without both ends or without a slice, counters that go back in time.
std::vector<std::string> format_faults(const nlohmann::json& trace);

/// The faults where the highest counter values that last differ from the peak, a line each; every counter is looked at.
std::vector<std::string> peak_faults(const nlohmann::json& trace, const analysis::PeakAnswer& peak);

/// The trace of a report, which must have no such faults.
nlohmann::json judged(const analysis::NodeList& list, const analysis::ProgramLibrary* programs = nullptr);

}  // namespace tilemeter::test
