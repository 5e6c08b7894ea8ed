// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_reader.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "report/python_io.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;

class Recorder final : public ReportHandler {
public:
    std::string calls;

    Status on_version(const JsonValue&) override { return note("version"); }
    Status on_metadata(const JsonValue&) override { return note("metadata"); }
    Status on_devices(const JsonValue&) override { return note("devices"); }
    Status on_graph_begin(GraphAccess& graph) override {
        graph_ = &graph;
        return note("begin");
    }
    Status on_node(const Node& node) override {
        if (node.type == NodeType::kFunctionEnd) {
            const auto target = static_cast<std::size_t>(*node.connections.children().value().integer());
            auto output = graph_->node_at(target);  // further back in the file
            EXPECT_TRUE(output.ok());
            EXPECT_EQ(graph_->index().tensor_id(target), 9);
            EXPECT_EQ(output->params.at("shape").text(), "Shape([1])");
        }
        return note("node");
    }
    Status on_graph_end() override { return note("end"); }
    Status on_pages(std::int64_t address, std::int64_t counter, std::span<const PageRecord> pages,
                    bool last) override {
        return note("pages@" + std::to_string(address) + ":" + std::to_string(counter) + "x" +
                    std::to_string(pages.size()) + (last ? "." : ""));
    }
    Status on_operation_buffers(std::int64_t counter, std::span<const BufferRecord> buffers,
                                bool last) override {
        return note("buffers@" + std::to_string(counter) + "x" + std::to_string(buffers.size()) +
                    (last ? "." : ""));
    }

private:
    Status note(const std::string& call) {
        calls += call + " ";
        return {};
    }
    GraphAccess* graph_ = nullptr;
};

class ReportReaderTest : public testing::Test {
protected:
    ReportReaderTest()
        : path_(fs::temp_directory_path() / ("tilemeter_report_" + std::to_string(::getpid()) + ".json")) {}
    ~ReportReaderTest() override { fs::remove(path_); }
    std::string calls_of(const std::string& report) {
        std::ofstream(path_, std::ios::binary) << report;
        Recorder recorder;
        const Status read = read_report(path_, recorder);
        return read ? recorder.calls : read.error().message();
    }
    fs::path path_;
};

const std::string kGraph =
    R"json("graph": [{"counter": 0, "node_type": "function_start", "params": {"name": "f"}},
    {"counter": 1, "node_type": "function_end", "connections": [2], "params": {"name": "f"}},
    {"counter": 2, "node_type": "tensor", "params": {"tensor_id": 9, "shape": "Shape([1])"}}])json";
const std::string kPages =
    R"("buffer_pages_by_address": {"64": [{"pages": [{"address": 64}], "alloc_counter": 5}]})";
const std::string kBuffers = R"("per_operation_buffers": {"0": [{"address": 64}, {"address": 65}]})";

TEST_F(ReportReaderTest, the_graph_waits_for_devices_and_metadata_and_the_buffers_for_graph_and_pages) {
    const std::string expected = "pages@64:5x1 pages@64:5x0. ";
    EXPECT_EQ(calls_of("{" + kPages + R"(, "devices": [], )" + kGraph + R"(, "metadata": {}, )" + kBuffers +
                       R"(, "version": 1})"),
              expected + "devices metadata begin node node node end buffers@0x2 buffers@0x0. version ");
    EXPECT_EQ(calls_of(R"({"version": 1, )" + kBuffers + ", " + kGraph +
                       R"(, "metadata": {}, "devices": [], )" + kPages + "}"),
              "version metadata devices begin node node node end " + expected + "buffers@0x2 buffers@0x0. ");
}

TEST_F(ReportReaderTest, a_report_of_a_graph_alone_is_read) {
    EXPECT_EQ(calls_of("{" + kGraph + "}"), "begin node node node end ");
}

TEST_F(ReportReaderTest, page_lists_without_snapshots_count_as_one_snapshot) {
    EXPECT_EQ(calls_of(R"({"buffer_pages_by_address": {"7": [{"address": 7}, {"address": 7}]}})"),
              "pages@7:0x2 pages@7:0x0. ");
}

TEST_F(ReportReaderTest, errors_say_file_byte_and_node) {
    const std::string message =
        calls_of(R"({"graph": [{"counter": 4, "node_type": "tensor", "params": {"tensor_id": []}}]})");
    EXPECT_NE(message.find(path_.string()), std::string::npos);
    EXPECT_NE(message.find("byte 11, node 4, params.tensor_id"), std::string::npos) << message;
}

TEST_F(ReportReaderTest, python_records_are_found_by_name_in_call_order) {
    std::ofstream(path_)
        << R"([{"name": "a", "x": 1}, {"name": "b", "input_tensor_ids": [4, 5]}, {"name": "a", "x": 2}])";
    auto io = PythonIo::open(path_);
    ASSERT_TRUE(io.ok());
    ASSERT_EQ(io->waiting("a").size(), 2U);
    EXPECT_EQ(io->record(io->waiting("a")[1])->at("x").integer(), 2);
    EXPECT_EQ(io->record(io->waiting("a")[0])->at("x").integer(), 1);
    io->take("a");
    EXPECT_EQ(io->waiting("a").size(), 1U);
    EXPECT_EQ(io->input_tensor_ids(io->waiting("b")[0]).size(), 2U);
    EXPECT_TRUE(io->waiting("c").empty());
}

}  // namespace
}  // namespace tilemeter::report
