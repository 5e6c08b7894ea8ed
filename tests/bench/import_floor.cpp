// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The least that an import can cost: parsing the report and its Python records with the parser alone, and
// inserting the rows that an import made of them, from memory, with prepared statements and the same
// settings.
//
//     import_floor REPORT.json DB.sqlite SCRATCH.sqlite
//
// DB.sqlite: what graph_report made of the report. Prints one line: the seconds of each part. Indexes, which
// the import adds too, are told apart and belong to no floor.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <simdjson.h>
#include <sqlite3.h>

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "import_floor: %s\n", what.c_str());
    std::exit(1);
}

// Parses a file of any size: the parser takes 4 GB at once.
double parse_seconds(const fs::path& path) {
    if (!fs::exists(path)) return 0;
    const auto start = Clock::now();
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (const auto problem = parser.load(path.string()).get(root); problem != simdjson::SUCCESS)
        fail(path.string() + ": " + simdjson::error_message(problem));
    return seconds_since(start);
}

struct Value {
    int type = SQLITE_NULL;
    sqlite3_int64 integer = 0;
    double real = 0;
    std::string text;
};

struct TableRows {
    std::string name, create;
    int columns = 0;
    std::vector<Value> values;  // row after row
};

class Connection {
public:
    Connection(const char* path, int flags) {
        if (sqlite3_open_v2(path, &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) fail(path);
    }
    ~Connection() { sqlite3_close(handle_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    void execute(const std::string& sql) {
        if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            fail(sql + ": " + sqlite3_errmsg(handle_));
    }
    sqlite3_stmt* prepare(const std::string& sql) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            fail(sql + ": " + sqlite3_errmsg(handle_));
        return statement;
    }

private:
    sqlite3* handle_ = nullptr;
};

std::string text_of(sqlite3_stmt* statement, int column) {
    return {reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
            static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

Value value_of(sqlite3_stmt* statement, int column) {
    Value value;
    value.type = sqlite3_column_type(statement, column);
    if (value.type == SQLITE_INTEGER) value.integer = sqlite3_column_int64(statement, column);
    if (value.type == SQLITE_FLOAT) value.real = sqlite3_column_double(statement, column);
    if (value.type == SQLITE_TEXT) value.text = text_of(statement, column);
    return value;
}

std::vector<TableRows> rows_of(Connection& database) {
    std::vector<TableRows> tables;
    sqlite3_stmt* names = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'");
    while (sqlite3_step(names) == SQLITE_ROW)
        tables.push_back({text_of(names, 0), text_of(names, 1), 0, {}});
    sqlite3_finalize(names);
    for (TableRows& table : tables) {
        sqlite3_stmt* rows = database.prepare("SELECT * FROM " + table.name + " ORDER BY rowid");
        table.columns = sqlite3_column_count(rows);
        while (sqlite3_step(rows) == SQLITE_ROW)
            for (int column = 0; column < table.columns; ++column)
                table.values.push_back(value_of(rows, column));
        sqlite3_finalize(rows);
    }
    return tables;
}

std::vector<std::string> indexes_of(Connection& database) {
    std::vector<std::string> indexes;
    sqlite3_stmt* rows =
        database.prepare("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL");
    while (sqlite3_step(rows) == SQLITE_ROW)
        indexes.push_back(text_of(rows, 0));
    sqlite3_finalize(rows);
    return indexes;
}

void bind(sqlite3_stmt* statement, int column, const Value& value) {
    switch (value.type) {
        case SQLITE_INTEGER:
            sqlite3_bind_int64(statement, column, value.integer);
            break;
        case SQLITE_FLOAT:
            sqlite3_bind_double(statement, column, value.real);
            break;
        case SQLITE_TEXT:
            sqlite3_bind_text64(statement, column, value.text.data(), value.text.size(), SQLITE_STATIC,
                                SQLITE_UTF8);
            break;
        default:
            sqlite3_bind_null(statement, column);
    }
}

void insert(Connection& database, const TableRows& table) {
    std::string sql = "INSERT INTO " + table.name + " VALUES (?";
    for (int column = 1; column < table.columns; ++column)
        sql += ", ?";
    sqlite3_stmt* statement = database.prepare(sql + ")");
    for (auto value = table.values.begin(); value != table.values.end();) {
        for (int column = 1; column <= table.columns; ++column)
            bind(statement, column, *value++);
        if (sqlite3_step(statement) != SQLITE_DONE) fail("cannot insert into " + table.name);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) fail("usage: import_floor REPORT.json DB.sqlite SCRATCH.sqlite");
    const fs::path report = argv[1];
    fs::path python_io = report;
    python_io.replace_extension(".python_io.json");
    const double parse = parse_seconds(report) + parse_seconds(python_io);

    std::vector<TableRows> tables;
    std::vector<std::string> indexes;
    std::string page_size;
    {
        Connection database(argv[2], SQLITE_OPEN_READONLY);
        tables = rows_of(database);
        indexes = indexes_of(database);
        sqlite3_stmt* pragma = database.prepare("PRAGMA page_size");
        sqlite3_step(pragma);
        page_size = text_of(pragma, 0);
        sqlite3_finalize(pragma);
    }
    fs::remove(argv[3]);
    const auto start = Clock::now();
    double insert_seconds = 0;
    {
        Connection scratch(argv[3], SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
        scratch.execute("PRAGMA page_size=" + page_size +
                        "; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; "
                        "PRAGMA cache_size=-16384; BEGIN");
        for (const TableRows& table : tables) {
            scratch.execute(table.create);
            insert(scratch, table);
        }
        scratch.execute("COMMIT");
        insert_seconds = seconds_since(start);
        scratch.execute("BEGIN");
        for (const std::string& index : indexes)
            scratch.execute(index);
        scratch.execute("COMMIT");
    }
    const double index_seconds = seconds_since(start) - insert_seconds;
    fs::remove(argv[3]);
    std::printf("{\"parse_s\": %.4f, \"insert_s\": %.4f, \"index_s\": %.4f}\n", parse, insert_seconds,
                index_seconds);
    return 0;
}
