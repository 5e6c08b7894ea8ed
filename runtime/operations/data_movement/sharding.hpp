// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The same values in another place: interleaved over all banks or in shards on chosen cores.
//
// Any shape, dtype and layout that the shard spec fits. dtype of the result: that of the input unless given.
// Throws RuntimeError (a memory config of the wrong kind, shards that don't hold the tensor),
// OutOfMemoryError.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

Tensor interleaved_to_sharded(const Tensor& input, const MemoryConfig& memory_config,
                              const OptionalDataType& dtype = std::nullopt,
                              const OptionalTensor& output = std::nullopt);
Tensor sharded_to_interleaved(const Tensor& input, const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG,
                              const OptionalDataType& dtype = std::nullopt);
Tensor reshard(const Tensor& input, const MemoryConfig& memory_config,
               const OptionalTensor& output_tensor = std::nullopt);

/// Whatever of these it takes; the input itself where it lies so already.
Tensor to_memory_config(const Tensor& input, const MemoryConfig& memory_config,
                        const OptionalDataType& dtype = std::nullopt);
/// Into memory that is there already. Equal shapes and layouts.
Tensor to_memory_config(const Tensor& input, const Tensor& output);

namespace unscoped {
Tensor interleaved_to_sharded(const Tensor& input, const MemoryConfig& memory_config,
                              const OptionalDataType& dtype = std::nullopt);
Tensor sharded_to_interleaved(const Tensor& input, const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG,
                              const OptionalDataType& dtype = std::nullopt);
Tensor to_memory_config(const Tensor& input, const MemoryConfig& memory_config,
                        const OptionalDataType& dtype = std::nullopt);
}  // namespace unscoped

}  // namespace tilemeter
