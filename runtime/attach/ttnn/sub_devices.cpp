// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/sub_devices.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "runtime/attach/ttnn/devices.hpp"
#include "runtime/attach/ttnn/thread_state.hpp"

namespace tilemeter::attach::ttnn {

namespace {

/// The cores of a sub-device. TT-NN returns a set of its own, which consists of a list of ranges.
std::vector<CoreRange> cores_of(const Device* mesh, std::uint8_t sub_device) {
    constexpr int kWorkers = 0;  // of the kinds of cores that run programs
    alignas(std::max_align_t) std::array<std::byte, 256> room{};
    void* const made = room.data();
    api.worker_cores(made, mesh, kWorkers, sub_device);
    const std::vector<CoreRange>& ranges = api.core_ranges(static_cast<const CoreRangeSet*>(made));
    std::vector<CoreRange> cores = ranges;
    // A set that is more than its list is not destroyed: it is one for each manager.
    if (static_cast<const void*>(&ranges) == made)
        std::destroy_at(static_cast<std::vector<CoreRange>*>(made));
    return cores;
}

nlohmann::json as_json(const std::vector<CoreRange>& cores) {
    nlohmann::json made = nlohmann::json::array();
    for (const CoreRange& each : cores)
        made.push_back({{"start", {{"x", each.start_x}, {"y", each.start_y}}},
                        {"end", {{"x", each.end_x}, {"y", each.end_y}}}});
    return made;
}

bool overlap(const CoreRange& a, const CoreRange& b) {
    return a.start_x <= b.end_x && b.start_x <= a.end_x && a.start_y <= b.end_y && b.start_y <= a.end_y;
}

bool any_overlap(const std::vector<CoreRange>& these, const std::vector<CoreRange>& those) {
    return std::any_of(these.begin(), these.end(), [&](const CoreRange& one) {
        return std::any_of(those.begin(), those.end(),
                           [&](const CoreRange& other) { return overlap(one, other); });
    });
}

}  // namespace

void SubDevices::look_at(const Device* mesh, std::uint16_t number) {
    const std::uint64_t manager = api.sub_device_manager(mesh);
    const std::uint64_t left = devices_left();
    const std::uint64_t recorder = recorders.load(std::memory_order_relaxed);
    const std::uint64_t windows = emit->windows_opened();
    if (mesh == mesh_ && manager == manager_ && left == devices_left_ && recorder == recorder_) {
        if (windows == windows_told_) return;
    } else {
        mesh_ = nullptr;  // until all is read
        manager_ = manager;
        read(mesh);
        mesh_ = mesh;
        devices_left_ = left;
        recorder_ = recorder;
    }
    windows_told_ = windows;
    emit->sub_device_manager(emitter_number, number, manager_, text_);
}

void SubDevices::read(const Device* mesh) {
    is_default_ = manager_ == api.default_sub_device_manager(mesh);
    all_.clear();
    nlohmann::json told = nlohmann::json::array();
    const std::uint32_t count = api.num_sub_devices(mesh);
    for (std::uint32_t i = 0; i < count; ++i) {
        SubDevice made;
        made.cores = cores_of(mesh, static_cast<std::uint8_t>(i));
        const nlohmann::json cores = as_json(made.cores);
        made.text = intern(cores.dump());
        told.push_back({{"sub_device_id", i}, {"worker_core_ranges", cores}});
        all_.push_back(std::move(made));
    }
    text_ = intern(told.dump());
}

std::optional<std::uint16_t> SubDevices::of(const ProgramImpl* program) const {
    if (all_.empty()) return std::nullopt;
    if (is_default_) return 0;
    std::optional<std::uint16_t> found;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        for (const std::shared_ptr<CircularBufferImpl>& each : api.circular_buffers(program)) {
            const CircularBuffer wrapped{each.get()};
            if (!any_overlap(all_[i].cores, api.core_ranges(api.circular_buffer_cores(&wrapped)))) continue;
            if (found) return std::nullopt;
            found = static_cast<std::uint16_t>(i);
            break;
        }
    }
    return found;
}

}  // namespace tilemeter::attach::ttnn
