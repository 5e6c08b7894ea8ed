// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/operations/call_records.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/tensor_handle.hpp"

namespace tilemeter::python {

namespace {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

constexpr std::size_t kMaxElements = 32;  // of one list, as TT-NN's records
constexpr int kMaxDepth = 4;

/// The classes whose objects cannot change.
class ConstantTypes {
public:
    ConstantTypes() {
        for (PyTypeObject* type :
             {&PyLong_Type, &PyFloat_Type, &PyBool_Type, &PyUnicode_Type, Py_TYPE(Py_None)})
            types_.push_back(reinterpret_cast<PyObject*>(type));
    }
    void add(nb::handle type) { types_.push_back(type.ptr()); }
    bool has(PyObject* value) const {
        const auto* type = reinterpret_cast<PyObject*>(Py_TYPE(value));
        for (const PyObject* known : types_)
            if (known == type) return true;
        return false;
    }

private:
    std::vector<PyObject*> types_;  // classes of modules: they live as long as the process
};

ConstantTypes& constant_types() {
    static auto* const types = new ConstantTypes();
    return *types;
}

/// The tensor behind an object; null: it is none.
const Tensor* tensor_of(PyObject* value) {
    static PyObject* const type = nb::type<TensorHandle>().ptr();
    if (reinterpret_cast<PyObject*>(Py_TYPE(value)) != type &&
        !PyType_IsSubtype(Py_TYPE(value), reinterpret_cast<PyTypeObject*>(type)))
        return nullptr;
    return &nb::inst_ptr<TensorHandle>(value)->tensor();
}

TensorMention mention_of(const Tensor& tensor) {
    TensorMention mention;
    mention.id = tensor.id();
    mention.spec = tensor.record_spec_id();
    mention.is_allocated = tensor.is_allocated();
    mention.on_device = tensor.storage_type() == StorageType::DEVICE;
    if (mention.on_device) {
        mention.device = tensor.device().id();
        mention.mesh = tensor.device().mesh_shape();
    } else {
        mention.memory_config = record_text(tensor.memory_config());
    }
    return mention;
}

bool is_sequence(PyObject* value) {
    return PyList_Check(value) || PyTuple_Check(value);
}

/// The i-th element of a list or tuple, borrowed.
PyObject* element(PyObject* sequence, Py_ssize_t i) {
    return PyList_Check(sequence) ? PyList_GetItem(sequence, i) : PyTuple_GetItem(sequence, i);
}
Py_ssize_t length(PyObject* sequence) {
    return PyList_Check(sequence) ? PyList_Size(sequence) : PyTuple_Size(sequence);
}

bool holds_tensor(PyObject* value, int depth) {
    if (tensor_of(value) != nullptr) return true;
    if (!is_sequence(value)) return false;
    if (depth >= kMaxDepth) return true;
    for (Py_ssize_t i = 0; i < length(value); ++i)
        if (holds_tensor(element(value, i), depth + 1)) return true;
    return false;
}

void keep(KeptArgument& kept, PyObject* value, int depth = 0) {
    if (const Tensor* tensor = tensor_of(value)) {
        kept.tensor = mention_of(*tensor);
    } else if (constant_types().has(value)) {
        kept.object = nb::borrow(value);
    } else if (is_sequence(value) && holds_tensor(value, depth)) {
        kept.sequence = std::make_unique<KeptSequence>();
        KeptSequence& sequence = *kept.sequence;
        sequence.is_tuple = PyTuple_Check(value) != 0;
        sequence.length = static_cast<std::size_t>(length(value));
        sequence.too_deep = depth >= kMaxDepth;
        if (sequence.too_deep) return;
        sequence.elements.resize(std::min(sequence.length, kMaxElements));
        for (std::size_t i = 0; i < sequence.elements.size(); ++i)
            keep(sequence.elements[i], element(value, static_cast<Py_ssize_t>(i)), depth + 1);
    } else {
        kept.object = call_recording().value_text(nb::handle(value));
    }
}

/// "DataType::BFLOAT16" -> "DataType.BFLOAT16"
std::string dotted(std::string_view text) {
    const std::size_t colons = text.find("::");
    if (colons == std::string_view::npos) return std::string(text);
    return std::string(text.substr(0, colons)) + '.' + std::string(text.substr(colons + 2));
}

std::string text_of(const TensorMention& mention) {
    const record::TensorInfo info = record::tensor_info_of(mention.spec);
    std::string text = "ttnn.Tensor(shape=Shape([";
    for (std::size_t i = 0; i < info.shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(info.shape[i]);
    text += "]), dtype=" + dotted(record::text_of(info.dtype)) +
            ", layout=" + dotted(record::text_of(info.layout)) + ", memory_config=";
    text += record::text_of(mention.on_device ? info.memory_config : mention.memory_config);
    text += mention.on_device ? ", storage_type=StorageType.DEVICE" : ", storage_type=StorageType.HOST";
    text += ", tensor_id=" + std::to_string(static_cast<std::uint64_t>(mention.id));
    text += mention.is_allocated ? ", is_allocated=True" : ", is_allocated=False";
    const std::string rows = std::to_string(mention.mesh.rows),
                      columns = std::to_string(mention.mesh.columns);
    if (mention.on_device) {
        text += ", device_id=" + std::to_string(static_cast<unsigned>(mention.device)) +
                ", mesh_shape=MeshShape([" + rows + ", " + columns + "])";
    }
    text += ", mesh_coords=[";
    for (std::uint32_t row = 0; row < mention.mesh.rows; ++row) {
        for (std::uint32_t column = 0; column < mention.mesh.columns; ++column) {
            text += (row + column == 0 ? "'" : ", '");
            text += "MeshCoordinate([" + std::to_string(row) + ", " + std::to_string(column) + "])'";
        }
    }
    text += "]";
    // The spread of a mesh's tensor over its chips is not known here; on one chip there is one answer.
    if (mention.mesh.size() == 1)
        text += ", distribution_shape=MeshShape([1]), placements=['PlacementReplicate()']";
    return text + ")";
}

std::string text_of(const KeptArgument& kept) {
    if (kept.tensor.id != record::TensorId::kNone) return text_of(kept.tensor);
    if (!kept.sequence) {
        try {
            return nb::cast<std::string>(nb::str(kept.object));
        } catch (...) {  // NOLINT: says what is wrong with it
            return nb::cast<std::string>(call_recording().value_text(kept.object));
        }
    }
    const KeptSequence& sequence = *kept.sequence;
    const char* const ends = sequence.is_tuple ? "()" : "[]";
    std::string text(1, ends[0]);
    if (sequence.too_deep)
        return text + "... " + std::to_string(sequence.length) + " element(s) below the summary depth limit" +
               ends[1];
    for (std::size_t i = 0; i < sequence.elements.size(); ++i)
        text += (i == 0 ? "" : ", ") + text_of(sequence.elements[i]);
    if (sequence.length > sequence.elements.size())
        text += ", ... +" + std::to_string(sequence.length - sequence.elements.size()) + " more";
    return text + ends[1];
}

void append_ids(nb::list& ids, const KeptArgument& kept) {
    if (kept.tensor.id != record::TensorId::kNone) ids.append(static_cast<std::uint64_t>(kept.tensor.id));
    if (!kept.sequence) return;
    for (const KeptArgument& each : kept.sequence->elements)
        append_ids(ids, each);
}

void append_ids(std::vector<std::uint64_t>& ids, PyObject* value) {
    if (const Tensor* tensor = tensor_of(value)) {
        ids.push_back(static_cast<std::uint64_t>(tensor->id()));
    } else if (is_sequence(value)) {
        for (Py_ssize_t i = 0; i < length(value); ++i)
            append_ids(ids, element(value, i));
    }
}

nb::object text_object(const std::string& text) {
    PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

/// The records from number `first` on, as dicts.
nb::list dicts_from(const CallRecording& recording, std::size_t first) {
    nb::list dicts;
    for (std::size_t i = first; i < recording.size(); ++i)
        dicts.append(recording.at(i).as_dict());
    return dicts;
}

/// Arguments as calls in C have them. Alive as long as what it was made from.
struct PackedCall {
    PackedCall(const nb::tuple& arguments, const nb::dict& named) {
        for (const nb::handle each : arguments)
            values.push_back(each.ptr());
        nb::list keys;
        for (const auto& [key, value] : named) {
            keys.append(key);
            values.push_back(value.ptr());
        }
        keywords = nb::tuple(keys);
    }
    std::vector<PyObject*> values;
    nb::tuple keywords;
};

/// Python's handle of a record: a change to one that was cleared meanwhile goes nowhere.
class RecordHandle {
public:
    explicit RecordHandle(RecordNumber number) : number_(number) {}
    template <typename Change>
    void change(Change change) const {
        if (CallRecord* record = call_recording().find(number_)) change(*record);
    }

private:
    RecordNumber number_;
};

constexpr std::size_t kKeptRecords = 4096;  // about 1 MiB

}  // namespace

void CallRecord::keep_call(nb::object called, PyObject* const* values, std::size_t positional,
                           PyObject* keys) {
    name = std::move(called);
    const std::size_t named = keys == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(keys));
    if (named != 0) keywords = nb::borrow(keys);
    arguments.resize(positional + named);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        keep(arguments[i], values[i]);
}

void CallRecord::forget() {
    for (nb::object* each : {&name, &keywords, &stack, &error, &captured_graph, &document})
        each->reset();
    arguments.clear();
    outputs.clear();
    has_outputs = false;
}

void CallRecord::keep_outputs(nb::handle result) {
    has_outputs = true;
    append_ids(outputs, result.ptr());
}

void CallRecord::keep_current_error() {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    try {
        error = nb::make_tuple(nb::handle(type).attr("__name__"), nb::str(nb::handle(value)));
    } catch (...) {  // NOLINT: an exception without a text has a name all the same
        PyErr_Clear();
        error = nb::make_tuple(nb::handle(type).attr("__name__"), nb::str(""));
    }
    PyErr_Restore(type, value, traceback);
}

nb::dict CallRecord::as_dict() const {
    if (document.is_valid()) return nb::borrow<nb::dict>(document);
    nb::dict texts;
    const std::size_t named = keywords.is_valid() ? nb::len(keywords) : 0;
    const std::size_t positional = arguments.size() - named;
    for (std::size_t i = 0; i < named; ++i)
        texts[keywords[i]] = text_object(text_of(arguments[positional + i]));
    for (std::size_t i = 0; i < positional; ++i)
        texts[text_object(std::to_string(i))] = text_object(text_of(arguments[i]));
    nb::list inputs;
    for (const KeptArgument& each : arguments)
        append_ids(inputs, each);
    nb::dict dict;
    dict["name"] = name;
    dict["arguments"] = texts;
    dict["input_tensor_ids"] = inputs;
    if (stack.is_valid()) dict["python_stack_trace"] = call_recording().stack_text(stack);
    if (captured_graph.is_valid()) dict["captured_graph"] = captured_graph;
    if (has_outputs) dict["output_tensor_ids"] = outputs;
    if (error.is_valid()) {
        nb::dict what;
        what["type"] = error[0];
        what["message"] = error[1];
        dict["error"] = what;
    }
    return dict;
}

CallRecord& CallRecording::next() {
    if (size_ == records_.size()) records_.push_back(std::make_unique<CallRecord>());
    return *records_[size_++];
}

RecordNumber CallRecording::begin(nb::object name, PyObject* const* arguments, std::size_t positional,
                                  PyObject* keywords) {
    const RecordNumber number{generation_, size_};
    // Texts of arguments and stacks are made by Python, which may let other threads record meanwhile: none of
    // them moves this record.
    CallRecord& record = next();
    record.keep_call(std::move(name), arguments, positional, keywords);
    if (stacks) record.stack = stack();
    return number;
}

RecordNumber CallRecording::append(nb::dict document) {
    const RecordNumber number{generation_, size_};
    next().document = std::move(document);
    return number;
}

CallRecord* CallRecording::find(RecordNumber number) {
    return number.generation == generation_ ? records_[number.index].get() : nullptr;
}

std::optional<RecordNumber> CallRecording::latest() const {
    if (size_ == 0) return std::nullopt;
    return RecordNumber{generation_, size_ - 1};
}

void CallRecording::clear() {
    // Dropping objects runs code of Python's: first they are nobody's.
    auto dropped = std::exchange(records_, {});
    ++generation_;
    size_ = 0;
    if (dropped.size() > kKeptRecords) dropped.resize(kKeptRecords);
    for (const std::unique_ptr<CallRecord>& record : dropped)
        record->forget();
    if (records_.empty()) records_ = std::move(dropped);
}

CallRecording& call_recording() {
    static auto* const recording = new CallRecording();
    return *recording;
}

void bind_call_records(nb::module_& module) {
    for (const char* name : {"DataType", "Layout", "MemoryConfig", "ConfigOfTensor", "Shape", "CoreCoord",
                             "CoreRange", "CoreRangeSet", "ShardSpec", "CoreGrid", "UnaryWithParam"})
        constant_types().add(module.attr(name));
    nb::class_<RecordHandle>(module, "CallRecord", "One call of an operation.")
        .def(
            "keep_outputs",
            [](const RecordHandle& self, nb::handle result) {
                self.change([&](CallRecord& record) { record.keep_outputs(result); });
            },
            "result"_a.none(), "Ids of the tensors in it, lists searched.")
        .def(
            "store_outputs",
            [](const RecordHandle& self, const std::vector<std::uint64_t>& ids) {
                self.change([&](CallRecord& record) {
                    record.has_outputs = true;
                    record.outputs = ids;
                    if (record.document.is_valid()) record.document["output_tensor_ids"] = ids;
                });
            },
            "output_tensor_ids"_a)
        .def(
            "store_error",
            [](const RecordHandle& self, const std::string& type, const std::string& message) {
                self.change([&](CallRecord& record) { record.error = nb::make_tuple(type, message); });
            },
            "error_type"_a, "message"_a)
        .def(
            "store_captured_graph",
            [](const RecordHandle& self, const nb::list& nodes) {
                self.change([&](CallRecord& record) {
                    record.captured_graph = nodes;
                    if (record.document.is_valid()) record.document["captured_graph"] = nodes;
                });
            },
            "nodes"_a);
    nb::class_<CallRecording>(module, "CallRecording", "The process's records of calls, and its switches.")
        .def_rw("enabled", &CallRecording::enabled, "Whether calls are recorded.")
        .def_rw("stacks", &CallRecording::stacks, "Whether records hold the callers.")
        .def_rw("slow", &CallRecording::slow, "Whether calls go through slow_call.")
        .def_rw("hooked", &CallRecording::hooked, "Whether they do so outside of captures, too.")
        .def_rw("slow_call", &CallRecording::slow_call)
        .def_rw("call_on_queue", &CallRecording::call_on_queue)
        .def_rw("call_adapted", &CallRecording::call_adapted)
        .def_rw("stack", &CallRecording::stack)
        .def_rw("stack_text", &CallRecording::stack_text)
        .def_rw("value_text", &CallRecording::value_text)
        .def("__len__", &CallRecording::size)
        .def("clear", &CallRecording::clear)
        .def("latest",
             [](const CallRecording& self) -> std::optional<RecordHandle> {
                 const std::optional<RecordNumber> number = self.latest();
                 return number ? std::optional(RecordHandle(*number)) : std::nullopt;
             })
        .def(
            "begin",
            [](CallRecording& self, nb::object name, const nb::tuple& args, const nb::dict& kwargs) {
                const PackedCall call(args, kwargs);
                return RecordHandle(
                    self.begin(std::move(name), call.values.data(), nb::len(args), call.keywords.ptr()));
            },
            "name"_a, "args"_a, "kwargs"_a, "Records a call.")
        .def(
            "append", [](CallRecording& self, nb::dict document) { self.append(std::move(document)); },
            "record"_a, "A record that the caller fills.")
        .def("as_dicts", &dicts_from, "first"_a = 0,
             "The records from number `first` on, as the sidecar has them.");
    module.def(
        "call_record_of",
        [](nb::object name, const nb::tuple& args, const nb::dict& kwargs) {
            const PackedCall call(args, kwargs);
            CallRecord record;
            record.keep_call(std::move(name), call.values.data(), nb::len(args), call.keywords.ptr());
            return record.as_dict();
        },
        "name"_a, "args"_a, "kwargs"_a, "A call as the sidecar has it, without keeping it.");
    module.attr("recording") = nb::cast(&call_recording(), nb::rv_policy::reference);
}

}  // namespace tilemeter::python
