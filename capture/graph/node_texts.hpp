// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The texts inside nodes, in TT-NN's forms.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/event.hpp"
#include "capture/record/tensor_facts.hpp"

namespace tilemeter::graph {

/// "Shape([1, 3, 32, 32])"
std::string shape_text(std::span<const std::uint64_t> shape);

/// "HEIGHT_SHARDED"
const char* layout_text(record::BufferLayout layout);

/// "DRAM", or "L1" for everything else, as TT-NN has it.
const char* memory_text(record::MemoryType memory);

/// "[{"address":1497088,"device_id":0,"mesh_device_id":1}]", one entry per chip of `chips`.
/// `quote`: what stands for a quotation mark, e.g. one that is escaped already.
std::string device_tensors_text(record::DeviceId device, std::span<const std::uint16_t> chips,
                                std::uint64_t address, std::string_view quote);

/// A function's arguments, one text each. `events` are its kArgument events in order; a list is one argument.
std::vector<std::string> argument_texts(std::span<const record::Event* const> events);

}  // namespace tilemeter::graph
