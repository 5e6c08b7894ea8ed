// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The fields of a node, in the order of report files (keys sorted by byte). Written once, for every form of output: a
// Sink makes JSON objects, bytes of a file, or whatever else of it.
//
// A Sink has
//     begin_object() end_object()                   a node; begin_object(key) end_object() its params
//     number(key, n) number_text(key, n)            fields: 5, "5"
//     flag(key, b) null(key)
//     text(key, view) text(key, TextId)
//     numbers(key, span)
//     begin_texts(key) end_texts()                  a list of texts, each made of pieces:
//     begin_item() piece(view) piece(TextId) end_item()
//     tensor_info(spec, info, write)                calls write(*this), or repeats what it wrote for this
//     spec device_tensors(key, device, address)

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "capture/graph/node_graph.hpp"
#include "capture/graph/node_texts.hpp"
#include "capture/graph/stack_texts.hpp"
#include "capture/graph/tensor_info_cache.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::graph {

template <typename Sink>
class NodeFields {
public:
    NodeFields(const NodeGraph& graph, Sink& sink) : graph_(graph), sink_(sink) {}

    void write(std::uint32_t counter) {
        const CapturedNode& node = graph_.nodes[counter];
        sink_.begin_object();
        sink_.begin_texts("arguments");
        if (node.type == NodeType::kFunctionStart) write_arguments(node.function);
        sink_.end_texts();
        sink_.numbers("connections", graph_.connections.of(counter));
        sink_.number("counter", counter);
        if (node.type == NodeType::kCaptureEnd) sink_.number("duration_ns", graph_.duration_ns);
        if (node.type == NodeType::kFunctionEnd) sink_.number("duration_ns", duration_ns(node));
        sink_.numbers("input_tensors", node.type == NodeType::kFunctionStart
                                           ? graph_.input_tensors.of(node.function)
                                           : std::span<const std::uint32_t>());
        sink_.text("node_type", name_of(node.type));
        if (node.event == nullptr) {
            sink_.null("params");
        } else {
            sink_.begin_object("params");
            write_params(node);
            sink_.end_object();
        }
        if (node.type == NodeType::kFunctionStart) write_stack(node.function);
        sink_.number("stacking_level", node.level);
        sink_.end_object();
    }

private:
    using Event = record::Event;
    using TextId = record::TextId;

    /// One text per argument; a list is one argument: "{a, {b, c}}".
    void write_arguments(std::uint32_t function) {
        using record::ArgumentType;
        std::size_t depth = 0;
        bool first_in_list = true;
        for (const std::uint32_t index : graph_.arguments.of(function)) {
            const Event::Payload::Argument& argument = graph_.argument_events[index]->payload.argument;
            const bool ends_list = argument.type == ArgumentType::kListEnd;
            if (ends_list && depth == 0) continue;
            if (depth == 0) {
                sink_.begin_item();
            } else if (!first_in_list && !ends_list) {
                sink_.piece(", ");
            }
            if (ends_list) {
                sink_.piece("}");
                --depth;
            } else if (argument.type == ArgumentType::kListBegin) {
                sink_.piece("{");
                ++depth;
            } else {
                write_value(argument);
            }
            first_in_list = argument.type == ArgumentType::kListBegin;
            if (depth == 0) sink_.end_item();
        }
        if (depth == 0) return;
        for (; depth > 0; --depth)
            sink_.piece("}");
        sink_.end_item();
    }

    void write_stack(std::uint32_t function) {
        const record::StackId stack = graph_.functions[function].begin->payload.call.stack;
        if (stack == record::StackId::kNone) return;
        sink_.begin_texts("stack_trace");
        for (const TextId frame : stacks_.texts_of(stack, graph_.recording.frame_order)) {
            sink_.begin_item();
            sink_.piece(frame);
            sink_.end_item();
        }
        sink_.end_texts();
    }

    void write_value(const Event::Payload::Argument& argument) {
        using record::ArgumentType;
        switch (argument.type) {
            case ArgumentType::kText:
                return sink_.piece(text(argument.text_or_spec));
            case ArgumentType::kTensor:
                return sink_.piece(tensor_infos_.of(argument.text_or_spec).argument_text);
            case ArgumentType::kInteger:
                if (argument.text_or_spec != 0) {
                    sink_.piece(text(argument.text_or_spec));
                    sink_.piece("=");
                }
                return sink_.piece(std::string_view(std::to_string(argument.integer)));
            case ArgumentType::kReal:
                return sink_.piece(std::string_view(real_text(argument.real)));
            case ArgumentType::kBoolean:
                return sink_.piece(argument.integer != 0 ? "1" : "0");
            case ArgumentType::kListBegin:
            case ArgumentType::kListEnd:
                return;
        }
    }

    std::uint64_t duration_ns(const CapturedNode& end) const {
        const auto& conversion = graph_.recording.conversion;
        return conversion.to_ns(end.event->time_ticks) -
               conversion.to_ns(graph_.functions[end.function].begin->time_ticks);
    }

    void write_params(const CapturedNode& node) {
        const Event& event = *node.event;
        switch (node.type) {
            case NodeType::kFunctionStart:
                return write_function_start(graph_.functions[node.function]);
            case NodeType::kFunctionEnd:
                return write_function_end(event, graph_.functions[node.function]);
            case NodeType::kTensor:
                return write_tensor(event);
            case NodeType::kBuffer:
                return event.kind == record::EventKind::kBufferAllocate ||
                               event.kind == record::EventKind::kBufferFree
                           ? write_buffer_of_event(event)
                           : write_buffer_of_tensor(event);
            case NodeType::kBufferAllocate:
            case NodeType::kBufferDeallocate:
                return write_buffer_event(event);
            case NodeType::kCircularBufferAllocate:
                return write_circular_buffer(event);
            case NodeType::kDataflowBufferAllocate:
                return write_dataflow_buffer(event);
            case NodeType::kScratchpadAllocate:
                return write_scratchpad(event);
            case NodeType::kCircularBufferDeallocateAll:
                return sink_.number("device_id", id(event.device));
            case NodeType::kSubDeviceManager:
                sink_.number("device_id", id(event.device));
                sink_.number("sub_device_manager_id", event.id);
                return sink_.text("sub_devices", text(event.detail));
            case NodeType::kProgramExecution:
                return write_execution(event);
            case NodeType::kError:
                sink_.text("error_message", text(event.detail));
                sink_.text("error_operation", text(event.payload.error.operation_text));
                return sink_.text("error_type", text(event.payload.error.type_text));
            case NodeType::kUnknown:
            case NodeType::kCaptureStart:
            case NodeType::kCaptureEnd:
            case NodeType::kCount:
                return;
        }
    }

    static TextId text(std::uint32_t detail) { return static_cast<TextId>(detail); }
    static std::uint64_t id(record::DeviceId device) { return record::number_of(device); }

    void write_function_start(const Function& function) {
        sink_.number_text("inputs", function.begin->payload.call.argument_count);
        sink_.text("name", text(function.begin->detail));
        if (function.program == nullptr) return;
        sink_.flag("program_cache_hit", (function.program->flags & record::kCacheHit) != 0);
        sink_.number("program_factory_index", function.program->payload.factory.index);
        sink_.text("program_factory_type", text(function.program->detail));
    }

    void write_function_end(const Event& event, const Function& function) {
        if (event.detail != 0) sink_.text("abort_reason", text(event.detail));
        if ((event.flags & record::kAborted) != 0) sink_.text("aborted", std::string_view("true"));
        sink_.text("name", text(function.begin->detail));
    }

    void write_tensor(const Event& event) {
        const Event::Payload::Tensor& tensor = event.payload.tensor;
        const record::TensorInfo& info = tensor_infos_.of(event.detail);
        if (info.on_device) {
            const bool has_buffer = tensor.buffer != record::BufferId::kNone && tensor.is_view == 0;
            if (has_buffer) {
                sink_.number("address", tensor.address);
                write_whether_placed(event);
            }
            sink_.number("buffer_type", static_cast<std::uint64_t>(info.memory));
            if (has_buffer) sink_.number("device_id", id(event.device));
            sink_.device_tensors("device_tensors", event.device, tensor.address);
        }
        sink_.tensor_info(event.detail, info, [](Sink& sink, const record::TensorInfo& type) {
            sink.text("dtype", type.dtype);
            sink.text("layout", type.layout);
            if (type.on_device) sink.text("memory_config", type.memory_config);
            sink.text("shape", std::string_view(shape_text(type.shape)));
            sink.number("size", type.size_bytes);
            sink.text("storage_type", std::string_view(type.on_device ? "DEVICE" : "HOST"));
        });
        sink_.number("tensor_id", event.id);
    }

    void write_buffer(std::uint64_t size_bytes, record::MemoryType memory, record::BufferLayout layout,
                      record::DeviceId device) {
        sink_.number("buffer_type", static_cast<std::uint64_t>(memory));
        sink_.number("device_id", id(device));
        sink_.text("layout", std::string_view(layout_text(layout)));
        sink_.number("size", size_bytes);
        sink_.text("type", std::string_view(memory_text(memory)));
    }

    static record::BufferLayout layout_of(const Event& event) {
        return static_cast<record::BufferLayout>(event.payload.buffer.page_size_and_layout & 0xff);
    }

    void write_buffer_of_event(const Event& event) {
        write_buffer(event.payload.buffer.size_bytes, event.memory, layout_of(event), event.device);
    }

    /// A buffer from before the window, met through a tensor.
    void write_buffer_of_tensor(const Event& event) {
        const record::TensorInfo& info = tensor_infos_.of(event.detail);
        write_buffer(info.buffer_size_bytes, info.memory, info.buffer_layout, event.device);
    }

    void write_buffer_event(const Event& event) {
        const Event::Payload::Buffer& buffer = event.payload.buffer;
        sink_.number("address", buffer.address);
        write_whether_placed(event);
        sink_.number("buffer_type", static_cast<std::uint64_t>(event.memory));
        sink_.number("device_id", id(event.device));
        sink_.text("layout", std::string_view(layout_text(layout_of(event))));
        sink_.number("max_size_per_bank", buffer.size_per_bank_bytes);
        sink_.number("num_cores", event.detail);
        sink_.number("page_size", buffer.page_size_and_layout >> 8);
        sink_.number("size", buffer.size_bytes);
        sink_.text("type", std::string_view(memory_text(event.memory)));
    }

    void write_circular_buffer(const Event& event) {
        sink_.number("address", event.payload.program_memory.address);
        write_whether_placed(event);
        sink_.text("core_range_set", text(event.detail));
        sink_.number("device_id", id(event.device));
        sink_.number_text("globally_allocated", shared(event));
        sink_.number("size", event.payload.program_memory.size_bytes);
    }

    void write_dataflow_buffer(const Event& event) {
        sink_.number("address", event.payload.program_memory.address);
        write_whether_placed(event);
        sink_.number_text("borrows_memory", shared(event));
        sink_.text("core_range_set", text(event.detail));
        sink_.number("device_id", id(event.device));
        sink_.number("size", event.payload.program_memory.size_bytes);
    }

    void write_scratchpad(const Event& event) {
        sink_.number("address", event.payload.program_memory.address);
        write_whether_placed(event);
        sink_.text("core_range_set", text(event.detail));
        sink_.number("device_id", id(event.device));
        sink_.number("size", event.payload.program_memory.size_bytes);
    }

    /// Beside TT-NN's address, which is 0 then.
    void write_whether_placed(const Event& event) {
        if ((event.flags & record::kUnknownAddress) != 0) sink_.flag("address_known", false);
    }

    static std::uint64_t shared(const Event& event) { return (event.flags & record::kShared) != 0 ? 1 : 0; }

    void write_execution(const Event& event) {
        const Event::Payload::Execution& execution = event.payload.execution;
        const bool placed = (event.flags & record::kHasSubDevice) != 0;
        sink_.number("command_queue_id", event.queue);
        sink_.number("device_id", id(event.device));
        sink_.number("global_call_count", execution.global_call_count);
        sink_.number("physical_device_id", execution.physical_device);
        sink_.number("runtime_id", execution.runtime_id);
        if (placed) sink_.number("sub_device_id", execution.sub_device);
        sink_.number("sub_device_manager_id", execution.sub_device_manager);
        if (placed) sink_.text("worker_core_ranges", text(event.detail));
    }

    const NodeGraph& graph_;
    Sink& sink_;
    TensorInfoCache tensor_infos_;
    StackTexts stacks_;
};

}  // namespace tilemeter::graph
