// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Host values of operations without a program: made where calls compute, absent where calls are only planned.
//
// In a NO_DISPATCH capture tensors have no values: nothing is computed, and a tensor may be larger than the
// host's memory. Operations that make or move values without a program go through these functions and do not
// ask themselves whether the call is planned. While a function is traced they tell the recorder what is to be
// done when the function runs again.

#pragma once

#include <memory>
#include <utility>

#include "runtime/device/call_recorder.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

/// True if calls on this thread are only planned: in a NO_DISPATCH capture or a planning frame.
bool is_planned_only();

/// False while a ScopedWithoutValues is there, in any thread.
bool computes_values();

/// Calls that run do all but compute: for who wants what a large model allocates in NORMAL, now. Tensors that operations
/// make while it is there have no values, and neither has what is made of them; reading one throws RuntimeError.
class ScopedWithoutValues {
public:
    ScopedWithoutValues();
    ScopedWithoutValues(const ScopedWithoutValues&) = delete;
    ScopedWithoutValues& operator=(const ScopedWithoutValues&) = delete;
    ~ScopedWithoutValues();
};

namespace internal {

/// Says to the recorder of the traced function, if there is one, how the host makes the values of a tensor.
void record_made(const Tensor& to, CallRecorder::MakeValues make);
/// The same for values that another tensor's become. `change` may be empty.
void record_moved(const Tensor& to, const Tensor& from, CallRecorder::ChangeValues change);

/// Says to the metal trace of the tensor's device, if one is recorded, how its values change; whether one is.
bool record_changed(const Tensor& tensor, const CallRecorder::ChangeValues& change);

inline ChipValues as_chip_values(HostArray values) {
    ChipValues all;
    all.push_back(std::move(values));
    return all;
}
inline ChipValues as_chip_values(ChipValues values) {
    return values;
}

}  // namespace internal

/// A host tensor of `spec` with the values that `make_values` returns (HostArray or ChipValues); only planned
/// calls get it without values, and `make_values` is not called. It may be kept and called later, where the function that
/// the call is in was traced: it must hold all that it needs, and by value.
template <typename MakeValues>
Tensor host_or_planned(const TensorSpec& spec, MakeValues make_values) {
    if (!is_planned_only()) return Tensor::on_host(spec, make_values());
    Tensor host = Tensor::planned_on_host(spec);
    if (call_recorder() != nullptr)
        internal::record_made(host,
                              [make = std::move(make_values)] { return internal::as_chip_values(make()); });
    return host;
}

/// A host tensor of `spec` whose values `change` makes of those of `source` (a HostArray to a HostArray), or one without
/// values if `source` has none. `change` holds all that it needs.
template <typename Change>
Tensor changed_on_host(const Tensor& source, TensorSpec spec, Change change) {
    const auto change_all = [change = std::move(change)](const ChipValues& all) {
        ChipValues values;
        for (const HostArray& each : all)
            values.push_back(change(each));
        return values;
    };
    if (source.has_values()) return Tensor::on_host(std::move(spec), change_all(*source.chip_values()));
    if (source.is_uncomputed()) return Tensor::uncomputed_on_host(std::move(spec), source);
    Tensor host = Tensor::planned_on_host(std::move(spec));
    if (call_recorder() != nullptr) internal::record_moved(host, source, change_all);
    return host;
}

/// Puts the values of `source` into the memory of `destination`, a tensor on a device with as many elements.
/// Nothing where the call is only planned or `source` has no values.
void take_values(const Tensor& destination, const Tensor& source);

/// Puts `values`, which a tensor `from` held before its memory was freed, into the memory of `destination`.
void put_values(const Tensor& destination, const Tensor& from, std::shared_ptr<const ChipValues> values);

/// Replaces the values of a device tensor, chip by chip, by what `change` makes of them (a HostArray of the
/// tensor's shape to a HostArray). Nothing where the call is only planned or the tensor has no values. `change` holds all
/// that it needs.
template <typename Change>
void change_values(const Tensor& tensor, Change change) {
    const auto change_all = [change = std::move(change), shape = tensor.shape()](const ChipValues& all) {
        ChipValues values;
        for (const HostArray& stored : all)
            values.push_back(change(stored.reshaped(shape)));
        return values;
    };
    if (is_planned_only()) {
        if (call_recorder() != nullptr) internal::record_moved(tensor, tensor, change_all);
        return;
    }
    if (internal::record_changed(tensor, change_all) || !tensor.has_values()) return;
    tensor.shared_buffer()->set_values(std::make_shared<const ChipValues>(change_all(*tensor.chip_values())));
}

}  // namespace tilemeter
