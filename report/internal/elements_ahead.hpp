// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <thread>

#include "report/internal/json_stream.hpp"
#include "report/internal/ring.hpp"

namespace tilemeter::report::internal {

// The elements of an array, read and parsed by another thread while those in front are used.
class ElementsAhead {
public:
    struct Slice {
        JsonDocument document;
        // As JsonStream::next_elements gives them.
        Result<std::optional<JsonValue>> elements{std::optional<JsonValue>()};
        std::uint64_t file_offset = 0;
    };

    ElementsAhead() = default;
    ~ElementsAhead() { end(); }
    ElementsAhead(const ElementsAhead&) = delete;
    ElementsAhead& operator=(const ElementsAhead&) = delete;

    // The '[' was consumed. REQUIRES: nobody else uses the stream until end()
    void begin(JsonStream& stream);
    void end();
    // It lives until the next call. Empty elements or a failure are the last. REQUIRES: these were not yet
    // had
    Slice& next() { return *slices_.take(); }

private:
    static constexpr std::size_t kSlices = 3;  // one used, one waiting, one being parsed
    void run(JsonStream& stream);

    Ring<Slice> slices_{kSlices};
    std::thread thread_;
};

}  // namespace tilemeter::report::internal
