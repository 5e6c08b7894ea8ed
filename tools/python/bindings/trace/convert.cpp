// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/trace/convert.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/calls/call_operations.hpp"

namespace tilemeter::python::tracing {

using ir::Constant;
using ir::ElementType;
using trace::TraceError;
using trace::TraceErrorKind;

namespace {

PyTypeObject* g_array_type = nullptr;

[[noreturn]] void refuse(const std::string& text, const std::string& hint = {}) {
    throw TraceError(TraceErrorKind::kBadArgument, text,
                     {.location = trace::current_location(), .hint = hint});
}

[[noreturn]] void refuse_as(trace::Exception exception, const std::string& text,
                            const std::string& hint = {}) {
    throw TraceError(TraceErrorKind::kBadArgument, text,
                     {.location = trace::current_location(), .hint = hint, .exception = exception});
}

nb::object numpy() {
    return nb::module_::import_("numpy");
}

std::optional<ElementType> element_of_format(const char* format, Py_ssize_t size) {
    if (format == nullptr) return ElementType::kU8;
    if (*format == '<' || *format == '=' || *format == '@') ++format;
    if (format[0] == '\0' || format[1] != '\0') return {};
    switch (format[0]) {
        case '?':
            return ElementType::kBool;
        case 'd':
            return ElementType::kF64;
        case 'f':
            return ElementType::kF32;
        case 'e':
            return ElementType::kF16;
        case 'b':
        case 'h':
        case 'i':
        case 'l':
        case 'q':
            return size == 8   ? ElementType::kI64
                   : size == 4 ? ElementType::kI32
                   : size == 2 ? ElementType::kI16
                               : ElementType::kI8;
        case 'B':
        case 'H':
        case 'I':
        case 'L':
        case 'Q':
            return size == 8   ? ElementType::kU64
                   : size == 4 ? ElementType::kU32
                   : size == 2 ? ElementType::kU16
                               : ElementType::kU8;
        default:
            return {};
    }
}

/// Nothing for an object without a buffer of numbers that lie one after the other.
std::optional<Constant> constant_of_buffer(nb::handle object,
                                           std::optional<ElementType> element = std::nullopt) {
    Py_buffer view;
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        return {};
    }
    const std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> release(&view, &PyBuffer_Release);
    if (!element) element = element_of_format(view.format, view.itemsize);
    if (!element) return {};
    ir::TensorType type;
    type.element = *element;
    for (int i = 0; i < view.ndim; ++i)
        type.shape.push_back(view.shape[i]);
    return Constant::copy_of(std::move(type), std::span(static_cast<const std::byte*>(view.buf),
                                                        static_cast<std::size_t>(view.len)));
}

struct ElementName {
    const char* numpy;
    ElementType element;
};
constexpr std::array<ElementName, 13> kElementNames = {{{"float64", ElementType::kF64},
                                                        {"float32", ElementType::kF32},
                                                        {"float16", ElementType::kF16},
                                                        {"bfloat16", ElementType::kBF16},
                                                        {"int64", ElementType::kI64},
                                                        {"int32", ElementType::kI32},
                                                        {"int16", ElementType::kI16},
                                                        {"int8", ElementType::kI8},
                                                        {"uint64", ElementType::kU64},
                                                        {"uint32", ElementType::kU32},
                                                        {"uint16", ElementType::kU16},
                                                        {"uint8", ElementType::kU8},
                                                        {"bool", ElementType::kBool}}};

std::optional<ElementType> element_of_name(std::string_view name) {
    if (const auto own = ir::element_type_of(name)) return own;
    if (name == "bool_") return ElementType::kBool;
    for (const ElementName& each : kElementNames)
        if (name == each.numpy) return each.element;
    return {};
}

}  // namespace

PyTypeObject* array_type() {
    return g_array_type;
}

void set_array_type(nb::handle type) {
    g_array_type = reinterpret_cast<PyTypeObject*>(type.ptr());
}

std::string name_of_type(nb::handle object) {
    return nb::cast<std::string>(
        nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

bool is_operand(nb::handle object) {
    PyObject* const raw = object.ptr();
    if (is_array(object) || PyFloat_Check(raw) != 0 || PyLong_Check(raw) != 0 || PyList_Check(raw) != 0 ||
        PyTuple_Check(raw) != 0 || nb::isinstance<ir::Dim>(object))
        return true;
    return PyObject_CheckBuffer(raw) != 0 && PyBytes_Check(raw) == 0 && PyByteArray_Check(raw) == 0;
}

namespace {

/// True if a list has arrays in it, at any depth.
bool has_arrays(nb::handle object) {
    if (!PyList_CheckExact(object.ptr()) && !PyTuple_CheckExact(object.ptr())) return false;
    for (const nb::handle each : object)
        if (is_array(each) || has_arrays(each)) return true;
    return false;
}

Array stacked(nb::handle list, const char* what) {
    std::vector<Array> parts = arrays_of(list, what);
    // Numbers of Python become arrays beside the others, as in arithmetic.
    std::optional<ElementType> peer;
    for (const Array& part : parts)
        if (part.state() != Array::State::kLiteral)
            peer = peer ? trace::promoted(*peer, part.element()) : part.element();
    for (Array& part : parts) {
        if (part.state() == Array::State::kLiteral) part = trace::full({}, part, *peer);
        if (part.shape() != parts.front().shape())
            refuse(std::string(what) + ": found parts " + ir::text_of(parts.front().type()) + " and " +
                   ir::text_of(part.type()) + " in a list, expected one shape");
    }
    return trace::stack(parts);
}

}  // namespace

Array array_of(nb::handle object, const char* what) {
    PyObject* const raw = object.ptr();
    if (is_array(object)) return as_array(object);
    if (PyFloat_CheckExact(raw)) return {PyFloat_AsDouble(raw)};
    if (PyBool_Check(raw)) return {raw == Py_True};
    if (PyLong_Check(raw)) {
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(raw, &overflow);
        if (overflow == 0) return {static_cast<std::int64_t>(number)};
        const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(raw) : 0;
        if (overflow > 0 && PyErr_Occurred() == nullptr) return Array::literal_of(std::uint64_t{large});
        PyErr_Clear();
        return Array::literal_beyond_64_bits(PyLong_AsDouble(raw));
    }
    if (nb::isinstance<ir::Dim>(object)) return trace::dimension(*nb::inst_ptr<ir::Dim>(object));
    if (has_arrays(object)) return stacked(object, what);
    return Array(constant_of(object, what));
}

std::vector<Array> arrays_of(nb::handle sequence, const char* what) {
    std::vector<Array> arrays;
    for (const nb::handle each : sequence)
        arrays.push_back(array_of(each, what));
    return arrays;
}

namespace {

/// Objects of NumPy's own classes: they have a buffer, though its elements are no numbers, or are not all there.
void require_numbers(nb::handle object, const char* what) {
    static PyTypeObject* const plain =
        reinterpret_cast<PyTypeObject*>(nb::object(numpy().attr("ndarray")).release().ptr());
    static PyObject* const scalar = nb::object(numpy().attr("generic")).release().ptr();
    if (Py_TYPE(object.ptr()) == plain) return;
    const bool is_subclass = PyType_IsSubtype(Py_TYPE(object.ptr()), plain) != 0;
    if (is_subclass && nb::hasattr(object, "mask"))
        refuse_as(trace::Exception::kType,
                  std::string(what) + ": found a masked array, expected one whose elements all count",
                  "fill what is masked: x.filled(0)");
    if (!is_subclass && PyObject_IsInstance(object.ptr(), scalar) != 1) return;
    const auto kind = nb::cast<std::string>(object.attr("dtype").attr("kind"));
    if (kind != "V" && std::string("biuf").find(kind) == std::string::npos)
        refuse_as(trace::Exception::kType, std::string(what) + ": found elements of type " +
                                               nb::cast<std::string>(object.attr("dtype").attr("name")) +
                                               ", expected an array or a number");
}

/// The values of a tensor of torch, a parameter as well; nothing for other objects.
std::optional<Constant> constant_of_torch(nb::handle object) {
    if (!nb::hasattr(object, "__torch_function__") || !nb::hasattr(object, "detach")) return {};
    const nb::object tensor =
        object.attr("detach")().attr("cpu")().attr("resolve_conj")().attr("contiguous")();
    if (nb::cast<std::string>(nb::repr(nb::object(tensor.attr("dtype")))) != "torch.bfloat16")
        return constant_of_buffer(tensor.attr("numpy")());
    const nb::object bits = tensor.attr("view")(nb::module_::import_("torch").attr("int16"));
    return constant_of_buffer(bits.attr("numpy")(), ElementType::kBF16);
}

}  // namespace

Constant constant_of(nb::handle object, const char* what) {
    if (is_array(object)) return as_array(object).value();
    std::string found = "an object of type " + name_of_type(object);
    const bool is_text = PyUnicode_Check(object.ptr()) != 0 || PyBytes_Check(object.ptr()) != 0;
    if (!is_text) {
        require_numbers(object, what);
        if (auto constant = constant_of_buffer(object)) return *std::move(constant);
        if (auto constant = constant_of_torch(object)) return *std::move(constant);
        nb::object array;
        try {
            array = numpy().attr("array")(object, nb::arg("order") = "C");
        } catch (nb::python_error& error) {
            // An element's own error, a traced one's for example, comes first.
            if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
        }
        if (array.is_valid()) {
            if (auto constant = constant_of_buffer(array)) return *std::move(constant);
            const auto name = nb::cast<std::string>(array.attr("dtype").attr("name"));
            // Without buffers of a known format: NumPy has no bfloat16 of its own, and the bytes may be in another order.
            if (name == "bfloat16") {
                if (auto constant = constant_of_buffer(array.attr("view")("uint16"), ElementType::kBF16))
                    return *std::move(constant);
            } else if (element_of_name(name)) {
                if (auto constant = constant_of_buffer(array.attr("astype")(name)))
                    return *std::move(constant);
            }
            if (nb::hasattr(object, "dtype")) found = "elements of type " + name;
        }
    }
    refuse_as(trace::Exception::kType,
              std::string(what) + ": found " + found + ", expected an array or a number",
              "make what is no array a static argument");
}

nb::object numpy_of(const Constant& constant) {
    const ElementType element = constant.type().element;
    if (ir::is_block_float(element)) refuse("found a block format, expected a type that NumPy has");
    nb::dlpack::dtype type{};
    using Code = nb::dlpack::dtype_code;
    const bool brain = element == ElementType::kBF16;
    type.code = static_cast<std::uint8_t>(element == ElementType::kBool    ? Code::Bool
                                          : brain                          ? Code::UInt
                                          : ir::is_float(element)          ? Code::Float
                                          : ir::is_signed_integer(element) ? Code::Int
                                                                           : Code::UInt);
    type.bits = static_cast<std::uint8_t>(8 * ir::element_bytes(element));
    type.lanes = 1;
    std::vector<std::size_t> extents(constant.type().shape.begin(), constant.type().shape.end());
    auto storage = std::make_unique<Constant::Storage>(constant.storage());
    const void* const data = storage->get();
    const nb::capsule owner(storage.release(),
                            [](void* held) noexcept { delete static_cast<Constant::Storage*>(held); });
    nb::object array =
        nb::cast(nb::ndarray<nb::numpy, nb::ro>(data, extents.size(), extents.data(), owner, nullptr, type));
    if (!brain) return array;
    try {
        return array.attr("view")(nb::module_::import_("ml_dtypes").attr("bfloat16"));
    } catch (nb::python_error&) {
        const nb::object wide = array.attr("astype")("uint32").attr("__lshift__")(16);
        return wide.attr("astype")("uint32").attr("view")("float32");
    }
}

ElementType element_of(nb::handle dtype) {
    static auto* const known = new std::unordered_map<PyObject*, ElementType>;  // the objects are kept alive
    if (const auto found = known->find(dtype.ptr()); found != known->end()) return found->second;
    std::string name;
    if (dtype.is(reinterpret_cast<PyObject*>(&PyFloat_Type))) {
        name = "float64";
    } else if (dtype.is(reinterpret_cast<PyObject*>(&PyLong_Type))) {
        name = "int64";
    } else if (dtype.is(reinterpret_cast<PyObject*>(&PyBool_Type))) {
        name = "bool";
    } else if (nb::isinstance<nb::str>(dtype)) {
        name = nb::cast<std::string>(dtype);
    } else {
        const bool has_name = nb::hasattr(dtype, "__name__");
        name =
            nb::cast<std::string>(has_name ? nb::object(dtype.attr("__name__")) : nb::object(nb::str(dtype)));
        if (name.starts_with("torch.")) name = name.substr(6);
        if (name.starts_with("DataType.")) name = name.substr(9);
        for (char& letter : name)
            letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    std::optional<ElementType> element = element_of_name(name);
    if (!element) {
        try {
            const nb::object found = numpy().attr("dtype")(dtype);
            element = element_of_name(nb::cast<std::string>(found.attr("name")));
        } catch (nb::python_error&) {
        }
    }
    if (!element)
        refuse_as(trace::Exception::kType,
                  "found dtype " + name + ", expected one of arrays: float32, int64, bool, ...");
    if (known->size() < 256) {
        dtype.inc_ref();
        known->emplace(dtype.ptr(), *element);
    }
    return *element;
}

nb::object dtype_of(ElementType element) {
    static auto* const known = new std::unordered_map<ElementType, nb::object>;
    nb::object& object = (*known)[element];
    if (object.is_valid()) return object;
    for (const ElementName& each : kElementNames)
        if (element == each.element && element != ElementType::kBF16)
            return object = numpy().attr("dtype")(each.numpy);
    if (element == ElementType::kBF16) {
        try {
            return object = numpy().attr("dtype")(nb::module_::import_("ml_dtypes").attr("bfloat16"));
        } catch (nb::python_error&) {
            return object = nb::str("bfloat16");
        }
    }
    return object = nb::str(std::string(ir::name_of(element)).c_str());
}

nb::object object_of(ir::Dim dim) {
    if (dim.is_number()) return nb::int_(dim.value());
    return nb::cast(dim);
}

nb::tuple tuple_of(const ir::Shape& shape) {
    PyObject* const tuple = PyTuple_New(static_cast<Py_ssize_t>(shape.rank()));
    for (std::size_t i = 0; i < shape.rank(); ++i)
        PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), object_of(ir::Dim(shape[i])).release().ptr());
    return nb::steal<nb::tuple>(tuple);
}

nb::list list_of(std::vector<Array> arrays) {
    nb::list list;
    for (Array& array : arrays)
        list.append(nb::cast(std::move(array)));
    return list;
}

trace::Function function_of(nb::handle body) {
    return [body](std::span<const Array> arguments) {
        return arrays_of(body(list_of({arguments.begin(), arguments.end()})), "result");
    };
}

ir::Attribute attribute_of(nb::handle object) {
    PyObject* const raw = object.ptr();
    if (PyBool_Check(raw)) return raw == Py_True;
    if (PyLong_Check(raw)) return nb::cast<std::int64_t>(object);
    if (PyFloat_Check(raw)) return nb::cast<double>(object);
    if (PyUnicode_Check(raw)) return nb::cast<std::string>(object);
    if (PyTuple_Check(raw) || PyList_Check(raw)) {
        bool is_text = false, is_real = false;
        for (const nb::handle each : object) {
            is_text = is_text || nb::isinstance<nb::str>(each);
            is_real = is_real || PyFloat_Check(each.ptr()) != 0;
        }
        if (is_text) {
            ir::Strings texts;
            for (const nb::handle each : object)
                texts.push_back(nb::cast<std::string>(each));
            return texts;
        }
        if (!is_real) return integers_of(object, "attribute");
        ir::Floats floats;
        for (const nb::handle each : object)
            floats.push_back(nb::cast<double>(each));
        return floats;
    }
    return element_of(object);
}

namespace {

/// An attribute as an object of Python; lists as tuples.
struct AttributeVisitor {
    nb::object operator()(bool value) const { return nb::bool_(value); }
    nb::object operator()(std::int64_t value) const {
        return ir::Dim(value).is_expression() ? object_of(ir::Dim(value)) : nb::object(nb::int_(value));
    }
    nb::object operator()(double value) const { return nb::float_(value); }
    nb::object operator()(const std::string& value) const { return nb::str(value.c_str()); }
    nb::object operator()(ElementType value) const { return dtype_of(value); }
    template <class T>
    nb::object operator()(const std::vector<T>& values) const {
        nb::list list;
        for (const auto& value : values)
            list.append((*this)(static_cast<T>(value)));
        return nb::tuple(list);
    }
};

}  // namespace

nb::object object_of(const ir::Attribute& attribute) {
    return std::visit(AttributeVisitor(), attribute);
}

ir::Attributes attributes_of(nb::handle dict) {
    ir::Attributes attributes;
    if (!dict.is_valid() || dict.is_none()) return attributes;
    for (const auto& [name, value] : nb::borrow<nb::dict>(dict))
        attributes.set(nb::cast<std::string>(name), attribute_of(value));
    return attributes;
}

// ---- places in the user's program

namespace {

thread_local bool t_unlocked = false;
std::string g_package_folder;  // with a slash behind it; set once

bool is_internal(PyObject* code, ir::Location* place) {
    PyObject* const name = PyObject_GetAttrString(code, "co_filename");
    Py_ssize_t length = 0;
    const char* const text = name != nullptr ? PyUnicode_AsUTF8AndSize(name, &length) : nullptr;
    if (text == nullptr) {
        Py_XDECREF(name);
        PyErr_Clear();
        return true;
    }
    const std::string_view file(text, static_cast<std::size_t>(length));
    // Functions of these libraries call ours for what the user calls them with.
    const bool internal = file.starts_with(g_package_folder) ||
                          file.find("site-packages/torch/") != std::string_view::npos ||
                          file.find("site-packages/numpy/") != std::string_view::npos ||
                          file.find("site-packages/optree/") != std::string_view::npos;
    if (!internal && place->file != file) place->file = file;
    Py_DECREF(name);
    return internal;
}

bool find_place(ir::Location& place) {
    if (t_unlocked) return false;
    // The code that the last place was in: most operations come from one function.
    thread_local PyObject* t_code = nullptr;
    PyFrameObject* frame = PyEval_GetFrame();
    if (frame == nullptr) return false;
    Py_INCREF(reinterpret_cast<PyObject*>(frame));
    constexpr int kMostFrames = 32;
    for (int i = 0; i < kMostFrames; ++i) {
        auto* code = reinterpret_cast<PyObject*>(PyFrame_GetCode(frame));
        if ((code == t_code && !place.file.empty()) || !is_internal(code, &place)) {
            place.line = static_cast<std::uint32_t>(PyFrame_GetLineNumber(frame));
            std::swap(t_code, code);
            Py_XDECREF(code);
            Py_DECREF(reinterpret_cast<PyObject*>(frame));
            return true;
        }
        Py_DECREF(code);
        PyObject* const back = PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_back");
        Py_DECREF(reinterpret_cast<PyObject*>(frame));
        if (back == nullptr || back == Py_None) {
            Py_XDECREF(back);
            PyErr_Clear();
            return false;
        }
        frame = reinterpret_cast<PyFrameObject*>(back);
    }
    Py_DECREF(reinterpret_cast<PyObject*>(frame));
    return false;
}

/// A place is asked for while an exception is on its way as well.
bool user_place(ir::Location& place) {
    if (t_unlocked) return false;
    if (PyErr_Occurred() == nullptr) return find_place(place);
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const bool found = find_place(place);
    PyErr_Restore(type, value, trace);
    return found;
}

}  // namespace

void install_location_source(const std::string& package_folder) {
    g_package_folder = package_folder;
    trace::set_location_source(&user_place);
}

Unlocked::Unlocked() : state_(PyEval_SaveThread()) {
    t_unlocked = true;
}

Unlocked::~Unlocked() {
    t_unlocked = false;
    PyEval_RestoreThread(state_);
}

Locked::Locked() : state_(PyGILState_Ensure()), was_unlocked_(t_unlocked) {
    t_unlocked = false;
}

Locked::~Locked() {
    t_unlocked = was_unlocked_;
    PyGILState_Release(state_);
}

}  // namespace tilemeter::python::tracing
