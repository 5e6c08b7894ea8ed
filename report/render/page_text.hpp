// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace tilemeter::analysis {

// With a mark where the data goes.
extern const char* const kPageText;       ///< page/page.html
extern const char* const kLivePageText;   ///< page/live.html
extern const char* const kGraphPageText;  ///< graph_page.html

}  // namespace tilemeter::analysis
