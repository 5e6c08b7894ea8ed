// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The class of arrays: operators, what Python asks of values, methods.

#include "runtime/trace/arrays/array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/lazy.hpp"
#include "runtime/trace/arrays/methods.hpp"
#include "runtime/trace/export/tripy.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

using ir::Operation;
using trace::apply_one;
using trace::operation_named;

/// NumPy compares with None element by element: nothing equals it.
nb::object beside_none(const Array& self, const std::string& comparison) {
    if (comparison != "eq" && comparison != "ne") return nb::borrow(Py_NotImplemented);
    const ir::Shape shape = self.shape();
    return nb::cast(
        trace::full({shape.begin(), shape.end()}, comparison == "ne" ? 1 : 0, ir::ElementType::kBool));
}

nb::object not_implemented() {
    return nb::borrow(Py_NotImplemented);
}

struct Operator {
    const char* forward;
    const char* reverse;  ///< null: Python turns the operands itself
    const char* operation;
};
constexpr std::array<Operator, 14> kOperators = {{{"__add__", "__radd__", "add"},
                                                  {"__sub__", "__rsub__", "sub"},
                                                  {"__mul__", "__rmul__", "mul"},
                                                  {"__truediv__", "__rtruediv__", "div"},
                                                  {"__floordiv__", "__rfloordiv__", "floor_divide"},
                                                  {"__mod__", "__rmod__", "mod"},
                                                  {"__pow__", "__rpow__", "pow"},
                                                  {"__matmul__", "__rmatmul__", "matmul"},
                                                  {"__eq__", nullptr, "eq"},
                                                  {"__ne__", nullptr, "ne"},
                                                  {"__lt__", nullptr, "lt"},
                                                  {"__le__", nullptr, "le"},
                                                  {"__gt__", nullptr, "gt"},
                                                  {"__ge__", nullptr, "ge"}}};

// The operations on bits; the same for bool, whose bits are truths.
struct BitsOperator {
    const char* forward;
    const char* reverse;
    Array (*function)(const Array&, const Array&);
};
constexpr std::array<BitsOperator, 5> kBitsOperators = {{{"__and__", "__rand__", trace::bitwise_and},
                                                         {"__lshift__", "__rlshift__", trace::left_shift},
                                                         {"__rshift__", "__rrshift__", trace::right_shift},
                                                         {"__or__", "__ror__", trace::bitwise_or},
                                                         {"__xor__", "__rxor__", trace::bitwise_xor}}};

void bind_operators(nb::class_<Array>& type) {
    for (const Operator& each : kOperators) {
        const Operation* const operation = &operation_named(each.operation);
        type.def(
            each.forward,
            [operation](const Array& self, nb::handle other) -> nb::object {
                if (is_array(other)) return nb::cast(apply_one(*operation, {&self, &as_array(other)}));
                if (other.is_none()) return beside_none(self, operation->name);
                if (!is_operand(other)) return not_implemented();
                const Array right = array_of(other);
                return nb::cast(apply_one(*operation, {&self, &right}));
            },
            nb::arg("other").none());
        if (each.reverse == nullptr) continue;
        type.def(
            each.reverse,
            [operation](const Array& self, nb::handle other) -> nb::object {
                if (!is_operand(other)) return not_implemented();
                const Operand left(other);
                return nb::cast(apply_one(*operation, {left.get(), &self}));
            },
            nb::arg("other").none());
    }
    for (const auto& [forward, reverse, function] : kBitsOperators) {
        type.def(
            forward,
            [function](const Array& self, nb::handle other) -> nb::object {
                if (!is_operand(other)) return not_implemented();
                return nb::cast(function(self, *Operand(other)));
            },
            nb::arg("other").none());
        type.def(
            reverse,
            [function](const Array& self, nb::handle other) -> nb::object {
                if (!is_operand(other)) return not_implemented();
                return nb::cast(function(*Operand(other), self));
            },
            nb::arg("other").none());
    }
    type.def("__neg__", [](const Array& self) { return trace::neg(self); })
        .def("__pos__", [](const Array& self) { return self; })
        .def("__abs__", [](const Array& self) { return trace::abs(self); })
        .def("__invert__", [](const Array& self) { return trace::bitwise_not(self); })
        .def("__floor__", [](const Array& self) { return trace::floor(self); })
        .def("__ceil__", [](const Array& self) { return trace::ceil(self); });
}

trace::Index index_of(nb::handle part) {
    if (part.is_none()) return trace::NewAxis();
    if (part.ptr() == Py_Ellipsis) return trace::Rest();
    if (PySlice_Check(part.ptr())) {
        const auto bound = [&](const char* name) -> std::optional<std::int64_t> {
            const nb::object value = part.attr(name);
            if (value.is_none()) return {};
            const std::string what = std::string("index: the ") + name + " of a slice";
            if (!PyLong_Check(value.ptr())) return integer_of(value, what);
            // A slice is cut to the extent, however far it reaches.
            constexpr Py_ssize_t kFar = Py_ssize_t{1} << 61;
            return std::clamp(PyNumber_AsSsize_t(value.ptr(), nullptr), -kFar, kFar);
        };
        return trace::Range{bound("start"), bound("stop"), bound("step").value_or(1)};
    }
    if (PyBool_Check(part.ptr())) return Array(ir::Constant::scalar(part.ptr() == Py_True));
    if (PyLong_Check(part.ptr()) || nb::isinstance<ir::Dim>(part)) return integer_of(part, "index");
    if (is_array(part)) return as_array(part);
    // A list without elements is one of places, not of floats.
    if (PyList_CheckExact(part.ptr()) && PyList_Size(part.ptr()) == 0)
        return Array(ir::Constant::copy_of({ir::ElementType::kI64, {0}, {}}, {}));
    const Array array =
        PyFloat_Check(part.ptr()) || PyUnicode_Check(part.ptr()) ? Array(0.5) : array_of(part, "index");
    if (ir::is_integer(array.element()) || array.element() == ir::ElementType::kBool) return array;
    throw trace::TraceError(
        trace::TraceErrorKind::kBadArgument,
        "index: found an object of type " + name_of_type(part) +
            ", expected integers, slices, None, ... or arrays of integers or bools",
        {.operation = "index", .location = trace::current_location(), .exception = trace::Exception::kIndex});
}

Array get_item(const Array& self, nb::handle key) {
    std::vector<trace::Index> parts;
    if (PyTuple_Check(key.ptr()))
        for (const nb::handle part : key)
            parts.push_back(index_of(part));
    else
        parts.push_back(index_of(key));
    return trace::index(self, parts);
}

/// As int() has it of the element: exact, and an error for what is no integer.
nb::object integer_of_python(const Array& self) {
    if (self.is_traced() || (!ir::is_float(self.element()) && self.element() != ir::ElementType::kU64))
        return nb::int_(self.to_int());
    if (self.element() == ir::ElementType::kU64 && self.rank() == 0)
        return numpy_of(self.value()).attr("item")();
    if (self.element() == ir::ElementType::kU64) return nb::int_(self.to_int());
    const double number = self.to_float();
    if (PyObject* const integer = PyLong_FromDouble(number)) return nb::steal(integer);
    PyErr_Clear();
    throw trace::TraceError(
        trace::TraceErrorKind::kBadArgument,
        std::string("int: cannot convert float ") + (std::isnan(number) ? "NaN" : "infinity") + " to integer",
        {.operation = "int",
         .types = {self.type()},
         .location = trace::current_location(),
         .exception = std::isnan(number) ? trace::Exception::kValue : trace::Exception::kOverflow});
}

/// Row by row; each is recorded when it is asked for.
struct Rows {
    Array array;
    std::int64_t next = 0;
};

/// The format of Python's buffers; null where it has none.
const char* buffer_format(ir::ElementType element) {
    using ir::ElementType;
    switch (element) {
        case ElementType::kF64:
            return "d";
        case ElementType::kF32:
            return "f";
        case ElementType::kF16:
            return "e";
        case ElementType::kI64:
            return sizeof(long) == 8 ? "l" : "q";
        case ElementType::kI32:
            return "i";
        case ElementType::kI16:
            return "h";
        case ElementType::kI8:
            return "b";
        case ElementType::kU64:
            return sizeof(long) == 8 ? "L" : "Q";
        case ElementType::kU32:
            return "I";
        case ElementType::kU16:
            return "H";
        case ElementType::kU8:
            return "B";
        case ElementType::kBool:
            return "?";
        default:
            return nullptr;
    }
}

/// The memory that a buffer refers to, for as long as it is held.
struct HeldBuffer {
    ir::Constant::Storage storage;
    std::vector<Py_ssize_t> extents, strides;
};

/// NumPy asks for the buffer first. An error is none to it: it goes on to __array__, which tells what is wrong.
int get_buffer(PyObject* object, Py_buffer* view, int flags) {
    view->obj = nullptr;
    try {
        const ir::Constant value = as_array(nb::handle(object)).value();
        const char* const format = buffer_format(value.type().element);
        if (format == nullptr || (flags & PyBUF_WRITABLE) != 0) {
            PyErr_SetString(PyExc_BufferError,
                            format == nullptr ? "found elements that buffers have no format for"
                                              : "found a writer, expected a reader: arrays never change");
            return -1;
        }
        const ir::Shape& shape = value.type().shape;
        auto held = std::make_unique<HeldBuffer>();
        held->storage = value.storage();
        held->extents.assign(shape.begin(), shape.end());
        held->strides.resize(shape.rank());
        view->itemsize = static_cast<Py_ssize_t>(ir::element_bytes(value.type().element));
        view->len = view->itemsize;
        for (std::size_t i = shape.rank(); i-- > 0;) {
            held->strides[i] = view->len;
            view->len *= held->extents[i];
        }
        static std::byte s_nothing[8];  // an array without elements has a place, too
        view->buf = held->storage ? const_cast<std::byte*>(held->storage.get()) : s_nothing;
        view->readonly = 1;
        view->ndim = static_cast<int>(shape.rank());
        view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
        view->shape = (flags & PyBUF_ND) != 0 ? held->extents.data() : nullptr;
        view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? held->strides.data() : nullptr;
        view->suboffsets = nullptr;
        view->internal = held.release();
        Py_INCREF(object);
        view->obj = object;
        return 0;
    } catch (...) {
        restore_current_exception();
    }
    return -1;
}

void release_buffer(PyObject* /*object*/, Py_buffer* view) {
    delete static_cast<HeldBuffer*>(view->internal);
}

PyType_Slot array_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)},
                             {Py_bf_releasebuffer, reinterpret_cast<void*>(&release_buffer)},
                             {0, nullptr}};

/// As NumPy has it. By the buffer, which takes a tenth of the time of what goes by names.
nb::object as_numpy(nb::handle self) {
    static PyObject* const s_asarray =
        nb::object(nb::module_::import_("numpy").attr("asarray")).release().ptr();  // lives as long as NumPy
    const Array& array = as_array(self);
    if (array.is_traced() || buffer_format(array.element()) == nullptr) return numpy_of(array.value());
    return nb::handle(s_asarray)(self);
}

nb::object array_protocol(const Array& self, nb::handle dtype, nb::handle copy) {
    nb::object array = numpy_of(self.value());
    if (!dtype.is_none() || (copy.ptr() == Py_True))
        array = array.attr("astype")(dtype.is_none() ? array.attr("dtype") : nb::borrow(dtype));
    return array;
}

nb::object dlpack(const Array& self) {
    const nb::object numbers = numpy_of(self.value());
    // NumPy refuses to lend what can't be written to; what is lent is a copy.
    return numbers.attr("copy")().attr("__dlpack__")();
}

[[noreturn]] void refuse_item(const Array& self) {
    throw trace::TraceError(
        trace::TraceErrorKind::kImmutable,
        "setitem: found a write to elements of an array, which never change",
        {.operation = "setitem",
         .types = {self.type()},
         .location = trace::current_location(),
         .hint = "make a new array: where(mask, new, x) or dynamic_update_slice(x, new, start)"});
}

/// Operations and methods that are registered while programs run.
nb::object registered_method(nb::handle self, const std::string& name) {
    trace::Method method;
    if (!name.starts_with("_")) method = trace::find_method(name);
    if (!method) throw nb::attribute_error(("an array has no attribute '" + name + "'").c_str());
    return nb::cpp_function([self = nb::borrow(self), method = std::move(method)](
                                const nb::args& operands, const nb::kwargs& attributes) {
        std::vector<Array> all{as_array(self)};
        for (const nb::handle each : operands)
            all.push_back(array_of(each));
        std::vector<Array> results = method(all, attributes_of(attributes));
        if (results.size() == 1) return nb::cast(std::move(results[0]));
        return nb::object(nb::tuple(list_of(std::move(results))));
    });
}

}  // namespace

void bind_array(nb::module_& trace) {
    nb::class_<Rows>(trace, "_Rows")
        .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
        .def("__next__", [](Rows& self) {
            if (self.next >= self.array.length()) throw nb::stop_iteration();
            return trace::index(self.array, {self.next++});
        });
    nb::class_<Array> type(
        trace, "Array",
        "A value that belongs to no device: evaluated, pending, or traced. Operators and NumPy's and "
        "torch's functions take it; the first use of its elements evaluates a pending one.",
        nb::type_slots(array_slots));
    set_array_type(type);
    bind_operators(type);
    type.def_prop_ro("shape", [](const Array& self) { return tuple_of(self.shape()); })
        .def_prop_ro("ndim", [](const Array& self) { return self.rank(); })
        .def_prop_ro("size",
                     [](const Array& self) {
                         ir::Dim elements(1);
                         for (const std::int64_t dim : self.shape())
                             elements = elements * ir::Dim(dim);
                         return object_of(elements);
                     })
        .def_prop_ro("dtype", [](const Array& self) { return dtype_of(self.element()); })
        .def_prop_ro(
            "type", [](const Array& self) { return self.type(); }, "Element type and shape: f32[2,3]")
        .def_prop_ro("T", [](const Array& self) { return trace::transpose(self); })
        .def_prop_ro("is_traced", [](const Array& self) { return self.is_traced(); })
        .def_prop_ro(
            "is_pending", [](const Array& self) { return self.state() == Array::State::kPending; },
            "Whether nothing was computed yet.")
        .def("__len__", [](const Array& self) { return self.length(); })
        .def("__iter__",
             [](const Array& self) {
                 static_cast<void>(self.length());
                 return Rows{self};
             })
        .def("__hash__", [](nb::handle self) { return reinterpret_cast<std::uintptr_t>(self.ptr()) >> 4; })
        .def("__bool__", [](const Array& self) { return self.to_bool(); })
        .def("__int__", &integer_of_python)
        .def("__float__", [](const Array& self) { return self.to_float(); })
        .def("__index__",
             [](const Array& self) {
                 if (!ir::is_integer(self.element()))
                     throw nb::type_error(
                         ("expected an integer array, found " + ir::text_of(self.type())).c_str());
                 if (self.rank() != 0)
                     throw nb::type_error(("expected a scalar, found " + ir::text_of(self.type())).c_str());
                 return integer_of_python(self);
             })
        .def("__repr__", [](const Array& self) { return self.repr(); })
        .def("__format__",
             [](const Array& self, const std::string& spec) {
                 if (spec.empty()) return nb::str(self.repr().c_str());
                 const nb::object number = numpy_of(self.value()).attr("item")();
                 return nb::str(number.attr("__format__")(spec));
             })
        .def("__getitem__", &get_item, nb::arg("key").none())
        .def(
            "__setitem__", [](const Array& self, nb::handle, nb::handle) { refuse_item(self); },
            nb::arg("key").none(), nb::arg("value").none())
        .def("__array__", &array_protocol, nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
        .def("__dlpack__", [](const Array& self, const nb::kwargs&) { return dlpack(self); })
        .def("__dlpack_device__", [](const Array&) { return nb::make_tuple(1, 0); })
        .def("__getattr__", &registered_method)
        .def("__reduce__",
             [](const Array& self) {
                 // As bytes, since NumPy may have no such type.
                 const ir::Constant value = self.value();
                 const auto bytes = value.bytes();
                 const nb::object unpickled =
                     nb::module_::import_("tilemeter._tilemeter").attr("trace").attr("_unpickled");
                 return nb::make_tuple(
                     unpickled,
                     nb::make_tuple(std::string(ir::name_of(value.type().element)),
                                    tuple_of(value.type().shape),
                                    nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
             })
        .def("__copy__", [](const Array& self) { return self; })
        .def("__deepcopy__", [](const Array& self, nb::handle) { return self; })
        .def(
            "eval", [](const Array& self) { return self.eval(); },
            "Evaluates the array if it is pending, and is the array.")
        .def("numpy", &as_numpy)
        .def("item", [](const Array& self) { return numpy_of(self.value()).attr("item")(); })
        .def("tolist", [](const Array& self) { return numpy_of(self.value()).attr("tolist")(); })
        .def("astype",
             [](const Array& self, nb::handle dtype) { return trace::convert(self, element_of(dtype)); });

    trace.def("_unpickled", [](const std::string& element, nb::handle shape, const nb::bytes& bytes) {
        const ir::Integers extents = integers_of(shape, "shape");
        return Array(ir::Constant::copy_of(
            {element_of(nb::str(element.c_str())), ir::Shape(std::span<const std::int64_t>(extents)), {}},
            std::span(static_cast<const std::byte*>(bytes.data()), bytes.size())));
    });
    trace.def(
        "eval", [](const nb::args& arrays) { trace::eval(arrays_of(arrays)); },
        "Evaluates arrays together, in one run.");
    trace.def(
        "tripy_texts",
        [](const nb::args& arrays, const std::string& device) {
            const trace::TripyTexts texts =
                trace::tripy_texts(trace::pending_graph(arrays_of(arrays)), {.device = device});
            return nb::make_tuple(texts.trace_ir, texts.flat_ir, texts.stablehlo_ir);
        },
        nb::arg("arrays"), nb::arg("device") = "host",
        "Trace IR, Flat IR and StableHLO of what the evaluation of these arrays would run, as Tripy prints them.");
    trace.def("lazy_statistics", [] {
        const trace::LazyStatistics statistics = trace::lazy_statistics();
        nb::dict result;
        result["live_nodes"] = statistics.live_nodes;
        result["runs"] = statistics.runs;
        result["compiled"] = statistics.compiled;
        result["held_bytes"] = statistics.held_bytes;
        return result;
    });
    trace.def("_install_location_source", &install_location_source);
}

}  // namespace tilemeter::python::tracing
