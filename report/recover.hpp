// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// From a recording file to a report: what is left of a capture whose process died, or a recording that was
// kept to be looked at elsewhere.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "report/death.hpp"
#include "report/report_writer.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

struct Recovered {
    std::uint64_t nodes = 0;
    std::uint64_t operations = 0;             ///< functions, at all levels
    std::uint64_t incomplete_operations = 0;  ///< that the process was in when it died
    std::uint64_t lost_events = 0;            ///< overwritten, or without room, while it ran
    bool process_died = false;
    std::optional<Death> death;  ///< the cause of death, where the process had time to say so
};

/// Writes the report of the recording in `file` to `path`. `origin`: of the process that recorded, which
/// the recording does not say. The operations that had not ended are ended
/// as aborted, with `abort_reason` "incomplete: the recording ends inside". `path` may not be the recording.
Result<Recovered> recover_report(const std::filesystem::path& file, const std::filesystem::path& path,
                                 const ReportOrigin& origin = origin_of_process());

}  // namespace tilemeter::report
