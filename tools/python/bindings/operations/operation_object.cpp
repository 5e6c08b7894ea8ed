// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/operations/operation_object.hpp"

#include <cstddef>
#include <exception>

#include <nanobind/stl/string.h>
#include <structmember.h>  // include rule: Python's own, for a type that nanobind cannot make

#include "capture/record/left_open.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/device/query_shadow.hpp"
#include "tools/python/bindings/operations/call_records.hpp"

namespace tilemeter::python {

namespace {

/// A Python object of a type of our own: nanobind's calls would pack the arguments.
struct Operation {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject* name;    ///< "ttnn.add"
    PyObject* native;  ///< the function that does the work
    PyObject* dict;    ///< attributes: __doc__, __name__, ...
};

/// Runs `body`, which may throw, for a caller that speaks C.
template <typename Body>
PyObject* guarded(Body body) {
    try {
        return body();
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

/// A call by a function of the package: (operation, args, kwargs, ...) -> result.
template <typename... More>
PyObject* call_by(const nb::object& function, Operation* self, PyObject* const* arguments,
                  std::size_t positional, PyObject* keywords, const More&... more) {
    return guarded([&] {
        nb::list values;
        for (std::size_t i = 0; i < positional; ++i)
            values.append(nb::handle(arguments[i]));
        nb::dict named;
        const std::size_t count = keywords == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(keywords));
        for (std::size_t i = 0; i < count; ++i)
            named[nb::handle(PyTuple_GetItem(keywords, static_cast<Py_ssize_t>(i)))] =
                nb::handle(arguments[positional + i]);
        return function(nb::handle(reinterpret_cast<PyObject*>(self)), nb::tuple(values), named, more...)
            .release()
            .ptr();
    });
}

/// True if a call says on which command queue: every operation takes that, none sees it.
bool names_queue(PyObject* keywords) {
    static PyObject* const cq_id = PyUnicode_InternFromString("cq_id");
    static PyObject* const queue_id = PyUnicode_InternFromString("queue_id");
    const Py_ssize_t count = keywords == nullptr ? 0 : PyTuple_Size(keywords);
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* const keyword = PyTuple_GetItem(keywords, i);  // interned, as names in code are
        if (keyword == cq_id || keyword == queue_id) return true;
    }
    return false;
}

/// The work itself; arguments that do not fit are tried under TT-NN's other names for them.
PyObject* call_native(Operation* self, CallRecording& recording, PyObject* const* arguments,
                      std::size_t nargsf, PyObject* keywords) {
    PyObject* const result = PyObject_Vectorcall(self->native, arguments, nargsf, keywords);
    if (result != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0 ||
        !recording.call_adapted.is_valid())
        return result;
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const nb::object error = nb::steal(value);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return call_by(recording.call_adapted, self, arguments,
                   static_cast<std::size_t>(PyVectorcall_NARGS(nargsf)), keywords, error);
}

/// A call that was refused before its scope could open: an empty one shows it. What is written in Python (it has a body) opens
/// its scope first.
void show_refused(Operation* self) {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const bool refused = PyErr_GivenExceptionMatches(type, PyExc_TypeError) != 0 &&
                         PyObject_HasAttrString(self->native, "body") == 0;
    PyErr_Restore(type, value, trace);
    if (!refused) return;
    if (const char* name = PyUnicode_AsUTF8AndSize(self->name, nullptr)) {
        record::begin_python_function(name);
        record::end_python_function();
    }
}

PyObject* call_once(PyObject* object, PyObject* const* arguments, std::size_t nargsf, PyObject* keywords) {
    auto* const self = reinterpret_cast<Operation*>(object);
    CallRecording& recording = call_recording();
    if (names_queue(keywords))
        return call_by(recording.call_on_queue, self, arguments,
                       static_cast<std::size_t>(PyVectorcall_NARGS(nargsf)), keywords);
    // A query is not seen by whoever listens to calls.
    if ((!recording.enabled && !recording.hooked) || QueryShadow::is_in_force()) {
        PyObject* const result = call_native(self, recording, arguments, nargsf, keywords);
        if (result == nullptr && traces_function()) show_refused(self);
        return result;
    }
    const auto positional = static_cast<std::size_t>(PyVectorcall_NARGS(nargsf));
    if (recording.slow || recording.hooked)
        return call_by(recording.slow_call, self, arguments, positional, keywords);
    RecordNumber number;
    if (guarded([&]() -> PyObject* {
            number = recording.begin(nb::borrow(self->name), arguments, positional, keywords);
            return self->native;
        }) == nullptr)
        return nullptr;
    PyObject* const result = call_native(self, recording, arguments, nargsf, keywords);
    CallRecord* const record = recording.find(number);
    if (result != nullptr) {
        if (record != nullptr) record->keep_outputs(result);
        return result;
    }
    if (record != nullptr) record->keep_current_error();
    show_refused(self);
    return nullptr;
}

/// Lets the current error hold what the call was given, so that tensors live as long as somebody keeps the error. TT-NN's
/// operations are functions of Python, whose frames do so.
void hold_in_error(PyObject* const* arguments, std::size_t nargsf, PyObject* keywords) {
    constexpr const char* kHeld = "_held_arguments";
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_Size(keywords);
    const Py_ssize_t count = PyVectorcall_NARGS(nargsf) + named;
    PyObject* const held = PyTuple_New(count + 1);
    if (held != nullptr && value != nullptr) {
        for (Py_ssize_t i = 0; i < count; ++i) {
            Py_INCREF(arguments[i]);
            PyTuple_SetItem(held, i, arguments[i]);
        }
        // The argument of a call inside this one.
        PyObject* inner = PyObject_GetAttrString(value, kHeld);
        if (inner == nullptr) {
            PyErr_Clear();
            inner = Py_None;
            Py_INCREF(inner);
        }
        PyTuple_SetItem(held, count, inner);
        if (PyObject_SetAttrString(value, kHeld, held) != 0) PyErr_Clear();
    }
    Py_XDECREF(held);
    PyErr_Restore(type, value, trace);
}

PyObject* call(PyObject* object, PyObject* const* arguments, std::size_t nargsf, PyObject* keywords) {
    PyObject* const result = call_once(object, arguments, nargsf, keywords);
    if (result == nullptr) hold_in_error(arguments, nargsf, keywords);
    return result;
}

PyObject* make(PyTypeObject* type, PyObject* arguments, PyObject* /*keywords*/) {
    PyObject *name = nullptr, *native = nullptr;
    if (PyArg_ParseTuple(arguments, "UO:Operation", &name, &native) == 0) return nullptr;
    PyObject* const object = PyType_GenericAlloc(type, 0);
    if (object == nullptr) return nullptr;
    auto* const self = reinterpret_cast<Operation*>(object);
    self->vectorcall = &call;
    Py_INCREF(name);
    self->name = name;
    Py_INCREF(native);
    self->native = native;
    return object;
}

void destroy(PyObject* object) {
    auto* const self = reinterpret_cast<Operation*>(object);
    PyTypeObject* const type = Py_TYPE(object);
    Py_CLEAR(self->name);
    Py_CLEAR(self->native);
    Py_CLEAR(self->dict);
    const auto free = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
    free(object);
    Py_DECREF(type);
}

PyObject* text(PyObject* object) {
    return PyUnicode_FromFormat("<operation %U>", reinterpret_cast<Operation*>(object)->name);
}

/// For inspect.signature(), made when it is asked for.
PyObject* signature(PyObject* object, void* /*closure*/) {
    return guarded([&] {
        const nb::object maker =
            nb::module_::import_("tilemeter._src.operations.operation_docs").attr("signature");
        return maker(nb::handle(object)).release().ptr();
    });
}

Py_hash_t hash(PyObject* object) {
    return PyObject_Hash(reinterpret_cast<Operation*>(object)->name);
}

/// Equal are only the same; sorted they are by name.
PyObject* compare(PyObject* object, PyObject* other, int how) {
    if ((how != Py_LT && how != Py_GT) || Py_TYPE(object) != Py_TYPE(other)) {
        if (how == Py_EQ || how == Py_NE) return PyBool_FromLong((object == other) == (how == Py_EQ) ? 1 : 0);
        Py_INCREF(Py_NotImplemented);
        return Py_NotImplemented;
    }
    return PyObject_RichCompare(reinterpret_cast<Operation*>(object)->name,
                                reinterpret_cast<Operation*>(other)->name, how);
}

constexpr auto offset(std::size_t offset) {
    return static_cast<Py_ssize_t>(offset);
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offset(offsetof(Operation, vectorcall)), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offset(offsetof(Operation, dict)), READONLY, nullptr},
    {"python_fully_qualified_name", T_OBJECT, offset(offsetof(Operation, name)), READONLY,
     "its name in traces"},
    {"native", T_OBJECT, offset(offsetof(Operation, native)), READONLY, "what does the work"},
    {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"__dict__", &PyObject_GenericGetDict, &PyObject_GenericSetDict, nullptr, nullptr},
    {"__signature__", &signature, nullptr, "names, kinds, defaults and types of its parameters", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(&make)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
    {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
    {Py_tp_repr, reinterpret_cast<void*>(&text)},
    {Py_tp_hash, reinterpret_cast<void*>(&hash)},
    {Py_tp_richcompare, reinterpret_cast<void*>(&compare)},
    {Py_tp_members, members},
    {Py_tp_getset, attributes},
    {Py_tp_doc, const_cast<char*>("An operation: calls of it are recorded while a capture is open.")},
    {0, nullptr}};

PyType_Spec operation_spec = {"tilemeter._tilemeter.Operation", static_cast<int>(sizeof(Operation)), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, slots};

}  // namespace

void bind_operation_type(nb::module_& module) {
    PyObject* const type = PyType_FromSpec(&operation_spec);
    if (type == nullptr) throw nb::python_error();
    module.attr("Operation") = nb::steal(type);
}

}  // namespace tilemeter::python
