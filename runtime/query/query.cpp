// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/query.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "runtime/device/buffer.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/query/internal/refusal.hpp"
#include "runtime/query/internal/results.hpp"
#include "runtime/query/internal/threads_device.hpp"

namespace tilemeter::query {

namespace {

using namespace internal;
using Placing = QueryShadow::Placing;

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
        answer.captured_config = shadow_.config();
        answer.output_specs.reserve(outputs_.size());
        answer.outputs.reserve(outputs_.size());
        for (const Tensor& output : outputs_) {
            answer.output_specs.push_back(output.spec());
            answer.outputs.push_back(place_of(output));
            for (std::size_t i = 0; i < inputs_.size() && !answer.outputs.back().shares_input; ++i)
                if (&inputs_[i].buffer() == &whole_of(output)) answer.outputs.back().shares_input = i;
        }
        answer.usage = usage_of(shadow_, answer.outputs);
    }

    /// The shadow's allocators with what outlives the query in them. REQUIRES: describe() was the last to look.
    DeviceMemory take_memory() {
        shadow_.free_all_kept();
        return shadow_.state().memory;
    }

private:
    void check_outputs() {
        check_results(*device_, shadow_, outputs_, [this](record::BufferId buffer) {
            return std::ranges::any_of(
                inputs_, [buffer](const Tensor& input) { return input.buffer().id() == buffer; });
        });
        for (const Tensor& input : inputs_) {
            const auto has_memory = [&](const Tensor& output) {
                return &whole_of(output) == &input.buffer();
            };
            if (input.is_last_owner() || std::ranges::any_of(outputs_, has_memory)) continue;
            throw RuntimeError(
                "query: expected a function that keeps none of its tensors, it keeps its input " +
                input.to_string());
        }
        for (const Tensor& output : outputs_) {
            // Results that share memory with inputs or each other have several owners of their own.
            const auto shares = [&](const Tensor& other) {
                return &other != &output && &whole_of(other) == &whole_of(output);
            };
            if (output.is_last_owner() || std::ranges::any_of(inputs_, shares) ||
                std::ranges::any_of(outputs_, shares))
                continue;
            throw RuntimeError(
                "query: expected a function that keeps none of its tensors, it keeps its result " +
                output.to_string());
        }
    }

    const std::shared_ptr<Device> device_;
    QueryShadow shadow_;
    const Placing placing_;
    std::vector<Tensor> inputs_, outputs_;
};

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
        answer.refusal = refusal_of(error, query.shadow(), *device);
        answer.error = one_line(error.what());
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
