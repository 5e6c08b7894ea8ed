// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/result.hpp"
#include "visualizer_import/database/row_queue.hpp"
#include "visualizer_import/pages/index_pages.hpp"
#include "visualizer_import/pages/table_pages.hpp"
#include "visualizer_import/rows/schema_tables.hpp"

namespace tilemeter::visualizer_import {

// The kind of values that a column of that declared type takes; of others SQLite would change the value.
constexpr ValueKind kind_of_column(std::string_view type) {
    if (type.starts_with("int") || type.starts_with("INTEGER")) return ValueKind::kInteger;
    return type.starts_with("float") ? ValueKind::kReal : ValueKind::kText;
}
template <class Value>
constexpr ValueKind kind_of_value() {
    if constexpr (std::same_as<Value, std::nullptr_t>) {
        return ValueKind::kNull;
    } else if constexpr (requires { typename Value::value_type; } &&
                         !std::convertible_to<Value, std::string_view>) {
        return kind_of_value<typename Value::value_type>();
    } else if constexpr (std::integral<Value>) {
        return ValueKind::kInteger;
    } else {
        return std::floating_point<Value> ? ValueKind::kReal : ValueKind::kText;
    }
}

// A database under construction in a file of its own, without a journal, since a file that is not complete is
// never used. Rows of tables without constraints are written as pages (TablePages, IndexPages), the others,
// and whatever else SQLite can do, by SQLite in between (PageFile). Thread safety: one thread at a time.
class Database {
public:
    // In an empty file that is open as `descriptor` for as long. name: what messages call it. page_bytes: a
    // power of two from 512 to 65536. stop: once it is set, nothing more is written, and status() says so
    static report::Result<Database> create(int descriptor, std::string name, int page_bytes,
                                           const std::atomic<bool>* stop = nullptr);
    ~Database();
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;

    // REQUIRES: table is kBuffers, the one that create() leaves out
    report::Status create_table(Table table);

    // Values in the order of the columns: integers, doubles, texts, optionals of them, nullptr for NULL. The
    // row is written by another thread; after a failure nothing more is, and status() has the first one.
    // REQUIRES: no complete() since the table was created
    template <Table kTable, class... Values>
    void insert(const Values&... values) {
        constexpr const TableSpec& kSpec = schema::kTables[static_cast<std::size_t>(kTable)];
        static_assert(sizeof...(Values) == kSpec.columns.size());
        constexpr std::array<ValueKind, sizeof...(Values)> kKinds{kind_of_value<Values>()...};
        static_assert([&] {
            for (std::size_t i = 0; i < kKinds.size(); ++i)
                if (kKinds[i] != ValueKind::kNull && kKinds[i] != kind_of_column(kSpec.columns[i].type))
                    return false;
            return true;
        }());
        const std::array<RowValue, sizeof...(Values)> row{RowValue(values)...};
        add_row(static_cast<std::size_t>(kTable), row);
    }
    // Attempted inserts; those ignored for a conflict are counted too.
    [[nodiscard]] std::uint64_t row_count(Table table) const {
        return row_counts_[static_cast<std::size_t>(table)];
    }

    // Cheap; ask it as often as a wasted insert would hurt. It may lag behind the inserts; that of the others
    // does not.
    [[nodiscard]] report::Status status() const;
    // All rows so far are in their tables and indexes.
    report::Status complete();
    report::Status execute(std::string_view sql);
    // Only for columns of integers. REQUIRES: complete() since the last insert into what is asked
    report::Status query(const std::string& sql, std::vector<std::vector<std::int64_t>>& rows);

    // Completes all and closes the file.
    report::Status finish();

private:
    struct Connection;  // the connection of the writing thread, too
    struct Index {
        std::size_t column;
        std::uint32_t root;
        IndexPages pages;
    };
    struct OpenTable {
        std::uint32_t root;
        TablePages pages;
        std::vector<Index> indexes;
    };

    Database();
    void open_table(Table table);
    void add_row(std::size_t table, std::span<const RowValue> row);
    void add_valid_row(std::size_t table, std::span<const RowValue> row);
    void flush();  // all rows are written when it returns

    std::unique_ptr<Connection> connection_;
    std::unique_ptr<PageStream> stream_;
    RowBatch rows_;
    // Empty: SQLite inserts the rows, or there will be no more.
    std::array<std::optional<OpenTable>, static_cast<std::size_t>(Table::kCount)> tables_;
    std::array<std::uint64_t, static_cast<std::size_t>(Table::kCount)> row_counts_{};
};

}  // namespace tilemeter::visualizer_import
