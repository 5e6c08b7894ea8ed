// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/launch.hpp"

#include <algorithm>
#include <any>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_hooks.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/internal/dispatch.hpp"
#include "runtime/operations/core/internal/launch_parts.hpp"
#include "runtime/operations/core/internal/program_room.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/program_step.hpp"
#include "runtime/operations/core/program_tables.hpp"
#include "runtime/operations/core/programs_by_free_l1.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/core/write_log.hpp"
#include "runtime/tensor/stored_values.hpp"
#include "runtime/types/tile_text.hpp"

namespace tilemeter {

using namespace launching;

namespace {

std::string device_name(const Device& device) {
    return "device " + std::to_string(static_cast<unsigned>(device.id()));
}

[[noreturn]] void throw_for_inputs(const DeviceOperation& operation, std::span<const Tensor> inputs) {
    if (inputs.empty()) refuse_with(operation.name(), ": expected an input tensor, got none");
    for (const Tensor& input : inputs) {
        require_on_device(input, operation.name(), "input tensor");
        if (&input.device() != &inputs.front().device()) {
            refuse_with(operation.name(), ": expected all inputs on ", device_name(inputs.front().device()),
                        ", got one on ", device_name(input.device()));
        }
    }
    refuse_with(operation.name(), ": its inputs changed while it was launched");
}

// The device that all inputs are on; none where an input is deallocated, on the host or on another device.
// The error is thrown later, inside the operation's scope.
std::shared_ptr<Device> common_device(std::span<const Tensor> inputs) {
    for (const Tensor& input : inputs) {
        if (!input.is_allocated() || input.storage_type() != StorageType::DEVICE ||
            &input.device() != &inputs.front().device()) {
            return nullptr;
        }
    }
    return inputs.empty() ? nullptr : inputs.front().shared_device();
}

// Equal specs have equal ids.
std::string call_key(const DeviceOperation& operation, std::span<const Tensor> inputs,
                     std::span<const Tensor> into) {
    ProgramKey key;
    key.append(operation.name());
    operation.append_attributes(key);
    for (const std::span<const Tensor> tensors : {inputs, into}) {
        key.append(tensors.size());
        for (const Tensor& tensor : tensors)
            key.append(tensor.record_spec_id());
    }
    return key.take();
}

OperationTexts texts_of(Launch& launch) {
    if (launch.known) return {launch.known->operation, launch.known->attributes};
    if (!launch.texts) {
        launch.texts = {record::intern(launch.operation.name()),
                        record::intern(launch.operation.attributes_text())};
    }
    return *launch.texts;
}

void look_up(Launch& launch) {
    if (!launch.device) return;
    launch.key = call_key(launch.operation, launch.inputs, launch.into);
    launch.known = launch.device->with_state(
        [&](DeviceMemory&, ProgramCache& cache) { return cache.find_call(launch.key); });
}

/// Frees the tables of a program that no cache keeps.
class TablesOfOneRun {
public:
    TablesOfOneRun(const Program& program, Device& device) : program_(program), device_(device) {}
    ~TablesOfOneRun() {
        if (!program_.is_kept) free_tables(*program_.cached, device_);
    }
    TablesOfOneRun(const TablesOfOneRun&) = delete;
    TablesOfOneRun& operator=(const TablesOfOneRun&) = delete;

private:
    const Program& program_;
    Device& device_;
};

Program find_or_build(const Launch& launch, const KeyedCall& call) {
    const DeviceOperation& operation = launch.operation;
    const std::shared_ptr<Device>& device = launch.device;
    std::string key = operation.program_key(call);
    std::optional<ProgramPlan> plan;
    const auto make_plan = [&] {
        plan = operation.plan(call.inputs, call.outputs, call.device, free_l1_below_tensors(*device));
    };
    if (operation.keeps_programs_by_free_l1()) {
        make_plan();
        key += sizes_key(*plan);
    }
    bool may_miss = true;
    auto found = device->with_state([&](DeviceMemory&, ProgramCache& cache) {
        may_miss = cache.may_miss();
        return cache.find(key);
    });
    if (found) return {std::move(found), true};
    require(may_miss, "Device operation \"", operation.name(),
            "\": program cache miss occurred, but cache misses are forbidden");
    device->traces().require_not_recording(
        "Cannot load new binaries during trace capture.This program is not yet in program cache. Warm up "
        "before capturing a trace.See the operation's hash signature for arguments that must match.");
    if (!plan) make_plan();
    if (plan->view_of_input) reshape_view(launch.inputs[0], *plan->view_of_input);
    std::vector<ProgramTable> tables = send_config_tensors(*plan, device);
    CachedProgram program = built_program(*plan, call.device);
    program.tables = std::move(tables);
    const bool keeps = has_room(program, *device);
    return device->with_state([&](DeviceMemory&, ProgramCache& cache) {
        const bool was_on = cache.is_on();
        cache.switch_on(was_on && keeps);
        Program made{cache.insert(std::move(key), std::move(program)), false, cache.is_on()};
        cache.switch_on(was_on);
        return made;
    });
}

// REQUIRES: a call of such an operation.
const FreeL1Range& range_of(const PlannedCall& call) {
    return static_cast<const CallByFreeL1&>(call).free_l1;
}

// Calls that were planned for other free L1 have keys that are each a byte longer.
Program plan_for_free_l1(const Launch& launch, const Outputs& outputs) {
    Device& device = *launch.device;
    const std::uint64_t free = free_l1_below_tensors(device);
    std::string key = launch.key;
    const auto next = [&] {
        key += '\0';
        return device.with_state([&](DeviceMemory&, ProgramCache& cache) { return cache.find_call(key); });
    };
    for (auto call = launch.known; call; call = next())
        if (range_of(*call).contains(free)) return {call->program, true};
    const TensorSpecs inputs = specs_of(launch.inputs), specs = specs_of(outputs.tensors());
    const KeyedCall keyed{inputs, specs, launch.known->outputs.empty(), device.description()};
    Program program = find_or_build(launch, keyed);
    if (!program.is_kept) return program;
    key = launch.key;
    auto same = launch.known;
    while (same && same->program != program.cached)
        same = next();
    auto call = std::make_shared<CallByFreeL1>(
        CallByFreeL1{*launch.known, same ? range_of(*same) : FreeL1Range{free, free}});
    call->program = program.cached;
    call->free_l1.take_in(free);
    device.with_state(
        [&](DeviceMemory&, ProgramCache& cache) { cache.insert_call(std::move(key), std::move(call)); });
    return program;
}

Program plan_known(Launch& launch, Outputs& outputs) {
    make_or_use(launch, launch.known->outputs, outputs);
    if (launch.operation.keeps_programs_by_free_l1()) return plan_for_free_l1(launch, outputs);
    return {launch.known->program, true};
}

// The long way, once per call: all answers are asked for, and kept.
Program plan_new(Launch& launch, Outputs& outputs) {
    if (QueryShadow* const query = QueryShadow::of(*launch.device))
        return plan_for_query(launch, outputs, *query);
    const TensorSpecs input_specs = specs_of(launch.inputs);
    const TensorSpecs output_specs = validated_outputs(launch, input_specs, outputs);
    std::vector<PlannedTensor> made;
    const bool gives_outputs = !launch.into.empty() && !launch.makes_into;
    if (launch.into.empty()) {
        made = outputs.make(output_specs, launch.device);
    } else {
        require_fitting(launch.operation, launch.into, output_specs);
        outputs.use(std::move(launch.into));
    }
    const TensorSpecs specs = specs_of(outputs.tensors());
    const KeyedCall keyed{input_specs, specs, gives_outputs, launch.device->description()};
    Program program = find_or_build(launch, keyed);
    if (!program.is_kept) return program;
    const OperationTexts texts = texts_of(launch);
    PlannedCall planned{program.cached, std::move(made), texts.name, texts.attributes};
    std::shared_ptr<const PlannedCall> call;
    if (launch.operation.keeps_programs_by_free_l1()) {
        const std::uint64_t free = free_l1_below_tensors(*launch.device);
        call = std::make_shared<const CallByFreeL1>(CallByFreeL1{std::move(planned), {free, free}});
    } else {
        call = std::make_shared<const PlannedCall>(std::move(planned));
    }
    launch.device->with_state([&](DeviceMemory&, ProgramCache& cache) {
        cache.insert_call(std::move(launch.key), std::move(call));
    });
    return program;
}

record::EventKind event_kind(ProgramMemoryKind kind) {
    switch (kind) {
        case ProgramMemoryKind::kCircularBuffer:
            return record::EventKind::kCircularBuffer;
        case ProgramMemoryKind::kDataflowBuffer:
            return record::EventKind::kDataflowBuffer;
        case ProgramMemoryKind::kScratchpad:
        case ProgramMemoryKind::kOther:
            break;
    }
    return record::EventKind::kScratchpad;
}

ProgramTable owner_of(std::size_t index, const CachedProgram& program, std::span<const Tensor> inputs,
                      std::span<const Tensor> outputs) {
    if (index >= inputs.size() + outputs.size())
        return program.tables[index - inputs.size() - outputs.size()];
    const Tensor& owner = index < inputs.size() ? inputs[index] : outputs[index - inputs.size()];
    return {owner.buffer().address(), owner.buffer().id()};
}

// `owner(i)`: address and buffer of the i-th of inputs, outputs and tables.
template <typename Owner>
void emit_one_program(const CachedProgram& program, Owner owner_at, const Device& device,
                      record::Origin origin) {
    record::show_next(program);
    record::emit_program_begin(device.id(), program.program_id, origin);
    for (std::size_t i = 0; i < program.memory.size(); ++i) {
        const ProgramMemory& piece = program.memory[i];
        record::ProgramMemoryRecord memory{program.program_id,      device.id(),
                                           program.memory_cores[i], program.placement.addresses[i],
                                           piece.size_bytes,        record::BufferId::kNone};
        if (piece.shared_with != ProgramMemory::kOwn) {
            const ProgramTable owner = owner_at(static_cast<std::size_t>(piece.shared_with));
            memory.address = owner.address + piece.offset_bytes;
            memory.shared_buffer = owner.buffer;
        }
        record::emit_program_memory(event_kind(piece.kind), memory, origin);
    }
}

template <typename Owner>
void emit_all_programs(const CachedProgram& program, Owner owner_at, const Device& device) {
    if (QueryShadow* const query = QueryShadow::of(device)) query->note_program(program);
    if (!record::recording()) return;
    const record::Origin origin = is_planned_only() ? record::Origin::kPlanned : record::Origin::kObserved;
    for (std::uint32_t i = 0; i < program.num_programs; ++i)
        emit_one_program(program, owner_at, device, origin);
}

// `values_of`: gives the inputs' values; asked only if something is computed.
template <typename ValuesOf>
std::vector<Tensor> run_program(Launch& launch, ValuesOf values_of) {
    Outputs outputs;
    const bool writes_given = !launch.into.empty();
    const Program found = launch.known ? plan_known(launch, outputs) : plan_new(launch, outputs);
    const CachedProgram& program = *found.cached;
    Device& device = *launch.device;
    const TablesOfOneRun tables(found, device);
    const bool planned_only = is_planned_only();
    emit_all_programs(
        program, [&](std::size_t i) { return owner_of(i, program, launch.inputs, outputs.tensors()); },
        device);
    DeviceHooks* const hooks = device_hooks();
    const bool is_hooked = hooks != nullptr && hooks->takes_program(program);
    if (!is_hooked) require_room(program, device);
    if (writes_given) {
        for (const Tensor& each : outputs.tensors())
            note_write(each.buffer());
    }
    if (is_hooked && !planned_only) [[unlikely]] {
        leave_uncomputed(outputs.tensors());
    } else if (!planned_only) {
        dispatch(launch.operation, found.cached, device, launch.inputs, values_of(), outputs.tensors());
    } else if (CallRecorder* const recorder = call_recorder()) [[unlikely]] {
        recorder->on_program(launch.operation, found.cached, launch.inputs, outputs.tensors());
    }
    record::emit_program_selected(program.factory_type, program.factory_index, found.cache_hit);
    return outputs.take();
}

// Runs `body` in the operation's scope.
template <typename Body>
std::vector<Tensor> in_launch_scope(Launch& launch, Body body) {
    if (!record::recording()) return body();
    const OperationTexts texts = texts_of(launch);
    return in_scope(texts.name, std::tie(texts.attributes, launch.inputs), body);
}

// Results are spread as the inputs are, and those of one chip's part are that chip's.
std::vector<Tensor> placed_as(std::span<const Tensor> inputs, std::vector<Tensor> outputs) {
    const auto spread = std::ranges::find_if(inputs, [](const Tensor& input) {
        return input.distribution() && std::ranges::any_of(input.distribution()->dimensions,
                                                           [](const auto& each) { return each.has_value(); });
    });
    const auto known =
        std::ranges::find_if(inputs, [](const Tensor& input) { return input.distribution() != nullptr; });
    const auto part =
        std::ranges::find_if(inputs, [](const Tensor& input) { return input.chip().has_value(); });
    if (known == inputs.end() && part == inputs.end()) return outputs;
    for (Tensor& output : outputs) {
        if (known != inputs.end() && !output.distribution())
            output.set_distribution((spread != inputs.end() ? spread : known)->distribution());
        if (part != inputs.end() && !output.chip()) output = Tensor::of_chip(output, *part->chip());
    }
    return outputs;
}

}  // namespace

void emit_planned_program_memory(const CachedProgram& program, std::span<const ProgramTable> tensors,
                                 const Device& device) {
    emit_all_programs(
        program,
        [&](std::size_t i) {
            return i < tensors.size() ? tensors[i] : program.tables.at(i - tensors.size());
        },
        device);
}

void emit_program_memory(const CachedProgram& program, std::span<const ProgramTable> tensors,
                         Device& device) {
    emit_planned_program_memory(program, tensors, device);
    require_room(program, device);
}

Tensor create_device_tensor(const TensorSpec& spec, const std::shared_ptr<Device>& device) {
    TensorSpec placed = placed_shards(spec);
    placed.memory_config.fill_in_nd_shards();
    return create_with(placed, device, [&] { return Buffer::allocate(device, placed); });
}

std::vector<Tensor> internal::launch_all(const DeviceOperation& operation, std::span<const Tensor> inputs,
                                         std::vector<Tensor> into) {
    // Without inputs it is the given results' device.
    const std::shared_ptr<Device> device =
        inputs.empty() && !into.empty() ? into.front().shared_device() : common_device(inputs);
    Launch launch{operation, inputs, std::move(into), device};
    look_up(launch);
    return in_launch_scope(launch, [&] {
        if (!launch.device) throw_for_inputs(operation, inputs);
        return placed_as(inputs, run_program(launch, [&] { return values_of(inputs); }));
    });
}

std::vector<Tensor> internal::launch_filling(const DeviceOperation& operation, std::span<const Tensor> inputs,
                                             std::span<const std::optional<Tensor>> given,
                                             const std::function<void(const Tensor&)>& prepare) {
    Launch launch{operation, inputs, {}, common_device(inputs)};
    launch.makes_into = given.empty();
    return in_launch_scope(launch, [&] {
        if (!launch.device) throw_for_inputs(operation, inputs);
        const TensorSpecs specs = operation.infer(specs_of(inputs), launch.device->description());
        const auto is_given = [&](std::size_t i) { return i < given.size() && given[i].has_value(); };
        TensorSpecs missing;
        for (std::size_t i = 0; i < specs.size(); ++i)
            if (!is_given(i)) missing.push_back(specs[i]);
        Outputs made;
        made.make(missing, launch.device);
        std::size_t next = 0;
        for (std::size_t i = 0; i < specs.size(); ++i)
            launch.into.push_back(is_given(i) ? *given[i] : made.tensors()[next++]);
        if (prepare) prepare(launch.into.front());
        look_up(launch);
        std::vector<Tensor> written = run_program(launch, [&] { return values_of(inputs); });
        made.take();
        return placed_as(inputs, std::move(written));
    });
}

Tensor internal::launch_on(const DeviceOperation& operation, const std::shared_ptr<Device>& device) {
    Launch launch{operation, {}, {}, device};
    look_up(launch);
    std::vector<Tensor> outputs =
        in_launch_scope(launch, [&] { return run_program(launch, [] { return SharedValues(); }); });
    return std::move(outputs.at(0));
}

Tensor internal::launch_from_freed(const DeviceOperation& operation, const Tensor& freed,
                                   const std::shared_ptr<const ChipValues>& values, const Tensor& output) {
    const std::vector<Tensor> inputs = {freed, output};
    Launch launch{operation, inputs, {output}, output.shared_device()};
    look_up(launch);
    std::vector<Tensor> outputs = in_launch_scope(launch, [&] {
        return run_program(launch, [&] {
            // The memory that is written to has no values that anything reads; to make zeros takes longer than the move.
            const auto moved = values ? values : output.chip_values();
            return SharedValues{moved, moved};
        });
    });
    return std::move(outputs.at(0));
}

}  // namespace tilemeter
