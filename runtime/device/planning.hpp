// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The calling thread's mode: it plans or runs. What it plans has addresses but no values, and changes nothing of the
// devices: it works on a shadow of each, a copy of its allocators and an overlay of its program cache.
//
// Two things make a thread plan: a NO_DISPATCH capture, which holds for all threads of the process, and a
// planning frame that the thread has entered, which holds for this thread alone. The frame counts first.
// Shadows are told apart by epochs: numbers of which none is used twice.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>

namespace tilemeter {

/// The use of a frame's buffers outside of it.
enum class OutsideOfFrame : std::uint8_t {
    kHaveAddresses,  ///< they count as allocated, and have no memory
    kAreRefused  ///< a function is traced in it: whoever uses them elsewhere, or in another thread, is told
};

/// Calls that are planned together: their shadow of a device is made when a thread first plans on the device in this
/// frame, and ends with the frame. It is a copy of what that thread would have worked on without it. Buffers of the
/// frame that outlive it have addresses and no memory.
class QueryShadow;

class PlanningFrame {
public:
    /// Made in a thread that plans itself, the frame begins with what is planned there.
    explicit PlanningFrame(OutsideOfFrame outside = OutsideOfFrame::kHaveAddresses);
    /// REQUIRES: no thread is in it.
    ~PlanningFrame();
    PlanningFrame(const PlanningFrame&) = delete;
    PlanningFrame& operator=(const PlanningFrame&) = delete;

    std::uint64_t epoch() const { return epoch_; }
    /// planning_epoch() where it was made: 0 if that thread ran.
    std::uint64_t outer_epoch() const { return outer_epoch_; }

private:
    friend class QueryShadow;

    /// One whose shadow is not the devices' business (query_shadow.hpp).
    explicit PlanningFrame(std::uint64_t epoch) : epoch_(epoch), outer_epoch_(0), drops_shadows_(false) {}

    std::uint64_t epoch_;
    std::uint64_t outer_epoch_;
    bool drops_shadows_ = true;
};

/// The calling thread is in a frame until the scope ends. Scopes nest: the innermost counts.
class ScopedPlanning {
public:
    explicit ScopedPlanning(const PlanningFrame& frame);
    ~ScopedPlanning();
    ScopedPlanning(const ScopedPlanning&) = delete;
    ScopedPlanning& operator=(const ScopedPlanning&) = delete;

private:
    friend bool is_refused_here(std::uint64_t epoch);
    friend const PlanningFrame* planning_frame();
    friend class ScopedAroundTrace;
    friend class ScopedAroundPlanning;

    const PlanningFrame& frame_;
    const ScopedPlanning* const outer_;
};

/// Until the scope ends, the calling thread is as it was before it entered its innermost frame that traces a function.
/// Does nothing in a thread that traces none.
class ScopedAroundTrace {
public:
    ScopedAroundTrace();
    ~ScopedAroundTrace();
    ScopedAroundTrace(const ScopedAroundTrace&) = delete;
    ScopedAroundTrace& operator=(const ScopedAroundTrace&) = delete;

private:
    const ScopedPlanning* const left_;
};

/// Until the scope ends, the calling thread is as it was before it entered that frame, in which it is.
class ScopedAroundPlanning {
public:
    explicit ScopedAroundPlanning(const ScopedPlanning& scope);
    ~ScopedAroundPlanning();
    ScopedAroundPlanning(const ScopedAroundPlanning&) = delete;
    ScopedAroundPlanning& operator=(const ScopedAroundPlanning&) = delete;

private:
    const ScopedPlanning* const left_;
};

/// The innermost frame that the calling thread is in; nullptr outside of any.
const PlanningFrame* planning_frame();

/// The epoch of what the calling thread plans: of its innermost frame, else of the open NO_DISPATCH capture.
/// 0: it runs.
std::uint64_t planning_epoch();

/// True if a function is traced in the calling thread's innermost frame.
bool traces_function();

/// True if what was made in this epoch is of a traced function that the calling thread is not in.
bool is_refused_here(std::uint64_t epoch);

}  // namespace tilemeter
