// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/planned_values.hpp"

#include <atomic>
#include <utility>

#include "runtime/device/planning.hpp"
#include "runtime/operations/core/internal/dispatch.hpp"
#include "runtime/operations/core/write_log.hpp"
#include "runtime/tensor/stored_values.hpp"

namespace tilemeter {

bool is_planned_only() {
    return planning_epoch() != 0;
}

namespace {

std::atomic<int> scopes_without_values{0};

}  // namespace

bool computes_values() {
    return scopes_without_values.load(std::memory_order_relaxed) == 0;
}

ScopedWithoutValues::ScopedWithoutValues() {
    ++scopes_without_values;
}

ScopedWithoutValues::~ScopedWithoutValues() {
    --scopes_without_values;
}

void internal::record_made(const Tensor& to, CallRecorder::MakeValues make) {
    call_recorder()->on_made(to, std::move(make));
}

void internal::record_moved(const Tensor& to, const Tensor& from, CallRecorder::ChangeValues change) {
    call_recorder()->on_moved(to, from, std::move(change));
}

bool internal::record_changed(const Tensor& tensor, const CallRecorder::ChangeValues& change) {
    return move_in_metal_trace(tensor, tensor, change);
}

void take_values(const Tensor& destination, const Tensor& source) {
    note_write(destination.buffer());
    if (is_planned_only()) {
        if (call_recorder() != nullptr) internal::record_moved(destination, source, {});
        return;
    }
    if (move_in_metal_trace(destination, source, {})) return;
    if (source.is_uncomputed()) {
        destination.shared_buffer()->set_values(source.uncomputed());
        return;
    }
    if (!source.has_values()) return;
    destination.shared_buffer()->set_values(source.chip_values());
}

void put_values(const Tensor& destination, const Tensor& from, std::shared_ptr<const ChipValues> values) {
    if (call_recorder() != nullptr)
        internal::record_moved(destination, from, {});
    else if (!is_planned_only())
        move_in_metal_trace(destination, from, {});
    destination.shared_buffer()->set_values(std::move(values));
}

}  // namespace tilemeter
