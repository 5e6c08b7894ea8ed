// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What the calls of a program do to L1, each asked once: the same call on tensors alike in the same state does the same. States
// and tensors' places have numbers, so that two of them are compared, hashed and copied in constant time.
//
// Of DRAM only what is in it counts, not where, and a call finds no program of earlier ones, nor their tables: an answer here is a
// proposal's, a plan of the whole program has the last word.
//
// Thread safety: of the thread that made it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/query/placement.hpp"

namespace tilemeter::query::internal {

/// Allocators of L1.
using StateNumber = std::uint32_t;
/// A spec, its memory, and there, unless it is DRAM, its address.
using PlaceNumber = std::uint32_t;
/// A memory config; 0: none.
using ConfigNumber = std::uint16_t;

/// A tensor before a call. Tensors with the same `owner` share memory.
struct CallOperand {
    PlaceNumber place = 0;
    std::uint64_t owner = 0;
};

struct Transition {
    static constexpr std::size_t kNoOperand = std::numeric_limits<std::size_t>::max();
    struct Result {
        PlaceNumber place = 0;
        std::size_t shares_operand = kNoOperand;
    };

    StateNumber after = 0;  ///< with operands and results
    bool is_refused = false;
    Refusal refusal{};
    std::string error{};
    std::vector<Result> results{};
    std::vector<std::size_t> freed_operands{};  ///< by the call itself

    /// Its results lie in its operands' memory.
    bool is_view() const;
};

class PlacementStates {
public:
    explicit PlacementStates(std::shared_ptr<Device> device);

    /// The state that a program begins in.
    StateNumber number_of(const AllocatorState& state);
    PlaceNumber number_of(const TensorSpec& spec, const OutputPlace& place);
    ConfigNumber number_of(const MemoryConfig& config);
    const MemoryConfig& config(ConfigNumber number) const { return configs_[number]; }

    bool is_in_dram(PlaceNumber place) const { return places_[place].where.memory == MemoryType::kDram; }

    /// `kind`: of the call and all its arguments but the operands and `put`. Valid as long as this is.
    const Transition& of_call(StateNumber state, std::uint32_t kind, ConfigNumber put,
                              std::span<const CallOperand> operands, const Function& function);

    /// Without the memory of this tensor.
    StateNumber without(StateNumber state, PlaceNumber place);

    std::size_t asked() const { return transitions_.size(); }

private:
    struct Place {
        TensorSpec spec;
        AllocationRecord where;
    };
    struct KeyHash {
        std::size_t operator()(const std::vector<std::uint32_t>& key) const;
    };

    StateNumber intern(DeviceMemory memory);
    Transition asked(StateNumber state, std::span<const CallOperand> operands, const Function& function);
    std::vector<Tensor> operands_in(QueryShadow& shadow, std::span<const CallOperand> operands);

    // A handle of this thread's own: counting up and down the device's would make threads wait for each other.
    const std::shared_ptr<Device> device_;
    std::deque<DeviceMemory> states_;
    std::unordered_multimap<std::uint64_t, StateNumber> states_by_hash_;
    std::deque<Place> places_;
    std::unordered_multimap<std::uint64_t, PlaceNumber> places_by_hash_;
    std::deque<MemoryConfig> configs_;
    std::unordered_map<std::vector<std::uint32_t>, Transition, KeyHash> transitions_;
    std::unordered_map<std::uint64_t, StateNumber> without_;
    std::vector<std::uint32_t> key_;  // of the call that is looked for
};

}  // namespace tilemeter::query::internal
