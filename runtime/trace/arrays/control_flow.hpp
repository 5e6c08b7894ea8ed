// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Choices and loops that values decide. Branches and bodies are functions: they are traced once, each into a graph of
// its own, whatever the values are and however often a loop will go round.
//
//   const Array y = cond(sum(x) > 0, then, otherwise, std::vector{x})[0];
//
// A function may use arrays from around it: they become further operands. Only the branch that is taken runs.
//
// Thread safety: as Array.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/trace/arrays/array.hpp"
#include "runtime/trace/arrays/trace.hpp"

namespace tilemeter::trace {

/// All throw TraceError besides what is said: kBadResult for an empty array, and what the functions throw.

/// One of two functions of `operands` by a bool scalar. Throws kPredicateNotScalar, kPredicateNotBool and
/// kBranchTypeMismatch where the functions differ in their results.
std::vector<Array> cond(const Array& predicate, const Function& then, const Function& otherwise,
                        std::span<const Array> operands);

/// One of several by an integer scalar, which is clamped.
std::vector<Array> switch_case(const Array& choice, std::span<const Function> branches,
                               std::span<const Array> operands);

/// carry = body(carry) while condition(carry) is true. Throws kCarryTypeChanged, kStructureMismatch.
std::vector<Array> while_loop(const Function& condition, const Function& body, std::span<const Array> carry);

struct ScanOptions {
    std::optional<std::int64_t> length{};  ///< needed where there are no inputs
    bool reverse = false;                  ///< the last row first
};
/// body(carry..., row of each input...) gives the next carry and further results, row by row of the inputs; comes
/// back with the last carry and the further results stacked. Throws as while_loop(), and kLengthMismatch.
std::vector<Array> scan(const Function& body, std::span<const Array> carry, std::span<const Array> inputs,
                        const ScanOptions& options = {});

/// A call that stays one in the graph.
std::vector<Array> call(const std::string& name, const Function& function, std::span<const Array> operands);

/// The same; derivatives compute the function again instead of keeping what it computed.
std::vector<Array> checkpoint(const Function& function, std::span<const Array> operands);

}  // namespace tilemeter::trace
