// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiler's questions: what a call takes, without or with an allocator's state.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "runtime/query/query.hpp"
#include "tools/python/bindings/answers/query_config.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/tensor_handle.hpp"

namespace tilemeter::python {

namespace {

using namespace nb::literals;
using query::AllocationRecord;
using query::AllocatorState;
using query::Answer;

/// A query's answer with what Python keeps of it.
struct Response {
    Answer answer;
};
struct QueryOutput {
    std::shared_ptr<const Answer> answer;
};

bool is_sequence(nb::handle object) {
    return PyTuple_Check(object.ptr()) || PyList_Check(object.ptr());
}

/// The arguments of a call, in which specs stand for tensors.
class Arguments {
public:
    Arguments(nb::handle positional, nb::handle named) : positional_(positional), named_(named) {
        note(positional);
        for (const auto [name, value] : nb::cast<nb::dict>(named))
            note(value);
    }

    std::span<const TensorSpec> specs() const { return specs_; }

    /// Calls `operation` with tensors in the specs' places; the tensors that it returns.
    std::vector<Tensor> call(nb::handle operation, std::span<const Tensor> tensors) const {
        const Tensor* next = tensors.data();
        const nb::object positional = with_tensors(positional_, next);
        nb::dict named;
        for (const auto [name, value] : nb::cast<nb::dict>(named_))
            named[name] = with_tensors(value, next);
        PyObject* const result = PyObject_Call(operation.ptr(), positional.ptr(), named.ptr());
        if (result == nullptr) throw nb::python_error();
        std::vector<Tensor> results;
        collect(nb::steal(result), results);
        return results;
    }

private:
    void note(nb::handle object) {
        if (nb::isinstance<TensorSpec>(object))
            specs_.push_back(nb::cast<const TensorSpec&>(object));
        else if (is_sequence(object))
            for (const nb::handle each : object)
                note(each);
    }

    // In the order of note().
    static nb::object with_tensors(nb::handle object, const Tensor*& next) {
        if (nb::isinstance<TensorSpec>(object)) return nb::cast(TensorHandle(*next++), nb::rv_policy::move);
        if (!is_sequence(object)) return nb::borrow(object);
        nb::list items;
        for (const nb::handle each : object)
            items.append(with_tensors(each, next));
        return PyTuple_Check(object.ptr()) ? nb::object(nb::tuple(items)) : nb::object(items);
    }

    static void collect(nb::handle object, std::vector<Tensor>& tensors) {
        if (nb::isinstance<TensorHandle>(object)) {
            tensors.push_back(nb::cast<const TensorHandle&>(object).tensor());
        } else if (is_sequence(object)) {
            for (const nb::handle each : object)
                collect(each, tensors);
        } else if (PyDict_Check(object.ptr())) {
            for (const auto [name, value] : nb::cast<nb::dict>(object))
                collect(value, tensors);
        }
    }

    nb::handle positional_, named_;
    std::vector<TensorSpec> specs_;
};

/// Runs the query; what is no error of the call (KeyboardInterrupt) is raised.
template <typename Ask>
Answer asked(nb::handle operation, nb::handle positional, nb::handle named, const Ask& ask) {
    const Arguments arguments(positional, named);
    std::exception_ptr interruption;
    Answer answer = ask(arguments.specs(), [&](std::span<const Tensor> tensors) -> std::vector<Tensor> {
        try {
            return arguments.call(operation, tensors);
        } catch (nb::python_error& error) {
            if (!error.matches(PyExc_Exception)) interruption = std::current_exception();
            throw RuntimeError(nb::cast<std::string>(nb::str(error.value())));
        }
    });
    if (interruption) std::rethrow_exception(interruption);
    return answer;
}

std::string text_of(const AllocationRecord& record) {
    return "AllocationRecord(BufferType." + std::string(name_of(record.memory)) +
           ", address=" + std::to_string(record.address) +
           ", size_per_bank=" + std::to_string(record.size_per_bank) + ")";
}

void bind_state(nb::module_& module) {
    nb::class_<AllocationRecord>(module, "AllocationRecord",
                                 "One allocation of a state, in every bank of its memory.")
        .def(
            "__init__",
            [](AllocationRecord* self, BufferType::Value type, std::uint64_t address,
               std::uint64_t size_per_bank) {
                new (self) AllocationRecord{type, address, size_per_bank};
            },
            "buffer_type"_a = BufferType::L1, "address"_a = 0, "size_per_bank"_a = 0)
        .def_prop_rw(
            "buffer_type", [](const AllocationRecord& self) { return BufferType::Value(self.memory); },
            [](AllocationRecord& self, BufferType::Value type) { self.memory = type; })
        .def_rw("address", &AllocationRecord::address)
        .def_rw("size_per_bank", &AllocationRecord::size_per_bank, "Bytes of each bank.")
        .def(
            "__eq__", [](const AllocationRecord& a, const AllocationRecord& b) { return a == b; },
            nb::is_operator())
        .def("__repr__", [](const AllocationRecord& self) { return text_of(self); });
    nb::class_<query::OutputPlace, AllocationRecord>(
        module, "OutputAllocation",
        "Where an output of a query lies; address 0: it has no memory of its own.")
        .def_ro("shares_input", &query::OutputPlace::shares_input,
                "The input whose memory it has, among the specs of the query; None: no input's.");
    nb::class_<AllocatorState>(module, "MockAllocatorState", "What is allocated on a device, as a value.")
        .def(nb::init<>())
        .def(
            "total_allocated_size",
            [](const AllocatorState& self, std::optional<BufferType::Value> type) {
                return type ? self.total_allocated_size(*type) : self.total_allocated_size();
            },
            "buffer_type"_a = nb::none(), "Bytes of one bank; of all memories together.")
        .def(
            "is_empty",
            [](const AllocatorState& self, BufferType::Value type) { return self.is_empty(type); },
            "buffer_type"_a, "Whether nothing is allocated there.")
        .def(
            "lowest_occupied",
            [](const AllocatorState& self, BufferType::Value type) { return self.lowest_occupied(type); },
            "buffer_type"_a, "The lowest address that is allocated; None: nothing is.")
        .def(
            "with_allocations",
            [](const AllocatorState& self, const std::vector<AllocationRecord>& records) {
                return self.with_allocations(records);
            },
            "records"_a,
            "The same banks with these allocations instead. Raises RuntimeError where they overlap or lie outside.")
        .def_static("empty", &AllocatorState::empty, "device"_a,
                    "A state of the device's board with nothing allocated.")
        .def("allocations", &AllocatorState::allocations, "All of them, by memory and address.")
        .def_prop_ro("board", &AllocatorState::board)
        .def("__copy__", [](const AllocatorState& self) { return self; })
        .def(
            "__deepcopy__", [](const AllocatorState& self, nb::handle) { return self; }, "memo"_a)
        .def(
            "__eq__", [](const AllocatorState& a, const AllocatorState& b) { return a == b; },
            nb::is_operator());
    module.def(
        "extract_mock_allocator_state", [](const Device& device) { return AllocatorState::of(device); },
        "device"_a, "What is allocated on the device now.");
    module.def(
        "override_mock_allocator_state",
        [](Device& device, const AllocatorState& state) { state.put_on(device); }, "device"_a, "state"_a,
        "Puts the state in the place of what is allocated on the device. Tensors whose memory it has not free nothing.");
}

void bind_refusal(nb::module_& module) {
    nb::class_<query::Refusal>(module, "Refusal",
                               "Why a query has no answer, in figures of each bank or core.")
        .def_prop_ro(
            "kind", [](const query::Refusal& self) { return std::string(name_of(self.kind)); },
            "out_of_memory, fragmented, clash, program_too_large, not_supported or bad_argument.")
        .def_prop_ro("buffer_type", [](const query::Refusal& self) { return BufferType::Value(self.memory); })
        .def_ro("bytes_wanted", &query::Refusal::bytes_wanted)
        .def_ro("free_bytes", &query::Refusal::free_bytes)
        .def_ro("largest_free_block", &query::Refusal::largest_free_block)
        .def_ro("region_end", &query::Refusal::region_end, "Of the program; 0: no program was refused.")
        .def_ro("lowest_live_address", &query::Refusal::lowest_live_address)
        .def_ro("in_the_way", &query::Refusal::in_the_way, "Allocations, from the highest address.")
        .def_ro("fewest_to_go", &query::Refusal::fewest_to_go,
                "The fewest of them without which the request that was refused fits.")
        .def_ro("operation", &query::Refusal::operation)
        .def("__repr__", [](const query::Refusal& self) {
            return "Refusal(" + std::string(name_of(self.kind)) +
                   ", bytes_wanted=" + std::to_string(self.bytes_wanted) +
                   ", largest_free_block=" + std::to_string(self.largest_free_block) + ")";
        });
}

void bind_response(nb::module_& module) {
    nb::enum_<query::ExecutionStatus>(module, "ExecutionStatus", "Whether a query has an answer.")
        .value("Success", query::ExecutionStatus::Success)
        .value("Error", query::ExecutionStatus::Error);
    using query::ResourceUsage;
    nb::class_<ResourceUsage>(module, "ResourceUsage", "What a call takes of L1, in bytes per core.")
        .def_ro("cb_peak_size_per_core", &ResourceUsage::cb_peak_size_per_core)
        .def_ro("l1_buffers_peak_per_core", &ResourceUsage::l1_buffers_peak_per_core)
        .def_ro("peak_memory_usage_per_core", &ResourceUsage::peak_memory_usage_per_core,
                "As TT-NN counts it: with a state without dataflow buffers and scratchpads.")
        .def_ro("l1_output_buffer_per_core", &ResourceUsage::l1_output_buffer_per_core)
        .def_ro("dataflow_buffer_peak_per_core", &ResourceUsage::dataflow_buffer_peak_per_core)
        .def_ro("scratchpad_peak_per_core", &ResourceUsage::scratchpad_peak_per_core)
        .def_ro("peak_of_all_kinds_per_core", &ResourceUsage::peak_of_all_kinds_per_core,
                "Tensors and all memory of programs, at one time.")
        .def_ro("program_region_end", &ResourceUsage::program_region_end,
                "The address above the memory of all programs.");
    nb::class_<Response>(module, "ConstraintQueryResponse", "The answer to a query.")
        .def_prop_ro("status", [](const Response& self) { return self.answer.status; })
        .def_prop_ro(
            "resource_usage", [](const Response& self) -> const ResourceUsage& { return self.answer.usage; },
            nb::rv_policy::reference_internal)
        .def_prop_ro("output_tensor_specs",
                     [](const Response& self) -> std::optional<std::vector<TensorSpec>> {
                         if (self.answer.status == query::ExecutionStatus::Error) return std::nullopt;
                         return self.answer.output_specs;
                     })
        .def_prop_ro(
            "output_tensor_spec",
            [](const Response& self) -> std::optional<TensorSpec> {
                if (self.answer.output_specs.empty()) return std::nullopt;
                return self.answer.output_specs.front();
            },
            "The first; older name.")
        .def_prop_ro("error_message",
                     [](const Response& self) -> std::optional<std::string> {
                         if (self.answer.status == query::ExecutionStatus::Success) return std::nullopt;
                         return self.answer.error;
                     })
        .def_prop_ro(
            "refusal", [](const Response& self) { return self.answer.refusal; },
            "The same as data; None: there is an answer.")
        .def_prop_ro(
            "outputs", [](const Response& self) { return self.answer.outputs; },
            "Where each output lies, and whose memory it shares.");
    nb::class_<QueryOutput>(module, "QueryOutput", "The answer to a query with a state.")
        .def_prop_ro("response", [](const QueryOutput& self) { return Response{*self.answer}; })
        .def_prop_ro(
            "new_state", [](const QueryOutput& self) { return self.answer->new_state; },
            "With the outputs in it; as given where the query failed.")
        .def_prop_ro(
            "output_allocations", [](const QueryOutput& self) { return self.answer->outputs; },
            "One for each output.")
        .def_prop_ro(
            "captured_config",
            [](const QueryOutput& self) { return config_object(self.answer->captured_config); },
            "The program config that the operation chose, or was given; None: of another operation.");
}

QueryOutput with_state(nb::handle operation, const std::shared_ptr<Device>& device,
                       const AllocatorState& state, bool ignores_clashes, nb::handle positional,
                       nb::handle named) {
    return {std::make_shared<const Answer>(asked(
        operation, positional, named, [&](std::span<const TensorSpec> specs, const query::Function& call) {
            return query::ask_beside(device, state, specs, call, {.ignores_clashes = ignores_clashes});
        }))};
}

Response without_state(nb::handle operation, const std::shared_ptr<Device>& device, nb::handle positional,
                       nb::handle named) {
    return {asked(operation, positional, named,
                  [&](std::span<const TensorSpec> specs, const query::Function& call) {
                      return query::ask(device, specs, call);
                  })};
}

}  // namespace

void bind_queries(nb::module_& module) {
    bind_state(module);
    bind_refusal(module);
    bind_response(module);
    module.def(
        "query_op_constraints",
        [](nb::handle op, const std::shared_ptr<Device>& device, const nb::args& args,
           const nb::kwargs& kwargs) { return without_state(op, device, args, kwargs); },
        "op"_a, "device"_a, "args"_a, "kwargs"_a,
        "What op(*args, **kwargs) takes on an empty core; each TensorSpec among the arguments, also in lists, stands for a\n"
        "tensor. Nothing is placed, run or seen by anybody: what is larger than L1 is no error. Inputs count as live.");
    module.def(
        "query_op_constraints_with_initial_state",
        [](nb::handle op, const std::shared_ptr<Device>& device, const AllocatorState& initial_state,
           const nb::args& args, bool ignore_clashes, const nb::kwargs& kwargs) {
            return with_state(op, device, initial_state, ignore_clashes, args, kwargs);
        },
        "op"_a, "device"_a, "initial_state"_a, "args"_a, "ignore_clashes"_a = false, "kwargs"_a,
        "What op(*args, **kwargs) takes on top of a state, which has the inputs' memory already: outputs and temporaries are\n"
        "placed as on the device, and a program that reaches into a tensor is an error. ignore_clashes: TT-NN's answer, which\n"
        "sees no clash. Raises RuntimeError for a state of another board.");
    module.def(
        "query_op_constraints_with_optional_state",
        [](nb::handle op, const std::shared_ptr<Device>& device,
           const std::optional<AllocatorState>& initial_state, const nb::args& args, bool ignore_clashes,
           const nb::kwargs& kwargs) {
            if (initial_state) return with_state(op, device, *initial_state, ignore_clashes, args, kwargs);
            Response response = without_state(op, device, args, kwargs);
            response.answer.outputs.clear();
            return QueryOutput{std::make_shared<const Answer>(std::move(response.answer))};
        },
        "op"_a, "device"_a, "initial_state"_a.none(), "args"_a, "ignore_clashes"_a = false, "kwargs"_a,
        "The query with a state where there is one, else the one without.");
}

}  // namespace tilemeter::python
