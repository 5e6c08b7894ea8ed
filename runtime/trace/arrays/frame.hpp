// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A frame records what a function does to arrays: while it is open, operations of this thread become equations of its
// graph. Frames nest; each thread has its own.
//
//   Frame frame("f");
//   const Array x = frame.add_input("x", {ElementType::kF32, {2, 3}});
//   const TracedGraph traced = frame.close(std::vector{tanh(x)});
//
// Abstract mode knows types only: nothing is computed. Concrete mode has values for the inputs and computes along, so
// that a branch of the host language can ask for a number; each such answer becomes a guard, since another value may
// take another way.
//
// Thread safety: a frame belongs to the thread that opened it.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/graph.hpp"
#include "runtime/trace/arrays/array.hpp"

namespace tilemeter::trace {

enum class Mode : std::uint8_t { kAbstract, kConcrete };

/// An answer that the trace depends on.
struct Guard {
    std::string text;       ///< "bool of gt(x, 0.0) was true"
    ir::Constant answer;    ///< as the answer was taken: bool[], i64[], f64[] or the whole array
    ir::Location location;  ///< the place of the question
};

struct TracedGraph {
    ir::GraphPtr graph;  ///< a closed graph of calls; what no result needs is gone
    /// The questions of guards, as a graph of the same parameters with a result for each guard; null without guards.
    ir::GraphPtr guard_graph{};
    std::vector<Guard> guards{};
    /// The assumptions of the trace beyond the types: the guards' texts, and what note_assumption() was told.
    std::vector<std::string> assumptions{};
    std::vector<ir::Constant> values{};  ///< of the results, in concrete mode
};

/// The first guard that does not answer for these inputs as it did for the traced ones; null if all do.
const Guard* first_failed_guard(const TracedGraph& traced, std::span<const ir::Constant> inputs);

namespace internal {
struct FrameState;
}

class Frame {
public:
    /// Throws TraceError (kRecursion) where too many are open.
    /// `constraints`: of the names in dimensions; those of the frame around it where there are none.
    explicit Frame(std::string function, Mode mode = Mode::kAbstract, ir::ConstraintsPtr constraints = {});
    /// Drops the recorded operations, if it was not closed.
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /// The operations that are recorded so far.
    [[nodiscard]] const ir::Graph& graph() const;

    /// A parameter; names must differ.
    Array add_input(std::string_view name, const ir::TensorType& type);
    /// The same in concrete mode.
    Array add_input(std::string_view name, const ir::Constant& value);

    /// Ends the recording. Throws TraceError (kBadResult) for an empty array, kEscapedTracer for another frame's.
    /// REQUIRES: the frame is this thread's innermost one
    TracedGraph close(std::span<const Array> results);

    /// True if this thread has an open one.
    static bool is_open();

private:
    std::shared_ptr<internal::FrameState> state_;
};

/// For the innermost frame of this thread, if there is one: "argument 0: shape[0] was read as 3".
void note_assumption(std::string text);

}  // namespace tilemeter::trace
