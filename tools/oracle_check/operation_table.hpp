// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The calls of each operation that the oracle tables name.

#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::oracle {

/// The results of a call; the table compares the first output, the others only have to live as long.
struct CallResult {
    CallResult() = default;
    CallResult(Tensor first) : output(std::move(first)) {}  // NOLINT: most operations have one output
    CallResult(std::vector<Tensor> all) : output(all.at(0)), others(std::move(all)) {}  // NOLINT
    CallResult(const std::vector<OptionalTensor>& all) {                                // NOLINT: the same
        for (const OptionalTensor& each : all) {
            if (each) others.push_back(*each);
        }
        if (!others.empty()) output = others.front();
    }
    Tensor output;
    std::vector<Tensor> others;
};

using CallOperation = std::function<CallResult(const Row& row, const std::vector<Tensor>& inputs)>;

/// nullptr for an operation that is not there.
const CallOperation* find_operation(const std::string& name);

}  // namespace tilemeter::oracle
