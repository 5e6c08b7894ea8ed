// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/planning.hpp"

#include "capture/record/window.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter {

namespace {

constinit thread_local const ScopedPlanning* innermost = nullptr;

// Marks the epochs of frames whose buffers are refused outside of them.
constexpr std::uint64_t kRefusedOutside = std::uint64_t{1} << 63U;

}  // namespace

PlanningFrame::PlanningFrame(OutsideOfFrame outside)
    : epoch_(record::new_shadow_epoch() | (outside == OutsideOfFrame::kAreRefused ? kRefusedOutside : 0)),
      outer_epoch_(planning_epoch()) {}

PlanningFrame::~PlanningFrame() {
    if (drops_shadows_) drop_shadows(*this);
}

ScopedPlanning::ScopedPlanning(const PlanningFrame& frame) : frame_(frame), outer_(innermost) {
    innermost = this;
}

ScopedPlanning::~ScopedPlanning() {
    innermost = outer_;
}

ScopedAroundTrace::ScopedAroundTrace() : left_(innermost) {
    const ScopedPlanning* scope = left_;
    while (scope != nullptr && (scope->frame_.epoch() & kRefusedOutside) == 0)
        scope = scope->outer_;
    if (scope != nullptr) innermost = scope->outer_;
}

ScopedAroundTrace::~ScopedAroundTrace() {
    innermost = left_;
}

ScopedAroundPlanning::ScopedAroundPlanning(const ScopedPlanning& scope) : left_(innermost) {
    innermost = scope.outer_;
}

ScopedAroundPlanning::~ScopedAroundPlanning() {
    innermost = left_;
}

const PlanningFrame* planning_frame() {
    return innermost != nullptr ? &innermost->frame_ : nullptr;
}

std::uint64_t planning_epoch() {
    const PlanningFrame* const frame = planning_frame();
    return frame != nullptr ? frame->epoch() : record::shadow_epoch();
}

bool traces_function() {
    return (planning_epoch() & kRefusedOutside) != 0;
}

bool is_refused_here(std::uint64_t epoch) {
    if ((epoch & kRefusedOutside) == 0) return false;
    const ScopedPlanning* scope = innermost;
    while (scope != nullptr && scope->frame_.epoch() != epoch)
        scope = scope->outer_;
    return scope == nullptr;
}

}  // namespace tilemeter
