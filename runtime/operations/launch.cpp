// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/launch.hpp"

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "runtime/device/errors.hpp"
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
    program.config_tensors = plan.config_tensors;
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

Program find_or_build(const DeviceOperation& operation, const TensorSpecs& inputs, const TensorSpecs& outputs,
                      Device& device) {
    std::string key = program_key(operation, inputs, outputs);
    return device.with_state([&](DeviceMemory&, ProgramCache& cache) {
        if (auto found = cache.find(key)) return Program{std::move(found), true};
        const ProgramPlan plan = operation.plan(inputs, outputs, device.description());
        return Program{cache.insert(std::move(key), build(plan, device.description())), false};
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
    const ProgramPlacement& placement = program.placement;
    const std::uint64_t l1_size = device.description().l1_size;
    if (placement.region_end > l1_size) {
        throw ProgramMemoryTooLargeError(placement.highest_kind, program.program_id, placement.fullest,
                                         placement.region_end, l1_size);
    }
    const auto lowest = device.with_state([](const DeviceMemory& memory, const ProgramCache&) {
        return memory.allocator(record::MemoryType::kL1).lowest_allocated();
    });
    if (lowest && placement.region_end > *lowest) {
        throw ProgramMemoryClashError(placement.highest_kind, program.program_id, placement.fullest,
                                      placement.region_end, *lowest);
    }
}

// The values of all chips, computed from inputs that stay alive whatever becomes of their tensors.
struct Computation {
    std::shared_ptr<const DeviceOperation> operation;
    std::vector<std::shared_ptr<const ChipValues>> inputs;
    std::vector<Shape> input_shapes;
    TensorSpecs outputs;
    std::size_t chips = 0;

    std::vector<ChipValues> run() const {
        std::vector<ChipValues> results(outputs.size());
        for (std::size_t chip = 0; chip < chips; ++chip) {
            std::vector<HostArray> views;
            views.reserve(inputs.size());
            std::vector<const HostArray*> arrays;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const HostArray& stored = (*inputs[i])[inputs[i]->size() == 1 ? 0 : chip];
                // A view has other dimensions than what its buffer was filled with.
                if (stored.shape() == input_shapes[i]) {
                    arrays.push_back(&stored);
                } else {
                    views.push_back(stored.reshaped(input_shapes[i]));
                    arrays.push_back(&views.back());
                }
            }
            std::vector<HostArray> values = operation->compute(arrays, outputs);
            for (std::size_t i = 0; i < results.size(); ++i)
                results[i].push_back(std::move(values.at(i)));
        }
        return results;
    }
};

// Waits for the computation as a host waits for its device: for the time set, then it gives up. The thread
// that computes is left to itself, as a hanging device would be; it owns all it touches.
std::vector<ChipValues> run_with_timeout(Computation computation, std::chrono::nanoseconds timeout) {
    const std::string name(computation.operation->name());
    std::packaged_task<std::vector<ChipValues>()> task(
        [owned = std::move(computation)] { return owned.run(); });
    std::future<std::vector<ChipValues>> result = task.get_future();
    std::thread(std::move(task)).detach();
    if (result.wait_for(timeout) != std::future_status::ready) {
        const double seconds = std::chrono::duration<double>(timeout).count();
        throw OperationTimeoutError(name + ": expected to end within " + attribute_text(seconds) +
                                    " s, is still running on the device");
    }
    return result.get();
}

void dispatch(const DeviceOperation& operation, const CachedProgram& program, Device& device,
              std::span<const Tensor> inputs, std::span<const Tensor> outputs) {
    const std::uint64_t runtime_id = device.next_runtime_id();
    for (const std::uint16_t chip : device.chips()) {
        static const record::TextId kUnknownPlacement = record::TextId::kNone;
        record::emit_program_execution(device.id(), program.program_id,
                                       {runtime_id, runtime_id * 1024 + chip, 0, chip, 0}, kUnknownPlacement,
                                       0);
    }
    Computation computation{operation.clone(), {}, {}, specs_of(outputs), device.chips().size()};
    for (const Tensor& input : inputs) {
        computation.inputs.push_back(input.chip_values());
        computation.input_shapes.push_back(input.shape());
    }
    const std::chrono::nanoseconds timeout = operation_timeout();
    std::vector<ChipValues> results =
        timeout.count() > 0 ? run_with_timeout(std::move(computation), timeout) : computation.run();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i].buffer().set_values(std::make_shared<const ChipValues>(std::move(results[i])));
    }
}

std::vector<Tensor> run_program(const DeviceOperation& operation, const std::vector<Tensor>& inputs,
                                std::vector<Tensor> into, const std::shared_ptr<Device>& device) {
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
    const Program program = find_or_build(operation, input_specs, specs_of(outputs), *device);
    std::vector<Tensor> config_tensors;
    for (const TensorSpec& spec : program.cached->config_tensors) {
        config_tensors.push_back(upload(Tensor::planned_on_host(spec), device, spec.memory_config));
    }
    const bool planned_only = record::shadow_epoch() != 0;
    emit_program_memory(*program.cached, inputs, outputs, *device,
                        planned_only ? record::Origin::kPlanned : record::Origin::kObserved);
    require_room(*program.cached, *device);
    if (!planned_only) dispatch(operation, *program.cached, *device, inputs, outputs);
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
        return run_program(operation, inputs, std::move(into), device);
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

}  // namespace tilemeter
