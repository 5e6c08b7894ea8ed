// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A node list's memory as a snapshot of PyTorch's form, so that its viewer (torch.cuda._memory_viz, pytorch.org/memory_viz) shows it.
//
//   DRAM of a device             device 0, 1, ...: addresses and sizes are those of a bank
//   L1 of a device, if any       the devices after them: those of a core; what a program has is one allocation of the fullest
//                                core's bytes, which lies behind all buffers, as do buffers without an address
//   functions                    frames, the innermost first
//   a refused request            an entry "oom"
//
// The memory between the lowest and the highest address is one segment; blocks tile it. Times are the nodes' numbers.
//
// Thread safety: values are values; calls are free.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::foreign::torch {

/// As many entries as the viewer in the browser takes without trouble.
inline constexpr std::uint64_t kMostViewedEntries = 600'000;

/// Writes the pickle in pieces; gives the number of entries.
std::uint64_t export_snapshot(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                              const std::function<void(std::string_view)>& write);

}  // namespace tilemeter::foreign::torch
