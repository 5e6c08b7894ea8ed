// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The last step of an operation: its program runs on every chip of the device. Here that means the host
// computes.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/program_step.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// Emits the execution of the program and fills the outputs from the values of the inputs, unless these were not computed
/// or a ScopedWithoutValues is there. Throws
/// OperationTimeoutError when operation_timeout() is set and passes before the values are there. REQUIRES:
/// all tensors on `device`.
void dispatch(const DeviceOperation& operation, const std::shared_ptr<const CachedProgram>& program,
              Device& device, std::span<const Tensor> inputs, SharedValues input_values,
              std::span<const Tensor> outputs);

/// Has the metal trace that is recorded, if there is one, give `to` the values of `from`, or what `change` makes of them;
/// says whether there is one. REQUIRES: `to` is on a device
bool move_in_metal_trace(const Tensor& to, const Tensor& from, const CallRecorder::ChangeValues& change);

/// The values of a program's inputs.
SharedValues values_of(std::span<const Tensor> inputs);

/// What a program would give whose run a hook took.
void leave_uncomputed(std::span<const Tensor> outputs);

}  // namespace tilemeter
