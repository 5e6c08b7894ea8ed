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
std::string create_statement(Table table);
std::string insert_statement(Table table);

// Instead of the table of buffers: expands buffer_spans.
std::string_view create_buffers_view();
// For the questions that the viewer asks. Made after the rows.
std::span<const std::string_view> index_statements(bool buffers_are_rows);

}  // namespace tilemeter::visualizer_import
