// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/elements_ahead.hpp"

namespace tilemeter::report::internal {

void ElementsAhead::begin(JsonStream& stream) {
    slices_.reset();
    thread_ = std::thread([this, &stream] { run(stream); });
}

void ElementsAhead::end() {
    slices_.stop();
    if (thread_.joinable()) thread_.join();
}

void ElementsAhead::run(JsonStream& stream) {
    stream.begin_elements();
    while (Slice* const slice = slices_.begin_put()) {
        slice->elements = stream.next_elements(slice->document);
        slice->file_offset = stream.elements_offset();
        const bool last = !slice->elements || !slice->elements->has_value();
        slices_.end_put();
        if (last) break;
    }
}

}  // namespace tilemeter::report::internal
