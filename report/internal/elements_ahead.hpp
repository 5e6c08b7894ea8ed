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

    // The '[' was consumed. REQUIRES: nobody else uses the stream while this lives
    explicit ElementsAhead(JsonStream& stream) : stream_(stream), thread_([this] { run(); }) {}
    ~ElementsAhead() {
        slices_.stop();
        thread_.join();
    }
    ElementsAhead(const ElementsAhead&) = delete;
    ElementsAhead& operator=(const ElementsAhead&) = delete;

    // It lives until the next call. Empty elements or a failure are the last; REQUIRES: they were not yet had
    Slice& next() { return *slices_.take(); }

private:
    static constexpr std::size_t kSlices = 3;  // one used, one waiting, one being parsed
    void run();

    JsonStream& stream_;
    Ring<Slice> slices_{kSlices};
    std::thread thread_;
};

}  // namespace tilemeter::report::internal
