// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/buffer.hpp"

#include <utility>

#include "capture/record/emit.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_hooks.hpp"
#include "runtime/device/freed_views.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/device/query_shadow.hpp"

namespace tilemeter {

namespace {

record::Origin origin_now() {
    return planning_epoch() == 0 ? record::Origin::kObserved : record::Origin::kPlanned;
}

// Says so to the recorder of the function that the calling thread traces, if there is one.
void note_free_outside(const Buffer& buffer) {
    if (CallRecorder* const recorder = call_recorder()) recorder->on_free_outside(buffer);
}

// True if the calling thread plans, and has not made it in its own shadow.
bool is_made_outside(const Allocation& allocation) {
    const std::uint64_t epoch = planning_epoch();
    return epoch != 0 && allocation.shadow_epoch != epoch;
}

class PartOfPart : public PartOfValues {
public:
    PartOfPart(std::shared_ptr<const PartOfValues> outer, std::shared_ptr<const PartOfValues> inner)
        : outer_(std::move(outer)), inner_(std::move(inner)) {}

    ChipValues take(const ChipValues& whole) const override { return inner_->take(outer_->take(whole)); }
    ChipValues put(const ChipValues* whole, const ChipValues& part) const override {
        if (whole == nullptr) return outer_->put(nullptr, inner_->put(nullptr, part));
        const ChipValues around = outer_->take(*whole);
        return outer_->put(whole, inner_->put(&around, part));
    }

private:
    std::shared_ptr<const PartOfValues> outer_, inner_;
};

}  // namespace

std::shared_ptr<const ChipValues> take_part(const PartOfValues* part,
                                            const std::shared_ptr<const ChipValues>& whole) {
    if (part == nullptr || !whole || whole->empty()) return whole;
    return std::make_shared<const ChipValues>(part->take(*whole));
}

std::shared_ptr<const ChipValues> put_part(const PartOfValues* part,
                                           const std::shared_ptr<const ChipValues>& whole,
                                           std::shared_ptr<const ChipValues> values) {
    if (part == nullptr || !values || values->empty()) return values;
    if (whole && whole->empty()) return whole;
    return std::make_shared<const ChipValues>(part->put(whole.get(), *values));
}

std::shared_ptr<Buffer> Buffer::allocate(std::shared_ptr<Device> device, const TensorSpec& spec) {
    const BufferPlan plan = plan_buffer(spec, device->description());
    return allocate(std::move(device), plan);
}

std::shared_ptr<Buffer> Buffer::allocate(std::shared_ptr<Device> device, const BufferPlan& plan) {
    auto buffer = std::make_shared<Buffer>(Private(), std::move(device));
    buffer->node_.buffer = buffer.get();
    Allocation& allocation = buffer->node_.allocation;
    allocation.buffer_record = plan.buffer_record;
    QueryShadow* const query = QueryShadow::current();
    allocation.buffer_record.buffer =
        query != nullptr ? static_cast<record::BufferId>(query->next_id()) : record::next_buffer_id();
    allocation.buffer_record.device = buffer->device_->id();
    allocation.spec = plan.spec;
    allocation.operation = ScopedUserOperation::current();
    buffer->device_->emit_live_buffers_once();
    DeviceHooks* const hooks = device_hooks();
    if (hooks != nullptr && hooks->takes_allocation(allocation.buffer_record)) [[unlikely]] {
        allocation.buffer_record.address = 0;
        buffer->hooked_ = true;
    } else {
        buffer->device_->allocate(buffer->node_, plan.num_banks);
    }
    buffer->freed_ = false;
    // As on the device nothing is allocated for a tensor without elements.
    if (allocation.buffer_record.size_bytes != 0)
        record::emit_buffer_allocate(allocation.buffer_record, origin_now());
    if (CallRecorder* const recorder = call_recorder()) [[unlikely]]
        recorder->on_allocate(buffer, plan);
    return buffer;
}

std::shared_ptr<Buffer> Buffer::part_of(std::shared_ptr<Buffer> whole, const BufferPlan& plan,
                                        std::uint64_t offset_bytes,
                                        std::shared_ptr<const PartOfValues> values) {
    auto buffer = std::make_shared<Buffer>(Private(), whole->shared_device());
    buffer->node_.buffer = buffer.get();
    Allocation& allocation = buffer->node_.allocation;
    allocation.buffer_record = plan.buffer_record;
    allocation.buffer_record.buffer = whole->id();
    allocation.buffer_record.device = buffer->device_->id();
    allocation.buffer_record.address = whole->address() + offset_bytes;
    allocation.spec = plan.spec;
    if (whole->part_) {
        values = std::make_shared<PartOfPart>(whole->part_->values, std::move(values));
        whole = whole->part_->whole;
    }
    buffer->part_ = std::make_unique<Part>(std::move(whole), std::move(values));
    return buffer;
}

const std::shared_ptr<const ChipValues>& Buffer::values_of_part() const {
    const std::shared_ptr<const ChipValues>& whole = part_->whole->values();
    if (!whole || whole->empty()) return whole;
    const std::lock_guard lock(part_->mutex);
    if (part_->from != whole) {
        part_->taken = take_part(part_->values.get(), whole);
        part_->from = whole;
    }
    return part_->taken;
}

Buffer::~Buffer() {
    if (!freed_ && !kept_) drop_around_traces(*this, [this] { release_around_queries(); });
}

// A garbage collector runs while a query is answered, too.
void Buffer::release_around_queries() {
    const QueryShadow* const query = QueryShadow::current();
    if (query == nullptr || query->epoch() == node_.allocation.shadow_epoch) return release();
    const ScopedAroundQuery around;
    release_around_queries();
}

bool Buffer::is_of_past_query() const {
    const std::uint64_t epoch = node_.allocation.shadow_epoch;
    if (!QueryShadow::is_epoch(epoch)) return false;
    const QueryShadow* const query = QueryShadow::current();
    return query == nullptr || query->epoch() != epoch;
}

void Buffer::release() {
    if (is_of_past_query()) return;
    if (hooked_) [[unlikely]] {
        if (device_->is_open()) emit_free();
        if (DeviceHooks* const hooks = device_hooks()) hooks->takes_free(record());
        return;
    }
    const bool gone_already = is_refused_here(node_.allocation.shadow_epoch) || is_freed_in_shadow();
    if (!gone_already && device_->is_open()) {
        emit_free();
        DeviceHooks* const hooks = device_hooks();
        if (hooks != nullptr && hooks->takes_free(record())) [[unlikely]]
            return device_->keep(node_);
    }
    if (!gone_already && is_made_outside(node_.allocation)) {
        note_free_outside(*this);
        device_->free_in_shadow(node_);
    }
    note_free();
    device_->free(node_);
}

// Metal traces read what it leaves behind.
void Buffer::note_free() const {
    if (!freed_ && node_.allocation.shadow_epoch == 0) device_->traces().memory().note_free(*this);
}

void Buffer::keep_until_close() {
    if (part_) return part_->whole->keep_until_close();
    if (hooked_) return;
    kept_ = true;
    device_->keep(node_);
}

bool Buffer::is_allocated() const {
    if (part_) [[unlikely]]
        return part_->whole->is_allocated();
    if (is_refused_here(node_.allocation.shadow_epoch)) [[unlikely]] {
        note_refused(*this);
        return false;
    }
    return !freed_ && device_->is_open() && !is_freed_in_shadow();
}

bool Buffer::is_freed_in_shadow() const {
    if (QueryShadow::current() == nullptr && node_.shadows_without_it.load(std::memory_order_relaxed) == 0)
        return false;
    return planning_epoch() != 0 && device_->is_freed_in_shadow(node_);
}

void Buffer::deallocate() {
    if (part_) [[unlikely]]
        return part_->whole->deallocate();
    if (!is_allocated() || is_of_past_query()) return;
    emit_free();
    if (DeviceHooks* const hooks = device_hooks()) [[unlikely]] {
        const bool is_taken = hooks->takes_free(record());
        if (is_taken && !hooked_) device_->keep(node_);
        if (is_taken || hooked_) {
            freed_ = true;
            return values_.reset();
        }
    }
    if (is_made_outside(node_.allocation)) {
        note_free_outside(*this);
        if (device_->free_in_shadow(node_)) return;
    }
    note_free();
    device_->free(node_);
    freed_ = true;
    if (!freed_views_stay()) values_.reset();
}

void Buffer::emit_free() const {
    if (node_.allocation.buffer_record.size_bytes == 0) return;
    device_->emit_live_buffers_once();
    record::emit_buffer_free(node_.allocation.buffer_record, origin_now());
}

}  // namespace tilemeter
