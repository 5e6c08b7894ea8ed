// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Dimensions and constraints in a text that is being parsed. All throw Error (kSyntax) with the position.

#pragma once

#include "capture/ir/dimension.hpp"
#include "capture/ir/internal/text_cursor.hpp"
#include "capture/ir/internal/text_format.hpp"

namespace tilemeter::ir::internal {

/// "2*b + floordiv(n, 8)"
Dim read_dimension(TextCursor& cursor);
/// "b >= 4"
Constraint read_constraint(TextCursor& cursor);

}  // namespace tilemeter::ir::internal
