// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The graph of calls, made of the events of a traced function and what its programs wrote.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/ir/graph.hpp"
#include "runtime/trace/device/record/internal/call_arguments.hpp"
#include "runtime/trace/device/record/internal/recorded_calls.hpp"

namespace tilemeter::trace::internal {

/// A scope that says nothing of its index: the calls in it stand for it.
inline constexpr std::string_view kIndexingScope = "ttnn.Tensor.__getitem__";

struct GraphOfCalls {
    ir::Graph graph;
    std::vector<std::uint32_t> calls;  ///< by equation: TracedProgram::calls()
};

GraphOfCalls make_graph(const RecordedCalls& recorded);

class CallGraph {
public:
    explicit CallGraph(const RecordedCalls& recorded);

    void add_input(const std::string& name, const NamedTensor& tensor);

    /// The arguments of the call that begins with the next event.
    void add_call(const NotedCall& call);
    /// The next event of the thread.
    void add_event(const record::Event& event);
    /// The contents of the buffer were written before the next event.
    void add_write(record::BufferId buffer, record::TensorSpecId spec);

    /// The pass of the calls that begin from here on.
    void set_pass(CallPass pass) { pass_ = pass; }

    /// The place of the call that is open, or else of the next one.
    void set_place(const NotedPlace& place);

    GraphOfCalls finish(const std::vector<NamedTensor>& results);

private:
    struct BufferState {
        ir::ValueId value{};
        record::TensorSpecId spec{};
        std::uint32_t version = 0;
    };
    struct TensorState {
        ir::ValueId value{};
        std::uint32_t version = 0;  // of the buffer
    };
    struct Output {
        record::TensorId tensor{};
        record::BufferId buffer{};
        record::TensorSpecId spec{};
    };

    void begin_call(const record::Event& event);
    void end_call();
    void add_operand(const TensorArgument& given);
    void add_argument(const record::Event& event);
    ir::ValueId value_of(record::TensorId tensor, record::BufferId buffer, record::TensorSpecId spec);
    ir::ValueId host_value(record::TensorId tensor, record::TensorSpecId spec);
    const ir::TensorType& type_of(record::TensorSpecId spec);
    void add_pass(ir::Attributes& attributes) const;
    bool is_unchanged(const Output& output) const;

    ir::Graph graph_;
    std::vector<std::uint32_t> calls_;
    const std::string device_;
    const RecordedCalls& recorded_;
    std::unordered_map<record::BufferId, BufferState> buffers_;
    std::unordered_map<record::TensorId, TensorState> tensors_;
    std::unordered_map<record::TensorSpecId, ir::TensorType> types_;
    std::unordered_map<record::TextId, std::string> names_;
    CallPass pass_ = CallPass::kNone;
    std::uint32_t outside_ = 0;  // parameters for tensors from outside

    // State of the call that is open:
    int depth_ = 0;
    std::uint32_t call_count_ = 0;  // with it
    std::optional<NotedPlace> place_;
    record::TextId name_{};
    const NotedCall* given_ = nullptr;  // of the call that begins next, then of the one that is open
    std::vector<ir::ValueId> operands_;
    std::vector<record::TensorId> operand_tensors_;
    std::vector<std::vector<ir::Attribute>> lists_;  // that are open
    std::vector<ir::Attribute> arguments_;
    std::vector<bool> is_attribute_;
    std::vector<Output> outputs_;
    std::vector<std::pair<record::BufferId, record::TensorSpecId>> written_;
    std::vector<record::BufferId> made_;
};

}  // namespace tilemeter::trace::internal
