// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// C++ exceptions as Python exceptions: their figures become attributes.

#include "runtime/device/errors.hpp"

#include <exception>
#include <string>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/graph/graph_processor.hpp"
#include "runtime/operations/core/interruption.hpp"
#include "runtime/types/memory_config.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/interruptible.hpp"

namespace tilemeter::python {

namespace {

// The exception classes live as long as the process; what throws needs them without asking Python for names.
struct ErrorTypes {
    PyObject* out_of_memory = nullptr;
    PyObject* clash = nullptr;
    PyObject* too_large = nullptr;
    PyObject* exhausted = nullptr;
    PyObject* timeout = nullptr;
    PyObject* capture = nullptr;
};
ErrorTypes types;

PyObject* new_type(nb::module_& module, const char* name, const char* doc, PyObject* bases) {
    PyObject* type =
        PyErr_NewExceptionWithDoc((std::string("tilemeter._tilemeter.") + name).c_str(), doc, bases, nullptr);
    if (type == nullptr) throw nb::python_error();
    module.attr(name) = nb::handle(type);
    return type;
}

template <typename... Attributes>
void raise(PyObject* type, const char* message, const Attributes&... attributes) {
    nb::object error = nb::handle(type)(message);
    (nb::setattr(error, attributes.first, nb::cast(attributes.second)), ...);
    // _memory.py gives the errors about memory a text for tracebacks; without that they are raised all the
    // same.
    constexpr const char* kTell = "_told_where_printed";
    if (nb::hasattr(error, kTell)) error.attr(kTell)();
    PyErr_SetObject(type, error.ptr());
}

template <typename Value>
std::pair<const char*, Value> attribute(const char* name, const Value& value) {
    return {name, value};
}

const char* name_of_kind(ProgramMemoryKind kind) {
    switch (kind) {
        case ProgramMemoryKind::kCircularBuffer:
            return "circular_buffer";
        case ProgramMemoryKind::kDataflowBuffer:
            return "dataflow_buffer";
        case ProgramMemoryKind::kScratchpad:
            return "scratchpad";
        case ProgramMemoryKind::kOther:
            break;
    }
    return "";
}

/// Restores the exception that a signal's handler raised, mostly KeyboardInterrupt.
void restore(const OperationInterruptedError& error) {
    try {
        std::rethrow_exception(error.cause);
    } catch (nb::python_error& raised) {
        raised.restore();
    }
}

void translate_runtime_error(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const OutOfMemoryError& error) {
        raise(types.out_of_memory, error.what(),
              attribute("buffer_type", std::string(name_of(error.memory)).c_str()),
              attribute("size_bytes", error.size_bytes), attribute("num_banks", error.num_banks),
              attribute("size_per_bank_bytes", error.size_per_bank_bytes), attribute("bank", error.bank),
              attribute("device", error.device), attribute("operation", error.operation),
              attribute("owners", error.owners));
    } catch (const ProgramMemoryClashError& error) {
        raise(types.clash, error.what(), attribute("kind", name_of_kind(error.kind)),
              attribute("program", error.program), attribute("cores", error.cores),
              attribute("region_end", error.region_end),
              attribute("lowest_buffer_address", error.lowest_buffer_address),
              attribute("device", error.device), attribute("operation", error.operation),
              attribute("owners", error.owners));
    } catch (const ProgramMemoryTooLargeError& error) {
        raise(types.too_large, error.what(), attribute("kind", name_of_kind(error.kind)),
              attribute("program", error.program), attribute("cores", error.cores),
              attribute("region_end", error.region_end), attribute("l1_size", error.l1_size),
              attribute("device", error.device), attribute("operation", error.operation));
    } catch (const ProgramMemoryExhaustedError& error) {
        raise(types.exhausted, error.what());
    } catch (const OperationInterruptedError& error) {
        restore(error);
    } catch (const OperationTimeoutError& error) {
        raise(types.timeout, error.what());
    } catch (const graph::CaptureError& error) {
        raise(types.capture, error.what());
    }
}

}  // namespace

void bind_errors(nb::module_& module) {
    nb::class_<BufferOwner>(module, "BufferOwner", "Who holds device memory: one allocation.")
        .def_ro("buffer", &BufferOwner::buffer, "Its id in reports.")
        .def_ro("address", &BufferOwner::address, "In each bank.")
        .def_ro("size_per_bank_bytes", &BufferOwner::size_per_bank_bytes)
        .def_prop_ro(
            "shape", [](const BufferOwner& self) { return nb::tuple(nb::cast(self.shape)); },
            "Of the tensor that it was made for.")
        .def_ro("dtype", &BufferOwner::dtype, "'DataType::BFLOAT16'")
        .def_ro("layout", &BufferOwner::layout, "'Layout::TILE'")
        .def_ro("operation", &BufferOwner::operation, "The call that made it; empty: none.");
    nb::class_<BankStatistics>(module, "BankStatistics", "What a bank held; bytes.")
        .def_ro("bank_size", &BankStatistics::bank_size)
        .def_ro("allocated", &BankStatistics::allocated)
        .def_ro("free", &BankStatistics::free)
        .def_ro("largest_free_block", &BankStatistics::largest_free_block);
    const nb::object runtime_error = nb::borrow(PyExc_RuntimeError);
    const nb::tuple timeout_bases = nb::make_tuple(runtime_error, nb::borrow(PyExc_TimeoutError));
    const nb::tuple memory_bases = nb::make_tuple(runtime_error, nb::borrow(PyExc_MemoryError));
    types.out_of_memory = new_type(
        module, "OutOfMemoryError",
        "A device buffer that does not fit.\n\nAttributes: buffer_type ('L1', 'DRAM', ...), "
        "size_bytes (all banks together), num_banks, size_per_bank_bytes, bank (BankStatistics: what "
        "the bank held), device (its id in reports), operation (the call that failed), owners (list "
        "of BufferOwner, highest address first), explanation (all of that as text).",
        memory_bases.ptr());
    types.clash = new_type(
        module, "ProgramMemoryClashError",
        "Program memory, growing from the bottom of L1, met a tensor.\n\nAttributes: kind "
        "('circular_buffer', 'dataflow_buffer', 'scratchpad'), program (its number), cores (CoreRange), "
        "region_end (first byte above the program memory), lowest_buffer_address (of the L1 buffers), "
        "device, "
        "operation, owners (list of BufferOwner, highest address first), explanation (all of that as text).",
        runtime_error.ptr());
    types.too_large =
        new_type(module, "ProgramMemoryTooLargeError",
                 "Program memory larger than L1 itself.\n\nAttributes: kind, program, cores (CoreRange), "
                 "region_end, l1_size (bytes of a core), device, operation, explanation (as text).",
                 runtime_error.ptr());
    types.exhausted = new_type(
        module, "ProgramMemoryExhaustedError",
        "An operation that fits its program to the free L1 found none small enough; the message is its own.",
        runtime_error.ptr());
    types.timeout = new_type(module, "OperationTimeoutError",
                             "An operation ran longer than the time that was set.", timeout_bases.ptr());
    types.capture =
        new_type(module, "CaptureError", "An end of a capture without a begin, or an unwritable report.",
                 runtime_error.ptr());
    nb::register_exception_translator(translate_runtime_error);
    // Python handles signals in its main thread only, and that is where modules are imported.
    set_interruption_check(&check_signals);
}

}  // namespace tilemeter::python
