// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/program_tables.hpp"

#include <tuple>

#include "capture/record/text.hpp"
#include "runtime/operations/core/operation_scope.hpp"

namespace tilemeter {

namespace {

void set_program_cache(Device& device, bool on) {
    device.with_state([on](DeviceMemory&, ProgramCache& cache) { cache.switch_on(on); });
}

}  // namespace

void free_tables(const CachedProgram& program, Device& device) {
    static const record::TextId kName = record::intern("Tensor::deallocate");
    for (const ProgramTable& table : program.tables) {
        if (program.frees_tables_in_scope)
            in_scope(kName, std::tuple<>(), [&] { device.free_kept(table.buffer); });
        else
            device.free_kept(table.buffer);
    }
}

void clear_program_cache(Device& device) {
    const auto dropped = device.with_state([](DeviceMemory&, ProgramCache& cache) { return cache.clear(); });
    for (const auto& program : dropped)
        free_tables(*program, device);
}

void enable_program_cache(Device& device) {
    set_program_cache(device, true);
}

void disable_and_clear_program_cache(Device& device) {
    clear_program_cache(device);
    set_program_cache(device, false);
}

void set_program_cache_misses_allowed(Device& device, bool allowed) {
    device.with_state([allowed](DeviceMemory&, ProgramCache& cache) { cache.allow_misses(allowed); });
}

}  // namespace tilemeter
