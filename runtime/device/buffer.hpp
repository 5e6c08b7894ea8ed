// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One allocation on a device, and the values it holds.
//
// Freed by deallocate() or with its last owner. What NO_DISPATCH captures free is freed in their shadow only:
// when the capture ends, a buffer of before it is allocated again.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "capture/record/records.hpp"
#include "runtime/device/allocation.hpp"
#include "runtime/device/buffer_plan.hpp"
#include "runtime/types/host_array.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

class Device;

/// Values of one tensor, one array per chip of the device.
using ChipValues = std::vector<HostArray>;

class Buffer {
    struct Private {  // who has one may make buffers
        explicit Private() = default;
    };

public:
    Buffer(Private, std::shared_ptr<Device> device) : device_(std::move(device)) {}

    /// Allocates what `spec` needs on `device` and emits it. Throws OutOfMemoryError, RuntimeError.
    static std::shared_ptr<Buffer> allocate(std::shared_ptr<Device> device, const TensorSpec& spec);
    /// The same, planned before for a device of that description.
    static std::shared_ptr<Buffer> allocate(std::shared_ptr<Device> device, const BufferPlan& plan);

    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    Device& device() const { return *device_; }
    const std::shared_ptr<Device>& shared_device() const { return device_; }
    record::BufferId id() const { return node_.allocation.facts.buffer; }
    std::uint64_t address() const { return node_.allocation.facts.address; }
    std::uint64_t size_bytes() const { return node_.allocation.facts.size_bytes; }
    std::uint64_t size_per_bank_bytes() const { return node_.allocation.facts.size_per_bank_bytes; }
    std::uint64_t page_size_bytes() const { return node_.allocation.facts.page_size_bytes; }
    record::MemoryType memory() const { return node_.allocation.facts.memory; }

    /// Whether the memory is there now: not freed, and the device open. One that was planned in a NO_DISPATCH
    /// capture stays what it is when that has ended: without memory and without values, but a tensor whose
    /// kind and place are known, as TT-NN's are.
    bool is_allocated() const;

    void deallocate();

    /// The memory stays allocated until the device closes (in a NO_DISPATCH capture: until that ends),
    /// whether or not anybody holds the buffer.
    void keep_until_close();

    /// What the buffer holds; nullptr for one planned in a NO_DISPATCH capture.
    const std::shared_ptr<const ChipValues>& values() const { return values_; }
    void set_values(std::shared_ptr<const ChipValues> values) { values_ = std::move(values); }

    /// Spec of the tensor that it was made for, interned.
    record::TensorSpecId spec_id() const { return node_.allocation.spec; }

private:
    void emit_free() const;

    const std::shared_ptr<Device> device_;
    AllocationList::Node node_;
    bool freed_ = true;  // until it is allocated
    bool kept_ = false;
    std::shared_ptr<const ChipValues> values_;
};

}  // namespace tilemeter
