// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One placement of a program: its steps planned within a budget, and what it costs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/query/placement.hpp"

namespace tilemeter::query::internal {

/// A placement that was planned.
struct Attempt {
    Placement placement;
    double cost = std::numeric_limits<double>::infinity();  ///< of one that does not fit
    std::uint64_t dram_bytes = 0, moved_bytes = 0;
    ProgramAnswer plan{};
    std::uint64_t peak_l1 = 0;  ///< within the budget, what was alive before included
    std::size_t failed_call =
        0;  ///< of one that does not fit: the call, or that in front of which a conversion fails
    std::vector<std::size_t> failed_operands{};  ///< values

    bool fits() const { return !plan.failure; }
};

/// Bytes of the whole tensor, padded.
std::uint64_t bytes_of(const TensorSpec& spec);

/// The tensor in shards over the whole grid, along its rows, its columns or both; none: it has too few tiles, or no tiles.
std::optional<MemoryConfig> shards_of(const TensorSpec& spec, TensorMemoryLayout::Value layout,
                                      CoreCoord grid);

class PlacementPlanner {
public:
    PlacementPlanner(const std::shared_ptr<Device>& device, AllocatorState state,
                     const PlaceableProgram& program, PlacementCost cost);

    /// Planned within so many bytes of L1, and where all of L1 is there: some programs grow with what is free.
    Attempt attempt(Placement placement, std::optional<std::uint64_t> l1);

    std::uint64_t bank() const { return bank_; }    ///< bytes per core that can be allocated
    std::uint64_t alive() const { return alive_; }  ///< of them below which no budget is possible
    std::size_t planned() const { return planned_; }
    CoreCoord grid() const { return device_->description().compute_grid; }
    /// The state in which so many bytes of L1 are there.
    AllocatorState within(std::optional<std::uint64_t> l1) const;

private:
    std::uint64_t taken_for(std::optional<std::uint64_t> l1) const;
    AllocatorState budgeted(std::uint64_t taken) const;
    void add_cost(const std::vector<PlacedStep>& steps, Attempt& attempt) const;

    std::shared_ptr<Device> device_;
    AllocatorState state_;
    const PlaceableProgram& program_;
    PlacementCost cost_;
    std::vector<std::uint64_t> bytes_;
    std::uint64_t bank_ = 0, granularity_ = 0, top_ = 0, alive_ = 0;
    std::size_t planned_ = 0;
};

/// The frees of steps that were planned, with memory that values share freed once, by its first value.
void free_shared_memory_once(const PlaceableProgram& program, const ProgramAnswer& plan,
                             std::vector<PlacedStep>& steps);

}  // namespace tilemeter::query::internal
