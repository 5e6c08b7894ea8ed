// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/replay/executable.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "capture/events/clock.hpp"
#include "capture/graph/captured_graph.hpp"
#include "capture/graph/node_graph.hpp"
#include "capture/ir/copier.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/private_log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/fixed_address.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/operations/core/call_watcher.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/programs_by_free_l1.hpp"
#include "runtime/operations/core/write_log.hpp"
#include "runtime/tensor/stored_values.hpp"
#include "runtime/trace/device/record/internal/recipe.hpp"
#include "runtime/trace/device/replay/internal/spec_difference.hpp"

namespace tilemeter::trace {

namespace {

using internal::difference;
using internal::kNoSlot;
using internal::Operand;
using internal::ProgramRun;
using internal::Recipe;
using internal::Result;
using internal::Slot;
using internal::SlotInfo;
using internal::SlotKind;
using internal::Step;
using internal::StepKind;
using internal::ValueMove;
using record::Event;
using record::EventKind;

[[noreturn]] void refuse(const std::string& message) {
    throw TracingError(TracingErrorKind::kBadArgument, "replay: " + message);
}

void require_open(const Device& device, const std::string& what) {
    if (device.is_open()) return;
    throw TracingError(TracingErrorKind::kBadArgument,
                       what +
                           ": expected the device that the function was traced on to be open, it is closed; "
                           "hint: trace the function again");
}

/// One replay on its way.
class Replay {
public:
    Replay(const Recipe& recipe, std::span<const std::shared_ptr<const CachedProgram>> programs,
           std::span<const Tensor> inputs, const ReplayAddresses* planned = nullptr)
        : recipe_(recipe),
          programs_(programs),
          inputs_(inputs),
          addresses_(planned),
          device_(*recipe.device),
          planned_(is_planned_only()),
          recording_(record::recording()),
          places_(recipe.slots.size()) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            places_[recipe.input_slots[i]].buffer = inputs[i].shared_buffer();
        for (const auto& [slot, buffer] : recipe.captured)
            places_[slot].buffer = buffer;
        for (const auto& [slot, values] : recipe.constants)
            places_[slot].values = values;
        results_.resize(recipe.results.size());
        if (!recording_) return;
        tensors_ = recipe.tensors;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            tensors_[recipe.input_tensors[i]] = inputs[i].id();
    }

    std::vector<Tensor> run() {
        for (std::size_t i = 0; i < results_.size(); ++i)
            make_result(i, kNoSlot);
        try {
            for (const Step& step : recipe_.steps) {
                if (recording_) emit_until(step.events);
                take(step);
            }
            if (recording_) emit_until(recipe_.events.size());
        } catch (...) {
            while (!scopes_.empty()) {
                tilemeter::internal::abort_scope(scopes_.back());
                scopes_.pop_back();
            }
            throw;
        }
        for (std::size_t i = 0; i < results_.size(); ++i)
            make_host_result(i);
        return std::move(results_);
    }

    /// The places of its allocations. REQUIRES: run() has returned
    ReplayAddresses take_addresses() { return std::move(made_); }

private:
    struct Place {
        std::shared_ptr<Buffer> buffer;            // on the device
        std::shared_ptr<const ChipValues> values;  // on the host, or kept when the buffer was freed
    };

    void take(const Step& step) {
        switch (step.kind) {
            case StepKind::kAllocate:
                allocate(step.index);
                break;
            case StepKind::kFree:
                free(step.index);
                break;
            case StepKind::kProgram:
                run_program(step.index);
                break;
            case StepKind::kMove:
                if (!planned_) move(recipe_.moves[step.index]);
                break;
        }
    }

    void allocate(Slot slot) {
        const SlotInfo& info = recipe_.slots[slot];
        const ScopedUserOperation scope(info.operation);
        std::optional<ScopedAddress> fixed;
        if (addresses_ != nullptr) fixed.emplace((*addresses_)[made_.size()]);
        places_[slot].buffer = Buffer::allocate(recipe_.device, info.plan);
        made_.push_back(places_[slot].buffer->address());
        for (std::size_t i = 0; i < results_.size(); ++i)
            make_result(i, slot);
    }

    void free(Slot slot) {
        Place& place = places_[slot];
        if (!place.buffer) return;
        if (recipe_.slots[slot].is_read_when_freed) place.values = place.buffer->values();
        place.buffer->deallocate();
        // Its id and address are read as long as events or programs name it.
        if (!recording_ && !recipe_.slots[slot].is_read_when_freed) place.buffer.reset();
    }

    void run_program(std::uint32_t number) {
        const ProgramRun& run = recipe_.programs[number];
        const ScopedUserOperation scope(run.operation);
        const auto fitting = run.by_free_l1 ? program_for_free_l1(*run.by_free_l1) : nullptr;
        const CachedProgram& program = fitting ? *fitting : *programs_[number];
        owners_.clear();
        if (recording_) {
            for (const Operand& each : run.operands)
                owners_.push_back(owner_of(each.slot));
            for (const Slot each : run.results)
                owners_.push_back(owner_of(each));
        }
        if (addresses_ == nullptr)
            emit_program_memory(program, owners_, device_);
        else
            emit_planned_program_memory(program, owners_, device_);
        if (!planned_) compute_program(run, program);
        record::emit_program_selected(program.factory_type, program.factory_index, true);
    }

    std::shared_ptr<const CachedProgram> program_for_free_l1(const ProgramsByFreeL1& programs) {
        made_.push_back(addresses_ == nullptr ? free_l1_below_tensors(device_) : (*addresses_)[made_.size()]);
        return programs.plan_for(made_.back(), device_.description());
    }

    void compute_program(const ProgramRun& run, const CachedProgram& program) {
        emit_program_execution(program, device_);
        SharedValues operands;
        operands.reserve(run.operands.size());
        for (const Operand& each : run.operands)
            operands.push_back(values_of(each));
        if (const auto stand_in = stand_in_for_results(*run.step.operation, operands)) {
            for (const Slot result : run.results)
                places_[result].buffer->set_values(stand_in);
            return;
        }
        std::vector<ChipValues> values = compute_step(run.step, std::move(operands), device_);
        for (std::size_t i = 0; i < run.results.size(); ++i) {
            if (values[i].empty()) continue;  // room to work in
            places_[run.results[i]].buffer->set_values(
                std::make_shared<const ChipValues>(std::move(values[i])));
        }
    }

    void move(const ValueMove& move) {
        Place& to = places_[move.to];
        std::shared_ptr<const ChipValues> values;
        if (move.from.slot == kNoSlot) {
            values = std::make_shared<const ChipValues>(move.make());
        } else {
            values = values_of(move.from);
            if (move.change && !stand_for_uncomputed(values))
                values = std::make_shared<const ChipValues>(move.change(*values));
        }
        if (to.buffer)
            to.buffer->set_values(std::move(values));
        else
            to.values = std::move(values);
    }

    ProgramTable owner_of(Slot slot) const {
        const std::shared_ptr<Buffer>& buffer = places_[slot].buffer;
        return buffer ? ProgramTable{buffer->address(), buffer->id()} : ProgramTable{};
    }

    std::shared_ptr<const ChipValues> values_of(const Operand& operand) const {
        const Place& place = places_[operand.slot];
        return values_of_tensor(place.values || !place.buffer ? place.values : place.buffer->values(),
                                operand.shape, operand.dtype, operand.chip, device_.chips().size());
    }

    /// Makes the result, if it lies in the memory of this slot; those of inputs are there from the beginning.
    void make_result(std::size_t number, Slot slot) {
        const Result& result = recipe_.results[number];
        Tensor& made = results_[number];
        if (result.input != ~0U) {
            if (slot == kNoSlot) made = inputs_[result.input];
            return;
        }
        if (result.slot == kNoSlot) {
            if (slot == kNoSlot) made = result.outside;
            return;
        }
        const SlotInfo& info = recipe_.slots[result.slot];
        if (info.kind == SlotKind::kHost || info.kind == SlotKind::kConstant) return;
        if (info.kind == SlotKind::kMade ? slot != result.slot : slot != kNoSlot) return;
        made = Tensor::on_device(result.spec, places_[result.slot].buffer, result.is_view);
        if (result.chip) made = Tensor::of_chip(made, *result.chip);
        if (result.distribution) made.set_distribution(result.distribution);
        if (recording_) tensors_[result.tensor] = made.id();
    }

    void make_host_result(std::size_t number) {
        const Result& result = recipe_.results[number];
        if (result.slot == kNoSlot) return;
        const SlotKind kind = recipe_.slots[result.slot].kind;
        if (kind != SlotKind::kHost && kind != SlotKind::kConstant) return;
        const auto& values = places_[result.slot].values;
        if (!values) {
            results_[number] = Tensor::planned_on_host(result.spec);
        } else {
            ChipValues shaped;
            for (const HostArray& each : *values)
                shaped.push_back(each.reshaped(result.spec.shape));
            results_[number] = Tensor::on_host(result.spec, std::move(shaped));
        }
        if (result.distribution) results_[number].set_distribution(result.distribution);
    }

    // ---- events

    record::TensorId tensor(std::size_t number) {
        record::TensorId& id = tensors_[number];
        if (id == record::TensorId::kNone) id = record::next_tensor_id();
        return id;
    }

    record::TensorRecord tensor_of(const Event& event) {
        record::TensorRecord made{tensor(event.id),
                                  static_cast<record::TensorSpecId>(event.detail),
                                  event.device,
                                  record::BufferId::kNone,
                                  0,
                                  event.payload.tensor.is_view != 0};
        const auto slot = static_cast<std::uint64_t>(event.payload.tensor.buffer);
        if (slot == 0) return made;
        const Place& place = places_[slot - 1];
        made.buffer = place.buffer ? place.buffer->id() : recipe_.slots[slot - 1].id;
        made.address = place.buffer ? place.buffer->address() : recipe_.slots[slot - 1].address;
        return made;
    }

    void emit_until(std::size_t end) {
        for (; emitted_ < end; ++emitted_)
            emit(recipe_.events[emitted_]);
    }

    void emit(const Event& event) {
        switch (event.kind) {
            case EventKind::kFunctionBegin: {
                const auto name = static_cast<record::TextId>(event.detail);
                record::emit_function_begin(name, event.payload.call.argument_count);
                scopes_.push_back(name);
                break;
            }
            case EventKind::kFunctionEnd:
                if ((event.flags & record::kAborted) != 0) {
                    record::emit_function_aborted(static_cast<record::TextId>(event.detail));
                } else {
                    record::emit_function_end();
                }
                if (!scopes_.empty()) scopes_.pop_back();
                break;
            case EventKind::kArgument: {
                const auto& argument = event.payload.argument;
                if (argument.type == record::ArgumentType::kTensor) {
                    record::emit_argument(tensor(static_cast<std::size_t>(argument.integer)),
                                          static_cast<record::TensorSpecId>(argument.text_or_spec));
                } else {
                    record::emit_argument(argument.type, argument.integer, argument.real,
                                          static_cast<record::TextId>(argument.text_or_spec));
                }
                break;
            }
            case EventKind::kInputTensor:
                record::emit_input_tensor(tensor_of(event));
                break;
            case EventKind::kOutputTensor:
                record::emit_output_tensor(tensor_of(event));
                break;
            case EventKind::kError:
                record::emit_error(static_cast<record::TextId>(event.payload.error.type_text),
                                   static_cast<record::TextId>(event.detail),
                                   static_cast<record::TextId>(event.payload.error.operation_text));
                break;
            default:
                break;
        }
    }

    const Recipe& recipe_;
    const std::span<const std::shared_ptr<const CachedProgram>> programs_;
    const std::span<const Tensor> inputs_;
    const ReplayAddresses* const addresses_;  // nullptr: where the allocator puts them
    ReplayAddresses made_;
    Device& device_;
    const bool planned_;
    const bool recording_;
    std::vector<Place> places_;
    std::vector<Tensor> results_;
    std::vector<ProgramTable> owners_;
    // While something is recorded:
    std::vector<record::TensorId> tensors_;
    std::vector<record::TextId> scopes_;
    std::size_t emitted_ = 0;
};

// The tables of the programs that the function found no cache for, in the device's own memory now.
std::shared_ptr<const CachedProgram> with_tables(
    const std::shared_ptr<const CachedProgram>& program,
    const std::unordered_map<record::BufferId, std::shared_ptr<Buffer>>& tables) {
    const auto is_ours = [&](const ProgramTable& each) { return tables.contains(each.buffer); };
    if (std::ranges::none_of(program->tables, is_ours)) return program;
    auto changed = std::make_shared<CachedProgram>(*program);
    for (ProgramTable& each : changed->tables) {
        if (const auto found = tables.find(each.buffer); found != tables.end())
            each = {found->second->address(), found->second->id()};
    }
    return changed;
}

// The nodes of functions that no other encloses, in their order.
std::vector<std::int64_t> outermost_functions(const graph::NodeGraph& graph) {
    std::vector<std::int64_t> ids;
    int depth = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (graph.nodes[i].type == graph::NodeType::kFunctionStart && depth++ == 0)
            ids.push_back(static_cast<std::int64_t>(i));
        if (graph.nodes[i].type == graph::NodeType::kFunctionEnd) --depth;
    }
    return ids;
}

}  // namespace

Executable::Executable(std::shared_ptr<const TracedProgram> traced) : traced_(std::move(traced)) {
    const Recipe& recipe = traced_->recipe();
    require_open(*recipe.device, "executable");
    std::unordered_map<record::BufferId, std::shared_ptr<Buffer>> tables;
    for (const SlotInfo& slot : recipe.slots) {
        if (slot.kind != SlotKind::kTable) continue;
        tables_.push_back(Buffer::allocate(recipe.device, slot.plan));
        tables.emplace(slot.id, tables_.back());
    }
    programs_.reserve(recipe.programs.size());
    for (const ProgramRun& run : recipe.programs) {
        programs_.push_back(with_tables(run.step.program, tables));
        const auto uses = [&](Slot slot) {
            if (recipe.slots[slot].is_there) return;
            throw TracingError(
                TracingErrorKind::kEscapedTracer,
                "executable: a tensor from outside that the traced function used is gone; hint: keep it, "
                "or pass it in");
        };
        for (const Operand& each : run.operands)
            uses(each.slot);
        for (const Slot each : run.results)
            uses(each);
    }
}

void Executable::require_inputs(std::span<const Tensor> inputs) const {
    const Recipe& recipe = traced_->recipe();
    require_open(*recipe.device, "replay");
    if (inputs.size() != recipe.inputs.size())
        refuse("expected " + std::to_string(recipe.inputs.size()) + " input(s), got " +
               std::to_string(inputs.size()));
    bool shares = false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].storage_type() != StorageType::DEVICE || inputs[i].shared_device() != recipe.device)
            refuse("input " + std::to_string(i) + ": expected on the device that it was traced on");
        if (inputs[i].buffer().is_part())
            refuse("input " + std::to_string(i) +
                   ": expected memory of its own, got a part of another tensor's (narrow)");
        if (!inputs[i].is_allocated()) {
            require_not_escaped(inputs[i].buffer(), "replay");
            refuse("input " + std::to_string(i) + ": expected allocated, was deallocated");
        }
        if (inputs[i].spec() != recipe.inputs[i])
            refuse("input " + std::to_string(i) + ": expected " +
                   difference(recipe.inputs[i], inputs[i].spec()) + " as it was traced, got " +
                   difference(inputs[i].spec(), recipe.inputs[i]) + "; hint: trace the function again");
        for (std::size_t j = 0; j < i; ++j) {
            const bool now = inputs[i].shared_buffer() == inputs[j].shared_buffer();
            const bool then = recipe.input_slots[i] == recipe.input_slots[j];
            if (then && !now)
                refuse("inputs " + std::to_string(j) + " and " + std::to_string(i) +
                       ": expected views of one buffer, as they were traced");
            shares = shares || (now && !then);
        }
        for (const auto& [slot, buffer] : recipe.captured)
            shares = shares || buffer == inputs[i].shared_buffer();
    }
    for (const auto& [input, buffer] : recipe.used_inputs)
        if (inputs[input].shared_buffer() != buffer)
            refuse(
                "input " + std::to_string(input) +
                ": expected the tensor that it was traced with, which the function uses from outside as well; "
                "hint: trace the function again");
    if (recipe.writes_outside && shares)
        refuse(
            "expected inputs that share no buffer, as they were traced: the function writes to one; hint: trace the "
            "function again");
}

void Executable::begin_replay(std::span<const Tensor> inputs) const {
    if (call_recorder() != nullptr)
        refuse("can't be part of a function that is traced; hint: call the function itself there");
    require_inputs(inputs);
    if (CallWatcher* const watcher = call_watcher()) watcher->on_replay(inputs);
    traced_->device()->traces().require_not_recording("replay: not supported during trace capture.");
    const Recipe& recipe = traced_->recipe();
    for (const auto& [slot, buffer] : recipe.captured)
        if (!buffer->is_allocated()) refuse("a tensor from outside that the function uses was deallocated");
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (recipe.slots[recipe.input_slots[i]].is_written) note_write(inputs[i].buffer());
    for (const auto& [slot, buffer] : recipe.captured)
        if (recipe.slots[slot].is_written) note_write(*buffer);
}

std::vector<Tensor> Executable::replay(std::span<const Tensor> inputs) const {
    begin_replay(inputs);
    return Replay(traced_->recipe(), programs_, inputs).run();
}

ReplayAddresses Executable::plan_addresses(std::span<const Tensor> inputs) const {
    const PlanningFrame frame(OutsideOfFrame::kAreRefused);
    const ScopedPlanning planning(frame);
    const ScopedCallRecorder unrecorded(nullptr);
    const record::PrivateLog log;
    require_inputs(inputs);
    Replay replay(traced_->recipe(), programs_, inputs);
    const std::vector<Tensor> results = replay.run();
    return replay.take_addresses();
}

std::vector<Hazard> Executable::hazards(const ReplayAddresses& addresses,
                                        std::span<const Tensor> inputs) const {
    require_inputs(inputs);
    const Recipe& recipe = traced_->recipe();
    Device& device = *recipe.device;
    HazardFinder finder(device.live_allocations(), device.description());
    std::unordered_map<Slot, record::BufferId> outside;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        outside.emplace(recipe.input_slots[i], inputs[i].buffer().id());
    for (const auto& [slot, buffer] : recipe.captured)
        outside.emplace(slot, buffer->id());
    std::size_t made = 0;
    const auto next = [&] {
        if (made == addresses.size()) refuse("expected as many addresses as it makes buffers");
        return addresses[made++];
    };
    for (const Step& step : recipe.steps) {
        if (step.kind == StepKind::kAllocate) {
            record::BufferRecord buffer = recipe.slots[step.index].plan.buffer_record;
            buffer.address = next();
            finder.write(buffer, recipe.slots[step.index].operation);
        } else if (step.kind == StepKind::kFree) {
            if (const auto found = outside.find(step.index); found != outside.end())
                finder.free(found->second);
        } else if (step.kind == StepKind::kProgram) {
            const ProgramRun& run = recipe.programs[step.index];
            const auto program = run.by_free_l1 ? run.by_free_l1->plan_for(next(), device.description())
                                                : programs_[step.index];
            for (std::size_t i = 0; i < program->memory.size(); ++i)
                finder.write(program->memory[i], program->placement.addresses[i], run.operation);
        }
    }
    return finder.take();
}

std::vector<Tensor> Executable::replay_at(ReplayAddresses& addresses, std::span<const Tensor> inputs,
                                          OnHazard on_hazard) const {
    begin_replay(inputs);
    if (on_hazard != OnHazard::kAllow) {
        const std::vector<Hazard> found = hazards(addresses, inputs);
        if (!found.empty() && on_hazard == OnHazard::kRefuse)
            refuse("would overwrite " + summary_of(found) +
                   "; hint: free or copy it before, or let the replay move (on_hazard=\"move\")");
        if (!found.empty()) addresses = plan_addresses(inputs);
    }
    return Replay(traced_->recipe(), programs_, inputs, &addresses).run();
}

record::Recording Executable::plan(std::span<const Tensor> inputs, ReplayAddresses* addresses) const {
    const PlanningFrame frame(OutsideOfFrame::kAreRefused);
    const ScopedPlanning planning(frame);
    const ScopedCallRecorder unrecorded(nullptr);
    record::Recording recording;
    recording.mode = record::RunMode::NO_DISPATCH;
    recording.wall_clock_ns =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::system_clock::now().time_since_epoch())
                                       .count());
    recording.begin_ticks = record::now_ticks();
    const record::PrivateLog log;
    begin_replay(inputs);
    // Buffers that lie there already, used or not, as a capture begins: without it a peak is one at least.
    for (const Allocation& each : traced_->device()->live_allocations())
        record::emit_buffer_alive(each.buffer_record, record::Origin::kPlanned);
    Replay replay(traced_->recipe(), programs_, inputs);
    const std::vector<Tensor> results = replay.run();
    if (addresses != nullptr) *addresses = replay.take_addresses();
    recording.threads.push_back(log.events());
    const record::ClockReading now = record::read_clocks();
    recording.end_ticks = now.ticks;
    recording.conversion = record::TickConversion(record::process_start_reading(), now);
    return recording;
}

void Executable::save(const std::filesystem::path& path, std::span<const Tensor> inputs,
                      const ReportWriter& write) const {
    if (const std::string wrong = write(graph::CapturedGraph(plan(inputs)), path); !wrong.empty())
        throw std::runtime_error("save: cannot write the report: " + wrong);
}

ir::Graph Executable::graph_of_report(std::span<const Tensor> inputs) const {
    const graph::CapturedGraph captured(plan(inputs));
    const std::vector<std::int64_t> ids = outermost_functions(captured.nodes());
    const ir::Graph& from = traced_->graph();
    ir::Graph to = ir::graph_like(from);
    ir::GraphCopier copier(from, to);
    copier.copy_params();
    for (const ir::Equation equation : from.equations()) {
        std::vector<ir::ValueId> operands;
        for (const ir::ValueId each : equation.operands())
            operands.push_back(copier(each));
        ir::Attributes attributes = equation.attributes();
        if (const std::uint32_t call = traced_->calls()[equation.index()]; call < ids.size())
            attributes.set("captured", ir::Integers{ids[call]});
        const ir::ValueRange results = to.append(equation.operation(), operands, equation.result_types(),
                                                 attributes, {}, equation.location());
        copier.map_results(equation, results);
    }
    copier.copy_results();
    return to;
}

}  // namespace tilemeter::trace
