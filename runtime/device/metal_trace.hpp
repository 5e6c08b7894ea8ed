// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Metal traces: programs that are recorded once on a command queue and executed again as one command.
//
// Between begin_trace_capture() and end_trace_capture() programs are not executed but recorded, with the
// buffers they work on; tensors are allocated and freed as ever. execute_trace() runs them over those same
// buffers, with what the inputs hold then. A program has to be in the program cache before, and nothing is
// read from or written to the device meanwhile: as on the device, both throw RuntimeError in its words.
//
// The commands themselves lie in the trace region (open_device: trace_region_size), which BufferType::TRACE's
// memory view shows. Their size is an estimate - some 6 KiB a program on 64 cores -, at most what the region
// has left: what a command takes is the device's affair. So they are not recorded, the more as reports call
// all memory L1 that is not DRAM. Without a region TT-NN puts them on top of DRAM; that is not modelled.
//
// In a NO_DISPATCH capture a trace holds no programs and takes no memory, executing computes nothing, and a
// trace of before stays whatever is done to it.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/device/buffer.hpp"

namespace tilemeter {

enum class MeshTraceId : std::uint32_t {};

/// Records what follows on command queue `cq_id`. Throws RuntimeError if that is recorded already.
MeshTraceId begin_trace_capture(Device& device, std::uint8_t cq_id = 0);
/// Ends it and takes its place in the trace region. Throws RuntimeError (not this trace's queue, no room).
void end_trace_capture(Device& device, MeshTraceId trace, std::uint8_t cq_id = 0);
/// Runs its programs; returns when they have ended, whatever `blocking` says. Throws RuntimeError for a trace
/// that does not exist.
void execute_trace(Device& device, MeshTraceId trace, std::uint8_t cq_id = 0, bool blocking = true);
/// Forgets a trace; one that does not exist is no error.
void release_trace(Device& device, MeshTraceId trace);
bool is_trace_capture_active(const Device& device);

/// What buffers hold while a trace is executed, those included whose memory was freed while it was recorded.
using TraceValues = std::unordered_map<record::BufferId, std::shared_ptr<const ChipValues>>;

/// The traces of one device.
class MetalTraces {
public:
    using Program = std::function<void(TraceValues&)>;

    explicit MetalTraces(Device& device) : device_(device) {}
    ~MetalTraces();
    MetalTraces(const MetalTraces&) = delete;
    MetalTraces& operator=(const MetalTraces&) = delete;

    /// Whether programs are to be recorded and not executed. Cheap.
    bool is_recording() const { return recording_.load(std::memory_order_acquire) != 0; }
    /// Adds a program to what is recorded. REQUIRES: is_recording()
    void record(Program program);
    /// Throws RuntimeError, `what` in the device's words, while something is recorded.
    void require_not_recording(std::string_view what) const;

    MeshTraceId begin(std::uint8_t queue);
    void end(MeshTraceId id, std::uint8_t queue);
    void execute(MeshTraceId id) const;
    void release(MeshTraceId id);
    void clear();

private:
    struct Trace {
        std::vector<Program> programs;
        bool is_planned = false;                ///< begun in a NO_DISPATCH capture
        std::optional<std::uint64_t> commands;  ///< where they lie; none: nowhere
    };
    std::optional<std::uint64_t> place(std::size_t programs) const;
    void free(const Trace& trace) const;

    Device& device_;
    mutable std::mutex mutex_;
    std::atomic<int> recording_ = 0;  ///< queues that are recorded
    // Guarded by mutex_:
    std::map<std::uint8_t, MeshTraceId> queues_;  ///< that are recorded
    std::map<MeshTraceId, std::shared_ptr<Trace>> traces_;
};

}  // namespace tilemeter
