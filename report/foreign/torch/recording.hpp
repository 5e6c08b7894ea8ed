// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A snapshot as a recording, of which reports are written as of our own.
//
//   active memory            a buffer of DRAM with the size that was requested
//   where it was allocated   a function with the name of the innermost frame outside of torch, and the whole stack
//   an annotation            a function around what happened in it
//   a refused allocation     a function that ended with an error
//   pinned memory of the host  a buffer of system memory
//
// Each device is a thread of the recording, with torch's number of the device.

#pragma once

#include <vector>

#include "capture/record/window.hpp"
#include "report/foreign/torch/figures.hpp"
#include "report/foreign/torch/snapshot.hpp"

namespace tilemeter::foreign::torch {

/// `figures`: of each device of the snapshot, in their order; `host`: of its host memory. The devices' entries are taken out of the
/// snapshot one device after the other: a million of them need not be there twice.
record::Recording recording_of(Snapshot& snapshot, const std::vector<Figures>& figures, const Figures& host);

}  // namespace tilemeter::foreign::torch
