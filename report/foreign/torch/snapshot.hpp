// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory snapshots of PyTorch's caching allocators: torch.cuda.memory._dump_snapshot and its forms for other devices (XPU, NPU),
// of all releases since 1.13. Source of the fields: torch/cuda/_memory_viz.py's comments and the snapshots themselves.
//
// Thread safety: values are values; calls are free.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/events/ids.hpp"
#include "report/input.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign::torch {

enum class Action : std::uint8_t {
    kAlloc,
    kFreeRequested,  ///< the program let go of it; another stream may still use it
    kFreeCompleted,  ///< its memory may be used again
    kSegmentAlloc,
    kSegmentFree,
    kOutOfMemory,
    kOther
};

/// One entry of a trace. Sizes are those that the program asked for.
struct Entry {
    std::uint64_t address = 0;  ///< kOutOfMemory: the bytes that the device had left
    std::uint64_t size = 0;     ///< bytes
    std::uint64_t time_ns = 0;
    std::uint32_t stack = 0;                          ///< index of Snapshot::stacks
    record::TextId metadata = record::TextId::kNone;  ///< what the program had noted
    Action action = Action::kOther;
};
static_assert(sizeof(Entry) == 40);  // there are a million of them

/// Memory that is active when the snapshot is taken.
struct Block {
    std::uint64_t address = 0;
    std::uint64_t size = 0;  ///< bytes, as requested where that is known, else rounded
    std::uint32_t stack = 0;
    bool is_awaiting_free = false;  ///< its free was requested and is not completed
    bool is_requested = false;      ///< false: the size is rounded
};

struct Annotation {
    record::TextId name = record::TextId::kNone;
    std::uint64_t time_ns = 0;
    bool is_begin = false;
};

/// One device's memory, or the host's pinned memory.
struct Memory {
    std::uint16_t device = 0;
    std::vector<Entry> entries;
    std::vector<Block> blocks;
    std::vector<Annotation> annotations;  ///< in their order
    bool is_state_known = true;           ///< false: the snapshot has traces alone
    std::uint64_t reserved_bytes = 0;     ///< of all segments
    std::uint64_t segments = 0;
};

struct Stack {
    record::TextId owner =
        record::TextId::kNone;  ///< the innermost frame outside of torch: "forward net.py:30"
    record::StackId frames = record::StackId::kNone;
};

struct Snapshot {
    std::vector<Memory> devices;  ///< those with a trace or with memory, by their numbers
    Memory host;
    bool has_times = true;      ///< false: an older form without times; entries are a microsecond apart
    std::vector<Stack> stacks;  ///< the first is none
    std::map<std::string, std::uint64_t>
        other;  ///< actions that this reader does not know, with their counts
};

/// The error names the byte, or the entry: "device_traces[0][12].size".
report::Result<Snapshot> load_snapshot(report::Input& input);

}  // namespace tilemeter::foreign::torch
