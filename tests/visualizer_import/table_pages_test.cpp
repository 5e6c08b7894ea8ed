// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tables and indexes written as pages, against SQLite: what it reads back, its integrity check, and that it
// goes on with the file as with one of its own.
#include "visualizer_import/pages/table_pages.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/property.hpp"
#include "tests/visualizer_import/imported.hpp"
#include "visualizer_import/pages/index_pages.hpp"
#include "visualizer_import/pages/page_file.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

// The source of a generated value; the text lives here.
struct Source {
    ValueKind kind;
    std::int64_t integer;
    double real;
    std::string text;

    [[nodiscard]] RowValue value() const {
        switch (kind) {
            case ValueKind::kInteger:
                return integer;
            case ValueKind::kReal:
                return real;
            case ValueKind::kText:
                return text;
            case ValueKind::kNull:
                break;
        }
        return nullptr;
    }
    void bind(sqlite3_stmt* statement, int column) const {
        switch (kind) {
            case ValueKind::kInteger:
                sqlite3_bind_int64(statement, column, integer);
                break;
            case ValueKind::kReal:
                sqlite3_bind_double(statement, column, real);
                break;
            case ValueKind::kText:
                sqlite3_bind_text64(statement, column, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
                break;
            case ValueKind::kNull:
                sqlite3_bind_null(statement, column);
                break;
        }
    }
};
using Row = std::vector<Source>;

// key int, other int, r float, t text, u text
constexpr const char* kSchema =
    "CREATE TABLE before(a); CREATE TABLE rows(key int, other int, r float, t text, u text); "
    "CREATE INDEX by_key ON rows(key); CREATE INDEX by_other ON rows(other); "
    "CREATE TABLE few(a int); CREATE TABLE after(a text UNIQUE);";

class File {
public:
    explicit File(const fs::path& path, int page_bytes) : path_(path) {
        run("PRAGMA page_size=" + std::to_string(page_bytes) + "; PRAGMA journal_mode=OFF; " + kSchema);
        descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    }
    ~File() { ::close(descriptor_); }
    void run(const std::string& sql) const { make_database(path_, sql); }
    [[nodiscard]] std::vector<std::string> ask(const std::string& sql) const { return rows_of(path_, sql); }
    [[nodiscard]] std::uint32_t root(const std::string& name) const {
        return static_cast<std::uint32_t>(
            std::stoul(ask("SELECT rootpage FROM sqlite_schema WHERE name='" + name + "'").at(0)));
    }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
    int descriptor_ = -1;
};

struct Writing {
    std::uint64_t lock_byte = sqlite_format::kLockByte;
    int sqlite_every = 0;  // batches between which SQLite adds rows of its own
};

void write_rows(File& file, int page_bytes, const std::vector<Row>& rows, const Writing& how) {
    PageFile pages(file.descriptor(), static_cast<std::size_t>(page_bytes), how.lock_byte);
    const std::uint32_t table_root = file.root("rows"), few_root = file.root("few");
    const std::uint32_t key_root = file.root("by_key"), other_root = file.root("by_other");
    ASSERT_TRUE(pages.begin());
    int batches = 0;
    PageStream stream(static_cast<std::size_t>(page_bytes), [&](PageBatch& batch) {
        ASSERT_TRUE(pages.append(batch));
        batch.clear();
        if (how.sqlite_every == 0 || ++batches % how.sqlite_every != 0) return;
        ASSERT_TRUE(pages.end());
        file.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO before "
            "SELECT i FROM n; INSERT INTO after VALUES('" +
            std::to_string(batches) + "' || hex(zeroblob(300)))");
        ASSERT_TRUE(pages.begin());
    });
    TablePages table(0, static_cast<std::size_t>(page_bytes)), few(1, static_cast<std::size_t>(page_bytes));
    IndexPages by_key, by_other;
    for (const Row& row : rows) {
        std::vector<RowValue> values;
        for (const Source& source : row)
            values.push_back(source.value());
        ASSERT_TRUE(table.append(values, stream));
        by_key.add(values[0], table.row_count());
        by_other.add(values[1], table.row_count());
        if (stream.next() % 3 == 0) stream.send();  // batches of all sizes
    }
    const std::array<RowValue, 1> seven{RowValue(7)};
    ASSERT_TRUE(few.append(seven, stream));
    const bool one_leaf = table.finish(stream);
    ASSERT_TRUE(few.finish(stream));
    stream.send();
    ASSERT_TRUE(one_leaf ? pages.put_root(table_root, table.page(), table.pointers())
                         : pages.put_table(0, table_root));
    ASSERT_TRUE(pages.put_root(few_root, few.page(), few.pointers()));
    ASSERT_TRUE(by_key.put(pages, key_root));
    ASSERT_TRUE(by_other.put(pages, other_root));
    ASSERT_TRUE(pages.end());
}

void expect_rows(const File& file, const std::vector<Row>& rows) {
    EXPECT_EQ(file.ask("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
    EXPECT_EQ(file.ask("SELECT count(*), max(rowid) FROM rows"),
              std::vector<std::string>{std::to_string(rows.size()) + "|" +
                                       (rows.empty() ? "NULL" : std::to_string(rows.size()))});
    EXPECT_EQ(file.ask("SELECT a FROM few"), std::vector<std::string>{"7"});
    // The same rows as SQLite stores them.
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.path().c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, "CREATE TEMP TABLE own(key int, other int, r float, t text, u text)",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_stmt* insert = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(database, "INSERT INTO own VALUES(?,?,?,?,?)", -1, &insert, nullptr),
              SQLITE_OK);
    for (const Row& row : rows) {
        for (int i = 0; i < 5; ++i)
            row[static_cast<std::size_t>(i)].bind(insert, i + 1);
        EXPECT_EQ(sqlite3_step(insert), SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    const auto count = [&](const std::string& sql) {
        sqlite3_stmt* query = nullptr;
        std::int64_t number = -1;
        EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &query, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        if (sqlite3_step(query) == SQLITE_ROW) number = sqlite3_column_int64(query, 0);
        sqlite3_finalize(query);
        return number;
    };
    EXPECT_EQ(
        count("SELECT count(*) FROM rows JOIN own ON own.rowid = rows.rowid WHERE "
              "rows.key IS own.key AND rows.other IS own.other AND rows.r IS own.r AND rows.t IS own.t AND "
              "rows.u IS own.u AND typeof(rows.key) = typeof(own.key) AND typeof(rows.r) = typeof(own.r) "
              "AND typeof(rows.t) = typeof(own.t)"),
        static_cast<std::int64_t>(rows.size()));
    // By index, in its order.
    EXPECT_EQ(count("SELECT count(*) FROM rows INDEXED BY by_key WHERE key >= 0 OR key < 0"),
              count("SELECT count(*) FROM own WHERE key IS NOT NULL"));
    for (const char* column : {"key", "other"}) {
        const std::string name = column;
        const std::string by_index =
            "SELECT group_concat(id) FROM (SELECT rowid AS id FROM rows INDEXED BY by_" + name +
            " ORDER BY " + name + ", rowid)";
        const std::string sorted =
            "(SELECT group_concat(id) FROM (SELECT rowid AS id FROM own ORDER BY " + name + ", rowid))";
        EXPECT_EQ(count("SELECT (" + by_index + ") IS " + sorted), 1);
    }
    sqlite3_close(database);
}

void expect_usable(const File& file) {
    file.run(
        "DELETE FROM rows WHERE rowid % 3 = 0; INSERT INTO rows SELECT key, other, r, u, t FROM rows; "
        "UPDATE rows SET key = key + 1 WHERE typeof(key) = 'integer' AND key BETWEEN -999 AND 999; "
        "INSERT INTO after VALUES('more')");
    EXPECT_EQ(file.ask("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
    file.run("VACUUM");
    EXPECT_EQ(file.ask("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
}

std::int64_t any_integer() {
    const int bits = test::in_range(0, 65);
    if (bits == 64) return std::numeric_limits<std::int64_t>::min();
    const std::uint64_t magnitude = bits == 0 ? 0 : (std::uint64_t{1} << (bits - 1)) - test::in_range(0, 2);
    return test::any_bool() ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

// Mostly short; else around where a row stops to fit its page, or one, two, three further pages.
std::string any_text(int page_bytes) {
    const int near = test::one_of(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4);
    const int size = near == 0   ? test::in_range(0, 40)
                     : near == 4 ? test::in_range(0, 4 * page_bytes)
                                 : near * page_bytes + test::in_range(-80, 20);
    std::string text(static_cast<std::size_t>(std::max(size, 0)), 'x');
    for (std::size_t i = 0; i < text.size(); i += 7)
        text[i] = static_cast<char>('a' + i % 23);
    return text;
}

Row any_row(int page_bytes, std::int64_t key) {
    const auto text = [&]() -> Source {
        if (test::in_range(0, 6) == 0) return {ValueKind::kNull, 0, 0, ""};
        return {ValueKind::kText, 0, 0, any_text(page_bytes)};
    };
    const auto other = [&]() -> Source {
        if (test::in_range(0, 6) == 0) return {ValueKind::kNull, 0, 0, ""};
        return {ValueKind::kInteger, any_integer(), 0, ""};
    };
    const double real = test::one_of(0.0, -0.5, 3.0, 1e300, 1e-300, 9007199254740993.0, 0.1,
                                     std::numeric_limits<double>::infinity());
    return {{ValueKind::kInteger, key, 0, ""}, other(), {ValueKind::kReal, 0, real, ""}, text(), text()};
}

TEST(TablePages, sqlite_reads_back_what_was_written_and_goes_on_with_the_file) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const ScratchFolder scratch;
        const int page_bytes = test::one_of(512, 1024, 4096, 16384, 65536);
        const int row_count = test::one_of(0, 1, 2, 5, 20, 60);
        const bool grouped = test::any_bool();
        std::vector<Row> rows;
        for (int i = 0; i < row_count; ++i)
            rows.push_back(any_row(page_bytes, grouped ? i / 7 : any_integer()));
        File file(scratch.path() / "db.sqlite", page_bytes);
        write_rows(file, page_bytes, rows, {sqlite_format::kLockByte, test::in_range(0, 4)});
        expect_rows(file, rows);
        expect_usable(file);
        PROPERTY_ASSERT(!::testing::Test::HasFailure());
    }));
}

std::vector<Row> small_rows(std::int64_t count, std::int64_t per_key) {
    std::vector<Row> rows;
    for (std::int64_t i = 0; i < count; ++i)
        rows.push_back({{ValueKind::kInteger, i / per_key, 0, ""},
                        {ValueKind::kInteger, i * 7919 % 1000003 - 500000, 0, ""},
                        {ValueKind::kReal, 0, static_cast<double>(i) / 4, ""},
                        {ValueKind::kText, 0, 0, std::to_string(i)},
                        {ValueKind::kNull, 0, 0, ""}});
    return rows;
}

// Trees of three and four levels, and every number of rows where a level begins.
TEST(TablePages, trees_of_all_heights_are_sound) {
    for (const std::int64_t count : {1, 10, 11, 12, 13, 100, 400, 410, 420, 500, 20000}) {
        const ScratchFolder scratch;
        File file(scratch.path() / "db.sqlite", 512);
        const std::vector<Row> rows = small_rows(count, 1 + count % 13);
        write_rows(file, 512, rows, {});
        expect_rows(file, rows);
        expect_usable(file);
        ASSERT_FALSE(HasFailure()) << count;
    }
}

// The page at 1 GiB is SQLite's for its locks: here it lies nearer, for both.
TEST(TablePages, the_lock_byte_page_is_left_out) {
    constexpr int kLockByte = 65536;
    sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, kLockByte);
    const ScratchFolder scratch;
    File file(scratch.path() / "db.sqlite", 1024);
    std::vector<Row> rows = small_rows(3000, 5);
    for (std::size_t i = 0; i < rows.size(); i += 50)
        rows[i][4] = {ValueKind::kText, 0, 0, std::string(5000, 'y')};
    write_rows(file, 1024, rows, {kLockByte, 3});
    expect_rows(file, rows);
    expect_usable(file);
    sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, static_cast<int>(sqlite_format::kLockByte));
}

TEST(TablePages, a_row_that_sqlite_could_not_read_is_refused) {
    PageStream stream(4096, [](PageBatch&) { FAIL(); });
    TablePages table(0, 4096);
    // Nobody looks at the text of such a row: it takes no memory.
    constexpr std::size_t kBytes = sqlite_format::kLongestRecord;
    void* const text = ::mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(text, MAP_FAILED);
    const std::array<RowValue, 1> row{RowValue(std::string_view(static_cast<const char*>(text), kBytes))};
    EXPECT_FALSE(table.append(row, stream));
    EXPECT_EQ(table.row_count(), 0);
    ::munmap(text, kBytes);
}

}  // namespace
}  // namespace tilemeter::visualizer_import
