// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/devices.hpp"

#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include <unistd.h>

#include "runtime/attach/ttnn/attach.h"
#include "runtime/attach/ttnn/program_memory.hpp"
#include "runtime/attach/ttnn/thread_state.hpp"

namespace tilemeter::attach::ttnn {

namespace {

/// Devices that buffers were seen on, for their lists of buffers and of chips.
struct KnownDevices {
    std::mutex mutex;
    bool described_in_passing = false;
    std::atomic<bool> description_due{false};
    std::map<std::uint16_t, const Device*> devices;
    std::atomic<const Device*> latest{nullptr};
};
KnownDevices& known_devices() {
    static auto& the_devices = *new KnownDevices;
    return the_devices;
}

/// Buffers whose objects are gone while allocators list them.
struct LostBuffers {
    std::mutex mutex;
    std::unordered_set<const Buffer*> objects;
    std::vector<tilemeter_buffer> memory;
    std::atomic<bool> any{false};
};
LostBuffers& lost_buffers() {
    static auto& the_buffers = *new LostBuffers;
    return the_buffers;
}

struct Look {
    std::mutex mutex;
    std::atomic<bool> lasts{false};
};
Look& look_at_buffers() {
    static auto& the_look = *new Look;
    return the_look;
}
}  // namespace

void meet(const Device* device, std::uint16_t number) {
    KnownDevices& all = known_devices();
    if (all.latest.load(std::memory_order_relaxed) == device) return;
    const std::scoped_lock lock(all.mutex);
    if (all.devices.insert_or_assign(number, device).second && all.described_in_passing)
        all.description_due.store(true, std::memory_order_relaxed);
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
        Look& look = look_at_buffers();
        const std::scoped_lock looking(look.mutex);
        look.lasts.store(true);
        LostBuffers& lost = lost_buffers();
        const std::scoped_lock lock(lost.mutex);
        for (const Device* each : devices) {
            for (const Buffer* buffer : api.allocated_buffers(api.device_allocator(each))) {
                if (!lost.objects.contains(buffer)) emit_buffer(TILEMETER_ALIVE, facts_of(buffer, false));
            }
        }
        for (const tilemeter_buffer& each : lost.memory)
            emit_buffer(TILEMETER_ALIVE, each);
        look.lasts.store(false);
    });
}

void note_lost(const Buffer* buffer, const tilemeter_buffer& facts) {
    LostBuffers& lost = lost_buffers();
    const std::scoped_lock lock(lost.mutex);
    lost.objects.insert(buffer);
    lost.memory.push_back(facts);
    lost.any.store(true);
}

bool any_buffer_lost() {
    return lost_buffers().any.load(std::memory_order_relaxed);
}

void note_allocated(const Buffer* buffer) {
    LostBuffers& lost = lost_buffers();
    if (!lost.any.load(std::memory_order_relaxed)) return;
    const std::scoped_lock lock(lost.mutex);
    lost.objects.erase(buffer);
}

void wait_for_look_at_buffers() {
    Look& look = look_at_buffers();
    if (look.lasts.load(std::memory_order_relaxed)) const std::scoped_lock wait(look.mutex);
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
    {
        KnownDevices& all = known_devices();
        const std::scoped_lock lock(all.mutex);
        all.devices.erase(static_cast<std::uint16_t>(number));
        all.latest.store(nullptr, std::memory_order_relaxed);
    }
    LostBuffers& lost = lost_buffers();
    const std::scoped_lock lock(lost.mutex);
    std::erase_if(lost.memory, [&](const tilemeter_buffer& each) { return each.device == number; });
}

void describe_devices_in_passing() {
    KnownDevices& all = known_devices();
    const std::scoped_lock lock(all.mutex);
    all.described_in_passing = true;
}

void describe_if_due() {
    if (!known_devices().description_due.load(std::memory_order_relaxed)) return;
    if (!known_devices().description_due.exchange(false) || api.begin_own_capture == nullptr) return;
    guarded([] {
        const std::filesystem::path report =
            std::filesystem::temp_directory_path() / ("tilemeter_" + std::to_string(getpid()) + ".json");
        api.begin_own_capture(0);
        describe_devices_in_ttnn();
        constexpr std::size_t kRoom = 64;
        auto* const nodes =
            new std::array<std::uint64_t, kRoom / sizeof(std::uint64_t)>;  // never freed: TT-NN's kind
        api.end_own_capture(nodes->data(), report);
        tilemeter_attach_describe(report.c_str());
        std::filesystem::remove(report);
    });
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
