// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A node list as the analyses want it: typed, compact, whatever it came from (load.hpp). What a node says
// lies in the table of its kind; Node::detail is the row.
//
//   nodes            tables
//   0 capture_start
//   1 function_start ──▶ functions[0]
//   2 tensor ──────────▶ tensors[0]
//   3 buffer_allocate ─▶ buffers[0]
//
// Connections are positions in the list, as foreign lists have them: they may point anywhere.
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/record/emitter.hpp"
#include "report/analysis/nodes/list_source.hpp"
#include "report/analysis/nodes/number.hpp"
#include "report/analysis/nodes/text_pool.hpp"
#include "report/json_node.hpp"

namespace tilemeter::analysis {

using graph::NodeType;
using record::MemoryType;
/// The memory that a trace region is part of; counted per bank, L1 per core.
constexpr bool is_dram(MemoryType memory) {
    return memory == MemoryType::kDram || memory == MemoryType::kTrace;
}

using record::ProgramMemoryKind;

inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

/// A run of elements in one of the pools below.
struct PoolRange {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
};

struct ListedDevice {
    std::int64_t id = 0;
    std::string arch;
    Number grid_x, grid_y;  ///< compute cores
    Number worker_l1_bytes, l1_banks, l1_bank_bytes, first_program_address, program_limit;
    Number dram_banks, dram_bank_bytes;
};

/// A physical chip behind a device (on a mesh, behind the mesh's id).
struct Chip {
    std::int64_t device;
    std::int64_t physical;
    friend bool operator==(const Chip&, const Chip&) = default;
};

struct NodeList {
    struct Node {
        Number counter;
        std::uint32_t detail = kNoIndex;  ///< kNoIndex: the node has no params, or its kind has no table
        PoolRange connections;
        std::int32_t level = kNoLevel;
        TextRef unknown_kind = TextRef::kNone;  ///< the list's spelling of a kind not known here
        NodeType kind = NodeType::kUnknown;
        bool is_program_memory = false;  ///< also unknown kinds that end in _allocate
    };
    static constexpr std::int32_t kNoLevel = std::numeric_limits<std::int32_t>::min();

    struct Function {
        TextRef name = TextRef::kNone;
        TextRef source_line = TextRef::kNone;  ///< "model.py:51", of a list with Python stacks in its nodes
        Number inputs;
        PoolRange arguments;      ///< in argument_texts
        PoolRange input_tensors;  ///< in indices
        bool has_non_text_arguments = false;
        bool cache_hit = false;
        bool has_program = false;  ///< a device operation that finished: it names its program
    };
    struct End {  ///< function_end, capture_end
        TextRef name = TextRef::kNone;
        TextRef abort_reason = TextRef::kNone;
        Number duration_ns;
        bool aborted = false;
    };
    struct Tensor {
        Number tensor_id, size_bytes, address, device;
        TextRef tensor_id_text = TextRef::kNone;  ///< as spelled, where that differs from the number's text
        TextRef shape = TextRef::kNone, dtype = TextRef::kNone, layout = TextRef::kNone,
                memory_config = TextRef::kNone, device_tensors = TextRef::kNone;
        bool on_device = false;
        bool id_is_text = false;  ///< in the list, which then counts as spelled
    };
    struct Buffer {  ///< buffer, buffer_allocate, buffer_deallocate
        Number size_bytes, size_per_bank_bytes, address, device, page_size_bytes, cores, type_number;
        TextRef type = TextRef::kNone, layout = TextRef::kNone;
        MemoryType memory = MemoryType::kSystemMemory;
    };
    struct ProgramMemory {
        Number size_bytes, address, device;
        Number shared_number;  ///< globally_allocated or borrows_memory, as a number
        TextRef core_ranges = TextRef::kNone;
        ProgramMemoryKind kind = ProgramMemoryKind::kOther;
        bool shared = false;  ///< it lies in a tensor's buffer
    };
    struct ProgramEvent {  ///< circular_buffer_deallocate_all, program_execution, sub_device_manager
        Number device, physical_device, runtime_id, sub_device, sub_device_manager;
    };
    struct Failure {  ///< error
        TextRef type = TextRef::kNone, message = TextRef::kNone, operation = TextRef::kNone;
    };

    std::vector<Node> nodes;
    std::vector<Function> functions;
    std::vector<End> ends;
    std::vector<Tensor> tensors;
    std::vector<Buffer> buffers;
    std::vector<ProgramMemory> program_memory;
    std::vector<ProgramEvent> program_events;
    std::vector<Failure> failures;

    std::vector<std::int64_t> indices;    ///< pool of connections and input tensors
    std::vector<TextRef> argument_texts;  ///< pool of arguments
    TextPool texts;

    /// Fields that nodes lack or have in another kind than recorders write: a set of internal::Defect. Only where the
    /// list came as JSON by itself; TT-NN's analyses fail on much of it (ttnn/internal/refusals.hpp).
    struct MalformedNode {
        std::uint32_t node;
        std::uint32_t defects;
    };
    std::vector<MalformedNode> malformed_nodes;  ///< ascending; empty for what a recorder wrote

    /// Buffers from before the capture that no node tells of: there from its begin to its end.
    std::vector<Buffer> buffers_without_nodes;

    ListSource source;
    std::vector<ListedDevice> devices;
    std::vector<Chip> chips;  ///< where the list's origin says them; others stand in Tensor::device_tensors
    /// The share of each kind of program memory that the recorder told, as the report says. One that does not say is
    /// taken for TT-NN's, which leaves out most of it in NORMAL mode: see ../ANSWERS.md.
    std::optional<record::ProgramMemoryKept> program_memory_told;
    bool program_memory_is_complete() const { return program_memory_told == record::ProgramMemoryKept{}; }
    /// The recorder says that it told not all of some kind.
    bool some_program_memory_is_untold() const {
        return program_memory_told && !program_memory_is_complete();
    }
    /// Not of a kind of which the recorder says that it told not all.
    bool is_told(ProgramMemoryKind kind) const {
        if (!program_memory_told) return true;
        switch (kind) {
            case ProgramMemoryKind::kCircularBuffer:
                return program_memory_told->circular_buffers == record::Completeness::kComplete;
            case ProgramMemoryKind::kDataflowBuffer:
                return program_memory_told->dataflow_buffers == record::Completeness::kComplete;
            case ProgramMemoryKind::kScratchpad:
                return program_memory_told->scratchpads == record::Completeness::kComplete;
            case ProgramMemoryKind::kOther:
                break;
        }
        return true;
    }

    std::size_t size() const { return nodes.size(); }
    std::span<const std::int64_t> connections(std::size_t node) const {
        return of_pool(nodes[node].connections);
    }
    std::span<const std::int64_t> of_pool(PoolRange range) const {
        return std::span(indices).subspan(range.begin, range.count);
    }
    std::span<const TextRef> arguments(const Function& function) const {
        return std::span(argument_texts).subspan(function.arguments.begin, function.arguments.count);
    }
    bool holds(std::int64_t index) const {
        return index >= 0 && static_cast<std::uint64_t>(index) < nodes.size();
    }

    // The row of a node's table; null where it has none.
    const Function* function(std::size_t node) const {
        return row(functions, node, NodeType::kFunctionStart);
    }
    const End* end(std::size_t node) const {
        return row(
            ends, node,
            nodes[node].kind == NodeType::kCaptureEnd ? NodeType::kCaptureEnd : NodeType::kFunctionEnd);
    }
    const Tensor* tensor(std::size_t node) const { return row(tensors, node, NodeType::kTensor); }
    const Buffer* buffer(std::size_t node) const {
        if (node >= nodes.size()) return nullptr;
        const NodeType kind = nodes[node].kind;
        const bool fits = kind == NodeType::kBufferAllocate || kind == NodeType::kBufferDeallocate;
        return row(buffers, node, fits ? kind : NodeType::kBuffer);
    }
    const ProgramMemory* program_piece(std::size_t node) const {
        return nodes[node].is_program_memory ? &program_memory[nodes[node].detail] : nullptr;
    }
    const ProgramEvent* program_event(std::size_t node) const {
        switch (nodes[node].kind) {
            case NodeType::kCircularBufferDeallocateAll:
            case NodeType::kProgramExecution:
            case NodeType::kSubDeviceManager:
                return &program_events[nodes[node].detail];
            default:
                return nullptr;
        }
    }

    std::string_view text(TextRef ref) const { return texts.of(ref); }
    /// As the list spells it, also for kinds not known here.
    std::string_view kind_name(std::size_t node) const {
        const Node& it = nodes[node];
        if (it.kind != NodeType::kUnknown) return name_of(it.kind);
        return texts.of(it.unknown_kind);
    }
    /// The name of a function_start or function_end; empty for other nodes.
    std::string_view name(std::size_t node) const {
        if (const Function* begin = function(node)) return texts.of(begin->name);
        const End* finish = nodes[node].kind == NodeType::kFunctionEnd ? end(node) : nullptr;
        return finish ? texts.of(finish->name) : std::string_view();
    }
    const ListedDevice* device(std::int64_t id) const {
        for (const ListedDevice& description : devices)
            if (description.id == id) return &description;
        return nullptr;
    }

private:
    template <class Row>
    const Row* row(const std::vector<Row>& table, std::size_t node, NodeType kind) const {
        const Node& it = nodes[node];
        return it.kind == kind && it.detail != kNoIndex ? &table[it.detail] : nullptr;
    }
};

}  // namespace tilemeter::analysis
