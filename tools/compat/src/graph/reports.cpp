// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/graph/reports.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "report/buffer_pages.hpp"
#include "runtime/device/device.hpp"
#include "tilemeter_ttnn/mesh_device.hpp"
#include "tools/compat/src/model.hpp"

namespace ttnn::reports {

using tt::tt_metal::distributed::MeshDevice;
namespace record = tilemeter::record;

namespace {

record::DeviceInfo info_of(MeshDevice* device) {
    const auto info = record::device_info_of(tilemeter::compat::to_model(device)->id());
    if (!info) throw std::runtime_error("get_device_info: expected a device that has been opened");
    return *info;
}

// The buffers that have memory on these devices, as events, oldest first.
std::vector<record::Event> buffers_on(const std::vector<MeshDevice*>& devices) {
    std::vector<record::Event> buffers;
    for (MeshDevice* const device : devices) {
        std::vector<tilemeter::Allocation> live = tilemeter::compat::to_model(device)->live_allocations();
        std::ranges::reverse(live);
        for (const tilemeter::Allocation& each : live) {
            record::Event event{};
            event.kind = record::EventKind::kBufferAlive;
            record::internal::describe_buffer(each.buffer_record, event);
            buffers.push_back(event);
        }
    }
    return buffers;
}

}  // namespace

DeviceInfo get_device_info(MeshDevice* device) {
    const record::DeviceInfo info = info_of(device);
    return {info.num_y_cores,
            info.num_x_cores,
            info.num_y_compute_cores,
            info.num_x_compute_cores,
            info.worker_l1_size,
            info.l1_num_banks,
            info.l1_bank_size,
            info.address_at_first_l1_bank,
            info.address_at_first_l1_cb_buffer,
            info.num_banks_per_storage_core,
            info.num_compute_cores,
            info.num_storage_cores,
            info.total_l1_memory,
            info.total_l1_for_tensors,
            info.total_l1_for_interleaved_buffers,
            info.total_l1_for_sharded_buffers,
            info.cb_limit};
}

std::vector<BufferInfo> get_buffers(const std::vector<MeshDevice*>& devices) {
    std::vector<BufferInfo> infos;
    for (const record::Event& each : buffers_on(devices))
        infos.push_back({record::number_of(each.device),
                         static_cast<std::uint32_t>(each.payload.buffer.address),
                         static_cast<std::uint32_t>(tilemeter::report::unaligned_size_per_bank(each)),
                         static_cast<tt::tt_metal::BufferType>(each.memory),
                         static_cast<tt::tt_metal::TensorMemoryLayout>(
                             each.payload.buffer.page_size_and_layout & 0xffU)});
    return infos;
}

std::vector<BufferPageInfo> get_buffer_pages(const std::vector<MeshDevice*>& devices) {
    std::vector<BufferPageInfo> pages;
    for (MeshDevice* const device : devices) {
        const tilemeter::report::L1Banks banks(info_of(device));
        for (const record::Event& each : buffers_on({device})) {
            if (!tilemeter::report::has_pages(each)) continue;
            tilemeter::report::for_each_page(each, banks, [&](const tilemeter::report::PagePlace& page) {
                pages.push_back({record::number_of(each.device),
                                 static_cast<std::uint32_t>(each.payload.buffer.address), page.core.y,
                                 page.core.x, page.bank_id, static_cast<std::uint32_t>(page.page_index),
                                 static_cast<std::uint32_t>(page.page_address),
                                 static_cast<std::uint32_t>(each.payload.buffer.page_size_and_layout >> 8U),
                                 static_cast<tt::tt_metal::BufferType>(each.memory)});
            });
        }
    }
    return pages;
}

}  // namespace ttnn::reports
