// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/rows/batch_table.hpp"

#include <bit>
#include <new>

#include <sqlite3.h>

namespace tilemeter::visualizer_import {
namespace {

constexpr double kManyRows = 1e6;

struct BatchTable {
    sqlite3_vtab base;
    const BatchRows* rows;
};
struct BatchCursor {
    sqlite3_vtab_cursor base;
    const BatchRows* rows;
    std::size_t at;
};

BatchCursor& cursor_of(sqlite3_vtab_cursor* cursor) {
    return *reinterpret_cast<BatchCursor*>(cursor);
}

int connect(sqlite3* connection, void* rows, int, const char* const*, sqlite3_vtab** out, char**) {
    const std::string sql = "CREATE TABLE batch(" + batch_columns(BatchRows::kMostColumns) + ")";
    if (const int code = sqlite3_declare_vtab(connection, sql.c_str()); code != SQLITE_OK) return code;
    auto* table = new (std::nothrow) BatchTable{{}, static_cast<const BatchRows*>(rows)};
    if (table == nullptr) return SQLITE_NOMEM;
    *out = &table->base;
    return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
    delete reinterpret_cast<BatchTable*>(table);
    return SQLITE_OK;
}

int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
    info->estimatedCost = kManyRows;
    return SQLITE_OK;
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
    auto* cursor = new (std::nothrow) BatchCursor{{}, reinterpret_cast<BatchTable*>(table)->rows, 0};
    if (cursor == nullptr) return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
    delete &cursor_of(cursor);
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
    cursor_of(cursor).at = 0;
    return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
    ++cursor_of(cursor).at;
    return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* cursor) {
    const BatchCursor& self = cursor_of(cursor);
    return self.at >= self.rows->rows.size() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    const BatchCursor& self = cursor_of(cursor);
    const RowBatch& batch = *self.rows->batch;
    const Cell& cell = batch.cell(self.rows->rows[self.at], static_cast<std::size_t>(column));
    switch (cell.kind) {
        case ValueKind::kNull:
            break;  // as it is
        case ValueKind::kInteger:
            sqlite3_result_int64(context, cell.bits);
            break;
        case ValueKind::kReal:
            sqlite3_result_double(context, std::bit_cast<double>(cell.bits));
            break;
        case ValueKind::kText:
            sqlite3_result_text64(context, batch.text(cell).data(), cell.size, SQLITE_STATIC, SQLITE_UTF8);
            break;
    }
    return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = static_cast<sqlite3_int64>(cursor_of(cursor).at);
    return SQLITE_OK;
}

// Without xCreate: the table is there as soon as the module is.
constexpr sqlite3_module kModule = [] {
    sqlite3_module module{};
    module.xConnect = connect;
    module.xBestIndex = best_index;
    module.xDisconnect = disconnect;
    module.xOpen = open;
    module.xClose = close;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = at_end;
    module.xColumn = column;
    module.xRowid = row_id;
    return module;
}();

}  // namespace

int register_batch_table(sqlite3* connection, const BatchRows* rows) {
    return sqlite3_create_module_v2(connection, "batch", &kModule, const_cast<BatchRows*>(rows), nullptr);
}

std::string batch_columns(std::size_t count) {
    std::string columns;
    for (std::size_t i = 0; i < count; ++i)
        columns.append(i == 0 ? "c" : ", c").append(std::to_string(i));
    return columns;
}

}  // namespace tilemeter::visualizer_import
