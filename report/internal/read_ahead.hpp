// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "report/report_reader.hpp"

namespace tilemeter::report::internal {

// Smaller files are read by one thread: starting another costs as much as reading some 50 kB.
inline constexpr std::uint64_t kReadAheadFromBytes = 500'000;

// read_report, with the size from which on another thread reads ahead.
Status read_report_ahead(const std::filesystem::path& path, ReportHandler& handler,
                         const ReadProgress& progress, std::uint64_t from_bytes);

}  // namespace tilemeter::report::internal
