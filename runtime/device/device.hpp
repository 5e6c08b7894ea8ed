// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// An opened device or mesh of devices: the system under observation.
//
// A mesh works in lock step: one allocation has the same address on every chip, one program runs on all of
// them. A single device is a mesh of one chip.
//
// While a NO_DISPATCH capture is open, everything here works on a shadow: a copy of the allocators and an
// overlay of the program cache, made when the first operation of the capture asks and dropped when the
// capture ends. What was there before stays bit for bit what it was.
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
#include <vector>

#include "capture/record/ids.hpp"
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
    std::uint64_t l1_small_size = 0;      ///< bytes per core kept back at the top of L1
    std::uint64_t trace_region_size = 0;  ///< bytes kept back at the top of DRAM, over all banks
};

class MetalTraces;

class Device {
public:
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    record::DeviceId id() const { return id_; }
    const DeviceDescription& description() const { return description_; }
    MeshShape mesh_shape() const { return mesh_shape_; }
    /// Arranges its chips in other rows and columns. Throws RuntimeError unless as many.
    void reshape(MeshShape shape);
    const std::vector<std::uint16_t>& chips() const { return chips_; }  ///< physical ids
    CoreCoord compute_with_storage_grid_size() const { return description_.compute_grid; }
    bool is_open() const { return open_.load(std::memory_order_acquire); }

    /// What the allocators hold, the shadow's while one is in use.
    DeviceMemory memory() const;

    /// Takes `facts.size_per_bank_bytes` in every bank and fills in address and epoch. Throws
    /// OutOfMemoryError
    /// (`num_banks` goes into its message), RuntimeError when the device is closed.
    void allocate(AllocationList::Node& node, std::uint64_t num_banks);

    /// Gives it back where it was taken from; in a shadow that has ended there is nothing left to give back.
    void free(AllocationList::Node& node);

    /// Frees, in the shadow alone, what is allocated in the device itself: what deallocating a tensor of
    /// before a NO_DISPATCH capture means inside it. Without a shadow in force: nothing.
    void free_in_shadow(AllocationList::Node& node);

    /// Keeps it allocated until the device closes, whatever becomes of its owner's node.
    void keep(AllocationList::Node& node);

    /// Who holds memory of that type now, highest address first.
    std::vector<BufferOwner> owners(record::MemoryType memory) const;

    /// A number that is the same as long as allocations, cached programs and what the buffers hold are: of
    /// the device itself, whatever a shadow does. Reads all values. REQUIRES: no other thread works on the
    /// device.
    std::uint64_t state_hash() const;

    /// Runs `use` on the program cache and the allocators that are in force, under the device's lock.
    template <typename Use>
    auto with_state(Use use) {
        const std::scoped_lock lock(mutex_);
        State& state = current_state();
        return use(state.memory, state.programs);
    }

    /// Emits which cores its sub-devices have, unless the open captures know already.
    void emit_sub_devices_once();
    /// While pages are recorded: emits the buffers that are live now, unless the open captures know already.
    /// To be called before the first event that changes them.
    void emit_live_buffers_once() {
        if (record::recording_pages()) emit_live_buffers();
    }
    /// The same whatever is recorded: what a failure leaves to be looked at.
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
    friend std::shared_ptr<Device> open_mesh_device(MeshShape shape, const DeviceOptions& options);
    friend std::shared_ptr<Device> open_device(int device_id, const DeviceOptions& options);
    friend std::shared_ptr<Device> open_submesh(const Device& mesh, MeshShape shape, MeshPlace offset);
    friend void close_device(Device& device);

    // What a capture in NO_DISPATCH must leave alone.
    struct State {
        DeviceMemory memory;
        ProgramCache programs;
    };

    Device(record::DeviceId id, DeviceDescription description, const DeviceOptions& options, MeshShape shape,
           std::vector<std::uint16_t> chips);
    void announce() const;
    State& current_state();                                                // REQUIRES: mutex_ held
    void drop_shadow();                                                    // REQUIRES: mutex_ held
    std::vector<BufferOwner> owners_now(record::MemoryType memory) const;  // REQUIRES: mutex_ held
    void close();

    const record::DeviceId id_;
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
    std::unique_ptr<State> shadow_;
    std::uint64_t shadow_epoch_ = 0;  // of shadow_
    std::uint64_t runtime_ids_ = 0;
    std::uint64_t live_buffers_emitted_ = 0;  // record::windows_opened() when they were emitted last
    std::uint64_t sub_devices_emitted_ = 0;   // record::windows_opened() when they were emitted last
};

/// Opens chip `device_id` of a host with the described board. Its id in reports is `device_id`.
/// Throws RuntimeError if it is open already, std::invalid_argument for a description that can't be loaded.
std::shared_ptr<Device> open_device(int device_id = 0, const DeviceOptions& options = {});

/// Opens `shape.size()` chips as one. A mesh of several chips has an id of its own, above those of the chips.
std::shared_ptr<Device> open_mesh_device(MeshShape shape, const DeviceOptions& options = {});

/// Opens some chips of a mesh once more, as a device with an id and memory of its own: neither sees what the
/// other allocates. Throws RuntimeError for chips that the mesh has not.
std::shared_ptr<Device> open_submesh(const Device& mesh, MeshShape shape, MeshPlace offset = {});

/// Closes it: its buffers are gone, operations on its tensors throw. Closing twice does nothing.
void close_device(Device& device);

/// A number that is the same as long as the state of all open devices is: allocations, program caches,
/// buffers and what they hold. A NO_DISPATCH capture leaves it as it was.
std::uint64_t state_hash();

/// How long one operation may take on a device before the call that waits for it throws
/// OperationTimeoutError; zero (the default): as long as it likes. For all devices of the process. Until it
/// is set here, opening a device sets it to TT_METAL_OPERATION_TIMEOUT_SECONDS of the environment, if that is
/// there: a number above 0, else opening throws std::invalid_argument.
void set_operation_timeout(std::chrono::nanoseconds timeout);
std::chrono::nanoseconds operation_timeout();

/// Emits the live buffers of all open devices, unless the open captures know them already.
void emit_live_buffers();

}  // namespace tilemeter
