// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The record: one fixed-size event.
//
//   byte 0      1        2        3       4        6       8            16   24       28            32        64
//        +------+--------+--------+-------+--------+-------+------------+----+--------+-------------+---------+
//        | kind | origin | memory | flags | device | queue | time_ticks | id | detail | correlation | payload |
//        +------+--------+--------+-------+--------+-------+------------+----+--------+-------------+---------+
//
// Beside each kind stands the meaning of each field for it. Fields that today's emitter (the tile runtime) does not
// need have their place already, because foreign runtimes will. They are two-step frees (kBufferFreeRequested), memory
// that is older than the capture (kPreexisting), storage and tensor as two ids, the queue, a correlation id that joins
// a host event with its device event, a second clock (Payload::ClockPair), and the origin of a figure.
//
// Encoding: native byte order; a recording is read by the machine that wrote it or by one of the same byte
// order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "capture/events/ids.hpp"

namespace tilemeter::record {

enum class EventKind : std::uint8_t {
    kNone,
    kFunctionBegin,  ///< detail = name (TextId), payload.call
    kFunctionEnd,    ///< detail = abort reason (TextId or none), flags & kAborted
    kArgument,       ///< one argument of the function just begun; payload.argument
    kInputTensor,  ///< id = tensor, detail = TensorSpecId, payload.tensor; belongs to the function just begun
    kOutputTensor,    ///< the same for the function that ends next (recorded just before its kFunctionEnd)
    kBufferAllocate,  ///< id = buffer, detail = number of cores (0: interleaved), payload.buffer;
                      ///< correlation = PlacementId
    kBufferFree,      ///< the same fields again: a reader that missed the allocation knows all
    kBufferFreeRequested,  ///< id = buffer; the memory stays taken until kBufferFree
    kProgramBegin,         ///< program-scope memory of the device is free from here on; id = program
    kCircularBuffer,       ///< id = program, detail = core ranges (TextId), payload.program_memory
    kDataflowBuffer,       ///< likewise
    kScratchpad,           ///< likewise
    kProgramSelected,   ///< detail = factory type (TextId), payload.factory: how the function's program came
                        ///< about
    kSubDeviceManager,  ///< detail = sub-devices as JSON (TextId), id = manager
    kProgramExecution,  ///< id = program, detail = worker core ranges as JSON (TextId), payload.execution
    kError,             ///< detail = message (TextId), payload.error
    kBufferAlive,       ///< as kBufferAllocate: a buffer from before the capture, still there when it began
    kContextHandOver,   ///< id = context: other threads may work for the function that is open here
    kContextEnter,      ///< id = context, detail = the worker's number: from here on this thread works for it
    kContextLeave,      ///< id = context
    kCount
};

/// The source of a figure. Figures of different origin never add up to one peak.
enum class Origin : std::uint8_t {
    kObserved,          ///< it happened on the device
    kPlanned,           ///< this library's plan for it (NO_DISPATCH)
    kPlannedByCompiler  ///< a compiler's plan, read from its output
};

/// TT-NN's numbering (BufferType), which reports and databases carry.
enum class MemoryType : std::uint8_t { kDram = 0, kL1 = 1, kSystemMemory = 2, kL1Small = 3, kTrace = 4 };

/// True if it lies in the L1 of the cores: L1 and L1_SMALL.
constexpr bool is_in_l1(MemoryType memory) {
    return memory == MemoryType::kL1 || memory == MemoryType::kL1Small;
}

/// The parts of a core's L1 that a program occupies while it runs.
enum class ProgramMemoryKind : std::uint8_t {
    kCircularBuffer,
    kDataflowBuffer,
    kScratchpad,
    kOther  ///< of a report in a newer dialect; nothing is recorded with it
};

/// TT-NN's numbering (TensorMemoryLayout).
enum class BufferLayout : std::uint8_t {
    kInterleaved = 0,
    kSingleBank = 1,
    kHeightSharded = 2,
    kWidthSharded = 3,
    kBlockSharded = 4,
    kNdSharded = 5
};

enum EventFlags : std::uint8_t {
    kAborted = 1,         ///< kFunctionEnd: left by an exception
    kShared = 1,          ///< program memory that lies in a tensor's buffer (globally allocated, borrowed)
    kCacheHit = 1,        ///< kProgramSelected
    kPreexisting = 2,     ///< memory that is older than the capture, reported afterwards
    kHasSubDevice = 1,    ///< kProgramExecution: the placement is known
    kUnknownAddress = 4,  ///< tensors, buffers, program memory: where it lies is not known; its address is 0
};

enum class ArgumentType : std::uint8_t { kText, kInteger, kReal, kBoolean, kTensor, kListBegin, kListEnd };

struct Event {
    EventKind kind;
    Origin origin;
    MemoryType memory;
    std::uint8_t flags;
    DeviceId device;  ///< of every kind, also of those without a device: whose event it is
    std::uint16_t queue;
    std::uint64_t time_ticks;  ///< clock.hpp; of kinds that do not read the clock: as of the event before
    std::uint64_t id;
    std::uint32_t detail;
    std::uint32_t correlation;
    union Payload {
        struct Call {
            std::uint64_t argument_count;
            StackId stack;  ///< the stack of the call; kNone unless stack traces are on
        } call;
        struct Argument {
            ArgumentType type;
            std::uint32_t text_or_spec;  ///< kText: TextId; kTensor: TensorSpecId
            std::int64_t integer;        ///< kInteger, kBoolean; kTensor: TensorId
            double real;
        } argument;
        struct Tensor {
            BufferId buffer;  ///< kNone: a host tensor, or a device tensor without memory
            std::uint64_t address;
            std::uint64_t is_view;  ///< 1: shares another tensor's buffer under another shape
        } tensor;
        struct Buffer {
            std::uint64_t address;
            std::uint64_t size_bytes;            ///< all banks together
            std::uint64_t size_per_bank_bytes;   ///< the largest share of a bank, pages aligned
            std::uint64_t page_size_and_layout;  ///< page bytes << 8 | BufferLayout
        } buffer;
        struct ProgramMemory {
            std::uint64_t address;
            std::uint64_t size_bytes;  ///< per core
            BufferId shared_buffer;    ///< with kShared: whose memory it is
        } program_memory;
        struct Factory {
            std::uint64_t index;
        } factory;
        struct Execution {
            std::uint64_t runtime_id;
            std::uint64_t global_call_count;
            std::uint32_t sub_device_manager;
            std::uint16_t physical_device;
            std::uint16_t sub_device;
        } execution;
        struct Error {
            std::uint32_t type_text;       ///< TextId
            std::uint32_t operation_text;  ///< TextId
        } error;
        struct ClockPair {
            std::uint64_t device_ticks;
        } clock_pair;
    } payload;
};

/// "function_begin", "buffer_allocate", ...; "unknown" for what is no kind.
std::string_view name_of(EventKind kind);

/// True for kinds whose events read the clock. The others say more about the event before them in their thread and have
/// its time: reading the clock is most of what an event costs.
constexpr bool reads_clock(EventKind kind) {
    switch (kind) {
        case EventKind::kArgument:
        case EventKind::kInputTensor:
        case EventKind::kOutputTensor:
        case EventKind::kCircularBuffer:
        case EventKind::kDataflowBuffer:
        case EventKind::kScratchpad:
            return false;
        default:
            return true;
    }
}

static_assert(sizeof(Event) == 64, "an event is one cache line");
static_assert(std::is_trivially_copyable_v<Event>);
static_assert(offsetof(Event, payload) == 32);

}  // namespace tilemeter::record
