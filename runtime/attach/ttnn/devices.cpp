// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/devices.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "runtime/attach/ttnn/program_memory.hpp"
#include "runtime/attach/ttnn/thread_state.hpp"

namespace tilemeter::attach::ttnn {

namespace {

/// Devices that buffers were seen on, for their lists of buffers and of chips.
struct KnownDevices {
    std::mutex mutex;
    std::map<std::uint16_t, const Device*> devices;
    std::atomic<const Device*> latest{nullptr};
};
KnownDevices& known_devices() {
    static auto& the_devices = *new KnownDevices;
    return the_devices;
}
}  // namespace

void meet(const Device* device, std::uint16_t number) {
    KnownDevices& all = known_devices();
    if (all.latest.load(std::memory_order_relaxed) == device) return;
    const std::scoped_lock lock(all.mutex);
    all.devices[number] = device;
    all.latest.store(device, std::memory_order_relaxed);
}
void emit_buffers_alive() {
    guarded([&] {
        std::vector<const Device*> devices;
        {
            const std::scoped_lock lock(known_devices().mutex);
            for (const auto& [number, device] : known_devices().devices)
                devices.push_back(device);
        }
        for (const Device* each : devices) {
            for (const Buffer* buffer : api.allocated_buffers(api.device_allocator(each)))
                emit_buffer(TILEMETER_ALIVE, buffer, false);
        }
    });
}

std::vector<std::uint16_t> chips_of_device(std::uint16_t number) {
    std::vector<std::uint16_t> chips;
    guarded([&] {
        const Device* device = nullptr;
        {
            const std::scoped_lock lock(known_devices().mutex);
            const auto found = known_devices().devices.find(number);
            if (found != known_devices().devices.end()) device = found->second;
        }
        if (device == nullptr) return;
        for (const int each : api.mesh_chips(device))
            chips.push_back(static_cast<std::uint16_t>(each));
    });
    if (chips.empty()) chips.push_back(number);
    return chips;
}

void forget_device(int number) {
    KnownDevices& all = known_devices();
    const std::scoped_lock lock(all.mutex);
    all.devices.erase(static_cast<std::uint16_t>(number));
    all.latest.store(nullptr, std::memory_order_relaxed);
}

std::size_t describe_devices_in_ttnn() {
    std::size_t described = 0;
    guarded([&] {
        const Processors& processors = api.processors(api.tracker());
        if (processors.empty()) return;
        void* const innermost = processors.back().get();
        if (*static_cast<void* const* const*>(innermost) != api.processor_table.data() + 2) return;
        const std::scoped_lock lock(known_devices().mutex);
        for (const auto& [number, device] : known_devices().devices) {
            api.track_device(innermost, device);
            ++described;
        }
    });
    return described;
}
}  // namespace tilemeter::attach::ttnn
