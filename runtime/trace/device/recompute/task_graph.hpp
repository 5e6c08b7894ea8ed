// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tasks that make values which later tasks need, and schedules of them under a budget of memory.
//
// A task may run when all that it needs is there; the size of its value is added to what is there, and that must stay within
// the budget. Values may be dropped at any time and be made again. At the end all outputs are there. Inputs and weights are
// always there and are no tasks.
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilemeter::trace {

struct Task {
    std::vector<std::uint32_t> needs;  ///< earlier tasks
    std::uint64_t size = 0;
    std::uint64_t cost = 0;  ///< each time it runs
};

struct TaskGraph {
    std::vector<Task> tasks;
    std::vector<std::uint32_t> outputs;
};

struct TaskStep {
    std::uint32_t task = 0;
    bool is_drop = false;  ///< its value is dropped; else the task runs
    friend bool operator==(const TaskStep&, const TaskStep&) = default;
};

struct TaskSchedule {
    std::vector<TaskStep> steps;
    std::uint64_t cost = 0;  ///< of all that runs
    std::uint64_t peak = 0;
};

/// Throws std::invalid_argument in one line: a task that needs itself or a later one, an output that is no task.
void require_sound(const TaskGraph& graph);

/// The error in these steps as a schedule of the graph, or in their figures; empty if nothing is.
std::string fault_of(const TaskSchedule& schedule, const TaskGraph& graph);

/// Cost of the tasks that outputs depend on, each once.
std::uint64_t cost_without_recomputation(const TaskGraph& graph);

}  // namespace tilemeter::trace
