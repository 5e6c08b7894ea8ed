// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/live/watch.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

#include <unistd.h>

#include "capture/events/recording_error.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/text.hpp"
#include "capture/recordings/recording_follower.hpp"
#include "capture/recordings/recording_reader.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

using record::Event;
using record::EventKind;
using record::MemoryType;
using Clock = std::chrono::steady_clock;

/// Bytes of one memory of a device: of L1 in a core, of DRAM in a bank. Buffers count with their largest share of a bank, so
/// that of shards on some cores alone the sum is an upper bound.
struct Use {
    std::uint64_t now = 0, peak = 0;

    void set(std::uint64_t bytes) {
        now = bytes;
        peak = std::max(peak, bytes);
    }
};

struct DeviceUse {
    std::uint64_t l1_buffers = 0, dram_buffers = 0;
    std::map<record::DeviceId, std::uint64_t>
        programs;  ///< memory of the program, by the chip that it lies on
    Use l1, dram;

    /// False of a chip of which no memory is told: TT-NN's programs end on it, too.
    bool was_used() const { return l1.peak != 0 || dram.peak != 0; }
    std::uint64_t program() const {
        std::uint64_t most = 0;
        for (const auto& [chip, bytes] : programs)
            most = std::max(most, bytes);
        return most;
    }
};

/// The state of a process as its events tell it.
struct Watched {
    std::uint64_t operations = 0, functions = 0, events = 0, errors = 0;
    std::map<record::DeviceId, DeviceUse> devices;
    std::map<std::uint32_t, std::vector<std::string>> open;  ///< functions, by thread
    /// That of a thread's last program: its memory is told of the chips, which TT-NN numbers apart from devices.
    std::map<std::uint32_t, record::DeviceId> device_of_program;
    struct Buffer {
        record::DeviceId device{};
        bool is_in_l1 = false;
        std::uint64_t bytes = 0;
    };
    std::unordered_map<std::uint64_t, Buffer> buffers;

    void take(std::uint32_t thread, const Event& event) {
        ++events;
        switch (event.kind) {
            case EventKind::kFunctionBegin: {
                auto& functions_open = open[thread];
                if (functions_open.empty()) ++operations;
                ++functions;
                functions_open.emplace_back(record::text_of(static_cast<record::TextId>(event.detail)));
                break;
            }
            case EventKind::kFunctionEnd:
                if (auto& functions_open = open[thread]; !functions_open.empty()) functions_open.pop_back();
                break;
            case EventKind::kBufferAllocate:
            case EventKind::kBufferAlive:
                allocate(event);
                break;
            case EventKind::kBufferFree:
                free(event.id);
                break;
            case EventKind::kProgramBegin:
                devices[event.device].programs.clear();
                device_of_program[thread] = event.device;
                break;
            case EventKind::kCircularBuffer:
            case EventKind::kDataflowBuffer:
            case EventKind::kScratchpad:
                if ((event.flags & record::kShared) == 0) {
                    const auto begun = device_of_program.find(thread);
                    const record::DeviceId device =
                        begun != device_of_program.end() ? begun->second : event.device;
                    devices[device].programs[event.device] += event.payload.program_memory.size_bytes;
                    update(device);
                }
                break;
            case EventKind::kError:
                ++errors;
                break;
            default:
                break;
        }
    }

private:
    void update(record::DeviceId device) {
        DeviceUse& use = devices[device];
        use.l1.set(use.l1_buffers + use.program());
        use.dram.set(use.dram_buffers);
    }

    void allocate(const Event& event) {
        const bool is_in_l1 = record::is_in_l1(event.memory);
        if (!is_in_l1 && event.memory != MemoryType::kDram) return;
        free(event.id);
        const Buffer buffer{event.device, is_in_l1, event.payload.buffer.size_per_bank_bytes};
        buffers[event.id] = buffer;
        (is_in_l1 ? devices[event.device].l1_buffers : devices[event.device].dram_buffers) += buffer.bytes;
        update(event.device);
    }

    void free(std::uint64_t id) {
        const auto found = buffers.find(id);
        if (found == buffers.end()) return;
        const Buffer buffer = found->second;
        buffers.erase(found);
        DeviceUse& use = devices[buffer.device];
        (buffer.is_in_l1 ? use.l1_buffers : use.dram_buffers) -= buffer.bytes;
        update(buffer.device);
    }
};

std::uint64_t l1_capacity(record::DeviceId device) {
    const auto info = record::device_info_of(device);
    return info ? info->l1_bank_size : 0;
}

std::uint64_t dram_capacity(record::DeviceId device) {
    const auto info = record::device_info_of(device);
    return info ? info->dram_size_per_channel : 0;
}

/// "ttnn.matmul > MatmulDeviceOperation"
std::string path_of(const std::vector<std::string>& functions) {
    std::string path;
    for (const std::string& each : functions)
        path += (path.empty() ? "" : " > ") + each;
    return path;
}

/// The recording that a process has open, found among what it has mapped.
std::string recording_of(const std::string& process) {
    std::ifstream maps("/proc/" + process + "/maps");
    if (!maps) throw Failure("process " + process + ": " + std::strerror(errno == 0 ? ENOENT : errno));
    std::set<std::string> seen;
    for (std::string line; std::getline(maps, line);) {
        const std::size_t at = line.find('/');
        if (at == std::string::npos) continue;
        std::string path = line.substr(at);
        for (std::size_t escaped = 0; (escaped = path.find("\\012", escaped)) != std::string::npos;)
            path.replace(escaped, 4, "\n");
        std::error_code unreadable;  // a device is not opened, to look at it could change it
        if (!seen.insert(path).second || !std::filesystem::is_regular_file(path, unreadable)) continue;
        if (record::is_recording(path)) return path;
    }
    throw Failure("process " + process +
                  ": expected one that records into a file (stream=), found no recording open");
}

/// False of one that has ended and waits for its parent to notice, too.
bool is_alive(std::uint64_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(") ");  // "4711 (name) S ..."
    return name_end != std::string::npos && text[name_end + 2] != 'Z' && text[name_end + 2] != 'X';
}

std::string memory_line(const char* what, const Use& use, std::uint64_t capacity) {
    std::ostringstream line;
    line << "  " << what << "  at most " << grouped(use.now) << " B";
    if (capacity != 0) line << ", " << 100 * use.now / capacity << " % of " << grouped(capacity);
    line << "; peak so far at most " << grouped(use.peak) << " B";
    return line.str();
}

}  // namespace

struct Watch::State {
    explicit State(const std::string& path) : follower(path) {}

    record::RecordingFollower follower;
    Watched watched;
    Clock::time_point last{};
    std::optional<double> operations_per_second;  ///< after two looks
    bool has_died = false;
};

Watch::Watch(const std::string& path) {
    try {
        state_ = std::make_unique<State>(path);
    } catch (const record::RecordingError& error) {
        throw Failure(error.what());
    }
}

Watch::~Watch() = default;

void Watch::look() try {
    State& it = *state_;
    const std::uint64_t before = it.watched.operations;
    // A process that ends after this has the rest in the next look.
    it.has_died = !is_alive(it.follower.head().process);
    it.follower.update([&it](std::uint32_t thread, const Event& event) { it.watched.take(thread, event); });
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - it.last).count();
    if (it.last != Clock::time_point{} && seconds > 0)
        it.operations_per_second = static_cast<double>(it.watched.operations - before) / seconds;
    it.last = now;
} catch (const record::RecordingError& error) {
    throw Failure(error.what());
}

bool Watch::is_over() const {
    return state_->follower.head().has_ended || state_->has_died;
}

Json Watch::json() const {
    const auto& [follower, watched, last, rate, has_died] = *state_;
    const record::RecordingFollower::Head& head = follower.head();
    Json devices = Json::array();
    const auto use_of = [](const Use& use, std::uint64_t capacity) {
        return Json{{"at_most_bytes", use.now},
                    {"peak_at_most_bytes", use.peak},
                    {"capacity_bytes", capacity != 0 ? Json(capacity) : Json(nullptr)}};
    };
    for (const auto& [device, use] : watched.devices) {
        if (!use.was_used()) continue;
        devices.push_back({{"device", record::number_of(device)},
                           {"l1_per_core", use_of(use.l1, l1_capacity(device))},
                           {"dram_per_bank", use_of(use.dram, dram_capacity(device))}});
    }
    Json running = Json::array();
    for (const auto& [thread, functions] : watched.open)
        if (!functions.empty()) running.push_back(path_of(functions));
    return {{"process_id", head.process},
            {"state", head.has_ended ? "ended"
                      : has_died     ? "died"
                                     : "recording"},
            {"operation_count", watched.operations},
            {"function_count", watched.functions},
            {"event_count", watched.events},
            {"error_count", watched.errors},
            {"lost_event_count", head.lost_events + head.missed_events},
            {"devices", std::move(devices)},
            {"running", std::move(running)}};
}

std::vector<std::string> Watch::lines() const {
    const auto& [follower, watched, last, operations_per_second, has_died] = *state_;
    const record::RecordingFollower::Head& head = follower.head();
    std::vector<std::string> lines;
    std::ostringstream first;
    first << "process " << head.process << (head.is_planned ? ", NO_DISPATCH" : ", NORMAL") << ": "
          << (head.has_ended ? "the capture has ended"
              : has_died     ? "the process has died"
                             : "recording")
          << ", " << grouped(watched.operations) << " operations";
    if (operations_per_second && !head.has_ended && !has_died)
        first << ", " << grouped(static_cast<std::uint64_t>(*operations_per_second)) << " a second";
    if (watched.errors != 0) first << ", " << grouped(watched.errors) << " errors";
    const std::uint64_t lost = head.lost_events + head.missed_events;
    first << (lost == 0 ? ", nothing lost" : ", " + grouped(lost) + " events lost: figures are lower bounds");
    lines.push_back(first.str());
    for (const auto& [device, use] : watched.devices) {
        if (!use.was_used()) continue;
        lines.push_back("device " + std::to_string(record::number_of(device)));
        lines.push_back(memory_line("L1 per core  ", use.l1, l1_capacity(device)));
        lines.push_back(memory_line("DRAM per bank", use.dram, dram_capacity(device)));
    }
    for (const auto& [thread, functions] : watched.open)
        if (!functions.empty())
            lines.push_back("thread " + std::to_string(thread) + " in " + path_of(functions));
    return lines;
}

std::string recording_named(const std::string& what) {
    const bool is_process = !what.empty() && what.find_first_not_of("0123456789") == std::string::npos;
    return is_process ? recording_of(what) : what;
}

namespace {

struct WatchOptions {
    std::string recording;
    std::int64_t interval = 1000;
    bool once = false, json = false;
};

volatile std::sig_atomic_t stop_requested = 0;

/// Until the time is over, or Ctrl-C was pressed.
void pause(std::chrono::milliseconds time) {
    constexpr std::chrono::milliseconds kStep{
        100};  // for a signal that comes before the sleep that it would end
    for (const auto end = Clock::now() + time; stop_requested == 0;) {
        const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(end - Clock::now());
        if (left.count() <= 0) return;
        const std::timespec step{0,
                                 static_cast<long>(std::min<std::chrono::nanoseconds>(left, kStep).count())};
        ::nanosleep(&step, nullptr);
    }
}

void run_watch(const WatchOptions& options) {
    Watch watch(recording_named(options.recording));
    const bool redraws = !options.json && !options.once && can_draw_over();
    std::signal(SIGINT, [](int) { stop_requested = 1; });
    for (std::ptrdiff_t shown = 0;;) {
        watch.look();
        const bool is_over = watch.is_over() || options.once || stop_requested != 0;
        if (options.json) {
            if (is_over) print_answer("watch", watch.json());
        } else if (redraws || is_over) {
            std::string text;
            for (const std::string& line : watch.lines())
                text += fitted(line, line_width()) + '\n';
            if (shown > 0) {
                const AsItIs as_it_is;  // of the text below names give the terminal no commands
                std::cout << "\033[" << shown << "A\033[J";
            }
            std::cout << text << std::flush;
            shown = redraws ? std::ranges::count(text, '\n') : 0;
        }
        if (is_over) return;
        pause(std::chrono::milliseconds(options.interval));
    }
}

}  // namespace

command::Verb watch_verb() {
    auto options = std::make_shared<WatchOptions>();
    return {.name = "watch",
            .documentation =
                "A process that records, while it runs: memory per core, peak so far, operations, losses",
            .parameters = {{"recording",
                            &options->recording,
                            "a recording file (stream=), or the number of the process that writes it",
                            {.required = true}},
                           {"--interval",
                            &options->interval,
                            "milliseconds between two looks",
                            {.shows_default = true, .range = command::Range{10, 3'600'000}}},
                           {"--once", &options->once, "say what is known now, and end"},
                           {"--json", &options->json, "the last state, machine-readable"}},
            .example = "tilemeter watch recording --interval 500",
            .run = [options] { run_watch(*options); }};
}

}  // namespace tilemeter::cli
