// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions that are found by a name: methods of arrays for languages and programs that look names up as they run.
//
//   register_method("twice", [](auto x, const auto&) { return std::vector{x[0] * 2.0}; });
//   const Array y = x.call("twice");
//   const Array z = x.call("tanh");
//
// Each operation is a method as well, a custom one as soon as it is registered.
//
// Thread safety: any thread, any time.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "runtime/trace/arrays/array.hpp"

namespace tilemeter::trace {

using Method = std::function<std::vector<Array>(std::span<const Array> operands, const ir::Attributes&)>;

/// Throws TraceError (kBadArgument) for a name that an operation or another method has, unless `replace`.
void register_method(std::string_view name, Method method, bool replace = false);

/// The method, or the operation of this name; null if there is neither.
Method find_method(std::string_view name);

/// Throws TraceError (kBadArgument) where there is no such method, and what it throws.
std::vector<Array> call_method(std::string_view name, std::span<const Array> operands,
                               const ir::Attributes& attributes = {});

/// The names of registered methods, in alphabetical order.
std::vector<std::string> method_names();

}  // namespace tilemeter::trace
