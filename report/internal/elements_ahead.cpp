// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/elements_ahead.hpp"

namespace tilemeter::report::internal {

void ElementsAhead::run() {
    stream_.begin_elements();
    while (Slice* const slice = slices_.begin_put()) {
        slice->elements = stream_.next_elements(slice->document);
        slice->file_offset = stream_.elements_offset();
        const bool last = !slice->elements || !slice->elements->has_value();
        slices_.end_put();
        if (last) break;
    }
}

}  // namespace tilemeter::report::internal
