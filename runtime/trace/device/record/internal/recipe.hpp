// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The work of a traced function, as data: events to emit and steps to take between them.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "capture/events/event.hpp"
#include "runtime/device/buffer_plan.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/operations/core/program_step.hpp"

namespace tilemeter {
class ProgramsByFreeL1;
}

namespace tilemeter::trace::internal {

/// Place of a buffer, or of the values of a host tensor, while the recipe runs.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

enum class SlotKind : std::uint8_t {
    kMade,      ///< a buffer that the function allocates
    kInput,     ///< an input's
    kCaptured,  ///< one from outside
    kTable,     ///< a program's table: on the device as long as the recipe can run
    kHost,      ///< values of a host tensor
    kConstant   ///< the same, known
};

struct SlotInfo {
    SlotKind kind = SlotKind::kMade;
    bool is_there = true;     ///< kCaptured: when the function had been traced
    bool is_written = false;  ///< of inputs and captured ones
    bool is_freed = false;
    bool is_read_when_freed = false;  ///< by a move: its values are kept
    bool is_differentiated = false;   ///< gradients of it are made
    bool is_gradient = false;         ///< it is such a gradient
    record::TextId operation{};       ///< the user's call that allocates it
    record::BufferId id{};            ///< the buffer of the trace
    std::uint64_t address = 0;        ///< likewise
    BufferPlan plan{};                ///< kMade, kTable
};

/// The source that a step reads.
struct Operand {
    Slot slot = kNoSlot;
    Shape shape{};
    DataType dtype{};
    std::optional<std::size_t> chip{};
};

struct ProgramRun {
    ProgramStep step;
    std::vector<Operand> operands;
    std::vector<Slot> results;
    record::TextId operation{};  ///< the user's call
    /// Null: the program is the same however much L1 is free.
    std::shared_ptr<const ProgramsByFreeL1> by_free_l1{};
};

struct ValueMove {
    Slot to = kNoSlot;
    Operand from{};  ///< no slot: the host makes the values
    CallRecorder::MakeValues make{};
    CallRecorder::ChangeValues change{};  ///< empty: the values as they are
};

enum class StepKind : std::uint8_t { kAllocate, kFree, kProgram, kMove };

struct Step {
    StepKind kind;
    std::uint32_t index;   ///< the slot, program or move
    std::uint32_t events;  ///< that are emitted before it, from the first one on
};

struct Result {
    Slot slot = kNoSlot;
    std::uint32_t input = ~0U;   ///< the input that it is
    std::uint32_t tensor = ~0U;  ///< its number among the tensors of events
    TensorSpec spec{};
    bool is_view = false;
    std::optional<std::size_t> chip{};
    std::shared_ptr<const Distribution> distribution{};
    Tensor outside{};  ///< one from outside of the function
};

/// In `events` tensors are numbered and buffers are slots, from 1: kInputTensor and kOutputTensor (id, payload.tensor.buffer),
/// kArgument of a tensor (payload.argument.integer).
struct Recipe {
    std::shared_ptr<Device> device;
    std::vector<TensorSpec> inputs;
    std::vector<Slot> input_slots;
    std::vector<SlotInfo> slots;
    std::vector<std::pair<Slot, std::shared_ptr<Buffer>>> captured;             ///< kCaptured that are there
    std::vector<std::pair<Slot, std::shared_ptr<const ChipValues>>> constants;  ///< kConstant
    std::vector<std::pair<std::uint32_t, std::shared_ptr<Buffer>>>
        used_inputs;              ///< that the function uses from outside as well
    bool writes_outside = false;  ///< to an input or a captured one
    std::vector<ProgramRun> programs;
    std::vector<ValueMove> moves;
    std::vector<Step> steps;
    std::vector<record::Event> events;
    std::vector<record::TensorId> tensors;     ///< by number; kNone: a new one each time
    std::vector<std::uint32_t> input_tensors;  ///< numbers of the inputs
    std::vector<Result> results;
};

}  // namespace tilemeter::trace::internal
