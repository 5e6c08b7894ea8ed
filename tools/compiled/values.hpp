// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Types and attributes of a compiled program as the model's: tensor specs, memory configs, program configs.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/foreign/compiled_program.hpp"
#include "runtime/types/memory_config.hpp"
#include "runtime/types/tensor_spec.hpp"
#include "tools/compat/src/call.hpp"

namespace tilemeter::compiled {

/// "bf16", "bfp_bf8", "si32": none where the model has no such type.
std::optional<DataType> dtype_of(std::string_view element);

/// None: on the host.
std::optional<MemoryConfig> memory_of(const foreign::TensorType& type);

/// Throws RuntimeError for an element type that the model does not have. `type` has a layout.
TensorSpec spec_of(const foreign::TensorType& type);

/// Throws RuntimeError, in one line, for an attribute of a form that is not known.
compat::Argument argument_of(const foreign::mlir::Value& attribute);

}  // namespace tilemeter::compiled
