// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <unordered_map>
#include <vector>

#include "capture/graph/node_graph.hpp"
#include "capture/graph/node_texts.hpp"
#include "capture/graph/older_buffers.hpp"
#include "capture/graph/open_functions.hpp"
#include "capture/graph/tensor_info_cache.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emitter.hpp"
#include "capture/record/text.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/nodes/node_list_builder.hpp"

namespace tilemeter::analysis {
namespace {

using record::Event;
using record::EventKind;

/// A damaged recording may say a number that is no memory.
MemoryType memory_of(MemoryType recorded) {
    return recorded <= MemoryType::kTrace ? recorded : MemoryType::kSystemMemory;
}

Number number(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}
Number number(record::DeviceId device) {
    return static_cast<std::int64_t>(device);
}

ListedDevice description_of(record::DeviceId id, const record::DeviceInfo& info) {
    ListedDevice device;
    device.id = static_cast<std::int64_t>(id);
    device.arch = info.arch;
    device.grid_x = number(info.num_x_compute_cores);
    device.grid_y = number(info.num_y_compute_cores);
    device.worker_l1_bytes = number(info.worker_l1_size);
    device.l1_banks = number(info.l1_num_banks);
    device.l1_bank_bytes = number(info.l1_bank_size);
    device.first_program_address = number(info.address_at_first_l1_cb_buffer);
    device.program_limit = number(info.cb_limit);
    device.dram_banks = number(info.num_dram_channels);
    device.dram_bank_bytes = number(info.dram_size_per_channel);
    return device;
}

class Conversion {
public:
    explicit Conversion(const graph::NodeGraph& graph) : graph_(graph) {}

    NodeList run() {
        list().nodes.reserve(graph_.nodes.size());
        for (std::uint32_t counter = 0; counter < graph_.nodes.size(); ++counter)
            append(counter);
        for (const record::DeviceId device : graph_.devices) {
            const auto info = record::device_info_of(device);
            if (!info) continue;
            list().devices.push_back(description_of(device, *info));
            for (const std::uint16_t chip : info->chips)
                list().chips.push_back({static_cast<std::int64_t>(device), chip});
        }
        for (const Event* event : graph::buffers_without_nodes(graph_))
            list().buffers_without_nodes.push_back(buffer_from_before(*event));
        list().program_memory_told = record::program_memory_kept(graph_.recording);
        if (!graph_.recording.recovered)
            list().source.open_functions = static_cast<std::int64_t>(graph::count_open_functions(graph_));
        return std::move(builder_.list);
    }

private:
    NodeList& list() { return builder_.list; }

    void append(std::uint32_t counter) {
        const graph::CapturedNode& node = graph_.nodes[counter];
        builder_.begin(node.type, counter, static_cast<int>(node.level));
        for (const std::uint32_t target : graph_.connections.of(counter))
            builder_.connect(target);
        switch (node.type) {
            case NodeType::kFunctionStart:
                return append_function(node);
            case NodeType::kFunctionEnd:
                return append_function_end(node);
            case NodeType::kCaptureEnd:
                builder_.end().duration_ns = number(graph_.duration_ns);
                return;
            case NodeType::kTensor:
                return append_tensor(*node.event);
            case NodeType::kBuffer:
                return append_buffer(*node.event, false);
            case NodeType::kBufferAllocate:
            case NodeType::kBufferDeallocate:
                return append_buffer(*node.event, true);
            case NodeType::kCircularBufferAllocate:
                return append_program_memory(*node.event, ProgramMemoryKind::kCircularBuffer);
            case NodeType::kDataflowBufferAllocate:
                return append_program_memory(*node.event, ProgramMemoryKind::kDataflowBuffer);
            case NodeType::kScratchpadAllocate:
                return append_program_memory(*node.event, ProgramMemoryKind::kScratchpad);
            case NodeType::kCircularBufferDeallocateAll:
            case NodeType::kSubDeviceManager:
                builder_.program_event().device = number(node.event->device);
                return;
            case NodeType::kProgramExecution:
                return append_execution(*node.event);
            case NodeType::kError:
                return append_failure(*node.event);
            case NodeType::kUnknown:
            case NodeType::kCaptureStart:
            case NodeType::kCount:
                return;
        }
    }

    TextRef text(record::TextId id) {
        const auto index = static_cast<std::size_t>(id);
        if (index >= texts_.size()) texts_.resize(index + 1, TextRef::kNone);
        if (texts_[index] == TextRef::kNone) texts_[index] = list().texts.intern(record::text_of(id));
        return texts_[index];
    }
    TextRef text(std::uint32_t detail) { return text(static_cast<record::TextId>(detail)); }

    void append_function(const graph::CapturedNode& node) {
        const graph::Function& source = graph_.functions[node.function];
        NodeList::Function& function = builder_.function();
        function.name = text(source.begin->detail);
        function.inputs = number(source.begin->payload.call.argument_count);
        function.cache_hit = source.program != nullptr && (source.program->flags & record::kCacheHit) != 0;
        append_arguments(node.function);
        for (const std::uint32_t tensor : graph_.input_tensors.of(node.function))
            builder_.add_input_tensor(tensor);
    }

    /// One text per argument; a list is one argument.
    void append_arguments(std::uint32_t function) {
        std::size_t depth = 0;
        std::string text;
        bool first_in_list = true;
        for (const std::uint32_t index : graph_.arguments.of(function)) {
            const Event::Payload::Argument& argument = graph_.argument_events[index]->payload.argument;
            const bool begins = argument.type == record::ArgumentType::kListBegin;
            const bool ends = argument.type == record::ArgumentType::kListEnd;
            if (ends && depth == 0) continue;
            if (depth > 0 && !first_in_list && !ends) text += ", ";
            text += argument_text(argument);
            depth = begins ? depth + 1 : ends ? depth - 1 : depth;
            first_in_list = begins;
            if (depth > 0) continue;
            builder_.add_argument(text);
            text.clear();
        }
        if (depth > 0) builder_.add_argument(text.append(depth, '}'));
    }

    std::string argument_text(const Event::Payload::Argument& argument) {
        using record::ArgumentType;
        switch (argument.type) {
            case ArgumentType::kText:
                return std::string(record::text_of(static_cast<record::TextId>(argument.text_or_spec)));
            case ArgumentType::kTensor:
                return std::string(record::text_of(tensor_infos_.of(argument.text_or_spec).argument_text));
            case ArgumentType::kInteger:
                return std::to_string(argument.integer);
            case ArgumentType::kReal:
                return graph::real_text(argument.real);
            case ArgumentType::kBoolean:
                return argument.integer != 0 ? "1" : "0";
            case ArgumentType::kListBegin:
                return "{";
            case ArgumentType::kListEnd:
                return "}";
        }
        return {};
    }

    void append_function_end(const graph::CapturedNode& node) {
        const Event& event = *node.event;
        const graph::Function& source = graph_.functions[node.function];
        const auto& conversion = graph_.recording.conversion;
        NodeList::End& end = builder_.end();
        end.name = text(source.begin->detail);
        end.abort_reason = event.detail != 0 ? text(event.detail) : TextRef::kNone;
        end.aborted = (event.flags & record::kAborted) != 0;
        end.duration_ns =
            number(conversion.to_ns(event.time_ticks) - conversion.to_ns(source.begin->time_ticks));
    }

    /// The texts of a tensor type: made once per type.
    const NodeList::Tensor& type_of(std::uint32_t spec) {
        const auto [known, is_new] = types_.try_emplace(spec);
        if (is_new) {
            const record::TensorInfo& info = tensor_infos_.of(spec);
            NodeList::Tensor& type = known->second;
            type.shape = list().texts.intern(graph::shape_text(info.shape));
            type.dtype = text(info.dtype);
            type.layout = text(info.layout);
            if (info.on_device) type.memory_config = text(info.memory_config);
            type.size_bytes = number(info.size_bytes);
            type.on_device = info.on_device;
        }
        return known->second;
    }

    void append_tensor(const Event& event) {
        NodeList::Tensor& tensor = builder_.tensor();
        tensor = type_of(event.detail);
        tensor.tensor_id = number(event.id);
        if (!tensor.on_device || event.payload.tensor.buffer == record::BufferId::kNone) return;
        if (event.payload.tensor.is_view != 0) return;
        tensor.address = number(event.payload.tensor.address);
        tensor.device = number(event.device);
    }

    NodeList::Buffer buffer_from_before(const Event& event) {
        NodeList::Buffer buffer;
        buffer.memory = memory_of(event.memory);
        buffer.device = number(event.device);
        buffer.size_bytes = number(event.payload.buffer.size_bytes);
        set_place(buffer, event);
        return buffer;
    }

    void set_place(NodeList::Buffer& buffer, const Event& event) {
        buffer.address = number(event.payload.buffer.address);
        buffer.size_per_bank_bytes = number(event.payload.buffer.size_per_bank_bytes);
        buffer.page_size_bytes = number(event.payload.buffer.page_size_and_layout >> 8U);
        buffer.cores = number(event.detail);
    }

    void append_buffer(const Event& event, bool with_place) {
        NodeList::Buffer& buffer = builder_.buffer();
        buffer.device = number(event.device);
        record::BufferLayout layout;
        if (event.kind == EventKind::kBufferAllocate || event.kind == EventKind::kBufferFree) {
            buffer.memory = memory_of(event.memory);
            buffer.size_bytes = number(event.payload.buffer.size_bytes);
            layout = static_cast<record::BufferLayout>(event.payload.buffer.page_size_and_layout & 0xff);
        } else {  // older than the window, met through a tensor
            const record::TensorInfo& info = tensor_infos_.of(event.detail);
            buffer.memory = memory_of(info.memory);
            buffer.size_bytes = number(info.buffer_size_bytes);
            layout = info.buffer_layout;
        }
        buffer.layout = list().texts.intern(graph::layout_text(layout));
        buffer.type = list().texts.intern(graph::memory_text(buffer.memory));
        if (with_place) set_place(buffer, event);
    }

    void append_program_memory(const Event& event, ProgramMemoryKind kind) {
        NodeList::ProgramMemory& piece = builder_.program_memory(kind);
        piece.size_bytes = number(event.payload.program_memory.size_bytes);
        piece.address = number(event.payload.program_memory.address);
        piece.device = number(event.device);
        piece.core_ranges = text(event.detail);
        piece.shared = (event.flags & record::kShared) != 0;
        piece.shared_number = piece.shared ? 1 : 0;
    }

    void append_execution(const Event& event) {
        NodeList::ProgramEvent& execution = builder_.program_event();
        execution.device = number(event.device);
        execution.physical_device = event.payload.execution.physical_device;
        execution.runtime_id = number(event.payload.execution.runtime_id);
        execution.sub_device_manager = event.payload.execution.sub_device_manager;
        if ((event.flags & record::kHasSubDevice) != 0)
            execution.sub_device = event.payload.execution.sub_device;
    }

    void append_failure(const Event& event) {
        NodeList::Failure& failure = builder_.failure();
        failure.type = text(event.payload.error.type_text);
        failure.message = text(event.detail);
        failure.operation = text(event.payload.error.operation_text);
    }

    const graph::NodeGraph& graph_;
    NodeListBuilder builder_;
    graph::TensorInfoCache tensor_infos_;
    std::vector<TextRef> texts_;  // by TextId
    std::unordered_map<std::uint32_t, NodeList::Tensor> types_;
};

}  // namespace

NodeList node_list_of(const graph::CapturedGraph& graph) {
    return Conversion(graph.nodes()).run();
}

}  // namespace tilemeter::analysis
