// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/metal_trace.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "capture/log/log.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/device/query_shadow.hpp"

namespace tilemeter {

namespace {

// The bytes of a program's commands: 6 KiB on 64 cores, about what the trace regions that models for TT-NN reserve come
// to for each of their programs. An estimate.
constexpr std::uint64_t kCommandBytesPerCore = 96;
constexpr std::uint64_t kCommandBytesOfEnd = 64;

void require_outside_queries(const char* what) {
    if (QueryShadow::is_in_force())
        throw RuntimeError(std::string(what) +
                           ": expected no query in this thread, which leaves nothing behind");
}

std::string number_of(MeshTraceId id) {
    return std::to_string(static_cast<std::uint32_t>(id));
}

MeshTraceId next_id() {
    static std::atomic<std::uint32_t> next = 0;
    return static_cast<MeshTraceId>(next.fetch_add(1, std::memory_order_relaxed));
}

// TT-NN's choice: of 1, 2 and 4 KiB the largest that wastes least when all banks are filled up.
std::uint64_t page_size_of(std::uint64_t bytes, std::uint64_t banks) {
    std::uint64_t best = 0;
    std::uint64_t least_waste = ~std::uint64_t{0};
    for (const std::uint64_t page : {1024, 2048, 4096}) {
        const std::uint64_t row = page * banks;
        const std::uint64_t waste = (bytes + row - 1) / row * row - bytes;
        if (waste > least_waste) continue;
        least_waste = waste;
        best = page;
    }
    return best;
}

}  // namespace

MetalTraces::~MetalTraces() = default;

void MetalTraces::record(Program program) {
    const std::scoped_lock lock(mutex_);
    // A host thread dispatches to one queue; where several are recorded the newest is meant.
    if (queues_.empty()) return;
    const auto newest = std::ranges::max_element(queues_, {}, [](const auto& entry) { return entry.second; });
    // At once: an input may be freed before the recording ends.
    for (const TracedPlace& each : program->places_read())
        memory_.watch(each);
    traces_.at(newest->second)->programs.push_back(std::move(program));
}

std::vector<TracedPlace> MetalTraces::inputs_of(const std::vector<Program>& programs) {
    std::set<record::BufferId> known;
    std::vector<TracedPlace> inputs;
    for (const Program& program : programs) {
        for (const TracedPlace& each : program->places_read()) {
            if (known.insert(each.buffer.buffer).second) inputs.push_back(each);
        }
        for (const TracedPlace& each : program->places_written())
            known.insert(each.buffer.buffer);
    }
    return inputs;
}

// REQUIRES: mutex_ held.
void MetalTraces::watch_inputs() {
    std::vector<TracedPlace> inputs;
    for (const auto& [id, trace] : traces_) {
        for (TracedPlace& each : inputs_of(trace->programs))
            inputs.push_back(std::move(each));
    }
    memory_.watch_only(std::move(inputs));
}

void MetalTraces::require_not_recording(std::string_view what) const {
    if (is_recording() && planning_epoch() == 0) throw RuntimeError(std::string(what));
}

void MetalTraces::require_not_traced(const char* what) {
    if (!traces_function()) return;
    throw TracingError(TracingErrorKind::kBadArgument,
                       std::string(what) +
                           ": metal traces can't be used in a function that is traced; hint: "
                           "replay the traced function in the metal trace's place");
}

MeshTraceId MetalTraces::begin(std::uint8_t queue) {
    require_not_traced("begin_trace_capture");
    require_outside_queries("begin_trace_capture");
    if (!device_.is_open())
        throw RuntimeError("device " + std::to_string(static_cast<unsigned>(device_.id())) + " is closed");
    const std::scoped_lock lock(mutex_);
    if (const auto found = queues_.find(queue); found != queues_.end()) {
        throw RuntimeError("CQ " + std::to_string(queue) + " is already being used for tracing tid " +
                           number_of(found->second));
    }
    const MeshTraceId id = next_id();
    const auto trace = std::make_shared<Trace>();
    trace->is_planned = planning_epoch() != 0;
    traces_.emplace(id, trace);
    queues_.emplace(queue, id);
    ++recording_;
    return id;
}

void MetalTraces::end(MeshTraceId id, std::uint8_t queue) {
    require_outside_queries("end_trace_capture");
    std::shared_ptr<Trace> trace;
    {
        const std::scoped_lock lock(mutex_);
        const auto found = queues_.find(queue);
        if (found == queues_.end() || found->second != id) {
            throw RuntimeError("CQ " + std::to_string(queue) + " is not being used for tracing tid " +
                               number_of(id));
        }
        queues_.erase(found);
        --recording_;
        trace = traces_.at(id);
        watch_inputs();
    }
    if (trace->is_planned) return;
    warn_of_allocation();  // of the commands
    captured_.fetch_add(1, std::memory_order_relaxed);
    trace->is_captured = true;
    try {
        trace->commands = place(static_cast<std::size_t>(std::ranges::count_if(
            trace->programs, [](const Program& each) { return each->writes().program != nullptr; })));
    } catch (...) {
        release(id);
        throw;
    }
}

void MetalTraces::warn_once() {
    static std::atomic<bool> has_warned = false;
    if (has_warned.exchange(true, std::memory_order_relaxed)) return;
    logging::warn(
        {"a buffer is allocated on a device with a captured metal trace: execute_trace may overwrite it, unless it is "
         "freed before; metal_trace_hazards() names whom that hurts (said once)"});
}

std::optional<std::uint64_t> MetalTraces::place(std::size_t programs) const {
    const DeviceDescription& description = device_.description();
    const std::uint64_t banks = description.dram_banks;
    const std::uint64_t bytes =
        programs * kCommandBytesPerCore * description.num_compute_cores() + kCommandBytesOfEnd;
    const std::uint64_t page = page_size_of(bytes, banks);
    const std::uint64_t wanted = (bytes + page * banks - 1) / (page * banks) * page;  // of each bank
    return device_.with_state([&](DeviceMemory& memory, ProgramCache&) -> std::optional<std::uint64_t> {
        BankAllocator& region = memory.allocator(record::MemoryType::kTrace);
        const BankStatistics bank = region.statistics();
        if (bank.bank_size == 0) return std::nullopt;
        const std::uint64_t size = std::min(wanted, bank.largest_free_block);
        const auto address = size == 0 ? std::nullopt : region.allocate(size);
        if (!address) {
            throw RuntimeError("Creating trace buffers of size " +
                               std::to_string((bank.allocated + wanted) * banks) + "B on MeshDevice " +
                               std::to_string(static_cast<unsigned>(device_.id())) + ", but only " +
                               std::to_string(bank.bank_size * banks) + "B is allocated for trace region.");
        }
        return address;
    });
}

void MetalTraces::free(const Trace& trace) const {
    if (!trace.commands || !device_.is_open()) return;
    device_.with_state([&](DeviceMemory& memory, ProgramCache&) {
        memory.allocator(record::MemoryType::kTrace).free(*trace.commands);
    });
}

std::shared_ptr<const MetalTraces::Trace> MetalTraces::find_captured(MeshTraceId id,
                                                                     std::string_view what) const {
    const std::scoped_lock lock(mutex_);
    const auto found = traces_.find(id);
    if (found == traces_.end()) {
        throw RuntimeError("Trace instance " + number_of(id) + " must exist on Mesh device " +
                           std::to_string(static_cast<unsigned>(device_.id())) +
                           "'s active sub-device manager 0");
    }
    for (const auto& [queue, recorded] : queues_) {
        if (recorded == id)
            throw RuntimeError(std::string(what) + ": trace " + number_of(id) + " is still being captured");
    }
    return found->second;
}

std::vector<MetalTraces::Program> MetalTraces::programs(MeshTraceId id) const {
    const std::shared_ptr<const Trace> trace = find_captured(id, "metal_trace_hazards");
    if (trace->is_planned)
        throw RuntimeError("metal_trace_hazards: trace " + number_of(id) +
                           " was captured where nothing runs (NO_DISPATCH), and has no programs");
    return trace->programs;
}

void MetalTraces::execute(MeshTraceId id) {
    require_not_traced("execute_trace");
    const std::shared_ptr<const Trace> trace = find_captured(id, "execute_trace");
    if (planning_epoch() != 0) return;
    TracedImage image(device_.live_buffers(), memory_.left());
    for (const Program& program : trace->programs)
        program->execute(device_, image);
    memory_.leave(image.commit());
}

void MetalTraces::release(MeshTraceId id) {
    require_outside_queries("release_trace");
    std::shared_ptr<Trace> released;
    {
        const std::scoped_lock lock(mutex_);
        const auto found = traces_.find(id);
        if (found == traces_.end() || (planning_epoch() != 0 && !found->second->is_planned)) return;
        recording_ -=
            static_cast<int>(std::erase_if(queues_, [&](const auto& entry) { return entry.second == id; }));
        released = std::move(found->second);
        traces_.erase(found);
        watch_inputs();
        if (released->is_captured) captured_.fetch_sub(1, std::memory_order_relaxed);
    }
    free(*released);
}

void MetalTraces::clear() {
    const std::scoped_lock lock(mutex_);
    recording_ = 0;
    captured_ = 0;
    queues_.clear();
    traces_.clear();
    memory_.watch_only({});
}

MeshTraceId begin_trace_capture(Device& device, std::uint8_t cq_id) {
    return device.traces().begin(cq_id);
}
void end_trace_capture(Device& device, MeshTraceId trace, std::uint8_t cq_id) {
    device.traces().end(trace, cq_id);
}
void execute_trace(Device& device, MeshTraceId trace, std::uint8_t /*cq_id*/, bool /*blocking*/) {
    device.traces().execute(trace);
}
void release_trace(Device& device, MeshTraceId trace) {
    device.traces().release(trace);
}
bool is_trace_capture_active(const Device& device) {
    return device.traces().is_recording();
}

}  // namespace tilemeter
