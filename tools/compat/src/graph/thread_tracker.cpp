// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/graph/thread_tracker.hpp"

#include <algorithm>
#include <typeinfo>

#include "tilemeter_ttnn/graph/graph.hpp"

namespace tilemeter::compat {

namespace {

// Trivial, so that they outlive the thread's objects.
constinit thread_local ThreadTracker* this_threads = nullptr;
constinit thread_local bool is_gone = false;

struct Owner {
    std::unique_ptr<ThreadTracker> tracker = std::make_unique<ThreadTracker>();
    Owner() { this_threads = tracker.get(); }
    ~Owner() {
        is_gone = true;
        this_threads = nullptr;
    }
};

}  // namespace

ThreadTracker* thread_tracker() {
    if (this_threads == nullptr && !is_gone) static thread_local Owner owner;
    return this_threads;
}

ThreadTracker::~ThreadTracker() {
    record::set_listener(nullptr);
    set_device_hooks(nullptr);
}

void ThreadTracker::adjust() {
    // Captures of ours have their own recording.
    const bool listens = std::ranges::any_of(processors, [](const Processor& each) {
        const tt::tt_metal::IGraphProcessor& processor = *each;
        return typeid(processor) != typeid(::ttnn::graph::GraphProcessor);
    });
    record::set_listener(listens ? &processor_caller : nullptr);
    set_device_hooks(hook != nullptr && !hook_is_of_capture ? &hook_caller : nullptr);
}

void ThreadTracker::call_each(const std::vector<Processor>& whom,
                              const std::function<void(tt::tt_metal::IGraphProcessor& processor)>& call) {
    for (const Processor& each : whom)
        if (std::ranges::find(processors, each) != processors.end()) call(*each);
}

}  // namespace tilemeter::compat
