// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The Python function of an operation, put together when the module is loaded: from a table of its parameters
// and one conversion for each of their types. There are 460 operations with 3,000 parameters of 60 types:
// nanobind's templates, which make code for each function, would take the compiler a minute and a half.
//
// What is made is an ordinary function of nanobind, described by the structure that its frontend hands to its
// backend (func_data_init: part of nanobind's stable interface since version 3), so that calls, overloads,
// errors, signatures and stubs are nanobind's.

#pragma once

#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <vector>

#include <nanobind/nanobind.h>

namespace tilemeter::python {

namespace nb = nanobind;

/// What a type is called in signatures.
struct TypeDescription {
    const char* text;  ///< with a '%' for each of the types
    std::size_t type_count;
    void (*put_types)(const std::type_info** to);  ///< and a null behind them
};

/// How arguments of one type come from Python.
struct ArgumentConversion {
    TypeDescription description;
    std::uint32_t flags;  ///< nanobind's cast_flags: what is said of None
    /// Sets `*member` to what `source` is as a value of the type; false if it is none.
    bool (*from_python)(nb::handle source, std::uint32_t flags, nb::detail::cleanup_list* cleanup,
                        void* member);
};

struct BoundParameter {
    const ArgumentConversion* type;
    const char* name;
    std::size_t offset;  ///< of the member in the definition
    bool by_name_only;
    bool may_be_none;          ///< beside what its type says
    nb::object default_value;  ///< none (not None): a caller must give it
};

class BoundArguments;

/// An operation's definition with its types erased.
struct BoundOperation {
    const void* row;                          ///< of a table of operations, or null
    void (*make)(void* at, const void* row);  ///< with defaults
    void (*destroy)(void* arguments);
    /// Runs the operation without the interpreter lock, then destroys the arguments.
    PyObject* (*call)(const BoundOperation& operation, BoundArguments& arguments,
                      nb::detail::cleanup_list* cleanup);
    void (*function)();  ///< what `call` calls
    TypeDescription result;
    std::vector<BoundParameter> parameters;
};

/// No definition is larger, in bytes.
inline constexpr std::size_t kMaxArgumentsSize = 4096;

/// The arguments of one call.
class BoundArguments {
public:
    explicit BoundArguments(const BoundOperation& operation) : operation_(operation) {
        operation.make(storage_, operation.row);
    }
    ~BoundArguments() { destroy(); }
    BoundArguments(const BoundArguments&) = delete;
    BoundArguments& operator=(const BoundArguments&) = delete;

    std::byte* get() { return storage_; }
    void destroy() {
        if (exists_) operation_.destroy(storage_);
        exists_ = false;
    }

private:
    const BoundOperation& operation_;
    bool exists_ = true;
    alignas(std::max_align_t) std::byte storage_[kMaxArgumentsSize];  // NOLINT: set by make()
};

/// Binds the operation under its name: "experimental::rotary_embedding" into the submodule `experimental`.
/// Scopes of some of TT-NN's operations have a dot instead: "experimental.typecast".
void bind_operation(nb::module_& operations, const char* name, const char* documentation,
                    BoundOperation operation);

}  // namespace tilemeter::python
