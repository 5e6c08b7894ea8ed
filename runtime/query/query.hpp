// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiler's questions: what a call takes, and whether it fits beside what is alive.
//
//     const std::array inputs = {TensorSpec{{1, 1, 64, 128}, DataType::BFLOAT16, Layout::TILE, L1_MEMORY_CONFIG}};
//     const auto call = [](std::span<const Tensor> x) { return std::vector{relu(x[0])}; };
//     query::Answer answer = query::ask(device, inputs, call);                // on an empty core, placed nowhere
//     answer = query::ask_beside(device, state, inputs, call);                // on top of a state
//     state = answer.new_state;
//
// The function may be anything that makes tensors of tensors. It runs once, planned only, on a shadow that the query has for
// itself (device/query_shadow.hpp): no capture, no other thread, no allocator and no program cache sees anything of it.
//
// Thread safety: all functions may be called from any thread; queries of several threads don't wait for each other.

#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/query/allocator_state.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter::query {

enum class ExecutionStatus : std::uint8_t { Success, Error };

/// Bytes per core. The first four are TT-NN's figures: with a state they leave out dataflow buffers and scratchpads, since
/// TT-NN runs the call then, and lists none.
struct ResourceUsage {
    std::uint64_t cb_peak_size_per_core = 0;
    std::uint64_t l1_buffers_peak_per_core = 0;
    std::uint64_t peak_memory_usage_per_core = 0;
    std::uint64_t l1_output_buffer_per_core = 0;
    std::uint64_t dataflow_buffer_peak_per_core = 0;
    std::uint64_t scratchpad_peak_per_core = 0;
    std::uint64_t peak_of_all_kinds_per_core = 0;  ///< tensors and all memory of programs, at one time
    std::uint64_t program_region_end = 0;  ///< address above the memory of all programs; L1's base: none
    friend bool operator==(const ResourceUsage&, const ResourceUsage&) = default;
};

enum class RefusalKind : std::uint8_t {
    kOutOfMemory,      ///< less is free than a tensor needs
    kFragmented,       ///< enough is free, but not in one piece
    kClash,            ///< a program reaches into a tensor
    kProgramTooLarge,  ///< a program is larger than L1, or finds no form that is small enough for what is free
    kNotSupported,     ///< the device does it, the model does not
    kBadArgument,      ///< the operation refuses its arguments
};

/// "out_of_memory"
std::string_view name_of(RefusalKind kind);

/// Why a call has no answer, in figures; 0 and none: the kind has none.
struct Refusal {
    RefusalKind kind = RefusalKind::kBadArgument;
    MemoryType memory = MemoryType::kL1;
    std::uint64_t bytes_wanted = 0;        ///< of each bank or, of a program, of the fullest core
    std::uint64_t free_bytes = 0;          ///< of each bank, in all
    std::uint64_t largest_free_block = 0;  ///< of each bank
    std::uint64_t region_end = 0;          ///< of the program
    std::optional<std::uint64_t> lowest_live_address{};
    std::vector<AllocationRecord> in_the_way{};  ///< from the highest address
    /// Those of them that would have to go at the least, so that the request that was refused fits.
    std::vector<AllocationRecord> fewest_to_go{};
    std::string operation{};  ///< the call inside that failed: "ttnn::add"; empty: none
};

/// Where an output lies. Without a place of its own its address is 0: on no shadow, or in the memory of an input.
struct OutputPlace : AllocationRecord {
    std::optional<std::size_t>
        shares_input{};  ///< the input whose memory it has: a view, or an in-place form
};

struct Answer {
    ExecutionStatus status = ExecutionStatus::Error;
    ResourceUsage usage{};
    std::vector<TensorSpec> output_specs{};
    std::vector<OutputPlace> outputs{};  ///< one for each spec
    std::string error{};                 ///< one line; empty: none
    std::optional<Refusal> refusal{};
    AllocatorState
        new_state{};  ///< with a state: the outputs lie in it, temporaries are gone; as given where it failed
    /// What the operation chose by itself or was given: a MatmulProgramConfig, a Conv2dConfig, a variant of LayerNorm's
    /// configs, an OptionalSoftmaxProgramConfig; empty: none of these ran. The last call's counts.
    std::any captured_config{};
};

struct Options {
    /// TT-NN's answer: a program may reach into tensors that are alive, which no query of TT-NN sees.
    bool ignores_clashes = false;
};

/// Called once. Tensors that it makes and keeps are an error of the answer.
using Function = std::function<std::vector<Tensor>(std::span<const Tensor>)>;

/// What the function takes on an empty device that places nothing, so that what is larger than L1 is no error. Inputs count
/// as live. Throws RuntimeError within a traced function and for a closed device.
Answer ask(const std::shared_ptr<Device>& device, std::span<const TensorSpec> inputs,
           const Function& function);

/// On top of `state`, which has the inputs' memory already. Throws as ask(), and for a state of another board.
Answer ask_beside(const std::shared_ptr<Device>& device, const AllocatorState& state,
                  std::span<const TensorSpec> inputs, const Function& function, const Options& options = {});

}  // namespace tilemeter::query
