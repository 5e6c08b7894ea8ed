// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiled program, planned: each of its operations becomes the call that tt-mlir's runtime makes for it, on a board of the
// model, in a capture. So its memory is told by all that reads captures.
//
//   - Inputs and parameters lie on the device before the capture begins, as callers hold them, and are not freed by it.
//   - Constants are evaluated where the program first asks for them, and kept.
//   - Tensors are freed where the program says so.
//   - Each operation is a scope of its own name, whose stack is the line of the user's program that its location leads to.
//
// An operation that no call is known for is named (unknown); its results lie in memory as the program says, its own program's
// memory is not counted: what the plan says is "at least" then.
//
// Thread safety: one plan at a time in a process.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/graph/captured_graph.hpp"
#include "report/foreign/compiled_program.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter::compiled {

struct PlanOptions {
    std::string board{};     ///< a description's name or file; empty: the program's own (board_of)
    std::string function{};  ///< which to run; empty: the first that nobody calls
};

/// Bytes of DRAM over all banks, on each chip.
struct DramUse {
    std::uint64_t in_use = 0, largest_free_block = 0;
    /// Of those in use: tables that cached programs keep, as those of reshapes.
    std::uint64_t kept_by_programs = 0;

    friend bool operator==(const DramUse&, const DramUse&) = default;
};

struct Plan {
    graph::CapturedGraph graph;
    std::string board, function;
    std::size_t operation_count = 0;  ///< that were planned, constants' too
    std::map<std::string, std::size_t>
        unknown;  ///< operations that no call is known for, with how many there are
    std::map<std::string, std::size_t>
        left_out;                   ///< "ttnn.slice_static: name" of attributes that no argument says
    std::string refused_operation;  ///< the first that failed, or nothing
    std::string refusal;            ///< why, in one line
    std::string refused_place;      ///< "model.py:14", or nothing
    const foreign::ProgramOperation* failing = nullptr;  ///< that operation, in the program
    std::optional<DramUse> dram;                         ///< at the end, the results still alive
    /// The same under the runtime of JAX's plugin, of a program that is not refused: its TT-NN is later than 0.81.1 and needs no
    /// table for small reshapes, and a result that is a kept constant is a copy.
    std::optional<DramUse> dram_in_plugin;
};

/// "p150", "n150": the built-in board that the program was compiled for. Throws RuntimeError if there is none.
std::string board_of(const foreign::TargetSystem& system);

/// The device that the program runs on; `board`: another than its own, or empty. Where programs and tensors begin in L1 is the
/// compiler's to say for the board that it compiled for. Throws RuntimeError for a board that does not exist.
std::shared_ptr<Device> open_board(const foreign::TargetSystem& system, const std::string& board);

/// Throws RuntimeError, in one line, for a program without a function to run, a board that does not exist, a value without a
/// layout where one is needed.
Plan plan(const foreign::CompiledProgram& program, const PlanOptions& options = {});

}  // namespace tilemeter::compiled
