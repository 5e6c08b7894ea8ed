// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A watcher of calls (runtime/operations/core/call_watcher.hpp) that wants to know of replays, too, in which there are none.

#pragma once

#include <span>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter::trace {

class ReplayWatcher {
public:
    virtual ~ReplayWatcher() = default;

    /// A traced function is about to be replayed with these tensors. What it throws ends the replay before it has begun.
    virtual void on_replay(std::span<const Tensor> inputs) = 0;
};

}  // namespace tilemeter::trace
