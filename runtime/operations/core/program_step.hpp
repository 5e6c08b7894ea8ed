// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A program that was planned, as data: what runs it again without asking its operation for anything but values. Metal traces
// and traced functions (runtime/trace/device/) consist of these.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Values of several tensors; null: a tensor without.
using SharedValues = std::vector<std::shared_ptr<const ChipValues>>;

struct ProgramStep {
    std::shared_ptr<const DeviceOperation> operation;
    std::shared_ptr<const CachedProgram> program;
    std::vector<Shape> operands;  ///< their shapes
    TensorSpecs results;
};

/// Emits the program's memory. `tensors`: addresses and buffers of the operands, then of the results. Throws as launch_all()
/// when the program finds no room.
void emit_program_memory(const CachedProgram& program, std::span<const ProgramTable> tensors, Device& device);

/// The same without asking for room: the program's memory was planned before, and what lies there now is known.
void emit_planned_program_memory(const CachedProgram& program, std::span<const ProgramTable> tensors,
                                 const Device& device);

/// Emits that the device runs the program now.
void emit_program_execution(const CachedProgram& program, Device& device);

/// The stand-in for results that are not computed, and knows why: nothing is computed now, the host has no values for
/// the operation, or an operand has none. Null: they are computed.
std::shared_ptr<const ChipValues> stand_in_for_results(const DeviceOperation& operation,
                                                       const SharedValues& operands);

/// The results' values of all chips; empty for a result that is only room to work in. Throws OperationTimeoutError as
/// launch_all().
std::vector<ChipValues> compute_step(const ProgramStep& step, SharedValues operands, const Device& device);

}  // namespace tilemeter
