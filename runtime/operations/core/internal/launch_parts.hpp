// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The parts of a launch (launch.hpp): a call on its way, its outputs and its program.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/programs_by_free_l1.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter::launching {

/// Name and attributes of an operation, as reports have them.
struct OperationTexts {
    record::TextId name;
    record::TextId attributes;
};

/// One call on its way.
struct Launch {
    const DeviceOperation& operation;
    std::span<const Tensor> inputs;
    std::vector<Tensor> into;                    ///< empty: outputs are made
    std::shared_ptr<Device> device;              ///< none: the inputs are not sound
    std::string key{};                           ///< of the call
    std::shared_ptr<const PlannedCall> known{};  ///< none: it was not planned before
    std::optional<OperationTexts> texts{};       ///< none: nobody asked for them before
    bool makes_into = false;                     ///< `into` is what the operation made itself
};

struct Program {
    std::shared_ptr<const CachedProgram> cached;
    bool cache_hit;
    bool is_kept = true;
};

/// A call of an operation whose programs follow the free L1.
struct CallByFreeL1 : PlannedCall {
    FreeL1Range free_l1;
};

/// A new tensor in the scope that TT-NN makes tensors in; `allocate` gives its buffer.
template <typename Allocate>
Tensor create_with(const TensorSpec& spec, const std::shared_ptr<Device>& device, Allocate allocate) {
    static const record::TextId kName = record::intern("tt::tt_metal::create_device_tensor");
    const record::TextId on = device->name_text();
    return in_scope(kName, std::tie(spec.shape, spec.dtype, spec.layout, on, spec.memory_config),
                    [&] { return Tensor::on_device(spec, allocate()); });
}

/// The places of results. Those made for the operation are given back, in the scope of it, if it fails.
class Outputs {
public:
    Outputs() = default;
    ~Outputs() {
        if (!made_) return;
        for (Tensor& tensor : tensors_)
            tensor.deallocate();
    }
    Outputs(const Outputs&) = delete;
    Outputs& operator=(const Outputs&) = delete;

    /// Gives what was planned for them.
    std::vector<PlannedTensor> make(const TensorSpecs& specs, const std::shared_ptr<Device>& device) {
        std::vector<PlannedTensor> planned;
        planned.reserve(specs.size());
        begin_making(specs.size());
        for (TensorSpec spec : specs) {
            spec.memory_config.fill_in_nd_shards();
            tensors_.push_back(create_with(spec, device, [&] {
                planned.push_back({spec, plan_buffer(spec, device->description())});
                return Buffer::allocate(device, planned.back().buffer);
            }));
        }
        return planned;
    }
    void make(const std::vector<PlannedTensor>& planned, const std::shared_ptr<Device>& device) {
        begin_making(planned.size());
        for (const PlannedTensor& each : planned) {
            tensors_.push_back(
                create_with(each.spec, device, [&] { return Buffer::allocate(device, each.buffer); }));
        }
    }
    void use(std::vector<Tensor> tensors) { tensors_ = std::move(tensors); }

    const std::vector<Tensor>& tensors() const { return tensors_; }
    std::vector<Tensor> take() { return std::exchange(tensors_, {}); }

private:
    void begin_making(std::size_t count) {
        made_ = true;
        tensors_.reserve(count);
    }

    std::vector<Tensor> tensors_;
    bool made_ = false;
};

TensorSpecs specs_of(std::span<const Tensor> tensors);

/// Refuses results that were given and are not what the operation makes.
void require_fitting(const DeviceOperation& operation, std::span<const Tensor> into,
                     const TensorSpecs& specs);

/// A program's tables go to the device when it is built, and stay there as long as it is cached.
std::vector<ProgramTable> send_config_tensors(const ProgramPlan& plan, const std::shared_ptr<Device>& device);

/// Refuses inputs; the specs of what the operation makes of them.
TensorSpecs validated_outputs(const Launch& launch, const TensorSpecs& inputs, Outputs& outputs);

/// The places of the results of a call that was planned before.
void make_or_use(Launch& launch, const std::vector<PlannedTensor>& planned, Outputs& outputs);

/// The program of a call in a query whose own calls don't have it: by the answers that the thread knows already.
Program plan_for_query(Launch& launch, Outputs& outputs, QueryShadow& query);

}  // namespace tilemeter::launching
