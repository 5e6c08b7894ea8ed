// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/internal/placement_states.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <tuple>

#include "runtime/device/buffer.hpp"
#include "runtime/device/fixed_address.hpp"
#include "runtime/query/internal/refusal.hpp"
#include "runtime/query/internal/results.hpp"
#include "runtime/query/internal/threads_device.hpp"
#include "runtime/types/spec_hash.hpp"

namespace tilemeter::query::internal {

namespace {

using Placing = QueryShadow::Placing;

constexpr MemoryType kCounted[] = {MemoryType::kL1, MemoryType::kL1Small};

bool has(const DeviceMemory& memory, MemoryType type) {
    return memory.num_banks(type) != 0;
}

std::uint64_t hash_of_blocks(const DeviceMemory& memory) {
    std::uint64_t hash = 0;
    for (const MemoryType type : kCounted) {
        if (!has(memory, type)) continue;
        for (const BankBlock& block : memory.allocator(type).blocks())
            if (block.allocated) hash = mix_hash(mix_hash(hash, block.address), block.size);
    }
    return hash;
}

bool has_equal_blocks(const DeviceMemory& a, const DeviceMemory& b) {
    return std::ranges::all_of(
        kCounted, [&](MemoryType type) { return !has(a, type) || a.allocator(type) == b.allocator(type); });
}

}  // namespace

bool Transition::is_view() const {
    return std::ranges::all_of(results, [](const Result& each) { return each.shares_operand != kNoOperand; });
}

std::size_t PlacementStates::KeyHash::operator()(const std::vector<std::uint32_t>& key) const {
    std::size_t hash = key.size();
    for (const std::uint32_t each : key)
        hash = mix_hash(hash, each);
    return hash;
}

PlacementStates::PlacementStates(std::shared_ptr<Device> device)
    : device_(device.get(), [kept = device](Device*) {}), configs_(1) {}

StateNumber PlacementStates::number_of(const AllocatorState& state) {
    return intern(state.memory());
}

StateNumber PlacementStates::intern(DeviceMemory memory) {
    const std::uint64_t hash = hash_of_blocks(memory);
    const auto [begin, end] = states_by_hash_.equal_range(hash);
    for (auto each = begin; each != end; ++each)
        if (has_equal_blocks(states_[each->second], memory)) return each->second;
    const auto number = static_cast<StateNumber>(states_.size());
    states_.push_back(std::move(memory));
    states_by_hash_.emplace(hash, number);
    return number;
}

PlaceNumber PlacementStates::number_of(const TensorSpec& spec, const OutputPlace& place) {
    AllocationRecord where = place;
    if (where.memory == MemoryType::kDram) where.address = 0;
    const std::uint64_t hash =
        mix_hash(mix_hash(hash_of(spec), static_cast<std::uint64_t>(where.memory)), where.address);
    const auto [begin, end] = places_by_hash_.equal_range(hash);
    for (auto each = begin; each != end; ++each)
        if (places_[each->second].where == where && places_[each->second].spec == spec) return each->second;
    const auto number = static_cast<PlaceNumber>(places_.size());
    places_.push_back({spec, where});
    places_by_hash_.emplace(hash, number);
    return number;
}

ConfigNumber PlacementStates::number_of(const MemoryConfig& config) {
    const auto found = std::find(configs_.begin() + 1, configs_.end(), config);
    const auto number = static_cast<ConfigNumber>(found - configs_.begin());
    if (found == configs_.end()) configs_.push_back(config);
    return number;
}

const Transition& PlacementStates::of_call(StateNumber state, std::uint32_t kind, ConfigNumber put,
                                           std::span<const CallOperand> operands, const Function& function) {
    key_.assign({state, kind, put});
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto shared = std::ranges::find(operands.first(i), operands[i].owner, &CallOperand::owner);
        key_.push_back(operands[i].place);
        key_.push_back(static_cast<std::uint32_t>(shared - operands.begin()));
    }
    if (const auto found = transitions_.find(key_); found != transitions_.end()) return found->second;
    std::vector<std::uint32_t> key = key_;
    return transitions_.emplace(std::move(key), asked(state, operands, function)).first->second;
}

std::vector<Tensor> PlacementStates::operands_in(QueryShadow& shadow, std::span<const CallOperand> operands) {
    std::vector<Tensor> tensors;
    tensors.reserve(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Place& place = places_[operands[i].place];
        const PlannedTensor& planned =
            ThreadsDevice::of(*device_).planned(place.spec, device_->description());
        const auto shared = std::ranges::find(operands.first(i), operands[i].owner, &CallOperand::owner);
        if (const auto first = static_cast<std::size_t>(shared - operands.begin()); first < i) {
            tensors.push_back(Tensor::on_device(planned.spec, tensors[first].shared_buffer(), true));
            continue;
        }
        std::optional<ScopedAddress> address;
        shadow.begin(Placing::kNowhere, false);
        if (place.where.memory != MemoryType::kDram) {
            // The state's block becomes the tensor's.
            shadow.begin(Placing::kInMemory, false);
            BankAllocator& bank = shadow.state().memory.allocator(place.where.memory);
            bank.free_if_allocated(place.where.address);
            address.emplace(place.where.address);
        }
        tensors.push_back(Tensor::on_device(planned.spec, Buffer::allocate(device_, planned.buffer)));
    }
    shadow.begin_step(Placing::kInMemory);
    return tensors;
}

Transition PlacementStates::asked(StateNumber number, std::span<const CallOperand> operands,
                                  const Function& function) {
    const DeviceMemory& before = states_[number];
    Transition made;
    QueryShadow shadow(*device_, before, ThreadsDevice::of(*device_).kept(Placing::kInMemory));
    const std::vector<Tensor> tensors = operands_in(shadow, operands);
    try {
        const std::vector<Tensor> results = function(tensors);
        check_results(*device_, shadow, results, [&](record::BufferId buffer) {
            return std::ranges::any_of(tensors, [buffer](const Tensor& each) {
                return each.is_allocated() && whole_of(each).id() == buffer;
            });
        });
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (!tensors[i].is_allocated()) made.freed_operands.push_back(i);
        for (const Tensor& each : results) {
            Transition::Result& result = made.results.emplace_back();
            result.place = number_of(each.spec(), place_of(each));
            for (std::size_t i = 0; i < tensors.size() && result.shares_operand == Transition::kNoOperand;
                 ++i)
                if (tensors[i].is_allocated() && &whole_of(tensors[i]) == &whole_of(each))
                    result.shares_operand = i;
        }
        shadow.free_all_kept();
        DeviceMemory after = before;
        for (const MemoryType type : kCounted)
            if (has(after, type))
                after.allocator(type) = std::as_const(shadow.state().memory).allocator(type);
        made.after = intern(std::move(after));
    } catch (const std::exception& error) {
        made = {};
        made.is_refused = true;
        made.error = one_line(error.what());
        made.refusal = refusal_of(error, shadow, *device_);
    }
    return made;
}

StateNumber PlacementStates::without(StateNumber state, PlaceNumber place) {
    if (is_in_dram(place)) return state;
    const auto [known, is_new] = without_.try_emplace(std::uint64_t{state} << 32U | place, 0);
    if (!is_new) return known->second;
    const AllocationRecord& where = places_[place].where;
    DeviceMemory memory = states_[state];
    memory.allocator(where.memory).free_if_allocated(where.address);
    return known->second = intern(std::move(memory));
}

}  // namespace tilemeter::query::internal
