// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/query.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "runtime/device/buffer.hpp"
#include "runtime/device/buffer_plan.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/query/internal/refusal.hpp"
#include "runtime/types/spec_hash.hpp"

namespace tilemeter::query {

namespace {

using Placing = QueryShadow::Placing;

/// What the calling thread keeps of a device from query to query.
class ThreadsDevice {
public:
    static ThreadsDevice& of(const Device& device) {
        // Behind a pointer: what threads have of their own lies in a room that libraries loaded late share.
        thread_local const auto of_thread = std::make_unique<ThreadsDevice>();
        ThreadsDevice& known = *of_thread;
        if (known.number_ != device.number()) {
            known.number_ = device.number();
            known.plans_ = {};
            known.kept_ = {};
            known.empty_ = AllocatorState::empty(device);
        }
        return known;
    }

    const AllocatorState& empty() const { return empty_; }
    /// What operations keep, by whether calls are placed: one that is may be refused where the other is not.
    std::shared_ptr<void>& kept(Placing placing) { return kept_[placing == Placing::kNowhere ? 0 : 1]; }

    /// The plan of a spec's buffer.
    const PlannedTensor& planned(const TensorSpec& spec, const DeviceDescription& device) {
        auto& slot = plans_[hash_of(spec) % plans_.size()];
        if (!slot || !(slot->asked == spec)) {
            TensorSpec placed = placed_shards(spec);
            placed.memory_config.fill_in_nd_shards();
            BufferPlan plan = plan_buffer(placed, device);
            slot = std::make_unique<const Known>(Known{spec, {std::move(placed), plan}});
        }
        return slot->planned;
    }

private:
    struct Known {
        TensorSpec asked;
        PlannedTensor planned;
    };

    std::uint64_t number_ = 0;
    AllocatorState empty_;
    std::array<std::shared_ptr<void>, 2> kept_;
    std::array<std::unique_ptr<const Known>, 512> plans_;
};

/// One query, from its inputs to its answer.
class Query {
public:
    Query(const std::shared_ptr<Device>& device, const DeviceMemory& memory, Placing placing)
        // A handle of this thread's own: counting up and down the device's would make threads wait for each other.
        : device_(device.get(), [](Device*) {}),
          shadow_(*device, memory, ThreadsDevice::of(*device).kept(placing)),
          placing_(placing) {}

    /// Throws what the function throws.
    void run(std::span<const TensorSpec> specs, const Function& function) {
        ThreadsDevice& known = ThreadsDevice::of(*device_);
        // With a state, inputs lie in it already.
        shadow_.begin(Placing::kNowhere, placing_ == Placing::kNowhere);
        inputs_.reserve(specs.size());
        for (const TensorSpec& spec : specs) {
            const PlannedTensor& planned = known.planned(spec, device_->description());
            inputs_.push_back(Tensor::on_device(planned.spec, Buffer::allocate(device_, planned.buffer)));
        }
        shadow_.begin(placing_, true);
        outputs_ = function(inputs_);
        check_outputs();
    }

    QueryShadow& shadow() { return shadow_; }

    void describe(Answer& answer) {
        answer.status = ExecutionStatus::Success;
        const MemoryFigures& peak = shadow_.peak();
        answer.usage.cb_peak_size_per_core = peak.circular_buffers;
        answer.usage.l1_buffers_peak_per_core = peak.tensors;
        answer.usage.peak_memory_usage_per_core =
            placing_ == Placing::kNowhere ? peak.all : peak.tensors_and_circular_buffers;
        answer.usage.dataflow_buffer_peak_per_core = peak.dataflow_buffers;
        answer.usage.scratchpad_peak_per_core = peak.scratchpads;
        answer.usage.peak_of_all_kinds_per_core = peak.all;
        answer.usage.program_region_end = shadow_.region_end();
        answer.captured_config = shadow_.config();
        answer.output_specs.reserve(outputs_.size());
        answer.outputs.reserve(outputs_.size());
        for (const Tensor& output : outputs_) {
            answer.output_specs.push_back(output.spec());
            const Buffer& buffer = output.buffer();
            const Buffer& whole = whole_of(output);
            OutputPlace place;
            place.memory = buffer.memory();
            place.address = buffer.address();
            place.size_per_bank = buffer.size_per_bank_bytes();
            for (std::size_t i = 0; i < inputs_.size() && !place.shares_input; ++i)
                if (&inputs_[i].buffer() == &whole) place.shares_input = i;
            if (place.memory != MemoryType::kDram)
                answer.usage.l1_output_buffer_per_core += place.size_per_bank;
            answer.outputs.push_back(place);
        }
    }

    /// The shadow's allocators with what outlives the query in them. REQUIRES: describe() was the last to look.
    DeviceMemory take_memory() {
        shadow_.free_all_kept();
        return shadow_.state().memory;
    }

private:
    static const Buffer& whole_of(const Tensor& tensor) {
        const Buffer& buffer = tensor.buffer();
        return buffer.is_part() ? *buffer.whole() : buffer;
    }

    void check_outputs() {
        if (outputs_.empty())
            throw RuntimeError("query: expected a function that returns a tensor, got none");
        for (const Tensor& output : outputs_) {
            if (output.storage_type() != StorageType::DEVICE)
                throw RuntimeError("query: expected results on the device, got " + output.to_string() +
                                   " on the host");
            if (&output.device() != device_.get())
                throw RuntimeError(
                    "query: expected results on the device that is asked about, got one on another");
            if (!output.is_allocated())
                throw RuntimeError("query: expected results with memory, got " + output.to_string() +
                                   ", which the function has deallocated");
        }
        // What is left beside inputs and results, somebody else holds.
        for (const Allocation& each : shadow_.live()) {
            const auto has = [&](const Tensor& tensor) {
                return tensor.buffer().id() == each.buffer_record.buffer;
            };
            if (std::ranges::any_of(outputs_, has) || std::ranges::any_of(inputs_, has)) continue;
            throw RuntimeError("query: expected a function that keeps none of its tensors, it keeps " +
                               internal::text_of(each));
        }
        for (const Tensor& input : inputs_) {
            const auto has_memory = [&](const Tensor& output) {
                return &whole_of(output) == &input.buffer();
            };
            if (input.is_last_owner() || std::ranges::any_of(outputs_, has_memory)) continue;
            throw RuntimeError(
                "query: expected a function that keeps none of its tensors, it keeps its input " +
                input.to_string());
        }
    }

    const std::shared_ptr<Device> device_;
    QueryShadow shadow_;
    const Placing placing_;
    std::vector<Tensor> inputs_, outputs_;
};

void require_device(const Device& device) {
    if (!device.is_open())
        throw RuntimeError("query: device " + std::to_string(static_cast<unsigned>(device.id())) +
                           " is closed");
    if (call_recorder() != nullptr)
        throw RuntimeError("query: expected a thread that traces no function, got one in a traced function");
}

Answer answered(const std::shared_ptr<Device>& device, const DeviceMemory& memory, Placing placing,
                const AllocatorState* state, std::span<const TensorSpec> inputs, const Function& function) {
    Answer answer;
    Query query(device, memory, placing);
    try {
        query.run(inputs, function);
        query.describe(answer);
        if (state != nullptr) answer.new_state = AllocatorState::like(*state, query.take_memory());
    } catch (const std::exception& error) {
        answer = Answer();
        answer.refusal = internal::refusal_of(error, query.shadow(), *device);
        answer.error = internal::one_line(error.what());
        if (state != nullptr) answer.new_state = *state;
    }
    return answer;
}

}  // namespace

std::string_view name_of(RefusalKind kind) {
    constexpr std::array<std::string_view, 6> kNames = {"out_of_memory",     "fragmented",    "clash",
                                                        "program_too_large", "not_supported", "bad_argument"};
    return kNames.at(static_cast<std::size_t>(kind));
}

Answer ask(const std::shared_ptr<Device>& device, std::span<const TensorSpec> inputs,
           const Function& function) {
    require_device(*device);
    const DeviceMemory& memory = ThreadsDevice::of(*device).empty().memory();
    return answered(device, memory, Placing::kNowhere, nullptr, inputs, function);
}

Answer ask_beside(const std::shared_ptr<Device>& device, const AllocatorState& state,
                  std::span<const TensorSpec> inputs, const Function& function, const Options& options) {
    require_device(*device);
    state.require_board(*device, "query_op_constraints_with_initial_state");
    const Placing placing = options.ignores_clashes ? Placing::kOverlapping : Placing::kInMemory;
    return answered(device, state.memory(), placing, &state, inputs, function);
}

}  // namespace tilemeter::query
