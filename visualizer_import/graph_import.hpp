// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/python_io.hpp"
#include "report/report_reader.hpp"
#include "visualizer_import/graph/nested_tensors.hpp"
#include "visualizer_import/graph/operation_graph.hpp"
#include "visualizer_import/tables/buffer_tracker.hpp"
#include "visualizer_import/tables/executions.hpp"
#include "visualizer_import/tables/file_context.hpp"
#include "visualizer_import/tables/operation_rows.hpp"
#include "visualizer_import/tables/program_memory.hpp"
#include "visualizer_import/tables/tensor_io.hpp"
#include "visualizer_import/tables/tensor_table.hpp"

namespace tilemeter::visualizer_import {

struct OperationInfo {
    std::optional<std::int64_t> start_counter;  // none: a free outside any function
    std::int64_t end_counter = 0;
    bool has_live_buffers = false;  // its buffers rows are what is alive at its end
};

// The counts for the summary.
struct GraphInfo {
    std::uint64_t nodes = 0;
    std::uint64_t unknown_nodes = 0;
    std::uint64_t outermost_functions = 0;
    std::uint64_t executions = 0;
    std::uint64_t executions_without_program_memory = 0;
    std::uint64_t incomplete_operations = 0;
    std::uint64_t unmatched_function_ends = 0;
    std::uint64_t dropped_executions = 0;
    std::uint64_t foreign_records = 0;
};

// Turns the nodes of one graph, in order, into rows. DATABASE.md, "Operations", says which function is an
// operation, what it takes and makes, and what goes into each row.
class GraphImport {
public:
    explicit GraphImport(FileContext context);

    GraphImport(const GraphImport&) = delete;  // its parts refer to each other
    GraphImport& operator=(const GraphImport&) = delete;

    void begin(report::GraphAccess& graph);
    report::Status add(const report::JsonNode& node);
    // The graph is complete: operations that never ended, tensors.
    report::Status end();

    // In the order of their ids, which are base_operation_id + 1 + index.
    [[nodiscard]] const std::vector<OperationInfo>& operations() const { return operations_; }
    [[nodiscard]] EventLifetimes& lifetimes() { return buffers_.lifetimes(); }
    [[nodiscard]] const EventLifetimes& lifetimes() const { return buffers_.lifetimes(); }
    [[nodiscard]] const GraphInfo& info() const { return info_; }
    [[nodiscard]] const TensorIo& tensor_io() const { return tensor_io_; }
    [[nodiscard]] const ProgramMemory& program_memory() const { return program_memory_; }

private:
    report::Status start_function(const report::JsonNode& node);
    report::Status end_function(const report::JsonNode& node);
    report::Status end_nested(const report::JsonNode& node, const OpenFunction& function);
    report::Status end_operation(const report::JsonNode& node, const OpenFunction* function);
    report::Status free_buffer(const report::JsonNode& node);
    report::Status add_error_node(const report::JsonNode& node);

    [[nodiscard]] bool collects_nodes() const;
    [[nodiscard]] std::string displayed_name(std::string name) const;
    [[nodiscard]] bool is_transparent(std::string_view name) const;
    std::optional<report::PythonIo::RecordId> take_record(const report::JsonNode& start,
                                                          std::string_view name);
    [[nodiscard]] bool may_belong(report::PythonIo::RecordId record, const report::JsonNode& start) const;

    [[nodiscard]] std::optional<std::int64_t> innermost_counter() const;
    [[nodiscard]] std::int64_t next_operation_id() const {
        return context_.base_operation_id + 1 + static_cast<std::int64_t>(operations_.size());
    }
    [[nodiscard]] std::int64_t counter_of(const report::JsonNode& node) const {
        return node.counter.value_or(0);
    }

    FileContext context_;
    report::GraphAccess* graph_ = nullptr;

    std::vector<OpenFunction> open_;
    int depth_ = 0;  // open functions that count: can be below 0 as in the reference, after unmatched ends
    int node_depth_ = 0;  // all starts less all ends, which may be more
    bool operation_open_ = false;
    bool seen_operation_ = false;  // from_torch in front of all others loads weights and is no operation
    std::optional<Abort> nested_abort_;
    NestedTensors nested_;
    OperationGraph operation_graph_;
    Executions executions_;
    ProgramMemory program_memory_;

    std::vector<OperationInfo> operations_;
    TensorTable tensors_;
    TensorIo tensor_io_;
    OperationRows rows_;
    BufferTracker buffers_;
    GraphInfo info_;
};

}  // namespace tilemeter::visualizer_import
