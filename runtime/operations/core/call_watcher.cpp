// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/call_watcher.hpp"

#include "runtime/device/allocation.hpp"

namespace tilemeter {

namespace {

constinit thread_local CallWatcher* this_threads_watcher = nullptr;

int count_of(const CallWatcher* watcher) {
    return watcher == nullptr ? 0 : 1;
}

}  // namespace

ScopedCallWatcher::ScopedCallWatcher(CallWatcher* watcher) : watcher_(watcher), outer_(this_threads_watcher) {
    internal::call_watchers.fetch_add(static_cast<std::uint32_t>(count_of(watcher_)));
    this_threads_watcher = watcher_;
}

ScopedCallWatcher::~ScopedCallWatcher() {
    this_threads_watcher = outer_;
    internal::call_watchers.fetch_sub(static_cast<std::uint32_t>(count_of(watcher_)));
}

CallWatcher* call_watcher() {
    return this_threads_watcher;
}

namespace internal {

CallWatcher* watcher_of_call(const std::type_info& definition, const void* arguments) {
    CallWatcher* const watcher = this_threads_watcher;
    if (watcher == nullptr || ScopedUserOperation::current() != record::TextId::kNone) return nullptr;
    watcher->on_call(definition, arguments);
    return watcher;
}

void WatchedCall::tell(const Tensor& result) const {
    watcher_->on_results(std::span(&result, 1));
}

void WatchedCall::tell(const std::vector<Tensor>& results) const {
    watcher_->on_results(results);
}

void WatchedCall::tell(const std::vector<std::optional<Tensor>>& results) const {
    std::vector<Tensor> given;
    given.reserve(results.size());
    for (const std::optional<Tensor>& each : results)
        given.push_back(each.value_or(Tensor()));
    watcher_->on_results(given);
}

}  // namespace internal

}  // namespace tilemeter
