// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A buffer: one allocation on a device, and the values of the tensor in it. A part of a buffer is a buffer, too: it
// lies in the memory of the whole at an address of its own, has the id of the whole, and is allocated and freed with it.
//
// A buffer is freed by deallocate() or with its last owner. A NO_DISPATCH capture frees buffers in its shadow
// only: when the capture ends, those that existed before it are allocated again.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
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

/// The part of a buffer's values that a part of its memory has.
class PartOfValues {
public:
    virtual ~PartOfValues() = default;
    /// The part's values, out of those of the whole.
    virtual ChipValues take(const ChipValues& whole) const = 0;
    /// Those of the whole with the part's in their place. `whole`: nullptr where they are not known, which counts as zeros.
    virtual ChipValues put(const ChipValues* whole, const ChipValues& part) const = 0;
};

/// The values of a part out of `whole`, and those of the whole with the part's replaced. Without a part: all. Where one of
/// both stands for values that nobody computed (it has no arrays), so does the result.
std::shared_ptr<const ChipValues> take_part(const PartOfValues* part,
                                            const std::shared_ptr<const ChipValues>& whole);
std::shared_ptr<const ChipValues> put_part(const PartOfValues* part,
                                           const std::shared_ptr<const ChipValues>& whole,
                                           std::shared_ptr<const ChipValues> values);

class Buffer : public std::enable_shared_from_this<Buffer> {
    struct Private {  // restricts construction to the functions below
        explicit Private() = default;
    };

public:
    Buffer(Private, std::shared_ptr<Device> device) : device_(std::move(device)) {}

    /// Allocates what `spec` needs on `device` and emits it. Throws OutOfMemoryError, RuntimeError.
    static std::shared_ptr<Buffer> allocate(std::shared_ptr<Device> device, const TensorSpec& spec);
    /// The same from a plan that was made for a device of the same description.
    static std::shared_ptr<Buffer> allocate(std::shared_ptr<Device> device, const BufferPlan& plan);

    /// A part of `whole`, which may be one itself: as `plan` says, `offset_bytes` behind its address in every bank. It
    /// keeps `whole` alive. REQUIRES: it lies within the memory of `whole`.
    static std::shared_ptr<Buffer> part_of(std::shared_ptr<Buffer> whole, const BufferPlan& plan,
                                           std::uint64_t offset_bytes,
                                           std::shared_ptr<const PartOfValues> values);

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

    bool is_part() const { return part_ != nullptr; }
    /// In a part: the buffer that has the memory, itself no part, and what it has of that one's values. REQUIRES:
    /// is_part()
    const std::shared_ptr<Buffer>& whole() const { return part_->whole; }
    const std::shared_ptr<const PartOfValues>& part_of_values() const { return part_->values; }

    /// True if the memory has another owner than `buffer`, a part or the whole included.
    static bool is_shared(const std::shared_ptr<Buffer>& buffer) {
        return buffer.use_count() > 1 || (buffer->part_ && buffer->part_->whole.use_count() > 1);
    }

    /// True while the memory is allocated and the device is open. A buffer that was planned in a NO_DISPATCH
    /// capture counts as allocated after the capture, too: it has neither memory nor values, but its spec and
    /// address are known, as those of TT-NN's tensors are.
    bool is_allocated() const;

    void deallocate();

    /// Keeps the memory allocated until the device closes (in a NO_DISPATCH capture: until the capture ends) or
    /// Device::free_kept(), even without an owner.
    void keep_until_close();

    /// The values in the buffer; nullptr for one planned in a NO_DISPATCH capture. Values without an array stand for those
    /// that nobody computed.
    const std::shared_ptr<const ChipValues>& values() const { return part_ ? values_of_part() : values_; }
    void set_values(std::shared_ptr<const ChipValues> values) {
        if (part_) [[unlikely]]
            values = put_part(part_->values.get(), part_->whole->values(), std::move(values));
        (part_ ? part_->whole->values_ : values_) = std::move(values);
    }

    /// As it was allocated.
    const record::BufferRecord& record() const { return node_.allocation.buffer_record; }

    /// Spec of the tensor that it was made for, interned.
    record::TensorSpecId spec_id() const { return node_.allocation.spec; }

private:
    struct Part {
        std::shared_ptr<Buffer> whole;
        std::shared_ptr<const PartOfValues> values;
        std::mutex mutex{};                                 // const calls may take values at the same time
        std::shared_ptr<const ChipValues> taken{}, from{};  // taken last, and what it was taken from
    };
    const std::shared_ptr<const ChipValues>& values_of_part() const;
    void release_around_queries();
    void release();
    bool is_of_past_query() const;
    void emit_free() const;
    void note_free() const;
    bool is_freed_in_shadow() const;

    const std::shared_ptr<Device> device_;
    AllocationList::Node node_;
    bool freed_ = true;  // until it is allocated
    bool kept_ = false;
    bool hooked_ = false;  // without memory (device_hooks.hpp)
    std::shared_ptr<const ChipValues> values_;
    std::unique_ptr<Part> part_;
};

}  // namespace tilemeter
