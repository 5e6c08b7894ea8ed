// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tilemeter::visualizer_import {

// The database, declared once. Statements and checks are derived from this file.

inline constexpr std::string_view kSchemaVersion = "3.5";

enum class Table {
    kDevices,
    kOperations,
    kOperationArguments,
    kSubDeviceManagers,
    kSubDevices,
    kOperationExecutions,
    kExecutionSubDevices,
    kTensors,
    kDeviceTensors,
    kCapturedGraph,
    kNodes,
    kEdges,
    kReportMetadata,
    kErrors,
    kSourceFiles,
    kStackTraces,
    kInputTensors,
    kOutputTensors,
    kTensorLifetime,
    kTensorConsumers,
    kTensorProducers,
    kLocalComparisons,
    kGlobalComparisons,
    kBufferChunks,
    // beside the reference's schema
    kBufferSpans,
    kProgramMemory,
    kNestedOperations,
    kImportSummary,
    // of the reference's schema, but often a view: created when that is known
    kBuffers,
    kCount
};

enum class OnConflict { kFail, kIgnore, kReplace };

struct Column {
    std::string_view name;
    std::string_view type;  // int, text and float decide the affinity, which the viewer's queries rely on
};

struct TableSpec {
    std::string_view name;
    std::span<const Column> columns;
    std::string_view unique;  // column list, or empty
    OnConflict on_conflict;   // of an insert
};

const TableSpec& spec_of(Table table);
// The table and what indexes of it exist from the beginning.
std::string create_statements(Table table);
std::string insert_statement(Table table);

// Instead of the table of buffers: expands buffer_spans.
std::string_view create_buffers_view();
// For the questions that the viewer asks.
struct IndexSpec {
    Table table;
    std::string_view columns;  // column list
    // By SQLite when all rows are there: else it is made from what is remembered of them (IndexPages), for
    // which they are too many and too mixed.
    bool by_sqlite = false;
};
std::span<const IndexSpec> index_specs();
std::string create_statement(const IndexSpec& index);
std::string index_name(const IndexSpec& index);

}  // namespace tilemeter::visualizer_import
