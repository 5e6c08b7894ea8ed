// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/planning.hpp"

#include "capture/record/window.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter {

namespace {

constinit thread_local const PlanningFrame* innermost_frame = nullptr;

}  // namespace

PlanningFrame::PlanningFrame() : epoch_(record::new_shadow_epoch()), outer_epoch_(planning_epoch()) {}

PlanningFrame::~PlanningFrame() {
    drop_shadows(*this);
}

ScopedPlanning::ScopedPlanning(const PlanningFrame& frame) : outer_(innermost_frame) {
    innermost_frame = &frame;
}

ScopedPlanning::~ScopedPlanning() {
    innermost_frame = outer_;
}

const PlanningFrame* planning_frame() {
    return innermost_frame;
}

std::uint64_t planning_epoch() {
    return innermost_frame != nullptr ? innermost_frame->epoch() : record::shadow_epoch();
}

}  // namespace tilemeter
