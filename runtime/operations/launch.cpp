// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/launch.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/dispatch.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

std::string device_name(const Device& device) {
    return "device " + std::to_string(static_cast<unsigned>(device.id()));
}

const std::shared_ptr<Device>& common_device(const DeviceOperation& operation,
                                             std::span<const Tensor> inputs) {
    if (inputs.empty())
        throw RuntimeError(std::string(operation.name()) + ": expected an input tensor, got none");
    for (const Tensor& input : inputs) {
        require_on_device(input, operation.name(), "input tensor");
        if (&input.device() != &inputs.front().device()) {
            throw RuntimeError(std::string(operation.name()) + ": expected all inputs on " +
                               device_name(inputs.front().device()) + ", found one on " +
                               device_name(input.device()));
        }
    }
    return inputs.front().shared_device();
}

TensorSpecs specs_of(std::span<const Tensor> tensors) {
    TensorSpecs specs;
    specs.reserve(tensors.size());
    for (const Tensor& tensor : tensors)
        specs.push_back(tensor.spec());
    return specs;
}

void require_fitting(const DeviceOperation& operation, std::span<const Tensor> into,
                     const TensorSpecs& specs) {
    if (into.size() != specs.size()) {
        throw RuntimeError(std::string(operation.name()) + ": expected " + std::to_string(specs.size()) +
                           " output tensor(s), got " + std::to_string(into.size()));
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
        require_on_device(into[i], operation.name(), "output tensor");
        if (into[i].shape() != specs[i].shape || into[i].dtype() != specs[i].dtype ||
            into[i].layout() != specs[i].layout) {
            throw RuntimeError(std::string(operation.name()) + ": output tensor: expected " +
                               specs[i].shape.to_string() + " " + std::string(name_of(specs[i].dtype)) + " " +
                               std::string(name_of(specs[i].layout)) + ", got " +
                               into[i].shape().to_string() + " " + std::string(name_of(into[i].dtype())) +
                               " " + std::string(name_of(into[i].layout())));
        }
    }
}

CachedProgram build(const ProgramPlan& plan, const DeviceDescription& description) {
    CachedProgram program;
    program.factory_type = record::intern(plan.factory_type);
    program.factory_index = plan.factory_index;
    program.memory = plan.memory;
    for (const ProgramMemory& piece : plan.memory)
        program.memory_cores.push_back(record::intern(piece.cores.to_string()));
    program.placement = place_program_memory(program.memory, description);
    return program;
}

std::string program_key(const DeviceOperation& operation, const TensorSpecs& inputs,
                        const TensorSpecs& outputs) {
    ProgramKey key;
    key.append(operation.name());
    operation.append_attributes(key);
    key.append(inputs);
    key.append(outputs);
    return key.take();
}

struct Program {
    std::shared_ptr<const CachedProgram> cached;
    bool cache_hit;
};

// A program's tables go to the device when it is built, and stay there as long as it: until the device
// closes.
void send_config_tensors(const ProgramPlan& plan, const std::shared_ptr<Device>& device) {
    for (const TensorSpec& spec : plan.config_tensors) {
        upload(Tensor::planned_on_host(spec), device, spec.memory_config).buffer().keep_until_close();
    }
}

Program find_or_build(const DeviceOperation& operation, const TensorSpecs& inputs, const TensorSpecs& outputs,
                      const std::shared_ptr<Device>& device) {
    std::string key = program_key(operation, inputs, outputs);
    auto found = device->with_state([&](DeviceMemory&, ProgramCache& cache) { return cache.find(key); });
    if (found) return {std::move(found), true};
    const ProgramPlan plan = operation.plan(inputs, outputs, device->description());
    send_config_tensors(plan, device);
    return device->with_state([&](DeviceMemory&, ProgramCache& cache) {
        return Program{cache.insert(std::move(key), build(plan, device->description())), false};
    });
}

record::EventKind event_kind(ProgramMemoryKind kind) {
    switch (kind) {
        case ProgramMemoryKind::kCircularBuffer:
            return record::EventKind::kCircularBuffer;
        case ProgramMemoryKind::kDataflowBuffer:
            return record::EventKind::kDataflowBuffer;
        case ProgramMemoryKind::kScratchpad:
            break;
    }
    return record::EventKind::kScratchpad;
}

void emit_program_memory(const CachedProgram& program, std::span<const Tensor> inputs,
                         std::span<const Tensor> outputs, const Device& device, record::Origin origin) {
    record::emit_program_begin(device.id(), program.program_id, origin);
    for (std::size_t i = 0; i < program.memory.size(); ++i) {
        const ProgramMemory& piece = program.memory[i];
        record::ProgramMemoryRecord memory{program.program_id,      device.id(),
                                           program.memory_cores[i], program.placement.addresses[i],
                                           piece.size_bytes,        record::BufferId::kNone};
        if (piece.shared_with != ProgramMemory::kOwn) {
            const auto index = static_cast<std::size_t>(piece.shared_with);
            const Tensor& owner = index < inputs.size() ? inputs[index] : outputs[index - inputs.size()];
            memory.address = owner.buffer().address();
            memory.shared_buffer = owner.buffer().id();
        }
        record::emit_program_memory(event_kind(piece.kind), memory, origin);
    }
}

// Program memory grows from the bottom of L1 on its cores; tensors, from the top, lie in every bank.
void require_room(const CachedProgram& program, Device& device) {
    if (program.memory.empty()) return;
    const auto lowest = device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).lowest_allocated();
    });
    require_program_memory_fits(program.memory, program.placement, device.description(), program.program_id,
                                lowest);
}

// `values_of`: gives the inputs' values; asked only if something is computed.
template <typename ValuesOf>
std::vector<Tensor> run_program(const DeviceOperation& operation, const std::vector<Tensor>& inputs,
                                std::vector<Tensor> into, const std::shared_ptr<Device>& device,
                                ValuesOf values_of) {
    const TensorSpecs input_specs = specs_of(inputs);
    operation.validate(input_specs);
    const TensorSpecs output_specs = operation.infer(input_specs);
    std::vector<Tensor> outputs = std::move(into);
    if (outputs.empty()) {
        for (const TensorSpec& spec : output_specs)
            outputs.push_back(create_device_tensor(spec, device));
    } else {
        require_fitting(operation, outputs, output_specs);
    }
    const Program program = find_or_build(operation, input_specs, specs_of(outputs), device);
    const bool planned_only = record::shadow_epoch() != 0;
    emit_program_memory(*program.cached, inputs, outputs, *device,
                        planned_only ? record::Origin::kPlanned : record::Origin::kObserved);
    require_room(*program.cached, *device);
    if (!planned_only) dispatch(operation, program.cached->program_id, *device, inputs, values_of(), outputs);
    record::emit_program_selected(program.cached->factory_type, program.cached->factory_index,
                                  program.cache_hit);
    return outputs;
}

}  // namespace

Tensor create_device_tensor(const TensorSpec& spec, const std::shared_ptr<Device>& device) {
    static const record::TextId kName = record::intern("tt::tt_metal::create_device_tensor");
    const std::string on = device_name(*device);
    return in_scope(kName, std::tie(spec.shape, spec.dtype, spec.layout, on, spec.memory_config),
                    [&] { return Tensor::on_device(spec, Buffer::allocate(device, spec)); });
}

std::vector<Tensor> launch_all(const DeviceOperation& operation, std::vector<Tensor> inputs,
                               std::vector<Tensor> into) {
    const auto run = [&] {
        const std::shared_ptr<Device>& device = common_device(operation, inputs);
        return run_program(operation, inputs, std::move(into), device, [&] {
            SharedValues values;
            for (const Tensor& input : inputs)
                values.push_back(input.chip_values());
            return values;
        });
    };
    if (!record::recording()) return run();
    const std::string attributes = operation.attributes_text();
    return in_scope(record::intern(operation.name()), std::tie(attributes, inputs), run);
}

Tensor launch(const DeviceOperation& operation, std::vector<Tensor> inputs) {
    return launch_all(operation, std::move(inputs)).at(0);
}

Tensor launch_into(const DeviceOperation& operation, std::vector<Tensor> inputs, Tensor output) {
    return launch_all(operation, std::move(inputs), {std::move(output)}).at(0);
}

Tensor launch_from_freed(const DeviceOperation& operation, const Tensor& freed,
                         const std::shared_ptr<const ChipValues>& values, const Tensor& output) {
    const std::vector<Tensor> inputs = {freed, output};
    const auto run = [&] {
        return run_program(operation, inputs, {output}, output.shared_device(), [&] {
            return SharedValues{values ? values : output.chip_values(), output.chip_values()};
        });
    };
    if (!record::recording()) return run().at(0);
    const std::string attributes = operation.attributes_text();
    return in_scope(record::intern(operation.name()), std::tie(attributes, inputs), run).at(0);
}

}  // namespace tilemeter
