// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An opened device or mesh of devices: it owns allocators, program cache and metal traces.
//
// A mesh works in lock step: one allocation has the same address on every chip, one program runs on all of
// them. A single device is a mesh of one chip.
//
// In a thread that plans (runtime/device/planning.hpp) all functions work on a shadow: a copy of the allocators and an
// overlay of the program cache. The first operation of the NO_DISPATCH capture or planning frame makes it, the end of
// that drops it. The device's own state stays bit for bit as it was. A query has a shadow of its own, which only its thread
// knows (runtime/device/query_shadow.hpp).
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "capture/events/ids.hpp"
#include "capture/record/recorder.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/device/device_memory.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/program_cache.hpp"

namespace tilemeter {

/// Rows and columns of chips.
struct MeshShape {
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    std::uint32_t size() const { return rows * columns; }
    friend bool operator==(const MeshShape&, const MeshShape&) = default;
};

/// The place of a chip in a mesh.
struct MeshPlace {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
};

struct DeviceOptions {
    std::string description = "n150";     ///< name of a built-in description or path of a file with one
    std::uint64_t l1_small_size = 0;      ///< bytes per core reserved at the top of L1
    std::uint64_t trace_region_size = 0;  ///< bytes reserved at the top of DRAM, over all banks
    std::uint64_t worker_l1_size =
        0;  ///< bytes per core for programs and tensors; 0: all but 69 KiB for kernels
};

/// The chips of the system that a mesh gets.
struct MeshChoice {
    MeshPlace offset;                  ///< its first chip in the system's mesh
    std::vector<std::uint16_t> chips;  ///< these, row by row, wherever they lie; none: those at `offset`
};

class MetalTraces;
class PlanningFrame;

/// What planning changes on a device.
struct DeviceState {
    DeviceMemory memory;
    ProgramCache programs;
};

class Device {
public:
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    record::DeviceId id() const { return id_; }
    /// Among all devices that the process has opened, from 1.
    std::uint64_t number() const { return number_; }
    const DeviceDescription& description() const { return description_; }
    MeshShape mesh_shape() const { return mesh_shape_; }
    /// Arranges the chips in other rows and columns. Throws RuntimeError unless `shape` has as many chips.
    void reshape(MeshShape shape);
    const std::vector<std::uint16_t>& chips() const { return chips_; }  ///< physical ids
    CoreCoord compute_with_storage_grid_size() const { return description_.compute_grid; }
    bool is_open() const { return open_.load(std::memory_order_acquire); }

    /// A copy of the allocators: of the shadow in a thread that plans.
    DeviceMemory memory() const;

    /// Puts `memory` in the place of the device's own. Buffers whose blocks it does not have stay usable and free nothing;
    /// blocks that no buffer owns stay until the next such call. Throws RuntimeError for the memory of another board, and in a
    /// thread that plans.
    void override_memory(const DeviceMemory& memory);

    /// Takes `buffer_record.size_per_bank_bytes` in every bank and fills in address and epoch. Throws
    /// OutOfMemoryError
    /// (`num_banks` goes into its message), RuntimeError when the device is closed.
    void allocate(AllocationList::Node& node, std::uint64_t num_banks);

    /// Frees the allocation where it was made. Does nothing for one of a shadow that has ended.
    void free(AllocationList::Node& node);

    /// Frees an allocation in the shadow of the calling thread only, which the shadow found when it was made:
    /// a NO_DISPATCH capture deallocates a tensor that existed before it. Returns false, and nothing is done,
    /// if the shadow itself made it, or another that is not around this one, or the thread does not plan.
    bool free_in_shadow(AllocationList::Node& node);

    /// True if free_in_shadow() has freed it for the calling thread.
    bool is_freed_in_shadow(const AllocationList::Node& node) const;

    /// Keeps the allocation until the device closes or free_kept(), independent of its owner's node.
    void keep(AllocationList::Node& node);

    /// Frees and emits it, in the shadow of the calling thread only where that found it. Nothing else is done.
    void free_kept(record::BufferId buffer);

    /// The allocations of some bytes that the calling thread sees as live, newest first.
    std::vector<Allocation> live_allocations() const;

    /// The buffers that have memory on the device itself, newest first: none of a shadow, none that was kept.
    std::vector<std::shared_ptr<Buffer>> live_buffers() const;

    /// The owners of live allocations of that memory type, highest address first.
    std::vector<BufferOwner> owners(record::MemoryType memory) const;

    /// A hash of allocations, cached programs and the values in buffers: of the device itself, not of a
    /// shadow. Reads all values. REQUIRES: no other thread works on the device.
    std::uint64_t state_hash() const;

    /// Runs `use` on the program cache and the allocators that are in force, under the device's lock.
    template <typename Use>
    auto with_state(Use use) {
        if (DeviceState* const asked = state_of_query()) [[unlikely]]
            return use(asked->memory, asked->programs);
        const std::scoped_lock lock(mutex_);
        State& state = current_state();
        return use(state.memory, state.programs);
    }

    /// Emits the cores of its sub-devices, unless the open captures have them already.
    void emit_sub_devices_once();
    /// While pages are recorded: emits the buffers that are live now, unless the open captures have them
    /// already. To be called before the first event that changes them.
    void emit_live_buffers_once() {
        if (record::recording_pages()) emit_live_buffers();
    }
    /// The same even if pages are not recorded: after a failure, for its report.
    void emit_live_buffers();

    /// The worker cores as JSON, as reports have them.
    record::TextId worker_cores_text() const { return worker_cores_; }
    /// "device 0"
    record::TextId name_text() const { return name_; }

    /// A number for the next execution of a program on this device, from 1 (reports: runtime_id).
    std::uint64_t next_runtime_id();

    /// Programs recorded to be executed again (runtime/device/metal_trace.hpp).
    MetalTraces& traces() { return *traces_; }
    const MetalTraces& traces() const { return *traces_; }

private:
    friend std::shared_ptr<Device> open_mesh_device(MeshShape shape, const DeviceOptions& options,
                                                    const MeshChoice& choice);
    friend std::shared_ptr<Device> open_device(int device_id, const DeviceOptions& options);
    friend std::shared_ptr<Device> open_submesh(const Device& mesh, MeshShape shape, MeshPlace offset);
    friend void close_device(Device& device);
    friend void drop_shadows(const PlanningFrame& frame);

    using State = DeviceState;

    struct Shadow {
        Shadow(std::uint64_t epoch_given, std::shared_ptr<Shadow> outer_given, const State& copied,
               std::uint64_t allocations)
            : epoch(epoch_given),
              outer(std::move(outer_given)),
              last_copied(allocations),
              state{copied.memory, ProgramCache::over(copied.programs)} {}
        ~Shadow();
        Shadow(const Shadow&) = delete;
        Shadow& operator=(const Shadow&) = delete;

        const std::uint64_t epoch;
        const std::shared_ptr<Shadow> outer;  // that it was copied from; nullptr: from the device's own state
        const std::uint64_t last_copied;      // the number of the newest allocation that it has copied
        State state;
        std::unordered_set<const AllocationList::Node*> freed;  // in it, made outside of it
    };

    Device(record::DeviceId id, DeviceDescription description, const DeviceOptions& options, MeshShape shape,
           std::vector<std::uint16_t> chips);
    void announce() const;
    // These REQUIRE mutex_ held.
    Shadow* current_shadow();  // made if need be; nullptr: the calling thread runs
    State& current_state();    // of the calling thread
    Shadow* find_shadow(std::uint64_t epoch) const;
    const Shadow* shadow_in_force() const;  // of the calling thread; nullptr: it sees the device's own state
    void drop_shadow(std::uint64_t epoch);
    void forget_in_shadows(AllocationList::Node& node);
    static bool is_in_force(const AllocationList::Node& node, const Shadow* shadow);
    [[noreturn]] void throw_out_of_memory(const record::BufferRecord& buffer, std::uint64_t num_banks,
                                          const BankAllocator& allocator,
                                          std::vector<BufferOwner> owners) const;
    DeviceState* state_of_query() const;  // of the calling thread; nullptr: it asks nothing of this device
    void allocate_in_query(AllocationList::Node& node, std::uint64_t num_banks);
    std::vector<BufferOwner> owners_now(record::MemoryType memory) const;
    void close();

    const record::DeviceId id_;
    const std::uint64_t number_;
    const DeviceDescription description_;
    const DeviceOptions options_;
    MeshShape mesh_shape_;
    const std::vector<std::uint16_t> chips_;
    const record::TextId name_;
    const record::TextId worker_cores_;
    const record::TextId sub_devices_;
    const std::unique_ptr<MetalTraces> traces_;
    mutable std::mutex mutex_;
    // Guarded by mutex_; open_ may be read without it:
    std::atomic<bool> open_ = true;
    State real_;
    AllocationList allocations_;
    std::list<AllocationList::Node> kept_;
    std::shared_ptr<Shadow> capture_shadow_;              // of a NO_DISPATCH capture
    std::vector<std::shared_ptr<Shadow>> frame_shadows_;  // of planning frames
    std::uint64_t allocations_made_ = 0;
    std::uint64_t runtime_ids_ = 0;
    std::uint64_t live_buffers_emitted_ = 0;  // record::windows_opened() when they were emitted last
    std::uint64_t sub_devices_emitted_ = 0;   // record::windows_opened() when they were emitted last
};

/// Opens chip `device_id` of a host with the described board. Its id in reports is `device_id`.
/// Throws RuntimeError if it is open already, std::invalid_argument for a description that can't be loaded.
std::shared_ptr<Device> open_device(int device_id = 0, const DeviceOptions& options = {});

/// Opens `shape.size()` chips as one. A mesh of several chips has an id of its own, above those of the chips.
std::shared_ptr<Device> open_mesh_device(MeshShape shape, const DeviceOptions& options = {},
                                         const MeshChoice& choice = {});

/// Opens some chips of a mesh once more, as a device with an id and memory of its own: neither sees what the
/// other allocates. Throws RuntimeError for chips that the mesh has not.
std::shared_ptr<Device> open_submesh(const Device& mesh, MeshShape shape, MeshPlace offset = {});

/// Closes the device and frees its buffers; operations on its tensors throw. Closing twice does nothing.
void close_device(Device& device);

/// A hash of the state of all open devices: allocations, program caches, buffers and their values. A
/// NO_DISPATCH capture does not change it.
std::uint64_t state_hash();

/// The time that one operation may take on a device before the call that waits for it throws OperationTimeoutError;
/// zero (the default): as long as it likes. For all devices of the process. Until it is set here, opening a device sets
/// it to TT_METAL_OPERATION_TIMEOUT_SECONDS of the environment, if that is there: a number above 0, else opening throws
/// std::invalid_argument.
void set_operation_timeout(std::chrono::nanoseconds timeout);
std::chrono::nanoseconds operation_timeout();

/// Ends the frame's shadows of all open devices. REQUIRES: no thread is in the frame.
void drop_shadows(const PlanningFrame& frame);

/// Emits the live buffers of all open devices, unless the open captures know them already.
void emit_live_buffers();

}  // namespace tilemeter
