// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/device.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "report/analysis/nodes/units.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/ccl/fabric.hpp"
#include "runtime/operations/core/program_tables.hpp"
#include "runtime/tensor/global_semaphore.hpp"
#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

/// The contents of one memory of a device; sizes in bytes.
struct MemoryView {
    BankStatistics bank;
    std::uint64_t num_banks;
};

MemoryView memory_view(const Device& device, BufferType::Value memory) {
    const DeviceMemory held = device.memory();
    return {held.allocator(memory).statistics(), held.num_banks(memory)};
}

void bind_mesh_shape(nb::module_& m) {
    nb::class_<MeshShape>(m, "MeshShape", "Rows and columns of chips.")
        .def(
            "__init__",
            [](MeshShape* self, std::uint32_t rows, std::uint32_t columns) {
                new (self) MeshShape{rows, columns};
            },
            "rows"_a, "columns"_a)
        .def(
            "__init__",
            [](MeshShape* self, const std::vector<std::uint32_t>& shape) {
                if (shape.empty() || shape.size() > 2)
                    throw std::runtime_error("MeshShape: expected one or two sizes, got " +
                                             std::to_string(shape.size()));
                new (self) MeshShape{shape.size() == 1 ? 1 : shape.front(), shape.back()};
            },
            "shape"_a, "One size is a row of chips.")
        .def_ro("rows", &MeshShape::rows)
        .def_ro("columns", &MeshShape::columns)
        .def("mesh_size", &MeshShape::size, "Number of chips.")
        .def(
            "dims", [](const MeshShape&) { return 2; }, "2: rows and columns.")
        .def("__len__", [](const MeshShape&) { return 2; })
        .def("__getitem__",
             [](const MeshShape& self, int index) {
                 if (index < -2 || index > 1) throw nb::index_error("MeshShape index out of range");
                 return index == 0 || index == -2 ? self.rows : self.columns;
             })
        .def("__iter__",
             [](const MeshShape& self) { return nb::iter(nb::make_tuple(self.rows, self.columns)); })
        .def(
            "__eq__", [](const MeshShape& a, const MeshShape& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const MeshShape& self) { return self.rows * 1024 + self.columns; })
        .def("__repr__", [](const MeshShape& self) {
            return "MeshShape([" + std::to_string(self.rows) + ", " + std::to_string(self.columns) + "])";
        });
}

void bind_memory_view(nb::module_& m) {
    nb::class_<MemoryView>(m, "MemoryView", "What one memory of a device holds; bytes.")
        .def_ro("num_banks", &MemoryView::num_banks)
        .def_prop_ro("total_bytes_per_bank", [](const MemoryView& self) { return self.bank.bank_size; })
        .def_prop_ro("total_bytes_allocated_per_bank",
                     [](const MemoryView& self) { return self.bank.allocated; })
        .def_prop_ro("total_bytes_free_per_bank", [](const MemoryView& self) { return self.bank.free; })
        .def_prop_ro("largest_contiguous_bytes_free_per_bank",
                     [](const MemoryView& self) { return self.bank.largest_free_block; })
        .def("__repr__", [](const MemoryView& self) {
            using analysis::grouped;
            return grouped(self.num_banks) + (self.num_banks == 1 ? " bank of " : " banks of ") +
                   grouped(self.bank.bank_size) + " bytes each: " + grouped(self.bank.allocated) +
                   " allocated, " + grouped(self.bank.free) + " free, largest free block " +
                   grouped(self.bank.largest_free_block);
        });
    m.def(
        "get_memory_view", &memory_view, "device"_a, "buffer_type"_a,
        "What one memory (DRAM, L1, L1_SMALL, TRACE) of a device holds now: number of banks, bytes of each.");
    m.def(
        "get_allocator_base_address",
        [](const Device& device, BufferType::Value memory) {
            return device.memory().allocator(memory).begin();
        },
        "device"_a, "buffer_type"_a, "First address that the allocator of a memory hands out.");
}

using SenderAndReceivers = std::tuple<CoreCoord, CoreRangeSet>;

/// A circular buffer in L1 of cores that send and of those that receive, which outlives programs: its data, and beside
/// them the counters and the places of the other ends. It has no values here, only its memory.
class GlobalCircularBuffer {
public:
    GlobalCircularBuffer(const std::shared_ptr<Device>& device,
                         const std::vector<SenderAndReceivers>& mapping, std::uint32_t size_bytes,
                         BufferType::Value memory)
        : size_bytes_(size_bytes) {
        require_l1(memory);
        std::uint64_t most_receivers = 0;
        const CoreRangeSet all = take_cores(mapping, most_receivers);
        if (size_bytes != 0) data_ = Buffer::allocate(device, spec_of(all, size_bytes, memory));
        ends_ = Buffer::allocate(
            device, spec_of(all, bytes_of_ends(most_receivers, device->description().l1_alignment), memory));
    }
    const CoreRangeSet& sender_cores() const { return senders_; }
    const CoreRangeSet& receiver_cores() const { return receivers_; }
    std::uint32_t size_bytes() const { return size_bytes_; }

private:
    static void require_l1(BufferType::Value memory) {
        if (!is_in_l1(memory))
            throw std::runtime_error(
                "create_global_circular_buffer: buffer_type: expected L1 or L1_SMALL, got another memory");
    }
    CoreRangeSet take_cores(const std::vector<SenderAndReceivers>& mapping, std::uint64_t& most_receivers) {
        if (mapping.empty())
            throw std::runtime_error(
                "create_global_circular_buffer: sender_receiver_core_mapping: expected at least one sender");
        std::vector<CoreRange> senders;
        std::vector<CoreRange> receivers;
        for (const auto& [sender, its_receivers] : mapping) {
            senders.push_back({sender, sender});
            most_receivers = std::max(most_receivers, its_receivers.num_cores());
            receivers.insert(receivers.end(), its_receivers.ranges().begin(), its_receivers.ranges().end());
        }
        senders_ = CoreRangeSet(senders);  // throws where a core is named twice
        receivers_ = merge_cores(cores_of(CoreRangeSet(receivers)));
        receivers.insert(receivers.end(), senders.begin(), senders.end());
        return CoreRangeSet(receivers);
    }
    // Seven words, two for the place of each receiver, and two aligned counters for each.
    static std::uint32_t bytes_of_ends(std::uint64_t receivers, std::uint64_t alignment) {
        const std::uint64_t words = 7 + 2 * receivers;
        const std::uint64_t aligned = (words * sizeof(std::uint32_t) + alignment - 1) / alignment * alignment;
        return static_cast<std::uint32_t>(aligned + 2 * receivers * alignment);
    }
    // One page of `bytes` in each core.
    static TensorSpec spec_of(const CoreRangeSet& cores, std::uint32_t bytes, BufferType::Value memory) {
        const ShardSpec one_each{cores, {1, bytes}, ShardOrientation::ROW_MAJOR};
        return {Shape({static_cast<std::uint32_t>(cores.num_cores()), bytes}),
                DataType::UINT8,
                Layout::ROW_MAJOR,
                {TensorMemoryLayout::HEIGHT_SHARDED, memory, one_each}};
    }
    std::uint32_t size_bytes_;
    CoreRangeSet senders_;
    CoreRangeSet receivers_;
    std::shared_ptr<Buffer> data_;
    std::shared_ptr<Buffer> ends_;  // freed before the data, as in TT-NN
};

void bind_global_circular_buffers(nb::module_& m) {
    nb::class_<GlobalCircularBuffer>(
        m, "global_circular_buffer",
        "A circular buffer of senders and receivers that outlives programs; without values here.")
        .def("size", &GlobalCircularBuffer::size_bytes, "Bytes of data in each core.")
        .def("sender_cores", &GlobalCircularBuffer::sender_cores, "The cores that send.")
        .def("receiver_cores", &GlobalCircularBuffer::receiver_cores, "The cores that receive.")
        .def(
            "sender_core_type", [](const GlobalCircularBuffer&) { return "worker"; },
            "What the senders are: worker cores.");
    m.def(
        "create_global_circular_buffer",
        [](const std::shared_ptr<Device>& device, const std::vector<SenderAndReceivers>& mapping,
           std::uint32_t size,
           BufferType::Value memory) { return GlobalCircularBuffer(device, mapping, size, memory); },
        "mesh_device"_a, "sender_receiver_core_mapping"_a, "size"_a, "buffer_type"_a = BufferType::L1,
        "Memory for `size` bytes, and for the places and counters of the other ends, in each core of (sender, receivers) "
        "of the mapping, each core once. buffer_type: L1 or L1_SMALL. Raises OutOfMemoryError, RuntimeError.");
}

void bind_semaphores(nb::module_& m) {
    nb::class_<GlobalSemaphore>(
        m, "GlobalSemaphore",
        "A number in L1 of each of some cores, for programs to wait for; without values here.");
    m.def(
        "create_global_semaphore",
        [](const std::shared_ptr<Device>& device, const CoreRangeSet& cores, std::uint32_t /*initial_value*/,
           BufferType::Value memory) { return GlobalSemaphore(device, cores, memory); },
        "mesh_device"_a, "cores"_a, "initial_value"_a, "buffer_type"_a = BufferType::L1,
        "Memory for a semaphore in each of `cores`. Raises OutOfMemoryError.");
    m.def("set_fabric_on", &set_fabric_on, "is_on"_a, "Whether collectives may go between chips.");
    m.def("get_global_semaphore_address", &GlobalSemaphore::address, "global_semaphore"_a,
          "Its address in each of its cores.");
    m.def(
        "reset_global_semaphore_value", [](const GlobalSemaphore&, std::uint32_t) {}, "global_semaphore"_a,
        "reset_value"_a, "Nothing: values of semaphores are not modelled.");
}

}  // namespace

void bind_device(nb::module_& module) {
    bind_mesh_shape(module);
    // Programs hang attributes of their own on a device, as TT-NN's test fixtures do.
    nb::class_<Device>(module, "MeshDevice", nb::dynamic_attr(),
                       "An open device, or several that work as one.")
        .def(
            "id", [](const Device& self) { return static_cast<unsigned>(self.id()); },
            "The id that reports show.")
        .def_prop_ro("shape", &Device::mesh_shape, "Rows and columns of chips.")
        .def_prop_ro(
            "description", [](const Device& self) { return self.description().name; },
            "Name of the device description it was opened with.")
        .def(
            "arch_name", [](const Device& self) { return self.description().arch; },
            "Family of its chips, in capitals.")
        .def("is_open", &Device::is_open, "Whether it was not closed.")
        .def(
            "get_num_devices", [](const Device& self) { return self.chips().size(); }, "Number of its chips.")
        .def("get_device_ids", &Device::chips, "Physical ids of its chips.")
        .def("compute_with_storage_grid_size", &Device::compute_with_storage_grid_size,
             "Columns and rows of cores that operations see.")
        .def(
            "dram_grid_size",
            [](const Device& self) {
                return CoreCoord{static_cast<std::uint32_t>(self.description().dram_banks), 1};
            },
            "Number of DRAM banks, in one row.")
        .def(
            "get_optimal_dram_bank_to_logical_worker_assignment",
            [](const Device& self, nb::handle noc) {
                const bool first = nb::cast<int>(noc.attr("value")) == 0;
                std::vector<CoreCoord> cores;
                for (const DramBankCores& bank : self.description().dram_bank_cores)
                    cores.push_back(first ? bank.noc_0 : bank.noc_1);
                if (cores.empty())
                    throw RuntimeError("dram_bank_cores: not in the description of " +
                                       self.description().name);
                return cores;
            },
            "noc"_a,
            nb::sig("def get_optimal_dram_bank_to_logical_worker_assignment(self, noc: object) -> "
                    "list[CoreCoord]"),
            "The core that reads each bank of DRAM best by that network. Raises RuntimeError where that is "
            "not known.")
        .def(
            "num_program_cache_entries",
            [](Device& self) {
                return self.with_state([](auto&, auto& programs) { return programs.size(); });
            },
            "Number of programs that need not be built again.")
        .def(
            "clear_program_cache", [](Device& self) { clear_program_cache(self); },
            "Forgets the programs and frees their tables.")
        .def(
            "enable_program_cache", [](Device& self) { enable_program_cache(self); },
            "Programs are kept from now on, as they are at first.")
        .def(
            "disable_and_clear_program_cache", [](Device& self) { disable_and_clear_program_cache(self); },
            "Forgets the programs; from now on each call builds its own.")
        .def(
            "set_program_cache_misses_allowed",
            [](Device& self, bool allowed) { set_program_cache_misses_allowed(self, allowed); }, "allowed"_a,
            "Whether calls may build programs that are not in the cache, as at first. Else they raise "
            "RuntimeError, unless the cache is off.")
        .def("_reshape", &Device::reshape, "shape"_a)
        .def("__repr__", [](const Device& self) {
            const MeshShape shape = self.mesh_shape();
            return "MeshDevice(" + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
                   " grid, " + std::to_string(shape.size()) + " devices)";
        });
    module.def(
        "open_device",
        [](int device_id, const std::string& description, std::uint64_t l1_small_size,
           std::uint64_t trace_region_size, std::uint64_t worker_l1_size) {
            return open_device(device_id, {description, l1_small_size, trace_region_size, worker_l1_size});
        },
        "device_id"_a, "description"_a, "l1_small_size"_a = 0, "trace_region_size"_a = 0,
        "worker_l1_size"_a = 0);
    module.def(
        "open_mesh_device",
        [](MeshShape shape, const std::string& description, std::uint64_t l1_small_size,
           std::uint64_t trace_region_size, std::pair<std::uint32_t, std::uint32_t> offset,
           std::vector<std::uint16_t> chips, std::uint64_t worker_l1_size) {
            return open_mesh_device(shape, {description, l1_small_size, trace_region_size, worker_l1_size},
                                    {{offset.first, offset.second}, std::move(chips)});
        },
        "mesh_shape"_a, "description"_a, "l1_small_size"_a, "trace_region_size"_a, "offset"_a, "chips"_a,
        "worker_l1_size"_a = 0);
    module.def(
        "system_mesh_shape",
        [](const std::string& description) {
            const SystemMesh mesh = load_device_description(description).mesh;
            return MeshShape{mesh.rows, mesh.columns};
        },
        "description"_a, "How the chips of the described system lie.");
    module.def(
        "open_submesh",
        [](const Device& mesh, MeshShape shape, std::uint32_t row, std::uint32_t column) {
            return open_submesh(mesh, shape, {row, column});
        },
        "mesh"_a, "shape"_a, "row"_a, "column"_a);
    module.def("close_device", &close_device, "device"_a);
    module.def(
        "num_chips",
        [](const std::string& description) { return load_device_description(description).chips; },
        "description"_a, "Chips on the described board.");
    module.def(
        "arch_name", [](const std::string& description) { return load_device_description(description).arch; },
        "description"_a, "Family of chips of the described board.");
    module.def(
        "memory_facts",
        [](const std::string& description) {
            const DeviceDescription device = load_device_description(description);
            return std::tuple{device.dram_alignment, device.l1_alignment, device.l1_size,
                              device.l1_unreserved_base};
        },
        "description"_a,
        "Of the described board: alignment of DRAM and L1, end of L1, first byte of programs; bytes.");
    module.def(
        "cluster_descriptor",
        [](const std::string& description) {
            return cluster_descriptor_of(load_device_description(description));
        },
        "description"_a, "Of the described board, in the form of TT-NN's reports.");
    module.def("built_in_device_names", &built_in_device_names);
    module.def(
        "set_operation_timeout",
        [](double seconds) {
            set_operation_timeout(std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9)));
        },
        "seconds"_a, "How long one operation may take; 0: as long as it likes.");
    bind_memory_view(module);
    bind_semaphores(module);
    bind_global_circular_buffers(module);
}

}  // namespace tilemeter::python
