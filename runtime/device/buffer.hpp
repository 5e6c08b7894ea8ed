// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A buffer: one allocation on a device, and the values of the tensor in it.
//
// A buffer is freed by deallocate() or with its last owner. A NO_DISPATCH capture frees buffers in its shadow
// only: when the capture ends, those that existed before it are allocated again.
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
    struct Private {  // restricts construction to the functions below
        explicit Private() = default;
    };

public:
    Buffer(Private, std::shared_ptr<Device> device) : device_(std::move(device)) {}

    /// Allocates what `spec` needs on `device` and emits it. Throws OutOfMemoryError, RuntimeError.
    static std::shared_ptr<Buffer> allocate(std::shared_ptr<Device> device, const TensorSpec& spec);
    /// The same from a plan that was made for a device of the same description.
    static std::shared_ptr<Buffer> allocate(std::shared_ptr<Device> device, const BufferPlan& plan);

    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    Device& device() const { return *device_; }
    const std::shared_ptr<Device>& shared_device() const { return device_; }
    record::BufferId id() const { return node_.allocation.buffer_record.buffer; }
    std::uint64_t address() const { return node_.allocation.buffer_record.address; }
    std::uint64_t size_bytes() const { return node_.allocation.buffer_record.size_bytes; }
    std::uint64_t size_per_bank_bytes() const { return node_.allocation.buffer_record.size_per_bank_bytes; }
    std::uint64_t page_size_bytes() const { return node_.allocation.buffer_record.page_size_bytes; }
    record::MemoryType memory() const { return node_.allocation.buffer_record.memory; }

    /// True while the memory is allocated and the device is open. A buffer that was planned in a NO_DISPATCH
    /// capture counts as allocated after the capture, too: it has neither memory nor values, but its spec and
    /// address are known, as those of TT-NN's tensors are.
    bool is_allocated() const;

    void deallocate();

    /// Keeps the memory allocated until the device closes (in a NO_DISPATCH capture: until the capture ends),
    /// even without an owner.
    void keep_until_close();

    /// The values in the buffer; nullptr for one planned in a NO_DISPATCH capture.
    const std::shared_ptr<const ChipValues>& values() const { return values_; }
    void set_values(std::shared_ptr<const ChipValues> values) { values_ = std::move(values); }

    /// Spec of the tensor that it was made for, interned.
    record::TensorSpecId spec_id() const { return node_.allocation.spec; }

private:
    void release();
    void emit_free() const;
    bool is_freed_in_shadow() const;

    const std::shared_ptr<Device> device_;
    AllocationList::Node node_;
    bool freed_ = true;  // until it is allocated
    bool kept_ = false;
    std::shared_ptr<const ChipValues> values_;
};

}  // namespace tilemeter
