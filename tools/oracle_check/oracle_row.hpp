// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// One row of the oracle tables: an operation as the reference recorded it.
// Fields: facts of allocation rules, section 6.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter::oracle {

struct MemoryPiece {
    std::uint64_t size_bytes = 0;
    std::string cores;
    bool shared = false;
    std::optional<std::uint64_t> address;  ///< the address, where the reference knew it
    friend bool operator==(const MemoryPiece&, const MemoryPiece&) = default;
};

struct RecordedProgram {
    std::string device_operation;
    std::string factory;  ///< without leading namespaces
    std::vector<MemoryPiece> circular_buffers;
    std::vector<MemoryPiece> dataflow_buffers;
    std::vector<MemoryPiece> scratchpads;
    bool all_pieces = true;  ///< else of NORMAL alone, which lists no dataflow buffers and scratchpads
};

struct BufferEvent {
    bool allocate = false;
    std::uint64_t address = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t page_size_bytes = 0;
    std::uint64_t num_cores = 0;
    std::uint64_t size_per_bank_bytes = 0;
    std::string type;
    friend bool operator==(const BufferEvent&, const BufferEvent&) = default;
    std::string to_string() const;
};

/// The outcome of a row, in the reference or here.
struct Outcome {
    std::string error;  ///< empty: none
    std::vector<std::string> call_trace;
    std::vector<RecordedProgram> programs;
    std::vector<BufferEvent> buffers;
    std::vector<std::uint32_t> output_shape;
    std::vector<std::uint32_t> output_padded;  ///< empty in some recordings
    std::string output_memory_layout;          ///< empty in some recordings
    std::string output_dtype;
    std::string output_layout;
    std::uint64_t output_address = 0;
};

/// A tensor in L1 that was there before the inputs: one page on every core.
struct L1Tensor {
    std::uint64_t bytes_per_core = 0;
    bool freed = false;  ///< once all of them were made
};

struct Row {
    std::string board;
    std::string operation;
    std::vector<L1Tensor> l1_before;  ///< in the order in which they were made
    bool called_before = false;       ///< once, in empty L1: its programs are in the cache
    TensorSpecs inputs;
    std::optional<MemoryConfig> out_memory_config;  ///< nothing: the operation was called without one
    nlohmann::json arguments;
    std::vector<std::uint64_t> input_addresses;
    std::uint64_t l1_small_size = 0;  ///< of the device
    Outcome recorded;
    /// The programs of NORMAL, which lists no dataflow buffers, scratchpads, nor circular buffers of a cached
    /// program. Empty: the row lies in DRAM, so that NO_DISPATCH, which allocates nothing, planned the same.
    std::vector<RecordedProgram> executed;
};

/// Throws std::runtime_error with what is wrong in the line.
Row parse_row(const std::string& line);

/// The programs of `ours` without moves, unless the reference has some: it plans all memory at address 0,
/// where nothing needs to move.
std::vector<RecordedProgram> without_unseen_moves(const std::vector<RecordedProgram>& ours,
                                                  const std::vector<RecordedProgram>& recorded);

std::string lower_case_name(DataType dtype);
DataType data_type(const std::string& lower_case);

/// {"memory_layout": "HEIGHT_SHARDED", "buffer_type": "L1", "shard_shape": [..], "shard_grid": [[x0, y0, x1,
/// y1]]}
MemoryConfig memory_config(const nlohmann::json& text);

}  // namespace tilemeter::oracle
