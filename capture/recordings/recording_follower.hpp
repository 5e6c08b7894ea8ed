// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A recording that is being written: the events that are new since the last look. The file alone is read; the process
// that records does not notice.
//
//   RecordingFollower follower(path);
//   while (!follower.head().has_ended) { follower.update(visit); sleep(); }
//
// Thread safety: outside locking.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "capture/events/event.hpp"

namespace tilemeter::record {

class RecordingFollower {
public:
    struct Head {
        std::uint64_t process = 0;
        bool is_planned = false;  ///< the capture is of NO_DISPATCH
        bool has_ended = false;   ///< the capture did; a process that died is for the caller to find out
        std::uint64_t lost_events = 0;    ///< by the process: overwritten, or without room
        std::uint64_t missed_events = 0;  ///< by this reader: their block was used again before it was read
    };
    using Visit = std::function<void(std::uint32_t thread, const Event& event)>;

    /// Throws RecordingError: no recording, another format, unreadable.
    explicit RecordingFollower(const std::filesystem::path& path);
    ~RecordingFollower();
    RecordingFollower(const RecordingFollower&) = delete;
    RecordingFollower& operator=(const RecordingFollower&) = delete;

    /// As of the last update().
    [[nodiscard]] const Head& head() const;
    /// Visits what was published since the last call, each thread's events in their order: the number of events. The ids of
    /// texts and devices in them are this process's.
    std::uint64_t update(const Visit& visit);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace tilemeter::record
