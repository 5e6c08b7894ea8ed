// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Metal traces: programs that are recorded once on a command queue and executed again as one command.
//
// Between begin_trace_capture() and end_trace_capture() programs are not executed but recorded, with the
// buffers they work on; tensors are allocated and freed as usual. execute_trace() runs them over those same
// buffers, with the values that the inputs have at that time. During the recording a program that is not in
// the program cache, a read and a write throw RuntimeError with the device's message.
//
// The commands are stored in the trace region (open_device: trace_region_size), which the memory view of
// BufferType::TRACE shows. Their size is an estimate (some 6 KiB a program on 64 cores), limited to the free
// part of the region. It is not recorded, since reports count all memory that is not DRAM as L1. Without a
// region TT-NN allocates commands on top of DRAM; that is not modelled.
//
// A metal trace reads and writes at the addresses that it was captured with, whoever lies there when it is executed
// (runtime/device/traced_memory.hpp): runtime/trace/device/replay/metal_trace_hazards.hpp answers whom that would hurt. As TT-NN does, the
// first allocation of the process that is made while a captured trace is alive warns of it (in the log: TILEMETER_LOG).
//
// In a NO_DISPATCH capture a metal trace holds no programs, takes no memory and computes nothing; metal
// traces from before the capture stay as they are.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "capture/record/records.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/device/program_cache.hpp"
#include "runtime/device/traced_memory.hpp"

namespace tilemeter {

enum class MeshTraceId : std::uint32_t {};

/// Begins to record command queue `cq_id`. Throws RuntimeError if it is being recorded already.
MeshTraceId begin_trace_capture(Device& device, std::uint8_t cq_id = 0);
/// Ends the recording and allocates in the trace region. Throws RuntimeError (wrong queue, no room).
void end_trace_capture(Device& device, MeshTraceId trace, std::uint8_t cq_id = 0);
/// Runs the programs of a trace and returns when they have ended; `blocking` changes nothing. Throws
/// RuntimeError for a trace that does not exist, and where tensors lie in the place of its inputs whose bytes it cannot read.
void execute_trace(Device& device, MeshTraceId trace, std::uint8_t cq_id = 0, bool blocking = true);
/// Releases a trace; one that does not exist is no error.
void release_trace(Device& device, MeshTraceId trace);
bool is_trace_capture_active(const Device& device);

/// The tensors that a program in a trace writes to, as long as the trace lives.
struct MetalTraceWrites {
    std::vector<record::BufferRecord> results;  ///< their buffers as they were allocated
    std::shared_ptr<const CachedProgram>
        program;                 ///< its program memory, and where that lies; null: no program
    record::TextId operation{};  ///< the user's call
};

/// A program in a trace, as data: what it computes and which buffers it works on. Or values that move without a program.
class MetalTraceStep {
public:
    virtual ~MetalTraceStep() = default;
    virtual const MetalTraceWrites& writes() const = 0;
    /// The memory that it reads, and that of its results.
    virtual std::vector<TracedPlace> places_read() const = 0;
    virtual std::vector<TracedPlace> places_written() const = 0;
    virtual void execute(const Device& device, TracedImage& memory) const = 0;
};

/// The traces of one device.
class MetalTraces {
public:
    using Program = std::shared_ptr<const MetalTraceStep>;

    explicit MetalTraces(Device& device) : device_(device) {}
    ~MetalTraces();
    MetalTraces(const MetalTraces&) = delete;
    MetalTraces& operator=(const MetalTraces&) = delete;

    /// True while programs are recorded instead of executed. Costs one load.
    bool is_recording() const { return recording_.load(std::memory_order_acquire) != 0; }
    /// Adds a program to the recording. REQUIRES: is_recording()
    void record(Program program);
    /// Throws RuntimeError with the device's message about `what` while a queue is recorded.
    void require_not_recording(std::string_view what) const;

    MeshTraceId begin(std::uint8_t queue);
    void end(MeshTraceId id, std::uint8_t queue);
    void execute(MeshTraceId id);
    /// The programs of a trace, in the order of their execution. Throws RuntimeError for a trace that does not exist, is still
    /// captured, or was captured where nothing runs, so that it has none.
    std::vector<Program> programs(MeshTraceId id) const;
    /// The programs' inputs that no earlier program of the trace wrote.
    static std::vector<TracedPlace> inputs_of(const std::vector<Program>& programs);
    /// The contents of memory where captured traces read.
    TracedMemory& memory() { return memory_; }
    /// To be called at every allocation that is not only planned. Costs one load where no trace is alive.
    void warn_of_allocation() const {
        if (captured_.load(std::memory_order_relaxed) != 0) [[unlikely]]
            warn_once();
    }
    void release(MeshTraceId id);
    void clear();

private:
    struct Trace {
        std::vector<Program> programs;
        bool is_planned = false;                ///< begun in a NO_DISPATCH capture
        bool is_captured = false;               ///< counted in captured_
        std::optional<std::uint64_t> commands;  ///< their address; none: not allocated
    };
    static void require_not_traced(const char* what);
    std::shared_ptr<const Trace> find_captured(MeshTraceId id, std::string_view what) const;
    static void warn_once();
    std::optional<std::uint64_t> place(std::size_t programs) const;
    void free(const Trace& trace) const;
    void watch_inputs();

    Device& device_;
    TracedMemory memory_;
    mutable std::mutex mutex_;
    std::atomic<int> recording_ = 0;  ///< queues that are recorded
    std::atomic<int> captured_ = 0;   ///< traces that were captured, and not only planned
    // Guarded by mutex_:
    std::map<std::uint8_t, MeshTraceId> queues_;  ///< that are recorded
    std::map<MeshTraceId, std::shared_ptr<Trace>> traces_;
};

}  // namespace tilemeter
