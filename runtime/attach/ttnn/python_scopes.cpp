// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/attach/ttnn/python_scopes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dlfcn.h>

#include "runtime/attach/ttnn/processor.hpp"
#include "runtime/attach/ttnn/thread_state.hpp"

namespace tilemeter::attach::ttnn {

namespace {

struct PyObject;
using PySize = std::ptrdiff_t;

/// As in Python's headers, where it has not changed since its first version.
struct MethodDefinition {
    const char* name;
    void* function;
    int flags;
    const char* documentation;
};
constexpr int kKeywords = 0x0002;
constexpr int kFastCall = 0x0080;

struct Python {
    PyObject* (*vectorcall)(PyObject*, PyObject* const*, std::size_t, PyObject*);
    PyObject* (*new_function)(MethodDefinition*, PyObject* self, PyObject* module, void* type);
    PyObject* (*new_tuple)(PySize, ...);
    PyObject* (*tuple_item)(PyObject*, PySize);
    PyObject* (*new_number)(unsigned long);
    unsigned long (*number)(PyObject*);
    void (*take)(PyObject*);
    void (*release)(PyObject*);
    void (*fetch_error)(PyObject**, PyObject**, PyObject**);
    void (*restore_error)(PyObject*, PyObject*, PyObject*);
    void (*clear_error)();
    PyObject* (*str)(PyObject*);
    const char* (*utf8)(PyObject*, PySize*);
    PyObject* (*attribute)(PyObject*, const char*);
    PyObject* (*frame)();
    PyObject* (*frame_back)(PyObject*);
    PyObject* (*frame_code)(PyObject*);
    int (*frame_line)(PyObject*);
    int (*frame_instruction)(PyObject*);  ///< null: before 3.11

    bool load() {
        bool all = true;
        const auto find = [&](auto& place, const char* name) {
            void* const found = dlsym(RTLD_DEFAULT, name);
            std::memcpy(&place, &found, sizeof found);
            all = all && found != nullptr;
        };
        find(vectorcall, "PyObject_Vectorcall");
        find(new_function, "PyCMethod_New");
        find(new_tuple, "PyTuple_Pack");
        find(tuple_item, "PyTuple_GetItem");
        find(new_number, "PyLong_FromUnsignedLong");
        find(number, "PyLong_AsUnsignedLong");
        find(take, "Py_IncRef");
        find(release, "Py_DecRef");
        find(fetch_error, "PyErr_Fetch");
        find(restore_error, "PyErr_Restore");
        find(clear_error, "PyErr_Clear");
        find(str, "PyObject_Str");
        find(utf8, "PyUnicode_AsUTF8AndSize");
        find(attribute, "PyObject_GetAttrString");
        find(frame, "PyEval_GetFrame");
        find(frame_back, "PyFrame_GetBack");
        find(frame_code, "PyFrame_GetCode");
        find(frame_line, "PyFrame_GetLineNumber");
        const bool all_needed = all;
        find(frame_instruction, "PyFrame_GetLasti");
        return all_needed;
    }
};

Python python{};
std::atomic<bool> stacks_wanted{false};

/// The text of a Python object; empty where it has none.
std::string text_of(PyObject* object) {
    if (object == nullptr) return {};
    PyObject* const made = python.str(object);
    if (made == nullptr) {
        python.clear_error();
        return {};
    }
    PySize size = 0;
    const char* const bytes = python.utf8(made, &size);
    std::string text;
    if (bytes != nullptr) {
        text.assign(bytes, static_cast<std::size_t>(size));
    } else {
        python.clear_error();
    }
    python.release(made);
    return text;
}

std::string attribute_text(PyObject* object, const char* name) {
    PyObject* const value = python.attribute(object, name);
    if (value == nullptr) {
        python.clear_error();
        return {};
    }
    std::string text = text_of(value);
    python.release(value);
    return text;
}

/// Names of the wrapped functions. Python's lock guards it.
class ScopeNames {
public:
    std::size_t add(std::string_view name) {
        names_.emplace_back(name);
        recorder_ = kNoRecorder;
        return names_.size() - 1;
    }
    /// As the recorder has it.
    std::uint32_t text(std::size_t number) {
        if (recorder_ != recorder()) {
            texts_.clear();
            for (const std::string& each : names_)
                texts_.push_back(intern(each));
            recorder_ = recorder();
        }
        return texts_[number];
    }

private:
    static constexpr std::uint64_t kNoRecorder = ~std::uint64_t{0};
    std::vector<std::string> names_;
    std::vector<std::uint32_t> texts_;
    std::uint64_t recorder_ = kNoRecorder;
};
ScopeNames& scope_names = *new ScopeNames;

/// Python's stacks as the recorder has them. Python's lock guards it.
class PythonStacks {
public:
    std::uint32_t current() {
        if (recorder_ != recorder()) {
            texts_.clear();
            stacks_ = {};
            recorder_ = recorder();
        }
        Stack here;
        read(here);
        Entry& entry = stacks_[here.hash() % stacks_.size()];
        if (entry.id == 0 || !(entry.stack == here)) entry = {here, intern_stack()};
        return entry.id;
    }

private:
    static constexpr std::size_t kMostFrames = 20;

    /// A line is looked up in a table, from its start; the instruction is at hand.
    struct Place {
        PyObject* code = nullptr;
        int instruction = 0;  // or line, where Python does not give instructions
        bool operator==(const Place&) const = default;
        std::size_t hash() const {
            return (reinterpret_cast<std::uintptr_t>(code) >> 4) * 31 + static_cast<unsigned>(instruction);
        }
    };
    struct Hash {
        std::size_t operator()(const Place& place) const { return place.hash(); }
    };
    struct Stack {
        std::array<Place, kMostFrames> places;
        std::size_t count = 0;
        bool operator==(const Stack& other) const {
            return count == other.count &&
                   std::equal(places.begin(), places.begin() + count, other.places.begin());
        }
        std::size_t hash() const {
            std::size_t made = count;
            for (std::size_t i = 0; i < count; ++i)
                made = (made ^ places[i].hash()) * 0x9e3779b97f4a7c15;
            return made >> 32;
        }
    };
    struct Entry {
        Stack stack;
        std::uint32_t id = 0;
    };

    /// Calls visit(frame, code) from the innermost frame outwards.
    template <typename Visit>
    static void for_each_frame(Visit visit) {
        PyObject* frame = python.frame();
        if (frame != nullptr) python.take(frame);
        for (std::size_t count = 0; frame != nullptr && count < kMostFrames; ++count) {
            PyObject* const code = python.frame_code(frame);
            visit(frame, code);
            python.release(code);
            PyObject* const back = python.frame_back(frame);
            python.release(frame);
            frame = back;
        }
        if (frame != nullptr) python.release(frame);
    }

    static Place place_of(PyObject* frame, PyObject* code) {
        return {code, python.frame_instruction != nullptr ? python.frame_instruction(frame)
                                                          : python.frame_line(frame)};
    }

    static void read(Stack& here) {
        for_each_frame(
            [&](PyObject* frame, PyObject* code) { here.places[here.count++] = place_of(frame, code); });
    }

    std::uint32_t intern_stack() {
        std::array<std::uint32_t, kMostFrames> frames{};
        std::size_t count = 0;
        for_each_frame([&](PyObject* frame, PyObject* code) {
            if (const std::uint32_t text = text_at(place_of(frame, code), frame); text != 0)
                frames[count++] = text;
        });
        return table().intern_stack(frames.data(), count);
    }

    /// 0: a frame of TT-NN's own.
    std::uint32_t text_at(const Place& place, PyObject* frame) {
        const auto [entry, is_new] = texts_.try_emplace(place, 0U);
        if (is_new) {
            python.take(place.code);  // kept, so that its address stays its own
            const std::string file = attribute_text(place.code, "co_filename");
            if (!file.ends_with("/ttnn/decorators.py"))
                entry->second =
                    intern("File \"" + file + "\", line " + std::to_string(python.frame_line(frame)) +
                           ", in " + attribute_text(place.code, "co_name"));
        }
        return entry->second;
    }

    std::unordered_map<Place, std::uint32_t, Hash> texts_;
    std::array<Entry, 256> stacks_{};
    std::uint64_t recorder_ = 0;
};
PythonStacks& python_stacks = *new PythonStacks;

/// The text of Python's pending exception; it stays pending.
void say_why_it_failed(std::uint32_t operation, const Scope& scope) {
    PyObject* type = nullptr;
    PyObject* value = nullptr;
    PyObject* traceback = nullptr;
    python.fetch_error(&type, &value, &traceback);
    const std::uint32_t message = intern(text_of(value));
    const std::uint32_t type_name =
        intern(type != nullptr ? attribute_text(type, "__name__") : std::string());
    python.restore_error(type, value, traceback);
    abort_scope(scope, type_name, message, operation);
}

/// `self`: a tuple of the function and the number of its name. Python's collector looks into tuples.
PyObject* call(PyObject* self, PyObject* const* arguments, PySize count, PyObject* keywords) {
    PyObject* const function = python.tuple_item(self, 0);
    if (__atomic_load_n(table().listening, __ATOMIC_RELAXED) == 0) [[likely]]
        return python.vectorcall(function, arguments, static_cast<std::size_t>(count), keywords);
    const std::uint32_t name = scope_names.text(python.number(python.tuple_item(self, 1)));
    join_thread();
    const std::uint32_t stack = stacks_wanted.load(std::memory_order_relaxed) ? python_stacks.current() : 0;
    const Scope scope = begin_scope(name, stack);
    PyObject* const result =
        python.vectorcall(function, arguments, static_cast<std::size_t>(count), keywords);
    if (result == nullptr) {
        say_why_it_failed(name, scope);
    } else {
        end_scope(scope);
    }
    return result;
}

}  // namespace

void* wrap_in_scope(void* function, const char* name) {
    static const bool loaded = python.load();
    if (!loaded) return nullptr;
    static MethodDefinition definition{"operation", reinterpret_cast<void*>(&call), kFastCall | kKeywords,
                                       nullptr};
    PyObject* const number = python.new_number(scope_names.add(name));
    if (number == nullptr) return nullptr;
    PyObject* const self = python.new_tuple(2, static_cast<PyObject*>(function), number);
    python.release(number);
    if (self == nullptr) return nullptr;
    PyObject* const made = python.new_function(&definition, self, nullptr, nullptr);
    python.release(self);
    return made;
}

void record_python_stacks(bool wanted) {
    stacks_wanted.store(wanted, std::memory_order_relaxed);
}

}  // namespace tilemeter::attach::ttnn
