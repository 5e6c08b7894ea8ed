// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/internal/dispatch.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/record/emit.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/operations/core/internal/computing_thread.hpp"
#include "runtime/operations/core/interruption.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/tensor/stored_values.hpp"

namespace tilemeter {

namespace {

// The values of all chips, computed from inputs that stay alive whatever becomes of their tensors.
struct Computation {
    ProgramStep step;
    SharedValues inputs;
    std::size_t chips = 0;

    std::vector<ChipValues> run() const {
        if (makes_nothing()) return nothing();
        if (chips > 1 && !inputs.empty()) {
            std::vector<ChipValues> exchanged = compute_on_all_chips();
            if (!exchanged.empty()) return exchanged;
        }
        std::vector<ChipValues> results(step.results.size());
        for (std::size_t chip = 0; chip < chips; ++chip) {
            std::deque<HostArray> views;  // a deque: what is in it stays where it is
            std::vector<const HostArray*> arrays;
            for (std::size_t i = 0; i < inputs.size(); ++i)
                arrays.push_back(&input(i, chip, views));
            std::vector<HostArray> values = step.operation->compute(arrays, step.results);
            for (std::size_t i = 0; i < results.size(); ++i)
                results[i].push_back(std::move(values.at(i)));
        }
        return results;
    }

    std::uint64_t value_count() const {
        std::uint64_t count = 0;
        for (const Shape& shape : step.operands)
            count += shape.volume();
        for (const TensorSpec& output : step.results)
            count += output.shape.volume();
        return count * chips;
    }

private:
    // Results without elements, which no operation needs to consider.
    bool makes_nothing() const {
        return std::ranges::all_of(step.results,
                                   [](const TensorSpec& each) { return each.shape.volume() == 0; });
    }
    std::vector<ChipValues> nothing() const {
        std::vector<ChipValues> results;
        for (const TensorSpec& each : step.results)
            results.emplace_back(chips, HostArray(each.dtype, each.shape));
        return results;
    }

    std::vector<ChipValues> compute_on_all_chips() const {
        std::deque<HostArray> views;
        std::vector<const HostArray*> arrays;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            for (std::size_t chip = 0; chip < chips; ++chip)
                arrays.push_back(&input(i, chip, views));
        }
        return step.operation->compute_on_all_chips(arrays, step.results);
    }

    // A view has other dimensions than what its buffer was filled with.
    const HostArray& input(std::size_t i, std::size_t chip, std::deque<HostArray>& views) const {
        const HostArray& stored = (*inputs[i])[inputs[i]->size() == 1 ? 0 : chip];
        if (stored.shape() == step.operands[i]) return stored;
        return views.emplace_back(stored.reshaped(step.operands[i]));
    }
};

// The time that operations took when they last ran, by their names. To hand one to another thread and wait for it costs
// as much as a small one itself; only those that somebody could want to interrupt are handed on.
class LastDurations {
public:
    /// Fewer are computed before anybody could interrupt it.
    static constexpr std::uint64_t kFewValues = 1U << 20U;

    /// True if computing the given number of values, of all inputs and outputs, may take a time that a user notices.
    bool may_be_long(std::string_view operation, std::uint64_t values) const {
        if (values > kManyValues) return true;
        const std::lock_guard lock(mutex_);
        const auto found = of_a_value_.find(operation);
        return found == of_a_value_.end() || found->second * static_cast<double>(values) > kNoticed;
    }

    void keep(std::string_view operation, std::uint64_t values, std::chrono::duration<double> duration) {
        const std::lock_guard lock(mutex_);
        of_a_value_.insert_or_assign(std::string(operation), duration.count() / static_cast<double>(values));
    }

private:
    static constexpr std::uint64_t kManyValues = 1U << 24U;
    static constexpr double kNoticed = 0.05;  // seconds

    mutable std::mutex mutex_;
    std::map<std::string, double, std::less<>> of_a_value_;  // in seconds
};

constexpr std::chrono::milliseconds kCheckInterval(50);

// Waits for the computation as a host waits for its device: for the time set (0: as long as it takes) and
// while `check` lets it. A computation that is given up is left to itself, as a hanging device would be.
std::vector<ChipValues> run_aside(Computation computation, std::chrono::nanoseconds timeout,
                                  InterruptionCheck check) {
    using Clock = std::chrono::steady_clock;
    const std::string name(computation.step.operation->name());
    auto task = std::make_shared<std::packaged_task<std::vector<ChipValues>()>>(
        [owned = std::move(computation)] { return owned.run(); });
    std::future<std::vector<ChipValues>> result = task->get_future();
    const Clock::time_point begin = Clock::now();
    const auto keeps_waiting = [&] {
        if (timeout.count() > 0 && Clock::now() - begin >= timeout) return false;
        if (check == nullptr) return true;
        try {
            check();
        } catch (...) {
            throw OperationInterruptedError(name, std::current_exception());
        }
        return true;
    };
    std::chrono::nanoseconds interval = kCheckInterval;
    if (timeout.count() > 0) interval = check == nullptr ? timeout : std::min(timeout, interval);
    if (!run_in_computing_thread([task] { (*task)(); }, interval, keeps_waiting)) {
        const double seconds = std::chrono::duration<double>(timeout).count();
        throw OperationTimeoutError(name + ": expected to end within " + attribute_text(seconds) +
                                    " s, is still running on the device");
    }
    return result.get();
}

std::vector<ChipValues> run(Computation computation) {
    static auto& last = *new LastDurations;  // outlives tensors that are computed at the end of the process
    const std::chrono::nanoseconds timeout = operation_timeout();
    const std::uint64_t values = computation.value_count();
    if (timeout.count() == 0 && values < LastDurations::kFewValues) return computation.run();
    const std::string name(computation.step.operation->name());
    const InterruptionCheck check = values >= LastDurations::kFewValues && last.may_be_long(name, values)
                                        ? interruption_check()
                                        : nullptr;
    const auto begin = std::chrono::steady_clock::now();
    std::vector<ChipValues> results = timeout.count() > 0 || check != nullptr
                                          ? run_aside(std::move(computation), timeout, check)
                                          : computation.run();
    last.keep(name, values, std::chrono::steady_clock::now() - begin);
    return results;
}

// The memory that a trace works on, or a part of it, as a tensor sees it.
struct TracedTensor {
    TracedPlace place;
    std::shared_ptr<const PartOfValues> part;
    Shape shape;
    DataType dtype;
    std::size_t chips;

    explicit TracedTensor(const Tensor& tensor)
        : place(TracedPlace::of(tensor.buffer().is_part() ? *tensor.buffer().whole() : tensor.buffer())),
          part(tensor.buffer().is_part() ? tensor.buffer().part_of_values() : nullptr),
          shape(tensor.shape()),
          dtype(tensor.dtype()),
          chips(tensor.device().chips().size()) {}

    /// Zeros where nobody wrote anything.
    std::shared_ptr<const ChipValues> read(const TracedImage& memory, std::string_view reader) const {
        return values_of_tensor(take_part(part.get(), memory.read(place, reader)), shape, dtype, std::nullopt,
                                chips);
    }
    bool is_known(const TracedImage& memory, std::string_view reader) const {
        return memory.read(place, reader) != nullptr;
    }
    void write(TracedImage& memory, std::shared_ptr<const ChipValues> written,
               const std::shared_ptr<const ChipValues>& remains) const {
        if (part)
            written = put_part(part.get(), memory.read(place, "execute_trace: a result"), std::move(written));
        memory.write(place, std::move(written), remains);
    }
};

std::vector<TracedTensor> traced(std::span<const Tensor> tensors) {
    return {tensors.begin(), tensors.end()};
}

std::vector<TracedPlace> places_of(const std::vector<TracedTensor>& tensors) {
    std::vector<TracedPlace> places;
    for (const TracedTensor& each : tensors)
        places.push_back(each.place);
    return places;
}

// A program of a metal trace.
class TracedProgram : public MetalTraceStep {
public:
    TracedProgram(ProgramStep step, std::span<const Tensor> from, std::span<const Tensor> to,
                  const Device& device)
        : step_(std::move(step)), from_(traced(from)), to_(traced(to)) {
        const std::vector<Allocation> live = device.live_allocations();
        for (const TracedTensor& each : to_) {
            const auto found = std::ranges::find(live, each.place.buffer.buffer, [](const Allocation& one) {
                return one.buffer_record.buffer;
            });
            if (found != live.end()) writes_.results.push_back(found->buffer_record);
        }
        writes_.program = step_.program;
        writes_.operation = ScopedUserOperation::current();
    }

    const MetalTraceWrites& writes() const override { return writes_; }
    std::vector<TracedPlace> places_read() const override { return places_of(from_); }
    std::vector<TracedPlace> places_written() const override { return places_of(to_); }

    void execute(const Device& device, TracedImage& memory) const override {
        const std::string name = writes_.operation == record::TextId::kNone
                                     ? std::string(step_.operation->name())
                                     : std::string(record::text_of(writes_.operation));
        const std::string reader = "execute_trace: " + name;
        const auto remains = uncomputed_values("a metal trace's " + name + " wrote over its memory");
        SharedValues operands;
        for (const TracedTensor& each : from_)
            operands.push_back(each.read(memory, reader));
        memory.write_program_memory(*step_.program, remains);
        if (const auto stand_in = stand_in_for_results(*step_.operation, operands)) {
            for (const TracedTensor& each : to_)
                each.write(memory, stand_in, remains);
            return;
        }
        std::vector<ChipValues> results = compute_step(step_, std::move(operands), device);
        for (std::size_t i = 0; i < to_.size(); ++i) {
            if (!results[i].empty())
                to_[i].write(memory, std::make_shared<const ChipValues>(std::move(results[i])), remains);
        }
    }

private:
    ProgramStep step_;
    std::vector<TracedTensor> from_;
    std::vector<TracedTensor> to_;
    MetalTraceWrites writes_;
};

// Values of a metal trace that move, or change, without a program: no memory of the device is written.
class TracedMove : public MetalTraceStep {
public:
    TracedMove(const Tensor& to, const Tensor& from, CallRecorder::ChangeValues change)
        : to_(to), from_(from), change_(std::move(change)) {}

    const MetalTraceWrites& writes() const override { return writes_; }
    std::vector<TracedPlace> places_read() const override { return {from_.place}; }
    std::vector<TracedPlace> places_written() const override { return {to_.place}; }

    void execute(const Device& /*device*/, TracedImage& memory) const override {
        constexpr std::string_view kReader = "execute_trace: a tensor that is moved";
        if (!from_.is_known(memory, kReader)) return;
        std::shared_ptr<const ChipValues> moved = from_.read(memory, kReader);
        if (change_ && !stand_for_uncomputed(moved))
            moved = std::make_shared<const ChipValues>(change_(*moved));
        to_.write(memory, std::move(moved), uncomputed_values("a metal trace wrote over its memory"));
    }

private:
    TracedTensor to_, from_;
    CallRecorder::ChangeValues change_;
    MetalTraceWrites writes_;
};

InterruptionCheck& this_threads_check() {
    thread_local InterruptionCheck check = nullptr;
    return check;
}

}  // namespace

void set_interruption_check(InterruptionCheck check) {
    this_threads_check() = check;
}
InterruptionCheck interruption_check() {
    return this_threads_check();
}

void emit_program_execution(const CachedProgram& program, Device& device) {
    const std::uint64_t runtime_id = device.next_runtime_id();
    if (!record::recording()) return;
    device.emit_sub_devices_once();
    for (const std::uint16_t chip : device.chips()) {
        record::emit_program_execution(device.id(), program.program_id,
                                       {runtime_id, runtime_id * 1024 + chip, 0, chip, 0},
                                       device.worker_cores_text(), 0);
    }
}

std::shared_ptr<const ChipValues> stand_in_for_results(const DeviceOperation& operation,
                                                       const SharedValues& operands) {
    if (!computes_values()) return uncomputed_values();
    if (const std::string reason = operation.reason_without_values(); !reason.empty())
        return uncomputed_values(reason);
    const auto found = std::ranges::find_if(operands, stand_for_uncomputed);
    return found == operands.end() ? nullptr : *found;
}

std::vector<ChipValues> compute_step(const ProgramStep& step, SharedValues operands, const Device& device) {
    return run(Computation{step, std::move(operands), device.chips().size()});
}

bool move_in_metal_trace(const Tensor& to, const Tensor& from, const CallRecorder::ChangeValues& change) {
    MetalTraces& traces = to.device().traces();
    if (!traces.is_recording() || from.storage_type() != StorageType::DEVICE) return false;
    traces.record(std::make_shared<const TracedMove>(to, from, change));
    return true;
}

void dispatch(const DeviceOperation& operation, const std::shared_ptr<const CachedProgram>& program,
              Device& device, std::span<const Tensor> inputs, SharedValues input_values,
              std::span<const Tensor> outputs) {
    emit_program_execution(*program, device);
    ProgramStep step{operation.clone(), program, {}, {}};
    for (const Tensor& output : outputs)
        step.results.push_back(output.spec());
    for (const Tensor& input : inputs)
        step.operands.push_back(input.shape());
    if (device.traces().is_recording()) {
        device.traces().record(
            std::make_shared<const TracedProgram>(std::move(step), inputs, outputs, device));
        return;
    }
    static const auto kRemains = uncomputed_values("a program kept its circular buffers in its memory");
    device.traces().memory().note_program(*program, kRemains);
    if (const auto stand_in = stand_in_for_results(operation, input_values)) {
        for (const Tensor& output : outputs)
            output.buffer().set_values(stand_in);
        return;
    }
    std::vector<ChipValues> results =
        run(Computation{std::move(step), std::move(input_values), device.chips().size()});
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (results[i].empty()) continue;  // room to work in
        outputs[i].buffer().set_values(std::make_shared<const ChipValues>(std::move(results[i])));
    }
}

SharedValues values_of(std::span<const Tensor> inputs) {
    SharedValues values;
    for (const Tensor& input : inputs)
        values.push_back(input.is_uncomputed() ? input.uncomputed() : input.chip_values());
    return values;
}

void leave_uncomputed(std::span<const Tensor> outputs) {
    static const auto kHooked = uncomputed_values("a hook took its program");
    for (const Tensor& output : outputs)
        output.buffer().set_values(kHooked);
}

}  // namespace tilemeter
