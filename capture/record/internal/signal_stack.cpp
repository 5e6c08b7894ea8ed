// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/signal_stack.hpp"

#include <csignal>
#include <cstddef>

#include <sys/mman.h>

namespace tilemeter::record::internal {

namespace {

// The kernel stores up to 11 KiB of registers there (AMX); walking a stack takes less than 16 KiB.
constexpr std::size_t kBytes = 65536;

class SignalStack {
public:
    SignalStack() {
        stack_t present{};
        if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
        void* const memory =
            mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        if (memory == MAP_FAILED) return;
        stack_t ours{};
        ours.ss_sp = memory;
        ours.ss_size = kBytes;
        if (sigaltstack(&ours, nullptr) == 0) {
            memory_ = memory;
        } else {
            munmap(memory, kBytes);
        }
    }
    ~SignalStack() {
        if (memory_ == nullptr) return;
        stack_t present{};
        if (sigaltstack(nullptr, &present) != 0) return;
        if (present.ss_sp == memory_) {
            stack_t none{};
            none.ss_flags = SS_DISABLE;
            if (sigaltstack(&none, nullptr) != 0) return;  // in use
        }
        munmap(memory_, kBytes);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    void* memory_ = nullptr;
};

}  // namespace

void ensure_signal_stack() {
    // A thread whose own variables are gone is about to end and does without.
    thread_local const SignalStack stack;
    static_cast<void>(stack);
}

}  // namespace tilemeter::record::internal
