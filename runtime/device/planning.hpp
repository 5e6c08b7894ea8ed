// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Whether the calling thread plans or runs. What it plans has addresses but no values, and changes nothing of
// the devices: it works on a shadow of each, a copy of its allocators and an overlay of its program cache.
//
// Two things make a thread plan: a NO_DISPATCH capture, which holds for all threads of the process, and a
// planning frame that the thread has entered, which holds for this thread alone. The frame counts first.
// Shadows are told apart by epochs: numbers of which none is used twice.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>

namespace tilemeter {

/// What is planned together: its shadow of a device is made when a thread first plans on the device in this
/// frame, as a copy of what that thread would have worked on without it, and ends with the frame. Buffers of
/// the frame that outlive it have addresses and no memory.
class PlanningFrame {
public:
    /// Made in a thread that plans itself, the frame begins with what is planned there.
    PlanningFrame();
    /// REQUIRES: no thread is in it.
    ~PlanningFrame();
    PlanningFrame(const PlanningFrame&) = delete;
    PlanningFrame& operator=(const PlanningFrame&) = delete;

    std::uint64_t epoch() const { return epoch_; }
    /// planning_epoch() where it was made: 0 if that thread ran.
    std::uint64_t outer_epoch() const { return outer_epoch_; }

private:
    std::uint64_t epoch_;
    std::uint64_t outer_epoch_;
};

/// The calling thread is in a frame until the scope ends. Scopes nest: the innermost counts.
class ScopedPlanning {
public:
    explicit ScopedPlanning(const PlanningFrame& frame);
    ~ScopedPlanning();
    ScopedPlanning(const ScopedPlanning&) = delete;
    ScopedPlanning& operator=(const ScopedPlanning&) = delete;

private:
    const PlanningFrame* outer_;
};

/// The innermost frame that the calling thread is in; nullptr outside of any.
const PlanningFrame* planning_frame();

/// The epoch of what the calling thread plans: of its innermost frame, else of the open NO_DISPATCH capture.
/// 0: it runs.
std::uint64_t planning_epoch();

}  // namespace tilemeter
