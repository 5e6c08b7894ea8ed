// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/visualizer_import/imported.hpp"

#include <atomic>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "tests/paths.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

sqlite3* open_database(const fs::path& path, int flags) {
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle, flags, nullptr), SQLITE_OK) << path;
    return handle;
}

}  // namespace

fs::path reports_folder() {
    return fs::path(test::data_folder()) / "reports";
}

fs::path largest_report() {
    return reports_folder() / "mesh_mlp.n300.NO_DISPATCH" / "report.json";
}

fs::path report_path(std::string_view operation) {
    return reports_folder() / (std::string(operation) + ".n150.NORMAL") / "report.json";
}

std::vector<std::string> rows_of(const fs::path& database, const std::string& sql) {
    sqlite3* handle = open_database(database, SQLITE_OPEN_READONLY);
    std::vector<std::string> rows;
    char* problem = nullptr;
    const auto add = [](void* out, int count, char** values, char**) {
        std::string row;
        for (int i = 0; i < count; ++i) {
            if (i > 0) row += '|';
            row += values[i] != nullptr ? values[i] : "NULL";
        }
        static_cast<std::vector<std::string>*>(out)->push_back(row);
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), add, &rows, &problem), SQLITE_OK) << sql << ": " << problem;
    sqlite3_free(problem);
    sqlite3_close(handle);
    return rows;
}

void make_database(const fs::path& database, const std::string& script) {
    sqlite3* handle = open_database(database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    EXPECT_EQ(sqlite3_exec(handle, script.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle);
    sqlite3_close(handle);
}

std::string report_of(std::string_view nodes, std::string_view more_sections) {
    std::string report =
        R"({"devices": [{"device_id": 0, "num_dram_channels": 12, "l1_num_banks": 64}], "graph": [)";
    report.append(nodes)
        .append(R"(], "metadata": {"rank": 0}, )")
        .append(more_sections)
        .append(R"("version": 1})");
    return report;
}

}  // namespace tilemeter::visualizer_import
