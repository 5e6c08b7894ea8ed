// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A list of steps, and the graph of it by the plainest means: every question is answered by looking through the whole
// list. Slow, obvious, and independent of the real builder.

#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tilemeter::test {

struct Step {
    enum class Kind {
        kBegin,
        kEnd,
        kAbort,
        kArgument,
        kInput,
        kView,
        kOutput,
        kAllocate,
        kFree,
        kProgram,
        kCircularBuffer,
        kError,
        kManager,
        kCount
    };
    Kind kind;
    std::uint64_t number;  ///< the number in a function's name, of a buffer or tensor
};

/// Emits the events of one step.
void emit(const Step& step);

using Steps = std::vector<Step>;

/// The nodes of stretches of steps, one after the other, without durations. No stretch sees functions that an
/// earlier one left open.
nlohmann::json naive_graph(const std::vector<Steps>& stretches);

/// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, const Step& step);

}  // namespace tilemeter::test
