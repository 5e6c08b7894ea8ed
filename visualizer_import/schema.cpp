// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/schema.hpp"

#include "visualizer_import/batch_table.hpp"
#include "visualizer_import/schema_tables.hpp"

namespace tilemeter::visualizer_import {
namespace {

// Plain columns only: of an expression the viewer's queries, which compare with texts, would find nothing.
constexpr std::string_view kBuffersView =
    "CREATE VIEW buffers AS SELECT operations.operation_id AS operation_id, buffer_spans.device_id AS "
    "device_id, "
    "buffer_spans.address AS address, buffer_spans.max_size_per_bank AS max_size_per_bank, "
    "buffer_spans.buffer_type AS buffer_type, buffer_spans.buffer_layout AS buffer_layout, "
    "operations.rank AS rank FROM operations JOIN buffer_spans ON buffer_spans.rank = operations.rank AND "
    "operations.operation_id BETWEEN buffer_spans.first_operation_id AND buffer_spans.last_operation_id";

// The first of them is the reference's own; those of `buffers` come last.
constexpr std::array<std::string_view, 19> kIndexes{
    "CREATE INDEX idx_stack_traces_source_file_id ON stack_traces (source_file_id)",
    "CREATE INDEX idx_stack_traces_operation_id ON stack_traces (operation_id)",
    "CREATE INDEX idx_operation_arguments_operation_id ON operation_arguments (operation_id)",
    "CREATE INDEX idx_captured_graph_operation_id ON captured_graph (operation_id)",
    "CREATE INDEX idx_input_tensors_operation_id ON input_tensors (operation_id)",
    "CREATE INDEX idx_output_tensors_operation_id ON output_tensors (operation_id)",
    "CREATE INDEX idx_input_tensors_tensor_id ON input_tensors (tensor_id)",
    "CREATE INDEX idx_output_tensors_tensor_id ON output_tensors (tensor_id)",
    "CREATE INDEX idx_device_tensors_tensor_id ON device_tensors (tensor_id)",
    "CREATE INDEX idx_buffer_chunks_operation_id ON buffer_chunks (operation_id)",
    "CREATE INDEX idx_errors_operation_id ON errors (operation_id)",
    "CREATE INDEX idx_program_memory_operation_id ON program_memory (operation_id)",
    "CREATE INDEX idx_nested_operations_operation_id ON nested_operations (operation_id)",
    "CREATE INDEX idx_buffer_spans_first_operation_id ON buffer_spans (first_operation_id)",
    "CREATE INDEX idx_buffer_spans_address ON buffer_spans (address)",
    "CREATE INDEX idx_buffer_spans_buffer_type ON buffer_spans (buffer_type)",
    "CREATE INDEX idx_buffers_operation_id ON buffers (operation_id)",
    "CREATE INDEX idx_buffers_address ON buffers (address, operation_id)",
    "CREATE INDEX idx_buffers_buffer_type ON buffers (buffer_type)",
};
constexpr std::size_t kIndexesOfBuffers = 3;

}  // namespace

const TableSpec& spec_of(Table table) {
    return schema::kTables[static_cast<std::size_t>(table)];
}

std::string create_statement(Table table) {
    const TableSpec& spec = spec_of(table);
    std::string sql = "CREATE TABLE ";
    sql.append(spec.name).append(" (");
    for (const Column& column : spec.columns) {
        if (&column != spec.columns.data()) sql += ", ";
        sql.append(column.name).append(" ").append(column.type);
    }
    if (!spec.unique.empty()) sql.append(", UNIQUE(").append(spec.unique).append(")");
    return sql + ")";
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

std::span<const std::string_view> index_statements(bool buffers_are_rows) {
    return std::span(kIndexes).first(kIndexes.size() - (buffers_are_rows ? 0 : kIndexesOfBuffers));
}

}  // namespace tilemeter::visualizer_import
