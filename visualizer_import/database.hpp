// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/result.hpp"
#include "visualizer_import/row_queue.hpp"
#include "visualizer_import/schema_tables.hpp"

namespace tilemeter::visualizer_import {

// A database under construction in a file of its own: one transaction, no journal, since a file that is not
// complete is never used. Thread safety: one thread at a time.
class Database {
public:
    // In an empty file that is open as `descriptor` for as long. name: what messages call it. page_bytes: a
    // power of two from 512 to 65536
    static report::Result<Database> create(int descriptor, std::string name, int page_bytes);
    ~Database();
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;

    // REQUIRES: table is kBuffers, the one that create() leaves out
    report::Status create_table(Table table);

    // Values in the order of the columns: integers, doubles, texts, optionals of them, nullptr for NULL. The
    // row is written by another thread; after a failure nothing more is, and status() has the first one.
    template <Table kTable, class... Values>
    void insert(const Values&... values) {
        constexpr auto kTableIndex = static_cast<std::size_t>(kTable);
        static_assert(sizeof...(Values) == schema::kTables[kTableIndex].columns.size());
        batch_.begin_row(kTableIndex);
        (encode(values), ...);
        ++row_counts_[kTableIndex];
        if (batch_.full()) send();
    }
    // Attempted inserts; those ignored for a conflict are counted too.
    [[nodiscard]] std::uint64_t row_count(Table table) const {
        return row_counts_[static_cast<std::size_t>(table)];
    }

    // Cheap; ask it as often as a wasted insert would hurt. It may lag behind the inserts; that of execute,
    // query and finish does not.
    [[nodiscard]] report::Status status() const;
    report::Status execute(std::string_view sql);
    // Only for columns of integers.
    report::Status query(const std::string& sql, std::vector<std::vector<std::int64_t>>& rows);

    // Ends the transaction and closes the file.
    report::Status finish();

private:
    struct Connection;  // SQLite's side, shared with the writing thread

    Database();
    void encode(std::int64_t value) { batch_.add(value); }
    void encode(double value) { batch_.add(value); }
    void encode(std::string_view value) { batch_.add(value); }
    void encode(std::nullptr_t) { batch_.add(nullptr); }
    template <std::integral Integer>
    void encode(Integer value) {
        encode(static_cast<std::int64_t>(value));
    }
    template <class Value>
    void encode(const std::optional<Value>& value) {
        const Value known = value.value_or(Value());  // GCC 12 takes *value for uninitialized
        if (value) {
            encode(known);
        } else {
            encode(nullptr);
        }
    }
    void send();
    void flush();  // all rows are written when it returns

    std::unique_ptr<Connection> connection_;
    RowBatch batch_;
    std::array<std::uint64_t, static_cast<std::size_t>(Table::kCount)> row_counts_{};
};

}  // namespace tilemeter::visualizer_import
