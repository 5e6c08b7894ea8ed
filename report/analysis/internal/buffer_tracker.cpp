// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/internal/buffer_tracker.hpp"

#include <algorithm>

namespace tilemeter::graph::internal {

BufferTracker::BufferTracker(const NodeList& list, MemoryLives& lives, DeviceTable& devices)
    : list_(list), lives_(lives), devices_(devices) {
    life_of_buffer_.assign(list.size(), kNoIndex);
    buffer_of_tensor_.assign(list.size(), kNoIndex);
    lives_.life_of_tensor.assign(list.size(), kNoIndex);
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeKind::kBuffer) continue;
        for (const std::int64_t target : list.connections(node))
            if (list.holds(target) && list.tensor(static_cast<std::size_t>(target)) != nullptr)
                buffer_of_tensor_[static_cast<std::size_t>(target)] = node;
    }
}

std::uint32_t BufferTracker::add_life(std::uint32_t node, const NodeList::Buffer& buffer) {
    const auto index = static_cast<std::uint32_t>(lives_.buffers.size());
    BufferLife& life = lives_.buffers.emplace_back();
    life.node = node;
    life.device = devices_.slot_of_device(buffer.device);
    life.memory = buffer.memory;
    life.size_bytes = buffer.size_bytes.size_bytes();
    life.address = buffer.address;
    life.before_window = true;
    return index;
}

std::uint32_t BufferTracker::life_of_connection(std::uint32_t node) const {
    const auto targets = list_.connections(node);
    if (targets.empty() || !list_.holds(targets.front())) return kNoIndex;
    return life_of_buffer_[static_cast<std::size_t>(targets.front())];
}

void BufferTracker::occupy(std::uint32_t index) {
    const BufferLife& life = lives_.buffers[index];
    if (life.address.value_or(0) > 0)
        live_.insert_or_assign(Place{life.device, life.memory, life.address.value_or(0)}, index);
}

void BufferTracker::vacate(std::uint32_t index) {
    const BufferLife& life = lives_.buffers[index];
    if (life.address.value_or(0) <= 0) return;
    const auto found = live_.find(Place{life.device, life.memory, life.address.value_or(0)});
    if (found != live_.end() && found->second == index) live_.erase(found);
}

void BufferTracker::on_buffer(std::uint32_t node) {
    const NodeList::Buffer* buffer = list_.buffer(node);
    if (buffer != nullptr) life_of_buffer_[node] = add_life(node, *buffer);
}

void BufferTracker::on_allocate(std::uint32_t node) {
    const NodeList::Buffer* row = list_.buffer(node);
    if (row == nullptr) return;
    std::uint32_t index = life_of_connection(node);
    const bool is_new =
        index != kNoIndex && lives_.buffers[index].before_window && lives_.buffers[index].end == kNoIndex;
    if (!is_new) {  // no buffer node, or one that was allocated before: another life
        const std::uint32_t earlier = index;
        index = add_life(node, *row);
        if (earlier != kNoIndex)
            life_of_buffer_[static_cast<std::size_t>(list_.connections(node).front())] = index;
        else
            life_of_buffer_[node] = index;
    }
    BufferLife& life = lives_.buffers[index];
    life.before_window = false;
    life.begin = node;
    life.maker = lives_.scopes.of_node[node];
    life.address = row->address;
    life.memory = row->memory;
    life.per_bank = bank_size_of(list_, *row, nullptr);
    if (row->size_bytes.given()) life.size_bytes = row->size_bytes.size_bytes();
    occupy(index);
    lives_.events.push_back({node, MemoryEvent::Kind::kAllocate, index});
}

void BufferTracker::on_deallocate(std::uint32_t node) {
    const NodeList::Buffer* row = list_.buffer(node);
    if (row == nullptr) return;
    std::uint32_t index = life_of_connection(node);
    if (index == kNoIndex && row->address.value_or(0) > 0) {
        const Place place{devices_.slot_of_device(row->device), row->memory, row->address.value_or(0)};
        if (const auto found = live_.find(place); found != live_.end()) index = found->second;
    }
    if (index == kNoIndex) index = add_life(node, *row);
    BufferLife& life = lives_.buffers[index];
    if (life.end != kNoIndex) return;  // released twice
    life.end = node;
    if (life.before_window) {  // what the allocation would have said
        if (!life.address.given()) life.address = row->address;
        if (row->size_per_bank_bytes.given())
            life.per_bank = {row->size_per_bank_bytes.size_bytes(), SizeOrigin::kRecorded};
    }
    vacate(index);
    lives_.events.push_back({node, MemoryEvent::Kind::kRelease, index});
}

std::uint32_t BufferTracker::life_by_address(const NodeList::Tensor& tensor) {
    for (const DeviceTensor& entry : parse_device_tensors(list_.text(tensor.device_tensors))) {
        if (entry.address.value_or(0) <= 0 || !entry.device.given()) continue;
        const std::uint16_t device = devices_.slot_of_tensor(entry.device);
        for (const Memory memory : {Memory::kL1, Memory::kDram, Memory::kL1Small}) {
            const bool fits =
                (memory == Memory::kDram) ==
                (list_.text(tensor.memory_config).find("BufferType::DRAM") != std::string_view::npos);
            const auto found = live_.find(Place{device, memory, entry.address.value_or(0)});
            if (fits && found != live_.end()) return found->second;
        }
    }
    return kNoIndex;
}

void BufferTracker::on_tensor(std::uint32_t node) {
    const NodeList::Tensor* tensor = list_.tensor(node);
    if (tensor == nullptr) return;
    // The buffer node of a new tensor may come after it; then finish() joins them.
    std::uint32_t index = kNoIndex;
    if (buffer_of_tensor_[node] != kNoIndex)
        index = life_of_buffer_[buffer_of_tensor_[node]];
    else
        index = life_by_address(*tensor);
    if (index == kNoIndex) return;
    lives_.life_of_tensor[node] = index;
    BufferLife& life = lives_.buffers[index];
    if (life.before_window && !life.address.given() && tensor->address.given()) {
        life.address = tensor->address;
        occupy(index);
    }
    note_uses(node, index);
}

void BufferTracker::note_uses(std::uint32_t tensor_node, std::uint32_t index) {
    BufferLife& life = lives_.buffers[index];
    if (life.tensor == kNoIndex) life.tensor = tensor_node;
    for (const std::int64_t target : list_.connections(tensor_node)) {
        if (!list_.holds(target)) continue;
        const auto function = static_cast<std::uint32_t>(target);
        if (list_.nodes[function].kind != NodeKind::kFunctionStart) continue;
        const Scope& scope = lives_.scopes.scopes[lives_.scopes.of_node[function]];
        const std::uint32_t end =
            scope.end == kNoIndex ? static_cast<std::uint32_t>(list_.size() - 1) : scope.end;
        ++life.uses;
        life.first_use = std::min(life.first_use, function);
        life.last_use = life.last_use == kNoIndex ? end : std::max(life.last_use, end);
    }
}

void BufferTracker::finish() {
    for (std::uint32_t node = 0; node < list_.size(); ++node) {
        const std::uint32_t buffer = buffer_of_tensor_[node];
        if (buffer == kNoIndex || lives_.life_of_tensor[node] != kNoIndex) continue;
        lives_.life_of_tensor[node] = life_of_buffer_[buffer];
        if (life_of_buffer_[buffer] == kNoIndex) continue;
        BufferLife& life = lives_.buffers[life_of_buffer_[buffer]];
        if (life.before_window && !life.address.given()) life.address = list_.tensor(node)->address;
        note_uses(node, life_of_buffer_[buffer]);
    }
    std::vector<MemoryEvent> earlier;
    for (std::uint32_t index = 0; index < lives_.buffers.size(); ++index) {
        BufferLife& life = lives_.buffers[index];
        if (!life.before_window) continue;
        const NodeList::Buffer* row = list_.buffer(life.node);
        const NodeList::Tensor* tensor = life.tensor == kNoIndex ? nullptr : list_.tensor(life.tensor);
        if (life.per_bank.bytes == 0 && row != nullptr) life.per_bank = bank_size_of(list_, *row, tensor);
        earlier.push_back({0, MemoryEvent::Kind::kAllocate, index});
    }
    lives_.events.insert(lives_.events.begin(), earlier.begin(), earlier.end());
}

}  // namespace tilemeter::graph::internal
