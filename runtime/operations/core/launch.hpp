// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Runs a device operation: validates, infers, allocates, plans (or finds the program in the cache), places
// program memory, and, unless a NO_DISPATCH capture is open, computes.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// The outputs of `operation` on `inputs`, which are all on one device. With `into`, outputs are written into
/// these tensors instead of new ones (output_tensor, in-place forms); they must have the specs that the
/// operation infers. Throws RuntimeError and its kinds; nothing stays allocated then.
std::vector<Tensor> launch_all(const DeviceOperation& operation, std::span<const Tensor> inputs,
                               std::vector<Tensor> into = {});
inline std::vector<Tensor> launch_all(const DeviceOperation& operation, std::initializer_list<Tensor> inputs,
                                      std::vector<Tensor> into = {}) {
    return launch_all(operation, std::span(inputs.begin(), inputs.size()), std::move(into));
}

/// The only output; with `into` written into that tensor.
Tensor launch(const DeviceOperation& operation, std::span<const Tensor> inputs,
              const std::optional<Tensor>& into = std::nullopt);
inline Tensor launch(const DeviceOperation& operation, std::initializer_list<Tensor> inputs,
                     const std::optional<Tensor>& into = std::nullopt) {
    return launch(operation, std::span(inputs.begin(), inputs.size()), into);
}
/// The only output of an operation that reads no tensor.
Tensor launch_on(const DeviceOperation& operation, const std::shared_ptr<Device>& device);
Tensor launch_into(const DeviceOperation& operation, std::span<const Tensor> inputs, Tensor output);
inline Tensor launch_into(const DeviceOperation& operation, std::initializer_list<Tensor> inputs,
                          Tensor output) {
    return launch_into(operation, std::span(inputs.begin(), inputs.size()), std::move(output));
}

/// An operation on a tensor whose memory has been freed already and that writes what it held, `values`, into
/// `output` (its second input): moving. Null values: the freed tensor held none.
Tensor launch_from_freed(const DeviceOperation& operation, const Tensor& freed,
                         const std::shared_ptr<const ChipValues>& values, const Tensor& output);

/// A new tensor without values, in the scope "tt::tt_metal::create_device_tensor".
Tensor create_device_tensor(const TensorSpec& spec, const std::shared_ptr<Device>& device);

}  // namespace tilemeter
