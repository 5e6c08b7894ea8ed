// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "report/python_io.hpp"
#include "report/report_reader.hpp"
#include "visualizer_import/graph/nested_tensors.hpp"
#include "visualizer_import/graph/operation_graph.hpp"
#include "visualizer_import/tables/file_context.hpp"
#include "visualizer_import/tables/tensor_io.hpp"

namespace tilemeter::visualizer_import {

// A function whose end was not met yet. Only those that are operations have arguments and stack trace.
struct OpenFunction {
    struct ErrorText {
        std::string type, message;
    };
    std::int64_t counter = 0;
    std::string name;
    std::vector<std::string> arguments;
    std::vector<std::int64_t> input_tensors;
    std::string stack_trace;  // of dialects that have it in the node
    bool nested = false;
    int depth = 0;
    std::optional<report::PythonIo::RecordId> record;
    std::optional<ErrorText> error;  // of an error node inside
};

// A function that an exception left.
struct Abort {
    std::string name, reason;
};

// An operation that ended.
struct EndedOperation {
    std::string name;
    double seconds = 0;
    const OpenFunction* function = nullptr;  // null: its start was not recorded
    std::vector<std::int64_t> connections;   // of its end
    std::optional<Abort> abort;              // of it, or of the first nested function that an exception left
};

// A stack trace, which comes as a list of lines.
std::string joined_lines(const report::JsonValue& texts);

// Writes the rows of one operation after the other: its name and duration, arguments, stack, error, input and
// output tensors, graph. What Python recorded of an operation beats what the nodes say.
class OperationRows {
public:
    // REQUIRES: all outlive this. nested and graph: of the operation that is written next
    OperationRows(const FileContext& context, TensorIo& tensor_io, const NestedTensors& nested,
                  OperationGraph& graph)
        : context_(context), tensor_io_(tensor_io), nested_(nested), operation_graph_(graph) {}

    void begin(report::GraphAccess& graph) { graph_ = &graph; }
    report::Status write_ended(std::int64_t operation_id, const EndedOperation& operation);
    // It started and never ended: the capture stopped, or an exception went past it.
    report::Status write_unended(std::int64_t operation_id, const OpenFunction& function);
    // A free that no function did.
    report::Status write_free(std::int64_t operation_id, std::int64_t number, const report::JsonNode& node,
                              std::optional<std::int64_t> tensor_id);
    void write_error(std::int64_t operation_id, std::string_view name, std::string_view type,
                     std::string_view message, std::string_view stack_trace);

private:
    // Python's record of an operation; null members for what it does not.
    using Record = report::JsonValue;

    report::Result<Record> read_record(const OpenFunction* function);
    void write_operation(std::int64_t operation_id, std::string_view name, double seconds);
    void write_arguments(std::int64_t operation_id, const Record& record, const OpenFunction* function);
    void write_stack(std::int64_t operation_id, const std::string& stack_trace);
    void write_failure(std::int64_t operation_id, const EndedOperation& operation, const Record& record,
                       const std::string& stack_trace);
    report::Status write_inputs(std::int64_t operation_id, const Record& record,
                                const OpenFunction* function);
    report::Status write_outputs(std::int64_t operation_id, const Record& record,
                                 const std::vector<std::int64_t>& connections, bool failed);
    report::Status write_recorded_outputs(std::int64_t operation_id, const Record& record,
                                          const std::vector<std::int64_t>& connections);
    report::Status write_graph(std::int64_t operation_id, const Record& record);
    void write_edges(std::int64_t operation_id, const std::vector<Edge>& edges);

    const FileContext& context_;
    TensorIo& tensor_io_;
    const NestedTensors& nested_;
    OperationGraph& operation_graph_;
    report::GraphAccess* graph_ = nullptr;
    std::unordered_set<std::int64_t> errored_operations_;
    std::string text_;
    std::vector<Edge> edges_;
};

}  // namespace tilemeter::visualizer_import
