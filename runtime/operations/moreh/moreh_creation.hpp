// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors that the device fills by itself: with one number, or counting.
//
// All throw RuntimeError, OutOfMemoryError. Thread safety: all functions may be called from any thread.

#pragma once

#include <memory>

#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/eltwise/creation_like.hpp"

namespace tilemeter {

Tensor moreh_full(const Shape& shape, float fill_value, const std::shared_ptr<Device>& device,
                  DataType dtype = DataType::BFLOAT16, Layout layout = Layout::TILE,
                  const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);
/// dtype, layout and memory_config: those of the input unless given.
Tensor moreh_full_like(const Tensor& input, float fill_value, const OptionalDataType& dtype = std::nullopt,
                       const OptionalLayout& layout = std::nullopt,
                       const OptionalMemoryConfig& memory_config = std::nullopt);
/// start, start + step, ... below end: [1, n] in tiles, or [n] in rows (untilize_out).
Tensor moreh_arange(float start, float end, float step, const std::shared_ptr<Device>& device,
                    const OptionalTensor& output = std::nullopt, bool untilize_out = false,
                    DataType dtype = DataType::BFLOAT16,
                    const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);

}  // namespace tilemeter
