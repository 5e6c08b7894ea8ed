// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Custom operations as inference, lowering and evaluation meet them.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/trace/calls/custom_operation.hpp"
#include "runtime/trace/primitives/internal/site.hpp"

namespace tilemeter::trace::internal {

/// Null if no custom operation has this name.
const ir::Operation* find_custom_call(std::string_view name);

/// By the operation's own rule, or as custom_call. Throws TraceError (kBadResult).
std::vector<ir::ValueId> lower_custom(const CustomOperation& custom, FlatBuilder& to, bool by_rule,
                                      std::span<const ir::ValueId> operands, const ir::Attributes& attributes,
                                      std::span<const ir::TensorType> types, const ir::Location& location);

/// A custom_call that computes values.
class CustomKernel {
public:
    /// Throws TraceError (kNoRule).
    explicit CustomKernel(const ir::Equation& equation);
    /// Throws TraceError (kBadResult), and what the operation throws.
    std::vector<ir::Constant> run(std::span<const ir::Constant* const> operands,
                                  std::span<const ir::TensorType> types) const;

private:
    std::shared_ptr<const CustomOperation> custom_;
    ir::Attributes attributes_;
    ir::Location location_;
};

/// Throws TraceError (kBadResult) where a rule gave back something else than was inferred.
void require_results(const std::string& operation, const char* rule, std::span<const ir::TensorType> found,
                     std::span<const ir::TensorType> expected, const ir::Location& location);

}  // namespace tilemeter::trace::internal
