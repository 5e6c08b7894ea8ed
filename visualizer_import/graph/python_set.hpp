// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilemeter::visualizer_import {

// The ids in the order in which CPython 3.12 walks a set they were added to one by one: the reference's order
// of the inputs of nested functions.
std::vector<std::int64_t> python_set_order(std::span<const std::int64_t> ids);

}  // namespace tilemeter::visualizer_import
