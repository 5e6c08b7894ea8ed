// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Listeners to each operation that a thread's user calls, with its arguments and its results, whether the call runs or
// is planned: a record of gradients (runtime/trace/device/gradients/gradient_record.hpp).
//
// Without a watcher in any thread a call pays for one load.
//
// Thread safety: a watcher is the calling thread's.

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <typeinfo>
#include <vector>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

class CallWatcher {
public:
    virtual ~CallWatcher() = default;

    /// An operation is called; calls inside of calls are not told. `definition`: the type of `arguments`, one of the
    /// operations' definitions (definition.hpp).
    virtual void on_call(const std::type_info& definition, const void* arguments) = 0;

    /// The results that the call returned. Not told where it threw.
    virtual void on_results(std::span<const Tensor> results) = 0;

    /// Calls that were recorded before are about to be replayed with these tensors; they are not told one by one. What it
    /// throws ends the replay before it has begun.
    virtual void on_replay(std::span<const Tensor> inputs) = 0;
};

/// `watcher`, or none, is the calling thread's until the scope ends.
class ScopedCallWatcher {
public:
    explicit ScopedCallWatcher(CallWatcher* watcher);
    ~ScopedCallWatcher();
    ScopedCallWatcher(const ScopedCallWatcher&) = delete;
    ScopedCallWatcher& operator=(const ScopedCallWatcher&) = delete;

private:
    CallWatcher* const watcher_;
    CallWatcher* const outer_;
};

/// The calling thread's; nullptr: none.
CallWatcher* call_watcher();

namespace internal {

/// Watchers of all threads.
inline constinit std::atomic<std::uint32_t> call_watchers{0};

/// The watcher of a call that begins now; nullptr within another call.
CallWatcher* watcher_of_call(const std::type_info& definition, const void* arguments);

/// One call, from its beginning.
class WatchedCall {
public:
    WatchedCall(const std::type_info& definition, const void* arguments) {
        if (call_watchers.load(std::memory_order_relaxed) != 0) [[unlikely]]
            watcher_ = watcher_of_call(definition, arguments);
    }

    template <typename Results>
    void end(const Results& results) const {
        if (watcher_ != nullptr) [[unlikely]]
            tell(results);
    }

private:
    void tell(const Tensor& result) const;
    void tell(const std::vector<Tensor>& results) const;
    /// Tensors without memory stand for those that are missing.
    void tell(const std::vector<std::optional<Tensor>>& results) const;

    CallWatcher* watcher_ = nullptr;
};

}  // namespace internal

}  // namespace tilemeter
