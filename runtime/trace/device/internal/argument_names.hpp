// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <vector>

#include "capture/record/ids.hpp"

namespace tilemeter::trace::internal {

/// The names of the arguments that a scope lists: those of the operation with that name, in either style of names, and so many
/// listed parameters. Null: not known.
const std::vector<const char*>* argument_names(record::TextId scope, std::size_t count);

}  // namespace tilemeter::trace::internal
