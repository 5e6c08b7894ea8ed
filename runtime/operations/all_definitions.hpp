// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of all families, for the list of operations (runtime/operation_list.hpp), by which others look at each of
// them: a new operation is in its family's list alone.

#pragma once

#include "runtime/operations/ccl/definitions.hpp"
#include "runtime/operations/creation/definitions.hpp"
#include "runtime/operations/data_movement/definitions.hpp"
#include "runtime/operations/eltwise/definitions.hpp"
#include "runtime/operations/matmul/definitions.hpp"
#include "runtime/operations/moreh/definitions.hpp"
#include "runtime/operations/normalization/definitions.hpp"
#include "runtime/operations/reduction/definitions.hpp"
#include "runtime/operations/sliding_window/definitions.hpp"
#include "runtime/operations/transformer/definitions.hpp"

namespace tilemeter {

/// Calls `visit` with the family's name and the Defaults of each of its definitions.
template <typename Visit, typename... Each>
void for_each_definition_of(const char* family, Definitions<Each...> /*definitions*/, const Visit& visit) {
    (visit(family, Defaults<Each>()), ...);
}
/// The same for each definition of a row of a table.
template <typename Visit, typename... Each>
void for_each_definition_of(const char* family, const OperationOf<Each...>& row, const Visit& visit) {
    (visit(family, row.template defaults<Each>()), ...);
}

/// Calls `visit` with the name of the family and the Defaults of each definition, of rows as well.
template <typename Visit>
void for_each_definition(const Visit& visit) {
    for_each_definition_of("ccl", CclDefinitions(), visit);
    for_each_definition_of("creation", CreationDefinitions(), visit);
    for_each_definition_of("data_movement", DataMovementDefinitions(), visit);
    for_each_eltwise_row([&](const auto& row) { for_each_definition_of("eltwise", row, visit); });
    for_each_definition_of("eltwise", EltwiseDefinitions(), visit);
    for_each_definition_of("matmul", MatmulDefinitions(), visit);
    for_each_definition_of("moreh", MorehDefinitions(), visit);
    for_each_definition_of("normalization", NormalizationDefinitions(), visit);
    for_each_definition_of("reduction", ReductionDefinitions(), visit);
    for_each_definition_of("sliding_window", SlidingWindowDefinitions(), visit);
    for_each_definition_of("transformer", TransformerDefinitions(), visit);
}

}  // namespace tilemeter
