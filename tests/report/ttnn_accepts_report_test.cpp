// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN itself as the judge: its importer reads our report, its analyses take our node list.
// TILEMETER_TTNN_VENV names a virtual environment with TT-NN 0.81.1.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "tests/capture/report_replay.hpp"
#include "tests/paths.hpp"

namespace tilemeter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class TtnnAcceptsReport : public testing::Test {
protected:
    void SetUp() override {
        const char* venv = std::getenv("TILEMETER_TTNN_VENV");
        if (venv == nullptr || *venv == '\0')
            GTEST_SKIP() << "TILEMETER_TTNN_VENV is not set: no TT-NN to ask";
        const fs::path run = fs::path(test::shared_folder()) / "ttnn-mock" / "run.sh";
        if (!fs::exists(run)) GTEST_SKIP() << "TT-NN's mock device is not here";
        command_ = "'" + run.string() + "' '" + venv + "' n150 ";
        folder_ = fs::temp_directory_path() / ("ttnn_accepts_report." + std::to_string(getpid()));
        fs::create_directory(folder_);
    }
    void TearDown() override {
        if (!folder_.empty()) fs::remove_all(folder_);
    }

    /// A report of ours, with the events of TT-NN's broadcast add.
    fs::path write_report() const {
        const json theirs =
            json::parse(text_of(fs::path(test::data_folder()) / "capture" / "add.n150.NORMAL.report.json"));
        const fs::path path = folder_ / "report.json";
        graph::GraphProcessor::begin_graph_capture();
        test::emit_events_of(theirs["graph"]);
        graph::GraphProcessor::end_graph_capture_to_file(path);
        return path;
    }

    int run(const std::string& arguments) const {
        const std::string log = (folder_ / "log").string();
        const int status = std::system((command_ + arguments + " > '" + log + "' 2>&1").c_str());
        if (status != 0) ADD_FAILURE() << arguments << "\n" << text_of(log);
        return status;
    }

    std::string command_;
    fs::path folder_;
};

TEST_F(TtnnAcceptsReport, GivenOurReportThenItsImporterFillsADatabase) {
    const fs::path report = write_report();
    const fs::path script = folder_ / "count.py";
    std::ofstream(script)
        << "import sqlite3, sys\n"
           "db = sqlite3.connect(sys.argv[1])\n"
           "rows = lambda sql: db.execute(sql).fetchall()\n"
           "assert [r[0] for r in rows('select name from operations order by operation_id')] == "
           "['ttnn.zeros', 'ttnn.zeros', 'ttnn.add'], rows('select * from operations')\n"
           "assert rows('select count(*) from tensors')[0][0] > 0\n"
           "assert rows('select address from buffers where operation_id = 3 order by address') == "
           "[(1492992,), (1495040,), (1497088,)], rows('select * from buffers')\n";
    ASSERT_EQ(run("-m ttnn.graph_report '" + report.string() + "' '" + folder_.string() + "/db'"), 0);
    run("'" + script.string() + "' '" + folder_.string() + "/db/db.sqlite'");
}

TEST_F(TtnnAcceptsReport, GivenOurNodesThenItsAnalysesAnswerAsForItsOwn) {
    const fs::path report = write_report();
    const fs::path script = folder_ / "analyse.py";
    std::ofstream(script)
        << "import json, sys, ttnn\n"
           "nodes = json.load(open(sys.argv[1]))['graph']\n"
           "g = ttnn.graph\n"
           "assert g.extract_peak_L1_memory_usage(nodes) == 67584\n"
           "assert g.extract_calltrace(nodes)[-3:] == "
           "['tt::tt_metal::create_device_tensor', 'Tensor::deallocate', 'Tensor::deallocate']\n"
           "usage = g.extract_resource_usage_per_core(nodes)\n"
           "assert (usage.peak_cb, usage.peak_l1) == (12288, 6144), usage\n"
           "assert len(g.extract_output_tensors(nodes)) == 1\n"
           "assert g.extract_levelized_graph(nodes, 2)\n"
           "g.pretty_format(nodes)\n";
    run("'" + script.string() + "' '" + report.string() + "'");
}

}  // namespace
}  // namespace tilemeter
