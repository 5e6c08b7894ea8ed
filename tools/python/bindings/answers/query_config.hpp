// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The program config that a query captured, as Python has it.

#pragma once

#include <any>

#include <nanobind/nanobind.h>

namespace tilemeter::python {

/// None for a config of no kind that Python knows.
nanobind::object config_object(const std::any& config);

}  // namespace tilemeter::python
