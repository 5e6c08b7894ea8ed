// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The contents of a device's memory now, under the names of TT-NN's native module `reports`.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/records.hpp"
#include "report/buffer_pages.hpp"
#include "runtime/device/device.hpp"
#include "runtime/types/memory_config.hpp"
#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

using Devices = std::vector<std::shared_ptr<Device>>;

struct BufferInfo {
    int device_id;
    std::uint64_t address;
    std::uint64_t max_size_per_bank;
    BufferType::Value buffer_type;
    TensorMemoryLayout::Value buffer_layout;
};

struct BufferPageInfo {
    int device_id;
    std::uint64_t address;
    std::uint32_t core_x, core_y;
    std::uint32_t bank_id;
    std::uint64_t page_index, page_address, page_size;
    BufferType::Value buffer_type;
};

record::Event event_of(const record::BufferRecord& buffer) {
    record::Event event{};
    event.kind = record::EventKind::kBufferAlive;
    record::internal::describe_buffer(buffer, event);
    return event;
}

template <typename Visit>
void for_each_live_buffer(const Devices& devices, const Visit& visit) {
    for (const std::shared_ptr<Device>& device : devices) {
        for (const Allocation& allocation : device->live_allocations())
            visit(*device, allocation.buffer_record);
    }
}

std::vector<BufferInfo> buffers(const Devices& devices) {
    std::vector<BufferInfo> found;
    for_each_live_buffer(devices, [&](const Device& device, const record::BufferRecord& buffer) {
        found.push_back({static_cast<int>(device.id()), buffer.address,
                         report::unaligned_size_per_bank(event_of(buffer)),
                         static_cast<BufferType::Value>(buffer.memory),
                         static_cast<TensorMemoryLayout::Value>(buffer.layout)});
    });
    return found;
}

std::vector<BufferPageInfo> buffer_pages(const Devices& devices) {
    std::vector<BufferPageInfo> found;
    for_each_live_buffer(devices, [&](const Device& device, const record::BufferRecord& buffer) {
        const record::Event event = event_of(buffer);
        if (!report::has_pages(event)) return;
        const CoreCoord grid = device.description().compute_grid;
        report::for_each_page(event, report::L1Banks(grid.x, grid.y), [&](const report::PagePlace& page) {
            found.push_back({static_cast<int>(device.id()), buffer.address, page.core.x, page.core.y,
                             page.bank_id, page.page_index, page.page_address, buffer.page_size_bytes,
                             static_cast<BufferType::Value>(buffer.memory)});
        });
    });
    return found;
}

record::DeviceInfo device_info(const Device& device) {
    const auto info = record::device_info_of(device.id());
    return info.value_or(record::DeviceInfo{});
}

}  // namespace

void bind_buffer_reports(nb::module_& module) {
    nb::module_ reports = module.def_submodule("reports", "What is in the memory of devices now.");
    nb::class_<BufferInfo>(reports, "BufferInfo", "A live buffer; sizes in bytes.")
        .def_ro("device_id", &BufferInfo::device_id)
        .def_ro("address", &BufferInfo::address)
        .def_ro("max_size_per_bank", &BufferInfo::max_size_per_bank)
        .def_ro("buffer_type", &BufferInfo::buffer_type)
        .def_ro("buffer_layout", &BufferInfo::buffer_layout);
    nb::class_<BufferPageInfo>(reports, "BufferPageInfo", "A page of a live buffer in L1; sizes in bytes.")
        .def_ro("device_id", &BufferPageInfo::device_id)
        .def_ro("address", &BufferPageInfo::address)
        .def_ro("core_y", &BufferPageInfo::core_y)
        .def_ro("core_x", &BufferPageInfo::core_x)
        .def_ro("bank_id", &BufferPageInfo::bank_id)
        .def_ro("page_index", &BufferPageInfo::page_index)
        .def_ro("page_address", &BufferPageInfo::page_address)
        .def_ro("page_size", &BufferPageInfo::page_size)
        .def_ro("buffer_type", &BufferPageInfo::buffer_type);
    using Info = record::DeviceInfo;
    nb::class_<Info>(reports, "DeviceInfo", "Cores and banks of a device; sizes in bytes.")
        .def_ro("num_y_cores", &Info::num_y_cores)
        .def_ro("num_x_cores", &Info::num_x_cores)
        .def_ro("num_y_compute_cores", &Info::num_y_compute_cores)
        .def_ro("num_x_compute_cores", &Info::num_x_compute_cores)
        .def_ro("worker_l1_size", &Info::worker_l1_size)
        .def_ro("l1_num_banks", &Info::l1_num_banks)
        .def_ro("l1_bank_size", &Info::l1_bank_size)
        .def_ro("address_at_first_l1_bank", &Info::address_at_first_l1_bank)
        .def_ro("address_at_first_l1_cb_buffer", &Info::address_at_first_l1_cb_buffer)
        .def_ro("num_banks_per_storage_core", &Info::num_banks_per_storage_core)
        .def_ro("num_compute_cores", &Info::num_compute_cores)
        .def_ro("num_storage_cores", &Info::num_storage_cores)
        .def_ro("total_l1_memory", &Info::total_l1_memory)
        .def_ro("total_l1_for_tensors", &Info::total_l1_for_tensors)
        .def_ro("total_l1_for_interleaved_buffers", &Info::total_l1_for_interleaved_buffers)
        .def_ro("total_l1_for_sharded_buffers", &Info::total_l1_for_sharded_buffers)
        .def_ro("cb_limit", &Info::cb_limit);
    reports.def("get_buffers", &buffers, "devices"_a, "The live buffers of some devices.");
    reports.def(
        "get_buffers", [](const std::shared_ptr<Device>& device) { return buffers({device}); }, "device"_a,
        "Those of one.");
    reports.def("get_buffer_pages", &buffer_pages, "devices"_a,
                "The pages of the live buffers that lie in L1, of some devices.");
    reports.def(
        "get_buffer_pages", [](const std::shared_ptr<Device>& device) { return buffer_pages({device}); },
        "device"_a, "Those of one.");
    reports.def("get_device_info", &device_info, "device"_a, "Its cores and banks.");
}

}  // namespace tilemeter::python
