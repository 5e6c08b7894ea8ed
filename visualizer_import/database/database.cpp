// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/database/database.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include <sqlite3.h>

#include "report/text.hpp"
#include "visualizer_import/pages/descriptor_vfs.hpp"
#include "visualizer_import/pages/page_file.hpp"
#include "visualizer_import/rows/batch_table.hpp"

namespace tilemeter::visualizer_import {
namespace {

// 4 MB of cache are enough for the tables with constraints. Between two transactions the file is changed
// behind SQLite's back, so it must not take it for its own.
constexpr std::string_view kSettings =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-4096; PRAGMA temp_store=FILE; ";

// Steps of SQLite's virtual machine: some 100 microseconds.
constexpr int kStepsBetweenLooks = 10'000;

constexpr std::string_view kSpace = "space for another row";

}  // namespace

struct Database::Connection {
    Connection(int descriptor, std::string file_name, std::size_t page_bytes, const std::atomic<bool>* stop)
        : name(std::move(file_name)), file(descriptor, page_bytes), stop_flag(stop) {}
    ~Connection() { stop(); }
    void fail(std::string_view expected, std::string_view found);
    void fail(std::string_view expected) {
        fail(expected, handle != nullptr ? sqlite3_errmsg(handle) : "out of memory");
    }
    void fail_file() { fail(kSpace, std::strerror(errno)); }
    bool stop_requested() const { return stop_flag != nullptr && stop_flag->load(); }
    // True if nothing more is to be written.
    bool over() {
        if (!failed && stop_requested()) fail("a database that is complete", "a request to stop");
        return failed;
    }
    // The file is SQLite's while `use` runs.
    template <class Use>
    void with_sqlite(Use&& use);
    bool run_sql(const char* sql);
    void run();  // the writing thread
    void write(const RowBatch& batch);
    sqlite3_stmt* statement(std::size_t table);
    std::uint32_t root_of(std::string_view object);
    void look_at_stop_flag();  // while SQLite works
    void stop();

    sqlite3* handle = nullptr;
    std::string name;
    PageFile file;
    std::array<sqlite3_stmt*, static_cast<std::size_t>(Table::kCount)> statements{};
    // The rows that the statements select from, table by table.
    BatchRows source;
    std::vector<RowBatch::Row> sorted_rows;
    RowQueue queue;
    const std::atomic<bool>* stop_flag;
    std::thread thread;
    std::mutex failing;
    std::atomic<bool> failed = false;
    // Invariant: written once, before `failed` is set.
    report::Error failure;
};

void Database::Connection::fail(std::string_view expected, std::string_view found) {
    const std::lock_guard lock(failing);
    if (failed) return;
    const bool stopped = stop_requested();
    failure = {name, "", std::string(stopped ? "a database that is complete" : expected),
               std::string(stopped ? "a request to stop" : found)};
    failed = true;
}

template <class Use>
void Database::Connection::with_sqlite(Use&& use) {
    if (!file.end()) return fail_file();
    use();
    if (!failed && !file.begin()) fail_file();
}

bool Database::Connection::run_sql(const char* sql) {
    return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

void Database::Connection::run() {
    Batch batch;
    while (queue.take(batch)) {
        if (!over() && !batch.pages.empty() && !file.append(batch.pages)) fail_file();
        if (!over() && !batch.rows.empty()) with_sqlite([&] { write(batch.rows); });
        queue.done(batch);
    }
}

sqlite3_stmt* Database::Connection::statement(std::size_t table) {
    if (statements[table] == nullptr) {
        const std::string sql = insert_statement(static_cast<Table>(table));
        if (sqlite3_prepare_v3(handle, sql.c_str(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                               &statements[table], nullptr) != SQLITE_OK)
            fail("a valid statement");
    }
    return statements[table];
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
    if (!run_sql("BEGIN")) return fail(kSpace);
    for (std::size_t table = 0; table < statements.size() && !failed; ++table) {
        if (begins[table] == ends[table]) continue;
        source.rows = std::span(sorted_rows).subspan(begins[table], ends[table] - begins[table]);
        sqlite3_stmt* const insert = statement(table);
        if (failed) break;
        if (sqlite3_step(insert) != SQLITE_DONE) fail(kSpace);
        sqlite3_reset(insert);
    }
    if (!failed && !run_sql("COMMIT")) fail(kSpace);
}

std::uint32_t Database::Connection::root_of(std::string_view object) {
    sqlite3_stmt* query = nullptr;
    std::uint32_t root = 0;
    sqlite3_prepare_v2(handle, "SELECT rootpage FROM sqlite_schema WHERE name = ?", -1, &query, nullptr);
    sqlite3_bind_text(query, 1, object.data(), static_cast<int>(object.size()), SQLITE_STATIC);
    if (sqlite3_step(query) == SQLITE_ROW) root = static_cast<std::uint32_t>(sqlite3_column_int64(query, 0));
    sqlite3_finalize(query);
    if (root == 0) fail("a readable database");
    return root;
}

// An index of millions of rows takes SQLite seconds.
void Database::Connection::look_at_stop_flag() {
    const auto stop_wanted = [](void* connection) {
        return static_cast<const Connection*>(connection)->stop_requested() ? 1 : 0;
    };
    sqlite3_progress_handler(handle, kStepsBetweenLooks, stop_wanted, this);
}

void Database::Connection::stop() {
    queue.close();
    if (thread.joinable()) thread.join();
    for (sqlite3_stmt*& statement : statements)
        sqlite3_finalize(std::exchange(statement, nullptr));
    sqlite3_close(std::exchange(handle, nullptr));
}

Database::Database() = default;
Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

report::Result<Database> Database::create(int descriptor, std::string name, int page_bytes,
                                          const std::atomic<bool>* stop) {
    Database database;
    const auto page_size = static_cast<std::size_t>(page_bytes);
    database.connection_ = std::make_unique<Connection>(descriptor, std::move(name), page_size, stop);
    Connection& connection = *database.connection_;
    database.stream_ = std::make_unique<PageStream>(
        page_size, [&connection](PageBatch& pages) { connection.queue.put(pages); });
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(descriptor_name(descriptor).c_str(), &connection.handle, flags, descriptor_vfs()) !=
        SQLITE_OK)
        connection.fail("a database that can be written");
    if (stop != nullptr) connection.look_at_stop_flag();
    if (!connection.failed && register_batch_table(connection.handle, &connection.source) != SQLITE_OK)
        connection.fail("a table of rows to come");
    std::string sql = "PRAGMA page_size=" + std::to_string(page_bytes) + "; ";
    sql.append(kSettings).append("BEGIN; ");
    for (std::size_t i = 0; i < database.tables_.size(); ++i)
        if (static_cast<Table>(i) != Table::kBuffers) sql.append(create_statements(static_cast<Table>(i)));
    sql.append("COMMIT");
    if (!connection.failed && !connection.run_sql(sql.c_str()))
        connection.fail("a database that can be written");
    for (std::size_t i = 0; i < database.tables_.size() && !connection.failed; ++i)
        if (static_cast<Table>(i) != Table::kBuffers) database.open_table(static_cast<Table>(i));
    if (!connection.failed && !connection.file.begin()) connection.fail_file();
    if (connection.failed) return connection.failure;
    connection.thread = std::thread([&connection] { connection.run(); });
    return database;
}

void Database::open_table(Table table) {
    const TableSpec& spec = spec_of(table);
    if (!spec.unique.empty()) return;
    OpenTable& opened = tables_[static_cast<std::size_t>(table)].emplace(
        OpenTable{connection_->root_of(spec.name),
                  TablePages(static_cast<std::uint32_t>(table), stream_->page_bytes()),
                  {}});
    for (const IndexSpec& index : index_specs()) {
        if (index.table != table || index.by_sqlite) continue;
        const auto column = std::ranges::find(spec.columns, index.columns, &Column::name);
        opened.indexes.push_back({static_cast<std::size_t>(column - spec.columns.begin()),
                                  connection_->root_of(index_name(index)),
                                  {}});
    }
}

report::Status Database::create_table(Table table) {
    if (report::Status made = execute(create_statements(table)); !made) return made;
    open_table(table);
    return status();
}

report::Status Database::status() const {
    if (connection_->over()) return connection_->failure;
    return {};
}

// One text that is no UTF-8 makes the viewer refuse the whole report.
void Database::add_row(std::size_t table, std::span<const RowValue> row) {
    ++row_counts_[table];
    const auto is_sound = [](const RowValue& value) {
        return value.kind != ValueKind::kText || report::is_valid_utf8(value.text);
    };
    if (std::ranges::all_of(row, is_sound)) return add_valid_row(table, row);
    std::vector<RowValue> repaired(row.begin(), row.end());
    std::vector<std::string> texts(row.size());
    for (std::size_t i = 0; i < row.size(); ++i)
        if (!is_sound(row[i])) repaired[i].text = texts[i] = report::to_valid_utf8(row[i].text);
    add_valid_row(table, repaired);
}

void Database::add_valid_row(std::size_t table, std::span<const RowValue> row) {
    if (!tables_[table]) {
        rows_.add(table, row);
        if (rows_.full()) connection_->queue.put(rows_);
        return;
    }
    OpenTable& open = *tables_[table];
    if (!open.pages.append(row, *stream_))
        return connection_->fail("a row of at most 1,000,000,000 bytes", "a larger one");
    for (Index& index : open.indexes)
        index.pages.add(row[index.column], open.pages.row_count());
}

void Database::flush() {
    if (!rows_.empty()) connection_->queue.put(rows_);
    stream_->send();
    connection_->queue.wait_until_empty();
}

report::Status Database::complete() {
    std::vector<std::size_t> of_one_leaf;
    for (std::size_t i = 0; i < tables_.size(); ++i)
        if (tables_[i] && tables_[i]->pages.finish(*stream_)) of_one_leaf.push_back(i);
    flush();
    PageFile& file = connection_->file;
    const auto put = [&](bool written) {
        if (!written) connection_->fail_file();
    };
    for (std::size_t i = 0; i < tables_.size() && !connection_->over(); ++i) {
        if (!tables_[i]) continue;
        OpenTable& table = *tables_[i];
        if (std::ranges::find(of_one_leaf, i) != of_one_leaf.end()) {
            put(file.put_root(table.root, table.pages.page(), table.pages.pointers()));
        } else {
            put(file.put_table(static_cast<std::uint32_t>(i), table.root));
        }
        for (Index& index : table.indexes)
            put(index.pages.put(file, index.root));
        tables_[i].reset();
    }
    return status();
}

report::Status Database::execute(std::string_view sql) {
    flush();
    if (connection_->over()) return connection_->failure;
    connection_->with_sqlite([&] {
        if (!connection_->run_sql(std::string(sql).c_str()))
            connection_->fail("a database that can be written");
    });
    return status();
}

report::Status Database::query(const std::string& sql, std::vector<std::vector<std::int64_t>>& rows) {
    flush();
    if (connection_->over()) return connection_->failure;
    connection_->with_sqlite([&] {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(connection_->handle, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            return connection_->fail("a valid statement");
        int code = SQLITE_ROW;
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            std::vector<std::int64_t>& row =
                rows.emplace_back(static_cast<std::size_t>(sqlite3_column_count(statement)));
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] = sqlite3_column_int64(statement, static_cast<int>(i));
        }
        if (code != SQLITE_DONE) connection_->fail("a readable database");
        sqlite3_finalize(statement);
    });
    return status();
}

report::Status Database::finish() {
    const bool buffers_are_rows = tables_[static_cast<std::size_t>(Table::kBuffers)].has_value();
    if (report::Status completed = complete(); !completed) return completed;
    std::string sql;
    for (const IndexSpec& index : index_specs())
        if (index.by_sqlite && buffers_are_rows) sql.append(create_statement(index)).append("; ");
    const report::Status status = execute(sql);
    connection_->stop();
    return status;
}

}  // namespace tilemeter::visualizer_import
