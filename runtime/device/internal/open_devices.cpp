// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Devices opened and closed, and what is asked of all that are open.

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "capture/record/recorder.hpp"
#include "capture/record/window_opened.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/device/operation_timeout.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/device/system_mesh.hpp"
#include "runtime/types/spec_hash.hpp"

namespace tilemeter {

namespace {

// The chips in use, and the ids that meshes get.
struct OpenChips {
    std::mutex mutex;
    std::map<std::uint16_t, Device*> by_chip;  // of open devices
    std::vector<Device*> devices;              // that are open
    std::uint16_t next_mesh_id = 0;
};

OpenChips& open_chips() {
    static auto& the_chips = *new OpenChips;  // never destroyed: devices may be closed while the process ends
    return the_chips;
}

// A query is of a device that is open, and leaves nothing behind.
void require_no_query(const char* operation) {
    if (QueryShadow::is_in_force())
        throw RuntimeError(std::string(operation) +
                           ": expected no query in this thread, a device cannot be opened in one");
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
        open.by_chip.emplace(chip, &device);
}

}  // namespace

void Device::close() {
    {
        const std::scoped_lock lock(mutex_);
        if (!open_) return;
        open_ = false;
        while (capture_shadow_ || !frame_shadows_.empty())
            drop_shadow(capture_shadow_ ? capture_shadow_->epoch : frame_shadows_.back()->epoch);
        real_.programs.clear();
    }
    traces_->clear();
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    std::erase(open.devices, this);
    std::erase_if(open.by_chip, [this](const auto& entry) { return entry.second == this; });
}

std::shared_ptr<Device> open_device(int device_id, const DeviceOptions& options) {
    require_no_query("open_device");
    record::call_when_window_opens(emit_live_buffers);
    read_operation_timeout_of_environment();
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

namespace {

std::string text_of(MeshShape shape) {
    return "MeshShape([" + std::to_string(shape.rows) + ", " + std::to_string(shape.columns) + "])";
}

// The chips that were asked for by their ids.
std::vector<std::uint16_t> given_chips(const std::vector<std::uint16_t>& chips, MeshShape shape,
                                       const DeviceDescription& description) {
    if (chips.size() != shape.size()) {
        throw RuntimeError("open_mesh_device: physical_device_ids: expected " + std::to_string(shape.size()) +
                           " chips for " + text_of(shape) + ", got " + std::to_string(chips.size()));
    }
    for (auto each = chips.begin(); each != chips.end(); ++each) {
        if (*each >= description.chips || std::find(chips.begin(), each, *each) != each) {
            throw RuntimeError("open_mesh_device: physical_device_ids: expected different chips below " +
                               std::to_string(description.chips) + ", got " + std::to_string(*each));
        }
    }
    return chips;
}

}  // namespace

std::shared_ptr<Device> open_mesh_device(MeshShape shape, const DeviceOptions& options,
                                         const MeshChoice& choice) {
    require_no_query("open_mesh_device");
    read_operation_timeout_of_environment();
    DeviceDescription description = load_device_description(options.description);
    const std::uint32_t count = shape.size();
    std::vector<std::uint16_t> chips = choice.chips.empty()
                                           ? chips_of_mesh(description.mesh, shape, choice.offset)
                                           : given_chips(choice.chips, shape, description);
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

void Device::reshape(MeshShape shape) {
    if (shape.size() != chips_.size())
        throw RuntimeError("New shape must have the same number of devices as current shape");
    mesh_shape_ = shape;
}

std::shared_ptr<Device> open_submesh(const Device& mesh, MeshShape shape, MeshPlace offset) {
    require_no_query("create_submesh");
    const MeshShape whole = mesh.mesh_shape();
    if (shape.size() == 0 || offset.row + shape.rows > whole.rows ||
        offset.column + shape.columns > whole.columns) {
        throw RuntimeError("Submesh shape " + text_of(shape) + " and offset MeshCoordinate([" +
                           std::to_string(offset.row) + ", " + std::to_string(offset.column) +
                           "]) does not fit within parent mesh (" + text_of(whole) + ").");
    }
    std::vector<std::uint16_t> chips;
    for (std::uint32_t row = 0; row < shape.rows; ++row)
        for (std::uint32_t column = 0; column < shape.columns; ++column)
            chips.push_back(mesh.chips()[(offset.row + row) * whole.columns + offset.column + column]);
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    open.next_mesh_id = std::max(open.next_mesh_id, static_cast<std::uint16_t>(mesh.description().chips));
    const auto id = static_cast<record::DeviceId>(open.next_mesh_id++);
    std::shared_ptr<Device> device(
        new Device(id, mesh.description(), mesh.options_, shape, std::move(chips)));
    open.devices.push_back(device.get());
    return device;
}

void close_device(Device& device) {
    require_no_query("close_device");
    device.close();
}

void emit_live_buffers() {
    if (!record::recording()) return;
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    for (Device* device : open.devices)
        device->emit_live_buffers();
}

void drop_shadows(const PlanningFrame& frame) {
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    for (Device* device : open.devices) {
        const std::scoped_lock device_lock(device->mutex_);
        device->drop_shadow(frame.epoch());
    }
}

std::uint64_t state_hash() {
    OpenChips& open = open_chips();
    const std::scoped_lock lock(open.mutex);
    std::uint64_t hash = 0;
    for (const Device* device : open.devices)
        hash = mix_hash(mix_hash(hash, static_cast<std::uint64_t>(device->id())), device->state_hash());
    return hash;
}

}  // namespace tilemeter
