// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/internal/recorder.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter::trace::internal {

namespace {

using record::Event;
using record::EventKind;

constexpr std::array<std::string_view, 7> kRandom = {"RandDeviceOperation",      "RandnDeviceOperation",
                                                     "UniformDeviceOperation",   "BernoulliDeviceOperation",
                                                     "DropoutDeviceOperation",   "SamplingDeviceOperation",
                                                     "ManualSeedDeviceOperation"};

std::string name_of_call(std::string_view otherwise) {
    const record::TextId call = ScopedUserOperation::current();
    return std::string(call == record::TextId::kNone ? otherwise : record::text_of(call));
}

std::string name_of_device(const Device& device) {
    return "device " + std::to_string(static_cast<unsigned>(device.id()));
}

}  // namespace

Recorder::Recorder(const record::PrivateLog& log, std::span<const Tensor> inputs)
    : log_(log), first_tensor_(record::next_tensor_id()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor& input = inputs[i];
        require_on_device(input, "trace", "input " + std::to_string(i));
        if (!recipe_->device) recipe_->device = input.shared_device();
        require_device(input.device());
        const auto slot = static_cast<Slot>(recipe_->slots.size());
        const auto [known, is_new] = buffers_.try_emplace(input.buffer().id(), slot);
        recipe_->inputs.push_back(input.spec());
        recipe_->input_slots.push_back(known->second);
        if (!is_new) continue;
        SlotInfo& info = recipe_->slots.emplace_back();
        info.kind = SlotKind::kInput;
        info.input = static_cast<std::uint32_t>(i);
        info.id = input.buffer().id();
    }
}

void Recorder::require_device(const Device& device) const {
    if (!recipe_->device || recipe_->device.get() == &device) return;
    throw TracingError(TracingErrorKind::kTwoDevices, name_of_call("trace") + ": expected tensors on " +
                                                          name_of_device(*recipe_->device) +
                                                          " alone, found one on " + name_of_device(device) +
                                                          "; hint: trace a function for each device");
}

void Recorder::note(Noted what, std::size_t index) {
    notes_.push_back({log_.size(), what, static_cast<std::uint32_t>(index)});
}

void Recorder::on_allocate(const std::shared_ptr<Buffer>& buffer, const BufferPlan& plan) {
    if (!recipe_->device) recipe_->device = buffer->shared_device();
    require_device(buffer->device());
    const auto slot = static_cast<Slot>(recipe_->slots.size());
    SlotInfo& info = recipe_->slots.emplace_back();
    info.kind = tables_ > 0 ? SlotKind::kTable : SlotKind::kMade;
    info.id = buffer->id();
    info.address = buffer->address();
    info.plan = plan;
    info.operation = ScopedUserOperation::current();
    buffers_.emplace(info.id, slot);
    if (tables_ == 0) note(Noted::kAllocated, slot);
}

Slot Recorder::slot_of_buffer(const Tensor& tensor) {
    const auto [known, is_new] =
        buffers_.try_emplace(tensor.buffer().id(), static_cast<Slot>(recipe_->slots.size()));
    if (!is_new) return known->second;
    require_device(tensor.device());
    SlotInfo& info = recipe_->slots.emplace_back();
    info.kind = SlotKind::kCaptured;
    info.id = tensor.buffer().id();
    info.address = tensor.buffer().address();
    info.seen = tensor.shared_buffer();
    return known->second;
}

Slot Recorder::slot_of(const Tensor& tensor) {
    if (tensor.storage_type() == StorageType::DEVICE) return slot_of_buffer(tensor);
    const auto known = host_tensors_.find(tensor.id());
    if (known != host_tensors_.end()) return known->second;
    if (!tensor.has_values()) {
        throw TracingError(
            TracingErrorKind::kHostValues,
            name_of_call("trace") +
                ": expected a tensor on the device or with known values, found one on the host whose "
                "values depend on the traced function; hint: make it before the function and pass it in");
    }
    const auto slot = static_cast<Slot>(recipe_->slots.size());
    SlotInfo& info = recipe_->slots.emplace_back();
    info.kind = SlotKind::kConstant;
    info.constant = tensor.chip_values();
    constants_.emplace(tensor.id(), info.constant);
    host_tensors_.emplace(tensor.id(), slot);
    return slot;
}

Operand Recorder::operand(const Tensor& tensor) {
    const Slot slot = slot_of(tensor);
    return {slot, tensor.shape(), tensor.dtype(), tensor.chip()};
}

void Recorder::write(Slot slot, const Tensor& tensor) {
    SlotInfo& info = recipe_->slots[slot];
    info.is_written = true;
    if (tensor.storage_type() == StorageType::DEVICE)
        writes_.push_back(
            {static_cast<std::uint32_t>(notes_.size() - 1), Write{info.id, tensor.record_spec_id()}});
}

void Recorder::on_program(const DeviceOperation& operation,
                          const std::shared_ptr<const CachedProgram>& program,
                          std::span<const Tensor> operands, std::span<const Tensor> results) {
    if (std::ranges::find(kRandom, operation.name()) != kRandom.end()) {
        throw TracingError(
            TracingErrorKind::kRandomBySeed,
            name_of_call(operation.name()) +
                ": draws random numbers by a seed, which a traced function would repeat; hint: make the "
                "random tensor before the function and pass it in");
    }
    ProgramRun& run = recipe_->programs.emplace_back();
    run.operation = ScopedUserOperation::current();
    run.step.operation = operation.clone();
    run.step.program = program;
    run.operands.reserve(operands.size());
    run.step.operands.reserve(operands.size());
    for (const Tensor& each : operands) {
        run.operands.push_back(operand(each));
        run.step.operands.push_back(each.shape());
    }
    note(Noted::kProgram, recipe_->programs.size() - 1);
    run.results.reserve(results.size());
    run.step.results.reserve(results.size());
    for (const Tensor& each : results) {
        const Slot slot = slot_of_buffer(each);
        run.results.push_back(slot);
        run.step.results.push_back(each.spec());
        write(slot, each);
    }
}

void Recorder::on_made(const Tensor& to, MakeValues make) {
    if (tables_ > 0) return;
    const auto slot = static_cast<Slot>(recipe_->slots.size());
    recipe_->slots.emplace_back().kind = SlotKind::kHost;
    host_tensors_.emplace(to.id(), slot);
    recipe_->moves.push_back({slot, {}, std::move(make), {}});
    note(Noted::kMove, recipe_->moves.size() - 1);
}

void Recorder::on_moved(const Tensor& to, const Tensor& from, ChangeValues change) {
    if (tables_ > 0) return;
    const Operand source = operand(from);
    Slot slot = kNoSlot;
    if (to.storage_type() == StorageType::HOST) {
        slot = static_cast<Slot>(recipe_->slots.size());
        recipe_->slots.emplace_back().kind = SlotKind::kHost;
        host_tensors_.emplace(to.id(), slot);
    } else {
        slot = slot_of_buffer(to);
    }
    recipe_->moves.push_back({slot, source, {}, std::move(change)});
    note(Noted::kMove, recipe_->moves.size() - 1);
    write(slot, to);
}

void Recorder::begin_tables() {
    if (tables_++ == 0) tables_begin_ = log_.size();
}

void Recorder::end_tables() {
    if (--tables_ == 0) hidden_.emplace_back(tables_begin_, log_.size());
}

// ---- when the function has returned

std::uint32_t Recorder::tensor_number(record::TensorId tensor) {
    const auto [known, is_new] =
        numbers_.try_emplace(tensor, static_cast<std::uint32_t>(recipe_->tensors.size()));
    if (is_new) recipe_->tensors.push_back(tensor < first_tensor_ ? tensor : record::TensorId::kNone);
    return known->second;
}

void Recorder::keep(Event event) {
    if (event.kind == EventKind::kInputTensor || event.kind == EventKind::kOutputTensor) {
        event.id = tensor_number(static_cast<record::TensorId>(event.id));
        const record::BufferId buffer = event.payload.tensor.buffer;
        std::uint64_t slot = 0;
        if (buffer != record::BufferId::kNone) {
            const auto known = buffers_.find(buffer);
            // A tensor from outside that no program touches stays as it is.
            if (known == buffers_.end()) {
                SlotInfo& info = recipe_->slots.emplace_back();
                info.kind = SlotKind::kCaptured;
                info.id = buffer;
                info.address = event.payload.tensor.address;
                slot = recipe_->slots.size();
                buffers_.emplace(buffer, static_cast<Slot>(slot - 1));
            } else {
                slot = known->second + 1;
            }
        }
        event.payload.tensor.buffer = static_cast<record::BufferId>(slot);
    } else if (event.kind == EventKind::kArgument &&
               event.payload.argument.type == record::ArgumentType::kTensor) {
        event.payload.argument.integer =
            tensor_number(static_cast<record::TensorId>(event.payload.argument.integer));
    }
    recipe_->events.push_back(event);
}

void Recorder::add_step(StepKind kind, std::uint32_t index) {
    recipe_->steps.push_back({kind, index, static_cast<std::uint32_t>(recipe_->events.size())});
}

void Recorder::add_free(record::BufferId buffer) {
    const auto known = buffers_.find(buffer);
    if (known == buffers_.end() || recipe_->slots[known->second].kind == SlotKind::kCaptured) {
        throw TracingError(
            TracingErrorKind::kBadArgument,
            "trace: the function deallocates a tensor from outside, which it could do only once; hint: "
            "pass the tensor in");
    }
    recipe_->slots[known->second].is_freed = true;
    add_step(StepKind::kFree, known->second);
}

void Recorder::add_noted(const Note& noted, CallGraph& graph) {
    switch (noted.what) {
        case Noted::kAllocated:
            add_step(StepKind::kAllocate, noted.index);
            break;
        case Noted::kProgram:
            for (const Operand& each : recipe_->programs[noted.index].operands)
                if (recipe_->slots[each.slot].is_freed) recipe_->slots[each.slot].is_read_when_freed = true;
            add_step(StepKind::kProgram, noted.index);
            break;
        case Noted::kMove: {
            const Slot from = recipe_->moves[noted.index].from.slot;
            if (from != kNoSlot && recipe_->slots[from].is_freed)
                recipe_->slots[from].is_read_when_freed = true;
            add_step(StepKind::kMove, noted.index);
            break;
        }
    }
    const auto number = static_cast<std::uint32_t>(&noted - notes_.data());
    auto write = std::ranges::lower_bound(writes_, number, {}, [](const auto& each) { return each.first; });
    for (; write != writes_.end() && write->first == number; ++write)
        graph.add_write(write->second.buffer, write->second.spec);
}

void Recorder::add_result(const Tensor& result, std::span<const Tensor> inputs) {
    Result& made = recipe_->results.emplace_back();
    const auto input = std::ranges::find(inputs, result.id(), [](const Tensor& each) { return each.id(); });
    if (input != inputs.end()) {
        made.input = static_cast<std::uint32_t>(input - inputs.begin());
        return;
    }
    made.spec = result.spec();
    made.is_view = result.is_view();
    made.chip = result.chip();
    made.distribution = result.distribution();
    if (result.id() < first_tensor_) {
        made.outside = result;
        return;
    }
    if (result.storage_type() == StorageType::DEVICE)
        require_on_device(result, "trace", "result " + std::to_string(recipe_->results.size() - 1));
    made.slot = slot_of(result);
    made.tensor = tensor_number(result.id());
}

std::pair<ir::Graph, std::shared_ptr<const Recipe>> Recorder::finish(
    const std::string& name, const std::vector<std::string>& input_names, std::span<const Tensor> inputs,
    const std::vector<Tensor>& results) {
    if (!recipe_->device) {
        throw TracingError(TracingErrorKind::kBadArgument,
                           "trace: expected tensors on a device, found none in the function");
    }
    CallGraph graph(name, *recipe_->device, constants_);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        graph.add_input(i < input_names.size() ? input_names[i] : "input_" + std::to_string(i), inputs[i]);
        recipe_->input_tensors.push_back(tensor_number(inputs[i].id()));
    }
    recipe_->events.reserve(log_.size());
    recipe_->steps.reserve(notes_.size() * 2);
    std::uint64_t index = 0;
    auto noted = notes_.cbegin();
    auto hidden = hidden_.cbegin();
    log_.events().for_each([&](const Event& event) {
        while (noted != notes_.cend() && noted->position <= index)
            add_noted(*noted++, graph);
        while (hidden != hidden_.cend() && hidden->second <= index)
            ++hidden;
        const bool is_hidden = hidden != hidden_.cend() && hidden->first <= index;
        ++index;
        if (is_hidden) return;
        graph.add_event(event);
        switch (event.kind) {
            case EventKind::kFunctionBegin:
            case EventKind::kFunctionEnd:
            case EventKind::kArgument:
            case EventKind::kInputTensor:
            case EventKind::kOutputTensor:
            case EventKind::kError:
                keep(event);
                break;
            case EventKind::kBufferFree:
                add_free(static_cast<record::BufferId>(event.id));
                break;
            default:  // the steps emit these
                break;
        }
    });
    while (noted != notes_.cend())
        add_noted(*noted++, graph);
    for (SlotInfo& slot : recipe_->slots) {
        if (slot.kind != SlotKind::kCaptured) continue;
        slot.captured = slot.seen.lock();
        slot.seen.reset();
    }
    for (const Tensor& each : results)
        add_result(each, inputs);
    return {graph.finish(results), std::move(recipe_)};
}

}  // namespace tilemeter::trace::internal
