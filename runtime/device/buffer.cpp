// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/buffer.hpp"

#include <utility>

#include "capture/record/window.hpp"

namespace tilemeter {

namespace {

record::Origin origin_now() {
    return record::shadow_epoch() == 0 ? record::Origin::kObserved : record::Origin::kPlanned;
}

}  // namespace

Buffer::Buffer(std::shared_ptr<Device> device, const record::BufferRecord& facts, std::uint64_t shadow_epoch)
    : device_(std::move(device)), facts_(facts), shadow_epoch_(shadow_epoch) {}

std::shared_ptr<Buffer> Buffer::allocate(std::shared_ptr<Device> device, const TensorSpec& spec) {
    const BufferGeometry geometry = buffer_geometry(spec, device->description());
    const record::MemoryType memory = spec.memory_config.buffer_type;
    const std::uint64_t banks =
        geometry.num_cores != 0 ? geometry.num_cores : num_banks_of(memory, device->description());
    const Device::Placement placement =
        device->allocate(memory, geometry.size_bytes, banks, geometry.size_per_bank_bytes);
    const record::BufferRecord facts{record::next_buffer_id(),
                                     device->id(),
                                     memory,
                                     spec.memory_config.memory_layout,
                                     geometry.num_cores,
                                     placement.address,
                                     geometry.size_bytes,
                                     geometry.size_per_bank_bytes,
                                     geometry.page_size_bytes,
                                     record_placement(spec)};
    device->emit_live_buffers_once();
    std::shared_ptr<Buffer> buffer(new Buffer(std::move(device), facts, placement.shadow_epoch));
    buffer->device_->link_live(*buffer);
    record::emit_buffer_allocate(facts, origin_now());
    return buffer;
}

Buffer::~Buffer() {
    if (!freed_) device_->unlink_live(*this);
    if (freed_ || kept_) return;
    const std::uint64_t epoch = record::shadow_epoch();
    const bool gone_already = epoch != 0 && freed_in_shadow_ == epoch;
    if (!gone_already && device_->is_open()) emit_free();
    if (epoch != 0 && shadow_epoch_ == 0 && !gone_already)
        device_->free_in_shadow(facts_.memory, facts_.address);
    device_->free(facts_.memory, {facts_.address, shadow_epoch_});
}

bool Buffer::is_allocated() const {
    if (freed_ || !device_->is_open()) return false;
    const std::uint64_t epoch = record::shadow_epoch();
    if (shadow_epoch_ != 0) return shadow_epoch_ == epoch;
    return epoch == 0 || freed_in_shadow_ != epoch;
}

void Buffer::deallocate() {
    if (!is_allocated()) return;
    emit_free();
    const std::uint64_t epoch = record::shadow_epoch();
    if (epoch != 0 && shadow_epoch_ == 0) {
        device_->free_in_shadow(facts_.memory, facts_.address);
        freed_in_shadow_ = epoch;
        return;
    }
    device_->free(facts_.memory, {facts_.address, shadow_epoch_});
    device_->unlink_live(*this);
    freed_ = true;
    values_.reset();
}

void Buffer::emit_free() const {
    device_->emit_live_buffers_once();
    record::emit_buffer_free(facts_, origin_now());
}

}  // namespace tilemeter
