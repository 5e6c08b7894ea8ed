// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_reader.hpp"

#include <cstdint>
#include <fstream>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
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
    Status on_node(const JsonNode& node) override {
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
    // However many come at a time.
    Status on_pages(std::int64_t address, std::int64_t counter, std::span<const PageRecord> pages,
                    bool last) override {
        all_pages.insert(all_pages.end(), pages.begin(), pages.end());
        count_ += pages.size();
        if (!last) return {};
        return note("pages@" + std::to_string(address) + ":" + std::to_string(counter) + "x" +
                    std::to_string(std::exchange(count_, 0)));
    }
    Status on_operation_buffers(std::int64_t counter, std::span<const LiveBufferRecord> buffers,
                                bool last) override {
        count_ += buffers.size();
        if (!last) return {};
        return note("buffers@" + std::to_string(counter) + "x" + std::to_string(std::exchange(count_, 0)));
    }

    std::vector<PageRecord> all_pages;

private:
    Status note(const std::string& call) {
        calls += call + " ";
        return {};
    }
    GraphAccess* graph_ = nullptr;
    std::size_t count_ = 0;
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
    const std::string expected = "pages@64:5x1 ";
    EXPECT_EQ(calls_of("{" + kPages + R"(, "devices": [], )" + kGraph + R"(, "metadata": {}, )" + kBuffers +
                       R"(, "version": 1})"),
              expected + "devices metadata begin node node node end buffers@0x2 version ");
    EXPECT_EQ(calls_of(R"({"version": 1, )" + kBuffers + ", " + kGraph +
                       R"(, "metadata": {}, "devices": [], )" + kPages + "}"),
              "version metadata devices begin node node node end " + expected + "buffers@0x2 ");
}

TEST_F(ReportReaderTest, a_report_of_a_graph_alone_is_read) {
    EXPECT_EQ(calls_of("{" + kGraph + "}"), "begin node node node end ");
}

TEST_F(ReportReaderTest, page_lists_without_snapshots_count_as_one_snapshot) {
    EXPECT_EQ(calls_of(R"({"buffer_pages_by_address": {"7": [{"address": 7}, {"address": 7}]}})"),
              "pages@7:0x2 ");
}

// Records that look like the one before are compared, others are parsed: all must be read the same.
TEST_F(ReportReaderTest, records_are_read_whatever_form_they_have) {
    using nlohmann::ordered_json;
    std::mt19937_64 random(7);
    const std::vector<std::string> keys{"address", "bank_id", "core_x", "device_id", "page_size", "newer"};
    const std::vector<std::int64_t> numbers{
        0, 1, 3, 7, 12345, 1048640, 999999999999999999, INT64_MAX, INT64_MAX - 1};
    const std::size_t usual_numbers = numbers.size() - 2;  // the longest are left to the parser
    for (int round = 0; round < 60; ++round) {
        ordered_json pages = ordered_json::array();
        std::vector<std::vector<std::int64_t>> expected;
        const auto odd_one_in = 1U << (round % 12);
        for (int i = 0; i < 3000; ++i) {
            ordered_json page;
            std::vector<std::int64_t> values(keys.size());
            for (std::size_t k = 0; k < keys.size(); ++k) {
                const std::int64_t number =
                    numbers[random() % (round % 3 == 0 ? numbers.size() : usual_numbers)];
                const auto odd = random() % (odd_one_in * keys.size());
                if (odd == 0) continue;  // absent is 0
                page[keys[k]] = number;
                if (odd == 1) page[keys[k]] = std::to_string(number);
                values[k] = number;
            }
            pages.push_back(page.is_null() ? ordered_json::object() : page);
            expected.push_back(values);
        }
        const ordered_json report{
            {"buffer_pages_by_address", {{"64", {{{"alloc_counter", 5}, {"pages", pages}}}}}}};
        std::ofstream(path_, std::ios::binary) << report.dump(round % 2 == 0 ? 2 : -1);
        Recorder recorder;
        const Status read = read_report(path_, recorder);
        ASSERT_TRUE(read.ok()) << read.error().message();
        ASSERT_EQ(recorder.all_pages.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const PageRecord& page = recorder.all_pages[i];
            const std::vector<std::int64_t> values{page.address, page.bank_id, page.core_x, page.device_id,
                                                   page.page_size};
            expected[i].pop_back();
            ASSERT_EQ(values, expected[i]) << "round " << round << ", page " << i;
        }
    }
}

TEST_F(ReportReaderTest, what_is_wrong_between_records_of_one_form_is_found) {
    const std::string page = R"({"address": 64, "bank_id": 1})";
    std::string pages = page;
    for (int i = 0; i < 2000; ++i)
        pages += "," + page;
    const auto message = [&](const std::string& wrong) {
        return calls_of(R"({"buffer_pages_by_address": {"64": [{"alloc_counter": 5, "pages": [)" + pages +
                        wrong + pages + "]}]}}");
    };
    EXPECT_EQ(message(","), "pages@64:5x4002 ");
    for (const std::string wrong :
         {"", ",,", "]", "}", " ; ", R"(,{"address": 01},)", R"(,{"address": 1.},)",
          R"(,{"address": 64, "bank_id": },)", R"(,{"address": 64, "address": 64},)",
          R"(,{"address": 99999999999999999999, "bank_id": 1},)"})
        EXPECT_NE(message(wrong).find("expected"), std::string::npos) << wrong << ": " << message(wrong);
}

TEST_F(ReportReaderTest, errors_say_file_byte_and_node) {
    const std::string message = calls_of(R"({"graph": [{"counter": 4, "node_type": 7}]})");
    EXPECT_NE(message.find(path_.string()), std::string::npos);
    EXPECT_NE(message.find("byte 11, node 4, node_type"), std::string::npos) << message;
}

// A handler that keeps its calls, until it says no.
class Listener final : public ReportHandler {
public:
    explicit Listener(std::size_t most_calls) : calls_left_(most_calls) {}
    std::vector<std::string> told;

    Status on_metadata(const JsonValue&) override { return note("metadata"); }
    Status on_graph_begin(GraphAccess&) override { return note("begin"); }
    Status on_node(const JsonNode& node) override { return note("node " + std::to_string(*node.counter)); }
    Status on_graph_end() override { return note("end"); }
    Status on_final_pages(std::span<const PageRecord> pages) override {
        for (const PageRecord& page : pages)
            if (Status noted = note("final " + std::to_string(page.page_address)); !noted) return noted;
        return {};
    }
    Status on_pages(std::int64_t address, std::int64_t counter, std::span<const PageRecord> pages,
                    bool last) override {
        const std::string key = std::to_string(address) + ":" + std::to_string(counter) + " ";
        for (const PageRecord& page : pages)
            if (Status noted = note(key + std::to_string(page.page_address)); !noted) return noted;
        return last ? note(key + "last") : Status();
    }
    Status on_operation_buffers(std::int64_t counter, std::span<const LiveBufferRecord> buffers,
                                bool last) override {
        for (const LiveBufferRecord& buffer : buffers)
            if (Status noted = note("buffer " + std::to_string(buffer.address)); !noted) return noted;
        return last ? note("buffers of " + std::to_string(counter)) : Status();
    }

private:
    Status note(std::string call) {
        if (calls_left_ == 0) return Error{"listener", "", "fewer calls", call};
        --calls_left_;
        told.push_back(std::move(call));
        return {};
    }
    std::size_t calls_left_;
};

// Some hundred kilobytes, so that there are more slices and blocks than wait for the handler.
std::string large_report(const std::string& wrong_node = "") {
    std::string pages, nodes, buffers;
    for (int i = 0; i < 9000; ++i)
        pages.append(i > 0 ? "," : "")
            .append(R"({"address": 64, "page_address": )" + std::to_string(i) + "}");
    for (int i = 0; i < 9000; ++i) {
        nodes.append(i > 0 ? ",\n" : "");
        nodes += i == 7000 && !wrong_node.empty()
                     ? wrong_node
                     : R"({"counter": )" + std::to_string(i) +
                           R"(, "node_type": "tensor", "params": {"tensor_id": 1}})";
    }
    for (int i = 0; i < 3000; ++i)
        buffers.append(i > 0 ? "," : "")
            .append("\"" + std::to_string(i) + R"(": [{"address": 1}, {"address": )" + std::to_string(i) +
                    "}]");
    return R"({"buffer_pages": [)" + pages +
           R"(], "buffer_pages_by_address": {"64": [{"alloc_counter": 5, "pages": [)" + pages +
           R"(]}]}, "devices": [], "graph": [)" + nodes + R"(], "metadata": {}, "per_operation_buffers": {)" +
           buffers + "}}";
}

TEST_F(ReportReaderTest, two_threads_tell_what_one_tells) {
    struct Told {
        std::vector<std::string> calls;
        std::string message;
        bool operator==(const Told&) const = default;
    };
    const auto told = [&](std::uint64_t ahead_from_bytes, std::size_t most_calls) {
        Listener listener(most_calls);
        ReadOptions options;
        options.ahead_from_bytes = ahead_from_bytes;
        const Status read = read_report(path_, listener, options);
        return Told{listener.told, read ? "" : read.error().message()};
    };
    const auto expect_same = [&](const std::string& report, std::size_t most_calls) {
        std::ofstream(path_, std::ios::binary) << report;
        const Told one = told(UINT64_MAX, most_calls), two = told(0, most_calls);
        EXPECT_EQ(one.message, two.message);
        EXPECT_TRUE(one == two) << one.calls.size() << " and " << two.calls.size() << " calls";
        return one;
    };
    constexpr std::size_t kAll = SIZE_MAX;
    const std::string report = large_report();
    const Told all = expect_same(report, kAll);
    EXPECT_EQ(all.message, "");
    EXPECT_EQ(all.calls.size(), 9000U + 9001U + 9003U + 9000U);
    for (const std::size_t most_calls : {0, 1, 8999, 9000, 17000, 18001, 18002, 18003, 25000, 27004, 30000})
        EXPECT_NE(expect_same(report, most_calls).message, "");
    for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9})
        EXPECT_NE(
            expect_same(report.substr(0, static_cast<std::size_t>(static_cast<double>(report.size()) * part)),
                        kAll)
                .message,
            "");
    for (const std::string wrong : {"7", "{]", R"({"node_type": 1})", R"({"counter": 1, "counter": 1})"}) {
        const std::string message = expect_same(large_report(wrong), kAll).message;
        EXPECT_NE(message.find("byte "), std::string::npos) << message;
    }
}

TEST_F(ReportReaderTest, a_small_window_shows_what_a_large_one_shows) {
    std::ofstream(path_, std::ios::binary) << large_report();
    const auto told = [&](std::size_t window_bytes, std::uint64_t ahead_from_bytes) {
        Listener listener(SIZE_MAX);
        ReadOptions options;
        options.window_bytes = window_bytes;
        options.ahead_from_bytes = ahead_from_bytes;
        const Status read = read_report(path_, listener, options);
        EXPECT_TRUE(read.ok()) << read.error().message();
        return listener.told;
    };
    const auto usual = told(ReadOptions().window_bytes, UINT64_MAX);
    for (const std::size_t window_bytes : {1, 64, 1000, 4096})
        for (const std::uint64_t ahead_from_bytes : {std::uint64_t{0}, UINT64_MAX})
            EXPECT_TRUE(told(window_bytes, ahead_from_bytes) == usual) << window_bytes;
}

TEST_F(ReportReaderTest, reading_ends_where_nobody_wants_the_rest) {
    const std::string report = large_report();
    std::ofstream(path_, std::ios::binary) << report;
    for (const std::uint64_t ahead_from_bytes : {std::uint64_t{0}, UINT64_MAX})
        for (const double part : {0.0, 0.2, 0.4, 0.6, 0.8, 0.95}) {
            const auto most = static_cast<std::uint64_t>(part * static_cast<double>(report.size()));
            Listener listener(SIZE_MAX);
            ReadOptions options;
            options.ahead_from_bytes = ahead_from_bytes;
            options.window_bytes = 4096;
            options.progress = [&](std::uint64_t done, std::uint64_t) { return done < most; };
            const Status read = read_report(path_, listener, options);
            ASSERT_FALSE(read.ok()) << part;
            EXPECT_NE(read.error().message().find("a request to stop"), std::string::npos)
                << read.error().message();
        }
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
