// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Time of every analysis against the number of nodes. Lists are those of a decoder's layers, as a capture
// from Python has them: an outer scope, the device operation, the output's allocation, circular buffers, a
// release.

#include <cstdint>
#include <map>
#include <string>

#include <benchmark/benchmark.h>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/timeline.hpp"
#include "report/analysis/gate/compare.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/nodes/node_list_builder.hpp"
#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/levelized_graph.hpp"
#include "report/analysis/ttnn/pretty_format.hpp"
#include "report/render/html_page.hpp"

namespace {

using namespace tilemeter::analysis;  // NOLINT(google-build-using-namespace)

class LayerMaker {
public:
    explicit LayerMaker(std::int64_t nodes) {
        add(NodeType::kCaptureStart, 0);
        while (size() + 20 < nodes)
            operation();
        add(NodeType::kCaptureEnd, 0);
        builder_.end().duration_ns = 1;
    }
    NodeList take() { return std::move(builder_.list); }

private:
    std::int64_t size() const { return static_cast<std::int64_t>(builder_.list.size()); }
    std::int64_t add(NodeType kind, std::int32_t level) {
        builder_.begin(kind, size(), level);
        return size() - 1;
    }
    TextRef text(std::string_view value) { return builder_.list.texts.intern(value); }

    std::int64_t start(const std::string& name, std::int32_t level, std::int64_t end) {
        const std::int64_t node = add(NodeType::kFunctionStart, level);
        builder_.connect(end);
        builder_.function().name = text(name);
        return node;
    }
    void end(const std::string& name, std::int32_t level, std::int64_t output) {
        add(NodeType::kFunctionEnd, level);
        if (output >= 0) builder_.connect(output);
        NodeList::End& row = builder_.end();
        row.name = text(name);
        row.duration_ns = 1000;
    }
    void tensor(std::int32_t level, std::int64_t id, std::int64_t consumer) {
        add(NodeType::kTensor, level);
        if (consumer >= 0) builder_.connect(consumer);
        NodeList::Tensor& row = builder_.tensor();
        row.tensor_id = id;
        row.shape = text("Shape([1, 1, 128, 1024])");
        row.dtype = text("DataType::BFLOAT16");
        row.layout = text("Layout::TILE");
        row.on_device = true;
    }
    void buffer(NodeType kind, std::int32_t level, std::int64_t target) {
        add(kind, level);
        builder_.connect(target);
        NodeList::Buffer& row = builder_.buffer();
        row.memory = MemoryType::kL1;
        row.type = text("L1");
        row.size_bytes = 262144;
        row.device = 1;
        if (kind == NodeType::kBuffer) return;
        row.size_per_bank_bytes = 4096;
        row.address = 1400000 - 4096 * (operation_ % 100);
    }

    // 16 nodes: ttnn.add > BinaryNgDeviceOperation > create_device_tensor, and the release of an older
    // buffer.
    void operation() {
        const std::string name = "ttnn.op" + std::to_string(operation_ % 20);
        const std::string device_name = "DeviceOperation" + std::to_string(operation_ % 20);
        const std::int64_t at = size();
        start(name, 1, at + 15);
        const std::int64_t device_start = start(device_name, 2, at + 13);
        builder_.add_argument("Tensor(storage=DeviceStorage(),tensor_spec=x)");
        builder_.add_argument("0x" + std::to_string(operation_ % 1000));
        builder_.add_input_tensor(at + 2);
        tensor(2, operation_, device_start);
        start("tt::tt_metal::create_device_tensor", 3, at + 6);
        buffer(NodeType::kBuffer, 3, at + 14);
        const std::int64_t buffer_node = at + 4;
        buffer(NodeType::kBufferAllocate, 3, buffer_node);
        end("tt::tt_metal::create_device_tensor", 3, at + 7);
        tensor(3, operation_ + 1, -1);
        add(NodeType::kCircularBufferDeallocateAll, 2);
        builder_.program_event().device = 1;
        for (int i = 0; i < 3; ++i) {
            add(NodeType::kCircularBufferAllocate, 2);
            NodeList::ProgramMemory& piece = builder_.program_memory(ProgramMemoryKind::kCircularBuffer);
            piece.size_bytes = 4096;
            piece.address = 105824 + 4096 * i;
            piece.shared_number = 0;
            piece.core_ranges = text("{[0-0 - 7-7]}");
        }
        if (previous_buffer_ >= 0)
            buffer(NodeType::kBufferDeallocate, 2, previous_buffer_);
        else
            add(NodeType::kSubDeviceManager, 2), builder_.program_event().device = 1;
        end(device_name, 2, at + 14);
        tensor(2, operation_ + 1, -1);
        end(name, 1, -1);
        previous_buffer_ = buffer_node;
        ++operation_;
    }

    NodeListBuilder builder_;
    std::int64_t operation_ = 0;
    std::int64_t previous_buffer_ = -1;
};

const NodeList& layers(std::int64_t nodes) {
    static std::map<std::int64_t, NodeList> lists;
    const auto known = lists.find(nodes);
    return known != lists.end() ? known->second
                                : lists.emplace(nodes, LayerMaker(nodes).take()).first->second;
}

template <class Analysis>
void run(benchmark::State& state, Analysis&& analysis) {
    const NodeList& list = layers(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(analysis(list));
    state.SetComplexityN(state.range(0));
    state.counters["nodes_per_second"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                            benchmark::Counter::kIsIterationInvariantRate);
}

#define TILEMETER_ANALYSIS_BENCH(name, call)                   \
    void name(benchmark::State& state) {                       \
        run(state, [](const NodeList& list) { return call; }); \
    }                                                          \
    BENCHMARK(name)                                            \
        ->Arg(10'000)                                          \
        ->Arg(100'000)                                         \
        ->Arg(1'000'000)                                       \
        ->Unit(benchmark::kMillisecond)                        \
        ->Complexity(benchmark::oN)

TILEMETER_ANALYSIS_BENCH(levelized_graph_level_1, extract_levelized_graph(list, 1));
TILEMETER_ANALYSIS_BENCH(levelized_graph_level_3, extract_levelized_graph(list, 3));
TILEMETER_ANALYSIS_BENCH(levelized_graph_joined, extract_levelized_graph(list, 2, Joining::kByTensor));
TILEMETER_ANALYSIS_BENCH(true_peak, find_peak(list));
TILEMETER_ANALYSIS_BENCH(peak_l1_as_ttnn, extract_peak_L1_memory_usage(list));
TILEMETER_ANALYSIS_BENCH(resource_usage_as_ttnn, extract_resource_usage_per_core(list));
TILEMETER_ANALYSIS_BENCH(calltrace, extract_calltrace(list));
TILEMETER_ANALYSIS_BENCH(operation_durations, extract_operation_durations(list));
TILEMETER_ANALYSIS_BENCH(pretty_format_as_ttnn, pretty_format(list));
TILEMETER_ANALYSIS_BENCH(tree, call_tree(list, find_lifetimes(list)));
TILEMETER_ANALYSIS_BENCH(timeline_rows, timeline(list, find_lifetimes(list)));
TILEMETER_ANALYSIS_BENCH(late_release, late_releases(list, find_lifetimes(list)));
TILEMETER_ANALYSIS_BENCH(configs, configurations(list, find_lifetimes(list)));
TILEMETER_ANALYSIS_BENCH(diff_with_itself, compare(list, list));
TILEMETER_ANALYSIS_BENCH(html, html_page(list, find_lifetimes(list), "x"));

}  // namespace
