// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/record/internal/recipe_builder.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "runtime/operations/core/programs_by_free_l1.hpp"

namespace tilemeter::trace::internal {

namespace {

using record::Event;
using record::EventKind;

class RecipeBuilder {
public:
    explicit RecipeBuilder(const RecordedCalls& recorded)
        : recorded_(recorded), recipe_(*recorded.recipe), slots_(recorded.slots) {}

    void build() {
        recipe_.input_tensors.clear();  // of a build that ran out of memory
        recipe_.programs.clear();
        recipe_.events.clear();
        recipe_.steps.clear();
        recipe_.tensors.clear();
        recipe_.programs.reserve(recorded_.programs.size());
        recipe_.events.reserve(recorded_.events.size());
        recipe_.steps.reserve(recorded_.notes.size() * 2);
        for (const NamedTensor& input : recorded_.inputs)
            recipe_.input_tensors.push_back(tensor_number(input.tensor));
        for (const NotedProgram& each : recorded_.programs)
            add_program(each);
        for_each_in_order(
            recorded_, [this](const Note& note, std::size_t) { add_note(note); },
            [this](const Event& event) { add_event(event); });
        for (std::size_t i = 0; i < recipe_.results.size(); ++i) {
            if (recipe_.results[i].slot != kNoSlot)
                recipe_.results[i].tensor = tensor_number(recorded_.results[i].tensor);
        }
        for (const SlotInfo& slot : recipe_.slots) {
            const bool is_outside = slot.kind == SlotKind::kInput || slot.kind == SlotKind::kCaptured;
            if (is_outside && slot.is_written) recipe_.writes_outside = true;
        }
    }

private:
    std::uint32_t tensor_number(record::TensorId tensor) {
        const auto [number, is_new] =
            numbers_.try_emplace(tensor, static_cast<std::uint32_t>(recipe_.tensors.size()));
        if (is_new)
            recipe_.tensors.push_back(tensor < recorded_.first_tensor ? tensor : record::TensorId::kNone);
        return number;
    }

    void add_program(const NotedProgram& noted) {
        ProgramRun& run = recipe_.programs.emplace_back();
        run.operation = noted.call;
        run.step.operation = {recorded_.operations, noted.operation};
        run.step.program = noted.program;
        const std::span<const Use> uses =
            std::span(recorded_.uses).subspan(noted.first_use, noted.operand_count + noted.result_count);
        run.operands.reserve(noted.operand_count);
        run.step.operands.reserve(noted.operand_count);
        for (const Use& use : uses.first(noted.operand_count)) {
            const TensorSpec& spec = recorded_.specs[use.spec];
            Operand& operand = run.operands.emplace_back(Operand{use.slot, spec.shape, spec.dtype, {}});
            if (use.chip != Use::kAllChips) operand.chip = use.chip;
            run.step.operands.push_back(spec.shape);
        }
        run.results.reserve(noted.result_count);
        run.step.results.reserve(noted.result_count);
        for (const Use& use : uses.last(noted.result_count)) {
            run.results.push_back(use.slot);
            run.step.results.push_back(recorded_.specs[use.spec]);
        }
        if (!run.step.operation->keeps_programs_by_free_l1()) return;
        TensorSpecs operands;
        for (const Use& use : uses.first(noted.operand_count))
            operands.push_back(recorded_.specs[use.spec]);
        run.by_free_l1 = std::make_shared<const ProgramsByFreeL1>(
            run.step.operation, std::move(operands), run.step.results, noted.program->program_id);
    }

    // The slot of a buffer that an event names, counted from 1.
    std::uint64_t slot_in_event(const Event& event) {
        const record::BufferId buffer = event.payload.tensor.buffer;
        if (buffer == record::BufferId::kNone) return 0;
        const auto [slot, is_new] = slots_.try_emplace(buffer, static_cast<Slot>(recipe_.slots.size()));
        // A tensor from outside that no program touches stays as it is.
        if (is_new) {
            SlotInfo& info = recipe_.slots.emplace_back();
            info.kind = SlotKind::kCaptured;
            info.is_there = false;
            info.id = buffer;
            info.address = event.payload.tensor.address;
        }
        return std::uint64_t{slot} + 1;
    }

    void add_event(const Event& event) {
        switch (event.kind) {
            case EventKind::kInputTensor:
            case EventKind::kOutputTensor: {
                Event& kept = recipe_.events.emplace_back(event);
                kept.id = tensor_number(static_cast<record::TensorId>(event.id));
                kept.payload.tensor.buffer = static_cast<record::BufferId>(slot_in_event(event));
                break;
            }
            case EventKind::kArgument: {
                Event& kept = recipe_.events.emplace_back(event);
                if (event.payload.argument.type == record::ArgumentType::kTensor)
                    kept.payload.argument.integer =
                        tensor_number(static_cast<record::TensorId>(event.payload.argument.integer));
                break;
            }
            case EventKind::kFunctionBegin:
            case EventKind::kFunctionEnd:
            case EventKind::kError:
                recipe_.events.push_back(event);
                break;
            case EventKind::kBufferFree:
                add_free(static_cast<record::BufferId>(event.id));
                break;
            default:  // the steps emit these
                break;
        }
    }

    void add_step(StepKind kind, std::uint32_t index) {
        recipe_.steps.push_back({kind, index, static_cast<std::uint32_t>(recipe_.events.size())});
    }

    void add_free(record::BufferId buffer) {
        const Slot* const slot = slots_.find(buffer);
        if (slot == nullptr) return;
        recipe_.slots[*slot].is_freed = true;
        add_step(StepKind::kFree, *slot);
    }

    void add_note(const Note& note) {
        const auto read = [this](Slot slot) {
            if (recipe_.slots[slot].is_freed) recipe_.slots[slot].is_read_when_freed = true;
        };
        switch (note.what) {
            case Noted::kAllocated:
                add_step(StepKind::kAllocate, note.index);
                break;
            case Noted::kProgram:
                for (const Operand& each : recipe_.programs[note.index].operands)
                    read(each.slot);
                add_step(StepKind::kProgram, note.index);
                break;
            case Noted::kMove:
                if (const Slot from = recipe_.moves[note.index].from.slot; from != kNoSlot) read(from);
                add_step(StepKind::kMove, note.index);
                break;
            case Noted::kPlace:
            case Noted::kCall:
            case Noted::kPass:
                break;
        }
    }

    const RecordedCalls& recorded_;
    Recipe& recipe_;
    IdMap<record::BufferId> slots_;
    IdMap<record::TensorId> numbers_;
};

}  // namespace

std::shared_ptr<const Recipe> make_recipe(RecordedCalls& recorded) {
    RecipeBuilder(recorded).build();
    recorded.programs = {};
    return recorded.recipe;
}

}  // namespace tilemeter::trace::internal
