// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Captures as TT-NN's clients make them. What is asserted is what TT-NN's own tests of captures assert (test_graph_basic,
// test_graph_add, test_levelized_graph, test_graph_capture_arguments_*), where no kernel's values are needed.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tt-metalium/graph_tracking.hpp"
#include "tt-metalium/mesh_device.hpp"
#include "ttnn/core.hpp"
#include "ttnn/device.hpp"
#include "ttnn/graph/graph_consts.hpp"
#include "ttnn/graph/graph_operation_queries.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/graph/graph_trace_utils.hpp"
#include "ttnn/graph/levelized_graph.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/data_movement/permute/permute.hpp"
#include "ttnn/operations/data_movement/transpose/transpose.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/moreh/moreh_dot/moreh_dot.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/reduction/generic/generic_reductions.hpp"
#include "ttnn/reports.hpp"

namespace ttnn::graph {
namespace {

using nlohmann::json;
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::NdShardSpec;
using tt::tt_metal::ShardOrientation;
using Mode = tt::tt_metal::IGraphProcessor::RunMode;
using Names = std::vector<std::string>;

std::vector<json> nodes_of(const json& trace, const std::string& kind) {
    std::vector<json> nodes;
    for (const json& node : trace)
        if (node.at(kNodeType) == kind) nodes.push_back(node);
    return nodes;
}

tt::tt_metal::TensorSpec spec_of(const ttnn::Shape& shape,
                                 const MemoryConfig& config = ttnn::L1_MEMORY_CONFIG,
                                 ttnn::DataType dtype = ttnn::DataType::BFLOAT16,
                                 ttnn::Layout layout = ttnn::Layout::TILE) {
    return {shape, tt::tt_metal::TensorLayout(dtype, tt::tt_metal::PageConfig(layout), config)};
}

class CompatGraph : public testing::Test {
protected:
    ttnn::Tensor made(const tt::tt_metal::TensorSpec& spec) const {
        return ttnn::create_device_tensor(spec, device_.get());
    }
    ttnn::Tensor made(const ttnn::Shape& shape) const { return made(spec_of(shape)); }

    const std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0);
};

class CompatGraphInMode : public CompatGraph, public testing::WithParamInterface<Mode> {};

INSTANTIATE_TEST_SUITE_P(Modes, CompatGraphInMode, testing::Values(Mode::NO_DISPATCH, Mode::NORMAL),
                         [](const auto& mode) {
                             return mode.param == Mode::NORMAL ? "NORMAL" : "NO_DISPATCH";
                         });

// test_graph_basic

TEST_P(CompatGraphInMode, HasABufferForEachTensor) {
    const ttnn::Shape small({1, 1, 32, 32});
    const ttnn::Shape large({32, 1, 32, 32});
    GraphProcessor::begin_graph_capture(GetParam());
    { const ttnn::Tensor a = made(small); }
    {
        const ttnn::Tensor a = made(small);
        const ttnn::Tensor b = made(large);
    }
    const json trace = GraphProcessor::end_graph_capture();

    std::set<int> buffers;
    for (const json& node : nodes_of(trace, kNodeBufferAllocate)) {
        ASSERT_EQ(node.at(kConnections).size(), 1U);
        buffers.insert(node.at(kConnections)[0].get<int>());
    }
    EXPECT_EQ(buffers.size(), 3U);
    const auto nodes = nodes_of(trace, kNodeBuffer);
    ASSERT_EQ(nodes.size(), 3U);
    EXPECT_EQ(nodes[0].at(kParams).at(kSize), small.volume() * 2);
    EXPECT_EQ(nodes[1].at(kParams).at(kSize), small.volume() * 2);
    EXPECT_EQ(nodes[2].at(kParams).at(kSize), large.volume() * 2);
    EXPECT_EQ(nodes_of(trace, kNodeBufferDeallocate).size(), 3U);
}

TEST_F(CompatGraph, ScopesSurviveExceptions) {
    const auto softmax_of = [&](ttnn::DataType dtype) {
        const ttnn::Tensor input =
            made(spec_of(ttnn::Shape({1, 4, 512, 512}), ttnn::L1_MEMORY_CONFIG, dtype));
        const ttnn::Tensor output = ttnn::softmax(input, -1);
    };
    json reference;
    {
        ScopedGraphCapture capture(Mode::NO_DISPATCH);
        softmax_of(ttnn::DataType::BFLOAT16);
        reference = capture.end_graph_capture();
    }
    const Names calls = extract_calltrace(reference);
    EXPECT_EQ(calls, (Names{"tt::tt_metal::create_device_tensor", "SoftmaxDeviceOperation",
                            "tt::tt_metal::create_device_tensor", "Tensor::reshape", "Tensor::deallocate",
                            "Tensor::deallocate"}));
    {
        auto capture = ScopedGraphCapture(Mode::NO_DISPATCH);
        try {
            auto inner = ScopedGraphCapture(Mode::NO_DISPATCH);
            softmax_of(ttnn::DataType::BFLOAT16);
            throw std::runtime_error("Expected");
        } catch (const std::exception& error) {
            EXPECT_STREQ(error.what(), "Expected");
        }
        EXPECT_EQ(extract_calltrace(capture.end_graph_capture()), calls);
    }
    {
        auto capture = ScopedGraphCapture(Mode::NO_DISPATCH);
        try {
            auto inner = ScopedGraphCapture(Mode::NO_DISPATCH);
            softmax_of(ttnn::DataType::UINT8);  // which softmax refuses
            ADD_FAILURE() << "expected a refusal";
        } catch (const std::exception& error) {
            EXPECT_NE(std::string(error.what()).find("TT_FATAL @ "), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("\ninfo:\n"), std::string::npos) << error.what();
        }
        const Names refused = extract_calltrace(capture.end_graph_capture());
        ASSERT_GE(refused.size(), 2U);
        EXPECT_EQ(refused[0], "tt::tt_metal::create_device_tensor");
        EXPECT_EQ(refused[1], "SoftmaxDeviceOperation");
    }
    ScopedGraphCapture capture(Mode::NO_DISPATCH);
    softmax_of(ttnn::DataType::BFLOAT16);
    const json again = capture.end_graph_capture();
    ASSERT_EQ(again.size(), reference.size());
    for (std::size_t i = 0; i < again.size(); ++i)
        for (const char* key : {kCounter, kConnections, kNodeType})
            EXPECT_EQ(again[i].at(key), reference[i].at(key)) << i;
    EXPECT_THROW((void)capture.end_graph_capture(), std::runtime_error);
}

TEST_P(CompatGraphInMode, HasDurations) {
    ScopedGraphCapture capture(GetParam());
    const ttnn::Tensor output = ttnn::softmax(made(ttnn::Shape({1, 4, 512, 512})), -1);
    const json trace = capture.end_graph_capture();
    EXPECT_EQ(trace[0].at(kNodeType), kNodeCaptureStart);
    const auto ends = nodes_of(trace, kNodeFunctionEnd);
    EXPECT_FALSE(nodes_of(trace, kNodeFunctionStart).empty());
    EXPECT_TRUE(std::ranges::any_of(ends, [](const json& end) { return end.contains(kDurationNs); }));
    EXPECT_TRUE(trace.back().contains(kDurationNs));
    EXPECT_EQ(trace.back().at(kNodeType), kNodeCaptureEnd);
}

TEST_P(CompatGraphInMode, TellsAllOfATensor) {
    ScopedGraphCapture capture(GetParam());
    const ttnn::Tensor input = made(ttnn::Shape({1, 1, 32, 32}));
    const json trace = capture.end_graph_capture();
    const auto tensors = nodes_of(trace, kNodeTensor);
    ASSERT_FALSE(tensors.empty());
    const json& params = tensors.front().at(kParams);
    EXPECT_EQ(params.at(kShape), "Shape([1, 1, 32, 32])");
    EXPECT_EQ(params.at(kDtype), "DataType::BFLOAT16");
    EXPECT_EQ(params.at(kLayout), "Layout::TILE");
    EXPECT_TRUE(params.at(kMemoryConfig).is_string());
    for (const char* key : {kTensorId, kDeviceId, kAddress, kBufferType})
        EXPECT_TRUE(params.contains(key)) << key;
}

TEST_F(CompatGraph, GivesItsReportWhileItIsOpen) {
    ScopedGraphCapture capture(Mode::NO_DISPATCH);
    const ttnn::Tensor input = made(ttnn::Shape({1, 1, 32, 32}));
    const json report = capture.get_report();
    EXPECT_EQ(report.at(kReportVersion), kCurrentReportVersion);
    EXPECT_GT(report.at(kReportGraph).size(), 3U);
    ASSERT_EQ(report.at(kReportDevices).size(), 1U);
    EXPECT_GT(report.at(kReportMetadata).at(kReportTimestampNs).get<std::uint64_t>(), 0U);
    for (const char* key :
         {kDeviceNumComputeCores, kDeviceWorkerL1Size, kDeviceCbLimit, kDeviceTotalL1Memory})
        EXPECT_TRUE(report.at(kReportDevices)[0].contains(key)) << key;
    EXPECT_GT(capture.end_graph_capture().size(), 3U);
}

TEST_P(CompatGraphInMode, HasStacksWhereTheyAreWanted) {
    const auto has_stacks = [&] {
        ScopedGraphCapture capture(GetParam());
        const ttnn::Tensor input = made(ttnn::Shape({1, 1, 32, 32}));
        return std::ranges::any_of(capture.end_graph_capture(), [](const json& node) {
            return node.contains(kStackTrace) && !node.at(kStackTrace).empty();
        });
    };
    EXPECT_FALSE(has_stacks());
    GraphProcessor::enable_stack_traces();
    EXPECT_TRUE(GraphProcessor::is_stack_trace_enabled());
    EXPECT_TRUE(has_stacks());
    GraphProcessor::disable_stack_traces();
    EXPECT_FALSE(GraphProcessor::is_stack_trace_enabled());
}

TEST_F(CompatGraph, HasPagesWhereTheyAreWanted) {
    EXPECT_FALSE(GraphProcessor::is_detailed_buffer_tracing_enabled());
    GraphProcessor::enable_detailed_buffer_tracing();
    EXPECT_TRUE(GraphProcessor::is_buffer_pages_enabled());
    json report;
    {
        GraphProcessor processor(Mode::NORMAL);
        const std::shared_ptr<GraphProcessor> pushed(&processor, [](GraphProcessor*) {});
        tt::tt_metal::GraphTracker::instance().push_processor(pushed);
        const ttnn::Tensor input = made(ttnn::Shape({1, 1, 64, 96}));
        report = processor.get_report();
        const auto pages = ttnn::reports::get_buffer_pages({device_.get()});
        ASSERT_EQ(pages.size(), 6U);
        ASSERT_EQ(report.at("buffer_pages").size(), 6U);
        for (std::size_t i = 0; i < pages.size(); ++i) {
            EXPECT_EQ(report.at("buffer_pages")[i].at("page_address"), pages[i].page_address);
            EXPECT_EQ(report.at("buffer_pages")[i].at("core_x"), pages[i].core_x);
            EXPECT_EQ(report.at("buffer_pages")[i].at("bank_id"), pages[i].bank_id);
        }
        const auto buffers = ttnn::reports::get_buffers({device_.get()});
        ASSERT_EQ(buffers.size(), 1U);
        EXPECT_EQ(buffers[0].address, input.buffer()->address());
        tt::tt_metal::GraphTracker::instance().pop_processor();
    }
    GraphProcessor::disable_detailed_buffer_tracing();
    EXPECT_FALSE(GraphProcessor::is_buffer_pages_enabled());
    EXPECT_EQ(report.at("buffer_pages_by_address").size(), 1U);
    EXPECT_GT(ttnn::reports::get_device_info(device_.get()).cb_limit, 1000000U);
}

TEST_F(CompatGraph, TakesErrorsOfClients) {
    ScopedGraphCapture capture(Mode::NO_DISPATCH);
    const ttnn::Tensor input = made(ttnn::Shape({1, 1, 32, 32}));
    GraphProcessor::track_error("TestError", "a message", "an operation");
    const auto errors = nodes_of(capture.end_graph_capture(), kNodeError);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].at(kParams).at(kErrorType), "TestError");
    EXPECT_EQ(errors[0].at(kParams).at(kErrorMessage), "a message");
    EXPECT_EQ(errors[0].at(kParams).at(kErrorOperation), "an operation");
}

// test_graph_add

struct AddCase {
    const char* name;
    ttnn::Shape a, b;
    MemoryConfig config;
    std::uint32_t peak_l1, cb_peak, l1_per_core;
    TensorInfo output;

    friend void PrintTo(const AddCase& add, std::ostream* out) { *out << add.name; }
};

class CompatGraphOfAdd : public CompatGraph, public testing::WithParamInterface<AddCase> {};

TEST_P(CompatGraphOfAdd, IsAsTtnnExpects) {
    const AddCase& expected = GetParam();
    const auto zeros = [&](const ttnn::Shape& shape) {
        return ttnn::zeros(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, *device_, expected.config);
    };
    const ttnn::Tensor a = zeros(expected.a);
    const ttnn::Tensor b = zeros(expected.b);
    const auto call = [&] { return ttnn::add(a, b); };

    const json trace = query_trace(call);
    EXPECT_EQ(extract_calltrace(trace),
              (Names{"BinaryNgDeviceOperation", "tt::tt_metal::create_device_tensor", "Tensor::deallocate"}));
    EXPECT_EQ(extract_peak_L1_memory_usage(trace), expected.peak_l1);
    EXPECT_EQ(extract_output_tensors(trace).size(), 1U);
    EXPECT_EQ(count_intermediate_and_output_tensors(trace), std::pair(0U, 1U));
    const PeakMemoryUsagePerCore peak = extract_resource_usage_per_core(trace);
    EXPECT_EQ(peak.peak_cb, expected.cb_peak);
    EXPECT_EQ(peak.peak_l1, expected.l1_per_core);
    EXPECT_EQ(peak.peak_total, expected.cb_peak + expected.l1_per_core);
    EXPECT_EQ(extract_circular_buffers_peak_size_per_core(trace), expected.cb_peak);
    EXPECT_EQ(extract_l1_buffer_allocation_peak_size_per_core(trace), expected.l1_per_core);
    EXPECT_EQ(extract_peak_memory_usage(trace, 64), peak.peak_total);
    EXPECT_EQ(extract_l1_output_buffer_allocation_size_per_core(call()), expected.l1_per_core);
    EXPECT_EQ(extract_dram_usage(trace).total_allocations, 0);

    EXPECT_EQ(query_peak_L1_memory_usage(call), expected.peak_l1);
    EXPECT_EQ(query_output_info(call), std::vector{expected.output});
}

constexpr std::uint32_t kSharded = 2 * 3 * 1024 * 1024;

INSTANTIATE_TEST_SUITE_P(
    Shapes, CompatGraphOfAdd,
    testing::Values(
        AddCase{"one_tile_each",
                ttnn::Shape({1, 3, 32, 32}),
                ttnn::Shape({1, 3, 32, 32}),
                ttnn::L1_MEMORY_CONFIG,
                30720,
                3 * 4096,
                2048,
                {ttnn::Shape({1, 3, 32, 32}), 6144, tt::tt_metal::BufferType::L1}},
        AddCase{"broadcast",
                ttnn::Shape({4, 3, 32, 32}),
                ttnn::Shape({1, 3, 32, 32}),
                ttnn::L1_MEMORY_CONFIG,
                67584,
                3 * 4096,
                2048,
                {ttnn::Shape({4, 3, 32, 32}), 24576, tt::tt_metal::BufferType::L1}},
        AddCase{
            "sharded",
            ttnn::Shape({3, 1, 1024, 1024}),
            ttnn::Shape({3, 1, 1024, 1024}),
            MemoryConfig(tt::tt_metal::TensorMemoryLayout::HEIGHT_SHARDED, tt::tt_metal::BufferType::L1,
                         tt::tt_metal::ShardSpec(CoreRangeSet(CoreRange(CoreCoord{0, 0}, CoreCoord{3, 3})),
                                                 {192, 1024}, ShardOrientation::COL_MAJOR)),
            20054016,
            0,
            kSharded / 16,
            {ttnn::Shape({3, 1, 1024, 1024}), kSharded, tt::tt_metal::BufferType::L1}}),
    [](const auto& add) { return std::string(add.param.name); });

TEST_F(CompatGraph, CountsDram) {
    const json trace = query_trace([&] {
        const ttnn::Tensor a = made(spec_of(ttnn::Shape({1, 1, 64, 32}), ttnn::DRAM_MEMORY_CONFIG));
        { const ttnn::Tensor sum = ttnn::add(a, a); }
        return ttnn::add(a, a);
    });
    const DRAMUsage usage = extract_dram_usage(trace);
    EXPECT_EQ(usage.peak, 2 * 4096);
    EXPECT_EQ(usage.total_allocations, 3 * 4096);
    EXPECT_EQ(usage.total_deallocations, 3 * 4096);
    EXPECT_THROW((void)extract_l1_output_buffer_allocation_size_per_core(
                     made(spec_of(ttnn::Shape({1, 1, 64, 32}), ttnn::DRAM_MEMORY_CONFIG))),
                 std::runtime_error);
    EXPECT_THROW((void)extract_dram_usage(json::array({1, 2})), std::runtime_error);
    EXPECT_THROW((void)extract_calltrace(json("text")), std::runtime_error);
}

// test_levelized_graph

using Vertex = LevelizedGraph::Vertex;

std::vector<Vertex> named(const LevelizedGraph& graph, const std::string& part) {
    std::vector<Vertex> vertices;
    for (const Vertex& vertex : graph.vertices())
        if (vertex.name.find(part) != std::string::npos) vertices.push_back(vertex);
    return vertices;
}

class CompatLevelizedGraph : public CompatGraph {
protected:
    // The levels hold for whatever is called.
    template <typename Call>
    LevelizedGraph levelized(const Call& call) {
        ScopedGraphCapture capture(Mode::NO_DISPATCH);
        call();
        const json trace = capture.end_graph_capture();
        LevelizedGraph two(trace, 2);
        for (const Vertex& vertex : two.vertices()) {
            EXPECT_LE(vertex.stacking_level, 2U);
            EXPECT_TRUE(!vertex.output_shape.empty() || vertex.name.find("deallocate") != std::string::npos)
                << vertex.name;
        }
        for (const Vertex& vertex : two.get_vertices_at_level(2))
            EXPECT_TRUE(vertex.internals.empty());
        LevelizedGraph one(trace);
        for (const Vertex& vertex : one.vertices()) {
            EXPECT_EQ(vertex.stacking_level, 1U);
            EXPECT_TRUE(vertex.internals.empty());
        }
        EXPECT_EQ(one.to_json(), extract_levelized_graph(trace, 1));
        EXPECT_EQ(two.to_json(), extract_levelized_graph(trace, 2));
        return one;
    }
};

TEST_F(CompatLevelizedGraph, OfOneOperation) {
    const ttnn::Tensor input = made(ttnn::Shape({64, 128}));
    for (const auto& call : {+[](const ttnn::Tensor& x) { return ttnn::add(x, x); },
                             +[](const ttnn::Tensor& x) { return ttnn::multiply(x, x); }}) {
        const LevelizedGraph graph = levelized([&] { call(input); });
        const auto binary = named(graph, "BinaryNg");
        ASSERT_EQ(binary.size(), 1U);
        EXPECT_EQ(binary[0].in_edges.size(), 2U);  // each mention is a tensor of its own
        for (const auto edge : binary[0].in_edges)
            EXPECT_EQ(graph.get_vertex(edge).name.rfind("tensor", 0), 0U);
        EXPECT_TRUE(binary[0].out_edges.empty());
        EXPECT_EQ(binary[0].output_shape.at(0), "Shape([64, 128])");
        EXPECT_THROW((void)graph.get_vertex(graph.size()), std::runtime_error);
        EXPECT_FALSE(graph.is_valid_vertex(graph.size()));
    }
}

TEST_F(CompatLevelizedGraph, OfReductionsAndSoftmax) {
    const ttnn::Tensor input = made(ttnn::Shape({16, 32, 64}));
    const LevelizedGraph graph = levelized([&] { ttnn::softmax(ttnn::sum(input, 2, true), -1); });
    EXPECT_FALSE(named(graph, "Reduce").empty());
    EXPECT_FALSE(named(graph, "Softmax").empty());
    const auto tensors = named(graph, "tensor");
    ASSERT_FALSE(tensors.empty());
    EXPECT_EQ(tensors[0].output_shape.at(0), "Shape([16, 32, 64])");
    EXPECT_FALSE(tensors[0].out_edges.empty());
    EXPECT_TRUE(tensors[0].in_edges.empty());
}

TEST_F(CompatLevelizedGraph, OfMatmulAndSum) {
    const ttnn::Tensor input = made(ttnn::Shape({32, 32}));
    const LevelizedGraph graph = levelized([&] { ttnn::add(input, ttnn::matmul(input, input)); });
    const auto matmul = named(graph, "Matmul");
    const auto add = named(graph, "BinaryNg");
    ASSERT_EQ(matmul.size(), 1U);
    ASSERT_EQ(add.size(), 1U);
    EXPECT_LT(matmul[0].id, add[0].id);
}

TEST_F(CompatLevelizedGraph, KeepsTheOrderOfArguments) {
    const ttnn::Tensor a = made(ttnn::Shape({32, 64}));
    const ttnn::Tensor b = made(ttnn::Shape({32, 64}));
    ScopedGraphCapture capture(Mode::NO_DISPATCH);
    ttnn::subtract(a, b);
    ttnn::subtract(b, a);
    const json trace = capture.end_graph_capture();
    std::vector<std::vector<json>> inputs;
    for (const json& node : nodes_of(trace, kNodeFunctionStart)) {
        if (node.at(kParams).at(kName) != "BinaryNgDeviceOperation") continue;
        std::vector<json>& ids = inputs.emplace_back();
        for (const json& each : node.at(kInputTensors))
            ids.push_back(trace[each.get<std::size_t>()].at(kParams).at(kTensorId));
    }
    ASSERT_EQ(inputs.size(), 2U);
    EXPECT_EQ(inputs[0], (std::vector<json>{a.id(), b.id()}));
    EXPECT_EQ(inputs[1], (std::vector<json>{b.id(), a.id()}));
    EXPECT_EQ(get_valid_connections(trace[1], trace), get_connections(trace[1]));
}

// test_graph_capture_arguments_*

class CompatGraphArguments : public CompatGraph {
protected:
    template <typename Call>
    std::vector<OperationInfo> operations(const Call& call, Mode mode = Mode::NO_DISPATCH) {
        GraphProcessor::begin_graph_capture(mode);
        call();
        return extract_arguments(GraphProcessor::end_graph_capture());
    }
    static OperationInfo find(const std::vector<OperationInfo>& operations, const std::string& name) {
        const auto found = std::ranges::find(operations, name, &OperationInfo::operation_name);
        if (found == operations.end()) ADD_FAILURE() << name << " is not called";
        return found == operations.end() ? OperationInfo{name, Names(5)} : *found;
    }
    static OperationInfo output_of(const std::vector<OperationInfo>& all) {
        return find(all, "tt::tt_metal::create_device_tensor");
    }
    static bool has(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }
    static bool is_of_nd_shards(const std::string& text) {
        return has(text, "created_with_nd_shard_spec=1") && !has(text, "nd_shard_spec=std::nullopt");
    }
    ttnn::Tensor sharded(const ttnn::Shape& shape, const ttnn::Shape& shard, CoreCoord last = CoreCoord{0, 0},
                         tt::tt_metal::BufferType memory = tt::tt_metal::BufferType::L1,
                         ttnn::Layout layout = ttnn::Layout::TILE) {
        const CoreRangeSet cores(CoreRange(CoreCoord{0, 0}, last));
        return made(spec_of(shape,
                            MemoryConfig(memory, NdShardSpec{shard, cores, ShardOrientation::ROW_MAJOR}),
                            ttnn::DataType::BFLOAT16, layout));
    }
};

TEST_F(CompatGraphArguments, OfTranspose) {
    const ttnn::Tensor input = made(spec_of(ttnn::Shape({1, 1, 2048, 512}), ttnn::L1_MEMORY_CONFIG,
                                            ttnn::DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR));
    const auto all = operations([&] { ttnn::transpose(input, 1, 2); }, Mode::NORMAL);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all[0].operation_name, "PermuteDeviceOperation");
    ASSERT_EQ(all[0].arguments.size(), 2U);
    for (const char* part :
         {"SmallVector([0, 2, 1, 3])", "MemoryConfig(", "TensorMemoryLayout::INTERLEAVED", "BufferType::L1"})
        EXPECT_TRUE(has(all[0].arguments[0], part)) << part << " in " << all[0].arguments[0];
    for (const char* part : {"Tensor(", "Shape([1, 1, 2048, 512])", "DataType::BFLOAT16",
                             "RowMajorPageConfig", "DeviceStorage()"})
        EXPECT_TRUE(has(all[0].arguments[1], part)) << part << " in " << all[0].arguments[1];
    const OperationInfo output = output_of(all);
    ASSERT_EQ(output.arguments.size(), 5U);
    EXPECT_EQ(output.arguments[0], "Shape([1, 2048, 1, 512])");
    EXPECT_EQ(output.arguments[1], "DataType::BFLOAT16");
    EXPECT_EQ(output.arguments[2], "Layout::ROW_MAJOR");
}

TEST_F(CompatGraphArguments, OfMorehDot) {
    const ttnn::Tensor a = made(ttnn::Shape({1, 1, 1, 32}));
    const ttnn::Tensor b = made(ttnn::Shape({1, 1, 1, 32}));
    const auto all = operations(
        [&] { ttnn::moreh_dot(a, b, std::nullopt, ttnn::DataType::BFLOAT16, std::nullopt, std::nullopt); },
        Mode::NORMAL);
    ASSERT_GE(all.size(), 2U);
    EXPECT_EQ(all[0].operation_name, "MorehDotOperation");
    EXPECT_EQ(all[0].arguments.size(), 2U);
    ASSERT_EQ(all[1].operation_name, "tt::tt_metal::create_device_tensor");
    EXPECT_EQ(all[1].arguments.size(), 5U);
    EXPECT_EQ(all[1].arguments[0], "Shape([1, 1, 1, 1])");
    EXPECT_EQ(all[1].arguments[1], "DataType::BFLOAT16");
    EXPECT_EQ(all[1].arguments[2], "Layout::TILE");
}

}  // namespace
}  // namespace ttnn::graph
