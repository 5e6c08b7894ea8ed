// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/node_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "capture/graph/event_order.hpp"
#include "capture/graph/tensor_info_cache.hpp"

namespace tilemeter::graph {

namespace {

using record::BufferId;
using record::DeviceId;
using record::Event;
using record::EventKind;

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kNoFunction = kNoNode;
constexpr std::uint32_t kCaptureStartNode = 0;

class GraphBuilder {
public:
    explicit GraphBuilder(record::Recording recording) { graph_.recording = std::move(recording); }

    NodeGraph build() {
        add_node(NodeType::kCaptureStart, nullptr);
        order_ = order_of(graph_.recording);
        for (const Stretch& stretch : order_.stretches) {
            open_.clear();
            outputs_.clear();
            take(stretch);
        }
        // For functions that are not there, or nested too deep.
        while (!order_.of_contexts.empty()) {
            open_.clear();
            outputs_.clear();
            const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
            take_work_of(
                std::min_element(order_.of_contexts.begin(), order_.of_contexts.end(), by_id)->first);
        }
        open_.clear();
        const std::uint32_t end = add_node(NodeType::kCaptureEnd, nullptr);
        if (!link_latest_end_to(end)) connect(kCaptureStartNode, end);
        return finish();
    }

private:
    struct OpenFunction {
        std::uint32_t node;
        std::uint32_t function;
        std::size_t first_output;                  // in outputs_
        std::vector<std::uint64_t> contexts = {};  // handed over inside
    };

    void take(const Stretch& stretch) {
        graph_.recording.threads[stretch.thread].for_each(stretch.begin, stretch.end,
                                                          [this](const Event& event) { take(event); });
    }

    /// The work of other threads for the function that is open: its children.
    void take_work_of(std::uint64_t context) {
        const auto work = order_.of_contexts.find(context);
        if (work == order_.of_contexts.end()) return;
        constexpr int kMostNested = 256;
        if (nested_ == kMostNested) return;
        ++nested_;
        const std::vector<Stretch> stretches = std::move(work->second);
        order_.of_contexts.erase(work);
        const std::size_t outputs = outputs_.size();
        const std::size_t around = std::exchange(first_open_, open_.size());
        for (const Stretch& stretch : stretches) {
            take(stretch);
            open_.resize(first_open_);  // functions that a worker left open end with its stretch
            outputs_.resize(outputs);
        }
        first_open_ = around;
        --nested_;
    }

    void hand_over(std::uint64_t context) {
        if (open_.empty()) return take_work_of(context);
        open_.back().contexts.push_back(context);
    }

    std::uint32_t add_node(NodeType type, const Event* event) {
        if (graph_.nodes.size() == kNoNode)
            throw std::length_error("graph capture: more than 4294967294 nodes in one capture");
        graph_.nodes.push_back(
            {event, kNoFunction, static_cast<std::uint32_t>(open_.size()) & 0xffffffU, type});
        return static_cast<std::uint32_t>(graph_.nodes.size() - 1);
    }

    void connect(std::uint32_t source, std::uint32_t target) { graph_.connections.add(source, target); }

    std::uint32_t parent() const { return open_.empty() ? kCaptureStartNode : open_.back().node; }

    /// A node that is an event within the open function.
    std::uint32_t add_child(NodeType type, const Event& event) {
        const std::uint32_t node = add_node(type, &event);
        connect(parent(), node);
        return node;
    }

    bool link_latest_end_to(std::uint32_t node) {
        if (latest_end_ == kNoNode) return false;
        connect(std::exchange(latest_end_, kNoNode), node);
        return true;
    }

    void meet(DeviceId device) {
        auto& devices = graph_.devices;
        const auto place = std::lower_bound(devices.begin(), devices.end(), device);
        if (place == devices.end() || *place != device) devices.insert(place, device);
    }

    void take(const Event& event) {
        switch (event.kind) {
            case EventKind::kFunctionBegin:
                return begin_function(event);
            case EventKind::kFunctionEnd:
                return end_function(event);
            // Events that describe a function say nothing where the function itself is not in the window.
            case EventKind::kArgument:
                if (open_.empty()) return;
                graph_.arguments.add(open_.back().function,
                                     static_cast<std::uint32_t>(graph_.argument_events.size()));
                graph_.argument_events.push_back(&event);
                return;
            case EventKind::kInputTensor:
                if (!open_.empty()) add_input(event);
                return;
            case EventKind::kOutputTensor:
                if (!open_.empty()) outputs_.push_back(&event);
                return;
            case EventKind::kContextHandOver:
                return hand_over(event.id);
            case EventKind::kProgramSelected:
                if (!open_.empty()) graph_.functions[open_.back().function].program = &event;
                return;
            default:
                return take_leaf(event);
        }
    }

    void take_leaf(const Event& event) {
        switch (event.kind) {
            case EventKind::kBufferAllocate:
                return add_buffer_event(NodeType::kBufferAllocate, event);
            case EventKind::kBufferFree:
                return add_buffer_event(NodeType::kBufferDeallocate, event);
            case EventKind::kProgramBegin:
                meet(event.device);
                connect(add_child(NodeType::kCircularBufferDeallocateAll, event), parent());
                return;
            case EventKind::kCircularBuffer:
                return add_device_event(NodeType::kCircularBufferAllocate, event);
            case EventKind::kDataflowBuffer:
                return add_device_event(NodeType::kDataflowBufferAllocate, event);
            case EventKind::kScratchpad:
                return add_device_event(NodeType::kScratchpadAllocate, event);
            case EventKind::kSubDeviceManager:
                if (first_mention_of_manager(event)) add_device_event(NodeType::kSubDeviceManager, event);
                return;
            case EventKind::kProgramExecution:
                return add_device_event(NodeType::kProgramExecution, event);
            case EventKind::kBufferAlive:
                graph_.buffers_alive.push_back(&event);
                return;
            case EventKind::kError:
                add_child(NodeType::kError, event);
                return;
            default:
                return;  // kinds without a node in this dialect
        }
    }

    void begin_function(const Event& event) {
        const std::uint32_t above = parent();
        const auto function = static_cast<std::uint32_t>(graph_.functions.size());
        graph_.functions.push_back({&event});
        open_.push_back({kNoNode, function, outputs_.size()});
        const std::uint32_t node = add_node(NodeType::kFunctionStart, &event);
        open_.back().node = node;
        graph_.nodes[node].function = function;
        connect(above, node);
        link_latest_end_to(node);
    }

    void end_function(const Event& event) {
        if (open_.size() == first_open_) return;  // begun before the window, or before this work
        for (const std::uint64_t context : std::exchange(open_.back().contexts, {}))
            take_work_of(context);
        const OpenFunction ended = open_.back();
        const std::uint32_t node = add_node(NodeType::kFunctionEnd, &event);
        graph_.nodes[node].function = ended.function;
        connect(ended.node, node);
        latest_end_ = node;
        const auto level = static_cast<std::uint32_t>(open_.size());
        open_.pop_back();
        for (std::size_t i = ended.first_output; i < outputs_.size(); ++i) {
            const std::uint32_t tensor = add_tensor(*outputs_[i]);
            graph_.nodes[tensor].level = level & 0xffffffU;
            connect(node, tensor);
            link_to_buffer(*outputs_[i], tensor);
        }
        outputs_.resize(ended.first_output);
    }

    void add_input(const Event& event) {
        const std::uint32_t tensor = add_tensor(event);
        connect(tensor, open_.back().node);
        graph_.input_tensors.add(open_.back().function, tensor);
        link_to_buffer(event, tensor);
    }

    std::uint32_t add_tensor(const Event& event) {
        if (tensor_infos_.of(event.detail).on_device) meet(event.device);
        return add_node(NodeType::kTensor, &event);
    }

    /// A view shares the buffer, but TT-NN's graphs do not say so.
    void link_to_buffer(const Event& event, std::uint32_t tensor) {
        const Event::Payload::Tensor& mentioned = event.payload.tensor;
        if (mentioned.buffer != BufferId::kNone && mentioned.is_view == 0)
            connect(buffer_node(mentioned.buffer, event), tensor);
    }

    std::uint32_t buffer_node(BufferId buffer, const Event& mention) {
        const auto [entry, is_new] = buffers_.try_emplace(buffer, kNoNode);
        if (is_new) entry->second = add_child(NodeType::kBuffer, mention);
        return entry->second;
    }

    void add_buffer_event(NodeType type, const Event& event) {
        meet(event.device);
        const std::uint32_t buffer = buffer_node(static_cast<BufferId>(event.id), event);
        // Memory older than the capture, reported afterwards, is no allocation of this capture.
        if ((event.flags & record::kPreexisting) != 0) return;
        connect(add_child(type, event), buffer);
    }

    void add_device_event(NodeType type, const Event& event) {
        meet(event.device);
        add_child(type, event);
    }

    bool first_mention_of_manager(const Event& event) {
        const auto manager = std::pair(event.device, event.id);
        if (std::find(managers_.begin(), managers_.end(), manager) != managers_.end()) return false;
        managers_.push_back(manager);
        return true;
    }

    NodeGraph finish() {
        graph_.connections.close(graph_.nodes.size());
        graph_.input_tensors.close(graph_.functions.size());
        graph_.arguments.close(graph_.functions.size());
        const record::Recording& recording = graph_.recording;
        graph_.duration_ns = recording.conversion.to_ns(recording.end_ticks) -
                             recording.conversion.to_ns(recording.begin_ticks);
        return std::move(graph_);
    }

    NodeGraph graph_;
    EventOrder order_;
    TensorInfoCache tensor_infos_;
    std::vector<OpenFunction> open_;  // of the thread whose stretch is being read
    std::size_t first_open_ = 0;      // those above belong to the function that handed over its context
    int nested_ = 0;                  // contexts around what is being read
    std::vector<const Event*> outputs_;
    std::uint32_t latest_end_ = kNoNode;  // the latest function_end that has no successor yet
    std::unordered_map<BufferId, std::uint32_t> buffers_;
    std::vector<std::pair<DeviceId, std::uint64_t>> managers_;
};

}  // namespace

NodeGraph build_node_graph(record::Recording recording) {
    return GraphBuilder(std::move(recording)).build();
}

}  // namespace tilemeter::graph
