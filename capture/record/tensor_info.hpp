// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common fields of all tensors of one type, as plain values. Interned once per type and named by a small id.
//
// Thread safety: as text.hpp.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/events/event.hpp"
#include "capture/events/ids.hpp"

namespace tilemeter::record {

struct TensorInfo {
    std::vector<std::uint64_t> shape;  ///< logical dimensions, outermost first
    TextId dtype = TextId::kNone;      ///< as reports have it: "DataType::BFLOAT16"
    TextId layout = TextId::kNone;     ///< "Layout::TILE"
    bool on_device = false;
    std::uint64_t size_bytes = 0;         ///< logical volume times element size, as TT-NN's tensor nodes say
    std::uint64_t buffer_size_bytes = 0;  ///< pages times page size: what the buffer takes, padding included
    MemoryType memory = MemoryType::kDram;
    BufferLayout buffer_layout = BufferLayout::kInterleaved;
    TextId memory_config = TextId::kNone;  ///< "MemoryConfig(...)"; kNone on the host
    TextId argument_text =
        TextId::kNone;  ///< "Tensor(storage=...,tensor_spec=...)": the tensor as an argument

    friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

TensorSpecId intern(const TensorInfo& info);

/// The info behind an id; that of a default TensorInfo for TensorSpecId::kNone.
/// REQUIRES: `id` came from intern().
TensorInfo tensor_info_of(TensorSpecId id);

}  // namespace tilemeter::record
