// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Reports that are compressed, or come through a pipe: the database is that of the file.
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/paths.hpp"
#include "tests/report/compressed.hpp"
#include "tests/scratch_folder.hpp"
#include "tests/visualizer_import/imported.hpp"
#include "visualizer_import/database/report_files.hpp"
#include "visualizer_import/database_summary.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;
using test::gzipped;
using test::zstd_compressed;

const fs::path kFolder = fs::path(test::data_folder()) / "reports" / "add_pages.n150.NORMAL";

// All rows of all tables; empty after a failure.
std::string imported(const fs::path& report, const fs::path& output, const ImportOptions& options = {}) {
    const auto done = import_reports(report, output, options);
    EXPECT_TRUE(done.ok()) << done.error().message();
    if (!done.ok()) return "";
    std::string all;
    const fs::path database = output / "db.sqlite";
    for (const std::string& name :
         rows_of(database, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
        all.append(name) += '\n';
        for (const std::string& row : rows_of(database, "SELECT * FROM " + name))
            all.append(row) += '\n';
    }
    return all;
}

TEST(CompressedReport, gives_the_same_database_with_its_sidecars) {
    const std::string report = test::text_of(kFolder / "report.json");
    const std::string records = test::text_of(kFolder / "report.python_io.json");
    const ScratchFolder scratch;
    scratch.write("a/x.json", report);
    scratch.write("a/x.python_io.json", records);
    const std::string expected = imported(scratch.path() / "a/x.json", scratch.path() / "out");
    ASSERT_NE(expected.find("ttnn.add"), std::string::npos);
    const fs::path gz = scratch.write("b/x.json.gz", gzipped(report));
    scratch.write("b/x.python_io.json.zst", zstd_compressed(records));
    EXPECT_TRUE(imported(gz, scratch.path() / "out_b") == expected);
    const fs::path zst = scratch.write("c/x.json.zst", zstd_compressed(report));
    scratch.write("c/x.python_io.json", records);
    EXPECT_TRUE(imported(zst, scratch.path() / "out_c") == expected);
    EXPECT_TRUE(imported(scratch.path() / "b", scratch.path() / "out_folder") == expected) << "as a folder";
    // By two threads, in small slices.
    ImportOptions small;
    small.read_ahead_from_bytes = 0;
    small.read_window_bytes = 1024;
    EXPECT_TRUE(imported(gz, scratch.path() / "out_small", small) == expected);
}

TEST(CompressedReport, a_pipe_is_read_again_where_the_import_begins_anew) {
    // Records behind the graph are known of in the second attempt only.
    std::string report = test::text_of(kFolder / "report.json");
    const std::size_t brace = report.rfind('}');
    report.replace(brace, 1, ", \"python_io\": " + test::text_of(kFolder / "report.python_io.json") + "}");
    const ScratchFolder scratch;
    const fs::path file = scratch.write("x.json", report);
    const std::string expected = imported(file, scratch.path() / "out");
    ASSERT_NE(expected.find("ttnn.add"), std::string::npos);
    const fs::path pipe = scratch.path() / "pipe";
    for (const std::string& sent : {report, gzipped(report)}) {
        ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
        std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << sent; });
        EXPECT_TRUE(imported(pipe, scratch.path() / "out_pipe") == expected);
        writer.join();
        fs::remove(pipe);
    }
}

TEST(CompressedReport, of_a_folder_counts_once_where_it_lies_there_in_two_forms) {
    const ScratchFolder scratch;
    for (const char* const name :
         {"a.json", "a.json.gz", "b.json.gz", "b.json.zst", "c.python_io.json.gz", "config.json.gz"})
        scratch.write(name, "");
    const auto files = report_files(scratch.path(), false);
    ASSERT_TRUE(files.ok());
    EXPECT_EQ(files.value(),
              (std::vector<fs::path>{scratch.path() / "a.json", scratch.path() / "b.json.gz"}));
    scratch.write("graph_capture_1_of_2.json.zst", "");
    EXPECT_EQ(report_files(scratch.path(), false).value(),
              (std::vector<fs::path>{scratch.path() / "graph_capture_1_of_2.json.zst"}));
    EXPECT_EQ(report_files("-", false).value(), (std::vector<fs::path>{"-"}));
}

TEST(CompressedReport, that_is_cut_off_leaves_no_database) {
    const std::string packed = gzipped(test::text_of(kFolder / "report.json"));
    const ScratchFolder scratch;
    const fs::path cut = scratch.write("x.json.gz", packed.substr(0, packed.size() - 9));
    const auto done = import_reports(cut, scratch.path() / "out", {});
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().message(), cut.string() + ": byte " + std::to_string(packed.size() - 9) +
                                          " of the compressed file: expected the rest of a gzip member, "
                                          "found the end");
    EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

TEST(CompressedReport, is_summarized_also_through_a_pipe) {
    const std::string report = test::text_of(kFolder / "report.json");
    const ScratchFolder scratch;
    const auto expected = summarize_report(scratch.write("x.json", report));
    ASSERT_TRUE(expected.ok());
    const fs::path pipe = scratch.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << zstd_compressed(report); });
    EXPECT_FALSE(is_database(pipe)) << "and it is not read for that";
    const auto found = summarize_report(pipe);
    writer.join();
    ASSERT_TRUE(found.ok()) << found.error().message();
    EXPECT_EQ(found.value().counts, expected.value().counts);
}

}  // namespace
}  // namespace tilemeter::visualizer_import
