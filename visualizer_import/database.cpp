// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database.hpp"

#include <utility>
#include <vector>

#include <sqlite3.h>

#include "report/text.hpp"
#include "visualizer_import/descriptor_vfs.hpp"

namespace tilemeter::visualizer_import {
namespace {

// 16 MB of cache: appends to a dozen tables stay in memory. Nobody else opens the file, so locks and shared
// caches are off.
constexpr std::string_view kSettings =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; "
    "PRAGMA cache_size=-16384; PRAGMA temp_store=FILE; BEGIN";

}  // namespace

report::Result<Database> Database::create(int descriptor, std::string name) {
    Database database;
    database.name_ = std::move(name);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(descriptor_name(descriptor).c_str(), &database.handle_, flags, descriptor_vfs()) !=
        SQLITE_OK) {
        database.fail("a database that can be written");
        return database.status_.error();
    }
    if (report::Status set = database.execute(kSettings); !set) return set.error();
    for (std::size_t i = 0; i < database.statements_.size(); ++i) {
        const auto table = static_cast<Table>(i);
        if (table == Table::kBuffers) continue;
        if (report::Status made = database.create_table(table); !made) return made.error();
    }
    return database;
}

report::Status Database::create_table(Table table) {
    if (report::Status made = execute(create_statement(table)); !made) return made;
    const std::string sql = insert_statement(table);
    if (sqlite3_prepare_v3(handle_, sql.c_str(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &statements_[static_cast<std::size_t>(table)], nullptr) != SQLITE_OK)
        fail("a valid statement");
    return status_;
}

Database::~Database() {
    close();
}
Database::Database(Database&& other) noexcept {
    *this = std::move(other);
}

Database& Database::operator=(Database&& other) noexcept {
    if (this == &other) return *this;
    std::swap(handle_, other.handle_);
    std::swap(name_, other.name_);
    std::swap(statements_, other.statements_);
    std::swap(row_counts_, other.row_counts_);
    std::swap(status_, other.status_);
    return *this;
}

void Database::close() {
    for (sqlite3_stmt*& statement : statements_)
        sqlite3_finalize(std::exchange(statement, nullptr));
    sqlite3_close(std::exchange(handle_, nullptr));
}

void Database::fail(std::string_view doing) {
    if (!status_) return;
    const char* problem = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
    status_ = report::Error{name_, "", std::string(doing), problem};
}

void Database::bind(sqlite3_stmt* statement, int column, std::int64_t value) {
    sqlite3_bind_int64(statement, column, value);
}
void Database::bind(sqlite3_stmt* statement, int column, double value) {
    sqlite3_bind_double(statement, column, value);
}
void Database::bind(sqlite3_stmt* statement, int column, std::nullptr_t) {
    sqlite3_bind_null(statement, column);
}

// One text that is no UTF-8 makes the viewer refuse the whole report.
void Database::bind(sqlite3_stmt* statement, int column, std::string_view value) {
    if (!report::is_valid_utf8(value)) {
        const std::string repaired = report::to_valid_utf8(value);
        sqlite3_bind_text64(statement, column, repaired.data(), repaired.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8);
        return;
    }
    const char* data = value.data() != nullptr ? value.data() : "";
    sqlite3_bind_text64(statement, column, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Database::step(sqlite3_stmt* statement) {
    if (!status_) return;
    const int code = sqlite3_step(statement);
    if (code != SQLITE_DONE) fail("space for another row");
    sqlite3_reset(statement);
}

report::Status Database::execute(std::string_view sql) {
    if (!status_) return status_;
    if (sqlite3_exec(handle_, std::string(sql).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        fail("a database that can be written");
    return status_;
}

report::Status Database::query(const std::string& sql, const std::function<void(const std::int64_t*)>& row) {
    if (!status_) return status_;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
        fail("a valid statement");
        return status_;
    }
    std::vector<std::int64_t> values(static_cast<std::size_t>(sqlite3_column_count(statement)));
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = sqlite3_column_int64(statement, static_cast<int>(i));
        row(values.data());
    }
    if (code != SQLITE_DONE) fail("a readable database");
    sqlite3_finalize(statement);
    return status_;
}

std::int64_t Database::last_id() const {
    return sqlite3_last_insert_rowid(handle_);
}

report::Status Database::finish() {
    (void)execute("COMMIT");
    const report::Status status = status_;
    close();
    return status;
}

}  // namespace tilemeter::visualizer_import
