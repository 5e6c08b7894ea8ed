// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The calls with which each vjp rule is tried.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/trace/derivatives/derivatives.hpp"
#include "tests/runtime/trace/device/inputs.hpp"

namespace tilemeter::trace::vjp_test {

using Inputs = std::span<const Tensor>;
using test::Range;

struct Case {
    const char* name;  ///< of the operation whose rule it is about
    std::function<Tensor(Inputs)> function;
    std::vector<Range> inputs;
    Positions wrt{0};
    DataType dtype = DataType::FLOAT32;
};

inline const Shape kTile{32, 32};
inline const Shape kFour{1, 2, 32, 64};

std::vector<Case> elementwise_cases();
std::vector<Case> binary_cases();
std::vector<Case> movement_cases();
std::vector<Case> selection_cases();
std::vector<Case> other_cases();

}  // namespace tilemeter::trace::vjp_test
