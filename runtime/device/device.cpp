// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/device.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "capture/record/device_facts.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/device/errors.hpp"

namespace tilemeter {

namespace {

// Which chips are in use, and the ids that meshes get.
struct OpenChips {
    std::mutex mutex;
    std::map<std::uint16_t, record::DeviceId> by_chip;  // of open devices
    std::vector<Device*> devices;                       // that are open
    std::uint16_t next_mesh_id = 0;
};

OpenChips& open_chips() {
    static auto& the_chips = *new OpenChips;  // never destroyed: devices may be closed while the process ends
    return the_chips;
}

void require_closed(const OpenChips& open, const std::vector<std::uint16_t>& chips) {
    for (const std::uint16_t chip : chips) {
        if (open.by_chip.contains(chip))
            throw RuntimeError("device " + std::to_string(chip) + " is open already");
    }
}

// REQUIRES: open.mutex held. Called once the device is made, so that a failure before leaves nothing taken.
void take_chips(OpenChips& open, Device& device) {
    open.devices.push_back(&device);
    for (const std::uint16_t chip : device.chips())
        open.by_chip.emplace(chip, device.id());
}

std::string worker_cores_json(CoreCoord grid) {
    return "[{\"end\":{\"x\":" + std::to_string(grid.x - 1) + ",\"y\":" + std::to_string(grid.y - 1) +
           "},\"start\":{\"x\":0,\"y\":0}}]";
}

std::atomic<std::int64_t>& timeout_ns() {
    static constinit std::atomic<std::int64_t> the_timeout{0};
    return the_timeout;
}

}  // namespace

Device::Device(record::DeviceId id, DeviceDescription description, const DeviceOptions& options,
               MeshShape shape, std::vector<std::uint16_t> chips)
    : id_(id),
      description_(std::move(description)),
      mesh_shape_(shape),
      chips_(std::move(chips)),
      worker_cores_(record::intern(worker_cores_json(description_.compute_grid))),
      sub_devices_(record::intern("[{\"sub_device_id\":0,\"worker_core_ranges\":" +
                                  worker_cores_json(description_.compute_grid) + "}]")),
      real_{DeviceMemory(description_, {options.l1_small_size, options.trace_region_size}), ProgramCache()} {
    announce();
}

Device::~Device() {
    close();
}

void Device::announce() const {
    const std::uint64_t cores = description_.num_compute_cores();
    const BankStatistics l1 = real_.memory.allocator(record::MemoryType::kL1).statistics();
    record::DeviceFacts facts;
    facts.arch = description_.arch;
    facts.chips = chips_;
    facts.num_y_cores = description_.logical_grid.y;
    facts.num_x_cores = description_.logical_grid.x;
    facts.num_y_compute_cores = description_.compute_grid.y;
    facts.num_x_compute_cores = description_.compute_grid.x;
    facts.worker_l1_size = description_.l1_size;
    facts.l1_num_banks = cores;
    facts.l1_bank_size = l1.bank_size;
    facts.address_at_first_l1_cb_buffer = description_.l1_unreserved_base;
    facts.num_banks_per_storage_core = 1;
    facts.num_compute_cores = cores;
    facts.total_l1_memory = cores * description_.l1_size;
    facts.total_l1_for_interleaved_buffers = cores * l1.bank_size;
    facts.total_l1_for_sharded_buffers = cores * l1.bank_size;
    // The program memory's limit does not shrink with L1_SMALL, as recorded.
    facts.cb_limit = description_.l1_size - description_.l1_unreserved_base;
    facts.num_dram_channels = description_.dram_banks;
    facts.dram_size_per_channel = description_.dram_bank_size;
    facts.cluster_descriptor = cluster_descriptor_of(description_);
    record::announce_device(id_, std::move(facts));
}

bool Device::is_open() const {
    const std::scoped_lock lock(mutex_);
    return open_;
}

Device::State& Device::current_state() {
    if (!open_) throw RuntimeError("device " + std::to_string(static_cast<unsigned>(id_)) + " is closed");
    const std::uint64_t epoch = record::shadow_epoch();
    if (epoch == 0) {
        shadow_.reset();
        return real_;
    }
    if (!shadow_ || shadow_epoch_ != epoch) {
        shadow_ = std::make_unique<State>(State{real_.memory, ProgramCache::over(real_.programs)});
        shadow_epoch_ = epoch;
    }
    return *shadow_;
}

DeviceMemory Device::memory() const {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t epoch = record::shadow_epoch();
    return epoch != 0 && shadow_ && shadow_epoch_ == epoch ? shadow_->memory : real_.memory;
}

Device::Placement Device::allocate(record::MemoryType memory, std::uint64_t size_bytes,
                                   std::uint64_t num_banks, std::uint64_t size_per_bank_bytes) {
    const std::scoped_lock lock(mutex_);
    State& state = current_state();
    BankAllocator& allocator = state.memory.allocator(memory);
    const auto address = allocator.allocate(size_per_bank_bytes);
    if (!address) {
        throw OutOfMemoryError(memory, size_bytes, num_banks, size_per_bank_bytes, allocator.statistics());
    }
    return {*address, &state == &real_ ? 0 : shadow_epoch_};
}

void Device::free(record::MemoryType memory, Placement placement) {
    const std::scoped_lock lock(mutex_);
    if (!open_) return;
    if (placement.shadow_epoch == 0) {
        real_.memory.allocator(memory).free(placement.address);
    } else if (shadow_ && shadow_epoch_ == placement.shadow_epoch) {
        shadow_->memory.allocator(memory).free(placement.address);
    }
}

void Device::free_in_shadow(record::MemoryType memory, std::uint64_t address) {
    const std::scoped_lock lock(mutex_);
    if (!open_) return;
    State& state = current_state();
    if (&state != &real_) state.memory.allocator(memory).free(address);
}

void Device::emit_sub_devices_once() {
    const std::uint64_t captures = record::windows_opened();
    {
        const std::scoped_lock lock(mutex_);
        if (sub_devices_emitted_ == captures) return;
        sub_devices_emitted_ = captures;
    }
    record::emit_sub_device_manager(id_, 0, sub_devices_);
}

void Device::emit_live_buffers() {
    const std::uint64_t captures = record::windows_opened();
    const std::uint64_t shadow = record::shadow_epoch();
    const std::scoped_lock lock(mutex_);
    if (live_buffers_emitted_ == captures) return;
    live_buffers_emitted_ = captures;
    for (const Buffer* buffer = first_live_; buffer != nullptr; buffer = buffer->next_live_) {
        if (buffer->shadow_epoch_ != 0 && buffer->shadow_epoch_ != shadow) continue;  // its shadow is gone
        record::emit_buffer_alive(buffer->facts_, buffer->shadow_epoch_ == 0 ? record::Origin::kObserved
                                                                             : record::Origin::kPlanned);
    }
}

void Device::link_live(Buffer& buffer) {
    const std::scoped_lock lock(mutex_);
    buffer.next_live_ = first_live_;
    if (first_live_ != nullptr) first_live_->previous_live_ = &buffer;
    first_live_ = &buffer;
}

void Device::unlink_live(Buffer& buffer) {
    const std::scoped_lock lock(mutex_);
    if (buffer.previous_live_ != nullptr) buffer.previous_live_->next_live_ = buffer.next_live_;
    if (first_live_ == &buffer) first_live_ = buffer.next_live_;
    if (buffer.next_live_ != nullptr) buffer.next_live_->previous_live_ = buffer.previous_live_;
    buffer.previous_live_ = buffer.next_live_ = nullptr;
}

std::uint64_t Device::next_runtime_id() {
    const std::scoped_lock lock(mutex_);
    return ++runtime_ids_;
}

void Device::close() {
    {
        const std::scoped_lock lock(mutex_);
        if (!open_) return;
        open_ = false;
        shadow_.reset();
        real_.programs.clear();
    }
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    std::erase(open.devices, this);
    for (const std::uint16_t chip : chips_)
        open.by_chip.erase(chip);
}

std::shared_ptr<Device> open_device(int device_id, const DeviceOptions& options) {
    DeviceDescription description = load_device_description(options.description);
    if (device_id < 0 || device_id >= static_cast<int>(description.chips)) {
        throw RuntimeError("device " + std::to_string(device_id) + ": " + description.name + " has " +
                           std::to_string(description.chips) + " chip(s), numbered from 0");
    }
    const auto chip = static_cast<std::uint16_t>(device_id);
    const auto id = static_cast<record::DeviceId>(chip);
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    require_closed(open, {chip});
    std::shared_ptr<Device> device(new Device(id, std::move(description), options, {1, 1}, {chip}));
    take_chips(open, *device);
    return device;
}

std::shared_ptr<Device> open_mesh_device(MeshShape shape, const DeviceOptions& options) {
    DeviceDescription description = load_device_description(options.description);
    const std::uint32_t count = shape.size();
    if (count == 0 || count > description.chips) {
        throw RuntimeError("mesh of " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns) +
                           ": " + description.name + " has " + std::to_string(description.chips) +
                           " chip(s)");
    }
    std::vector<std::uint16_t> chips(count);
    for (std::uint16_t i = 0; i < count; ++i)
        chips[i] = i;
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    if (count > 1) {
        open.next_mesh_id = std::max(open.next_mesh_id, static_cast<std::uint16_t>(description.chips));
    }
    const auto id = static_cast<record::DeviceId>(count == 1 ? 0 : open.next_mesh_id++);
    require_closed(open, chips);
    std::shared_ptr<Device> device(new Device(id, std::move(description), options, shape, std::move(chips)));
    take_chips(open, *device);
    return device;
}

void close_device(Device& device) {
    device.close();
}

void emit_live_buffers() {
    if (!record::recording()) return;
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    for (Device* device : open.devices)
        device->emit_live_buffers();
}

void set_operation_timeout(std::chrono::nanoseconds timeout) {
    timeout_ns().store(timeout.count(), std::memory_order_relaxed);
}

std::chrono::nanoseconds operation_timeout() {
    return std::chrono::nanoseconds(timeout_ns().load(std::memory_order_relaxed));
}

}  // namespace tilemeter
