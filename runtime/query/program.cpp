// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/program.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "runtime/device/buffer.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/fixed_address.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/query/internal/refusal.hpp"
#include "runtime/query/internal/results.hpp"
#include "runtime/query/internal/threads_device.hpp"

namespace tilemeter::query {

namespace {

using Placing = QueryShadow::Placing;

std::string text_of(const ProgramValue& value) {
    if (value.step == ProgramValue::kInput) return "input " + std::to_string(value.index);
    if (value.index == ProgramValue::kAll) return "all results of step " + std::to_string(value.step);
    return "result " + std::to_string(value.index) + " of step " + std::to_string(value.step);
}

std::string text_of(std::span<const ProgramStep> steps, std::size_t number) {
    return "step " + std::to_string(number) + " (" + steps[number].name + ")";
}

// What can be known before anything is planned: values are used after they are made and before they are freed.
void check_order(std::span<const ProgramInput> inputs, std::span<const ProgramStep> steps) {
    std::map<ProgramValue, std::size_t> freed_by;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto check = [&](const ProgramValue& value, const char* what, std::size_t results_before) {
            const bool exists = value.step == ProgramValue::kInput ? value.index < inputs.size()
                                                                   : value.step < results_before;
            if (!exists) {
                throw RuntimeError("plan_program: " + text_of(steps, i) + ": expected " + what +
                                   " that is made before, got " + text_of(value));
            }
            auto freed = freed_by.find(value);
            if (freed == freed_by.end()) freed = freed_by.find({value.step, ProgramValue::kAll});
            if (freed != freed_by.end()) {
                throw RuntimeError("plan_program: " + text_of(steps, i) + ": expected " + what +
                                   " that is alive, got " + text_of(value) + ", which step " +
                                   std::to_string(freed->second) + " frees");
            }
        };
        for (const ProgramValue& operand : steps[i].operands)
            check(operand, "an operand", i);
        for (const ProgramValue& freed : steps[i].frees) {
            check(freed, "a value to free", i + 1);
            freed_by.emplace(freed, i);
        }
    }
}

/// A program on its way, on one shadow.
class Run {
public:
    Run(const std::shared_ptr<Device>& device, const AllocatorState& state, Placing placing,
        std::span<const ProgramStep> steps)
        : device_(device.get(), [](Device*) {}),
          shadow_(*device, state.memory(), internal::ThreadsDevice::of(*device).kept(placing)),
          placing_(placing),
          steps_(steps) {}

    void place_inputs(std::span<const ProgramInput> inputs, ProgramAnswer& answer) {
        shadow_.begin_step(placing_);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const PlannedTensor& planned =
                internal::ThreadsDevice::of(*device_).planned(inputs[i].spec, device_->description());
            const ProgramValue value{ProgramValue::kInput, i};
            if (const Tensor* const whole = at_same_place(planned.buffer, inputs, i)) {
                add(value, Tensor::on_device(planned.spec, whole->shared_buffer(), true));
            } else {
                std::optional<ScopedAddress> place;
                if (inputs[i].address) place.emplace(taken_over(planned.buffer, *inputs[i].address, i));
                add(value, Tensor::on_device(planned.spec, Buffer::allocate(device_, planned.buffer)));
            }
            answer.inputs.push_back(place_of(value));
        }
    }

    std::vector<Tensor> operands(std::size_t number) const {
        std::vector<Tensor> operands;
        for (const ProgramValue& each : steps_[number].operands)
            operands.push_back(value(each, number));
        return operands;
    }

    /// Throws what the function throws.
    PlannedStep run(std::size_t number, std::span<const Tensor> operands) {
        shadow_.begin_step(placing_);
        std::vector<Tensor> results = steps_[number].function(operands);
        internal::check_results(*device_, shadow_, results,
                                [this](record::BufferId buffer) { return owners_.contains(buffer); });
        PlannedStep planned;
        for (std::size_t i = 0; i < results.size(); ++i) {
            planned.output_specs.push_back(results[i].spec());
            planned.outputs.push_back(internal::place_of(results[i]));
            for (std::size_t j = 0; j < operands.size(); ++j) {
                if (&internal::whole_of(operands[j]) != &internal::whole_of(results[i])) continue;
                planned.outputs.back().shares_input = j;
                break;
            }
        }
        planned.usage = internal::usage_of(shadow_, planned.outputs);
        planned.captured_config = shadow_.config();
        for (std::size_t i = 0; i < results.size(); ++i)
            add(ProgramValue{number, i}, std::move(results[i]));
        // A call may free what it reads, and so what shares its memory.
        if (!std::ranges::all_of(operands, &Tensor::is_allocated))
            for (auto each = alive_.begin(); each != alive_.end();)
                each = values_.at(each->first).is_allocated() ? std::next(each) : remove_alive(each);
        return planned;
    }

    void free_after(std::size_t number) {
        for (const ProgramValue& each : steps_[number].frees) {
            if (each.index == ProgramValue::kAll) {
                auto of_step = values_.lower_bound({each.step, 0});
                while (of_step != values_.end() && of_step->first.step == each.step)
                    remove(ProgramValue((of_step++)->first));
                continue;
            }
            value(each, number);
            remove(each);
        }
    }

    /// After the last step that ran.
    std::vector<LiveValue> alive() const {
        std::vector<LiveValue> alive;
        for (const auto& [value, each] : alive_)
            alive.push_back({value, each.place});
        return alive;
    }

    QueryShadow& shadow() { return shadow_; }
    const BankAllocator& l1() { return std::as_const(shadow_.state().memory).allocator(MemoryType::kL1); }

private:
    struct Alive {
        OutputPlace place;
        record::BufferId owner;  // of the memory
    };

    void add(const ProgramValue& value, Tensor tensor) {
        const auto [added, is_new] = values_.emplace(value, std::move(tensor));
        if (!is_new || !added->second.is_allocated()) return;
        const record::BufferId owner = internal::whole_of(added->second).id();
        alive_.emplace(value, Alive{internal::place_of(added->second), owner});
        ++owners_[owner];
    }

    std::map<ProgramValue, Alive>::iterator remove_alive(std::map<ProgramValue, Alive>::iterator each) {
        const auto owner = owners_.find(each->second.owner);
        if (--owner->second == 0) owners_.erase(owner);
        return alive_.erase(each);
    }

    void remove(const ProgramValue& value) {
        if (const auto found = alive_.find(value); found != alive_.end()) remove_alive(found);
        values_.erase(value);
    }

    const Tensor& value(const ProgramValue& value, std::size_t step) const {
        if (const auto found = values_.find(value); found != values_.end()) return found->second;
        throw RuntimeError("plan_program: " + text_of(steps_, step) +
                           ": expected a value that is made, got " + text_of(value));
    }

    OutputPlace place_of(const ProgramValue& value) const { return internal::place_of(values_.at(value)); }

    // The input before this one that has the same memory: this is a view.
    const Tensor* at_same_place(const BufferPlan& plan, std::span<const ProgramInput> inputs,
                                std::size_t input) const {
        if (!inputs[input].address) return nullptr;
        for (std::size_t i = 0; i < input; ++i) {
            const Tensor& other = values_.at({ProgramValue::kInput, i});
            if (inputs[i].address == inputs[input].address &&
                other.buffer().memory() == plan.buffer_record.memory)
                return &other;
        }
        return nullptr;
    }

    // The state's block becomes the input's.
    std::uint64_t taken_over(const BufferPlan& plan, std::uint64_t address, std::size_t input) {
        const record::BufferRecord& buffer = plan.buffer_record;
        BankAllocator& bank = shadow_.state().memory.allocator(buffer.memory);
        const auto blocks = std::as_const(bank).blocks();
        const auto found = std::ranges::find_if(
            blocks, [address](const BankBlock& each) { return each.allocated && each.address == address; });
        const std::uint64_t granule = bank.granularity();
        const std::uint64_t wanted = (buffer.size_per_bank_bytes + granule - 1) / granule * granule;
        if (found == blocks.end() || found->size != wanted) {
            throw RuntimeError("plan_program: input " + std::to_string(input) + ": expected " +
                               std::to_string(wanted) + " B per bank at address " + std::to_string(address) +
                               " of the state's " + std::string(tilemeter::name_of(buffer.memory)) +
                               ", found " + (found == blocks.end() ? "none" : std::to_string(found->size)));
        }
        bank.free(address);
        return address;
    }

    const std::shared_ptr<Device> device_;
    QueryShadow shadow_;
    const Placing placing_;
    const std::span<const ProgramStep> steps_;
    std::map<ProgramValue, Tensor> values_;
    std::map<ProgramValue, Alive> alive_;                       // those of them that have memory
    std::unordered_map<record::BufferId, std::size_t> owners_;  // of it, with the number of values
};

}  // namespace

ProgramAnswer plan_program(const std::shared_ptr<Device>& device, const AllocatorState& state,
                           std::span<const ProgramInput> inputs, std::span<const ProgramStep> steps,
                           const Options& options) {
    internal::require_device(*device);
    state.require_board(*device, "plan_program");
    check_order(inputs, steps);
    ProgramAnswer answer;
    Run run(device, state, options.ignores_clashes ? Placing::kOverlapping : Placing::kInMemory, steps);
    run.place_inputs(inputs, answer);
    const auto note_state = [&] {
        answer.new_state = AllocatorState::like(state, run.shadow().state().memory);
    };
    note_state();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::vector<Tensor> operands = run.operands(i);
        const std::uint64_t before = run.l1().statistics().allocated;
        try {
            answer.steps.push_back(run.run(i, operands));
        } catch (const std::exception& error) {
            answer.alive = run.alive();
            answer.failure = {i, internal::one_line(error.what()),
                              internal::refusal_of(error, run.shadow(), *device), answer.alive};
            return answer;
        }
        operands.clear();
        run.free_after(i);
        PlannedStep& planned = answer.steps.back();
        planned.lowest_live_l1 = run.l1().lowest_allocated().value_or(run.l1().end());
        planned.allocated_l1 = run.l1().statistics().allocated;
        answer.peak_l1 = std::max(answer.peak_l1, before + planned.usage.peak_of_all_kinds_per_core);
        note_state();
    }
    answer.alive = run.alive();
    return answer;
}

}  // namespace tilemeter::query
