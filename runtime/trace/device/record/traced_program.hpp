// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A function of TT-NN tensors, traced: a graph of the calls that it made, and the steps that its programs and values took.
//
//     const std::array inputs = {a, b};
//     const auto traced = trace_on_device([](std::span<const Tensor> x) { return std::vector{relu(add(x[0], x[1]))}; }, inputs);
//     std::cout << ir::print(traced->graph());
//     const std::vector<Tensor> y = Executable(traced).replay(inputs);  // executable.hpp
//
// Tracing computes nothing, allocates nothing and emits nothing: the function runs in a planning frame of the calling thread
// (runtime/device/planning.hpp), in which its tensors have specs and addresses. A value of the graph is a buffer at one
// version of what is in it: in-place forms, output tensors, caches and views need nothing of their own.
//
// Refused with TracingError (runtime/device/call_recorder.hpp): reading the values of a traced tensor, tensors of two
// devices, random numbers by seed, metal traces, and values on the host that can't be followed. So are tensors of the
// function that are used after it or in another thread.
//
// Tracing keeps what it has seen; the graph and what a replay needs are made of it when they are first asked for.
//
// Thread safety: all functions may be called from any thread; a traced program does not change.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/graph/planned_replay.hpp"
#include "capture/ir/graph.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter::trace {

namespace internal {
struct Recipe;
struct RecordedCalls;
struct GraphOfCalls;
}  // namespace internal

class TracedProgram {
public:
    explicit TracedProgram(std::shared_ptr<internal::RecordedCalls> recorded);
    /// A program that was made of another one.
    TracedProgram(std::unique_ptr<const internal::GraphOfCalls> graph,
                  std::shared_ptr<const internal::Recipe> recipe);
    ~TracedProgram();
    TracedProgram(const TracedProgram&) = delete;
    TracedProgram& operator=(const TracedProgram&) = delete;

    /// The calls that the function's caller would see, in the operation set "ttnn": "ttnn.softmax" with attributes by the names
    /// of its parameters and places in its types. Parameters: the inputs, then tensors from outside that the function used.
    /// Results: the tensors that it returned. Made at the first call.
    const ir::Graph& graph() const;

    /// By equation of the graph: which call made it, among the function's outermost scopes; kNoCall for a view. The same
    /// scopes, in this order, are in a capture of the function, of a replay and in the report of one.
    std::span<const std::uint32_t> calls() const;
    static constexpr std::uint32_t kNoCall = ~0U;

    const std::shared_ptr<Device>& device() const { return device_; }
    std::size_t input_count() const { return input_count_; }
    /// Buffers from outside that programs of the function read or write; kept alive.
    std::vector<std::shared_ptr<Buffer>> captured() const;
    /// Programs that run, in all.
    std::size_t program_count() const { return program_count_; }

    /// Made at the first call.
    const internal::Recipe& recipe() const;

private:
    const internal::GraphOfCalls& graph_of_calls() const;

    std::shared_ptr<Device> device_;
    std::size_t input_count_;
    std::size_t program_count_;
    // The record is kept until both have been made of it.
    mutable std::once_flag graph_made_, recipe_made_;
    mutable std::shared_ptr<internal::RecordedCalls> recorded_for_graph_, recorded_for_recipe_;
    mutable std::unique_ptr<const internal::GraphOfCalls> graph_;
    mutable std::shared_ptr<const internal::Recipe> recipe_;
};

/// The place of an equation's call: "model.py:51"; empty: not known.
std::string source_of(const ir::Location& location);
/// The operation and that place: "ttnn.exp at model.py:51".
std::string text_with_source(const ir::Equation& equation);

using TensorFunction = std::function<std::vector<Tensor>(std::span<const Tensor>)>;

/// Fills in the place in the user's program that runs now, in the calling thread; false: it is not known. Always given the same
/// object in one trace. That of runtime/trace/arrays/apply.hpp fits.
using LocationSource = bool (*)(ir::Location& location);

struct DeviceTraceOptions {
    std::string name = "main";                 ///< of the graph
    std::vector<std::string> input_names{};    ///< "x", "weights"; missing ones are "input_0" and so on
    LocationSource location_source = nullptr;  ///< of equations; none: they have no places
};

/// Runs `function` once on `inputs`, all on one device, to see what it does. What it throws passes through.
std::shared_ptr<const TracedProgram> trace_on_device(const TensorFunction& function,
                                                     std::span<const Tensor> inputs,
                                                     const DeviceTraceOptions& options = {});

// ---- passes. A record of gradients (gradient_record.hpp) says what it sees and what it makes: those equations have the attribute
// "pass", "forward" or "backward", in texts and files as well. What the others are for follows from what they read.

using Pass = graph::Pass;
using graph::name_of;

inline constexpr std::string_view kPassAttribute = "pass";

/// By equation. Nothing is read from names of operations.
std::vector<Pass> passes_of(const ir::Graph& graph);

}  // namespace tilemeter::trace
