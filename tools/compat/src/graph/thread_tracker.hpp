// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a thread's GraphTracker has: processors, the hook, and who tells them of what the model does.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tilemeter_ttnn/graph/graph_tracking.hpp"
#include "tools/compat/src/graph/hook_caller.hpp"
#include "tools/compat/src/graph/processor_caller.hpp"

namespace tilemeter::compat {

struct ThreadTracker {
    using Processor = std::shared_ptr<tt::tt_metal::IGraphProcessor>;

    std::vector<Processor> processors;
    std::shared_ptr<tt::tt_metal::IGraphHooks> hook;
    bool hook_is_of_capture = false;  ///< ours: the model knows its run mode
    int open_functions = 0;           ///< that clients began
    ProcessorCaller processor_caller{*this};
    HookCaller hook_caller{*this};

    ~ThreadTracker();
    /// Listens to the model, or not any more, as processors and hook need it.
    void adjust();

    /// Calls each of `whom` that is still among the thread's processors. They may push and pop meanwhile.
    void call_each(const std::function<void(tt::tt_metal::IGraphProcessor& processor)>& call) {
        call_each(std::vector(processors), call);
    }
    void call_each(const std::vector<Processor>& whom,
                   const std::function<void(tt::tt_metal::IGraphProcessor& processor)>& call);
};

/// The calling thread's; null once its thread-local objects are gone.
ThreadTracker* thread_tracker();

}  // namespace tilemeter::compat
