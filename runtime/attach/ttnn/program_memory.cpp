// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/program_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "runtime/attach/ttnn/devices.hpp"

namespace tilemeter::attach::ttnn {

bool is_planning(const ThreadState& here) {
    const void* const hook = here.hook->get();
    return hook != nullptr && *static_cast<void* const* const*>(hook) == api.hook_table.data() + 2 &&
           api.hook_blocks(hook);
}

tilemeter_buffer facts_of(const Buffer* buffer, bool planned, bool allocated) {
    tilemeter_buffer made{};
    made.id = api.buffer_id(buffer);
    made.address = api.buffer_address(buffer);
    made.size_bytes = api.buffer_size(buffer);
    made.size_per_bank_bytes = api.buffer_size_per_bank(buffer);
    made.page_size_bytes = api.buffer_page_size(buffer);
    made.num_cores = api.buffer_num_cores(buffer).value_or(0);
    const Device* const device = api.buffer_device(buffer);
    made.device = static_cast<std::uint16_t>(api.device_id(device));
    meet(device, made.device, allocated ? buffer : nullptr);
    made.memory = api.buffer_type(buffer);
    made.layout = api.buffer_layout(buffer);
    made.planned = planned ? 1 : 0;
    return made;
}

void emit_buffer(std::uint8_t what, const tilemeter_buffer& facts) {
    emit->buffer(emitter_number, what, &facts);
}

void emit_program_memory(std::uint8_t kind, std::uint32_t cores, std::uint64_t address, std::uint64_t size,
                         std::uint8_t flags, std::uint16_t device, std::uint64_t program, bool planned) {
    tilemeter_program_memory made{};
    made.program = program;
    made.address = address;
    made.size_bytes = size;
    made.cores = cores;
    made.device = device;
    made.kind = kind;
    made.flags = flags;
    made.planned = planned ? 1 : 0;
    emit->program_memory(emitter_number, &made);
}

std::uint64_t number_of(const Program* program) {
    return reinterpret_cast<std::uintptr_t>(api.implementation(program));
}

namespace {

void list_circular_buffers(ThreadState& here, const Program* program, std::span<const int> chips,
                           bool planned) {
    for (const std::shared_ptr<CircularBufferImpl>& each :
         api.circular_buffers(api.implementation(program))) {
        const CircularBuffer wrapped{each.get()};
        std::uint64_t address = 0;
        std::uint8_t flags = api.circular_buffer_is_global(&wrapped) ? TILEMETER_SHARED : 0;
        if (planned) {
            flags |= TILEMETER_UNKNOWN_ADDRESS;
        } else {
            address = api.circular_buffer_address(each.get());
        }
        const std::uint32_t cores = here.cores.of(api.circular_buffer_cores(&wrapped));
        const std::uint64_t size = api.circular_buffer_size(&wrapped);
        for (const int chip : chips)
            emit_program_memory(TILEMETER_CIRCULAR_BUFFER, cores, address, size, flags,
                                static_cast<std::uint16_t>(chip), number_of(program), planned);
    }
}

std::atomic<bool> layouts_known{false};

std::uint32_t number_at(const std::byte* place) {
    std::uint32_t value = 0;
    std::memcpy(&value, place, sizeof value);
    return value;
}

const std::byte* pointer_at(const std::byte* place) {
    const std::byte* value = nullptr;
    std::memcpy(&value, place, sizeof value);
    return value;
}

/// The layout of a dataflow buffer in TT-NN 0.81: the object has no getters.
struct DataflowBufferView {
    const CoreRangeSet* cores;
    std::uint64_t size;
    std::uint64_t address;
    bool has_address;
    bool is_borrowed;
    bool is_alias;  // shares the memory of another one of its program

    explicit DataflowBufferView(const DataflowBuffer* buffer) {
        constexpr std::size_t kCores = 0x10;
        constexpr std::size_t kEntrySize = 0x28;
        constexpr std::size_t kEntries = 0x2c;
        constexpr std::size_t kBorrows = 0x72;
        constexpr std::size_t kFirstPlace = 0xa8;  // of a hash table: where it lies, per core
        constexpr std::size_t kAddressInPlace = 0x20;
        constexpr std::size_t kHasAlias = 0xfc;  // of an optional number at 0xf8
        const auto* const bytes = reinterpret_cast<const std::byte*>(buffer);
        cores = reinterpret_cast<const CoreRangeSet*>(bytes + kCores);
        size = std::uint64_t{number_at(bytes + kEntrySize)} * number_at(bytes + kEntries);
        is_borrowed = static_cast<std::uint8_t>(bytes[kBorrows]) == 1;
        is_alias = static_cast<std::uint8_t>(bytes[kHasAlias]) != 0;
        const std::byte* const place = pointer_at(bytes + kFirstPlace);
        has_address = place != nullptr;
        address = has_address ? number_at(place + kAddressInPlace) : 0;
    }
};

void list_dataflow_buffers(ThreadState& here, const Program* program, std::span<const int> chips) {
    for (const std::shared_ptr<DataflowBuffer>& each : api.dataflow_buffers(api.implementation(program))) {
        const DataflowBufferView buffer(each.get());
        if (buffer.is_alias) continue;
        std::uint8_t flags = buffer.is_borrowed ? TILEMETER_SHARED : 0;
        if (!buffer.has_address) flags |= TILEMETER_UNKNOWN_ADDRESS;
        const std::uint32_t cores = here.cores.of(buffer.cores);
        for (const int chip : chips)
            emit_program_memory(TILEMETER_DATAFLOW_BUFFER, cores, buffer.address, buffer.size, flags,
                                static_cast<std::uint16_t>(chip), number_of(program), false);
    }
}

/// Scratchpads of TT-NN 0.81: a program has a table of kernels for each kind of core, a kernel its cores and a list.
/// Returns whether there are any.
bool list_scratchpads(ThreadState& here, const Program* program, std::span<const int> chips) {
    constexpr std::size_t kKernels = 0x130;    // of the program: std::vector of tables
    constexpr std::size_t kTableBytes = 0x38;  // std::unordered_map<number, std::shared_ptr<Kernel>>
    constexpr std::size_t kFirstOfTable = 0x10;
    constexpr std::size_t kKernelInNode = 0x10;
    constexpr std::size_t kCores = 0xe8;         // of a kernel
    constexpr std::size_t kScratchpads = 0x220;  // std::vector
    constexpr std::size_t kScratchpadBytes = 0x60;
    constexpr std::size_t kSize = 0x20;  // of a scratchpad
    constexpr std::size_t kAddress = 0x28;
    const auto* const bytes = reinterpret_cast<const std::byte*>(api.implementation(program));
    const std::byte* const tables_end = pointer_at(bytes + kKernels + sizeof(void*));
    bool any = false;
    for (const std::byte* table = pointer_at(bytes + kKernels); table != tables_end; table += kTableBytes) {
        for (const std::byte* node = pointer_at(table + kFirstOfTable); node != nullptr;
             node = pointer_at(node)) {
            const std::byte* const kernel = pointer_at(node + kKernelInNode);
            const std::byte* const end = pointer_at(kernel + kScratchpads + sizeof(void*));
            for (const std::byte* each = pointer_at(kernel + kScratchpads); each != end;
                 each += kScratchpadBytes) {
                any = true;
                const std::uint32_t cores =
                    here.cores.of(reinterpret_cast<const CoreRangeSet*>(kernel + kCores));
                for (const int chip : chips)
                    emit_program_memory(TILEMETER_SCRATCHPAD, cores, number_at(each + kAddress),
                                        number_at(each + kSize), 0, static_cast<std::uint16_t>(chip),
                                        number_of(program), false);
            }
        }
    }
    return any;
}

}  // namespace

void list_planned_circular_buffers(const Program* program, std::span<const int> chips) {
    list_circular_buffers(state(), program, chips, true);
}

void find_chips(ThreadState& here, void* workload, const Device* mesh) {
    if (!knows_layouts()) return;
    constexpr std::size_t kFirstOfTable = 0x10;  // std::unordered_map<MeshCoordinateRange, Program>
    constexpr std::size_t kRangeInNode = 0x08;
    constexpr std::size_t kProgramInNode = 0xf8;
    const auto* const table = static_cast<const std::byte*>(api.programs_of_workload(workload));
    for (const std::byte* node = pointer_at(table + kFirstOfTable); node != nullptr;
         node = pointer_at(node)) {
        const auto found = std::find_if(here.pending.begin(), here.pending.end(), [&](const Pending& each) {
            return static_cast<const void*>(each.program) == node + kProgramInNode;
        });
        if (found == here.pending.end()) continue;
        const auto* const range = reinterpret_cast<const MeshCoordinateRange*>(node + kRangeInNode);
        for (const Device* device : api.mesh_devices_in(&api.mesh_view(mesh), range))
            found->chips.push_back(api.device_id(device));
    }
}

void list_pending(ThreadState& here, std::span<const int> all_chips) {
    for (const Pending& each : here.pending) {
        const std::span<const int> chips = each.chips.empty() ? all_chips : each.chips;
        if (!each.circular_buffers_told) list_circular_buffers(here, each.program, chips, false);
        if (!knows_layouts()) continue;
        if (!each.dataflow_buffers_told) list_dataflow_buffers(here, each.program, chips);
        if (each.scratchpads_told) continue;
        const ProgramImpl* const program = api.implementation(each.program);
        const std::uint64_t number = api.program_number(program);
        if (here.programs.has_no_scratchpads(program, number)) continue;
        if (!list_scratchpads(here, each.program, chips))
            here.programs.add_without_scratchpads(program, number);
    }
}

void use_layouts_of(std::string_view version) {
    layouts_known.store(version == "0.81.1", std::memory_order_relaxed);
}

bool knows_layouts() {
    return layouts_known.load(std::memory_order_relaxed);
}

}  // namespace tilemeter::attach::ttnn
