// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/device_info.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "capture/record/internal/definition_codec.hpp"

namespace tilemeter::record {

namespace {

struct Known {
    std::mutex mutex;
    std::map<DeviceId, DeviceInfo> devices;
    std::string latest_cluster_descriptor;
};

Known& known() {
    static auto& the_known = *new Known;  // never destroyed, as the texts
    return the_known;
}

void publish(DeviceId device, const DeviceInfo& info) {
    internal::publish_definition(internal::DefinitionKind::kDevice, static_cast<std::uint16_t>(device),
                                 internal::encode(info));
}

}  // namespace

void announce_device(DeviceId device, DeviceInfo info) {
    Known& all = known();
    const std::scoped_lock lock(all.mutex);
    all.latest_cluster_descriptor = info.cluster_descriptor;
    if (internal::definitions_wanted.load(std::memory_order_acquire)) publish(device, info);
    all.devices.insert_or_assign(device, std::move(info));
}

std::optional<DeviceInfo> device_info_of(DeviceId device) {
    Known& all = known();
    const std::scoped_lock lock(all.mutex);
    const auto found = all.devices.find(device);
    if (found == all.devices.end()) return std::nullopt;
    return found->second;
}

std::string latest_cluster_descriptor() {
    Known& all = known();
    const std::scoped_lock lock(all.mutex);
    return all.latest_cluster_descriptor;
}

namespace internal {
void publish_devices() {
    Known& all = known();
    const std::scoped_lock lock(all.mutex);
    for (const auto& [device, info] : all.devices)
        publish(device, info);
}
}  // namespace internal

}  // namespace tilemeter::record
