// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph_import.hpp"

#include <algorithm>
#include <array>

#include "report/python_text.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::JsonValue;
using report::Node;
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
constexpr std::string_view kFreedOutside = "ttnn::deallocate";

constexpr std::size_t kRecordsSearched = 256;

struct LayoutNumber {
    std::string_view name;
    std::int64_t runtime;    // and viewer
    std::int64_t reference;  // of the reference importer
};
constexpr std::array<LayoutNumber, 4> kLayouts{{
    {"INTERLEAVED", 0, 0},
    {"HEIGHT_SHARDED", 2, 1},
    {"WIDTH_SHARDED", 3, 2},
    {"BLOCK_SHARDED", 4, 3},
}};

std::int64_t layout_number(std::string_view name, bool reference_quirks) {
    for (const LayoutNumber& layout : kLayouts)
        if (layout.name == name) return reference_quirks ? layout.reference : layout.runtime;
    return 0;
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

struct BufferShape {
    std::int64_t size, page_size, num_cores, buffer_type;
    std::string_view layout;
};

// For dialects that don't say it.
std::int64_t size_per_bank(const BufferShape& shape, const BankCounts& banks) {
    if (shape.page_size <= 0 || shape.size <= 0) return shape.size;
    const bool interleaved = shape.layout == "INTERLEAVED";
    const std::int64_t bank_count = !interleaved             ? shape.num_cores
                                    : shape.buffer_type == 0 ? banks.dram_channels
                                                             : banks.l1_banks;
    if (bank_count <= 0) return shape.size;
    return ceil_div(shape.size / shape.page_size, bank_count) * shape.page_size;
}

report::Result<std::vector<std::int64_t>> counters(const Node& node, const JsonValue& list,
                                                   std::string_view what) {
    std::vector<std::int64_t> result;
    for (auto element = list.children(); element.valid(); element.next()) {
        const auto number = element.value().integer();
        if (!number) {
            std::string position = node.position();
            position.append(", ").append(what);
            return Error{"", position, "a counter, which is an integer",
                         std::string(report::kind_name(element.value().kind()))};
        }
        result.push_back(*number);
    }
    return result;
}

std::string joined_lines(const JsonValue& texts) {
    std::string result;
    bool first = true;
    for (auto line = texts.children(); line.valid(); line.next()) {
        if (!first) result += '\n';
        first = false;
        report::append_python_str(result, line.value());
    }
    return result;
}

double seconds(const JsonValue& duration_ns) {
    if (const auto integer = duration_ns.integer()) return static_cast<double>(*integer) / 1e9;
    return duration_ns.real().value_or(0.0) / 1e9;
}

report::Result<std::string> name_of(const Node& node) {
    auto name = report::text_param(node, "name");
    if (!name) return name.error();
    return std::string(name->value_or("unknown"));
}

}  // namespace

GraphImport::GraphImport(FileContext context)
    : context_(context),
      nested_(context.options.reference_quirks),
      operation_graph_(context.devices),
      executions_(context.devices, context.options.reference_quirks),
      program_memory_(context.database, context.devices, context.rank),
      tensors_(context.devices),
      tensor_io_(tensors_, context.devices, context.rank),
      lifetimes_(context.devices, context.options.reference_quirks) {}

Status GraphImport::add(const Node& node) {
    ++facts_.nodes;
    if (node.type == NodeType::kUnknown) ++facts_.unknown_nodes;
    if (operation_open_ && node.type != NodeType::kFunctionStart) {
        const bool boundary = node.type == NodeType::kCaptureStart || node.type == NodeType::kCaptureEnd;
        if (!boundary)
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
            (void)keep_buffer(node);  // what is wrong with it matters only to who needs it
            break;
        case NodeType::kBufferAllocate:
            return allocate_buffer(node);
        case NodeType::kBufferDeallocate:
            return free_buffer(node);
        case NodeType::kError:
            return add_error_node(node);
        default:
            break;
    }
    if (node.type == NodeType::kProgramExecution) {
        ++facts_.executions;
        if (!program_memory_.seen_since_release()) ++facts_.executions_without_program_memory;
    }
    const auto operation_id = operation_open_ ? std::optional(next_operation_id()) : std::nullopt;
    const auto function = innermost_counter();
    return program_memory_.add(node, operation_id, function, lifetimes_.live_l1_bytes_per_bank());
}

bool GraphImport::is_transparent(std::string_view name) const {
    const bool prefixed = std::ranges::any_of(
        kTransparentPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
    return prefixed || (name == kFromTorch && !seen_operation_);
}

Status GraphImport::start_function(const Node& node) {
    auto name = name_of(node);
    if (!name) return name.error();
    const bool transparent = is_transparent(*name);
    if (!transparent && depth_ == 0 && *name != kFromTorch) seen_operation_ = true;
    OpenFunction function;
    function.counter = counter_of(node);
    function.nested = depth_ > 0 || transparent;
    function.depth = static_cast<int>(open_.size());
    auto inputs = counters(node, node.input_tensors, "input_tensors");
    if (!inputs) return inputs.error();
    function.input_tensors = std::move(*inputs);
    function.record = take_record(node, *name);
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
    function.name = std::move(*name);
    open_.push_back(std::move(function));
    return operation_open_ ? operation_graph_.append(node) : Status();
}

std::optional<report::PythonIo::RecordId> GraphImport::take_record(const Node& start, std::string_view name) {
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
            ++facts_.foreign_records;
            return std::nullopt;
        }
        facts_.foreign_records += i;
    }
    const report::PythonIo::RecordId record = waiting[i];
    context_.python_io->take(name, i + 1);
    return record;
}

bool GraphImport::may_belong(report::PythonIo::RecordId record, const Node& start) const {
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

Status GraphImport::end_function(const Node& node) {
    if (open_.empty()) {
        ++facts_.unmatched_function_ends;
        return context_.options.reference_quirks ? end_operation(node, nullptr) : Status();
    }
    const OpenFunction function = std::move(open_.back());
    open_.pop_back();
    return function.nested ? end_nested(node, function) : end_operation(node, &function);
}

Status GraphImport::end_nested(const Node& node, const OpenFunction& function) {
    const bool quirks = context_.options.reference_quirks;
    const JsonValue aborted_param = node.params.at("aborted");
    const bool aborted = quirks ? aborted_param.text() == "true" : report::flag_of(aborted_param);
    auto name = name_of(node);
    if (!name) return name.error();
    if (aborted && !nested_abort_) {
        auto reason = report::text_param(node, "abort_reason");
        if (!reason) return reason.error();
        nested_abort_ = Abort{*name, std::string(reason->value_or(""))};
    }
    auto connections = counters(node, node.connections, "connections");
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

Status GraphImport::end_operation(const Node& node, const OpenFunction* function) {
    const bool quirks = context_.options.reference_quirks;
    --depth_;
    auto name = name_of(node);
    if (!name) return name.error();
    auto connections = counters(node, node.connections, "connections");
    if (!connections) return connections.error();
    auto record = read_record(function);
    if (!record) return record.error();

    const std::int64_t id = next_operation_id();
    JsonValue duration = node.duration_ns;
    if (duration.is_null() && !quirks) duration = node.params.at("duration_ns");
    context_.database.insert<Table::kOperations>(id, *name, seconds(duration), context_.rank);
    if (is_deallocation(*name)) tensor_io_.add_deallocation(id);
    executions_.write(context_.database, id, context_.rank);
    facts_.dropped_executions += executions_.dropped_count();

    const JsonValue aborted_param = node.params.at("aborted");
    std::optional<Abort> abort = nested_abort_;
    const bool aborted = quirks ? aborted_param.text() == "true" : report::flag_of(aborted_param);
    if (aborted) {
        auto reason = report::text_param(node, "abort_reason");
        if (!reason) return reason.error();
        abort = Abort{*name, std::string(reason->value_or(""))};
    }
    nested_abort_.reset();

    const std::string stack_trace = joined_lines(record->at("python_stack_trace"));
    write_failure(id, *name, *record, function, abort, stack_trace);
    write_arguments(id, *record, function);
    if (!stack_trace.empty()) {
        write_stack(id, stack_trace);
    } else if (function != nullptr && !function->stack_trace.empty()) {
        write_stack(id, function->stack_trace);
    }
    if (Status written = write_inputs(id, *record, function); !written) return written;
    const bool failed = abort.has_value() || record->at("error").is_object();
    if (Status written = write_outputs(id, *record, *connections, failed); !written) return written;
    if (Status written = write_graph(id, *record); !written) return written;

    const auto start_counter = function != nullptr ? std::optional(function->counter) : std::nullopt;
    operations_.push_back({start_counter, counter_of(node), true});
    lifetimes_.end_operation();
    program_memory_.end_operation();
    program_memory_.see_live(lifetimes_.live_l1_bytes_per_bank(), id);
    operation_open_ = depth_ > 0;
    operation_graph_.clear();
    executions_.clear();
    return context_.database.status();
}

Status GraphImport::allocate_buffer(const Node& node) {
    struct Member {
        std::string_view key;
        std::optional<std::int64_t> value;
    };
    std::array<Member, 7> members{{{"device_id", {}},
                                   {"address", {}},
                                   {"size", {}},
                                   {"page_size", {}},
                                   {"num_cores", {}},
                                   {"buffer_type", {}},
                                   {"max_size_per_bank", {}}}};
    for (Member& member : members) {
        auto number = report::integer_param(node, member.key);
        if (!number) return number.error();
        member.value = *number;
    }
    auto layout = report::text_param(node, "layout");
    if (!layout) return layout.error();
    // The oldest dialect says it by name only.
    if (!members[5].value && !context_.options.reference_quirks && node.params.at("type").text() == "L1")
        members[5].value = 1;
    const auto value = [&](std::size_t i) { return members[i].value.value_or(0); };
    const std::int64_t device_id = context_.devices.mapped(value(0));
    const BufferShape shape{value(2), value(3), value(4), value(5), layout->value_or("INTERLEAVED")};
    const std::int64_t size =
        members[6].value ? *members[6].value : size_per_bank(shape, context_.devices.banks(device_id));
    const report::BufferRecord buffer{device_id, value(1), size, value(5),
                                      layout_number(shape.layout, context_.options.reference_quirks)};
    auto connections = counters(node, node.connections, "connections");
    if (!connections) return connections.error();
    const std::size_t buffer_node =
        connections->empty() ? EventLifetimes::kNoNode : static_cast<std::size_t>(connections->front());
    const std::int64_t placed = lifetimes_.allocate(buffer, buffer_node);
    const bool has_node = connections->size() == 1 && buffer_node < graph_->index().size();
    return placed != buffer.address && has_node ? place_tensors(buffer_node, placed) : Status();
}

// The tensors in a buffer without address are where it was placed.
Status GraphImport::place_tensors(std::size_t buffer_node, std::int64_t address) {
    if (last_buffer_.node != buffer_node) {
        auto node = graph_->node_at(buffer_node);
        if (!node) return node.error();
        if (Status kept = keep_buffer(*node); !kept) return kept;
    }
    const report::NodeIndex& graph = graph_->index();
    for (const std::int64_t counter : last_buffer_.connections) {
        if (counter < 0 || static_cast<std::size_t>(counter) >= graph.size()) continue;
        if (const auto id = graph.tensor_id(static_cast<std::size_t>(counter))) tensors_.place(*id, address);
    }
    return {};
}

Status GraphImport::keep_buffer(const Node& node) {
    last_buffer_.node = EventLifetimes::kNoNode;
    auto connections = counters(node, node.connections, "connections");
    if (!connections) return connections.error();
    last_buffer_ = {node.index, std::move(*connections)};
    return {};
}

Status GraphImport::free_buffer(const Node& node) {
    auto address = report::integer_param(node, "address");
    if (!address) return address.error();
    auto device_id = report::integer_param(node, "device_id");
    if (!device_id) return device_id.error();
    auto buffer_type = report::integer_param(node, "buffer_type");
    if (!buffer_type) return buffer_type.error();
    auto connections = counters(node, node.connections, "connections");
    if (!connections) return connections.error();
    const report::NodeIndex& graph = graph_->index();
    if (!*address) {
        for (const std::int64_t counter : *connections) {
            const auto i = static_cast<std::size_t>(counter);
            if (counter < 0 || i >= graph.size() || graph.type(i) != NodeType::kBufferAllocate) continue;
            *address = graph.address(i);
            break;
        }
    }
    const std::int64_t device = context_.devices.mapped(device_id->value_or(0));
    std::optional<std::int64_t> tensor_id;
    if (context_.options.reference_quirks) {
        if (*address) {
            lifetimes_.free_address(**address);
            tensor_id = tensors_.first_at(**address);
        }
    } else {
        const std::size_t buffer_node =
            connections->empty() ? EventLifetimes::kNoNode : static_cast<std::size_t>(connections->front());
        lifetimes_.free_buffer({device, address->value_or(0), 0, buffer_type->value_or(0), 0}, buffer_node);
        if (address->value_or(0) != 0) tensor_id = tensors_.latest_at(**address, device);
    }
    if (open_.empty()) return freed_outside(node, tensor_id);
    if (tensor_id) nested_.add_input(*tensor_id);
    return {};
}

// A free that no function did becomes an operation.
Status GraphImport::freed_outside(const Node& node, std::optional<std::int64_t> tensor_id) {
    const std::int64_t id = next_operation_id();
    context_.database.insert<Table::kOperations>(id, kFreedOutside, 0.0, context_.rank);
    context_.database.insert<Table::kNodes>(id, counter_of(node), operations_.size() + 1, kFreedOutside,
                                            context_.rank);
    tensor_io_.add_deallocation(id);
    if (tensor_id) tensor_io_.add_input(id, *tensor_id);
    OperationGraph graph(context_.devices);
    if (Status appended = graph.append_with_connections(node, {2}); !appended) return appended;
    context_.database.insert<Table::kCapturedGraph>(id, graph.text(), context_.rank);
    write_edges(id, graph.edges());
    operations_.push_back({std::nullopt, counter_of(node), true});
    lifetimes_.end_operation();
    return context_.database.status();
}

// Belongs to the operation around the innermost open function that it names.
Status GraphImport::add_error_node(const Node& node) {
    auto type = report::text_param(node, "error_type");
    if (!type) return type.error();
    auto message = report::text_param(node, "error_message");
    if (!message) return message.error();
    auto operation = report::text_param(node, "error_operation");
    if (!operation) return operation.error();
    const std::string_view name = operation->value_or("");
    auto function = std::find_if(open_.rbegin(), open_.rend(), [&](const OpenFunction& open) {
        return !name.empty() && open.name == name;
    });
    function = std::find_if(function, open_.rend(), [](const OpenFunction& open) { return !open.nested; });
    if (function != open_.rend()) {
        if (!function->error)
            function->error =
                ErrorText{std::string(type->value_or("unknown")), std::string(message->value_or(""))};
        return {};
    }
    write_error(context_.base_operation_id, name, type->value_or("unknown"), message->value_or(""), "");
    return {};
}

Status GraphImport::end() {
    const std::unordered_set<std::int64_t> errored = errored_operations_;
    for (const OpenFunction& function : open_)
        if (!function.nested)
            if (Status ended = end_open_operation(function, errored); !ended) return ended;
    if (Status written = tensor_io_.write(context_.database, *graph_); !written) return written;
    return context_.database.status();
}

// It started and never ended: the capture stopped, or an exception went past it.
Status GraphImport::end_open_operation(const OpenFunction& function,
                                       const std::unordered_set<std::int64_t>& errored) {
    ++facts_.incomplete_operations;
    const std::int64_t id = next_operation_id();
    auto record = read_record(&function);
    if (!record) return record.error();
    context_.database.insert<Table::kOperations>(id, function.name, 0.0, context_.rank);
    if (is_deallocation(function.name)) tensor_io_.add_deallocation(id);
    write_arguments(id, *record, &function);
    if (Status written = write_inputs(id, *record, &function); !written) return written;
    if (Status written = write_graph(id, *record); !written) return written;
    std::string stack_trace = joined_lines(record->at("python_stack_trace"));
    if (stack_trace.empty()) stack_trace = function.stack_trace;
    if (!stack_trace.empty()) write_stack(id, stack_trace);
    if (!errored.contains(id)) {
        ErrorText error{"incomplete_operation",
                        "Operation '" + function.name + "' started but never completed (likely crashed)"};
        const JsonValue recorded = record->at("error");
        if (recorded.size() > 0) {
            if (recorded.has("type")) report::append_python_str(error.type = "", recorded.at("type"));
            if (recorded.has("message"))
                report::append_python_str(error.message = "", recorded.at("message"));
        } else if (function.error) {
            error = *function.error;
        }
        write_error(id, function.name, error.type, error.message, stack_trace);
    }
    operations_.push_back({function.counter, function.counter, false});
    lifetimes_.end_operation();
    return context_.database.status();
}

}  // namespace tilemeter::visualizer_import
