// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/stack.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#define UNW_LOCAL_ONLY
#include <libunwind.h>  // include rule: the recorder walks stacks here and nowhere else

#include "capture/events/internal/definitions.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/modules.hpp"

namespace tilemeter::record {

namespace {

using Addresses = std::span<const std::uint64_t>;

std::uint64_t hash_of(Addresses addresses) {
    // Two lanes, since one multiplication waits for the one before.
    std::uint64_t even = 0x9e3779b97f4a7c15;
    std::uint64_t odd = 0xc2b2ae3d27d4eb4f;
    std::size_t i = 0;
    for (; i + 1 < addresses.size(); i += 2) {
        even = (even ^ addresses[i]) * 0xff51afd7ed558ccd;
        odd = (odd ^ addresses[i + 1]) * 0xc4ceb9fe1a85ec53;
    }
    if (i < addresses.size()) even = (even ^ addresses[i]) * 0xff51afd7ed558ccd;
    const std::uint64_t hash = even ^ (odd >> 29 | odd << 35);
    return hash ^ hash >> 32;
}

struct Stacks {
    std::mutex mutex;
    std::deque<std::vector<std::uint64_t>> all;           // a deque: spans stay valid as it grows
    std::unordered_multimap<std::uint64_t, StackId> ids;  // by hash
};

Stacks& stacks() {
    static auto& the_stacks = *new Stacks;  // never destroyed, as the texts
    return the_stacks;
}

void publish(StackId id, Addresses addresses) {
    internal::publish_definition(internal::DefinitionKind::kStack, static_cast<std::uint32_t>(id),
                                 {reinterpret_cast<const char*>(addresses.data()), addresses.size_bytes()});
}

struct Interned {
    StackId id;
    Addresses addresses;
    bool is_new;
};

Interned intern_hashed(Addresses addresses, std::uint64_t hash) {
    Stacks& known = stacks();
    const std::scoped_lock lock(known.mutex);
    const auto [first, last] = known.ids.equal_range(hash);
    for (auto each = first; each != last; ++each) {
        const auto& stack = known.all[static_cast<std::size_t>(each->second) - 1];
        if (std::equal(stack.begin(), stack.end(), addresses.begin(), addresses.end()))
            return {each->second, stack, false};
    }
    known.all.emplace_back(addresses.begin(), addresses.end());
    const auto id = static_cast<StackId>(known.all.size());
    known.ids.emplace(hash, id);
    if (internal::definitions_wanted.load(std::memory_order_acquire)) publish(id, known.all.back());
    return {id, known.all.back(), true};
}

// The stacks that this thread saw lately, by hash: most calls come from few places, and looking here takes no lock.
struct Recent {
    static constexpr std::size_t kPlaces = 1024;  // 24 KiB; a model's layers call from some hundred places
    struct Place {
        std::uint64_t hash = 0;
        Interned stack{StackId::kNone, {}, false};
    };
    std::array<Place, kPlaces> places;
};

// Trivial, so that it outlives what is destroyed when a thread ends, which may still emit. Libraries loaded late share the room
// of such variables, so that it says by itself when it is gone.
constinit thread_local Recent* this_threads_recent = nullptr;
Recent* const kGone = reinterpret_cast<Recent*>(std::uintptr_t{1});

struct RecentOwner {
    std::unique_ptr<Recent> recent = std::make_unique<Recent>();
    RecentOwner() { this_threads_recent = recent.get(); }
    ~RecentOwner() { this_threads_recent = kGone; }
};

/// Null where it is gone.
Recent* recent_of_this_thread() {
    if (this_threads_recent == nullptr) {
        thread_local const RecentOwner owner;
        return owner.recent.get();
    }
    return this_threads_recent == kGone ? nullptr : this_threads_recent;
}

}  // namespace

namespace {

constinit thread_local StackId followed_stack = StackId::kNone;

// Inlined, so that the first frame is that of the function it is written in.
[[gnu::always_inline]] inline StackId stack_here() {
    if (followed_stack != StackId::kNone) return followed_stack;
    std::array<void*, kMostFrames + 1> frames;  // NOLINT: filled below
    const int found = unw_backtrace(frames.data(), static_cast<int>(frames.size()));
    if (found <= 1) return StackId::kNone;
    static_assert(sizeof(void*) == sizeof(std::uint64_t));
    // The first frame is the function that asks.
    const Addresses addresses(reinterpret_cast<const std::uint64_t*>(frames.data()) + 1,
                              static_cast<std::size_t>(found) - 1);
    const std::uint64_t hash = hash_of(addresses);

    Recent* const recent = recent_of_this_thread();
    Recent::Place none;
    Recent::Place& place = recent != nullptr ? recent->places[hash % Recent::kPlaces] : none;
    const Addresses seen = place.stack.addresses;
    if (place.hash == hash && std::equal(seen.begin(), seen.end(), addresses.begin(), addresses.end()))
        return place.stack.id;
    place = {hash, intern_hashed(addresses, hash)};
    // The modules of a stack from another thread may have been unloaded since; they only have to be noted before
    // anybody asks, which the first thread saw to.
    if (place.stack.is_new) note_modules(addresses);
    return place.stack.id;
}

}  // namespace

[[gnu::noinline]] StackId capture_stack() {
    const StackId stack = stack_here();
    asm volatile("");  // no tail call: this frame is the one left out
    return stack;
}

namespace internal {

[[gnu::noinline]] void emit_function_begin_with_stack(TextId name, std::uint64_t argument_count) {
    const StackId stack = stack_here();
    append_event(EventKind::kFunctionBegin, raw(name), 0, [=](Event& made) {
        made.payload.call = {argument_count, stack};
    });
}

}  // namespace internal

ScopedStack::ScopedStack(StackId stack) : previous_(std::exchange(followed_stack, stack)) {}

ScopedStack::~ScopedStack() {
    followed_stack = previous_;
}

StackId intern_stack(Addresses addresses) {
    return addresses.empty() ? StackId::kNone : intern_hashed(addresses, hash_of(addresses)).id;
}

std::span<const std::uint64_t> stack_of(StackId id) {
    if (id == StackId::kNone) return {};
    Stacks& known = stacks();
    const std::scoped_lock lock(known.mutex);
    return known.all.at(static_cast<std::size_t>(id) - 1);
}

namespace internal {
void publish_stacks() {
    Stacks& known = stacks();
    const std::scoped_lock lock(known.mutex);
    for (std::size_t i = 0; i < known.all.size(); ++i)
        publish(static_cast<StackId>(i + 1), known.all[i]);
}
}  // namespace internal

}  // namespace tilemeter::record
