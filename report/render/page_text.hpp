// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace tilemeter::analysis {

/// page.html, with a mark where the data goes.
extern const char* const kPageText;

}  // namespace tilemeter::analysis
