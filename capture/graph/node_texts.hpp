// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The texts inside nodes, in TT-NN's forms.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "capture/events/event.hpp"

namespace tilemeter::graph {

/// "Shape([1, 3, 32, 32])"
std::string shape_text(std::span<const std::uint64_t> shape);

/// "HEIGHT_SHARDED"
const char* layout_text(record::BufferLayout layout);

/// "DRAM", of which traces have a region, or "L1" for everything else, as TT-NN has it.
const char* memory_text(record::MemoryType memory);

/// "[{"address":1497088,"device_id":0,"mesh_device_id":1}]", one entry per chip of `chips`.
/// `quote`: what stands for a quotation mark, e.g. one that is escaped already.
std::string device_tensors_text(record::DeviceId device, std::span<const std::uint16_t> chips,
                                std::uint64_t address, std::string_view quote);

/// A number as a C++ stream writes it, with six digits: "1e-05", "0.0104167".
std::string real_text(double number);

}  // namespace tilemeter::graph
