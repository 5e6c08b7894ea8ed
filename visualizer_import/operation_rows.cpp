// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The rows of one operation: the part of GraphImport that writes.
#include <algorithm>

#include "report/python_text.hpp"
#include "visualizer_import/graph_import.hpp"
#include "visualizer_import/recorded_graph.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::JsonValue;
using report::Status;

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

report::Result<JsonValue> GraphImport::read_record(const OpenFunction* function) {
    if (function == nullptr || !function->record) return JsonValue();
    return context_.python_io->record(*function->record);
}

void GraphImport::write_arguments(std::int64_t operation_id, const Record& record,
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

void GraphImport::write_stack(std::int64_t operation_id, const std::string& stack_trace) {
    tensor_io_.add_stack(operation_id, stack_trace);
    const auto source_file_id = context_.sources.source_file_id(context_.database, stack_trace);
    context_.database.insert<Table::kStackTraces>(operation_id, stack_trace, source_file_id, context_.rank);
}

void GraphImport::write_error(std::int64_t operation_id, std::string_view name, std::string_view type,
                              std::string_view message, std::string_view stack_trace) {
    ++info_.errors;
    errored_operations_.insert(operation_id);
    context_.database.insert<Table::kErrors>(operation_id, name, type, message, stack_trace,
                                             std::string_view(), context_.rank);
}

// What Python saw beats what the scopes tell, and that beats an error node.
void GraphImport::write_failure(std::int64_t operation_id, std::string_view name, const Record& record,
                                const OpenFunction* function, const std::optional<Abort>& abort,
                                const std::string& stack_trace) {
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

Status GraphImport::write_inputs(std::int64_t operation_id, const Record& record,
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

Status GraphImport::write_recorded_outputs(std::int64_t operation_id, const Record& record,
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
Status GraphImport::write_outputs(std::int64_t operation_id, const Record& record,
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
    // What a failed operation made on the way is gone with it.
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

Status GraphImport::write_graph(std::int64_t operation_id, const Record& record) {
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

void GraphImport::write_edges(std::int64_t operation_id, const std::vector<Edge>& edges) {
    for (const Edge& edge : edges)
        context_.database.insert<Table::kEdges>(operation_id, edge.source, edge.target, edge.index, 0,
                                                edge.index, context_.rank);
}

}  // namespace tilemeter::visualizer_import
