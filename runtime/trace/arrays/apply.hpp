// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The one way operations on arrays are recorded: functions, operators, control flow and other languages' bindings end
// here.
//
//   static const ir::Operation& kTanh = operation_named("tanh");     // looked up once
//   const Array y = apply_one(kTanh, {&x});
//
// With a frame open in this thread the operation becomes an equation of its graph: operands of frames around it are
// captured, that is, become parameters; evaluated arrays become constants. Without one the result is pending. Types
// are inferred at once in both cases, so that what is wrong is refused where it stands in the program.
//
// Thread safety: as Array.

#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "capture/ir/operation_set.hpp"
#include "runtime/trace/arrays/array.hpp"

namespace tilemeter::trace {

/// An operation of call_operations(), custom ones included. Throws TraceError (kBadArgument).
const ir::Operation& operation_named(std::string_view name);

/// All results of the operation. Throws TraceError; nothing is recorded then. Called as trace::apply(), since std
/// has a function of this name.
std::vector<Array> apply(const ir::Operation& operation, std::span<const Array> operands,
                         const ir::Attributes& attributes = {}, std::span<const ir::Subgraph> subgraphs = {});
std::vector<Array> apply(std::string_view operation, std::span<const Array> operands,
                         const ir::Attributes& attributes = {}, std::span<const ir::Subgraph> subgraphs = {});

/// The only result. REQUIRES: the operation has one
Array apply_one(const ir::Operation& operation, std::initializer_list<const Array*> operands,
                const ir::Attributes& attributes = {});
Array apply_one(const ir::Operation& operation, std::span<const Array* const> operands,
                const ir::Attributes& attributes = {});

// ---- places in the user's program

/// Fills in the place that runs now, in the calling thread; false: it is not known. Called for each operation that is
/// recorded, with the same object, so that a source that sees the same file again need not write it again.
using LocationSource = bool (*)(ir::Location& location);
/// For all threads; null, as in the beginning: no places. Without one nothing is asked.
void set_location_source(LocationSource source);
LocationSource location_source();

/// Names what is recorded while it lives: "encoder/0". Nests; costs nothing until an operation is recorded.
class Scope {
public:
    explicit Scope(std::string_view name);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    std::size_t length_;  ///< of the text before
};

/// The place that runs now: file and line from the source, scopes of this thread.
ir::Location current_location();

}  // namespace tilemeter::trace
