// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/ttnn_api.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilemeter::attach::ttnn {

Api api{};

namespace {

/// A library that is loaded already; it is never unloaded from here on.
class Library {
public:
    explicit Library(const std::string& path)
        : handle_(dlopen(path.c_str(), RTLD_NOLOAD | RTLD_NOW | RTLD_NODELETE)) {}

    bool is_loaded() const { return handle_ != nullptr; }
    void* find(const char* name) const { return dlsym(handle_, name); }

    /// The words of a virtual table, as long as the symbol says.
    std::span<void* const> table(const char* name) const {
        void* const address = find(name);
        Dl_info info{};
        void* symbol = nullptr;
        if (address == nullptr || dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr)
            return {};
        const auto bytes = static_cast<const ElfW(Sym)*>(symbol)->st_size;
        return {static_cast<void* const*>(address), bytes / sizeof(void*)};
    }

    /// The slot through which this library calls `name`; null if there is none.
    void** jump_slot(std::string_view name) const {
        link_map* map = nullptr;
        if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return nullptr;
        const ElfW(Rela)* relocations = nullptr;
        std::size_t bytes = 0;
        const ElfW(Sym)* symbols = nullptr;
        const char* names = nullptr;
        for (const ElfW(Dyn)* each = map->l_ld; each->d_tag != DT_NULL; ++each) {
            if (each->d_tag == DT_JMPREL) relocations = reinterpret_cast<const ElfW(Rela)*>(each->d_un.d_ptr);
            if (each->d_tag == DT_PLTRELSZ) bytes = each->d_un.d_val;
            if (each->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(each->d_un.d_ptr);
            if (each->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(each->d_un.d_ptr);
        }
        if (relocations == nullptr || symbols == nullptr || names == nullptr) return nullptr;
        for (const ElfW(Rela) & each : std::span(relocations, bytes / sizeof(ElfW(Rela)))) {
            const ElfW(Sym)& symbol = symbols[ELF64_R_SYM(each.r_info)];
            if (name == names + symbol.st_name) return reinterpret_cast<void**>(map->l_addr + each.r_offset);
        }
        return nullptr;
    }

private:
    void* handle_;
};

/// The place for the name's address; pointers to functions and to data alike.
struct Wanted {
    const char* name;
    void* place;
};

/// The slot of `function` in a virtual table, counted from its first function; none if not exactly once.
std::optional<std::size_t> slot_of(std::span<void* const> table, const void* function) {
    if (function == nullptr || std::count(table.begin(), table.end(), function) != 1) return std::nullopt;
    constexpr std::ptrdiff_t kBefore = 2;  // offset and type information
    const auto place = std::find(table.begin(), table.end(), function) - table.begin();
    if (place < kBefore) return std::nullopt;
    return static_cast<std::size_t>(place - kBefore);
}

std::string fill(const Library& library, std::span<const Wanted> wanted) {
    for (const Wanted& each : wanted) {
        void* const found = library.find(each.name);
        if (found == nullptr) return std::string("it has no ") + each.name;
        std::memcpy(each.place, &found, sizeof found);
    }
    return {};
}

}  // namespace

bool redirect(void** slot, void* target) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(slot) / page * page;
    if (mprotect(reinterpret_cast<void*>(address), page, PROT_READ | PROT_WRITE) != 0) return false;
    __atomic_store_n(slot, target, __ATOMIC_RELEASE);
    return true;
}

std::string load(const std::string& metal_library, const std::string& ttnn_library) {
    const Library metal(metal_library);
    if (!metal.is_loaded()) return metal_library + " is not loaded";
    const Library ttnn(ttnn_library);
    if (!ttnn.is_loaded()) return ttnn_library + " is not loaded";
    const Wanted of_metal[] = {
        {"_ZN2tt8tt_metal12GraphTracker8instanceEv", &api.tracker},
        {"_ZN2tt8tt_metal12GraphTracker14push_processorERKSt10shared_ptrINS0_15IGraphProcessorEE",
         &api.push_processor},
        {"_ZN2tt8tt_metal12GraphTracker13pop_processorEv", &api.pop_processor},
        {"_ZNK2tt8tt_metal12GraphTracker14get_processorsEv", &api.processors},
        {"_ZNK2tt8tt_metal12GraphTracker8get_hookEv", &api.hook},
        {"_ZN2tt8tt_metal12GraphTracker8add_hookERKSt10shared_ptrINS0_11IGraphHooksEE", &api.add_hook},
        {"_ZN2tt8tt_metal12GraphTracker10clear_hookEv", &api.clear_hook},
        {"_ZNK2tt8tt_metal6Buffer9unique_idEv", &api.buffer_id},
        {"_ZNK2tt8tt_metal6Buffer7addressEv", &api.buffer_address},
        {"_ZNK2tt8tt_metal6Buffer4sizeEv", &api.buffer_size},
        {"_ZNK2tt8tt_metal6Buffer9page_sizeEv", &api.buffer_page_size},
        {"_ZNK2tt8tt_metal6Buffer21aligned_size_per_bankEv", &api.buffer_size_per_bank},
        {"_ZNK2tt8tt_metal6Buffer11buffer_typeEv", &api.buffer_type},
        {"_ZNK2tt8tt_metal6Buffer13buffer_layoutEv", &api.buffer_layout},
        {"_ZNK2tt8tt_metal6Buffer9num_coresEv", &api.buffer_num_cores},
        {"_ZNK2tt8tt_metal6Buffer6deviceEv", &api.buffer_device},
        {"_ZNK2tt8tt_metal12CoreRangeSet3strB5cxx11Ev", &api.core_ranges_text},
        {"_ZNK2tt8tt_metal12CoreRangeSet6rangesEv", &api.core_ranges},
        {"_ZNK2tt8tt_metal7Program14get_runtime_idEv", &api.program_runtime_id},
        {"_ZNK2tt8tt_metal6detail11ProgramImpl6get_idEv", &api.program_number},
        {"_ZNK2tt8tt_metal6detail11ProgramImpl16circular_buffersEv", &api.circular_buffers},
        {"_ZNK2tt8tt_metal14CircularBuffer4sizeEv", &api.circular_buffer_size},
        {"_ZNK2tt8tt_metal14CircularBuffer11core_rangesEv", &api.circular_buffer_cores},
        {"_ZNK2tt8tt_metal14CircularBuffer18globally_allocatedEv", &api.circular_buffer_is_global},
        {"_ZNK2tt8tt_metal18CircularBufferImpl7addressEv", &api.circular_buffer_address},
        {"_ZNK2tt8tt_metal6detail11ProgramImpl16dataflow_buffersEv", &api.dataflow_buffers},
        {"_ZNK2tt8tt_metal11distributed10MeshDevice14get_device_idsEv", &api.mesh_chips},
        {"_ZNK2tt8tt_metal11distributed10MeshDevice8get_viewEv", &api.mesh_view},
        {"_ZNK2tt8tt_metal11distributed14MeshDeviceView11get_devicesERKNS1_19MeshCoordinateRangeE",
         &api.mesh_devices_in},
        {"_ZN2tt8tt_metal11distributed12MeshWorkload12get_programsEv", &api.programs_of_workload},
        {"_ZNK2tt8tt_metal9Allocator21get_allocated_buffersEv", &api.allocated_buffers},
        {"_ZNK2tt8tt_metal11distributed10MeshBuffer18get_backing_bufferEv", &api.mesh_buffer_backing},
        {"_ZNK2tt8tt_metal11distributed10MeshBuffer6deviceEv", &api.mesh_buffer_device},
        {"_ZNK2tt8tt_metal9ShapeBase4viewEv", &api.shape_view},
        {"_ZNK2tt8tt_metal12MemoryConfig13memory_layoutEv", &api.memory_config_layout},
        {"_ZNK2tt8tt_metal12MemoryConfig11buffer_typeEv", &api.memory_config_type},
        {"_ZNK2tt8tt_metal12MemoryConfig10is_shardedEv", &api.memory_config_is_sharded},
        {"_ZN2tt8tt_metallsERSoRKNS0_12MemoryConfigE", &api.write_memory_config},
        {"_ZN2tt8tt_metallsERSoRKNS0_8DataTypeE", &api.write_dtype},
        {"_ZN2tt8tt_metallsERSoRKNS0_6LayoutE", &api.write_layout},
    };
    if (std::string missing = fill(metal, of_metal); !missing.empty()) return missing;
    Api::Overrides& own = api.overrides;
    constexpr const char* kHasOwnCapture = "_ZN4ttnn5graph14GraphProcessor19has_active_instanceEv";
    constexpr const char* kTellProgramFactory =
        "_ZN4ttnn5graph14GraphProcessor27set_pending_program_"
        "factoryENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEmb";
    const Wanted of_ttnn[] = {
        {"_ZNK4ttnn6Tensor6bufferEv", &api.tensor_buffer},
        {"_ZNK4ttnn6Tensor11mesh_bufferEv", &api.tensor_mesh_buffer},
        {"_ZNK4ttnn6Tensor12storage_typeEv", &api.tensor_storage},
        {"_ZNK4ttnn6Tensor12is_allocatedEv", &api.tensor_is_allocated},
        {"_ZNK4ttnn6Tensor5dtypeEv", &api.tensor_dtype},
        {"_ZNK4ttnn6Tensor6layoutEv", &api.tensor_layout},
        {"_ZNK4ttnn6Tensor13memory_configEv", &api.tensor_memory_config},
        {"_ZNK4ttnn6Tensor13logical_shapeEv", &api.tensor_shape},
        {"_ZNK4ttnn6Tensor12element_sizeEv", &api.tensor_element_size},
        {"_ZNK4ttnn6Tensor14logical_volumeEv", &api.tensor_volume},
        {kHasOwnCapture, &api.has_own_capture},
        {kTellProgramFactory, &api.tell_program_factory},
        {"_ZN4ttnn5graph14ProcessorHooks9set_blockEb", &api.set_hook_blocks},
        {"_ZNK4ttnn5graph14ProcessorHooks9get_blockEv", &api.hook_blocks},
        {"_ZN4ttnn5graph14ProcessorHooks15hook_deallocateEPN2tt8tt_metal6BufferE", &api.hook_deallocate},
        {"_ZN4ttnn5graph14GraphProcessor12track_deviceEPKN2tt8tt_metal7IDeviceE", &api.track_device},
        {"_ZN4ttnn5graph14GraphProcessor14track_allocateEPKN2tt8tt_metal6BufferE", &own.allocate},
        {"_ZN4ttnn5graph14GraphProcessor16track_deallocateEPN2tt8tt_metal6BufferE", &own.deallocate},
        {"_ZN4ttnn5graph14GraphProcessor17track_allocate_cbERKN2tt8tt_metal12CoreRangeSetEmmbPKNS3_7IDeviceE",
         &own.allocate_circular_buffer},
        {"_ZN4ttnn5graph14GraphProcessor30track_allocate_dataflow_"
         "bufferERKN2tt8tt_metal12CoreRangeSetEmmbPKNS3_7IDeviceE",
         &own.allocate_dataflow_buffer},
        {"_ZN4ttnn5graph14GraphProcessor25track_allocate_"
         "scratchpadERKN2tt8tt_metal12CoreRangeSetEmmPKNS3_7IDeviceE",
         &own.allocate_scratchpad},
        {"_ZN4ttnn5graph14GraphProcessor19track_deallocate_cbEPKN2tt8tt_metal7IDeviceE",
         &own.deallocate_circular_buffers},
        {"_ZN4ttnn5graph14GraphProcessor13track_programEPN2tt8tt_metal7ProgramEPKNS3_7IDeviceE",
         &own.program},
        {"_ZN4ttnn5graph14GraphProcessor20track_function_startESt17basic_string_viewIcSt11char_"
         "traitsIcEESt4spanIN2tt8tt_metal15TrackedArgumentELm18446744073709551615EE",
         &own.function_start},
        {"_ZN4ttnn5graph14GraphProcessor18track_function_endEv", &own.function_end},
        {"_ZN4ttnn5graph14GraphProcessor18track_function_endERKSt3any", &own.function_end_with_output},
        {"_ZN4ttnn5graph14GraphProcessor13begin_captureEN2tt8tt_metal15IGraphProcessor7RunModeE",
         &own.begin_capture},
        {"_ZN4ttnn5graph14GraphProcessor11end_captureB5cxx11Ev", &own.end_capture},
        {"_ZN4ttnn5graph14GraphProcessorD1Ev", &own.destroy},
        {"_ZN4ttnn5graph14GraphProcessorD0Ev", &own.destroy_and_free},
    };
    if (std::string missing = fill(ttnn, of_ttnn); !missing.empty()) return missing;

    api.base_table = metal.table("_ZTVN2tt8tt_metal15IGraphProcessorE");
    api.processor_table = ttnn.table("_ZTVN4ttnn5graph14GraphProcessorE");
    api.hook_table = ttnn.table("_ZTVN4ttnn5graph14ProcessorHooksE");
    if (api.base_table.size() != api.processor_table.size() || api.base_table.size() < 3)
        return "its graph processor's table is not that of its interface";
    if (api.hook_table.size() < 3) return "it has no hook of its own";

    const std::span<void* const> mesh = api.device_table =
        metal.table("_ZTVN2tt8tt_metal11distributed10MeshDeviceE");
    const auto id = slot_of(mesh, metal.find("_ZNK2tt8tt_metal11distributed10MeshDevice2idEv"));
    const auto allocator = slot_of(mesh, metal.find("_ZNK2tt8tt_metal11distributed10MeshDevice9allocatorEv"));
    if (!id || !allocator) return "its devices' table has no id or no allocator";
    api.device_id_slot = *id;
    api.device_allocator_slot = *allocator;

    const Wanted of_devices[] = {
        {"_ZN2tt8tt_metal11distributed10MeshDevice5closeEv", &api.close_device},
        {"_ZN2tt8tt_metal11distributed10MeshDeviceD1Ev", &api.destroy_device},
        {"_ZN2tt8tt_metal11distributed10MeshDeviceD0Ev", &api.destroy_and_free_device},
        {"_ZNK2tt8tt_metal11distributed10MeshDevice14is_initializedEv", &api.device_is_open},
    };
    if (std::string missing = fill(metal, of_devices); !missing.empty()) return missing;

    const Wanted of_captures[] = {
        {"_ZN4ttnn5graph14GraphProcessor19begin_graph_captureEN2tt8tt_metal15IGraphProcessor7RunModeE",
         &api.begin_own_capture},
        {"_ZN4ttnn5graph14GraphProcessor25end_graph_capture_to_fileERKNSt10filesystem7__cxx114pathE",
         &api.end_own_capture},
    };
    if (!fill(ttnn, of_captures).empty()) api.begin_own_capture = nullptr;

    constexpr const char* kTrackExecution =
        "_ZN4ttnn5graph29track_mesh_workload_"
        "executionERN2tt8tt_metal11distributed12MeshWorkloadEPNS3_10MeshDeviceEm";
    if (void* const found = ttnn.find(kTrackExecution)) {
        const Wanted of_executions[] = {
            {"_ZNK2tt8tt_metal11distributed10MeshDevice32get_active_sub_device_manager_idEv",
             &api.sub_device_manager},
            {"_ZNK2tt8tt_metal11distributed10MeshDevice33get_default_sub_device_manager_idEv",
             &api.default_sub_device_manager},
            {"_ZNK2tt8tt_metal11distributed10MeshDevice15num_sub_devicesEv", &api.num_sub_devices},
            {"_ZNK2tt8tt_metal11distributed10MeshDevice12worker_"
             "coresENS0_23HalProgrammableCoreTypeEN4ttsl10StrongTypeIhNS0_14SubDeviceIdTagEEE",
             &api.worker_cores},
            {"_ZN2tt8tt_metal33GetCurrentCommandQueueIdForThreadEv", &api.command_queue_of_thread},
        };
        if (std::string missing = fill(metal, of_executions); !missing.empty()) return missing;
        std::memcpy(&api.track_execution, &found, sizeof found);
        api.track_execution_jump = ttnn.jump_slot(kTrackExecution);
    }
    api.has_own_capture_jump = ttnn.jump_slot(kHasOwnCapture);
    api.tell_program_factory_jump = ttnn.jump_slot(kTellProgramFactory);
    return {};
}

}  // namespace tilemeter::attach::ttnn
