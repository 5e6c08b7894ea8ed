// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/result.hpp"
#include "visualizer_import/database/options.hpp"

namespace tilemeter::visualizer_import {

// The contents of a report or a database, in figures small enough to read.
struct ContentSummary {
    std::map<std::string, std::int64_t> counts;   // operations, tensors, nodes, ...; absent: not known
    std::map<std::string, std::string> metadata;  // as the capture wrote it
    std::vector<std::int64_t> ranks;
    std::vector<std::string> features;    // sections of the capture beside the graph
    std::vector<std::string> errors;      // the first few
    std::vector<std::string> suspicious;  // warnings for a reader before he trusts the figures
    std::int64_t peak_l1_bytes_per_core = 0;
    std::string peak_operation;
    // The peak of memory alive when operations ended; nothing where the importer's own tables are missing.
    std::optional<std::int64_t> peak_dram_bytes_per_bank;
    struct Device {
        std::int64_t id, rank, grid_x, grid_y;  // compute cores
    };
    std::vector<Device> devices;
    std::int64_t l1_bank_bytes = 0;            // of the first device; 0: not known
    std::vector<std::filesystem::path> files;  // the reports that it is of; none of a database
};

// In well under a second whatever the size: counted are the rows of small tables; of large ones the highest
// row number.
report::Result<ContentSummary> summarize_database(const std::filesystem::path& database);

// The summary of a report, a folder of them or a node list. Reads it once, by way of a temporary database. `stop` as
// ImportOptions have it.
report::Result<ContentSummary> summarize_report(const std::filesystem::path& path,
                                                const ImportProgress& progress = {},
                                                const std::atomic<bool>* stop = nullptr);

// Why a file is no database that an importer made, ours or TT-NN's of any version: what it is instead.
// Nothing for one that is.
std::optional<std::string> why_no_import(const std::filesystem::path& path);

// True if a file is a list of nodes alone, as end_graph_capture() gives it, by its first character.
bool is_node_list(const std::filesystem::path& path);
// True if a file is a database, by its first bytes.
bool is_database(const std::filesystem::path& path);

}  // namespace tilemeter::visualizer_import
