// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/dispatch.hpp"

#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "capture/record/emit.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/attribute_text.hpp"
#include "runtime/operations/collective_operation.hpp"

namespace tilemeter {

namespace {

// The values of all chips, computed from inputs that stay alive whatever becomes of their tensors.
struct Computation {
    std::shared_ptr<const DeviceOperation> operation;
    SharedValues inputs;
    std::vector<Shape> input_shapes;
    TensorSpecs outputs;
    std::size_t chips = 0;

    std::vector<ChipValues> run() const {
        if (const auto* together = dynamic_cast<const Collective*>(operation.get()))
            return run_together(*together);
        std::vector<ChipValues> results(outputs.size());
        for (std::size_t chip = 0; chip < chips; ++chip) {
            std::deque<HostArray> views;  // a deque: what is in it stays where it is
            std::vector<const HostArray*> arrays;
            for (std::size_t i = 0; i < inputs.size(); ++i)
                arrays.push_back(&input(i, chip, views));
            std::vector<HostArray> values = operation->compute(arrays, outputs);
            for (std::size_t i = 0; i < results.size(); ++i)
                results[i].push_back(std::move(values.at(i)));
        }
        return results;
    }

private:
    std::vector<ChipValues> run_together(const Collective& collective) const {
        std::deque<HostArray> views;
        std::vector<const HostArray*> arrays;
        for (std::size_t chip = 0; chip < chips; ++chip)
            arrays.push_back(&input(0, chip, views));
        std::vector<ChipValues> results;
        results.push_back(collective.compute_together(arrays, outputs[0]));
        return results;
    }

    // A view has other dimensions than what its buffer was filled with.
    const HostArray& input(std::size_t i, std::size_t chip, std::deque<HostArray>& views) const {
        const HostArray& stored = (*inputs[i])[inputs[i]->size() == 1 ? 0 : chip];
        if (stored.shape() == input_shapes[i]) return stored;
        return views.emplace_back(stored.reshaped(input_shapes[i]));
    }
};

// Waits for the computation as a host waits for its device: for the time set, then it gives up. The thread
// that computes is left to itself, as a hanging device would be; it owns all it touches.
std::vector<ChipValues> run_with_timeout(Computation computation, std::chrono::nanoseconds timeout) {
    const std::string name(computation.operation->name());
    std::packaged_task<std::vector<ChipValues>()> task(
        [owned = std::move(computation)] { return owned.run(); });
    std::future<std::vector<ChipValues>> result = task.get_future();
    std::thread(std::move(task)).detach();
    if (result.wait_for(timeout) != std::future_status::ready) {
        const double seconds = std::chrono::duration<double>(timeout).count();
        throw OperationTimeoutError(name + ": expected to end within " + attribute_text(seconds) +
                                    " s, is still running on the device");
    }
    return result.get();
}

void emit_execution(std::uint64_t program_id, Device& device) {
    const std::uint64_t runtime_id = device.next_runtime_id();
    if (!record::recording()) return;
    device.emit_sub_devices_once();
    for (const std::uint16_t chip : device.chips()) {
        record::emit_program_execution(device.id(), program_id,
                                       {runtime_id, runtime_id * 1024 + chip, 0, chip, 0},
                                       device.worker_cores_text(), 0);
    }
}

}  // namespace

void dispatch(const DeviceOperation& operation, std::uint64_t program_id, Device& device,
              std::span<const Tensor> inputs, SharedValues input_values, std::span<const Tensor> outputs) {
    emit_execution(program_id, device);
    Computation computation{operation.clone(), std::move(input_values), {}, {}, device.chips().size()};
    for (const Tensor& output : outputs)
        computation.outputs.push_back(output.spec());
    for (const Tensor& input : inputs) {
        computation.input_shapes.push_back(input.shape());
    }
    const std::chrono::nanoseconds timeout = operation_timeout();
    std::vector<ChipValues> results =
        timeout.count() > 0 ? run_with_timeout(std::move(computation), timeout) : computation.run();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i].buffer().set_values(std::make_shared<const ChipValues>(std::move(results[i])));
    }
}

}  // namespace tilemeter
