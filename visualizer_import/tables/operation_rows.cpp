// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/operation_rows.hpp"

#include "report/python_text.hpp"
#include "visualizer_import/graph/recorded_graph.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::JsonValue;
using report::Status;

constexpr std::string_view kFreedOutside = "ttnn::deallocate";

std::string text_of(const JsonValue& value) {
    std::string text;
    report::append_python_str(text, value);
    return text;
}

report::Result<std::vector<std::int64_t>> recorded_ids(const JsonValue& record, std::string_view key) {
    std::vector<std::int64_t> ids;
    for (auto id = record.at(key).children(); id.valid(); id.next()) {
        auto number = report::integer_of(id.value());
        if (!number || !*number) {
            std::string position = "Python record of ";
            position.append(text_of(record.at("name"))).append(", ").append(key);
            return Error{"", position, "integers", std::string(report::kind_name(id.value().kind()))};
        }
        ids.push_back(**number);
    }
    return ids;
}

}  // namespace

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

Status OperationRows::write_ended(std::int64_t operation_id, const EndedOperation& operation) {
    const OpenFunction* function = operation.function;
    auto record = read_record(function);
    if (!record) return record.error();
    write_operation(operation_id, operation.name, operation.seconds);
    const std::string stack_trace = joined_lines(record->at("python_stack_trace"));
    write_failure(operation_id, operation, *record, stack_trace);
    write_arguments(operation_id, *record, function);
    if (!stack_trace.empty()) {
        write_stack(operation_id, stack_trace);
    } else if (function != nullptr && !function->stack_trace.empty()) {
        write_stack(operation_id, function->stack_trace);
    }
    if (Status written = write_inputs(operation_id, *record, function); !written) return written;
    const bool failed = operation.abort.has_value() || record->at("error").is_object();
    if (Status written = write_outputs(operation_id, *record, operation.connections, failed); !written)
        return written;
    return write_graph(operation_id, *record);
}

Status OperationRows::write_unended(std::int64_t operation_id, const OpenFunction& function) {
    auto record = read_record(&function);
    if (!record) return record.error();
    write_operation(operation_id, function.name, 0.0);
    write_arguments(operation_id, *record, &function);
    if (Status written = write_inputs(operation_id, *record, &function); !written) return written;
    if (Status written = write_graph(operation_id, *record); !written) return written;
    std::string stack_trace = joined_lines(record->at("python_stack_trace"));
    if (stack_trace.empty()) stack_trace = function.stack_trace;
    if (!stack_trace.empty()) write_stack(operation_id, stack_trace);
    if (errored_operations_.contains(operation_id)) return {};
    OpenFunction::ErrorText error{
        "incomplete_operation",
        "Operation '" + function.name + "' started but never completed (likely crashed)"};
    const JsonValue recorded = record->at("error");
    if (recorded.size() > 0) {
        if (recorded.has("type")) error.type = text_of(recorded.at("type"));
        if (recorded.has("message")) error.message = text_of(recorded.at("message"));
    } else if (function.error) {
        error = *function.error;
    }
    write_error(operation_id, function.name, error.type, error.message, stack_trace);
    return {};
}

Status OperationRows::write_free(std::int64_t operation_id, std::int64_t number, const report::JsonNode& node,
                                 std::optional<std::int64_t> tensor_id) {
    write_operation(operation_id, kFreedOutside, 0.0);
    context_.database.insert<Table::kNodes>(operation_id, node.counter.value_or(0), number, kFreedOutside,
                                            context_.rank);
    if (tensor_id) tensor_io_.add_input(operation_id, *tensor_id);
    OperationGraph graph(context_.devices, context_.options.reference_quirks);
    if (Status appended = graph.append_with_connections(node, {2}); !appended) return appended;
    context_.database.insert<Table::kCapturedGraph>(operation_id, graph.text(), context_.rank);
    write_edges(operation_id, graph.edges());
    return {};
}

void OperationRows::write_operation(std::int64_t operation_id, std::string_view name, double seconds) {
    context_.database.insert<Table::kOperations>(operation_id, name, seconds, context_.rank);
    if (is_deallocation(name)) tensor_io_.add_deallocation(operation_id);
}

report::Result<JsonValue> OperationRows::read_record(const OpenFunction* function) {
    if (function == nullptr || !function->record) return JsonValue();
    return context_.python_io->record(*function->record);
}

void OperationRows::write_arguments(std::int64_t operation_id, const Record& record,
                                    const OpenFunction* function) {
    const JsonValue recorded = record.at("arguments");
    if (recorded.is_object() && recorded.size() > 0) {
        for (auto argument = recorded.children(); argument.valid(); argument.next())
            context_.database.insert<Table::kOperationArguments>(operation_id, argument.key(),
                                                                 text_of(argument.value()), context_.rank);
        return;
    }
    if (function == nullptr) return;
    std::size_t i = 0;
    for (const std::string& argument : function->arguments)
        context_.database.insert<Table::kOperationArguments>(operation_id, "arg_" + std::to_string(i++),
                                                             argument, context_.rank);
}

void OperationRows::write_stack(std::int64_t operation_id, const std::string& stack_trace) {
    tensor_io_.add_stack(operation_id, stack_trace);
    const auto source_file_id = context_.sources.source_file_id(context_.database, stack_trace);
    context_.database.insert<Table::kStackTraces>(operation_id, stack_trace, source_file_id, context_.rank);
}

void OperationRows::write_error(std::int64_t operation_id, std::string_view name, std::string_view type,
                                std::string_view message, std::string_view stack_trace) {
    errored_operations_.insert(operation_id);
    context_.database.insert<Table::kErrors>(operation_id, name, type, message, stack_trace,
                                             std::string_view(), context_.rank);
}

// Python's view beats that of the scopes, and that beats an error node.
void OperationRows::write_failure(std::int64_t operation_id, const EndedOperation& operation,
                                  const Record& record, const std::string& stack_trace) {
    const std::string& name = operation.name;
    const OpenFunction* function = operation.function;
    const std::optional<Abort>& abort = operation.abort;
    const JsonValue error = record.at("error");
    if (error.size() > 0) {
        const std::string type = error.has("type") ? text_of(error.at("type")) : "exception";
        const std::string message = error.has("message") ? text_of(error.at("message")) : "";
        write_error(operation_id, name, type, message, stack_trace);
    } else if (abort) {
        const std::string reason = !abort->reason.empty()
                                       ? abort->reason
                                       : "Operation '" + abort->name + "' was aborted by an exception";
        write_error(operation_id, name, "aborted_operation", reason, stack_trace);
    } else if (function != nullptr && function->error) {
        write_error(operation_id, name, function->error->type, function->error->message, stack_trace);
    }
}

Status OperationRows::write_inputs(std::int64_t operation_id, const Record& record,
                                   const OpenFunction* function) {
    auto ids = recorded_ids(record, "input_tensor_ids");
    if (!ids) return ids.error();
    if (ids->empty() && function != nullptr) {
        const report::NodeIndex& graph = graph_->index();
        for (const std::int64_t counter : function->input_tensors) {
            if (counter < 0 || static_cast<std::size_t>(counter) >= graph.size()) continue;
            if (const auto id = graph.tensor_id(static_cast<std::size_t>(counter))) ids->push_back(*id);
        }
        if (ids->empty()) *ids = nested_.lifted_inputs();
    }
    for (const std::int64_t id : *ids)
        tensor_io_.add_input(operation_id, id);
    return {};
}

Status OperationRows::write_recorded_outputs(std::int64_t operation_id, const Record& record,
                                             const std::vector<std::int64_t>& connections) {
    auto ids = recorded_ids(record, "output_tensor_ids");
    if (!ids) return ids.error();
    const report::NodeIndex& graph = graph_->index();
    std::vector<std::size_t> nodes;
    for (const std::int64_t counter : connections) {
        const auto i = static_cast<std::size_t>(counter);
        if (counter >= 0 && i < graph.size() && graph.type(i) == report::NodeType::kTensor)
            nodes.push_back(i);
    }
    if (nodes.empty())
        for (const NestedTensors::Output& output : nested_.outputs())
            nodes.push_back(output.node_index);
    for (std::size_t i = 0; i < ids->size(); ++i) {
        tensor_io_.add_output(operation_id, (*ids)[i]);
        if (i < nodes.size()) tensor_io_.looks_like((*ids)[i], nodes[i]);
    }
    return {};
}

// Also puts them behind the operation's graph.
Status OperationRows::write_outputs(std::int64_t operation_id, const Record& record,
                                    const std::vector<std::int64_t>& connections, bool failed) {
    if (record.at("output_tensor_ids").size() > 0)
        return write_recorded_outputs(operation_id, record, connections);
    const report::NodeIndex& graph = graph_->index();
    const bool own_graph = record.at("captured_graph").size() == 0;
    std::vector<NestedTensors::Output> outputs;
    for (const std::int64_t counter : connections) {
        const auto i = static_cast<std::size_t>(counter);
        if (counter < 0 || i >= graph.size()) continue;
        if (const auto id = graph.tensor_id(i)) outputs.push_back({*id, i});
    }
    // A tensor that a failed operation made on the way is gone with it.
    const bool lift = outputs.empty() && (!failed || context_.options.reference_quirks);
    if (lift) outputs = nested_.lifted_outputs();
    for (const NestedTensors::Output& output : outputs) {
        tensor_io_.add_output(operation_id, output.tensor_id);
        if (!own_graph || operation_graph_.append_own_output(output.node_index)) continue;
        auto node = graph_->node_at(output.node_index);
        if (!node) return node.error();
        if (Status appended = operation_graph_.append_output(*node); !appended) return appended;
    }
    return {};
}

Status OperationRows::write_graph(std::int64_t operation_id, const Record& record) {
    const JsonValue recorded = record.at("captured_graph");
    if (recorded.is_array() && recorded.size() > 0) {
        text_.clear();
        edges_.clear();
        if (Status rendered = render_recorded_graph(recorded, text_, edges_); !rendered) return rendered;
        context_.database.insert<Table::kCapturedGraph>(operation_id, text_, context_.rank);
        write_edges(operation_id, edges_);
    } else {
        context_.database.insert<Table::kCapturedGraph>(operation_id, operation_graph_.text(), context_.rank);
        write_edges(operation_id, operation_graph_.edges());
    }
    return {};
}

void OperationRows::write_edges(std::int64_t operation_id, const std::vector<Edge>& edges) {
    for (const Edge& edge : edges)
        context_.database.insert<Table::kEdges>(operation_id, edge.source, edge.target, edge.index, 0,
                                                edge.index, context_.rank);
}

}  // namespace tilemeter::visualizer_import
