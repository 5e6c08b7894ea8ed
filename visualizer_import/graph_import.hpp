// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "report/python_io.hpp"
#include "report/report_reader.hpp"
#include "visualizer_import/buffer_lifetimes.hpp"
#include "visualizer_import/database.hpp"
#include "visualizer_import/earlier_buffers.hpp"
#include "visualizer_import/executions.hpp"
#include "visualizer_import/nested_tensors.hpp"
#include "visualizer_import/operation_graph.hpp"
#include "visualizer_import/options.hpp"
#include "visualizer_import/program_memory.hpp"
#include "visualizer_import/stack_sources.hpp"
#include "visualizer_import/tensor_io.hpp"
#include "visualizer_import/tensor_table.hpp"

namespace tilemeter::visualizer_import {

// What the import of one file shares.
struct FileContext {
    Database& database;
    const ImportOptions& options;
    StackSources& sources;
    const DeviceMap& devices;
    std::int64_t rank = 0;
    std::int64_t base_operation_id = 0;
    report::PythonIo* python_io = nullptr;  // none: no sidecar
};

struct OperationInfo {
    std::optional<std::int64_t> start_counter;  // none: a free outside any function
    std::int64_t end_counter = 0;
    bool has_live_buffers = false;  // its buffers rows are what is alive at its end
};

// What is counted for the summary.
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
    std::uint64_t errors = 0;
};

// Turns the nodes of one graph, in order, into rows. Which function is an operation, what it takes and makes,
// and what goes into each row: README.md, "Operations".
class GraphImport {
public:
    explicit GraphImport(FileContext context);

    void begin(report::GraphAccess& graph) { graph_ = &graph; }
    report::Status add(const report::JsonNode& node);
    // The graph is complete: operations that never ended, tensors.
    report::Status end();

    // In the order of their ids, which are base_operation_id + 1 + index.
    [[nodiscard]] const std::vector<OperationInfo>& operations() const { return operations_; }
    [[nodiscard]] EventLifetimes& lifetimes() { return lifetimes_; }
    [[nodiscard]] const EventLifetimes& lifetimes() const { return lifetimes_; }
    [[nodiscard]] const GraphInfo& info() const { return info_; }
    [[nodiscard]] const TensorIo& tensor_io() const { return tensor_io_; }
    [[nodiscard]] const ProgramMemory& program_memory() const { return program_memory_; }

private:
    struct ErrorText {
        std::string type, message;
    };
    struct OpenFunction {
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
    struct Abort {
        std::string name, reason;
    };
    // What Python knows of an operation; null members for what it does not.
    using Record = report::JsonValue;

    report::Status start_function(const report::JsonNode& node);
    report::Status end_function(const report::JsonNode& node);
    report::Status end_nested(const report::JsonNode& node, const OpenFunction& function);
    report::Status end_operation(const report::JsonNode& node, const OpenFunction* function);
    report::Status end_open_operation(const OpenFunction& function,
                                      const std::unordered_set<std::int64_t>& errored);
    report::Status allocate_buffer(const report::JsonNode& node);
    report::Status place_tensors(std::size_t buffer_node, std::int64_t address);
    report::Status keep_buffer(const report::JsonNode& node);
    void meet_buffer(const report::JsonNode& node);
    report::Result<report::LiveBufferRecord> described_buffer(const report::JsonNode& node);
    report::Status free_buffer(const report::JsonNode& node);
    report::Status freed_outside(const report::JsonNode& node, std::optional<std::int64_t> tensor_id);
    report::Status add_error_node(const report::JsonNode& node);

    [[nodiscard]] bool collects_nodes() const;
    [[nodiscard]] std::string shown(std::string name) const;
    [[nodiscard]] bool is_transparent(std::string_view name) const;
    std::optional<report::PythonIo::RecordId> take_record(const report::JsonNode& start,
                                                          std::string_view name);
    [[nodiscard]] bool may_belong(report::PythonIo::RecordId record, const report::JsonNode& start) const;
    report::Result<Record> read_record(const OpenFunction* function);

    // The tables of one operation each.
    void write_arguments(std::int64_t operation_id, const Record& record, const OpenFunction* function);
    void write_stack(std::int64_t operation_id, const std::string& stack_trace);
    void write_error(std::int64_t operation_id, std::string_view name, std::string_view type,
                     std::string_view message, std::string_view stack_trace);
    void write_failure(std::int64_t operation_id, std::string_view name, const Record& record,
                       const OpenFunction* function, const std::optional<Abort>& abort,
                       const std::string& stack_trace);
    report::Status write_inputs(std::int64_t operation_id, const Record& record,
                                const OpenFunction* function);
    report::Status write_outputs(std::int64_t operation_id, const Record& record,
                                 const std::vector<std::int64_t>& connections, bool failed);
    report::Status write_recorded_outputs(std::int64_t operation_id, const Record& record,
                                          const std::vector<std::int64_t>& connections);
    report::Status write_graph(std::int64_t operation_id, const Record& record);
    void write_edges(std::int64_t operation_id, const std::vector<Edge>& edges);

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
    std::unordered_set<std::int64_t> errored_operations_;
    TensorTable tensors_;
    TensorIo tensor_io_;
    EventLifetimes lifetimes_;
    EarlierBuffers earlier_buffers_;
    // Its allocation mostly follows at once.
    struct {
        std::size_t node = EventLifetimes::kNoNode;
        std::vector<std::int64_t> connections;
    } last_buffer_;
    GraphInfo info_;
    std::string text_;
    std::vector<Edge> edges_;
};

}  // namespace tilemeter::visualizer_import
