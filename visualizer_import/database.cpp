// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database.hpp"

#include <atomic>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <sqlite3.h>

#include "visualizer_import/batch_table.hpp"
#include "visualizer_import/descriptor_vfs.hpp"

namespace tilemeter::visualizer_import {
namespace {

// 16 MB of cache: appends to a dozen tables stay in memory. Nobody else opens the file, so locks and shared
// caches are off.
constexpr std::string_view kSettings =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; "
    "PRAGMA cache_size=-16384; PRAGMA temp_store=FILE; BEGIN";

}  // namespace

struct Database::Connection {
    ~Connection() { stop(); }
    void fail(std::string_view expected);
    void run();  // the writing thread
    void write(const RowBatch& batch);
    void stop();

    sqlite3* handle = nullptr;
    std::string name;
    std::array<sqlite3_stmt*, static_cast<std::size_t>(Table::kCount)> statements{};
    // What the statements select from, and its rows table by table.
    BatchRows source;
    std::vector<RowBatch::Row> sorted_rows;
    RowQueue queue;
    std::thread thread;
    std::atomic<bool> failed = false;
    // Invariant: written once, before `failed` is set.
    report::Error failure;
};

void Database::Connection::fail(std::string_view expected) {
    if (failed) return;
    failure = {name, "", std::string(expected), handle != nullptr ? sqlite3_errmsg(handle) : "out of memory"};
    failed = true;
}

void Database::Connection::run() {
    RowBatch batch;
    while (queue.take(batch)) {
        if (!failed) write(batch);
        queue.done(batch);
    }
}

void Database::Connection::write(const RowBatch& batch) {
    std::array<std::size_t, static_cast<std::size_t>(Table::kCount) + 1> begins{};
    for (const RowBatch::Row& row : batch.rows())
        ++begins[row.table + 1];
    for (std::size_t table = 1; table < begins.size(); ++table)
        begins[table] += begins[table - 1];
    sorted_rows.resize(batch.rows().size());
    auto ends = begins;
    for (const RowBatch::Row& row : batch.rows())
        sorted_rows[ends[row.table]++] = row;
    source.batch = &batch;
    for (std::size_t table = 0; table < statements.size() && !failed; ++table) {
        if (begins[table] == ends[table]) continue;
        source.rows = std::span(sorted_rows).subspan(begins[table], ends[table] - begins[table]);
        if (sqlite3_step(statements[table]) != SQLITE_DONE) fail("space for another row");
        sqlite3_reset(statements[table]);
    }
}

void Database::Connection::stop() {
    queue.close();
    if (thread.joinable()) thread.join();
    for (sqlite3_stmt*& statement : statements)
        sqlite3_finalize(std::exchange(statement, nullptr));
    sqlite3_close(std::exchange(handle, nullptr));
}

Database::Database() : connection_(std::make_unique<Connection>()) {}
Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

report::Result<Database> Database::create(int descriptor, std::string name, int page_bytes) {
    Database database;
    Connection& connection = *database.connection_;
    connection.name = std::move(name);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(descriptor_name(descriptor).c_str(), &connection.handle, flags, descriptor_vfs()) !=
        SQLITE_OK)
        connection.fail("a database that can be written");
    if (!connection.failed && register_batch_table(connection.handle, &connection.source) != SQLITE_OK)
        connection.fail("a table of rows to come");
    connection.thread = std::thread([&connection] { connection.run(); });
    const std::string page_size = "PRAGMA page_size=" + std::to_string(page_bytes) + "; ";
    if (report::Status set = database.execute(page_size + std::string(kSettings)); !set) return set.error();
    for (std::size_t i = 0; i < connection.statements.size(); ++i) {
        const auto table = static_cast<Table>(i);
        if (table == Table::kBuffers) continue;
        if (report::Status made = database.create_table(table); !made) return made.error();
    }
    return database;
}

report::Status Database::create_table(Table table) {
    if (report::Status made = execute(create_statement(table)); !made) return made;
    const std::string sql = insert_statement(table);
    if (sqlite3_prepare_v3(connection_->handle, sql.c_str(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT,
                           &connection_->statements[static_cast<std::size_t>(table)], nullptr) != SQLITE_OK)
        connection_->fail("a valid statement");
    return status();
}

report::Status Database::status() const {
    if (connection_->failed) return connection_->failure;
    return {};
}

void Database::send() {
    connection_->queue.put(batch_);
}

void Database::flush() {
    if (!batch_.empty()) send();
    connection_->queue.wait_until_empty();
}

report::Status Database::execute(std::string_view sql) {
    flush();
    if (connection_->failed) return connection_->failure;
    if (sqlite3_exec(connection_->handle, std::string(sql).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        connection_->fail("a database that can be written");
    return status();
}

report::Status Database::query(const std::string& sql, std::vector<std::vector<std::int64_t>>& rows) {
    flush();
    if (connection_->failed) return connection_->failure;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(connection_->handle, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
        connection_->fail("a valid statement");
        return status();
    }
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        std::vector<std::int64_t>& row =
            rows.emplace_back(static_cast<std::size_t>(sqlite3_column_count(statement)));
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = sqlite3_column_int64(statement, static_cast<int>(i));
    }
    if (code != SQLITE_DONE) connection_->fail("a readable database");
    sqlite3_finalize(statement);
    return status();
}

report::Status Database::finish() {
    const report::Status status = execute("COMMIT");
    connection_->stop();
    return status;
}

}  // namespace tilemeter::visualizer_import
