// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "report/result.hpp"
#include "visualizer_import/schema_tables.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace tilemeter::visualizer_import {

// A database under construction in a file of its own: one transaction, no journal, since a file that is not
// complete is never used. Thread safety: one thread at a time.
class Database {
public:
    // In an empty file that is open as `descriptor` for as long. name: what messages call it
    static report::Result<Database> create(int descriptor, std::string name);
    ~Database();
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;

    // REQUIRES: table is kBuffers, the one that create() leaves out
    report::Status create_table(Table table);

    // Values in the order of the columns: integers, doubles, texts, optionals of them, nullptr for NULL.
    // After a failure nothing more is inserted; status() has the first one.
    template <Table kTable, class... Values>
    void insert(const Values&... values) {
        constexpr std::size_t kTableIndex = static_cast<std::size_t>(kTable);
        static_assert(sizeof...(Values) == schema::kTables[kTableIndex].columns.size());
        sqlite3_stmt* statement = statements_[kTableIndex];
        int column = 0;
        (bind(statement, ++column, values), ...);
        step(statement);
        ++row_counts_[kTableIndex];
    }
    // Attempted inserts; those ignored for a conflict are counted too.
    [[nodiscard]] std::uint64_t row_count(Table table) const {
        return row_counts_[static_cast<std::size_t>(table)];
    }

    // Cheap; ask it as often as a wasted insert would hurt.
    [[nodiscard]] const report::Status& status() const { return status_; }
    report::Status execute(std::string_view sql);
    // Calls row(values) for each; only for columns of integers.
    report::Status query(const std::string& sql, const std::function<void(const std::int64_t*)>& row);
    [[nodiscard]] std::int64_t last_id() const;

    // Ends the transaction and closes the file.
    report::Status finish();

private:
    Database() = default;
    static void bind(sqlite3_stmt* statement, int column, std::int64_t value);
    static void bind(sqlite3_stmt* statement, int column, double value);
    static void bind(sqlite3_stmt* statement, int column, std::string_view value);
    static void bind(sqlite3_stmt* statement, int column, std::nullptr_t);
    template <std::integral Integer>
    static void bind(sqlite3_stmt* statement, int column, Integer value) {
        bind(statement, column, static_cast<std::int64_t>(value));
    }
    template <class Value>
    static void bind(sqlite3_stmt* statement, int column, const std::optional<Value>& value) {
        if (value) {
            bind(statement, column, *value);
        } else {
            bind(statement, column, nullptr);
        }
    }
    void step(sqlite3_stmt* statement);
    void fail(std::string_view doing);
    void close();

    sqlite3* handle_ = nullptr;
    std::string name_;
    std::array<sqlite3_stmt*, static_cast<std::size_t>(Table::kCount)> statements_{};
    std::array<std::uint64_t, static_cast<std::size_t>(Table::kCount)> row_counts_{};
    report::Status status_;
};

}  // namespace tilemeter::visualizer_import
