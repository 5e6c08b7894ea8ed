// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/programs_by_free_l1.hpp"

#include <utility>

#include "capture/record/text.hpp"
#include "runtime/device/errors.hpp"

namespace tilemeter {

CachedProgram built_program(const ProgramPlan& plan, const DeviceDescription& description) {
    CachedProgram program;
    program.factory_type = record::intern(plan.factory.type);
    program.num_programs = plan.num_programs;
    program.factory_index = plan.factory.index;
    program.frees_tables_in_scope = plan.frees_config_tensors_in_scope;
    program.memory = plan.memory;
    program.memory_cores.reserve(plan.memory.size());
    for (std::size_t i = 0; i < plan.memory.size(); ++i) {
        // Pieces of one program mostly lie on the same cores.
        const bool same = i > 0 && plan.memory[i].cores == plan.memory[i - 1].cores;
        program.memory_cores.push_back(same ? program.memory_cores.back()
                                            : record::intern(plan.memory[i].cores.to_string()));
    }
    program.placement = place_program_memory(program.memory, description);
    return program;
}

std::string sizes_key(const ProgramPlan& plan) {
    ProgramKey key;
    for (const ProgramMemory& each : plan.memory)
        key.append(each.size_bytes);
    return key.take();
}

ProgramsByFreeL1::ProgramsByFreeL1(std::shared_ptr<const DeviceOperation> operation, TensorSpecs inputs,
                                   TensorSpecs outputs, std::uint64_t program_id)
    : operation_(std::move(operation)),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      program_id_(program_id) {}

std::shared_ptr<const CachedProgram> ProgramsByFreeL1::plan_for(std::uint64_t free_l1_bytes,
                                                                const DeviceDescription& device) const {
    const std::lock_guard lock(mutex_);
    for (const Known& each : known_)
        if (each.free_l1.contains(free_l1_bytes)) return each.program;
    const ProgramPlan plan = operation_->plan(inputs_, outputs_, device, free_l1_bytes);
    for (Known& each : known_) {
        if (each.program->memory != plan.memory) continue;
        each.free_l1.take_in(free_l1_bytes);
        return each.program;
    }
    CachedProgram program = built_program(plan, device);
    program.program_id = program_id_;
    known_.push_back(
        {{free_l1_bytes, free_l1_bytes}, std::make_shared<const CachedProgram>(std::move(program))});
    return known_.back().program;
}

std::shared_ptr<const CachedProgram> ProgramsByFreeL1::smallest(const DeviceDescription& device) const {
    constexpr std::uint64_t kStep = 64;
    std::uint64_t too_little = 0, enough = device.l1_size - device.l1_unreserved_base;
    std::shared_ptr<const CachedProgram> found = plan_for(enough, device);
    while (enough - too_little > kStep) {
        const std::uint64_t tried = (enough + too_little) / 2;
        try {
            found = plan_for(tried, device);
            enough = tried;
        } catch (const RuntimeError&) {
            too_little = tried;
        }
    }
    return found;
}

}  // namespace tilemeter
