// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN itself as the judge: its importer reads our report, its analyses take our node list.
// TILEMETER_TTNN_VENV names a virtual environment with TT-NN 0.81.1.

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/tensor/tensor.hpp"
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

    /// A report of our own runtime with all that can be recorded: pages, call stacks, and an operation that
    /// fails while buffers are live.
    fs::path write_full_report() const {
        const fs::path path = folder_ / "full.json";
        const auto device = open_device();
        graph::CaptureOptions options;
        options.detail = record::Detail::kPages;
        graph::GraphProcessor::begin_graph_capture(options);
        const auto ones_of = [&](const Shape& shape) {
            return ones(shape, DataType::BFLOAT16, Layout::TILE, device, L1_MEMORY_CONFIG);
        };
        const Tensor a = ones_of({1, 1, 64, 64});
        const Tensor b = add(a, a, std::nullopt, L1_MEMORY_CONFIG);
        EXPECT_THROW(add(b, ones_of({1, 1, 96, 64})), std::exception);
        const Tensor c = relu(b);
        graph::GraphProcessor::end_graph_capture_to_file(path);
        close_device(*device);
        const json report = json::parse(text_of(path));
        EXPECT_FALSE(report.at("buffer_pages").empty());
        EXPECT_FALSE(report.at("memory_at_failure").empty());
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

TEST_F(TtnnAcceptsReport, given_our_report_then_its_importer_fills_a_database) {
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

TEST_F(TtnnAcceptsReport, given_our_nodes_then_its_analyses_answer_as_for_its_own) {
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

TEST_F(TtnnAcceptsReport, given_pages_stacks_and_a_failure_then_its_importer_takes_them_all) {
    const fs::path report = write_full_report();
    const fs::path script = folder_ / "rows.py";
    std::ofstream(script)
        << "import json, sqlite3, sys\n"
           "db = sqlite3.connect(sys.argv[1])\n"
           "report = json.load(open(sys.argv[2]))\n"
           "rows = lambda sql: db.execute(sql).fetchall()\n"
           "names = [r[0] for r in rows('select name from operations order by operation_id')]\n"
           "assert names == ['ttnn::ones', 'ttnn::add', 'ttnn::ones', 'ttnn::add', 'ttnn::deallocate', "
           "'ttnn::relu'], names\n"
           "pages = rows('select count(*) from buffer_chunks')[0][0]\n"
           "assert pages > 0, pages\n"
           "# Of call stacks it keeps those of Python; that the nodes have theirs must not disturb it.\n"
           "assert any('0x' in f for n in report['graph'] for f in n.get('stack_trace', []))\n"
           "errors = rows('select operation_name, error_type, error_message from errors')\n"
           "assert len(errors) == 1 and 'Shape' in errors[0][2], errors\n";
    ASSERT_EQ(run("-m ttnn.graph_report '" + report.string() + "' '" + folder_.string() + "/db'"), 0);
    run("'" + script.string() + "' '" + folder_.string() + "/db/db.sqlite' '" + report.string() + "'");
}

TEST_F(TtnnAcceptsReport, given_pages_stacks_and_a_failure_then_its_analyses_answer) {
    const fs::path report = write_full_report();
    const fs::path script = folder_ / "analyse_full.py";
    std::ofstream(script) << "import json, sys, ttnn\n"
                             "nodes = json.load(open(sys.argv[1]))['graph']\n"
                             "g = ttnn.graph\n"
                             "assert any('stack_trace' in n for n in nodes)\n"
                             "assert any(n['node_type'] == 'error' for n in nodes)\n"
                             "assert g.extract_peak_L1_memory_usage(nodes) > 0\n"
                             "assert 'ttnn::add' in g.extract_calltrace(nodes), g.extract_calltrace(nodes)\n"
                             "usage = g.extract_resource_usage_per_core(nodes)\n"
                             "assert usage.peak_cb > 0 and usage.peak_l1 > 0, usage\n"
                             "assert g.extract_levelized_graph(nodes, 2)\n"
                             "g.extract_output_tensors(nodes)\n"
                             "known = [n for n in nodes if n['node_type'] != 'error']  # it defines these, "
                             "but does not print them\n"
                             "g.pretty_format(known)\n"
                             "g.pretty_print(known)\n"
                             "g.extract_output_info(nodes)\n"
                             "assert g.extract_total_duration_from_graph(nodes) > 0\n"
                             "assert g.extract_operation_durations(nodes)\n";
    run("'" + script.string() + "' '" + report.string() + "'");
}

}  // namespace
}  // namespace tilemeter
