// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A traced function that runs again without its calls: programs, allocations and host values in their order.
//
// A replay emits what calling the function would emit: the same scopes with the same arguments, tensors, buffers and
// programs. Buffers are allocated as the calls would allocate them, so that with the same tensors on the device they
// have the same addresses. Out of memory and program memory that finds no room are found where the calls would find
// them. Programs and their tables are on the device as long as the executable lives: each is a hit in the program
// cache.
//
// A replay at addresses that were planned before puts its buffers and program memory there, whatever lies there now, as
// a metal trace does. The live buffers that it would overwrite are known before. replay() itself overwrites nobody: all
// that it uses it allocates.
//
// In a NO_DISPATCH capture or a planning frame a replay is planned only.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "capture/graph/planned_replay.hpp"
#include "capture/record/window.hpp"
#include "runtime/tensor/tensor.hpp"
#include "runtime/trace/device/record/traced_program.hpp"
#include "runtime/trace/device/replay/hazards.hpp"

namespace tilemeter::trace {

/// The behaviour of replay_at() where live buffers would be overwritten.
enum class OnHazard : std::uint8_t {
    kRefuse,  ///< throws before anything is done
    kMove,    ///< plans again, around what is alive
    kAllow  ///< goes on. What was overwritten is lost on a device; on this host the tensors keep their values
};

/// The places of a replay's allocations, in order; among them, for a program that follows the free L1, what it was
/// planned for.
using ReplayAddresses = std::vector<std::uint64_t>;

/// Writes the report of a capture to a file; empty, or what is wrong. report::write_report() does.
using ReportWriter = std::function<std::string(const graph::CapturedGraph&, const std::filesystem::path&)>;

class Executable {
public:
    /// Puts the tables of its programs on the device. Throws OutOfMemoryError, TracingError for a device that was closed
    /// (kBadArgument) and for a tensor from outside that the function used and that is gone (kEscapedTracer).
    explicit Executable(std::shared_ptr<const TracedProgram> traced);

    const TracedProgram& traced() const { return *traced_; }

    /// The tables of its programs, in the order of the recipe's slots.
    std::span<const std::shared_ptr<Buffer>> tables() const { return tables_; }

    /// The results, as the function would return them. `inputs`: of the specs that were traced, allocated on the
    /// same device, which is open. Where the function writes to its inputs or to tensors from outside, inputs share buffers with each other as
    /// they did when it was traced. Throws TracingError (kBadArgument) unless that is so, else what the calls would throw.
    std::vector<Tensor> replay(std::span<const Tensor> inputs) const;

    /// The places of the allocations of a replay on these inputs, planned on the memory of the device as it is.
    ReplayAddresses plan_addresses(std::span<const Tensor> inputs) const;

    /// The hazards of a replay at these addresses: live buffers that it would overwrite, each live buffer with each
    /// that overwrites it, in the order of the replay. Buffers that the function frees itself before are not among
    /// them.
    std::vector<Hazard> hazards(const ReplayAddresses& addresses, std::span<const Tensor> inputs) const;

    /// As replay(), at these addresses; where buffers have moved (kMove) these are the new ones afterwards. Throws TracingError
    /// (kBadArgument) with the first hazard, and as replay().
    std::vector<Tensor> replay_at(ReplayAddresses& addresses, std::span<const Tensor> inputs,
                                  OnHazard on_hazard = OnHazard::kRefuse) const;

    /// A forecast of a replay on these inputs, planned on the memory of the device as it is: a capture in which nothing
    /// is dispatched. `addresses`, where given: those of the replay, as plan_addresses() gives them.
    record::Recording plan(std::span<const Tensor> inputs, ReplayAddresses* addresses = nullptr) const;

    /// The report of it, written by `write`. Throws std::runtime_error if it can't be written.
    void save(const std::filesystem::path& path, std::span<const Tensor> inputs,
              const ReportWriter& write) const;

    /// The traced graph, each equation with the ids of the operations in that report which it stands for, the `counter` of
    /// their nodes, as the attribute "captured".
    ir::Graph graph_of_report(std::span<const Tensor> inputs) const;

private:
    void require_inputs(std::span<const Tensor> inputs) const;
    void begin_replay(std::span<const Tensor> inputs) const;

    std::shared_ptr<const TracedProgram> traced_;
    std::vector<std::shared_ptr<Buffer>> tables_;
    std::vector<std::shared_ptr<const CachedProgram>>
        programs_;  ///< by number in the recipe, with tables of their own
};

/// The places of inputs.
using BufferPlaces = std::vector<graph::BufferPlace>;
BufferPlaces places_of(std::span<const Tensor> inputs);

/// Facts about a replay beside its capture, for answers over its memory (report/analysis/answers/memory_plan.hpp): of
/// one on inputs that lay there when it was planned.
graph::PlannedReplay planned_replay(const Executable& executable, const BufferPlaces& inputs);
graph::PlannedReplay planned_replay(const Executable& executable, std::span<const Tensor> inputs);

}  // namespace tilemeter::trace
