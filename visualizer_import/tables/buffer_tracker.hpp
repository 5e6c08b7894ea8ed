// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/report_reader.hpp"
#include "visualizer_import/tables/buffer_lifetimes.hpp"
#include "visualizer_import/tables/earlier_buffers.hpp"
#include "visualizer_import/tables/file_context.hpp"
#include "visualizer_import/tables/tensor_table.hpp"

namespace tilemeter::visualizer_import {

// Follows the buffers of one graph: reads the nodes that allocate, mention and free them, and gives their
// lifetimes what these say. Tensors without an address get the one at which their buffer was placed.
class BufferTracker {
public:
    // REQUIRES: both outlive this
    BufferTracker(const FileContext& context, TensorTable& tensors);

    void begin(report::GraphAccess& graph) { graph_ = &graph; }
    // A buffer node. What is wrong with it matters only to who needs it: the allocation that follows.
    report::Status add_buffer(const report::JsonNode& node);
    report::Status allocate(const report::JsonNode& node);
    // Returns the tensor that lay in the buffer, if one is known.
    report::Result<std::optional<std::int64_t>> free(const report::JsonNode& node);
    void end_operation() { lifetimes_.end_operation(); }
    // The graph is complete: adds the buffers that are older than the capture.
    void end();

    [[nodiscard]] EventLifetimes& lifetimes() { return lifetimes_; }
    [[nodiscard]] const EventLifetimes& lifetimes() const { return lifetimes_; }

private:
    [[nodiscard]] bool reference_quirks() const { return context_.options.reference_quirks; }
    report::Status keep_connections(const report::JsonNode& node);
    report::Status add_earlier_buffer(const report::JsonNode& node);
    report::Status place_tensors(std::size_t buffer_node, std::int64_t address);
    // The record of an allocation or a free.
    [[nodiscard]] report::Result<report::LiveBufferRecord> described_buffer(
        const report::JsonNode& node) const;

    const FileContext& context_;
    TensorTable& tensors_;
    report::GraphAccess* graph_ = nullptr;
    EventLifetimes lifetimes_;
    EarlierBuffers earlier_buffers_;
    // The latest buffer node, whose allocation mostly follows at once.
    struct {
        std::size_t node = EventLifetimes::kNoNode;
        std::vector<std::int64_t> connections;
    } last_buffer_;
};

}  // namespace tilemeter::visualizer_import
