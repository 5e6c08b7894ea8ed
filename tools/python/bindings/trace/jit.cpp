// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Compiled functions. A call whose arguments are arrays and numbers is answered here without the package; what has
// keywords, static arguments or trees goes through it.

#include "runtime/trace/arrays/jit.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <structmember.h>  // include rule: Python's own, for a type that nanobind cannot make

#include "runtime/trace/arrays/frame.hpp"
#include "runtime/trace/arrays/lazy.hpp"
#include "tools/python/bindings/trace/bind_trace.hpp"
#include "tools/python/bindings/trace/convert.hpp"

namespace tilemeter::python::tracing {

namespace {

/// The results of a function: a list of arrays, and how they stand in it.
enum class Form : std::int8_t { kArray, kTuple, kTree };
struct Tree {
    std::size_t leaves;
    Form form;
};

struct State {
    std::uint64_t key = trace::new_function_key();
    std::string name;
    std::string options_text;
    std::string statics;  ///< of calls with nothing but arrays
    trace::JitOptions options;
    bool is_plain = false;  ///< no static arguments
    nb::object body;        ///< (*arrays) -> (list of arrays, number of the tree)
    nb::object call_tree;   ///< (args, kwargs) -> result
    nb::object build;       ///< (number of the tree, list of arrays) -> result
    nb::tuple cells;        ///< the function's closure
    nb::list contents;      ///< of the cells, when it was traced
    std::vector<Tree> trees;
};

struct Compiled {
    PyObject_HEAD vectorcallfunc vectorcall;
    PyObject* dict;
    PyObject* weak_references;
    State* state;
};

constexpr Py_ssize_t kLargeBytes = 1 << 16;

bool is_large(std::span<const Array> arguments) {
    std::int64_t elements = 0;
    for (const Array& argument : arguments)
        elements += argument.shape().elements();
    return elements > kLargeBytes / 8;
}

/// A trace that runs within a call.
struct Tracing {
    State& state;
    nb::handle body;
    std::int64_t tree = -1;

    std::vector<Array> run(std::span<const Array> arguments) {
        const Locked locked;
        nb::object outcome = body(*nb::tuple(list_of({arguments.begin(), arguments.end()})));
        std::vector<Array> leaves = arrays_of(outcome[0], "result");
        tree = nb::cast<std::int64_t>(outcome[1]);
        // A tree other than the first stands behind the results, so that a hit knows it: their number differs.
        if (tree != 0) {
            leaves.emplace_back(tree);
            if (leaves.size() == state.trees[0].leaves) leaves.emplace_back(tree);
        }
        return leaves;
    }
};

std::int64_t tree_of(State& state, const Tracing& tracing, const trace::CallSite& site,
                     std::span<const Array> arguments, std::span<const Array> results) {
    if (tracing.tree >= 0) return tracing.tree;
    if (results.size() == state.trees[0].leaves) return 0;
    if (!results.back().is_traced()) return results.back().to_int();
    const auto known = trace::default_cache().find(site, arguments);
    return known == nullptr ? 0 : known->graph->constant(known->graph->results().back())->integer_at(0);
}

nb::object run(State& state, std::span<const Array> arguments, std::string_view statics, nb::handle body) {
    Tracing tracing{state, body};
    const trace::CallSite site{state.key, statics, state.options_text};
    const trace::Function function = [&tracing](std::span<const Array> of) { return tracing.run(of); };
    std::vector<Array> results;
    if (!trace::Frame::is_open() && is_large(arguments)) {
        trace::eval(arguments);
        const Unlocked unlocked;
        results = trace::default_cache().call(site, state.name, function, arguments, state.options);
    } else {
        results = trace::default_cache().call(site, state.name, function, arguments, state.options);
    }
    const std::int64_t tree = tree_of(state, tracing, site, arguments, results);
    const Tree& shape = state.trees[static_cast<std::size_t>(tree)];
    results.resize(shape.leaves);
    if (shape.form == Form::kArray) return nb::cast(std::move(results[0]));
    if (shape.form == Form::kTree) return state.build(tree, list_of(std::move(results)));
    PyObject* const tuple = PyTuple_New(static_cast<Py_ssize_t>(results.size()));
    for (std::size_t i = 0; i < results.size(); ++i)
        PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), nb::cast(std::move(results[i])).release().ptr());
    return nb::steal(tuple);
}

/// An argument that is an array without a look into it: numbers, arrays, NumPy's arrays.
bool is_leaf(PyObject* object) {
    static PyObject* const s_ndarray =
        nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();  // lives as long as NumPy
    PyTypeObject* const type = Py_TYPE(object);
    return type == array_type() || PyFloat_CheckExact(object) || PyLong_CheckExact(object) ||
           PyBool_Check(object) || type == reinterpret_cast<PyTypeObject*>(s_ndarray);
}

bool closure_is_as_traced(const State& state) {
    if (!state.cells.is_valid()) return true;
    static PyObject* const s_contents = PyUnicode_InternFromString("cell_contents");
    const Py_ssize_t count = PyTuple_Size(state.cells.ptr());
    if (PyList_Size(state.contents.ptr()) != count) return true;  // not traced yet
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* const now = PyObject_GetAttr(PyTuple_GetItem(state.cells.ptr(), i), s_contents);
        if (now == nullptr) PyErr_Clear();
        const bool same = now == PyList_GetItem(state.contents.ptr(), i);
        Py_XDECREF(now);
        if (!same) return false;
    }
    return true;
}

PyObject* call(PyObject* object, PyObject* const* arguments, std::size_t nargsf, PyObject* keywords) {
    State& state = *reinterpret_cast<Compiled*>(object)->state;
    const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(nargsf));
    try {
        bool is_plain = state.is_plain && keywords == nullptr && closure_is_as_traced(state);
        for (std::size_t i = 0; is_plain && i < count; ++i)
            is_plain = is_leaf(arguments[i]);
        if (!is_plain) {
            nb::list positional;
            for (std::size_t i = 0; i < count; ++i)
                positional.append(nb::handle(arguments[i]));
            nb::dict named;
            const std::size_t more =
                keywords == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(keywords));
            for (std::size_t i = 0; i < more; ++i)
                named[nb::handle(PyTuple_GetItem(keywords, static_cast<Py_ssize_t>(i)))] =
                    nb::handle(arguments[count + i]);
            return state.call_tree(nb::tuple(positional), named).release().ptr();
        }
        std::vector<Array> arrays;
        arrays.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            arrays.push_back(array_of(nb::handle(arguments[i]), "argument"));
        return run(state, arrays, state.statics, state.body).release().ptr();
    } catch (...) {
        restore_current_exception();
    }
    return nullptr;
}

State& state_of(nb::handle object) {
    return *reinterpret_cast<Compiled*>(object.ptr())->state;
}

PyObject* make(PyTypeObject* type, PyObject* /*arguments*/, PyObject* /*keywords*/) {
    PyObject* const object = PyType_GenericAlloc(type, 0);
    if (object == nullptr) return nullptr;
    auto* const self = reinterpret_cast<Compiled*>(object);
    self->vectorcall = &call;
    self->state = new State;
    return object;
}

int traverse(PyObject* object, visitproc visit, void* arg) {
    auto* const self = reinterpret_cast<Compiled*>(object);
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->dict);
    if (self->state != nullptr) {
        Py_VISIT(self->state->body.ptr());
        Py_VISIT(self->state->call_tree.ptr());
        Py_VISIT(self->state->build.ptr());
        Py_VISIT(self->state->cells.ptr());
        Py_VISIT(self->state->contents.ptr());
    }
    return 0;
}

int clear(PyObject* object) {
    auto* const self = reinterpret_cast<Compiled*>(object);
    Py_CLEAR(self->dict);
    if (self->state != nullptr) {
        self->state->is_plain = false;
        self->state->body = {};
        self->state->call_tree = {};
        self->state->build = {};
        self->state->cells = {};
        self->state->contents = {};
    }
    return 0;
}

void destroy(PyObject* object) {
    auto* const self = reinterpret_cast<Compiled*>(object);
    PyTypeObject* const type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    if (self->weak_references != nullptr) PyObject_ClearWeakRefs(object);
    clear(object);
    if (self->state != nullptr) trace::default_cache().drop(self->state->key);
    delete self->state;
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

constexpr auto offset(std::size_t offset) {
    return static_cast<Py_ssize_t>(offset);
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offset(offsetof(Compiled, vectorcall)), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offset(offsetof(Compiled, dict)), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offset(offsetof(Compiled, weak_references)), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"__dict__", &PyObject_GenericGetDict, &PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(&make)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(&destroy)},
                       {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(&clear)},
                       {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                       {Py_tp_members, members},
                       {Py_tp_getset, attributes},
                       {Py_tp_doc, const_cast<char*>("A compiled function.")},
                       {0, nullptr}};

PyType_Spec spec = {"tilemeter._tilemeter.trace.Compiled", static_cast<int>(sizeof(Compiled)), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC, slots};

}  // namespace

void bind_jit(nb::module_& trace) {
    PyObject* const type = PyType_FromSpec(&spec);
    if (type == nullptr) throw nb::python_error();
    trace.attr("Compiled") = nb::steal(type);
    trace.def(
        "_set_up",
        [](nb::handle compiled, const std::string& name, bool is_plain, bool concrete, bool simplify,
           bool check_nans, bool strict, nb::object body, nb::object call_tree, nb::object build,
           nb::object cells) {
            State& state = state_of(compiled);
            state.name = name;
            state.is_plain = is_plain;
            state.options = {.mode = concrete ? trace::Mode::kConcrete : trace::Mode::kAbstract,
                             .simplify = simplify,
                             .strict = strict,
                             .check_nans = check_nans};
            state.options_text = std::string(concrete ? "concrete" : "abstract") +
                                 (simplify ? "" : ", as traced") + (check_nans ? ", nans checked" : "") +
                                 (strict ? ", strict" : "");
            state.body = std::move(body);
            state.call_tree = std::move(call_tree);
            state.build = std::move(build);
            if (!cells.is_none()) state.cells = nb::cast<nb::tuple>(cells);
        },
        nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg().none());
    trace.def("_closure_is_as_traced",
              [](nb::handle compiled) { return closure_is_as_traced(state_of(compiled)); });
    trace.def("_keep_closure", [](nb::handle compiled, nb::list contents, const std::string& statics) {
        State& state = state_of(compiled);
        state.contents = std::move(contents);
        state.statics = statics;
    });
    trace.def("_add_tree", [](nb::handle compiled, std::size_t leaves, int form) {
        std::vector<Tree>& trees = state_of(compiled).trees;
        trees.push_back({leaves, static_cast<Form>(form)});
        return trees.size() - 1;
    });
    trace.def("_call_compiled",
              [](nb::handle compiled, nb::handle leaves, const std::string& statics, nb::handle body) {
                  return run(state_of(compiled), arrays_of(leaves, "argument"), statics, body);
              });
    trace.def("_explain",
              [](nb::handle compiled) { return trace::default_cache().explain(state_of(compiled).key); });
    trace.def("_drop", [](nb::handle compiled) { trace::default_cache().drop(state_of(compiled).key); });
    trace.def("_clear_cache", [] { trace::default_cache().clear(); });
    trace.def(
        "cache_statistics",
        [] {
            const trace::CacheStatistics statistics = trace::default_cache().statistics();
            nb::dict result;
            result["hits"] = statistics.hits;
            result["misses"] = statistics.misses;
            result["entries"] = statistics.entries;
            result["held_bytes"] = statistics.held_bytes;
            return result;
        },
        "Of the cache of compiled functions.");
}

}  // namespace tilemeter::python::tracing
