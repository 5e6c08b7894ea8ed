// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Where the intermediates of a program go, so that as few bytes as can be found are read from DRAM and written there, and all
// of it fits: results of calls in DRAM, interleaved in L1 or in shards, with conversions where a tensor has to be elsewhere for a
// while. Each candidate is planned step by step (program.hpp) within the budget.
//
//     PlaceableProgram program = {inputs, calls, specs, results, convert};
//     PlacedProgram placed = place_program(device, AllocatorState::of(*device), program, {.l1 = 512 * 1024});
//     placed.dram_bytes, placed.greedy_dram_bytes, placed.least_dram_bytes
//
// Inputs stay where they are, results of the program where it puts them by itself; values go after their last use.
//
// Thread safety: as of queries (query.hpp).

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/query/program.hpp"

namespace tilemeter::query {

/// Called any number of times. `put`: where the results go; null: where the call puts them by itself.
using PlaceableFunction =
    std::function<std::vector<Tensor>(std::span<const Tensor> operands, const MemoryConfig* put)>;

/// A call over numbered values.
struct PlaceableCall {
    std::string name;    ///< "ttnn.matmul"
    std::string source;  ///< "model.py:51"; empty: not known
    PlaceableFunction function;
    std::vector<std::size_t> operands;  ///< values, in the order of the arguments
    std::vector<std::size_t> results;   ///< values; of a call that returns an operand its value
    bool takes_memory_config = false;   ///< and the program does not ask for shards
    /// Calls of one kind do the same with operands that are alike; 0: like no other.
    std::uint64_t kind = 0;
};

struct PlaceableProgram {
    std::vector<ProgramInput> inputs;  ///< the first values
    std::vector<PlaceableCall> calls;
    std::vector<TensorSpec> specs;     ///< of all values, where the program puts them by itself
    std::vector<std::size_t> results;  ///< values that stay
    /// A tensor as it is elsewhere (to_memory_config); none: nothing is converted.
    std::function<std::vector<Tensor>(std::span<const Tensor>, const MemoryConfig&)> convert{};
};

/// A copy of a value, made in front of the call `begin`, which calls before `end` read instead of it.
struct PlacedConversion {
    std::size_t value = 0, begin = 0, end = 0;
    MemoryConfig memory_config;
};

struct Placement {
    std::vector<std::optional<MemoryConfig>> put;  ///< by call; none: the call's own
    std::vector<PlacedConversion> conversions{};
};

/// A call or a conversion, in the order in which they run. Tensors have the numbers of their values; those that conversions
/// make come behind, in the order of the conversions.
struct PlacedStep {
    bool is_conversion = false;
    std::size_t number = 0;  ///< among the calls, or among the conversions
    std::vector<std::size_t> operands{}, results{};
    std::vector<std::size_t> frees{};  ///< after it
};

/// Values that share memory are each in the list of the step after which nobody reads them.
std::vector<PlacedStep> steps_of(const PlaceableProgram& program, const Placement& placement);

/// What a call costs: its operation, the bytes that it reads from DRAM and writes there, the bytes that it moves as a conversion.
using PlacementCost = std::function<double(std::string_view operation, std::uint64_t read,
                                           std::uint64_t written, std::uint64_t moved)>;

struct PlacementOptions {
    std::optional<std::uint64_t> l1{};  ///< bytes per core, with what is alive already; none: all
    PlacementCost cost{};               ///< none: the sum of the bytes
};

/// What became of the results of a call that may be placed.
struct PlacedCall {
    std::size_t call = 0;
    MemoryConfig memory_config;
    std::uint64_t bytes = 0, reads = 0;
    std::uint64_t saves = 0;  ///< bytes that stay away from DRAM if they lie in L1
    std::string why{};        ///< of those in DRAM: the call that finds no place if they lie in L1, too
};

struct PlacedProgram {
    Placement placement;
    std::vector<PlacedStep> steps;  ///< memory that values share is freed once, by its first value
    ProgramAnswer plan;             ///< of the steps, with all of L1
    double cost = 0;
    std::uint64_t dram_bytes = 0;  ///< read from DRAM and written there; a tensor once a call, a view nothing
    std::uint64_t moved_bytes = 0;        ///< by conversions
    std::uint64_t greedy_dram_bytes = 0;  ///< if what is read last goes to DRAM first
    std::uint64_t all_dram_bytes = 0;     ///< with nothing in L1 that need not be there
    std::uint64_t least_dram_bytes = 0;   ///< each input and each result once
    std::uint64_t l1 = 0;                 ///< the budget
    std::uint64_t peak_l1 =
        0;  ///< bytes of the fullest core within it; where more is free, some programs take more
    std::size_t planned = 0;               ///< candidates
    std::vector<PlacedCall> placed_calls;  ///< those that may be placed
};

/// The specs of all values, where the calls put their results by themselves, as stateless queries tell them. Fills in
/// `program.specs` from those of the inputs. Throws RuntimeError, naming the call, where one is refused.
void fill_in_specs(const std::shared_ptr<Device>& device, PlaceableProgram& program);

/// Of up to eight calls that may be placed every choice of DRAM and interleaved L1 is tried; others start from several
/// greedy orders. Both are bettered, call by call, with shards and conversions. What is found for a tenth, two tenths and so on of
/// L1 below the budget is tried, too, so that more of L1 costs no more. What is proposed is planned where it differs from what is
/// known, and what is chosen as a whole. Throws RuntimeError, in one line, for a budget that not even DRAM alone keeps, and as
/// plan_program().
PlacedProgram place_program(const std::shared_ptr<Device>& device, const AllocatorState& state,
                            const PlaceableProgram& program, const PlacementOptions& options = {});

}  // namespace tilemeter::query
