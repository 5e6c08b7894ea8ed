// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/window.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <pthread.h>

#include "capture/record/internal/chunk_arena.hpp"
#include "capture/record/internal/recording_file.hpp"
#include "capture/record/internal/recording_slices.hpp"
#include "capture/record/internal/room.hpp"
#include "capture/record/recorder.hpp"
#include "capture/record/recording_error.hpp"

namespace tilemeter::record {

namespace {

struct Window {
    WindowId id;
    WindowOptions options;
    bool pages;  // wanted at any time since it opened
    std::uint64_t begin_ticks;
    std::uint64_t wall_clock_ns;
    std::shared_ptr<internal::RecordingFile> file;

    struct Begin {
        std::uint64_t number = 0;  // of the thread's first event
        EventCounts counts;
    };
    std::map<const ThreadLog*, Begin> begin;  // threads not listed begin at 0

    std::uint64_t begin_of(const ThreadLog* log) const {
        const auto found = begin.find(log);
        return found == begin.end() ? 0 : found->second.number;
    }
    bool wants_events() const { return options.detail != Detail::kCounters; }
    bool in_memory() const { return wants_events() && file == nullptr; }
};

// Where threads keep their events.
enum class Place : std::uint8_t { kNowhere, kMemory, kFile };

struct State {
    std::mutex mutex;
    std::vector<std::shared_ptr<ThreadLog>> logs;
    std::vector<std::shared_ptr<ThreadLog>> kept_for_good;  // logs of threads that emit while they end
    std::vector<Window> windows;
    Place place = Place::kMemory;
    std::uint64_t memory_epoch = 0;  // moves when no window needs memory any more
    bool stack_traces = false;
    FrameOrder frame_order = FrameOrder::kInnermostFirst;
    bool buffer_pages = false;
    std::uint32_t threads_seen = 0;
    std::atomic<std::uint64_t> windows_seen{0};
    std::uint64_t epochs = 0;
    std::atomic<std::uint64_t> shadow_epoch{0};
};

State& state() {
    // Never destroyed: threads may still record while the process ends.
    static auto& the_state = *new State;
    return the_state;
}

// The open recording file, for facts; apart from the state, whose lock is held while files are made.
struct OpenFile {
    std::mutex mutex;
    std::shared_ptr<internal::RecordingFile> file;
};

OpenFile& open_file() {
    static auto& the_file = *new OpenFile;
    return the_file;
}

bool any_no_dispatch(const std::vector<Window>& windows) {
    return std::any_of(windows.begin(), windows.end(),
                       [](const Window& window) { return window.options.mode == RunMode::NO_DISPATCH; });
}

// The last one that recorded into the file is the only one.
const Window* recording_window(const State& all) {
    const auto found = std::find_if(all.windows.begin(), all.windows.end(),
                                    [](const Window& window) { return window.file != nullptr; });
    return found == all.windows.end() ? nullptr : &*found;
}

bool any_in_memory(const State& all) {
    return std::any_of(all.windows.begin(), all.windows.end(),
                       [](const Window& window) { return window.in_memory(); });
}

/// The first event of `log` that a window in memory holds.
std::uint64_t first_needed(const State& all, const ThreadLog* log) {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (const Window& window : all.windows) {
        if (window.in_memory()) first = std::min(first, window.begin_of(log));
    }
    return first;
}

/// Of the windows in memory the one with the highest limit; none if one has no limit.
const Window* limiting_window(const State& all) {
    const Window* most = nullptr;
    for (const Window& window : all.windows) {
        if (!window.in_memory()) continue;
        if (window.options.max_bytes == 0) return nullptr;
        if (most == nullptr || window.options.max_bytes > most->options.max_bytes) most = &window;
    }
    return most;
}

/// Of the logs that can give a chunk away; null if there is none.
ThreadLog* log_with_oldest_chunk(const State& all) {
    ThreadLog* oldest = nullptr;
    std::uint64_t oldest_ticks = std::numeric_limits<std::uint64_t>::max();
    for (const auto& log : all.logs) {
        if (log->chunk_count() < 2) continue;
        const std::uint64_t ticks = log->first_ticks();
        if (oldest == nullptr || ticks < oldest_ticks) {
            oldest = log.get();
            oldest_ticks = ticks;
        }
    }
    return oldest;
}

/// Whether limits allow another chunk in memory. `recycled` becomes one that gave way for it, if nobody looks
/// at it any more: a ring that is full takes no memory, and stays in the cache if it is small.
bool make_way(const State& all, std::shared_ptr<Chunk>& recycled) {
    const Window* const limit = limiting_window(all);
    if (limit == nullptr) return true;
    const std::size_t most = std::max<std::size_t>(limit->options.max_bytes / sizeof(Chunk), 1);
    std::size_t held = 0;
    for (const auto& log : all.logs)
        held += log->chunk_count();
    if (held >= most && limit->options.when_full == FullPolicy::kDropNewest) return false;
    for (; held >= most; --held) {
        ThreadLog* const oldest = log_with_oldest_chunk(all);
        if (oldest == nullptr) break;
        auto chunk = oldest->take_oldest();
        if (is_held_alone(chunk)) recycled = std::move(chunk);
    }
    return true;
}

/// All events of a window that records into a file; while they are looked at, what holds them stays as it is.
std::vector<ThreadSlice> slices_of_file(const State& all, internal::RecordingFile& file) {
    std::vector<std::shared_ptr<const void>> held{file.keep_blocks()};
    for (const auto& log : all.logs)
        held.push_back(log->current());
    return internal::map_slices(file.descriptor(), std::move(held));
}

Trace trace_of(const State& all, const Window& window) {
    Trace trace;
    if (window.file != nullptr) trace.threads = slices_of_file(all, *window.file);
    trace.mode = window.options.mode;
    trace.detail = window.options.detail;
    trace.pages = window.pages;
    trace.begin_ticks = window.begin_ticks;
    trace.wall_clock_ns = window.wall_clock_ns;
    trace.when_full = window.options.when_full;
    trace.frame_order = all.frame_order;
    for (const auto& log : all.logs) {
        const auto begin = window.begin.find(log.get());
        const auto first = begin == window.begin.end() ? Window::Begin{} : begin->second;
        trace.counted += log->counts() - first.counts;
        if (!window.in_memory()) continue;
        ThreadSlice slice = log->slice_since(first.number);
        if (slice.begin > first.number) trace.overwritten += slice.begin - first.number;
        if (slice.begin != slice.end) trace.threads.push_back(std::move(slice));
    }
    if (window.file != nullptr) {
        const std::uint64_t lost = window.file->lost_events()->load(std::memory_order_relaxed);
        trace.overwritten = lost - std::min(lost, trace.counted.total());
    }
    const ClockReading now = read_clocks();
    trace.end_ticks = now.ticks;
    trace.conversion = TickConversion(process_start_reading(), now);
    return trace;
}

// Logs of threads that have ended are only in our list; the others are also held by their thread.
void drop_what_nobody_needs(State& all) {
    for (const auto& log : all.logs)
        log->drop_before(first_needed(all, log.get()));
    if (any_in_memory(all)) return;
    ++all.memory_epoch;
    for (auto log = all.logs.begin(); log != all.logs.end();) {
        // What it counted belongs to windows that are still open.
        const bool needed =
            log->use_count() > 1 || (!all.windows.empty() && log->get()->counts().total() > 0);
        log = needed ? std::next(log) : all.logs.erase(log);
    }
}

}  // namespace

#if TILEMETER_RECORDING

namespace internal {

constinit std::atomic<std::uint32_t> listening{0};
constinit thread_local ThreadLog* this_thread_log [[gnu::tls_model("initial-exec")]] = nullptr;

namespace {

// Set when the thread's LogOwner is gone: what is destroyed later may still emit. Trivial, so it outlives
// all.
constinit thread_local bool owner_gone = false;

// Keeps the log alive as long as the thread runs, and lets go of it when the thread ends.
struct LogOwner {
    std::shared_ptr<ThreadLog> log;
    ~LogOwner() {
        this_thread_log = nullptr;
        owner_gone = true;
    }
};
thread_local LogOwner owner;

}  // namespace

ThreadLog* make_log() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    // Threads may come and go in any number while a file takes their events.
    if (!any_in_memory(all)) drop_what_nobody_needs(all);
    auto log = std::make_shared<ThreadLog>(all.threads_seen++);
    all.logs.push_back(log);
    this_thread_log = log.get();
    // Without an owner nobody says when this thread is done with its log: it stays for good.
    (owner_gone ? all.kept_for_good.emplace_back() : owner.log) = std::move(log);
    return this_thread_log;
}

}  // namespace internal

#endif

namespace internal {

constinit std::atomic<bool> facts_wanted{false};

void publish_fact(FactKind kind, std::uint32_t id, std::span<const char> bytes) {
    OpenFile& open = open_file();
    const std::scoped_lock lock(open.mutex);
    if (open.file) open.file->add_fact(kind, id, bytes);
}

void make_room(ThreadLog& log) {
    State& all = state();
    std::shared_ptr<Chunk> spare;  // taken without the lock: the kernel may have to clear its memory
    for (;;) {
        std::uint64_t epoch = 0;
        {
            const std::scoped_lock lock(all.mutex);
            std::shared_ptr<Chunk> chunk;
            std::shared_ptr<std::atomic<std::uint64_t>> lost;
            const bool in_memory = any_in_memory(all);
            if (const Window* recording = recording_window(all)) {
                chunk = recording->file->new_chunk(in_memory ? nullptr : log.take_current());
                if (!chunk) lost = recording->file->lost_events();
            }
            const bool wanted = !chunk && in_memory && make_way(all, chunk);
            if (wanted && !chunk) chunk = std::move(spare);
            if (chunk || !wanted) {
                log.continue_in(std::move(chunk), std::move(lost));
                log.drop_before(first_needed(all, &log));
                if (!in_memory) log.arena().let_go();
                return;
            }
            epoch = all.memory_epoch;
        }
        spare = log.arena().take(epoch);
    }
}

}  // namespace internal

namespace {

// What recording() and its kin read. Compiled out, nobody reads it.
void announce_open_windows([[maybe_unused]] const State& all) {
#if TILEMETER_RECORDING
    auto flags = static_cast<std::uint32_t>(all.windows.size());
    bool events = false;
    for (const Window& window : all.windows) {
        const Detail detail = window.options.detail;
        events = events || window.wants_events();
        if (detail >= Detail::kArguments) flags |= internal::kWantsArguments;
        if (detail >= Detail::kStacks) flags |= internal::kWantsStacks;
        if (window.wants_events() && window.pages) flags |= internal::kWantsPages;
    }
    if (events && all.stack_traces) flags |= internal::kWantsStacks;
    internal::listening.store(flags, std::memory_order_release);
#endif
}

/// Where events go from now on. Threads that keep theirs elsewhere move with their next event.
void settle_place(State& all) {
    Place place = Place::kNowhere;
    if (recording_window(all) != nullptr) {
        place = Place::kFile;
    } else if (any_in_memory(all) || all.windows.empty()) {
        place = Place::kMemory;
    }
    for (const auto& log : all.logs) {
        if (place != all.place || log->is_counting()) log->leave_chunk();
    }
    all.place = place;
}

std::vector<Window>::iterator find(State& all, WindowId id) {
    return std::find_if(all.windows.begin(), all.windows.end(),
                        [id](const Window& window) { return window.id == id; });
}

void use_file_for_facts(std::shared_ptr<internal::RecordingFile> file) {
    OpenFile& open = open_file();
    const std::scoped_lock lock(open.mutex);
    internal::facts_wanted.store(file != nullptr, std::memory_order_release);
    open.file = std::move(file);
}

// A child that goes on with its parent's file would write over what the parent writes: it goes on in memory,
// its copy of a window in the file without one.
void forget_file_in_child() {
    State& all = state();
    for (Window& window : all.windows)
        window.file.reset();
    open_file().file.reset();
    internal::facts_wanted.store(false, std::memory_order_relaxed);
    for (const auto& log : all.logs)
        log->leave_chunk();
    all.place = Place::kMemory;
}

void lock_before_fork() {
    state().mutex.lock();
    open_file().mutex.lock();
}
void unlock_after_fork() {
    open_file().mutex.unlock();
    state().mutex.unlock();
}

std::shared_ptr<internal::RecordingFile> make_file(const WindowOptions& options, std::uint64_t wall_clock_ns,
                                                   std::uint64_t begin_ticks, bool pages) {
    static const int kForkHandlers = pthread_atfork(lock_before_fork, unlock_after_fork, [] {
        forget_file_in_child();
        unlock_after_fork();
    });
    static_cast<void>(kForkHandlers);
    const internal::RecordingFacts facts{wall_clock_ns, begin_ticks, static_cast<std::uint8_t>(options.mode),
                                         static_cast<std::uint8_t>(options.detail), pages};
    const std::uint64_t blocks =
        options.max_bytes == 0 ? 0 : std::max<std::uint64_t>(options.max_bytes / sizeof(Chunk), 1);
    return std::make_shared<internal::RecordingFile>(options.recording, facts, blocks,
                                                     options.when_full == FullPolicy::kDropOldest);
}

void write_all_facts() {
    internal::publish_texts();
    internal::publish_tensors();
    internal::publish_devices();
    internal::publish_placements();
    internal::publish_modules();
    internal::publish_stacks();
}

Trace close(State& all, std::vector<Window>::iterator window) {
    const auto file = window->file;
    if (file != nullptr) {
        // Threads that are about to write into the file do so before, or elsewhere.
        use_file_for_facts(nullptr);
        file->end(now_ticks());
    }
    Trace trace;
    std::exception_ptr failure;
    try {
        trace = trace_of(all, *window);
    } catch (const RecordingError&) {
        failure = std::current_exception();  // the window closes all the same; its file holds what it saw
    }
    all.windows.erase(window);
    if (!any_no_dispatch(all.windows)) all.shadow_epoch.store(0, std::memory_order_release);
    announce_open_windows(all);
    settle_place(all);
    drop_what_nobody_needs(all);
    if (failure) std::rethrow_exception(failure);
    return trace;
}

}  // namespace

WindowId open_window(RunMode mode) {
    WindowOptions options;
    options.mode = mode;
    return open_window(options);
}

WindowId open_window(const WindowOptions& options) {
    State& all = state();
    const std::uint64_t wall_clock_ns =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::system_clock::now().time_since_epoch())
                                       .count());
    const std::scoped_lock lock(all.mutex);
    const bool pages = options.detail >= Detail::kPages || all.buffer_pages;
    Window window{{}, options, pages, now_ticks(), wall_clock_ns, nullptr, {}};
    if (!options.recording.empty()) {
        if (const Window* other = recording_window(all))
            throw RecordingError(options.recording.string() + ": a capture records into a file already, " +
                                 other->file->path().string() + "; only one at a time may");
        window.file = make_file(options, wall_clock_ns, window.begin_ticks, pages);
        use_file_for_facts(window.file);
        write_all_facts();
    }
    const auto id = static_cast<WindowId>(all.windows_seen.fetch_add(1, std::memory_order_relaxed) + 1);
    window.id = id;
    for (const auto& log : all.logs)
        window.begin.emplace(log.get(), Window::Begin{log->published(), log->counts()});
    all.windows.push_back(std::move(window));
    if (options.mode == RunMode::NO_DISPATCH && all.shadow_epoch.load(std::memory_order_relaxed) == 0) {
        all.shadow_epoch.store(++all.epochs, std::memory_order_release);
    }
    settle_place(all);
    announce_open_windows(all);
    return id;
}

std::uint32_t open_window_count() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return static_cast<std::uint32_t>(all.windows.size());
}

std::uint64_t windows_opened() {
    return state().windows_seen.load(std::memory_order_relaxed);
}

std::optional<WindowId> innermost_window() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (all.windows.empty()) return std::nullopt;
    return all.windows.back().id;
}

std::optional<Trace> peek_window(WindowId window) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto found = find(all, window);
    if (found == all.windows.end()) return std::nullopt;
    return trace_of(all, *found);
}

std::optional<Trace> close_window(WindowId window) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    const auto found = find(all, window);
    if (found == all.windows.end()) return std::nullopt;
    return close(all, found);
}

std::optional<Trace> close_innermost_window() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    if (all.windows.empty()) return std::nullopt;
    return close(all, all.windows.end() - 1);
}

std::uint64_t shadow_epoch() {
    return state().shadow_epoch.load(std::memory_order_acquire);
}

std::string_view name_of(Detail detail) {
    constexpr std::array<std::string_view, 5> kNames = {"counters", "events", "arguments", "stacks", "pages"};
    const auto index = static_cast<std::size_t>(detail);
    return index < kNames.size() ? kNames[index] : "unknown";
}

void set_stack_traces(bool enabled, FrameOrder order) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.stack_traces = enabled;
    if (enabled) all.frame_order = order;
    announce_open_windows(all);
}

bool stack_traces_enabled() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.stack_traces;
}

void set_buffer_pages(bool enabled) {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    all.buffer_pages = enabled;
    for (Window& window : all.windows)
        window.pages = window.pages || enabled;
    announce_open_windows(all);
}

bool buffer_pages_enabled() {
    State& all = state();
    const std::scoped_lock lock(all.mutex);
    return all.buffer_pages;
}

}  // namespace tilemeter::record
