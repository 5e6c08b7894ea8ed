// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/analysis/nodes/node_list_builder.hpp"

namespace tilemeter::analysis {

/// An n150, as reports describe it.
inline ListedDevice n150() {
    ListedDevice device;
    device.arch = "WORMHOLE_B0";
    device.grid_x = 8;
    device.grid_y = 8;
    device.worker_l1_bytes = 1'499'136;
    device.l1_banks = 64;
    device.l1_bank_bytes = 1'393'312;
    device.first_program_address = 105'824;
    device.dram_banks = 12;
    device.dram_bank_bytes = 1'073'741'824;
    return device;
}

/// Writes small node lists by hand, with the connections that recorders make.
class ListMaker {
public:
    ListMaker() { node(NodeType::kCaptureStart); }

    std::int64_t begin(std::string_view name) {
        ++level_;
        const std::int64_t at = node(NodeType::kFunctionStart);
        builder_.function().name = builder_.list.texts.intern(name);
        open_.push_back(at);
        return at;
    }
    void end() {
        const std::int64_t start = open_.back();
        node(NodeType::kFunctionEnd);
        builder_.end().name =
            builder_.list.functions[builder_.list.nodes[static_cast<std::size_t>(start)].detail].name;
        builder_.list.ends.back().duration_ns = 1000;
        open_.pop_back();
        --level_;
    }
    void abort() {
        end();
        builder_.list.ends.back().aborted = true;
    }
    /// An exception leaves the open function.
    void fail(std::string_view message) {
        node(NodeType::kError);
        builder_.failure().message = builder_.list.texts.intern(message);
    }
    void argument(std::string_view text) { builder_.add_argument(text); }

    struct BufferInfo {
        std::uint64_t per_bank = 0;
        std::int64_t address = 0;
        MemoryType memory = MemoryType::kL1;
        std::int64_t device = 0;
    };
    /// Gives the buffer node; allocated at once unless it is older than the list.
    std::int64_t buffer(const BufferInfo& info, bool older = false) {
        const std::int64_t at = node(NodeType::kBuffer);
        fill(builder_.buffer(), info);
        if (older) {
            builder_.list.buffers.back().size_per_bank_bytes = static_cast<std::int64_t>(info.per_bank);
            return at;
        }
        node(NodeType::kBufferAllocate);
        builder_.connect(at);
        place(builder_.buffer(), info);
        return at;
    }
    void free(std::int64_t buffer_node, const BufferInfo& info) {
        node(NodeType::kBufferDeallocate);
        builder_.connect(buffer_node);
        place(builder_.buffer(), info);
    }
    void deallocate_all(std::int64_t device = 0) {
        node(NodeType::kCircularBufferDeallocateAll);
        builder_.program_event().device = device;
    }
    void execute(std::int64_t device = 0, std::int64_t chip = 0) {
        node(NodeType::kProgramExecution);
        builder_.program_event().device = device;
        builder_.list.program_events.back().physical_device = chip;
    }

    struct Piece {
        std::uint64_t size = 0;
        std::string cores = "{[0-0 - 0-0]}";
        std::int64_t address = 0;
        bool shared = false;
        Number device = 0;
        ProgramMemoryKind kind = ProgramMemoryKind::kCircularBuffer;
    };
    void piece(const Piece& info) {
        node(info.kind == ProgramMemoryKind::kCircularBuffer   ? NodeType::kCircularBufferAllocate
             : info.kind == ProgramMemoryKind::kDataflowBuffer ? NodeType::kDataflowBufferAllocate
             : info.kind == ProgramMemoryKind::kScratchpad     ? NodeType::kScratchpadAllocate
                                                               : NodeType::kUnknown);
        NodeList::ProgramMemory& row = builder_.program_memory(info.kind);
        row.size_bytes = static_cast<std::int64_t>(info.size);
        row.address = info.address;
        row.device = info.device;
        row.shared = info.shared;
        row.shared_number = info.shared ? 1 : 0;
        row.core_ranges = builder_.list.texts.intern(info.cores);
    }

    /// The capture's end.
    void finish() {
        node(NodeType::kCaptureEnd);
        builder_.end();
    }

    std::size_t size() const { return builder_.list.size(); }
    /// The list so far; open functions stay open.
    NodeList take() { return std::move(builder_.list); }

private:
    std::int64_t node(NodeType kind) {
        const auto at = static_cast<std::int64_t>(builder_.list.size());
        builder_.begin(kind, at, level_);
        return at;
    }
    void fill(NodeList::Buffer& row, const BufferInfo& info) {
        row.size_bytes = static_cast<std::int64_t>(info.per_bank * 64);
        row.memory = info.memory;
        row.device = info.device;
        row.type = builder_.list.texts.intern(info.memory == MemoryType::kDram ? "DRAM" : "L1");
    }
    void place(NodeList::Buffer& row, const BufferInfo& info) {
        fill(row, info);
        row.address = info.address;
        row.size_per_bank_bytes = static_cast<std::int64_t>(info.per_bank);
    }

    NodeListBuilder builder_;
    std::int32_t level_ = 0;
    std::vector<std::int64_t> open_;
};

}  // namespace tilemeter::analysis
