// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/buffer_tracker.hpp"

#include <algorithm>

namespace tilemeter::analysis::internal {

BufferTracker::BufferTracker(const NodeList& list, MemoryLifetimes& lifetimes, DeviceTable& devices)
    : list_(list), lifetimes_(lifetimes), devices_(devices) {
    lifetime_of_buffer_.assign(list.size(), kNoIndex);
    buffer_of_tensor_.assign(list.size(), kNoIndex);
    lifetimes_.lifetime_of_tensor.assign(list.size(), kNoIndex);
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != NodeType::kBuffer) continue;
        for (const std::int64_t target : list.connections(node))
            if (list.holds(target) && list.tensor(static_cast<std::size_t>(target)) != nullptr)
                buffer_of_tensor_[static_cast<std::size_t>(target)] = node;
    }
}

std::uint32_t BufferTracker::add_lifetime(std::uint32_t node, const NodeList::Buffer& buffer) {
    const auto index = static_cast<std::uint32_t>(lifetimes_.buffers.size());
    BufferLifetime& lifetime = lifetimes_.buffers.emplace_back();
    lifetime.node = node;
    lifetime.device = devices_.slot_of_device(buffer.device);
    lifetime.memory = buffer.memory;
    lifetime.size_bytes = buffer.size_bytes.size_bytes();
    lifetime.address = buffer.address;
    lifetime.before_window = true;
    return index;
}

std::uint32_t BufferTracker::lifetime_of_connection(std::uint32_t node) const {
    const auto targets = list_.connections(node);
    if (targets.empty() || !list_.holds(targets.front())) return kNoIndex;
    return lifetime_of_buffer_[static_cast<std::size_t>(targets.front())];
}

void BufferTracker::occupy(std::uint32_t index) {
    const BufferLifetime& lifetime = lifetimes_.buffers[index];
    if (lifetime.address.value_or(0) > 0)
        live_.insert_or_assign(Place{lifetime.device, lifetime.memory, lifetime.address.value_or(0)}, index);
}

void BufferTracker::vacate(std::uint32_t index) {
    const BufferLifetime& lifetime = lifetimes_.buffers[index];
    if (lifetime.address.value_or(0) <= 0) return;
    const auto found = live_.find(Place{lifetime.device, lifetime.memory, lifetime.address.value_or(0)});
    if (found != live_.end() && found->second == index) live_.erase(found);
}

void BufferTracker::on_buffer(std::uint32_t node) {
    const NodeList::Buffer* buffer = list_.buffer(node);
    if (buffer != nullptr) lifetime_of_buffer_[node] = add_lifetime(node, *buffer);
}

void BufferTracker::on_allocate(std::uint32_t node) {
    const NodeList::Buffer* row = list_.buffer(node);
    if (row == nullptr) return;
    std::uint32_t index = lifetime_of_connection(node);
    const bool is_new = index != kNoIndex && lifetimes_.buffers[index].before_window &&
                        lifetimes_.buffers[index].end == kNoIndex;
    if (!is_new) {  // no buffer node, or one that was allocated before: another lifetime
        const std::uint32_t earlier = index;
        index = add_lifetime(node, *row);
        if (earlier != kNoIndex)
            lifetime_of_buffer_[static_cast<std::size_t>(list_.connections(node).front())] = index;
        else
            lifetime_of_buffer_[node] = index;
    }
    BufferLifetime& lifetime = lifetimes_.buffers[index];
    lifetime.before_window = false;
    lifetime.begin = node;
    lifetime.maker = lifetimes_.scopes.of_node[node];
    lifetime.address = row->address;
    lifetime.memory = row->memory;
    lifetime.per_bank = bank_size_of(list_, *row, nullptr);
    if (row->size_bytes.given()) lifetime.size_bytes = row->size_bytes.size_bytes();
    occupy(index);
    lifetimes_.events.push_back({node, MemoryEvent::Kind::kAllocate, index});
}

void BufferTracker::on_deallocate(std::uint32_t node) {
    const NodeList::Buffer* row = list_.buffer(node);
    if (row == nullptr) return;
    std::uint32_t index = lifetime_of_connection(node);
    if (index == kNoIndex && row->address.value_or(0) > 0) {
        const Place place{devices_.slot_of_device(row->device), row->memory, row->address.value_or(0)};
        if (const auto found = live_.find(place); found != live_.end()) index = found->second;
    }
    if (index == kNoIndex) index = add_lifetime(node, *row);
    BufferLifetime& lifetime = lifetimes_.buffers[index];
    if (lifetime.end != kNoIndex) return;  // released twice
    lifetime.end = node;
    if (lifetime.before_window) {  // the fields that the allocation would have had
        if (!lifetime.address.given()) lifetime.address = row->address;
        if (row->size_per_bank_bytes.given())
            lifetime.per_bank = {row->size_per_bank_bytes.size_bytes(), SizeOrigin::kRecorded};
    }
    vacate(index);
    lifetimes_.events.push_back({node, MemoryEvent::Kind::kRelease, index});
}

std::uint32_t BufferTracker::lifetime_by_address(const NodeList::Tensor& tensor) {
    for (const DeviceTensor& entry : parse_device_tensors(list_.text(tensor.device_tensors))) {
        if (entry.address.value_or(0) <= 0 || !entry.device.given()) continue;
        const std::uint16_t device = devices_.slot_of_tensor(entry.device);
        for (const MemoryType memory : {MemoryType::kL1, MemoryType::kDram, MemoryType::kL1Small}) {
            const bool fits =
                (memory == MemoryType::kDram) ==
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
        index = lifetime_of_buffer_[buffer_of_tensor_[node]];
    else
        index = lifetime_by_address(*tensor);
    if (index == kNoIndex) return;
    lifetimes_.lifetime_of_tensor[node] = index;
    BufferLifetime& lifetime = lifetimes_.buffers[index];
    if (lifetime.before_window && !lifetime.address.given() && tensor->address.given()) {
        lifetime.address = tensor->address;
        occupy(index);
    }
    note_uses(node, index);
}

void BufferTracker::note_uses(std::uint32_t tensor_node, std::uint32_t index) {
    BufferLifetime& lifetime = lifetimes_.buffers[index];
    if (lifetime.tensor == kNoIndex) lifetime.tensor = tensor_node;
    for (const std::int64_t target : list_.connections(tensor_node)) {
        if (!list_.holds(target)) continue;
        const auto function = static_cast<std::uint32_t>(target);
        if (list_.nodes[function].kind != NodeType::kFunctionStart) continue;
        const Scope& scope = lifetimes_.scopes.scopes[lifetimes_.scopes.of_node[function]];
        const std::uint32_t end =
            scope.end == kNoIndex ? static_cast<std::uint32_t>(list_.size() - 1) : scope.end;
        ++lifetime.uses;
        lifetime.first_use = std::min(lifetime.first_use, function);
        lifetime.last_use = lifetime.last_use == kNoIndex ? end : std::max(lifetime.last_use, end);
    }
}

void BufferTracker::finish() {
    for (std::uint32_t node = 0; node < list_.size(); ++node) {
        const std::uint32_t buffer = buffer_of_tensor_[node];
        if (buffer == kNoIndex || lifetimes_.lifetime_of_tensor[node] != kNoIndex) continue;
        lifetimes_.lifetime_of_tensor[node] = lifetime_of_buffer_[buffer];
        if (lifetime_of_buffer_[buffer] == kNoIndex) continue;
        BufferLifetime& lifetime = lifetimes_.buffers[lifetime_of_buffer_[buffer]];
        if (lifetime.before_window && !lifetime.address.given())
            lifetime.address = list_.tensor(node)->address;
        note_uses(node, lifetime_of_buffer_[buffer]);
    }
    for (const NodeList::Buffer& buffer : list_.buffers_without_nodes) {
        const std::uint32_t index = add_lifetime(kNoIndex, buffer);
        lifetimes_.buffers[index].per_bank = bank_size_of(list_, buffer, nullptr);
    }
    std::vector<MemoryEvent> earlier;
    for (std::uint32_t index = 0; index < lifetimes_.buffers.size(); ++index) {
        BufferLifetime& lifetime = lifetimes_.buffers[index];
        if (!lifetime.before_window) continue;
        const NodeList::Buffer* row = list_.buffer(lifetime.node);
        const NodeList::Tensor* tensor =
            lifetime.tensor == kNoIndex ? nullptr : list_.tensor(lifetime.tensor);
        if (lifetime.per_bank.bytes == 0 && row != nullptr)
            lifetime.per_bank = bank_size_of(list_, *row, tensor);
        earlier.push_back({0, MemoryEvent::Kind::kAllocate, index});
    }
    lifetimes_.events.insert(lifetimes_.events.begin(), earlier.begin(), earlier.end());
}

}  // namespace tilemeter::analysis::internal
