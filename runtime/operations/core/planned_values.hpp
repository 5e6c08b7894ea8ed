// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Host values of operations without a program: made where calls compute, absent where calls are only planned.
//
// In a NO_DISPATCH capture tensors have no values: nothing is computed, and a tensor may be larger than the
// host's memory. Operations that make or move values without a program go through these functions and do not
// ask themselves whether the call is planned.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <memory>
#include <utility>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// True if calls on this thread are only planned: in a NO_DISPATCH capture.
bool is_planned_only();

/// A host tensor of `spec` with the values that `make_values` returns (HostArray or ChipValues); only planned
/// calls get it without values, and `make_values` is not called.
template <typename MakeValues>
Tensor host_or_planned(const TensorSpec& spec, MakeValues make_values) {
    if (is_planned_only()) return Tensor::planned_on_host(spec);
    return Tensor::on_host(spec, make_values());
}

/// Puts the values of `source` into the memory of `destination`, a tensor on a device with as many elements.
/// Nothing where the call is only planned or `source` has no values.
void take_values(const Tensor& destination, const Tensor& source);

/// Replaces the values of a device tensor, chip by chip, by what `change` makes of them (a HostArray of the
/// tensor's shape to a HostArray). Nothing where the call is only planned or the tensor has no values.
template <typename Change>
void change_values(const Tensor& tensor, Change change) {
    if (is_planned_only() || !tensor.has_values()) return;
    ChipValues values;
    const auto all_chips = tensor.chip_values();
    for (const HostArray& stored : *all_chips)
        values.push_back(change(stored.reshaped(tensor.shape())));
    tensor.shared_buffer()->set_values(std::make_shared<const ChipValues>(std::move(values)));
}

}  // namespace tilemeter
