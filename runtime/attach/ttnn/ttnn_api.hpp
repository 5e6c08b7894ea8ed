// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions of TT-NN that are called: exported functions of its libraries, found by name when attaching, and what
// is known of the layout of its objects. There is no header of TT-NN behind it and nothing is linked: a mangled name
// carries the types of the parameters, so that a changed signature is a missing name. What a name cannot say (return
// types, layouts) is written here and checked by the self-test (self_test.cpp).
//
// Thread safety: load() once, before all else; what it filled in does not change afterwards.

#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace tilemeter::attach::ttnn {

// Objects of TT-NN's that are only pointed to.
struct Buffer;
struct CircularBufferImpl;
struct CoreRangeSet;
struct DataflowBuffer;
struct Device;  // IDevice; also MeshDevice
struct MemoryConfig;
struct MeshBuffer;
struct MeshCoordinateRange;
struct MeshDeviceView;
struct Program;
struct ProgramImpl;
struct Shape;
struct TensorAttributes;

/// One argument of a function, valid during the call.
struct TrackedArgument {
    std::any value;
    std::string (*text)(const std::any&);
};
static_assert(sizeof(TrackedArgument) == 24);

struct Tensor {
    std::uint64_t id;
    std::shared_ptr<TensorAttributes> attributes;
};
static_assert(sizeof(Tensor) == 24);

/// Entries of circular_buffers() are handed to its getters in an object like this.
struct CircularBuffer {
    const CircularBufferImpl* implementation;
};

struct CoreRange {
    std::uint64_t start_x, start_y, end_x, end_y;
};

enum class StorageType : std::uint8_t { kHost = 0, kDevice = 1 };

using Processors = std::vector<std::shared_ptr<void>>;

struct Api {
    // The list of graph processors, and the hook of NO_DISPATCH; both are the calling thread's.
    void* (*tracker)();
    void (*push_processor)(void* tracker, const std::shared_ptr<void>& processor);
    void (*pop_processor)(void* tracker);
    const Processors& (*processors)(const void* tracker);
    const std::shared_ptr<void>& (*hook)(const void* tracker);
    bool (*add_hook)(void* tracker, const std::shared_ptr<void>& hook);
    void (*clear_hook)(void* tracker);

    std::uint64_t (*buffer_id)(const Buffer*);
    std::uint32_t (*buffer_address)(const Buffer*);
    std::uint64_t (*buffer_size)(const Buffer*);
    std::uint64_t (*buffer_page_size)(const Buffer*);
    std::uint64_t (*buffer_size_per_bank)(const Buffer*);
    std::uint8_t (*buffer_type)(const Buffer*);
    std::uint8_t (*buffer_layout)(const Buffer*);
    std::optional<std::uint32_t> (*buffer_num_cores)(const Buffer*);
    const Device* (*buffer_device)(const Buffer*);

    std::string (*core_ranges_text)(const CoreRangeSet*);
    const std::vector<CoreRange>& (*core_ranges)(const CoreRangeSet*);

    std::uint64_t (*program_runtime_id)(const Program*);
    std::uint64_t (*program_number)(const ProgramImpl*);  ///< never another's
    std::span<const std::shared_ptr<CircularBufferImpl>> (*circular_buffers)(const ProgramImpl*);
    std::uint64_t (*circular_buffer_size)(const CircularBuffer*);
    const CoreRangeSet* (*circular_buffer_cores)(const CircularBuffer*);
    bool (*circular_buffer_is_global)(const CircularBuffer*);
    std::uint32_t (*circular_buffer_address)(const CircularBufferImpl*);
    const std::vector<std::shared_ptr<DataflowBuffer>>& (*dataflow_buffers)(const ProgramImpl*);

    std::vector<int> (*mesh_chips)(const Device* mesh);
    const MeshDeviceView& (*mesh_view)(const Device* mesh);
    std::vector<const Device*> (*mesh_devices_in)(const MeshDeviceView*, const MeshCoordinateRange*);
    const void* (*programs_of_workload)(void* workload);  ///< a hash table by ranges of the mesh
    std::unordered_set<Buffer*> (*allocated_buffers)(const void* allocator);

    const Buffer* (*tensor_buffer)(const Tensor*);
    const MeshBuffer* (*tensor_mesh_buffer)(const Tensor*);
    const Buffer* (*mesh_buffer_backing)(const MeshBuffer*);  ///< null of a view of another tensor's
    const Device* (*mesh_buffer_device)(const MeshBuffer*);
    StorageType (*tensor_storage)(const Tensor*);
    bool (*tensor_is_allocated)(const Tensor*);
    std::uint8_t (*tensor_dtype)(const Tensor*);
    std::uint8_t (*tensor_layout)(const Tensor*);
    const MemoryConfig* (*tensor_memory_config)(const Tensor*);
    const Shape* (*tensor_shape)(const Tensor*);
    std::uint32_t (*tensor_element_size)(const Tensor*);
    std::uint64_t (*tensor_volume)(const Tensor*);
    std::span<const std::uint32_t> (*shape_view)(const Shape*);

    std::uint8_t (*memory_config_layout)(const MemoryConfig*);
    std::uint8_t (*memory_config_type)(const MemoryConfig*);
    bool (*memory_config_is_sharded)(const MemoryConfig*);
    std::ostream& (*write_memory_config)(std::ostream&, const MemoryConfig*);
    std::ostream& (*write_dtype)(std::ostream&, const int*);  // whatever the size of the enumeration
    std::ostream& (*write_layout)(std::ostream&, const int*);

    // The arguments with which an execution is told, where a version says when it launches.
    std::uint64_t (*sub_device_manager)(const Device* mesh);
    std::uint64_t (*default_sub_device_manager)(const Device* mesh);
    std::uint32_t (*num_sub_devices)(const Device* mesh);
    void (*worker_cores)(void* cores, const Device* mesh, int kind,
                         std::uint8_t sub_device);  ///< makes a CoreRangeSet
    std::uint8_t (*command_queue_of_thread)();

    // One of these is needed: null where a version does not have it.
    void (*track_execution)(void* workload, const Device* mesh, std::uint64_t runtime_id);
    bool (*has_own_capture)();  ///< of TT-NN's class, in the calling thread
    void (*tell_program_factory)(std::string name, std::size_t index, bool cache_hit);
    void (*set_hook_blocks)(void* hook, bool blocks);
    bool (*hook_blocks)(const void* hook);
    bool (*hook_deallocate)(void* hook, Buffer*);  ///< true if the buffer stays as it is
    void (*track_device)(void* processor,
                         const Device*);  ///< of TT-NN's own: its report describes the device

    // The functions by which devices go, with or without a call that says so.
    bool (*close_device)(Device*);
    void (*destroy_device)(Device*);
    void (*destroy_and_free_device)(Device*);
    bool (*device_is_open)(const Device*);

    // TT-NN's own captures, for programs without Python; null where a version does not have them.
    void (*begin_own_capture)(int mode);
    void (*end_own_capture)(void* nodes,
                            const std::filesystem::path& report);  ///< `nodes`: room for what it returns

    // Virtual tables: words behind the offset and the type information.
    std::span<void* const> base_table;       ///< of the interface that processors implement, with both
    std::span<void* const> processor_table;  ///< of TT-NN's own processor, with both
    std::span<void* const> hook_table;       ///< of TT-NN's own hook, with both
    std::span<void* const> device_table;     ///< of meshes, with both
    std::size_t device_id_slot = 0;
    std::size_t device_allocator_slot = 0;

    // Through which TT-NN's code calls functions of its own; null: not found.
    void** track_execution_jump = nullptr;
    void** has_own_capture_jump = nullptr;
    void** tell_program_factory_jump = nullptr;

    /// Addresses of TT-NN's own overrides, to find their slots by.
    struct Overrides {
        void* allocate;
        void* deallocate;
        void* allocate_circular_buffer;
        void* allocate_dataflow_buffer;
        void* allocate_scratchpad;
        void* deallocate_circular_buffers;
        void* program;
        void* function_start;
        void* function_end;
        void* function_end_with_output;
        void* begin_capture;
        void* end_capture;
        void* destroy;
        void* destroy_and_free;
    } overrides;

    int device_id(const Device* device) const {
        using Get = int (*)(const Device*);
        return reinterpret_cast<Get>((*reinterpret_cast<void* const* const*>(device))[device_id_slot])(
            device);
    }
    const void* device_allocator(const Device* device) const {
        using Get = const void* const& (*)(const Device*);
        const auto get =
            reinterpret_cast<Get>((*reinterpret_cast<void* const* const*>(device))[device_allocator_slot]);
        return get(device);
    }
    const ProgramImpl* implementation(const Program* program) const {
        return *reinterpret_cast<const ProgramImpl* const*>(program);
    }
};

/// The functions of the process, once loaded.
extern Api api;

/// Changes an entry of a jump table or of a virtual table; false: the system does not let it.
bool redirect(void** slot, void* target);

/// Fills `api` from libraries that the process has loaded. Returns what is missing in one line; empty: nothing.
std::string load(const std::string& metal_library, const std::string& ttnn_library);

}  // namespace tilemeter::attach::ttnn
