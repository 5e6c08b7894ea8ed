// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Drafts of placements, each planned where it differs from another one: from the first call that changed to the one behind the
// last before which all is again as it was.
//
//     PlacementDrafts drafts(device, program, cost);
//     Draft one = drafts.planned(choice, beginning), other = drafts.planned(changed, beginning, &one);
//
// A draft is a proposal (placement_states.hpp): what it says of costs and of what fits is true but for what earlier calls leave
// in the program cache, and for DRAM that is full.
//
// Thread safety: of the thread that made it.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/query/internal/placement_states.hpp"
#include "runtime/query/internal/shared_list.hpp"
#include "runtime/query/placement.hpp"

namespace tilemeter::query::internal {

/// A copy of a value for the calls in [begin, end). Those of one value have no call in common.
struct DraftCopy {
    std::size_t value = 0, begin = 0, end = 0;
    ConfigNumber config = 0;
    friend auto operator<=>(const DraftCopy&, const DraftCopy&) = default;
};

/// A placement by numbers.
struct DraftChoice {
    SharedList<ConfigNumber> put;     ///< by call; 0: the call's own
    std::vector<DraftCopy> copies{};  ///< in order

    void add(const DraftCopy& copy) { copies.insert(std::ranges::upper_bound(copies, copy), copy); }
};

struct DraftCost {
    std::uint64_t dram_bytes = 0, moved_bytes = 0;
    double cost = 0;
    DraftCost& operator+=(const DraftCost& other);
    DraftCost& operator-=(const DraftCost& other);
};

/// What is alive before a call.
using MomentNumber = std::uint32_t;

struct Draft {
    DraftChoice choice;
    SharedList<MomentNumber> moments;  ///< before each call, up to the one that fails, and at the end
    SharedList<DraftCost> costs;       ///< of each call, with the conversions in front of it
    DraftCost total;
    const Transition* failure = nullptr;  ///< null: it fits
    std::size_t failed_call = 0;
    std::size_t walked_from = 0, walked_to = 0;  ///< the calls that were planned for it, and the one behind

    bool fits() const { return failure == nullptr; }
    double cost() const { return fits() ? total.cost : std::numeric_limits<double>::infinity(); }
};

/// Where a program begins.
struct DraftBeginning {
    StateNumber state = 0;
    std::vector<CallOperand> inputs;
};

class PlacementDrafts {
public:
    PlacementDrafts(const std::shared_ptr<Device>& device, const PlaceableProgram& program,
                    const PlacementCost& cost);

    PlacementStates& states() { return states_; }

    /// With the inputs where they lie in this state, or allocated in it. Throws RuntimeError as plan_program().
    DraftBeginning begin(const AllocatorState& state);

    /// `like`: a draft with the same beginning, or null. Up to the call that fails.
    Draft planned(DraftChoice choice, const DraftBeginning& beginning, const Draft* like = nullptr);

    /// Of the calls in [from, to], as far as the draft goes: where they put their results, and all that they find.
    static std::uint64_t hash_of(const Draft& draft, std::size_t from, std::size_t to);

    std::size_t planned_count() const { return planned_; }

private:
    /// A tensor that is alive: a value, or its copy from `copy - 1` on.
    struct Live {
        std::uint32_t value = 0, copy = 0;
        PlaceNumber place = 0;
        std::uint64_t owner = kNobody;  ///< of its memory; kNobody: never freed
        PlaceNumber owners_place = 0;
        friend bool operator==(const Live&, const Live&) = default;
    };
    struct Moment {
        StateNumber state = 0;
        std::vector<Live> live;
        friend bool operator==(const Moment&, const Moment&) = default;
    };
    static constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
    /// Of the memory of inputs, which nobody frees: this and the input's number.
    static constexpr std::uint64_t kInputs = std::uint64_t{1} << 63U;

    /// The calls that two choices do differently: [first, last].
    struct Difference {
        std::size_t first = 0, last = 0;
    };
    Difference difference(const DraftChoice& a, const DraftChoice& b) const;

    class Walk;
    MomentNumber intern(const Moment& moment);

    const std::shared_ptr<Device>& device_;
    const PlaceableProgram& program_;
    const PlacementCost& cost_;
    PlacementStates states_;
    std::vector<std::uint32_t> kinds_;  // by call
    std::uint32_t conversion_kind_ = 0;
    std::vector<std::uint64_t> bytes_;
    std::vector<std::vector<std::size_t>> reads_;  // by value: the calls, rising
    std::vector<std::size_t> made_by_, last_touched_by_;
    std::vector<bool> stays_;
    std::deque<Moment> moments_;
    std::unordered_multimap<std::uint64_t, MomentNumber> moments_by_hash_;
    // Of the draft that is planned: its copies by value, and by the call in front of which they are made.
    std::vector<std::vector<const DraftCopy*>> copies_of_, copies_at_;
    std::size_t planned_ = 0;
};

}  // namespace tilemeter::query::internal
