// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Whole programs as a compiler has them after its last pass: each step a query with the state that the one before left.
//
//     std::vector<ProgramStep> steps = {{"relu", kRelu, {{ProgramValue::kInput, 0}}, {}},
//                                       {"exp", kExp, {{0, 0}}, {{0, 0}}}};    // frees relu's result afterwards
//     ProgramAnswer answer = plan_program(device, AllocatorState::of(*device), {{spec}}, steps);
//     if (answer.failure) ...                                                  // which step, why, what was alive
//
// Addresses are those of a NORMAL run of the same steps on a device in that state whose program cache is empty: programs and
// their tables stay from step to step.
//
// Thread safety: as of queries (query.hpp).

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/query/query.hpp"

namespace tilemeter::query {

/// A tensor of a program: an input, or a result of a step.
struct ProgramValue {
    static constexpr std::size_t kInput = std::numeric_limits<std::size_t>::max();
    /// Of a step that is freed: all of its results.
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

    std::size_t step = kInput;
    std::size_t index = 0;  ///< among the inputs, or among the results of the step
    friend auto operator<=>(const ProgramValue&, const ProgramValue&) = default;
};

struct ProgramInput {
    TensorSpec spec;
    /// Where it lies in the state; none: it is allocated before the first step.
    std::optional<std::uint64_t> address{};
};

struct ProgramStep {
    std::string name;
    Function function;  ///< of the operands; called once
    std::vector<ProgramValue> operands;
    /// Those that the program lets go of after it. The memory is free when no other value shares it.
    std::vector<ProgramValue> frees;
};

/// A tensor that was alive, and its place. Of a view the place is that of the memory that it shares.
struct LiveValue {
    ProgramValue value;
    OutputPlace place;
};

struct PlannedStep {
    ResourceUsage usage{};  ///< of this step alone, as of a query with a state
    std::vector<TensorSpec> output_specs{};
    std::vector<OutputPlace> outputs{};
    std::any captured_config{};
    std::uint64_t lowest_live_l1 = 0;  ///< after it and its frees; the end of L1: nothing lives there
    std::uint64_t allocated_l1 = 0;    ///< after it and its frees, bytes of each bank
};

struct ProgramFailure {
    std::size_t step = 0;
    std::string error;  ///< one line
    Refusal refusal;
    std::vector<LiveValue> alive;  ///< when the step began
};

struct ProgramAnswer {
    std::vector<OutputPlace> inputs;  ///< where each lies
    std::vector<PlannedStep> steps;   ///< up to the first that fails
    std::optional<ProgramFailure> failure;
    std::vector<LiveValue> alive;  ///< at the end, or when the step that fails began
    AllocatorState new_state;      ///< the same moment, with the tables of programs in it
    std::uint64_t peak_l1 = 0;     ///< of tensors and all memory of programs, bytes of the fullest core
};

/// Plans the steps in turn, up to the first that fails. Throws RuntimeError, in one line, for a program that no device could
/// run: an operand that is no value, or was freed before; an input that is not in the state; and as ask_beside().
ProgramAnswer plan_program(const std::shared_ptr<Device>& device, const AllocatorState& state,
                           std::span<const ProgramInput> inputs, std::span<const ProgramStep> steps,
                           const Options& options = {});

}  // namespace tilemeter::query
