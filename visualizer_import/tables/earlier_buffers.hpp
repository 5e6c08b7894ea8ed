// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "visualizer_import/tables/buffer_lifetimes.hpp"
#include "visualizer_import/tables/tensor_table.hpp"

namespace tilemeter::visualizer_import {

// The bytes of a buffer in each bank it has a part in, as TT-NN's events of allocations say it, told by a tensor in it;
// nothing where its texts don't tell. size_bytes: of the whole buffer. Interleaved: the pages (tiles, or rows) shared
// out evenly over the banks; sharded: a shard. Pages are rounded up to the memory's alignment, unlike in TT-NN's
// snapshots, since so much of it is taken.
std::optional<std::int64_t> bytes_per_bank(const TensorRow& tensor, std::int64_t size_bytes, bool interleaved,
                                           const BankCounts& banks);

// Buffers from before the capture. Nobody recorded their allocation, but they are met: by a tensor in them,
// or when they are freed. They were alive from the first operation on, until they were freed or another
// buffer was allocated in their place.
class EarlierBuffers {
public:
    // The node of a buffer; its allocation may follow. What is not known is 0. Whether the buffer may be an
    // earlier one that lies there: not if it is a view of one that was allocated.
    bool add(std::size_t buffer_node, const report::LiveBufferRecord& buffer);
    // The recorded allocation during an operation. Each gives what add() said lies there and lies there no more.
    // REQUIRES: operations do not decrease
    std::optional<report::LiveBufferRecord> allocated(std::size_t buffer_node,
                                                      const report::LiveBufferRecord& buffer,
                                                      OperationIndex operation);
    // freed: as the free describes it
    std::optional<report::LiveBufferRecord> freed(std::size_t buffer_node,
                                                  const report::LiveBufferRecord& freed,
                                                  OperationIndex operation);
    // The spans of a capture of `operation_count` operations, in the order in which they were met.
    [[nodiscard]] std::vector<BufferSpan> spans(OperationIndex operation_count) const;

private:
    using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // device, type, address
    static Place place_of(const report::LiveBufferRecord& buffer) {
        return {buffer.device_id, buffer.buffer_type, buffer.address};
    }
    struct Met {
        report::LiveBufferRecord buffer;
        std::optional<OperationIndex> freed;
        bool lies_there = false;
    };
    std::map<std::size_t, Met> met_;  // by node
    std::map<Place, OperationIndex> first_allocations_;
};

}  // namespace tilemeter::visualizer_import
