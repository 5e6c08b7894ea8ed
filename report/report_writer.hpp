// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Writes the report of a capture in TT-NN's dialect, version 1: cluster_descriptor, devices, graph, metadata,
// version; with pages, buffer_pages, buffer_pages_by_address and per_operation_buffers; after a failure,
// memory_at_failure (internal/page_sections.hpp). Keys sorted by byte, one node a line, otherwise without
// blanks.
//
// The file is written under another name beside its target and renamed when complete, so the target is the
// old report or the whole new one. A failure leaves nothing behind, not even the directories made for it. A
// target that is no ordinary file (a pipe, a device) is written directly.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "capture/graph/captured_graph.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

/// The first field of a report; moves when the shape of reports does.
inline constexpr std::uint64_t kReportVersion = 1;
/// The TT-NN whose dialect of version 1 is written; its importer wants to know.
inline constexpr const char* kReportDialect = "0.81.1";

struct ReportOrigin {
    std::uint32_t rank = 0;  ///< of this process among `world_size` ones that capture together
    std::uint32_t world_size = 1;
};

/// The rank and size that the launcher of this process gave: OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE of Open MPI,
/// which TT-NN's tt-run starts, or PMI_RANK and PMI_SIZE of MPICH and its relatives. A process that nobody launched so
/// is the only one.
ReportOrigin origin_of_process();

/// True if a report could be written to `path`, asked before what goes into it is recorded. Nothing stays behind.
Status check_report_path(const std::filesystem::path& path);

/// The report of `graph` as text.
std::string report_text(const graph::CapturedGraph& graph, const ReportOrigin& origin = origin_of_process());

/// Writes the report of `graph` to `path`. Missing parent directories are made.
Status write_report(const graph::CapturedGraph& graph, const std::filesystem::path& path,
                    const ReportOrigin& origin = origin_of_process());

}  // namespace tilemeter::report
