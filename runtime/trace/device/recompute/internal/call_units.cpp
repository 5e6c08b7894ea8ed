// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/internal/call_units.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/programs_by_free_l1.hpp"
#include "runtime/trace/device/record/internal/call_graph.hpp"

namespace tilemeter::trace::internal {

namespace {

using record::Event;
using record::EventKind;

void add(std::vector<Slot>& slots, Slot slot) {
    if (std::ranges::find(slots, slot) == slots.end()) slots.push_back(slot);
}

bool has(const std::vector<Slot>& slots, Slot slot) {
    return std::ranges::find(slots, slot) != slots.end();
}

// Events between calls are units as well, even where there are none: steps may stand there.
std::vector<CallUnit> cut(const Recipe& recipe) {
    std::vector<CallUnit> units;
    const record::TextId indexing = record::intern(kIndexingScope);
    std::uint32_t first = 0, calls = 0, step = 0;
    int depth = 0;
    const auto close = [&](std::uint32_t end, bool is_call) {
        CallUnit& unit = units.emplace_back();
        unit.first_event = std::exchange(first, end);
        unit.last_event = end;
        unit.first_step = step;
        while (step < recipe.steps.size() &&
               (is_call ? recipe.steps[step].events < end : recipe.steps[step].events <= end))
            ++step;
        unit.last_step = step;
        if (is_call) unit.call = calls++;
    };
    for (std::uint32_t i = 0; i < recipe.events.size(); ++i) {
        const Event& each = recipe.events[i];
        if (each.kind == EventKind::kFunctionBegin &&
            (depth > 0 || static_cast<record::TextId>(each.detail) != indexing) && depth++ == 0)
            close(i, false);
        if (each.kind == EventKind::kFunctionEnd && depth > 0 && --depth == 0) close(i + 1, true);
    }
    close(static_cast<std::uint32_t>(recipe.events.size()), false);
    std::erase_if(units, [](const CallUnit& each) {
        return each.first_event == each.last_event && each.first_step == each.last_step;
    });
    return units;
}

std::uint64_t size_of(const Shape& shape, DataType dtype) {
    return shape.volume() * tile_size(dtype) / 1024;  // of a tile's elements
}

std::uint64_t cost_of(const ProgramRun& run) {
    std::uint64_t cost = 0;
    for (const Operand& each : run.operands)
        cost += size_of(each.shape, each.dtype);
    for (const TensorSpec& each : run.step.results)
        cost += size_of(each.shape, each.dtype);
    const bool is_product = run.step.operation->name().find("Matmul") != std::string_view::npos;
    if (is_product && !run.operands.empty() && run.operands[0].shape.rank() > 0 && !run.step.results.empty())
        cost +=
            run.step.results[0].shape.volume() * run.operands[0].shape[-1] / CallUnits::kMultiplyAddsPerByte;
    return cost;
}

std::size_t memory_of(const SlotInfo& info) {
    return info.plan.buffer_record.memory == record::MemoryType::kDram ? kModelDram : kModelL1;
}

std::uint64_t on_fullest_core(const CachedProgram& program) {
    std::uint64_t most = 0;
    for (const ProgramMemory& piece : program.memory) {
        for (const CoreRange& range : piece.cores.ranges()) {
            std::uint64_t bytes = 0;
            for (const ProgramMemory& each : program.memory)
                if (each.shared_with == ProgramMemory::kOwn && each.cores.contains(range.start))
                    bytes += each.size_bytes;
            most = std::max(most, bytes);
        }
    }
    return most;
}

class Builder {
public:
    explicit Builder(const TracedProgram& traced) : recipe_(traced.recipe()), graph_(traced.graph()) {
        found_.units = cut(recipe_);
        name_equations(traced);
        for (std::uint32_t i = 0; i < found_.units.size(); ++i)
            collect(i);
        writers_.resize(recipe_.slots.size());
        users_.resize(recipe_.slots.size());
        makers_.resize(recipe_.slots.size(), CallUnit::kNone);
        for (std::uint32_t i = 0; i < found_.units.size(); ++i) {
            const CallUnit& unit = found_.units[i];
            for (const Slot each : unit.allocates)
                makers_[each] = i;
            for (const Slot each : unit.writes)
                writers_[each].push_back(i);
            for (const std::vector<Slot>* uses : {&unit.reads, &unit.writes})
                for (const Slot each : *uses)
                    if (users_[each].empty() || users_[each].back() != i) users_[each].push_back(i);
        }
        is_result_.resize(recipe_.slots.size());
        for (const Result& each : recipe_.results)
            if (each.slot != kNoSlot) is_result_[each.slot] = true;
        for (std::uint32_t i = 0; i < found_.units.size(); ++i)
            if (found_.units[i].pass == Pass::kBackward) last_backward_ = i;
        if (!last_backward_) last_backward_ = static_cast<std::uint32_t>(found_.units.size());
        find_values();
        for (std::uint32_t i = 0; i < found_.units.size(); ++i)
            found_.units[i].can_repeat = found_.model.units[i].can_repeat = can_repeat(i);
        find_order();
    }

    CallUnits take() { return std::move(found_); }

private:
    void name_equations(const TracedProgram& traced) {
        const std::vector<Pass> passes = passes_of(traced.graph());
        std::vector<std::uint32_t> equation_of_call;
        const std::span<const std::uint32_t> calls = traced.calls();
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            if (calls[i] == TracedProgram::kNoCall) continue;
            equation_of_call.resize(calls[i], CallUnit::kNone);
            equation_of_call.push_back(i);
        }
        Pass last = Pass::kForward;
        for (CallUnit& each : found_.units) {
            if (each.call < equation_of_call.size()) each.equation = equation_of_call[each.call];
            if (each.equation != CallUnit::kNone) {
                last = passes[each.equation];
                unit_of_equation_.emplace(each.equation,
                                          static_cast<std::uint32_t>(&each - found_.units.data()));
            }
            each.pass = last;
        }
    }

    void collect(std::uint32_t number) {
        CallUnit& unit = found_.units[number];
        PlanUnit& in_model = found_.model.units.emplace_back();
        for (const Step& step : steps_of(unit)) {
            if (step.kind == StepKind::kAllocate) unit.allocates.push_back(step.index);
            if (step.kind == StepKind::kMove) {
                const ValueMove& move = recipe_.moves[step.index];
                if (move.from.slot != kNoSlot) add(unit.reads, move.from.slot);
                add(unit.writes, move.to);
            }
            if (step.kind != StepKind::kProgram) continue;
            const ProgramRun& run = recipe_.programs[step.index];
            for (const Operand& each : run.operands)
                add(unit.reads, each.slot);
            for (const Slot each : run.results)
                add(unit.writes, each);
            in_model.cost += cost_of(run);
        }
    }

    std::span<const Step> steps_of(const CallUnit& unit) const {
        return std::span(recipe_.steps).subspan(unit.first_step, unit.last_step - unit.first_step);
    }

    void find_values() {
        PlanModel& model = found_.model;
        found_.values.resize(recipe_.slots.size(), CallUnit::kNone);
        for (std::uint32_t i = 0; i < found_.units.size(); ++i) {
            const CallUnit& unit = found_.units[i];
            for (const Slot slot : unit.allocates) {
                const SlotInfo& info = recipe_.slots[slot];
                const std::uint64_t bytes = info.plan.buffer_record.size_per_bank_bytes;
                const bool is_freed = std::ranges::any_of(steps_of(unit), [slot](const Step& each) {
                    return each.kind == StepKind::kFree && each.index == slot;
                });
                const bool is_used_elsewhere =
                    std::ranges::any_of(users_[slot], [i](std::uint32_t each) { return each != i; });
                if (is_freed && !is_used_elsewhere) continue;
                found_.values[slot] = static_cast<std::uint32_t>(model.values.size());
                found_.slots.push_back(slot);
                PlanValue& value = model.values.emplace_back();
                value.unit = i;
                value.size[memory_of(info)] = bytes;
                value.is_kept = is_result_[slot];
                model.units[i].makes.push_back(found_.values[slot]);
            }
        }
        for (std::uint32_t i = 0; i < found_.units.size(); ++i)
            model.units[i].extra = extra_of(i);
        for (std::uint32_t i = 0; i < found_.units.size(); ++i) {
            for (const std::vector<Slot>* uses : {&found_.units[i].reads, &found_.units[i].writes})
                for (const Slot slot : *uses)
                    if (found_.values[slot] != CallUnit::kNone && makers_[slot] != i)
                        add(model.units[i].reads, found_.values[slot]);
        }
    }

    // One that follows the free L1 takes what it takes with all of it, unless the function's tensors together leave less.
    std::uint64_t program_memory_of(const ProgramRun& run) const {
        const std::uint64_t planned = on_fullest_core(*run.step.program);
        if (!run.by_free_l1) return planned;
        std::uint64_t tensors = 0;
        for (const SlotInfo& info : recipe_.slots)
            if (info.kind == SlotKind::kMade && memory_of(info) == kModelL1)
                tensors += info.plan.buffer_record.size_per_bank_bytes;
        constexpr std::uint64_t kLeftFree = 10;  // norms leave a twentieth of what is free
        Device& device = *recipe_.device;
        if (tensors + planned + planned / kLeftFree <= free_l1_below_tensors(device)) return planned;
        return std::min(planned, on_fullest_core(*run.by_free_l1->smallest(device.description())));
    }

    // The memory at its fullest above all that it leaves.
    Sizes extra_of(std::uint32_t number) const {
        const CallUnit& unit = found_.units[number];
        Sizes now{}, most{}, made{};
        for (const Step& step : steps_of(unit)) {
            Sizes program{};
            if (step.kind == StepKind::kAllocate || step.kind == StepKind::kFree) {
                const SlotInfo& info = recipe_.slots[step.index];
                const std::uint64_t bytes = info.plan.buffer_record.size_per_bank_bytes;
                const bool is_value = found_.values[step.index] != CallUnit::kNone;
                if (step.kind == StepKind::kAllocate) {
                    now[memory_of(info)] += bytes;
                    if (is_value) made[memory_of(info)] += bytes;
                } else if (!is_value && has(unit.allocates, step.index)) {
                    now[memory_of(info)] -= bytes;
                }
            } else if (step.kind == StepKind::kProgram) {
                program[kModelL1] = program_memory_of(recipe_.programs[step.index]);
            }
            for (std::size_t m = 0; m < now.size(); ++m)
                most[m] = std::max(most[m], now[m] + program[m]);
        }
        for (std::size_t m = 0; m < now.size(); ++m)
            most[m] -= made[m];
        return most;
    }

    // Units that have to run in their order though none reads what the other makes.
    void find_order() {
        constexpr std::uint32_t kNone = CallUnit::kNone;
        struct Uses {
            std::uint32_t writer = kNone;
            std::vector<std::uint32_t> readers;  // since
        };
        std::vector<Uses> uses(recipe_.slots.size());
        std::uint32_t barrier = kNone;
        for (std::uint32_t i = 0; i < found_.units.size(); ++i) {
            const CallUnit& unit = found_.units[i];
            PlanUnit& in_model = found_.model.units[i];
            const auto follow = [&](std::uint32_t other) {
                if (other != kNone && other != i) add(in_model.after, other);
            };
            follow(barrier);
            // Events between calls may be those of a scope around calls.
            if (unit.call == TracedProgram::kNoCall && unit.first_event != unit.last_event) {
                for (std::uint32_t other = barrier == kNone ? 0 : barrier; other < i; ++other)
                    follow(other);
                barrier = i;
            }
            const bool has_steps = unit.first_step != unit.last_step;
            for (const Slot each : has_steps ? unit.reads : named_by(unit)) {
                const bool is_made_there = uses[each].writer == makers_[each] && has_steps;
                if (!is_made_there || found_.values[each] == kNone) follow(uses[each].writer);
                // Nothing is read by events.
                if (has_steps) uses[each].readers.push_back(i);
            }
            if (has_steps && unit.equation != kNone) follow_operands(i, unit.equation);
            std::vector<Slot> changed = unit.writes;
            for (const Step& step : steps_of(unit))
                if (step.kind == StepKind::kFree && recipe_.slots[step.index].kind != SlotKind::kMade)
                    add(changed, step.index);
            for (const Slot each : changed) {
                Uses& before = uses[each];
                const bool is_made_there = before.writer == makers_[each];
                if (!is_made_there || found_.values[each] == kNone) follow(before.writer);
                for (const std::uint32_t reader : before.readers)
                    if (reader != i) add(found_.model.units[reader].never_after, i);
                before = {i, {}};
            }
        }
    }

    // The operands of a call stand in front of it in the graph, read by a program or not: neg_bw reads no input.
    void follow_operands(std::uint32_t unit, std::uint32_t equation) {
        for (const ir::ValueId each : graph_.equation(equation).operands()) {
            const ir::Definition definition = graph_.definition(each);
            if (definition.kind != ir::ValueKind::kResult) continue;
            const auto maker = unit_of_equation_.find(definition.index);
            if (maker == unit_of_equation_.end()) {
                follow_operands(unit, definition.index);  // a view
            } else if (maker->second < unit && !reads_of(unit, maker->second)) {
                add(found_.model.units[unit].after, maker->second);
            }
        }
    }

    bool reads_of(std::uint32_t unit, std::uint32_t maker) const {
        return std::ranges::any_of(found_.model.units[unit].reads, [&](std::uint32_t value) {
            return found_.model.values[value].unit == maker;
        });
    }

    std::vector<Slot> named_by(const CallUnit& unit) const {
        std::vector<Slot> slots;
        for (std::uint32_t i = unit.first_event; i < unit.last_event; ++i) {
            const Event& event = recipe_.events[i];
            if (event.kind != EventKind::kInputTensor && event.kind != EventKind::kOutputTensor) continue;
            if (const auto slot = static_cast<std::uint64_t>(event.payload.tensor.buffer); slot != 0)
                add(slots, static_cast<Slot>(slot - 1));
        }
        return slots;
    }

    bool is_written_between(Slot slot, std::uint32_t after) const {
        return std::ranges::any_of(
            writers_[slot], [&](std::uint32_t each) { return each > after && each <= *last_backward_; });
    }

    bool can_repeat(std::uint32_t number) const {
        const CallUnit& unit = found_.units[number];
        if (unit.call == TracedProgram::kNoCall || unit.equation == CallUnit::kNone) return false;
        if (unit.first_step == unit.last_step) return false;
        for (const Step& step : steps_of(unit))
            if (step.kind == StepKind::kFree && !has(unit.allocates, step.index)) return false;
        for (std::uint32_t i = unit.first_event; i < unit.last_event; ++i)
            if (recipe_.events[i].kind == EventKind::kError) return false;
        // All that it makes it writes, and nothing of it is changed later, returned, or needed behind the way back.
        for (const Slot each : unit.allocates) {
            if (is_result_[each] || writers_[each] != std::vector{number}) return false;
            if (!users_[each].empty() && users_[each].back() > *last_backward_) return false;
        }
        for (const Slot each : unit.writes) {
            const bool is_host = recipe_.slots[each].kind == SlotKind::kHost && writers_[each].size() == 1;
            if (!has(unit.allocates, each) && !is_host) return false;
        }
        return std::ranges::none_of(unit.reads, [&](Slot each) { return is_written_between(each, number); });
    }

    const Recipe& recipe_;
    const ir::Graph& graph_;
    std::unordered_map<std::uint32_t, std::uint32_t> unit_of_equation_;
    CallUnits found_;
    std::vector<std::vector<std::uint32_t>> writers_, users_;  // by slot: units, ascending
    std::vector<std::uint32_t> makers_;
    std::vector<bool> is_result_;
    std::optional<std::uint32_t> last_backward_;
};

}  // namespace

std::vector<std::uint32_t> CallUnits::by_equation(std::size_t equations) const {
    std::vector<std::uint32_t> numbers(equations, CallUnit::kNone);
    for (std::uint32_t i = 0; i < units.size(); ++i)
        if (units[i].equation != CallUnit::kNone) numbers[units[i].equation] = i;
    return numbers;
}

CallUnits units_of(const TracedProgram& traced) {
    return Builder(traced).take();
}

}  // namespace tilemeter::trace::internal
