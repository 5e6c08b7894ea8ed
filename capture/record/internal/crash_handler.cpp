// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/crash_handler.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <string_view>
#include <typeinfo>

#include <boost/stacktrace/safe_dump_to.hpp>  // include rule: the stack of a process that dies, here only
#include <cxxabi.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "capture/events/clock.hpp"
#include "capture/events/thread_log.hpp"
#include "capture/record/recorder.hpp"

namespace tilemeter::record::internal {

namespace {

constexpr std::array<int, 5> kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// The disposition of one of these signals that is replaced.
struct Replaced {
    struct sigaction action {};     // the action that was there before
    bool installed = false;         // ours has been put in its place
    std::atomic<bool> back{false};  // and the handler has put it back
    bool covered = false;           // somebody put his over ours, and may call it
};

// Constant-initialised and never destroyed: a process may die at any moment.
constinit std::array<Replaced, kSignals.size()> replaced{};
constinit std::terminate_handler replaced_terminate = nullptr;
constinit bool terminate_covered = false;

constinit std::atomic<CrashArea*> watched{nullptr};
constinit std::atomic<std::uint64_t> watching_process{0};
constinit std::atomic<long> writing_thread{0};  // which writes to the area now

// In the thread that writes: the place to go on at when walking a broken stack fails.
sigjmp_buf walk_failed;
constinit std::atomic<bool> walking{false};

static_assert(std::atomic<CrashArea*>::is_always_lock_free && std::atomic<long>::is_always_lock_free,
              "used by signal handlers");

long this_thread() {
    return syscall(SYS_gettid);
}

#if TILEMETER_RECORDING
const ThreadLog* log_of_this_thread() {
    return this_thread_log;
}
#else
const ThreadLog* log_of_this_thread() {
    return nullptr;
}
#endif

// From here on to on_signal() all runs in signal handlers: nothing that allocates, locks, or is not
// async-signal-safe.

template <std::size_t Size>
void copy_text(std::array<char, Size>& to, const char* from) {
    std::size_t i = 0;
    for (; i + 1 < Size && from[i] != '\0'; ++i)
        to[i] = from[i];
    to[i] = '\0';
}

void read_thread_name(std::array<char, 16>& name) {
    const int file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t size = read(file, name.data(), name.size() - 1);
    close(file);
    if (size > 0)
        name[static_cast<std::size_t>(size) - (name[static_cast<std::size_t>(size) - 1] == '\n')] = '\0';
}

std::uint64_t hexadecimal(std::string_view& text) {
    std::uint64_t number = 0;
    while (!text.empty()) {
        const char c = text.front();
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) break;
        number = number << 4 | static_cast<std::uint64_t>(digit);
        text.remove_prefix(1);
    }
    return number;
}

bool holds_a_frame(std::string_view line, const CrashArea& area) {
    const std::uint64_t begin = hexadecimal(line);
    if (line.empty()) return false;
    line.remove_prefix(1);
    const std::uint64_t end = hexadecimal(line);
    if (begin <= area.program_counter && area.program_counter < end) return true;
    for (const std::uint64_t frame : area.frames) {
        if (frame == 0) return false;
        if (begin <= frame && frame < end) return true;
    }
    return false;
}

// The lines of /proc/self/maps that frames lie in. What was loaded after the recording began is found in no
// other way: asking the loader takes its lock.
void write_mappings(CrashArea& area) {
    static std::array<char, 8192> buffer;  // one writes at a time; the stack may be a small one
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    std::size_t held = 0;
    std::size_t used = 0;
    for (;;) {
        const ssize_t got = read(file, buffer.data() + held, buffer.size() - held);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        held += static_cast<std::size_t>(got);
        std::size_t begin = 0;
        for (std::size_t i = 0; i < held; ++i) {
            if (buffer[i] != '\n') continue;
            const std::string_view line(buffer.data() + begin, i + 1 - begin);
            begin = i + 1;
            if (!holds_a_frame(line, area) || used + line.size() >= area.mappings.size()) continue;
            std::memcpy(area.mappings.data() + used, line.data(), line.size());
            used += line.size();
        }
        if (begin == 0 && held == buffer.size()) begin = held;  // longer than any line can be
        std::memmove(buffer.data(), buffer.data() + begin, held - begin);
        held -= begin;
    }
    area.mappings[used] = '\0';
    close(file);
}

std::uint64_t program_counter_of([[maybe_unused]] const void* context) {
    if (context == nullptr) return 0;
    [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return machine.pc;
#else
    return 0;
#endif
}

// True if the written cause leads to this signal: an abort() by who handled the signal before, or by std::terminate.
// Then the first word counts.
bool follows_from(const CrashArea& area, int signal) {
    if (signal != SIGABRT || area.step.load(std::memory_order_relaxed) == 0) return false;
    if (area.thread != static_cast<std::uint64_t>(this_thread())) return false;
    const ThreadLog* const log = log_of_this_thread();
    const Event* const last = log != nullptr ? log->before_slot() : nullptr;
    return last == nullptr || static_cast<std::int64_t>(last->time_ticks - area.ticks) <= 0;
}

struct Cause {
    int signal = 0;  // 0: std::terminate
    const siginfo_t* info = nullptr;
    const void* context = nullptr;
    const char* exception_type = "";
    const char* message = "";
};

[[gnu::noinline]] void write_crash(CrashArea& area, const Cause& cause) {
    const auto& [signal, info, context, exception_type, message] = cause;
    if (follows_from(area, signal)) {
        if (area.terminate != 0) area.signal = signal;
        return;
    }
    area.step.store(static_cast<std::uint32_t>(CrashStep::kNothing), std::memory_order_release);
    area.signal = signal;
    area.signal_code = info != nullptr ? info->si_code : 0;
    area.terminate = signal == 0 ? 1 : 0;
    area.process = static_cast<std::uint64_t>(getpid());
    area.thread = static_cast<std::uint64_t>(this_thread());
    const ThreadLog* const log = log_of_this_thread();
    area.log = log != nullptr ? std::uint64_t{log->thread()} + 1 : 0;
    area.ticks = now_ticks();
    area.program_counter = program_counter_of(context);
    area.sender = 0;
    area.address = 0;
    if (info != nullptr && info->si_code == SI_USER && info->si_pid != getpid())
        area.sender = static_cast<std::uint64_t>(info->si_pid);
    if (info != nullptr && info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS))
        area.address = reinterpret_cast<std::uint64_t>(info->si_addr);
    read_thread_name(area.thread_name);
    copy_text(area.exception_type, exception_type);
    copy_text(area.message, message);
    area.frames.fill(0);
    area.mappings[0] = '\0';
    area.step.store(static_cast<std::uint32_t>(CrashStep::kCause), std::memory_order_release);

    // A stack may be broken: what its walk runs into comes back here.
    if (sigsetjmp(walk_failed, 1) == 0) {
        walking.store(true, std::memory_order_relaxed);
        boost::stacktrace::safe_dump_to(area.frames.data(), sizeof area.frames);
    }
    walking.store(false, std::memory_order_relaxed);
    area.frames.back() = 0;
    area.step.store(static_cast<std::uint32_t>(CrashStep::kFrames), std::memory_order_release);
    write_mappings(area);
    area.step.store(static_cast<std::uint32_t>(CrashStep::kMappings), std::memory_order_release);
}

void nap() {
    constexpr timespec kMillisecond{0, 1'000'000};
    nanosleep(&kMillisecond, nullptr);
}

// Writes to the area that is watched, if there is one. Of several threads that die at once the first one
// does.
void write_if_watched(const Cause& cause) {
    if (watched.load(std::memory_order_acquire) == nullptr) return;
    // A child that shares memory or handlers with us, as of vfork().
    if (watching_process.load(std::memory_order_relaxed) != static_cast<std::uint64_t>(getpid())) return;
    long nobody = 0;
    if (writing_thread.compare_exchange_strong(nobody, this_thread())) {
        // Asked again: unwatch_crashes() waits for who came before it.
        if (CrashArea* const area = watched.load(std::memory_order_acquire)) write_crash(*area, cause);
        writing_thread.store(0);
        return;
    }
    if (nobody == this_thread()) return;  // interrupted while it writes
    // This thread must not end the process before the other one has written.
    for (int naps = 0; naps < 1000 && writing_thread.load() != 0; ++naps)
        nap();
}

Replaced* replaced_for(int signal) {
    const auto* const found = std::find(kSignals.begin(), kSignals.end(), signal);
    return found == kSignals.end() ? nullptr : &replaced[static_cast<std::size_t>(found - kSignals.begin())];
}

void on_signal(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    if (walking.load(std::memory_order_relaxed) && writing_thread.load() == this_thread())
        siglongjmp(walk_failed, 1);
    write_if_watched({signal, info, context});
    // The one before gets its signal from the kernel, with its own flags, mask and stack: a faulty
    // instruction runs once more, anything else is sent once more and comes when this handler returns.
    Replaced* const before = replaced_for(signal);
    if (before != nullptr) {
        before->back.store(true, std::memory_order_relaxed);
        sigaction(signal, &before->action, nullptr);
    }
    const bool comes_again = info != nullptr && info->si_code > 0 && signal != SIGABRT &&
                             !(signal == SIGBUS && info->si_code == BUS_MCEERR_AO);
    if (!comes_again) {
        sigset_t only;
        sigemptyset(&only);
        sigaddset(&only, signal);
        pthread_sigmask(SIG_BLOCK, &only, nullptr);
        if (info == nullptr || syscall(SYS_rt_tgsigqueueinfo, getpid(), this_thread(), signal, info) != 0)
            syscall(SYS_tgkill, getpid(), this_thread(), signal);
    }
    errno = error;
}

// No handler of a signal, but the process may be damaged, so this does not do much either.
[[noreturn]] void on_terminate() {
    std::array<char, 1024> message{};
    Cause cause;
    if (const std::type_info* const type = abi::__cxa_current_exception_type()) {
        cause.exception_type = type->name();
        cause.message = message.data();
        try {
            throw;
        } catch (const std::exception& exception) {
            copy_text(message, exception.what());
        } catch (...) {  // NOLINT: its type says all that is known
        }
    }
    write_if_watched(cause);
    if (replaced_terminate != nullptr) replaced_terminate();
    std::abort();
}

bool is_ours(const struct sigaction& action) {
    return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal;
}

void install(int signal, Replaced& before) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0) return;
    if (is_ours(now)) {  // the handler that covered it has gone
        before.covered = false;
        before.installed = true;
        before.back.store(false, std::memory_order_relaxed);
        return;
    }
    const bool handled =
        (now.sa_flags & SA_SIGINFO) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
    if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN) return;
    // It may call ours: ours over it would call it in turn, for ever.
    if (before.covered && handled) return;
    before.covered = false;
    before.action = now;
    before.back.store(false, std::memory_order_relaxed);
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    // Not blocked while it is handled: a stack that cannot be walked raises it again.
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    before.installed = sigaction(signal, &ours, nullptr) == 0;
}

void remove(int signal, Replaced& before) {
    if (!before.installed) return;
    before.installed = false;
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0) return;
    if (is_ours(now)) {
        sigaction(signal, &before.action, nullptr);
    } else {
        before.covered = !before.back.load(std::memory_order_relaxed);
    }
}

void remove_all() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        remove(kSignals[i], replaced[i]);
    if (std::get_terminate() == on_terminate) {
        std::set_terminate(replaced_terminate);
    } else {
        terminate_covered = true;
    }
}

}  // namespace

void watch_crashes(CrashArea* area) {
    watching_process.store(static_cast<std::uint64_t>(getpid()), std::memory_order_relaxed);
    watched.store(area, std::memory_order_release);
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        install(kSignals[i], replaced[i]);
    if (std::get_terminate() == on_terminate) {
        terminate_covered = false;
    } else if (!terminate_covered) {
        replaced_terminate = std::set_terminate(on_terminate);
    }
}

void unwatch_crashes() {
    watched.store(nullptr);
    remove_all();
    // A thread that is writing dies with the process; one that only seemed to die, because its program handles the
    // signal, ends.
    for (int naps = 0; naps < 1000 && writing_thread.load() != 0; ++naps)
        nap();
}

void unwatch_crashes_in_child() {
    if (watched.exchange(nullptr) == nullptr) return;
    writing_thread.store(0);
    remove_all();
}

}  // namespace tilemeter::record::internal
