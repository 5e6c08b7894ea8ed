// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/recompute/internal/rewrite.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/copier.hpp"
#include "runtime/trace/device/recompute/recompute.hpp"
#include "runtime/trace/device/record/internal/call_graph.hpp"

namespace tilemeter::trace::internal {

namespace {

using record::Event;
using record::EventKind;

/// The graph of what runs: equations as their calls do.
class GraphRewriter {
public:
    GraphRewriter(const TracedProgram& traced, const CallUnits& units)
        : from_(traced.graph()), calls_(traced.calls()), to_(ir::graph_like(from_)), copier_(from_, to_) {
        copier_.copy_params();
        writes_.resize(from_.equation_count());
        for (const CallUnit& each : units.units)
            if (each.equation != CallUnit::kNone) writes_[each.equation] = !each.writes.empty();
        first_run_.resize(from_.equation_count(), CallUnit::kNone);
        is_appended_.resize(from_.equation_count());
    }

    /// The call of this equation runs for the first time.
    void run(const CallUnit& unit, std::uint32_t call) {
        if (unit.equation == CallUnit::kNone) return;
        // With the views before it whose operands are there.
        for (std::uint32_t i = first_left_; i < unit.equation; ++i)
            if (calls_[i] == TracedProgram::kNoCall && !is_appended_[i] && has_operands(i))
                append(i, TracedProgram::kNoCall);
        append(unit.equation, call);
        while (first_left_ < is_appended_.size() && is_appended_[first_left_])
            ++first_left_;
    }

    /// Again, for a call of this pass.
    void run_again(const CallUnit& unit, std::uint32_t call, Pass pass) {
        ir::Attributes attributes = from_.equation(unit.equation).attributes();
        attributes.set(kRecomputesAttribute, static_cast<std::int64_t>(first_run_[unit.equation]));
        if (pass == Pass::kBackward) attributes.set(kPassAttribute, std::string(name_of(pass)));
        append_with(unit.equation, call, attributes);
    }

    GraphOfCalls finish() {
        for (std::uint32_t i = first_left_; i < from_.equation_count(); ++i)
            if (!is_appended_[i]) append(i, TracedProgram::kNoCall);
        std::vector<ir::ValueId> results;
        for (const ir::ValueId each : from_.results())
            results.push_back(value(each));
        to_.set_results(results);
        return {std::move(to_), std::move(calls_made_)};
    }

private:
    // An equation that writes nothing gives another view of its operands: it is there again where they are.
    ir::ValueId value(ir::ValueId from) {
        const ir::Definition definition = from_.definition(from);
        if (definition.kind != ir::ValueKind::kResult || writes_[definition.index]) return copier_(from);
        std::vector<ir::ValueId> now;
        for (const ir::ValueId each : from_.equation(definition.index).operands())
            now.push_back(value(each));
        if (now != operands_[definition.index])
            append_with(definition.index, TracedProgram::kNoCall,
                        from_.equation(definition.index).attributes());
        return copier_(from);
    }

    bool has_operands(std::uint32_t number) const {
        return std::ranges::all_of(from_.equation(number).operands(), [&](ir::ValueId each) {
            const ir::Definition definition = from_.definition(each);
            return definition.kind != ir::ValueKind::kResult || is_appended_[definition.index];
        });
    }

    void append(std::uint32_t number, std::uint32_t call) {
        is_appended_[number] = true;
        append_with(number, calls_[number] == TracedProgram::kNoCall ? TracedProgram::kNoCall : call,
                    from_.equation(number).attributes());
        first_run_[number] = static_cast<std::uint32_t>(to_.equation_count() - 1);
    }

    void append_with(std::uint32_t number, std::uint32_t call, const ir::Attributes& attributes) {
        const ir::Equation equation = from_.equation(number);
        std::vector<ir::ValueId> operands;
        for (const ir::ValueId each : equation.operands())
            operands.push_back(value(each));
        const ir::ValueRange results = to_.append(equation.operation(), operands, equation.result_types(),
                                                  attributes, equation.subgraphs(), equation.location());
        calls_made_.push_back(call);
        copier_.map_results(equation, results);
        operands_[number] = std::move(operands);
    }

    const ir::Graph& from_;
    const std::span<const std::uint32_t> calls_;
    ir::Graph to_;
    ir::GraphCopier copier_;
    std::vector<bool> writes_;              // by equation: it makes values
    std::vector<std::uint32_t> first_run_;  // by equation: its number in the new graph
    std::unordered_map<std::uint32_t, std::vector<ir::ValueId>> operands_;  // of the last run, by equation
    std::vector<std::uint32_t> calls_made_;
    std::vector<bool> is_appended_;  // by equation: has run
    std::uint32_t first_left_ = 0;   // that has not
};

class Rewriter {
public:
    Rewriter(const TracedProgram& traced, const CallUnits& units)
        : from_(traced.recipe()), units_(units), graph_(traced, units) {
        to_.device = from_.device;
        to_.inputs = from_.inputs;
        to_.input_slots = from_.input_slots;
        to_.slots = from_.slots;
        to_.captured = from_.captured;
        to_.used_inputs = from_.used_inputs;
        to_.constants = from_.constants;
        to_.writes_outside = from_.writes_outside;
        to_.tensors = from_.tensors;
        to_.input_tensors = from_.input_tensors;
        to_.results = from_.results;
        current_.resize(from_.slots.size());
        for (Slot i = 0; i < current_.size(); ++i)
            current_[i] = i;
        is_alive_.resize(from_.slots.size());
        slot_of_tensor_.resize(from_.tensors.size(), kNoSlot);
        for (const Event& each : from_.events) {
            if (each.kind != EventKind::kInputTensor && each.kind != EventKind::kOutputTensor) continue;
            if (const auto slot = static_cast<std::uint64_t>(each.payload.tensor.buffer); slot != 0)
                slot_of_tensor_[each.id] = static_cast<Slot>(slot - 1);
        }
    }

    std::shared_ptr<const TracedProgram> run(std::span<const PlanStep> steps) {
        std::vector<bool> has_run(units_.units.size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const PlanStep& step = steps[i];
            if (step.is_drop) {
                drop(units_.slots[step.index]);
            } else if (!has_run[step.index]) {
                has_run[step.index] = true;
                run_unit(units_.units[step.index], false, Pass::kForward);
            } else {
                const auto turn =
                    std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(i), steps.end(),
                                 [&](const PlanStep& each) { return !each.is_drop && !has_run[each.index]; });
                run_unit(units_.units[step.index], true,
                         turn == steps.end() ? Pass::kForward : units_.units[turn->index].pass);
            }
        }
        return std::make_shared<const TracedProgram>(std::make_unique<const GraphOfCalls>(graph_.finish()),
                                                     std::make_shared<const Recipe>(std::move(to_)));
    }

private:
    void drop(Slot slot) {
        if (!is_alive_[slot]) return;
        is_alive_[slot] = false;
        add_step(StepKind::kFree, current_[slot]);
    }

    void run_unit(const CallUnit& unit, bool is_again, Pass pass) {
        if (unit.call != TracedProgram::kNoCall) {
            if (is_again) {
                graph_.run_again(unit, calls_, pass);
            } else {
                graph_.run(unit, calls_);
            }
            ++calls_;
        }
        std::vector<std::pair<Slot, Slot>>
            before;  // the stand-in for each allocation, until it has run again
        std::uint32_t event = unit.first_event;
        for (std::uint32_t i = unit.first_step; i < unit.last_step; ++i) {
            const Step& step = from_.steps[i];
            for (; event < step.events; ++event)
                add_event(from_.events[event]);
            take(unit, step, is_again, before);
        }
        for (; event < unit.last_event; ++event)
            add_event(from_.events[event]);
        // The new buffers stand for the first ones from now on.
        for (const auto& [slot, old] : before)
            if (units_.values[slot] != CallUnit::kNone && is_alive_[slot]) add_step(StepKind::kFree, old);
        for (const Slot each : unit.allocates)
            if (units_.values[each] != CallUnit::kNone) is_alive_[each] = true;
    }

    void take(const CallUnit& unit, const Step& step, bool is_again,
              std::vector<std::pair<Slot, Slot>>& before) {
        const auto anew = [&](Slot slot) {
            before.emplace_back(slot, current_[slot]);
            current_[slot] = static_cast<Slot>(to_.slots.size());
            to_.slots.push_back(from_.slots[slot]);
        };
        switch (step.kind) {
            case StepKind::kAllocate:
                if (is_again) anew(step.index);
                add_step(StepKind::kAllocate, current_[step.index]);
                break;
            case StepKind::kFree: {
                // For a value that outlives its call the schedule says when it goes.
                const bool is_own = std::ranges::find(unit.allocates, step.index) != unit.allocates.end();
                const bool is_made = from_.slots[step.index].kind == SlotKind::kMade;
                if (is_made && (!is_own || units_.values[step.index] != CallUnit::kNone)) break;
                add_step(StepKind::kFree, current_[step.index]);
                break;
            }
            case StepKind::kProgram: {
                ProgramRun run = from_.programs[step.index];
                for (Operand& each : run.operands)
                    each.slot = current_[each.slot];
                for (Slot& each : run.results)
                    each = current_[each];
                add_step(StepKind::kProgram, static_cast<std::uint32_t>(to_.programs.size()));
                to_.programs.push_back(std::move(run));
                break;
            }
            case StepKind::kMove: {
                ValueMove move = from_.moves[step.index];
                if (move.from.slot != kNoSlot) move.from.slot = current_[move.from.slot];
                if (is_again && from_.slots[move.to].kind == SlotKind::kHost) anew(move.to);
                move.to = current_[move.to];
                add_step(StepKind::kMove, static_cast<std::uint32_t>(to_.moves.size()));
                to_.moves.push_back(std::move(move));
                break;
            }
        }
    }

    void add_step(StepKind kind, std::uint32_t index) {
        to_.steps.push_back({kind, index, static_cast<std::uint32_t>(to_.events.size())});
    }

    // A tensor is another one in a buffer that stands for its first one.
    std::uint32_t tensor(std::uint32_t number) {
        const Slot slot = slot_of_tensor_[number];
        if (slot == kNoSlot || current_[slot] == slot) return number;
        const auto [made, is_new] = tensors_.try_emplace(std::pair(number, current_[slot]),
                                                         static_cast<std::uint32_t>(to_.tensors.size()));
        if (is_new) to_.tensors.push_back(record::TensorId::kNone);
        return made->second;
    }

    void add_event(const Event& event) {
        Event& made = to_.events.emplace_back(event);
        if (event.kind == EventKind::kInputTensor || event.kind == EventKind::kOutputTensor) {
            made.id = tensor(static_cast<std::uint32_t>(event.id));
            if (const auto slot = static_cast<std::uint64_t>(event.payload.tensor.buffer); slot != 0)
                made.payload.tensor.buffer =
                    static_cast<record::BufferId>(std::uint64_t{current_[slot - 1]} + 1);
        } else if (event.kind == EventKind::kArgument &&
                   event.payload.argument.type == record::ArgumentType::kTensor) {
            made.payload.argument.integer =
                tensor(static_cast<std::uint32_t>(event.payload.argument.integer));
        }
    }

    const Recipe& from_;
    const CallUnits& units_;
    GraphRewriter graph_;
    Recipe to_;
    std::uint32_t calls_ = 0;
    std::vector<Slot> current_;   // by slot: what stands for it
    std::vector<bool> is_alive_;  // values
    std::vector<Slot> slot_of_tensor_;
    std::map<std::pair<std::uint32_t, Slot>, std::uint32_t> tensors_;
};

}  // namespace

std::shared_ptr<const TracedProgram> rewritten(const TracedProgram& traced, const CallUnits& units,
                                               std::span<const PlanStep> steps) {
    return Rewriter(traced, units).run(steps);
}

}  // namespace tilemeter::trace::internal
