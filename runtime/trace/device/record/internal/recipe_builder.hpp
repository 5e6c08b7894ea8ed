// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "runtime/trace/device/record/internal/recorded_calls.hpp"

namespace tilemeter::trace::internal {

/// The recipe of what was recorded, which gives its programs up for it; everything else it keeps.
std::shared_ptr<const Recipe> make_recipe(RecordedCalls& recorded);

}  // namespace tilemeter::trace::internal
