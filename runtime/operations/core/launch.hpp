// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Runs a device operation: validates, infers, allocates, plans (or finds the program in the cache), places
// program memory, and, unless a NO_DISPATCH capture is open, computes.

#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The inputs of a launch: {a, b}, a vector, a span.
class LaunchInputs {
public:
    LaunchInputs(std::initializer_list<Tensor> tensors) : tensors_(tensors.begin(), tensors.size()) {}
    LaunchInputs(const std::vector<Tensor>& tensors) : tensors_(tensors) {}
    LaunchInputs(std::span<const Tensor> tensors) : tensors_(tensors) {}
    operator std::span<const Tensor>() const { return tensors_; }

private:
    std::span<const Tensor> tensors_;
};

namespace internal {
std::vector<Tensor> launch_all(const DeviceOperation& operation, std::span<const Tensor> inputs,
                               std::vector<Tensor> into);
std::vector<Tensor> launch_filling(const DeviceOperation& operation, std::span<const Tensor> inputs,
                                   std::span<const std::optional<Tensor>> given,
                                   const std::function<void(const Tensor&)>& prepare = {});
Tensor launch_on(const DeviceOperation& operation, const std::shared_ptr<Device>& device);
Tensor launch_from_freed(const DeviceOperation& operation, const Tensor& freed,
                         const std::shared_ptr<const ChipValues>& values, const Tensor& output);
}  // namespace internal

/// The outputs of `operation` on `inputs`, which are all on one device. With `into`, outputs are written into
/// these tensors instead of new ones (output_tensor, in-place forms); they must have the specs that the
/// operation infers. Throws RuntimeError and its kinds; nothing stays allocated then.
template <typename Operation>
std::vector<Tensor> launch_all(const Operation& operation, LaunchInputs inputs,
                               std::vector<Tensor> into = {}) {
    return internal::launch_all(DeviceOperationOf(operation), inputs, std::move(into));
}

template <typename Operation>
Tensor launch_into(const Operation& operation, LaunchInputs inputs, Tensor output) {
    return std::move(launch_all(operation, inputs, {std::move(output)}).at(0));
}

/// The only output; with `into` written into that tensor.
template <typename Operation>
Tensor launch(const Operation& operation, LaunchInputs inputs,
              const std::optional<Tensor>& into = std::nullopt) {
    return into ? launch_into(operation, inputs, *into) : std::move(launch_all(operation, inputs).at(0));
}

/// The outputs, each into the tensor that is `given` for it or, where none is, into a new one. REQUIRES: `given` has an
/// entry for each that the operation infers; its attributes tell which are given.
template <typename Operation>
std::vector<Tensor> launch_filling(const Operation& operation, LaunchInputs inputs,
                                   const std::vector<std::optional<Tensor>>& given) {
    std::vector<Tensor> into;
    for (const std::optional<Tensor>& each : given)
        if (each) into.push_back(*each);
    if (into.empty() || into.size() == given.size()) return launch_all(operation, inputs, std::move(into));
    return internal::launch_filling(DeviceOperationOf(operation), inputs, given);
}

/// The only output, which other operations write first, in the scope of this one and before it looks at its inputs: those that
/// `prepare` calls.
template <typename Operation>
Tensor launch_prepared(const Operation& operation, LaunchInputs inputs,
                       const std::function<void(const Tensor&)>& prepare) {
    return std::move(internal::launch_filling(DeviceOperationOf(operation), inputs, {}, prepare).at(0));
}

/// The only output of an operation that reads no tensor.
template <typename Operation>
Tensor launch_on(const Operation& operation, const std::shared_ptr<Device>& device) {
    return internal::launch_on(DeviceOperationOf(operation), device);
}

/// An operation on a tensor whose memory has been freed already and that writes what it held, `values`, into
/// `output` (its second input): moving. Null values: the freed tensor held none.
template <typename Operation>
Tensor launch_from_freed(const Operation& operation, const Tensor& freed,
                         const std::shared_ptr<const ChipValues>& values, const Tensor& output) {
    return internal::launch_from_freed(DeviceOperationOf(operation), freed, values, output);
}

/// A new tensor without values, in the scope "tt::tt_metal::create_device_tensor".
Tensor create_device_tensor(const TensorSpec& spec, const std::shared_ptr<Device>& device);

}  // namespace tilemeter
