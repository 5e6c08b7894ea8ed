// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph_import.hpp"

#include <algorithm>
#include <array>

#include "report/python_text.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::JsonNode;
using report::JsonValue;
using report::NodeType;
using report::Status;

// Functions that are plumbing: what they call may be an operation, they are none. Matched as prefixes.
constexpr std::array<std::string_view, 6> kTransparentPrefixes{
    "ttnn::convert_python_tensor_to_tt_tensor",
    "tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor",
    "Tensor::deallocate",
    "Tensor::to_device",
    "Tensor::reshape",
    "tt::tt_metal::to_dtype",
};
constexpr std::string_view kFromTorch = "ttnn.from_torch";
constexpr std::size_t kRecordsSearched = 256;

// And what a page of the viewer shows as one.
constexpr std::string_view kPythonBlanks = " \n\r\t\v\f";

double seconds(const JsonValue& duration_ns) {
    if (const auto integer = duration_ns.integer()) return static_cast<double>(*integer) / 1e9;
    return duration_ns.real().value_or(0.0) / 1e9;
}

report::Result<std::string> name_of(const JsonNode& node) {
    auto name = report::text_param(node, "name");
    if (!name) return name.error();
    return std::string(name->value_or("unknown"));
}

bool is_boundary(NodeType type) {
    return type == NodeType::kCaptureStart || type == NodeType::kCaptureEnd;
}

// Blanks with a line break or another control character among them become one blank.
std::string one_line(std::string_view text) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    std::string line;
    while (!text.empty()) {
        const std::size_t blanks = std::min(text.size(), text.find_first_not_of(kPythonBlanks));
        const std::string_view run = text.substr(0, std::max<std::size_t>(blanks, 1));
        line.append(std::ranges::any_of(run, is_control) ? " " : run);
        text.remove_prefix(run.size());
    }
    return line;
}

}  // namespace

GraphImport::GraphImport(FileContext context)
    : context_(context),
      nested_(context.options.reference_quirks),
      operation_graph_(context.devices, context.options.reference_quirks),
      executions_(context.devices, context.options.reference_quirks),
      program_memory_(context.database, context.devices, context.rank),
      tensors_(context.devices, context.options.reference_quirks),
      tensor_io_(tensors_, context.devices, context.rank, context.options.reference_quirks),
      rows_(context_, tensor_io_, nested_, operation_graph_),
      buffers_(context_, tensors_) {}

void GraphImport::begin(report::GraphAccess& graph) {
    graph_ = &graph;
    rows_.begin(graph);
    buffers_.begin(graph);
}

Status GraphImport::add(const JsonNode& node) {
    ++info_.nodes;
    if (node.type == NodeType::kUnknown) ++info_.unknown_nodes;
    if (collects_nodes() && node.type != NodeType::kFunctionStart) {
        if (context_.options.reference_quirks || !is_boundary(node.type))
            if (Status appended = operation_graph_.append(node); !appended) return appended;
        if (Status added = executions_.add(node); !added) return added;
    }
    switch (node.type) {
        case NodeType::kFunctionStart:
            return start_function(node);
        case NodeType::kFunctionEnd:
            return end_function(node);
        case NodeType::kTensor:
            return tensors_.add(node);
        case NodeType::kBuffer:
            return buffers_.add_buffer(node);
        case NodeType::kBufferAllocate:
            return buffers_.allocate(node);
        case NodeType::kBufferDeallocate:
            return free_buffer(node);
        case NodeType::kError:
            return add_error_node(node);
        default:
            break;
    }
    if (node.type == NodeType::kProgramExecution) {
        ++info_.executions;
        if (!program_memory_.seen_since_release()) ++info_.executions_without_program_memory;
    }
    const auto operation_id = operation_open_ ? std::optional(next_operation_id()) : std::nullopt;
    const auto function = innermost_counter();
    return program_memory_.add(node, operation_id, function, buffers_.lifetimes().live_l1_bytes_per_bank());
}

// True if the next node is of an operation's graph. The reference also keeps what functions that are no operations hold
// between two operations, which shows where ends have no starts.
bool GraphImport::collects_nodes() const {
    return context_.options.reference_quirks ? node_depth_ > 0 : operation_open_;
}

// The name of a function in rows.
std::string GraphImport::displayed_name(std::string name) const {
    const bool plain = std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < ' '; });
    return plain || context_.options.reference_quirks ? name : one_line(name);
}

bool GraphImport::is_transparent(std::string_view name) const {
    const bool prefixed = std::ranges::any_of(
        kTransparentPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
    return prefixed || (name == kFromTorch && !seen_operation_);
}

Status GraphImport::start_function(const JsonNode& node) {
    auto name = name_of(node);
    if (!name) return name.error();
    const bool transparent = is_transparent(*name);
    if (!transparent && depth_ == 0 && *name != kFromTorch) seen_operation_ = true;
    if (open_.empty()) ++info_.outermost_functions;
    const bool collected = collects_nodes();
    ++node_depth_;
    OpenFunction function;
    function.counter = counter_of(node);
    function.nested = depth_ > 0 || transparent;
    function.depth = static_cast<int>(open_.size());
    auto inputs = report::counters_in(node, node.input_tensors, "input_tensors");
    if (!inputs) return inputs.error();
    function.input_tensors = std::move(*inputs);
    function.record = take_record(node, *name);
    *name = displayed_name(std::move(*name));
    if (!function.nested) {
        for (auto argument = node.arguments.children(); argument.valid(); argument.next())
            report::append_python_str(function.arguments.emplace_back(), argument.value());
        if (!context_.options.reference_quirks) function.stack_trace = joined_lines(node.stack_trace);
        ++depth_;
        operation_open_ = true;
        nested_abort_.reset();
        nested_.clear();
        operation_graph_.clear();
        executions_.clear();
        context_.database.insert<Table::kNodes>(next_operation_id(), function.counter, operations_.size() + 1,
                                                *name, context_.rank);
    }
    const bool appended = !function.nested || collected;
    function.name = std::move(*name);
    open_.push_back(std::move(function));
    return appended ? operation_graph_.append(node) : Status();
}

std::optional<report::PythonIo::RecordId> GraphImport::take_record(const JsonNode& start,
                                                                   std::string_view name) {
    if (context_.python_io == nullptr) return std::nullopt;
    const auto waiting = context_.python_io->waiting(name);
    if (waiting.empty()) return std::nullopt;
    std::size_t i = 0;
    if (!context_.options.reference_quirks) {
        // Other threads' records lie among ours: passed over if they take tensors this function never meets.
        const std::size_t most = std::min(waiting.size(), kRecordsSearched);
        while (i < most && !may_belong(waiting[i], start))
            ++i;
        if (i == most) {
            ++info_.foreign_records;
            return std::nullopt;
        }
        info_.foreign_records += i;
    }
    const report::PythonIo::RecordId record = waiting[i];
    context_.python_io->take(name, i + 1);
    return record;
}

bool GraphImport::may_belong(report::PythonIo::RecordId record, const JsonNode& start) const {
    const auto wanted = context_.python_io->input_tensor_ids(record);
    if (wanted.empty()) return true;
    const report::NodeIndex& graph = graph_->index();
    const std::size_t end = std::min(graph.function_end(start.index), graph.size());
    bool meets_tensors = false;
    for (std::size_t i = start.index + 1; i < end; ++i) {
        const auto id = graph.tensor_id(i);
        if (!id) continue;
        meets_tensors = true;
        if (std::ranges::find(wanted, *id) != wanted.end()) return true;
    }
    return !meets_tensors;
}

Status GraphImport::end_function(const JsonNode& node) {
    --node_depth_;
    if (open_.empty()) {
        ++info_.unmatched_function_ends;
        return context_.options.reference_quirks ? end_operation(node, nullptr) : Status();
    }
    const OpenFunction function = std::move(open_.back());
    open_.pop_back();
    return function.nested ? end_nested(node, function) : end_operation(node, &function);
}

Status GraphImport::end_nested(const JsonNode& node, const OpenFunction& function) {
    const bool quirks = context_.options.reference_quirks;
    const JsonValue aborted_param = node.params.at("aborted");
    const bool aborted = quirks ? aborted_param.text() == "true" : report::flag_of(aborted_param);
    auto name = name_of(node);
    if (!name) return name.error();
    *name = displayed_name(std::move(*name));
    if (aborted && !nested_abort_) {
        auto reason = report::text_param(node, "abort_reason");
        if (!reason) return reason.error();
        nested_abort_ = Abort{*name, std::string(reason->value_or(""))};
    }
    auto connections = report::counters_in(node, node.connections, "connections");
    if (!connections) return connections.error();
    nested_.close_function(graph_->index(), function.input_tensors, *connections);
    if (operation_open_) {
        const auto parent = innermost_counter();
        context_.database.insert<Table::kNestedOperations>(next_operation_id(), function.counter, parent,
                                                           function.depth, *name, seconds(node.duration_ns),
                                                           aborted, context_.rank);
    }
    return {};
}

std::optional<std::int64_t> GraphImport::innermost_counter() const {
    std::optional<std::int64_t> counter;
    if (!open_.empty()) counter.emplace(open_.back().counter);
    return counter;
}

Status GraphImport::end_operation(const JsonNode& node, const OpenFunction* function) {
    const bool quirks = context_.options.reference_quirks;
    --depth_;
    auto name = name_of(node);
    if (!name) return name.error();
    *name = displayed_name(std::move(*name));
    auto connections = report::counters_in(node, node.connections, "connections");
    if (!connections) return connections.error();
    const std::int64_t id = next_operation_id();
    JsonValue duration = node.duration_ns;
    if (duration.is_null() && !quirks) duration = node.params.at("duration_ns");
    executions_.write(context_.database, id, context_.rank);
    info_.dropped_executions += executions_.dropped_count();

    const JsonValue aborted_param = node.params.at("aborted");
    std::optional<Abort> abort = nested_abort_;
    const bool aborted = quirks ? aborted_param.text() == "true" : report::flag_of(aborted_param);
    if (aborted) {
        auto reason = report::text_param(node, "abort_reason");
        if (!reason) return reason.error();
        abort = Abort{*name, std::string(reason->value_or(""))};
    }
    nested_abort_.reset();

    const EndedOperation ended{std::move(*name), seconds(duration), function, std::move(*connections),
                               std::move(abort)};
    if (Status written = rows_.write_ended(id, ended); !written) return written;

    const auto start_counter = function != nullptr ? std::optional(function->counter) : std::nullopt;
    operations_.push_back({start_counter, counter_of(node), true});
    buffers_.end_operation();
    program_memory_.end_operation();
    program_memory_.compare_live_buffers(buffers_.lifetimes().live_l1_bytes_per_bank(), id);
    operation_open_ = depth_ > 0;
    operation_graph_.clear();
    executions_.clear();
    return context_.database.status();
}

// Belongs to the operation around the innermost open function that it names.
Status GraphImport::add_error_node(const JsonNode& node) {
    auto type = report::text_param(node, "error_type");
    if (!type) return type.error();
    auto message = report::text_param(node, "error_message");
    if (!message) return message.error();
    auto operation = report::text_param(node, "error_operation");
    if (!operation) return operation.error();
    const std::string name = displayed_name(std::string(operation->value_or("")));
    auto function = std::find_if(open_.rbegin(), open_.rend(), [&](const OpenFunction& open) {
        return !name.empty() && open.name == name;
    });
    function = std::find_if(function, open_.rend(), [](const OpenFunction& open) { return !open.nested; });
    if (function != open_.rend()) {
        if (!function->error)
            function->error = OpenFunction::ErrorText{std::string(type->value_or("unknown")),
                                                      std::string(message->value_or(""))};
        return {};
    }
    rows_.write_error(context_.base_operation_id, name, type->value_or("unknown"), message->value_or(""), "");
    return {};
}

// A free outside any function becomes an operation.
Status GraphImport::free_buffer(const JsonNode& node) {
    auto tensor_id = buffers_.free(node);
    if (!tensor_id) return tensor_id.error();
    if (!open_.empty()) {
        if (*tensor_id) nested_.add_input(**tensor_id);
        return {};
    }
    const auto number = static_cast<std::int64_t>(operations_.size() + 1);
    if (Status written = rows_.write_free(next_operation_id(), number, node, *tensor_id); !written)
        return written;
    operations_.push_back({std::nullopt, counter_of(node), true});
    buffers_.end_operation();
    return context_.database.status();
}

Status GraphImport::end() {
    operation_graph_.drop_boundaries();
    for (const OpenFunction& function : open_) {
        if (function.nested) continue;
        ++info_.incomplete_operations;
        if (Status written = rows_.write_unended(next_operation_id(), function); !written) return written;
        operations_.push_back({function.counter, function.counter, !context_.options.reference_quirks});
        buffers_.end_operation();
        if (Status sound = context_.database.status(); !sound) return sound;
    }
    buffers_.end();
    if (Status written = tensor_io_.write(context_.database, *graph_); !written) return written;
    return context_.database.status();
}

}  // namespace tilemeter::visualizer_import
