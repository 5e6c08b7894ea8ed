// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/record/internal/buffer_roles.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "capture/record/text.hpp"
#include "runtime/trace/device/record/internal/call_graph.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace::internal {

namespace {

void add_use(std::vector<std::uint32_t>& uses, std::uint32_t equation) {
    if (equation != kNoEquation && (uses.empty() || uses.back() != equation)) uses.push_back(equation);
}

// The results of the optimizer that replace arguments: those of equal shape and type that they are made of. A result
// with one such argument that no other result has replaces it; several of one equation replace theirs in order, as
// moreh's optimizers give them.
class Replacements {
public:
    Replacements(const Recipe& recipe, const SlotUses& uses, std::span<const Pass> passes)
        : recipe_(recipe), uses_(uses), passes_(passes) {
        for (std::size_t i = 0; i < recipe.input_slots.size(); ++i)
            specs_.emplace(recipe.input_slots[i], &recipe.inputs[i]);
        find_dependences();
        collect_candidates();
        while (claim_certain() || claim_in_order()) {
        }
    }

    [[nodiscard]] const std::map<Slot, Slot>& by_result() const { return replaced_; }

private:
    struct Candidate {
        Slot result;
        std::uint32_t equation;
        std::vector<Slot> arguments;  // in the order in which the optimizer reads them
    };

    void find_dependences() {
        for (std::size_t i = 0; i < recipe_.programs.size(); ++i) {
            const std::uint32_t equation = uses_.equation_of_program()[i];
            if (equation == kNoEquation || passes_[equation] != Pass::kOptimizer) continue;
            std::vector<Slot> read;
            const auto add = [&read](Slot slot) {
                if (std::ranges::find(read, slot) == read.end()) read.push_back(slot);
            };
            for (const Operand& each : recipe_.programs[i].operands) {
                if (specs_.contains(each.slot)) add(each.slot);
                if (const auto known = made_of_.find(each.slot); known != made_of_.end())
                    std::ranges::for_each(known->second, add);
            }
            for (const Slot each : recipe_.programs[i].results)
                if (!specs_.contains(each)) made_of_[each] = read;
        }
    }

    void collect_candidates() {
        std::set<Slot> seen;
        for (const Result& result : recipe_.results) {
            const auto made = made_of_.find(result.slot);
            if (made == made_of_.end() || !seen.insert(result.slot).second) continue;
            Candidate& candidate = open_.emplace_back(result.slot, uses_.writers(result.slot).back());
            for (const Slot each : made->second) {
                const TensorSpec& spec = *specs_.at(each);
                if (spec.shape == result.spec.shape && spec.dtype == result.spec.dtype &&
                    !recipe_.slots[each].is_written)
                    candidate.arguments.push_back(each);
            }
        }
        std::erase_if(open_, [](const Candidate& each) { return each.arguments.empty(); });
    }

    void claim(const Candidate& candidate, Slot argument) {
        replaced_.emplace(candidate.result, argument);
        std::erase_if(open_,
                      [result = candidate.result](const Candidate& each) { return each.result == result; });
        for (Candidate& each : open_)
            std::erase(each.arguments, argument);
        std::erase_if(open_, [](const Candidate& each) { return each.arguments.empty(); });
    }

    bool claim_certain() {
        for (const Candidate& each : open_) {
            if (each.arguments.size() != 1) continue;
            const auto rivals = std::ranges::count_if(
                open_, [&](const Candidate& other) { return other.arguments == each.arguments; });
            if (rivals != 1) continue;
            const Candidate found = each;
            claim(found, found.arguments[0]);
            return true;
        }
        return false;
    }

    bool claim_in_order() {
        for (const Candidate& each : open_) {
            std::vector<Candidate> like;
            for (const Candidate& other : open_)
                if (other.equation == each.equation && other.arguments == each.arguments)
                    like.push_back(other);
            if (like.size() != each.arguments.size()) continue;
            const std::vector<Slot> arguments = each.arguments;
            for (std::size_t i = 0; i < like.size(); ++i)
                claim(like[i], arguments[i]);
            return true;
        }
        return false;
    }

    const Recipe& recipe_;
    const SlotUses& uses_;
    const std::span<const Pass> passes_;
    std::map<Slot, const TensorSpec*> specs_;    // of inputs
    std::map<Slot, std::vector<Slot>> made_of_;  // by what the optimizer makes: inputs
    std::vector<Candidate> open_;
    std::map<Slot, Slot> replaced_;
};

class RoleFinder {
public:
    RoleFinder(const Recipe& recipe, const SlotUses& uses, std::span<const Pass> passes)
        : recipe_(recipe), uses_(uses), passes_(passes), replacements_(recipe, uses, passes) {
        for (const Result& each : recipe.results)
            if (each.slot != kNoSlot) results_.insert(each.slot);
        for (const auto& [result, argument] : replacements_.by_result())
            updated_.insert(argument);
    }

    [[nodiscard]] SlotRole of(Slot slot) const {
        switch (recipe_.slots[slot].kind) {
            case SlotKind::kTable:
                return {BufferRole::kProgramTable, "a program reads it"};
            case SlotKind::kInput:
            case SlotKind::kCaptured:
                return of_given(slot);
            case SlotKind::kMade:
                return of_made(slot);
            case SlotKind::kHost:
            case SlotKind::kConstant:
                break;
        }
        return {};
    }

private:
    [[nodiscard]] std::optional<std::uint32_t> first_in(const std::vector<std::uint32_t>& equations,
                                                        Pass pass) const {
        const auto found =
            std::ranges::find(equations, pass, [this](std::uint32_t each) { return passes_[each]; });
        return found == equations.end() ? std::nullopt : std::optional(*found);
    }

    [[nodiscard]] SlotRole of_given(Slot slot) const {
        const SlotInfo& info = recipe_.slots[slot];
        const std::vector<std::uint32_t>& readers = uses_.readers(slot);
        if (info.is_differentiated) return {BufferRole::kParameter, "its gradient is taken"};
        const auto written = first_in(uses_.writers(slot), Pass::kOptimizer);
        const bool is_optimizers = std::ranges::all_of(
            readers, [this](std::uint32_t each) { return passes_[each] == Pass::kOptimizer; });
        if (is_optimizers && written)
            return {BufferRole::kOptimizerState,
                    "the optimizer alone reads it, and writes to it in equation " + std::to_string(*written)};
        if (is_optimizers && updated_.contains(slot))
            return {BufferRole::kOptimizerState,
                    "the optimizer alone reads it, and returns what replaces it"};
        return {BufferRole::kInput,
                info.kind == SlotKind::kInput ? "an argument" : "from outside of the function"};
    }

    [[nodiscard]] SlotRole of_made(Slot slot) const {
        const SlotInfo& info = recipe_.slots[slot];
        if (info.is_gradient) return {BufferRole::kGradient, "backward() gave it"};
        const std::vector<std::uint32_t>& writers = uses_.writers(slot);
        const bool is_forward = !writers.empty() && passes_[writers.front()] == Pass::kForward;
        if (const auto reader = first_in(uses_.readers(slot), Pass::kBackward); is_forward && reader)
            return {BufferRole::kSaved, "equation " + std::to_string(*reader) + " of the way back reads it"};
        if (const auto replaced = replacements_.by_result().find(slot);
            replaced != replacements_.by_result().end())
            return {recipe_.slots[replaced->second].is_differentiated ? BufferRole::kParameter
                                                                      : BufferRole::kOptimizerState,
                    "the optimizer returns it, made of argument " +
                        std::to_string(argument_of(replaced->second)) + ", which has its shape and type"};
        if (results_.contains(slot)) {
            if (!writers.empty() && passes_[writers.front()] == Pass::kOptimizer)
                return {BufferRole::kUnknown,
                        "the optimizer returns it, and it can't be told which argument it replaces"};
            return {BufferRole::kResult, "the function returns it"};
        }
        return {BufferRole::kTemporary, "made and gone within the function"};
    }

    [[nodiscard]] std::size_t argument_of(Slot slot) const {
        return static_cast<std::size_t>(std::ranges::find(recipe_.input_slots, slot) -
                                        recipe_.input_slots.begin());
    }

    const Recipe& recipe_;
    const SlotUses& uses_;
    const std::span<const Pass> passes_;
    const Replacements replacements_;
    std::set<Slot> results_, updated_;
};

}  // namespace

SlotUses::SlotUses(const Recipe& recipe, std::span<const std::uint32_t> calls)
    : readers_(recipe.slots.size()), writers_(recipe.slots.size()) {
    for (std::uint32_t equation = 0; equation < calls.size(); ++equation) {
        if (calls[equation] == TracedProgram::kNoCall) continue;
        const std::uint32_t before = equation_of_call_.empty() ? kNoEquation : equation_of_call_.back();
        if (equation_of_call_.size() < calls[equation]) equation_of_call_.resize(calls[equation], before);
        equation_of_call_.push_back(equation);
    }
    equation_of_program_.resize(recipe.programs.size(), kNoEquation);
    const record::TextId indexing = record::intern(kIndexingScope);
    std::size_t event = 0, call = 0;
    int depth = 0;
    for (const Step& step : recipe.steps) {
        for (; event < step.events; ++event) {
            const record::Event& each = recipe.events[event];
            if (each.kind == record::EventKind::kFunctionBegin &&
                (depth > 0 || static_cast<record::TextId>(each.detail) != indexing))
                call += depth++ == 0 ? 1U : 0U;
            if (each.kind == record::EventKind::kFunctionEnd && depth > 0) --depth;
        }
        std::uint32_t equation = kNoEquation;
        if (call > 0 && !equation_of_call_.empty())
            equation = equation_of_call_[std::min(call, equation_of_call_.size()) - 1];
        if (step.kind == StepKind::kProgram) {
            equation_of_program_[step.index] = equation;
            const ProgramRun& run = recipe.programs[step.index];
            for (const Operand& each : run.operands)
                add_use(readers_[each.slot], equation);
            for (const Slot each : run.results)
                add_use(writers_[each], equation);
        } else if (step.kind == StepKind::kMove) {
            const ValueMove& move = recipe.moves[step.index];
            if (move.from.slot != kNoSlot) add_use(readers_[move.from.slot], equation);
            add_use(writers_[move.to], equation);
        }
    }
}

std::vector<SlotRole> roles_of(const Recipe& recipe, const SlotUses& uses, std::span<const Pass> passes) {
    const RoleFinder roles(recipe, uses, passes);
    std::vector<SlotRole> all;
    for (Slot slot = 0; slot < recipe.slots.size(); ++slot)
        all.push_back(roles.of(slot));
    return all;
}

}  // namespace tilemeter::trace::internal
