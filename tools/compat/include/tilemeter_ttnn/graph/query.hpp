// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiler's questions under TT-NN's names: query_op_constraints and its forms with a state of an allocator.
//
//     const auto answer = ttnn::graph::query_op_constraints(ttnn::relu, device.get(), spec);
//     const auto beside = ttnn::graph::query_op_constraints_with_initial_state(ttnn::relu, device.get(), state, spec);
//
// A query is a value: captures, other threads, the device and its program cache see nothing of it, and any thread may ask.
// Members that TT-NN's have not: ResourceUsage from dataflow_buffer_peak_per_core on, ConstraintQueryResponse::refusal and
// outputs, AllocationRecord::shares_input.

#pragma once

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/enums.hpp"
#include "tilemeter_ttnn/graph/graph_trace_utils.hpp"
#include "tilemeter_ttnn/mesh_device.hpp"
#include "tilemeter_ttnn/results.hpp"
#include "tilemeter_ttnn/storage.hpp"
#include "tilemeter_ttnn/tensor.hpp"
#include "tilemeter_ttnn/tensor_spec.hpp"

namespace tilemeter::query {
class AllocatorState;
}

namespace tt::tt_metal::experimental {

class MockAllocator;

/// One allocation of a state, in every bank of its memory.
struct AllocationRecord {
    BufferType buffer_type = BufferType::L1;
    std::uint64_t address = 0;
    std::uint64_t size_per_bank = 0;
    /// Of an output: the input whose memory it has, among the specs of the query.
    std::optional<std::size_t> shares_input = std::nullopt;
};

/// A handle that says that the device answers queries: all of the model do.
MockAllocator* get_mock_allocator(distributed::MeshDevice& device);

/// What is allocated on a device, as a value; copying costs the same whatever is allocated.
class MockAllocatorState {
public:
    /// Of no board: nothing is allocated, and no query takes it.
    MockAllocatorState() = default;

    /// Bytes of one bank; of all memories together.
    std::uint64_t total_allocated_size() const;
    std::uint64_t total_allocated_size(BufferType buffer_type) const;
    bool is_empty(BufferType buffer_type) const;
    std::optional<std::uint64_t> lowest_occupied(BufferType buffer_type) const;

    /// The same banks with these allocations instead. Throws std::runtime_error where they overlap or lie outside.
    MockAllocatorState with_allocations(const std::vector<AllocationRecord>& live) const;

    /// The state of the model; null: of no board.
    const std::shared_ptr<const tilemeter::query::AllocatorState>& model() const { return model_; }
    static MockAllocatorState of(std::shared_ptr<const tilemeter::query::AllocatorState> model) {
        MockAllocatorState state;
        state.model_ = std::move(model);
        return state;
    }

private:
    std::shared_ptr<const tilemeter::query::AllocatorState> model_;
};

MockAllocatorState extract_mock_allocator_state(distributed::MeshDevice& device);
/// Puts the state in the place of what is allocated on the device. Tensors whose memory it has not free nothing.
void override_mock_allocator_state(distributed::MeshDevice& device, const MockAllocatorState& state);

}  // namespace tt::tt_metal::experimental

namespace ttnn::graph {

/// Bytes per core. With a state TT-NN's figures, the first four, leave out dataflow buffers and scratchpads.
struct ResourceUsage {
    std::size_t cb_peak_size_per_core = 0;
    std::size_t l1_buffers_peak_per_core = 0;
    std::size_t peak_memory_usage_per_core = 0;
    std::size_t l1_output_buffer_per_core = 0;
    std::size_t dataflow_buffer_peak_per_core = 0;
    std::size_t scratchpad_peak_per_core = 0;
    std::size_t peak_of_all_kinds_per_core = 0;  ///< tensors and all memory of programs, at one time
    std::size_t program_region_end = 0;          ///< address above the memory of all programs
};

enum class RefusalKind : std::uint8_t {
    OutOfMemory,
    Fragmented,  ///< enough is free, but not in one piece
    Clash,       ///< a program reaches into a tensor
    ProgramTooLarge,
    NotSupported,  ///< the device does it, the model does not
    BadArgument
};

/// An error as data; figures of each bank or core, 0 where the kind has none.
struct Refusal {
    RefusalKind kind = RefusalKind::BadArgument;
    tt::tt_metal::BufferType buffer_type = tt::tt_metal::BufferType::L1;
    std::uint64_t bytes_wanted = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t largest_free_block = 0;
    std::uint64_t region_end = 0;
    std::optional<std::uint64_t> lowest_live_address;
    std::vector<tt::tt_metal::experimental::AllocationRecord> in_the_way;  ///< from the highest address
    std::vector<tt::tt_metal::experimental::AllocationRecord>
        fewest_to_go;  ///< without which the request fits
    std::string operation;
};

struct ConstraintQueryResponse {
    ExecutionStatus status = ExecutionStatus::Error;
    ResourceUsage resource_usage;
    std::optional<std::vector<tt::tt_metal::TensorSpec>> output_tensor_specs;
    std::optional<std::string> error_message;
    std::optional<tt::tt_metal::TensorSpec> output_tensor_spec;  ///< the first; the older name
    std::optional<Refusal> refusal;
    std::vector<tt::tt_metal::experimental::AllocationRecord> outputs;  ///< where each lies
};

struct QueryOutput {
    ConstraintQueryResponse response;
    /// With the outputs in it; as given where the query failed.
    tt::tt_metal::experimental::MockAllocatorState new_state;
    std::vector<tt::tt_metal::experimental::AllocationRecord> output_allocations;
    /// The config that the operation chose or was given: a MatmulProgramConfig, Conv2dConfig, LayerNormProgramConfig or
    /// SoftmaxProgramConfig.
    std::optional<std::any> captured_config;
};

/// A spec of a tensor on a mesh. How it is spread changes nothing of the memory that each chip gives.
struct DistributedTensorSpec {
    tt::tt_metal::TensorSpec tensor_spec;
    tt::tt_metal::TensorTopology tensor_topology;
};

/// Until the scope ends, the calling thread's queries with a state answer as TT-NN's: they see no clash of programs with
/// tensors.
class ScopedIgnoredClashes {
public:
    ScopedIgnoredClashes() : outer_(std::exchange(is_in_force_, true)) {}
    ~ScopedIgnoredClashes() { is_in_force_ = outer_; }
    ScopedIgnoredClashes(const ScopedIgnoredClashes&) = delete;
    ScopedIgnoredClashes& operator=(const ScopedIgnoredClashes&) = delete;
    static bool is_in_force() { return is_in_force_; }

private:
    static inline constinit thread_local bool is_in_force_ = false;
    const bool outer_;
};

namespace detail {

using Function = std::function<std::vector<Tensor>(std::span<const Tensor>)>;

/// The query itself; null: without a state.
QueryOutput ask(tt::tt_metal::distributed::MeshDevice* device,
                const tt::tt_metal::experimental::MockAllocatorState* state,
                std::span<const tt::tt_metal::TensorSpec> specs, const Function& function);

template <typename T>
inline constexpr bool kIsSpec = std::is_same_v<T, tt::tt_metal::TensorSpec>;
template <typename T>
struct IsList : std::false_type {};
template <typename T>
struct IsList<std::vector<T>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
inline constexpr bool kHasSpec = std::is_same_v<T, DistributedTensorSpec>;
/// Whether a spec can be in it, so that a tensor takes its place.
template <typename T>
constexpr bool holds_spec() {
    if constexpr (IsList<T>::value || IsOptional<T>::value)
        return holds_spec<typename T::value_type>();
    else
        return kIsSpec<T> || kHasSpec<T>;
}

using Specs = std::vector<tt::tt_metal::TensorSpec>;

template <typename T>
void note_specs(const T& argument, Specs& specs) {
    if constexpr (kIsSpec<T>) {
        specs.push_back(argument);
    } else if constexpr (kHasSpec<T>) {
        specs.push_back(argument.tensor_spec);
    } else if constexpr (holds_spec<T>()) {
        if constexpr (IsOptional<T>::value) {
            if (argument) note_specs(*argument, specs);
        } else {
            for (const auto& each : argument)
                note_specs(each, specs);
        }
    }
}

/// The argument as the operation takes it; `next`: the tensors of the specs, in the order of note_specs().
template <typename Argument>
auto with_tensors(Argument& argument, const Tensor*& next) {
    using T = std::remove_const_t<Argument>;
    if constexpr (!holds_spec<T>()) {
        return std::ref(argument);
    } else if constexpr (IsOptional<T>::value) {
        using Made = decltype(with_tensors(*argument, next));
        return argument ? std::optional<Made>(with_tensors(*argument, next)) : std::nullopt;
    } else if constexpr (IsList<T>::value) {
        std::vector<decltype(with_tensors(argument.front(), next))> tensors;
        for (auto& each : argument)
            tensors.push_back(with_tensors(each, next));
        return tensors;
    } else {
        return *next++;
    }
}

template <typename T>
T& given(T& argument) {
    return argument;
}
template <typename T>
T& given(std::reference_wrapper<T>& argument) {
    return argument.get();
}

/// The tensors of a result, in order.
inline void collect(const Tensor& tensor, std::vector<Tensor>& tensors) {
    tensors.push_back(tensor);
}
inline void collect(const operations::complex::ComplexTensor& tensor, std::vector<Tensor>& tensors) {
    tensors.push_back(tensor.real());
    tensors.push_back(tensor.imag());
}
inline void collect(const MaxPoolWithIndicesResult& result, std::vector<Tensor>& tensors) {
    tensors.push_back(result.output);
    tensors.push_back(result.indices);
}
template <typename T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void collect(const T& /*number*/, std::vector<Tensor>& /*tensors*/) {}
template <typename T>
void collect(const std::optional<T>& result, std::vector<Tensor>& tensors);
template <typename T>
void collect(const std::vector<T>& results, std::vector<Tensor>& tensors);
template <typename T, std::size_t kCount>
void collect(const std::array<T, kCount>& results, std::vector<Tensor>& tensors);
template <typename First, typename Second>
void collect(const std::pair<First, Second>& results, std::vector<Tensor>& tensors);
template <typename... Each>
void collect(const std::tuple<Each...>& results, std::vector<Tensor>& tensors);
template <typename... Each>
void collect(const std::variant<Each...>& result, std::vector<Tensor>& tensors);

template <typename T>
void collect(const std::optional<T>& result, std::vector<Tensor>& tensors) {
    if (result) collect(*result, tensors);
}
template <typename T>
void collect(const std::vector<T>& results, std::vector<Tensor>& tensors) {
    for (const auto& each : results)
        collect(each, tensors);
}
template <typename T, std::size_t kCount>
void collect(const std::array<T, kCount>& results, std::vector<Tensor>& tensors) {
    for (const auto& each : results)
        collect(each, tensors);
}
template <typename First, typename Second>
void collect(const std::pair<First, Second>& results, std::vector<Tensor>& tensors) {
    collect(results.first, tensors);
    collect(results.second, tensors);
}
template <typename... Each>
void collect(const std::tuple<Each...>& results, std::vector<Tensor>& tensors) {
    std::apply([&](const auto&... each) { (collect(each, tensors), ...); }, results);
}
template <typename... Each>
void collect(const std::variant<Each...>& result, std::vector<Tensor>& tensors) {
    std::visit([&](const auto& each) { collect(each, tensors); }, result);
}

template <typename Op, typename... Args>
QueryOutput ask_of(const tt::tt_metal::experimental::MockAllocatorState* state, Op& op,
                   tt::tt_metal::distributed::MeshDevice* device, Args&... args) {
    Specs specs;
    (note_specs(args, specs), ...);
    return ask(device, state, specs, [&](std::span<const Tensor> tensors) {
        const Tensor* next = tensors.data();
        // Braces: from left to right.
        auto made = std::tuple<decltype(with_tensors(args, next))...>{with_tensors(args, next)...};
        std::vector<Tensor> results;
        std::apply([&](auto&... each) { collect(std::invoke(op, given(each)...), results); }, made);
        return results;
    });
}

}  // namespace detail

/// What the call takes on an empty core, placed nowhere: what is larger than L1 is no error, and inputs count as live. `op`:
/// one of TT-NN's functions or anything that is called with these arguments; each TensorSpec among them, optional or in a
/// list, stands for a tensor.
template <typename Op, typename... Args>
ConstraintQueryResponse query_op_constraints(Op op, tt::tt_metal::distributed::MeshDevice* device,
                                             Args&&... args) {
    return detail::ask_of(nullptr, op, device, args...).response;
}

/// What it takes on top of a state, which has the inputs' memory already. Throws std::runtime_error for another board's.
template <typename Op, typename... Args>
QueryOutput query_op_constraints_with_initial_state(
    Op op, tt::tt_metal::distributed::MeshDevice* device,
    const tt::tt_metal::experimental::MockAllocatorState& initial_state, Args&&... args) {
    return detail::ask_of(&initial_state, op, device, args...);
}

/// The one where there is a state, else the other.
template <typename Op, typename... Args>
QueryOutput query_op_constraints_with_optional_state(
    Op op, tt::tt_metal::distributed::MeshDevice* device,
    const std::optional<tt::tt_metal::experimental::MockAllocatorState>& initial_state, Args&&... args) {
    return detail::ask_of(initial_state ? &*initial_state : nullptr, op, device, args...);
}

}  // namespace ttnn::graph
