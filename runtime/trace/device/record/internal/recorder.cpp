// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/record/internal/recorder.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/types/runtime_error.hpp"
#include "runtime/types/tile_text.hpp"

namespace tilemeter::trace::internal {

namespace {

using record::Event;

constexpr std::array<std::string_view, 7> kRandom = {"RandDeviceOperation",      "RandnDeviceOperation",
                                                     "UniformDeviceOperation",   "BernoulliDeviceOperation",
                                                     "DropoutDeviceOperation",   "SamplingDeviceOperation",
                                                     "ManualSeedDeviceOperation"};
// By a bit for each length of such a name, which most others do not have.
constexpr std::uint64_t kLengthsOfRandom = [] {
    std::uint64_t lengths = 0;
    for (const std::string_view each : kRandom)
        lengths |= std::uint64_t{1} << each.size();
    return lengths;
}();

bool is_random(std::string_view operation) {
    return operation.size() < 64 && (kLengthsOfRandom >> operation.size() & 1) != 0 &&
           std::ranges::find(kRandom, operation) != kRandom.end();
}

// The lengths of the lists of the thread's last traced function: the next one, which is often the same or one like it,
// begins with as much room.
struct Room {
    std::size_t slots = 32;
    std::size_t notes = 32;
    std::size_t programs = 16;
    std::size_t uses = 64;
    std::size_t calls = 16;
    std::size_t tensors = 32;
    std::size_t specs = 16;
    std::size_t outside = 16;
};
// A pointer: what threads have of their own lies in a room that libraries loaded late share.
Room& room_of_thread() {
    thread_local std::unique_ptr<Room> the_room;
    if (the_room == nullptr) the_room = std::make_unique<Room>();
    return *the_room;
}

// Most of the room that a larger function made for lists is given back.
template <typename T>
void give_back_room(std::vector<T>& list) {
    if (list.capacity() > 2 * list.size()) list.shrink_to_fit();
}

// Up to this share of a chunk of the log the events are copied out of it.
constexpr std::size_t kFewEvents = record::Chunk::kEvents / 2;

std::string name_of_call(std::string_view otherwise) {
    const record::TextId call = ScopedUserOperation::current();
    return std::string(call == record::TextId::kNone ? otherwise : record::text_of(call));
}

std::string name_of_device(const Device& device) {
    return "device " + std::to_string(static_cast<unsigned>(device.id()));
}

bool is_on_device(const Tensor& tensor) {
    return tensor.storage_type() == StorageType::DEVICE;
}

void require_whole_tiles(const TensorSpec& spec) {
    if (spec.tile == kWholeTile) return;
    throw TracingError(TracingErrorKind::kBadArgument,
                       name_of_call("trace") + ": expected tensors in tiles of " + size_text(kWholeTile) +
                           ", found one in tiles of " + size_text(spec.tile) +
                           "; hint: graphs do not say tiles, so call the function untraced");
}

// A write to a part counts for the whole, which a graph, where each value is its own, does not say.
void require_no_part(const Tensor& tensor) {
    if (!tensor.buffer().is_part()) return;
    throw TracingError(
        TracingErrorKind::kBadArgument,
        name_of_call("trace") +
            ": expected tensors in memory of their own, found a part of another one's (narrow); "
            "hint: slice makes a tensor of it");
}

NamedTensor named(const Tensor& tensor) {
    return {tensor.id(), is_on_device(tensor) ? tensor.buffer().id() : record::BufferId::kNone,
            tensor.record_spec_id()};
}

}  // namespace

EventList::EventList(record::ThreadSlice slice) {
    if (slice.end - slice.begin > kFewEvents) {
        slice_ = std::move(slice);
        return;
    }
    few_.reserve(slice.end - slice.begin);
    slice.for_each([this](const Event& event) { few_.push_back(event); });
}

Recorder::Recorder(const record::PrivateLog& log, std::span<const Tensor> inputs, LocationSource source)
    : log_(log), source_(source) {
    recorded_->first_tensor = record::next_tensor_id();
    const Room& room = room_of_thread();
    recorded_->notes.reserve(room.notes);
    recorded_->programs.reserve(room.programs);
    recorded_->uses.reserve(room.uses);
    recorded_->writes.reserve(room.programs);
    recorded_->calls.reserve(room.calls);
    recorded_->call_tensors.reserve(room.tensors);
    recorded_->slots.reserve(room.slots);
    recipe_.slots.reserve(room.slots);
    specs_.reserve(room.specs);
    outside_.reserve(room.outside);
    recorded_->specs.reserve(room.specs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Tensor& input = inputs[i];
        try {
            require_on_device(input, "trace", "input " + std::to_string(i));
        } catch (const RuntimeError& error) {
            throw TracingError(TracingErrorKind::kBadArgument, error.what());
        }
        if (!recipe_.device) recipe_.device = input.shared_device();
        require_device(input.device());
        require_whole_tiles(input.spec());
        require_no_part(input);
        const auto [slot, is_new] =
            recorded_->slots.try_emplace(input.buffer().id(), static_cast<Slot>(recipe_.slots.size()));
        recipe_.inputs.push_back(input.spec());
        recipe_.input_slots.push_back(slot);
        recorded_->inputs.push_back(named(input));
        if (is_new) recipe_.slots[add_slot(SlotKind::kInput)].id = input.buffer().id();
    }
}

void Recorder::require_device(const Device& device) const {
    if (!recipe_.device || recipe_.device.get() == &device) return;
    throw TracingError(TracingErrorKind::kTwoDevices, name_of_call("trace") + ": expected tensors on " +
                                                          name_of_device(*recipe_.device) +
                                                          " alone, found one on " + name_of_device(device) +
                                                          "; hint: trace a function for each device");
}

Slot Recorder::add_slot(SlotKind kind) {
    recipe_.slots.emplace_back().kind = kind;
    return static_cast<Slot>(recipe_.slots.size() - 1);
}

void Recorder::note(Noted what, std::size_t index) {
    recorded_->notes.push_back({log_.size(), what, static_cast<std::uint32_t>(index)});
}

void Recorder::on_call(const std::type_info& definition, const void* arguments) {
    // Calls inside of calls are in no graph.
    if (ScopedUserOperation::current() != record::TextId::kNone || tables_ > 0) return;
    std::vector<TensorArgument>& tensors = recorded_->call_tensors;
    const std::size_t first = tensors.size();
    GivenArguments given = given_arguments(definition, arguments, tensors, recorded_->arguments);
    if (!given) return;
    note(Noted::kCall, recorded_->calls.size());
    recorded_->calls.push_back({std::move(given), static_cast<std::uint32_t>(first),
                                static_cast<std::uint32_t>(tensors.size() - first)});
}

void Recorder::on_allocate(const std::shared_ptr<Buffer>& buffer, const BufferPlan& plan) {
    if (!recipe_.device) recipe_.device = buffer->shared_device();
    require_device(buffer->device());
    const Slot slot = add_slot(tables_ > 0 ? SlotKind::kTable : SlotKind::kMade);
    SlotInfo& info = recipe_.slots[slot];
    info.id = buffer->id();
    info.address = buffer->address();
    info.plan = plan;
    info.operation = ScopedUserOperation::current();
    recorded_->slots.try_emplace(info.id, slot);
    if (tables_ == 0) note(Noted::kAllocated, slot);
}

Slot Recorder::slot_of_buffer(const Tensor& tensor) {
    require_no_part(tensor);
    const Buffer& buffer = tensor.buffer();
    const auto [slot, is_new] =
        recorded_->slots.try_emplace(buffer.id(), static_cast<Slot>(recipe_.slots.size()));
    if (!is_new) {
        note_used_input(slot, tensor);
        return slot;
    }
    require_device(tensor.device());
    SlotInfo& info = recipe_.slots[add_slot(SlotKind::kCaptured)];
    info.id = buffer.id();
    info.address = buffer.address();
    outside_.emplace_back(slot, tensor.shared_buffer());
    return slot;
}

// An input's memory through a tensor that is older than the function and is no input of it.
void Recorder::note_used_input(Slot slot, const Tensor& tensor) {
    if (recipe_.slots[slot].kind != SlotKind::kInput || tensor.id() >= recorded_->first_tensor) return;
    if (std::ranges::find(recorded_->inputs, tensor.id(), &NamedTensor::tensor) != recorded_->inputs.end())
        return;
    const auto input = static_cast<std::uint32_t>(std::ranges::find(recipe_.input_slots, slot) -
                                                  recipe_.input_slots.begin());
    if (std::ranges::none_of(recipe_.used_inputs, [&](const auto& each) { return each.first == input; }))
        recipe_.used_inputs.emplace_back(input, tensor.shared_buffer());
}

Slot Recorder::slot_of(const Tensor& tensor) {
    if (is_on_device(tensor)) return slot_of_buffer(tensor);
    const auto known = host_tensors_.find(tensor.id());
    if (known != host_tensors_.end()) return known->second;
    if (!tensor.has_values()) {
        throw TracingError(
            TracingErrorKind::kHostValues,
            name_of_call("trace") +
                ": expected a tensor on the device or with known values, found one on the host whose "
                "values depend on the traced function; hint: make it before the function and pass it in");
    }
    const Slot slot = add_slot(SlotKind::kConstant);
    recipe_.constants.emplace_back(slot, tensor.chip_values());
    recorded_->constants.emplace(tensor.id(), recipe_.constants.back().second);
    host_tensors_.emplace(tensor.id(), slot);
    return slot;
}

std::uint32_t Recorder::spec_number(const Tensor& tensor) {
    // Equal specs have equal ids.
    const auto [number, is_new] =
        specs_.try_emplace(tensor.record_spec_id(), static_cast<std::uint32_t>(recorded_->specs.size()));
    if (is_new) {
        require_whole_tiles(tensor.spec());
        recorded_->specs.push_back(tensor.spec());
    }
    return number;
}

void Recorder::add_use(Slot slot, const Tensor& tensor) {
    const std::optional<std::size_t> chip = tensor.chip();
    recorded_->uses.push_back(
        {slot, spec_number(tensor), chip ? static_cast<std::uint32_t>(*chip) : Use::kAllChips});
}

void Recorder::write(Slot slot, const Tensor& tensor) {
    SlotInfo& info = recipe_.slots[slot];
    info.is_written = true;
    if (is_on_device(tensor))
        recorded_->writes.push_back(
            {static_cast<std::uint32_t>(recorded_->notes.size() - 1), info.id, tensor.record_spec_id()});
}

void Recorder::on_program(const DeviceOperation& operation,
                          const std::shared_ptr<const CachedProgram>& program,
                          std::span<const Tensor> operands, std::span<const Tensor> results) {
    if (is_random(operation.name())) {
        throw TracingError(
            TracingErrorKind::kRandomBySeed,
            name_of_call(operation.name()) +
                ": draws random numbers by a seed, which a traced function would repeat; hint: make the "
                "random tensor before the function and pass it in, or draw it from a key (trace::random)");
    }
    recorded_->programs.push_back(
        {&operation.clone_into(*recorded_->operations), program,
         static_cast<std::uint32_t>(recorded_->uses.size()), static_cast<std::uint32_t>(operands.size()),
         static_cast<std::uint32_t>(results.size()), ScopedUserOperation::current()});
    for (const Tensor& each : operands)
        add_use(slot_of(each), each);
    note(Noted::kProgram, recorded_->programs.size() - 1);
    for (const Tensor& each : results) {
        const Slot slot = slot_of_buffer(each);
        add_use(slot, each);
        write(slot, each);
    }
}

void Recorder::on_made(const Tensor& to, MakeValues make) {
    if (tables_ > 0) return;
    const Slot slot = add_slot(SlotKind::kHost);
    host_tensors_.emplace(to.id(), slot);
    recipe_.moves.push_back({slot, {}, std::move(make), {}});
    note(Noted::kMove, recipe_.moves.size() - 1);
}

void Recorder::on_moved(const Tensor& to, const Tensor& from, ChangeValues change) {
    if (tables_ > 0) return;
    const Operand source{slot_of(from), from.shape(), from.dtype(), from.chip()};
    Slot slot = kNoSlot;
    if (is_on_device(to)) {
        slot = slot_of_buffer(to);
    } else {
        slot = add_slot(SlotKind::kHost);
        host_tensors_.emplace(to.id(), slot);
    }
    recipe_.moves.push_back({slot, source, {}, std::move(change)});
    note(Noted::kMove, recipe_.moves.size() - 1);
    write(slot, to);
}

bool Recorder::uses(const Buffer& buffer) const {
    return recorded_->slots.find(buffer.id()) != nullptr;
}

// An input is freed again by each replay; what the function found outside can be freed only once.
void Recorder::on_free_outside(const Buffer& buffer) {
    if (tables_ > 0) return;
    const Slot* const slot = recorded_->slots.find(buffer.id());
    if (slot == nullptr || recipe_.slots[*slot].kind != SlotKind::kInput) frees_outside_ = true;
}

std::uint32_t Recorder::text_number(const std::string& text) {
    std::vector<std::string>& texts = recorded_->texts;
    const auto number = static_cast<std::uint32_t>(std::ranges::find(texts, text) - texts.begin());
    if (number == texts.size()) texts.push_back(text);
    return number;
}

void Recorder::on_scope(record::TextId name) {
    if (source_ == nullptr) return;
    const record::TextId call = ScopedUserOperation::current();
    if (call != record::TextId::kNone && call != name) return;  // within a call
    if (!source_(place_)) return;
    const std::uint32_t file = text_number(place_.file);
    recorded_->places.push_back({place_.line, file, text_number(place_.scope)});
    note(Noted::kPlace, recorded_->places.size() - 1);
}

void Recorder::begin_tables() {
    if (tables_++ == 0) tables_begin_ = log_.size();
}

void Recorder::end_tables() {
    if (--tables_ == 0) recorded_->hidden.emplace_back(tables_begin_, log_.size());
}

CallPass Recorder::set_pass(CallPass pass) {
    const CallPass before = std::exchange(pass_, pass);
    if (before != pass) note(Noted::kPass, static_cast<std::size_t>(pass));
    return before;
}

void Recorder::on_gradients(std::span<const Tensor> of, std::span<const Tensor> gradients) {
    const auto mark = [this](std::span<const Tensor> tensors, bool SlotInfo::*what) {
        for (const Tensor& each : tensors)
            if (const Slot* const slot = recorded_->slots.find(each.buffer().id()); slot != nullptr)
                recipe_.slots[*slot].*what = true;
    };
    mark(of, &SlotInfo::is_differentiated);
    mark(gradients, &SlotInfo::is_gradient);
}

// ---- when the function has returned

void Recorder::add_result(const Tensor& result, std::span<const Tensor> inputs) {
    Result& made = recipe_.results.emplace_back();
    recorded_->results.push_back(named(result));
    const auto input = std::ranges::find(inputs, result.id(), [](const Tensor& each) { return each.id(); });
    if (input != inputs.end()) {
        made.input = static_cast<std::uint32_t>(input - inputs.begin());
        return;
    }
    made.spec = result.spec();
    made.is_view = result.is_view();
    made.chip = result.chip();
    made.distribution = result.distribution();
    if (result.id() < recorded_->first_tensor) {
        made.outside = result;
        return;
    }
    if (is_on_device(result))
        require_on_device(result, "trace", "result " + std::to_string(recipe_.results.size() - 1));
    made.slot = slot_of(result);
}

std::shared_ptr<RecordedCalls> Recorder::finish(std::span<const Tensor> inputs,
                                                const std::vector<Tensor>& results) {
    if (!recipe_.device) {
        throw TracingError(TracingErrorKind::kBadArgument,
                           "trace: expected tensors on a device, found none in the function");
    }
    if (frees_outside_) {
        throw TracingError(
            TracingErrorKind::kBadArgument,
            "trace: the function deallocates a tensor from outside, which it could do only once; hint: "
            "pass the tensor in");
    }
    RecordedCalls& lists = *recorded_;
    room_of_thread() = {recipe_.slots.size(), lists.notes.size(), lists.programs.size(),
                        lists.uses.size(),    lists.calls.size(), lists.call_tensors.size(),
                        lists.specs.size(),   outside_.size()};
    give_back_room(lists.notes);
    give_back_room(lists.programs);
    give_back_room(lists.uses);
    give_back_room(lists.writes);
    give_back_room(lists.calls);
    give_back_room(lists.call_tensors);
    give_back_room(lists.specs);
    give_back_room(recipe_.slots);
    recorded_->events = EventList(log_.events());
    recipe_.results.reserve(results.size());
    for (const Tensor& each : results)
        add_result(each, inputs);
    recipe_.captured.reserve(outside_.size());
    for (const auto& [slot, seen] : outside_) {
        std::shared_ptr<Buffer> buffer = seen.lock();
        recipe_.slots[slot].is_there = buffer != nullptr;
        if (buffer) recipe_.captured.emplace_back(slot, std::move(buffer));
    }
    return recorded_;
}

}  // namespace tilemeter::trace::internal
