// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/freed_views.hpp"

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace tilemeter {

namespace {

std::atomic<bool> views_stay{false};

/// By buffer; those of the oldest go first.
struct SharedFrees {
    std::mutex mutex;
    std::map<record::BufferId, std::string> texts;
};

SharedFrees& shared_frees() {
    static SharedFrees& all = *new SharedFrees;
    return all;
}

// A pointer only: room of threads that are there already is scarce where a library is loaded late.
constinit thread_local const std::string* place_of_thread = nullptr;

}  // namespace

bool freed_views_stay() {
    return views_stay.load(std::memory_order_relaxed);
}

void set_freed_views_stay(bool stay) {
    views_stay.store(stay, std::memory_order_relaxed);
}

FreeingAt::FreeingAt(std::string place) : place_(std::move(place)) {
    place_of_thread = &place_;
}

FreeingAt::~FreeingAt() {
    place_of_thread = nullptr;
}

void note_shared_free(record::BufferId buffer, const std::string& tensor) {
    constexpr std::size_t kMost = 4096;
    const std::string place = place_of_thread == nullptr ? "" : *place_of_thread;
    SharedFrees& all = shared_frees();
    const std::lock_guard lock(all.mutex);
    all.texts[buffer] = "freed with tensor " + tensor + (place.empty() ? "" : " at " + place);
    if (all.texts.size() > kMost) all.texts.erase(all.texts.begin());
}

std::string shared_free_text(record::BufferId buffer) {
    SharedFrees& all = shared_frees();
    const std::lock_guard lock(all.mutex);
    const auto found = all.texts.find(buffer);
    return found == all.texts.end() ? "" : found->second;
}

}  // namespace tilemeter
