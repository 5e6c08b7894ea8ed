// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A capture in a few lines: the head of `tilemeter summary`. Whatever the file does not say is unknown, and what
// follows from the nodes alone is marked as derived.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/tilemeter/output.hpp"
#include "visualizer_import/database_summary.hpp"

namespace tilemeter::cli {

struct CaptureHead {
    struct Device {
        std::int64_t id = 0;
        std::string arch;  ///< empty: not recorded
        analysis::Number grid_x, grid_y;
    };
    struct Peak {
        std::uint64_t bytes = 0;        ///< per core (L1) or per bank (DRAM)
        std::uint64_t allocatable = 0;  ///< L1: what can be allocated; DRAM: the bank; 0: not known
        std::string operation;
        bool at_least =
            false;  ///< memory was not recorded, a program's or another, or it is seen between operations only
        bool at_most = false;  ///< sizes per bank are not known: buffers count whole
    };
    struct Recorded {
        const char* what;
        bool there = false;
        std::string detail = {};
    };

    std::string file;
    std::string kind;  ///< "report", "node list", "database"
    std::uint64_t size_bytes = 0;
    std::string format;    ///< "report version 1"; empty: unknown
    std::string producer;  ///< "TT-NN 0.81.1 (d80d9482a4)"; empty: unknown
    std::vector<std::string> boards;
    std::vector<Device> devices;
    std::string mode;  ///< "NORMAL", "NO_DISPATCH"; empty: unknown
    std::string mode_derived_from;
    std::optional<std::int64_t> captured_ns, duration_ns;
    std::optional<std::uint64_t> operations, nodes;  ///< outermost functions: analysis::operation_count
    std::optional<Peak> l1, dram;
    std::vector<Recorded> recorded;    ///< beside the graph, and what could be but is not
    std::vector<std::string> caveats;  ///< of the peaks, one sentence each
    bool is_damaged = false;           ///< ListSource::is_damaged()
    analysis::Judgement judgement;     ///< of a database: unknown, it has no node list
};

/// The head of a report or a node list; Failure with one line if it cannot be read.
CaptureHead head_of_file(const std::string& path);
/// The head of a database of the importer's.
CaptureHead head_of_database(const std::string& path, const visualizer_import::ContentSummary& summary);

/// "at least 1.12 MiB (1,179,648 B) per core, 84.7 % of 1,393,312 B", `capacity` behind it; "unknown", "none".
std::string amount_text(const std::optional<CaptureHead::Peak>& peak, const char* per, const char* capacity);
/// Of several captures the one with the highest speaks for all.
int badness_of(analysis::Verdict verdict);

Json json_of(const CaptureHead& head);
void print(const CaptureHead& head);

}  // namespace tilemeter::cli
