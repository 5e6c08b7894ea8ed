// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Processors of clients: what they are told, in which order, and what happens where they throw, nest, or go.

#include <algorithm>
#include <any>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <internal/graph_function_abort.hpp>
#include <nlohmann/json.hpp>

#include "tests/compat/telling.hpp"
#include "tt-metalium/graph_tracking.hpp"
#include "ttnn/core.hpp"
#include "ttnn/device.hpp"
#include "ttnn/graph/graph_consts.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/graph/graph_trace_utils.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/reports.hpp"

namespace tt::tt_metal {
namespace {

using nlohmann::json;
using test::Calls;
using test::CompatTracker;
using test::Pushed;
using test::spec_of;
using test::Telling;
using ttnn::graph::GraphProcessor;
using ttnn::graph::ScopedGraphCapture;
using Mode = IGraphProcessor::RunMode;

// The node kinds of a list that TT-NN makes of a processor's calls.
Calls kinds_of(const json& trace) {
    Calls kinds;
    for (const json& node : trace) {
        const std::string kind = node.at("node_type");
        if (kind == "function_start")
            kinds.push_back("begin " + node.at("params").at("name").get<std::string>());
        else if (kind == "function_end")
            kinds.push_back("end");
        else if (kind == "buffer_allocate")
            kinds.push_back("allocate " + std::to_string(node.at("params").at("size").get<std::uint64_t>()));
        else if (kind == "buffer_deallocate")
            kinds.push_back("free " + std::to_string(node.at("params").at("size").get<std::uint64_t>()));
        else if (kind == "circular_buffer_deallocate_all")
            kinds.push_back("program");
        else if (kind == "circular_buffer_allocate")
            kinds.push_back("circular buffer");
    }
    return kinds;
}
// The same of what a processor was told.
Calls kinds_of(const Calls& told) {
    Calls kinds;
    for (const std::string& call : told) {
        std::string kind = call.substr(0, call.find(" at "));
        if (kind.rfind("end", 0) == 0 || kind == "abort") kind = "end";
        if (kind.rfind("program", 0) == 0) kind = "program";
        if (kind.rfind("circular buffer", 0) == 0) kind = "circular buffer";
        if (kind.rfind("begin ", 0) == 0) kind = kind.substr(0, kind.find(' ', 6));
        kinds.push_back(kind);
    }
    return kinds;
}

TEST_F(CompatTracker, TellsWhatACaptureHas) {
    const ttnn::Tensor a = made(ttnn::Shape({64, 64}));
    const ttnn::Tensor weights = made(ttnn::Shape({64, 128}));
    ScopedGraphCapture capture(Mode::NORMAL);
    {
        const Pushed pushed(telling_);
        ttnn::Tensor product = ttnn::matmul(a, weights);
        product = ttnn::softmax(ttnn::relu(product), -1);
        ttnn::deallocate(product);
        ttnn::add(a, a);
    }
    ttnn::add(a, a);  // told to nobody but the capture
    json trace = capture.end_graph_capture();
    const Calls told = kinds_of(telling_->calls);
    Calls captured = kinds_of(trace);
    captured.resize(std::min(captured.size(), told.size()));
    EXPECT_EQ(told, captured);
    EXPECT_GT(told.size(), 24U);
    EXPECT_EQ(telling_->device, device_.get());
    EXPECT_GT(telling_->num_cores, 0U);
    EXPECT_GT(telling_->lowest, 0U);
}

TEST_F(CompatTracker, TellsArgumentsAndOutputs) {
    const ttnn::Tensor a = made(ttnn::Shape({64, 32}));
    const Pushed pushed(telling_);
    std::optional<ttnn::Tensor> sum = ttnn::add(a, a);
    const Buffer* const buffer = telling_->last_allocated;
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(buffer->address(), sum->buffer()->address());
    EXPECT_EQ(buffer->unique_id(), sum->buffer()->unique_id());
    EXPECT_EQ(buffer->page_size(), 2048U);
    EXPECT_EQ(buffer->buffer_type(), BufferType::L1);
    EXPECT_EQ(buffer->aligned_size_per_bank(), 2048U);
    EXPECT_FALSE(buffer->num_cores().has_value());
    sum.reset();
    EXPECT_EQ(telling_->last_freed, buffer);
    ASSERT_GE(telling_->calls.size(), 8U);
    EXPECT_EQ(telling_->calls[0], "begin BinaryNgDeviceOperation listed 2048 listed 2048");
    EXPECT_EQ(telling_->calls[1], "begin tt::tt_metal::create_device_tensor");
    EXPECT_EQ(telling_->calls[2].rfind("allocate 4096 at ", 0), 0U);
    EXPECT_EQ(telling_->calls[3], "end with 2048");
    EXPECT_EQ(telling_->calls[4], "program of 3");
    EXPECT_EQ(telling_->calls[5], "circular buffer 4096");
    EXPECT_NE(std::ranges::find(telling_->calls, "end with 2048"), telling_->calls.end());
    EXPECT_EQ(telling_->calls.at(telling_->calls.size() - 3), "begin Tensor::deallocate");
    EXPECT_EQ(telling_->calls.at(telling_->calls.size() - 2).rfind("free 4096 at ", 0), 0U);
    EXPECT_EQ(telling_->calls.back(), "end");
    ASSERT_GE(telling_->texts.size(), 2U);
    EXPECT_NE(telling_->texts[1].find("Tensor(storage=DeviceStorage(),tensor_spec="), std::string::npos);
}

TEST_F(CompatTracker, TellsMemoryOfPlannedProgramsAsTtnnDoes) {
    const ttnn::Tensor a = made(ttnn::Shape({64, 32}));
    ScopedGraphCapture capture(Mode::NO_DISPATCH);
    const Pushed pushed(telling_);
    ttnn::add(a, a);
    ttnn::relu(a);
    EXPECT_EQ(std::ranges::count(telling_->calls, "program of 3"), 1);
    EXPECT_EQ(std::ranges::count(telling_->calls, "dataflow buffer 4096"), 2);
    EXPECT_EQ(telling_->lowest, 0U);
    for (const std::string& call : telling_->calls)
        EXPECT_NE(call.rfind("circular", 0), 0U) << call;
}

TEST_F(CompatTracker, EndsWhatIsAborted) {
    const ttnn::Tensor bytes =
        ttnn::create_device_tensor(spec_of(ttnn::Shape({32, 32}), ttnn::DataType::UINT8), device_.get());
    const Pushed pushed(telling_);
    EXPECT_THROW(ttnn::softmax(bytes, -1), std::runtime_error);
    EXPECT_EQ(std::ranges::count(telling_->calls, "abort"), 1);
    ttnn::relu(made(ttnn::Shape({32, 32})));
    int depth = 0;
    for (const std::string& call : telling_->calls)
        depth += call.rfind("begin", 0) == 0 ? 1 : call.rfind("end", 0) == 0 || call == "abort" ? -1 : 0;
    EXPECT_EQ(depth, 0);
}

TEST_F(CompatTracker, TakesFunctionsOfClients) {
    ScopedGraphCapture capture(Mode::NORMAL);
    ttnn::Tensor x = made(ttnn::Shape({32, 64}));
    {
        const Pushed pushed(telling_);
        auto& tracker = GraphTracker::instance();
        EXPECT_TRUE(tracker.is_enabled());
        const int factor = 3;
        tracker.track_function_start("mine", std::as_const(x), factor);
        {
            internal::ScopedTrackedFunction inner("inner");
            const Pushed late(std::make_shared<Telling>());
            EXPECT_THROW(
                {
                    internal::ScopedTrackedFunction thrown("thrown");
                    throw std::runtime_error("out");
                },
                std::runtime_error);
            inner.end(x);
        }
        tracker.track_function_end(x);
        tracker.track_function_start("left open");
        internal::unwind_open_functions("no end");
    }
    EXPECT_EQ(telling_->calls, (Calls{"begin mine tensor 2048", "begin inner", "begin thrown", "abort",
                                      "end with 2048", "end with 2048", "begin left open", "unwind"}));
    EXPECT_EQ(telling_->texts.at(1), "3");
    const json trace = capture.end_graph_capture();
    EXPECT_EQ(ttnn::graph::extract_calltrace(trace),
              (Calls{"tt::tt_metal::create_device_tensor", "mine", "inner", "thrown", "left open"}));
    Calls ends;
    for (const json& node : trace)
        if (node.at("node_type") == "function_end")
            ends.push_back(node.at("params").at("name").get<std::string>() +
                           (node.at("params").contains("aborted") ? " aborted" : ""));
    EXPECT_EQ(ends, (Calls{"tt::tt_metal::create_device_tensor", "thrown aborted", "inner", "mine",
                           "left open aborted"}));
    EXPECT_FALSE(GraphTracker::instance().is_heard());
}

TEST_F(CompatTracker, IsOfAThread) {
    const auto run = [&](const std::shared_ptr<Telling>& processor, int count) {
        const ttnn::Tensor x = made(ttnn::Shape({32, 32}));
        ScopedGraphCapture capture(Mode::NORMAL);
        const Pushed pushed(processor);
        for (int i = 0; i < count; ++i)
            ttnn::relu(x);
        return ttnn::graph::extract_calltrace(capture.end_graph_capture()).size();
    };
    const auto first = std::make_shared<Telling>();
    const auto second = std::make_shared<Telling>();
    std::size_t calls_of_first = 0, calls_of_second = 0;
    std::thread one([&] { calls_of_first = run(first, 20); });
    std::thread two([&] { calls_of_second = run(second, 40); });
    ttnn::relu(made(ttnn::Shape({32, 32})));
    one.join();
    two.join();
    EXPECT_EQ(calls_of_second, 2 * calls_of_first);
    EXPECT_EQ(second->calls.size(), 2 * first->calls.size());
    EXPECT_EQ(std::ranges::count(first->calls, "begin UnaryDeviceOperation listed 1024"), 20);
    EXPECT_TRUE(telling_->calls.empty());
}

TEST_F(CompatTracker, PushesAndPopsBesideOtherThreads) {
    std::atomic<bool> stop{false};
    std::thread pushing([&] {
        auto& tracker = GraphTracker::instance();
        while (!stop.load()) {
            tracker.push_processor(std::make_shared<Telling>());
            tracker.pop_processor();
        }
    });
    const Pushed pushed(telling_);
    for (int i = 0; i < 200; ++i) {
        GraphTracker::instance().track_function_start("op");
        GraphTracker::instance().track_function_end();
    }
    stop.store(true);
    pushing.join();
    EXPECT_EQ(std::ranges::count(telling_->calls, "begin op"), 200);
    EXPECT_EQ(std::ranges::count(telling_->calls, "end"), 200);
}

TEST_F(CompatTracker, PassesOnWhatAProcessorThrows) {
    const ttnn::Tensor x = made(ttnn::Shape({32, 32}));
    for (const char* where :
         {"begin UnaryDeviceOperation listed 1024", "begin tt::tt_metal::create_device_tensor", "allocate",
          "program", "end with", "free"}) {
        const auto throwing = std::make_shared<Telling>();
        throwing->on_call = [where](const std::string& call) {
            if (call.rfind(where, 0) == 0) throw std::domain_error("a processor's own");
        };
        ScopedGraphCapture capture(Mode::NORMAL);
        {
            const Pushed pushed(throwing);
            if (std::string(where) == "free")
                ttnn::relu(x);  // what it frees is freed by a destructor, in no function
            else
                EXPECT_THROW(ttnn::relu(x), std::domain_error) << where;
        }
        ttnn::relu(x);
        const json trace = capture.end_graph_capture();
        int depth = 0;
        for (const json& node : trace) {
            depth += node.at("node_type") == "function_start" ? 1 : 0;
            depth -= node.at("node_type") == "function_end" ? 1 : 0;
        }
        EXPECT_EQ(depth, 0) << where;
    }
    EXPECT_EQ(ttnn::reports::get_buffers({device_.get()}).size(), 1U);  // nothing is left of what failed
}

TEST_F(CompatTracker, PassesOnWhatIsThrownAtAFreeWithinAFunction) {
    telling_->on_call = [](const std::string& call) {
        if (call.rfind("free", 0) == 0) throw std::domain_error("a processor's own");
    };
    ttnn::Tensor x = made(ttnn::Shape({32, 32}));
    const Pushed pushed(telling_);
    EXPECT_THROW(ttnn::deallocate(x), std::domain_error);
    EXPECT_FALSE(x.is_allocated());
}

TEST_F(CompatTracker, LetsProcessorsPushPopAndCall) {
    const ttnn::Tensor x = made(ttnn::Shape({32, 32}));
    const auto inner = std::make_shared<Telling>();
    bool once = true;
    telling_->on_call = [&](const std::string& call) {
        if (!once || call.rfind("begin UnaryDeviceOperation", 0) != 0) return;
        once = false;
        GraphTracker::instance().push_processor(inner);
        ScopedGraphCapture capture(Mode::NO_DISPATCH);
        ttnn::add(x, x);
        EXPECT_FALSE(ttnn::graph::extract_calltrace(capture.end_graph_capture()).empty());
    };
    GraphTracker::instance().push_processor(telling_);
    ttnn::relu(x);
    EXPECT_EQ(GraphTracker::instance().get_processors().size(), 2U);
    GraphTracker::instance().pop_processor();
    GraphTracker::instance().pop_processor();
    EXPECT_FALSE(inner->calls.empty());
    EXPECT_THROW(GraphTracker::instance().pop_processor(), std::runtime_error);
    EXPECT_THROW(GraphTracker::instance().push_processor(nullptr), std::runtime_error);
}

TEST_F(CompatTracker, ForgetsAProcessorThatGoes) {
    const ttnn::Tensor x = made(ttnn::Shape({32, 32}));
    {
        Telling short_lived;
        GraphTracker::instance().push_processor(std::shared_ptr<IGraphProcessor>(&short_lived, [](auto*) {}));
        ttnn::relu(x);
        EXPECT_FALSE(short_lived.calls.empty());
    }
    EXPECT_TRUE(GraphTracker::instance().get_processors().empty());
    ttnn::relu(x);
    {
        GraphProcessor capture(Mode::NO_DISPATCH);
        GraphTracker::instance().push_processor(std::shared_ptr<IGraphProcessor>(&capture, [](auto*) {}));
        ttnn::relu(x);
    }
    EXPECT_TRUE(GraphTracker::instance().get_processors().empty());
    EXPECT_FALSE(ttnn::graph::is_graph_capture_active());
    EXPECT_TRUE(ttnn::relu(x).is_allocated());
}

TEST_F(CompatTracker, CapturesInObjects) {
    const ttnn::Tensor x = made(ttnn::Shape({32, 32}));
    const auto outer = std::make_shared<GraphProcessor>(Mode::NORMAL);
    const auto inner = std::make_shared<GraphProcessor>(Mode::NORMAL);
    ttnn::add(x, x);  // neither is pushed
    auto& tracker = GraphTracker::instance();
    tracker.push_processor(outer);
    ttnn::relu(x);
    tracker.push_processor(inner);
    ttnn::relu(x);
    EXPECT_TRUE(GraphProcessor::has_active_instance());
    EXPECT_EQ(GraphProcessor::end_graph_capture().size(), inner->end_capture().size());
    ttnn::relu(x);
    tracker.pop_processor();
    ttnn::relu(x);
    EXPECT_FALSE(GraphProcessor::has_active_instance());
    const auto count = [](const json& trace) {
        const Calls calls = ttnn::graph::extract_calltrace(trace);
        return std::ranges::count(calls, "UnaryDeviceOperation");
    };
    EXPECT_EQ(count(outer->end_capture()), 3);
    EXPECT_EQ(count(inner->end_capture()), 1);
    outer->begin_capture(Mode::NORMAL);
    EXPECT_EQ(outer->end_capture().size(), 2U);  // its begin and its end
    GraphProcessor unpushed(Mode::NORMAL);
    ttnn::relu(x);
    EXPECT_EQ(unpushed.end_capture().size(), 2U);
    EXPECT_THROW((void)GraphProcessor::end_graph_capture(), std::runtime_error);
    // A processor of a client's own ends as it likes.
    tracker.push_processor(telling_);
    ttnn::relu(x);
    EXPECT_EQ(GraphProcessor::end_graph_capture(), json(telling_->calls));
    EXPECT_TRUE(tracker.get_processors().empty());
}

TEST_F(CompatTracker, WritesReports) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "compat_tracker_reports";
    std::filesystem::remove_all(folder);
    const ttnn::Tensor x = made(ttnn::Shape({32, 32}));
    {
        ScopedGraphCapture capture(Mode::NORMAL, folder / "scope.json");
        ttnn::relu(x);
    }
    GraphProcessor::begin_graph_capture(Mode::NORMAL);
    ttnn::relu(x);
    EXPECT_THROW((void)GraphProcessor::end_graph_capture_to_file("/dev/null/no.json"), std::runtime_error);
    const json trace = GraphProcessor::end_graph_capture_to_file(folder / "static.json");
    for (const char* name : {"scope.json", "static.json"}) {
        std::ifstream file(folder / name);
        const json report = json::parse(file);
        EXPECT_EQ(report.at("graph").size(), trace.size()) << name;
    }
    EXPECT_THROW(ScopedGraphCapture(Mode::NORMAL, "/dev/null/no.json"), std::runtime_error);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tt::tt_metal
