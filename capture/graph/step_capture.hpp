// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A capture of some steps of a loop: it skips the first ones (warm-up, compilation), captures the next, and
// is out of the way from then on.
//
//     StepCapture capture({.skip = 10, .count = 2});
//     while (training) {
//         capture.step();
//         ...
//     }
//     if (const auto graph = capture.take()) ...
//
// Thread safety: outside locking; what is captured is of all threads.

#pragma once

#include <cstdint>
#include <optional>

#include "capture/graph/captured_graph.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::graph {

struct Steps {
    std::uint64_t skip = 0;
    std::uint64_t count = 1;
};

class StepCapture {
public:
    explicit StepCapture(Steps steps, record::WindowOptions options = {});
    ~StepCapture();
    StepCapture(const StepCapture&) = delete;
    StepCapture& operator=(const StepCapture&) = delete;

    /// Says that a step begins. Begins the capture with the first step behind those to skip, ends it with the
    /// first one behind those to capture.
    void step();

    bool is_capturing() const { return window_.has_value(); }

    /// Ends the capture if it is still open and gives it; none if no step was captured, or it was taken.
    std::optional<CapturedGraph> take();

private:
    void end();

    const Steps steps_;
    const record::WindowOptions options_;
    std::uint64_t begun_ = 0;  // steps
    std::optional<record::WindowId> window_;
    std::optional<CapturedGraph> captured_;
};

}  // namespace tilemeter::graph
