// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors as tables of FlatBuffers, with fields in the order of TT-NN's schema, and their values as they lie in memory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tilemeter_ttnn/tensor.hpp"
#include "tools/compat/src/flatbuffer.hpp"
#include "tools/compat/src/model.hpp"

namespace tilemeter::compat {

using Bytes = std::vector<std::byte>;

FlatBufferWriter::Child cores_table(const metal::CoreRangeSet& cores);
/// Throws std::runtime_error for shards of any number of dimensions.
FlatBufferWriter::Child config_table(const metal::MemoryConfig& config);
FlatBufferWriter::Child spec_table(const metal::TensorSpec& spec);

/// Values that stand `offset` bytes behind the first of a file's.
struct PackedBuffer {
    std::uint64_t offset = 0;
    Bytes bytes;
};
struct PackedTensor {
    FlatBufferWriter::Child table;
    std::vector<PackedBuffer> buffers;  ///< one, or one for each chip
};
/// The first values at `first_offset`, the others behind them, each aligned.
PackedTensor packed_tensor(const ::ttnn::Tensor& tensor, std::uint64_t first_offset, std::uint64_t alignment);

// Throw std::runtime_error for what no such table says.
metal::CoreRangeSet cores_of(const FlatBufferTable& table);
metal::MemoryConfig config_of(const FlatBufferTable& table);
metal::TensorSpec spec_of(const FlatBufferTable& table);
/// `data`: all values of its file.
::ttnn::Tensor tensor_of(const FlatBufferTable& table, std::span<const std::byte> data);

}  // namespace tilemeter::compat
