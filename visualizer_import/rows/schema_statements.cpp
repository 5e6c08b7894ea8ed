// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/rows/batch_table.hpp"
#include "visualizer_import/rows/schema.hpp"
#include "visualizer_import/rows/schema_tables.hpp"

namespace tilemeter::visualizer_import {
namespace {

// Plain columns only: of an expression the viewer's queries, which compare with texts, would find nothing.
constexpr std::string_view kBuffersView =
    "CREATE VIEW buffers AS SELECT operations.operation_id AS operation_id, buffer_spans.device_id AS "
    "device_id, buffer_spans.address AS address, buffer_spans.max_size_per_bank AS max_size_per_bank, "
    "buffer_spans.buffer_type AS buffer_type, buffer_spans.buffer_layout AS buffer_layout, operations.rank "
    "AS rank FROM operations JOIN buffer_spans ON buffer_spans.rank = operations.rank AND "
    "operations.operation_id BETWEEN buffer_spans.first_operation_id AND buffer_spans.last_operation_id";

// The first of them is the reference's own.
constexpr std::array kIndexes{
    IndexSpec{Table::kStackTraces, "source_file_id"},
    IndexSpec{Table::kStackTraces, "operation_id"},
    IndexSpec{Table::kOperationArguments, "operation_id"},
    IndexSpec{Table::kCapturedGraph, "operation_id"},
    IndexSpec{Table::kInputTensors, "operation_id"},
    IndexSpec{Table::kOutputTensors, "operation_id"},
    IndexSpec{Table::kInputTensors, "tensor_id"},
    IndexSpec{Table::kOutputTensors, "tensor_id"},
    IndexSpec{Table::kDeviceTensors, "tensor_id"},
    IndexSpec{Table::kBufferChunks, "operation_id"},
    IndexSpec{Table::kErrors, "operation_id"},
    IndexSpec{Table::kProgramMemory, "operation_id"},
    IndexSpec{Table::kNestedOperations, "operation_id"},
    IndexSpec{Table::kBufferSpans, "first_operation_id"},
    IndexSpec{Table::kBufferSpans, "address"},
    IndexSpec{Table::kBufferSpans, "buffer_type"},
    IndexSpec{Table::kBuffers, "operation_id"},
    IndexSpec{Table::kBuffers, "address, operation_id", true},
    IndexSpec{Table::kBuffers, "buffer_type", true},
};

}  // namespace

const TableSpec& spec_of(Table table) {
    return schema::kTables[static_cast<std::size_t>(table)];
}

std::string create_statements(Table table) {
    const TableSpec& spec = spec_of(table);
    std::string sql = "CREATE TABLE ";
    sql.append(spec.name).append(" (");
    for (const Column& column : spec.columns) {
        if (&column != spec.columns.data()) sql += ", ";
        sql.append(column.name).append(" ").append(column.type);
    }
    if (!spec.unique.empty()) sql.append(", UNIQUE(").append(spec.unique).append(")");
    sql += "); ";
    for (const IndexSpec& index : kIndexes)
        if (index.table == table && !index.by_sqlite) sql.append(create_statement(index)).append("; ");
    return sql;
}

std::string insert_statement(Table table) {
    const TableSpec& spec = spec_of(table);
    std::string sql = "INSERT ";
    switch (spec.on_conflict) {
        case OnConflict::kFail:
            sql += "OR FAIL ";  // unlike the default keeps no journal of the statement
            break;
        case OnConflict::kIgnore:
            sql += "OR IGNORE ";
            break;
        case OnConflict::kReplace:
            sql += "OR REPLACE ";
            break;
    }
    sql.append("INTO ").append(spec.name).append(" SELECT ").append(batch_columns(spec.columns.size()));
    return sql + " FROM batch";
}

std::string_view create_buffers_view() {
    return kBuffersView;
}

std::span<const IndexSpec> index_specs() {
    return kIndexes;
}

std::string index_name(const IndexSpec& index) {
    std::string name = "idx_";
    name.append(spec_of(index.table).name)
        .append("_")
        .append(index.columns.substr(0, index.columns.find(',')));
    return name;
}

std::string create_statement(const IndexSpec& index) {
    std::string sql = "CREATE INDEX " + index_name(index) + " ON ";
    sql.append(spec_of(index.table).name).append(" (").append(index.columns).append(")");
    return sql;
}

}  // namespace tilemeter::visualizer_import
