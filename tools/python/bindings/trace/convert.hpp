// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Python objects as arrays of functions that are traced, and back.

#pragma once

#include <span>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "capture/ir/attributes.hpp"
#include "capture/ir/constant.hpp"
#include "runtime/trace/arrays/array.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::python::tracing {

namespace nb = nanobind;
using trace::Array;

/// The class of arrays in Python. REQUIRES: bind_array() has run
PyTypeObject* array_type();
void set_array_type(nb::handle type);

inline bool is_array(nb::handle object) {
    PyTypeObject* const type = Py_TYPE(object.ptr());
    return type == array_type() || PyType_IsSubtype(type, array_type()) != 0;
}

/// REQUIRES: is_array(object)
inline const Array& as_array(nb::handle object) {
    return *nb::inst_ptr<Array>(object);
}

/// A number of Python is a literal, what NumPy makes numbers of an evaluated array; lists with arrays in them are stacked.
/// Throws TraceError (kBadArgument) for all else, naming `what` it is: "argument 0".
Array array_of(nb::handle object, const char* what = "operand");
std::vector<Array> arrays_of(nb::handle sequence, const char* what = "operand");

/// True if an operator takes it; others may know what to do with the rest.
bool is_operand(nb::handle object);

/// An operand without a copy of what is an array already.
class Operand {
public:
    explicit Operand(nb::handle object) : array_(is_array(object) ? &as_array(object) : &own_) {
        if (array_ == &own_) own_ = array_of(object);
    }
    Operand(const Operand&) = delete;
    Operand& operator=(const Operand&) = delete;
    [[nodiscard]] const Array* get() const { return array_; }
    const Array& operator*() const { return *array_; }
    const Array* operator->() const { return array_; }

private:
    Array own_;
    const Array* array_;
};

/// A copy of the elements, of what NumPy makes an array of.
ir::Constant constant_of(nb::handle object, const char* what = "operand");
/// A NumPy array that shares the elements and can't be written to; bfloat16 as NumPy has it where ml_dtypes is
/// installed, else as float32.
nb::object numpy_of(const ir::Constant& constant);

/// The element type of NumPy's, Python's and torch's names and types. Throws TraceError (kBadArgument).
ir::ElementType element_of(nb::handle dtype);
/// NumPy's; a text where it has none.
nb::object dtype_of(ir::ElementType element);

// ---- the reader of arguments: numbers of Python and NumPy, and names of sizes. `what` begins the text of what is
// refused: "cumsum: axis". Throws TraceError (kBadArgument), as the TypeError, OverflowError or AxisError that NumPy raises.

/// One integer.
std::int64_t integer_of(nb::handle object, const std::string& what);
/// One integer or a sequence of them, which may be empty.
ir::Integers integers_of(nb::handle object, const std::string& what);
double real_of(nb::handle object, const std::string& what);
/// A text of Python's.
std::string name_of(nb::handle object, const std::string& what);
/// A Type, or its text: "f32[2,3]".
ir::TensorType type_of(nb::handle object, const std::string& what);
bool truth_of(nb::handle object, const std::string& what);
/// One axis of an array, from 0.
std::int64_t axis_of(nb::handle object, std::size_t rank, const std::string& operation);
/// One or several axes of an array, from 0, each once. Of a scalar 0 and -1 are none, as in NumPy.
ir::Integers all_axes_of(nb::handle object, std::size_t rank, const std::string& operation);
/// An int, or a Dim where it is an expression.
nb::object object_of(ir::Dim dim);
nb::tuple tuple_of(const ir::Shape& shape);
nb::list list_of(std::vector<Array> arrays);

/// A function of Python that takes a list of arrays and comes back with one. REQUIRES: it outlives the function
trace::Function function_of(nb::handle body);

ir::Attribute attribute_of(nb::handle object);
nb::object object_of(const ir::Attribute& attribute);
ir::Attributes attributes_of(nb::handle dict);

/// "str", "numpy.ndarray"
std::string name_of_type(nb::handle object);

/// Makes file and line of the caller that is no part of this package known to what is recorded.
void install_location_source(const std::string& package_folder);

/// Sets Python's error to the exception that is being handled, for callers that speak C.
void restore_current_exception();

/// Arrays of a thread that runs without the interpreter lock must not ask Python where it is.
class Unlocked {
public:
    Unlocked();
    ~Unlocked();
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    PyThreadState* state_;
};

/// The lock for as long as Python is called from where it may be gone.
class Locked {
public:
    Locked();
    ~Locked();
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    PyGILState_STATE state_;
    bool was_unlocked_;
};

}  // namespace tilemeter::python::tracing
