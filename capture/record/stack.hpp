// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Call stacks as raw return addresses, innermost first, each distinct stack kept once. Names and lines are
// found when somebody reads them (capture/graph/symbolizer.hpp); the modules that the addresses lie in are
// noted with their build ids (modules.hpp), so that this can be another machine.
//
// Thread safety: all functions may be called from any thread, not from a signal handler.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "capture/events/ids.hpp"

namespace tilemeter::record {

/// Frames kept of a stack, the innermost ones.
inline constexpr std::size_t kMostFrames = 64;

/// The calling thread's stack, without the caller's own frame. A stack seen before costs a walk by
/// libunwind's cached method and a lookup; a new one also a lock and its storage.
StackId capture_stack();

/// A frame that is a text, among return addresses: what another language's interpreter says of its own stack. No
/// address of a program has the highest bit.
inline constexpr std::uint64_t kTextFrame = std::uint64_t{1} << 63;
constexpr std::uint64_t text_frame(TextId text) {
    return kTextFrame | static_cast<std::uint64_t>(text);
}
/// The text of such a frame; none of a return address.
constexpr std::optional<TextId> text_of_frame(std::uint64_t frame) {
    if ((frame & kTextFrame) == 0) return std::nullopt;
    return static_cast<TextId>(frame & ~kTextFrame);
}

/// Interns frames: return addresses, as from another process, or texts.
StackId intern_stack(std::span<const std::uint64_t> addresses);

/// The frames behind an id; empty for kNone. REQUIRES: `id` came from this file. Valid for the life of the
/// process.
std::span<const std::uint64_t> stack_of(StackId id);

/// In place of this thread's own frames, while it lives: those of a program that is followed here, not run. Scopes nest.
class ScopedStack {
public:
    explicit ScopedStack(StackId stack);
    ~ScopedStack();
    ScopedStack(const ScopedStack&) = delete;
    ScopedStack& operator=(const ScopedStack&) = delete;

private:
    StackId previous_;
};

}  // namespace tilemeter::record
