// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Interned text: each distinct text once, named by a small id, kept for the life of the process.
// Events carry the ids; the texts meet them again when a recording is read.
//
// Thread safety: all functions may be called from any thread. Interning takes a lock and belongs outside hot
// paths: keep the id (a static, a member of the plan) and record with that.

#pragma once

#include <string_view>

#include "capture/events/ids.hpp"

namespace tilemeter::record {

/// The id of `text`, the same for equal texts; TextId::kNone for the empty text.
TextId intern(std::string_view text);

/// The text behind an id; empty for TextId::kNone. The view stays valid for the life of the process.
/// REQUIRES: `id` came from intern().
std::string_view text_of(TextId id);

}  // namespace tilemeter::record
