// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Whole programs of a compiler, planned step by step (runtime/query/program.hpp), and placed (placement.hpp).

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "runtime/query/placement.hpp"
#include "runtime/query/program.hpp"
#include "tools/python/bindings/answers/query_config.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/tensor_handle.hpp"

namespace tilemeter::python {

namespace {

using namespace nb::literals;
using query::LiveValue;
using query::PlannedStep;
using query::ProgramAnswer;
using query::ProgramFailure;
using query::ProgramValue;

// A value as Python says it: its step, or None for an input, and its index, or None for all results.
using Value = std::pair<std::optional<std::size_t>, std::optional<std::size_t>>;
using Step = std::tuple<std::string, nb::object, std::vector<Value>, std::vector<Value>>;
using Input = std::pair<TensorSpec, std::optional<std::uint64_t>>;

std::vector<ProgramValue> values_of(const std::vector<Value>& values) {
    std::vector<ProgramValue> converted;
    converted.reserve(values.size());
    for (const auto& [step, index] : values)
        converted.push_back({step.value_or(ProgramValue::kInput), index.value_or(ProgramValue::kAll)});
    return converted;
}

Value value_of(const ProgramValue& value) {
    if (value.step == ProgramValue::kInput) return {std::nullopt, value.index};
    return {value.step, value.index};
}

// Calls function(operands, more...). What is no error of the step (KeyboardInterrupt) is kept for the end; nothing is called
// after it.
template <typename... More>
std::vector<Tensor> results_of(const nb::object& function, std::exception_ptr& interruption,
                               std::span<const Tensor> tensors, const More&... more) {
    if (interruption) throw RuntimeError("interrupted");
    try {
        nb::list operands;
        for (const Tensor& each : tensors)
            operands.append(nb::cast(TensorHandle(each), nb::rv_policy::move));
        std::vector<Tensor> results;
        for (const nb::handle each : nb::cast<nb::list>(function(operands, more...)))
            results.push_back(nb::cast<const TensorHandle&>(each).tensor());
        return results;
    } catch (nb::python_error& error) {
        if (!error.matches(PyExc_Exception)) interruption = std::current_exception();
        throw RuntimeError(nb::cast<std::string>(nb::str(error.value())));
    }
}

query::Function called(const nb::object& function, std::exception_ptr& interruption) {
    return [function, &interruption](std::span<const Tensor> tensors) {
        return results_of(function, interruption, tensors);
    };
}

ProgramAnswer planned(const std::shared_ptr<Device>& device, const query::AllocatorState& state,
                      const std::vector<Input>& inputs, const std::vector<Step>& steps,
                      bool ignores_clashes) {
    std::vector<query::ProgramInput> given;
    given.reserve(inputs.size());
    for (const auto& [spec, address] : inputs)
        given.push_back({spec, address});
    std::exception_ptr interruption;
    std::vector<query::ProgramStep> program;
    program.reserve(steps.size());
    for (const auto& [name, function, operands, frees] : steps)
        program.push_back({name, called(function, interruption), values_of(operands), values_of(frees)});
    ProgramAnswer answer =
        query::plan_program(device, state, given, program, {.ignores_clashes = ignores_clashes});
    if (interruption) std::rethrow_exception(interruption);
    return answer;
}

// A call of a program whose results may be put somewhere: name, source, function(operands, put), operands, results, whether it
// takes a memory_config, its kind.
using Call = std::tuple<std::string, std::string, nb::object, std::vector<std::size_t>,
                        std::vector<std::size_t>, bool, std::uint64_t>;

query::PlaceableProgram placeable_of(const std::vector<Input>& inputs, const std::vector<Call>& calls,
                                     const nb::object& convert, std::exception_ptr& interruption) {
    query::PlaceableProgram program;
    for (const auto& [spec, address] : inputs)
        program.inputs.push_back({spec, address});
    for (const auto& [name, source, function, operands, results, takes_memory_config, kind] : calls) {
        const auto call = [function = function, &interruption](std::span<const Tensor> tensors,
                                                               const MemoryConfig* put) {
            return results_of(function, interruption, tensors,
                              put == nullptr ? nb::object(nb::none()) : nb::cast(*put));
        };
        program.calls.push_back({name, source, call, operands, results, takes_memory_config, kind});
    }
    program.convert = [convert, &interruption](std::span<const Tensor> tensors, const MemoryConfig& to) {
        return results_of(convert, interruption, tensors, nb::cast(to));
    };
    return program;
}

query::PlacedProgram placed(const std::shared_ptr<Device>& device, const query::AllocatorState& state,
                            const std::vector<Input>& inputs, const std::vector<Call>& calls,
                            const std::vector<TensorSpec>& specs, const std::vector<std::size_t>& results,
                            const nb::object& convert, std::optional<std::uint64_t> l1,
                            const std::optional<query::PlacementCost>& cost) {
    std::exception_ptr interruption;
    query::PlaceableProgram program = placeable_of(inputs, calls, convert, interruption);
    program.specs = specs;
    program.results = results;
    std::exception_ptr refusal;
    query::PlacedProgram made;
    try {
        made = query::place_program(device, state, program, {l1, cost.value_or(nullptr)});
    } catch (...) {
        refusal = std::current_exception();
    }
    if (interruption) std::rethrow_exception(interruption);
    if (refusal) std::rethrow_exception(refusal);
    return made;
}

}  // namespace

void bind_placements(nb::module_& module) {
    using query::PlacedCall;
    using query::PlacedConversion;
    using query::PlacedProgram;
    using query::PlacedStep;
    nb::class_<PlacedConversion>(module, "PlacedConversion",
                                 "A copy of a value that calls from `begin`, before `end`, read.")
        .def_ro("value", &PlacedConversion::value)
        .def_ro("begin", &PlacedConversion::begin)
        .def_ro("end", &PlacedConversion::end)
        .def_ro("memory_config", &PlacedConversion::memory_config);
    nb::class_<PlacedStep>(module, "PlacedStep", "A call or a conversion of a placed program, over tensors.")
        .def_ro("is_conversion", &PlacedStep::is_conversion)
        .def_ro("number", &PlacedStep::number, "Among the calls, or among the conversions.")
        .def_ro("operands", &PlacedStep::operands)
        .def_ro("results", &PlacedStep::results)
        .def_ro("frees", &PlacedStep::frees);
    nb::class_<PlacedCall>(module, "PlacedCall", "What became of the results of a call that may be placed.")
        .def_ro("call", &PlacedCall::call)
        .def_ro("memory_config", &PlacedCall::memory_config)
        .def_ro("bytes", &PlacedCall::bytes)
        .def_ro("reads", &PlacedCall::reads)
        .def_ro("saves", &PlacedCall::saves)
        .def_ro("why", &PlacedCall::why);
    nb::class_<PlacedProgram>(module, "PlacedProgram",
                              "A program with each of its intermediates in DRAM or in L1.")
        .def_prop_ro("put", [](const PlacedProgram& self) { return self.placement.put; })
        .def_prop_ro("conversions", [](const PlacedProgram& self) { return self.placement.conversions; })
        .def_ro("steps", &PlacedProgram::steps)
        .def_ro("plan", &PlacedProgram::plan)
        .def_ro("cost", &PlacedProgram::cost)
        .def_ro("dram_bytes", &PlacedProgram::dram_bytes)
        .def_ro("moved_bytes", &PlacedProgram::moved_bytes)
        .def_ro("greedy_dram_bytes", &PlacedProgram::greedy_dram_bytes)
        .def_ro("all_dram_bytes", &PlacedProgram::all_dram_bytes)
        .def_ro("least_dram_bytes", &PlacedProgram::least_dram_bytes)
        .def_ro("l1", &PlacedProgram::l1)
        .def_ro("peak_l1", &PlacedProgram::peak_l1)
        .def_ro("planned", &PlacedProgram::planned)
        .def_ro("placed_calls", &PlacedProgram::placed_calls);
    module.def(
        "place_steps", &placed, "device"_a, "state"_a, "inputs"_a, "calls"_a, "specs"_a, "results"_a,
        "convert"_a, "l1"_a.none(), "cost"_a.none(),
        "Places calls (name, source, function, operands, results, takes_memory_config, kind) over values.");
}

void bind_programs(nb::module_& module) {
    nb::class_<LiveValue>(module, "ProgramLiveValue", "A tensor of a program that was alive, and its place.")
        .def_prop_ro("value", [](const LiveValue& self) { return value_of(self.value); })
        .def_prop_ro("allocation", [](const LiveValue& self) { return self.place; });
    nb::class_<PlannedStep>(module, "PlannedStep",
                            "What a step of a program takes, and where its results lie.")
        .def_prop_ro(
            "resource_usage",
            [](const PlannedStep& self) -> const query::ResourceUsage& { return self.usage; },
            nb::rv_policy::reference_internal, "Of this step alone.")
        .def_ro("output_tensor_specs", &PlannedStep::output_specs)
        .def_ro("output_allocations", &PlannedStep::outputs)
        .def_prop_ro("captured_config",
                     [](const PlannedStep& self) { return config_object(self.captured_config); })
        .def_ro(
            "lowest_live_l1", &PlannedStep::lowest_live_l1,
            "The lowest address of L1 that is allocated after the step and its frees; the end of L1: nothing is.")
        .def_ro("allocated_l1", &PlannedStep::allocated_l1,
                "Bytes of each bank of L1 that are allocated after the step and its frees.");
    nb::class_<ProgramFailure>(module, "ProgramFailure", "The first step that fails.")
        .def_ro("step", &ProgramFailure::step, "Its number, from 0.")
        .def_ro("error_message", &ProgramFailure::error)
        .def_ro("refusal", &ProgramFailure::refusal)
        .def_ro("alive", &ProgramFailure::alive, "When the step began.");
    nb::class_<ProgramAnswer>(module, "ProgramAnswer", "A program that was planned.")
        .def_ro("input_allocations", &ProgramAnswer::inputs)
        .def_ro("steps", &ProgramAnswer::steps)
        .def_ro("failure", &ProgramAnswer::failure)
        .def_ro("alive", &ProgramAnswer::alive)
        .def_ro("new_state", &ProgramAnswer::new_state)
        .def_ro("peak_l1", &ProgramAnswer::peak_l1);
    module.def("plan_steps", &planned, "device"_a, "state"_a, "inputs"_a, "steps"_a, "ignore_clashes"_a,
               "Plans steps (name, function, operands, frees), values being (step or None, index).");
}

}  // namespace tilemeter::python
