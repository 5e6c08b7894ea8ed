// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "report/analysis/nodes/units.hpp"
#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

/// A limit as Python's users give it: an int, or a text as the command line takes it. ValueError with
/// `what` and what was expected, TypeError for other types.
analysis::SizeLimit size_limit(const nb::object& limit, const std::string& what);

}  // namespace tilemeter::python
