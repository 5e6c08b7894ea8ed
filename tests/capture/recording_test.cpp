// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Recording files: what they hold is what was captured, whenever the process dies.
// TILEMETER_CASES=50 build/tests/recording_test --gtest_filter='*.killed*' is the long form.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/events/recording_error.hpp"
#include "capture/graph/graph_processor.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "capture/recordings/recording_follower.hpp"
#include "capture/recordings/recording_reader.hpp"
#include "tests/capture/well_formed.hpp"
#include "tests/cases.hpp"

namespace tilemeter {
namespace {

namespace fs = std::filesystem;
using graph::CapturedGraph;
using graph::CaptureOptions;
using graph::GraphProcessor;
using nlohmann::json;

/// Without what differs from run to run.
json timeless(json graph) {
    for (json& node : graph)
        node.erase("duration_ns");
    return graph;
}

class Recording : public testing::Test {
protected:
    Recording() : path_(fs::temp_directory_path() / ("recording_test." + std::to_string(getpid()))) {}
    ~Recording() override {
        while (graph::is_graph_capture_active())
            GraphProcessor::end_capture();
        fs::remove(path_);
    }
    CaptureOptions options() const {
        CaptureOptions options;
        options.recording = path_;
        return options;
    }
    const fs::path path_;
};

const record::TensorSpecId kSpec = record::intern(record::TensorInfo{
    {1, 32, 32}, record::intern("DataType::BFLOAT16"), record::intern("Layout::TILE"), true, 2048, 2048});

void operation(int number) {
    const record::BufferRecord buffer{record::next_buffer_id(),
                                      record::DeviceId{0},
                                      record::MemoryType::kL1,
                                      {},
                                      0,
                                      1497088,
                                      2048,
                                      2048,
                                      2048};
    record::emit_function_begin(record::intern("op " + std::to_string(number)), 1);
    record::emit_argument(record::intern("argument of " + std::to_string(number)));
    record::emit_input_tensor(
        {record::TensorId{7}, kSpec, record::DeviceId{0}, buffer.buffer, 1497088, false});
    record::emit_buffer_allocate(buffer, record::Origin::kObserved);
    record::emit_buffer_free(buffer, record::Origin::kObserved);
    record::emit_function_end();
}

TEST_F(Recording, given_a_path_then_the_capture_is_what_it_is_in_memory) {
    GraphProcessor::begin_graph_capture(options());
    GraphProcessor::begin_graph_capture();
    for (int i = 0; i < 3000; ++i)
        operation(i);
    const json in_memory = GraphProcessor::end_graph_capture();
    const json in_file = GraphProcessor::end_graph_capture();
    test::expect_well_formed(in_file);
    EXPECT_EQ(timeless(in_file), timeless(in_memory));
    EXPECT_GT(in_file.size(), 18000U);

    record::Recording recording = record::read_recording(path_);
    EXPECT_FALSE(recording.recovered);
    EXPECT_EQ(recording.incomplete_functions, 0U);
    EXPECT_EQ(timeless(CapturedGraph(std::move(recording)).to_json()), timeless(in_memory));
}

// A thread numbers its events through all captures.
TEST_F(Recording, given_an_earlier_capture_then_who_follows_the_next_sees_all_of_it) {
    GraphProcessor::begin_graph_capture();
    for (int i = 0; i < 50; ++i)
        operation(i);
    GraphProcessor::end_capture();

    GraphProcessor::begin_graph_capture(options());
    record::RecordingFollower beside(path_);
    std::uint64_t seen_beside = 0;
    const auto count = [](std::uint64_t& seen) {
        return [&seen](std::uint32_t, const record::Event&) { ++seen; };
    };
    for (int i = 0; i < 3000; ++i) {
        operation(i);
        if (i % 700 == 3) beside.update(count(seen_beside));
        if (i % 1000 == 999) std::thread([] { operation(1); }).join();
    }
    std::uint64_t seen_once = 0;
    record::RecordingFollower late(path_);
    late.update(count(seen_once));
    beside.update(count(seen_beside));
    GraphProcessor::end_capture();

    std::uint64_t recorded = 0;
    for (const auto& slice : record::read_recording(path_).threads)
        slice.for_each([&](const record::Event&) { ++recorded; });
    EXPECT_GT(recorded, 18000U);
    EXPECT_EQ(seen_once, recorded);
    EXPECT_EQ(late.head().missed_events, 0U);
    EXPECT_EQ(seen_beside, recorded);
    EXPECT_EQ(beside.head().missed_events, 0U);
}

TEST_F(Recording, given_threads_then_each_loses_nothing) {
    GraphProcessor::begin_graph_capture(options());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            for (int i = 0; i < 2000; ++i)
                operation(t);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    const json graph = GraphProcessor::end_graph_capture();
    test::expect_well_formed(graph);
    EXPECT_EQ(test::nodes_of_type(graph, "function_end").size(), 8000U);
    EXPECT_EQ(timeless(CapturedGraph(record::read_recording(path_)).to_json()), timeless(graph));
}

TEST_F(Recording, given_one_in_a_file_then_a_second_is_refused) {
    GraphProcessor::begin_graph_capture(options());
    CaptureOptions second = options();
    second.recording += ".second";
    EXPECT_THROW(GraphProcessor::begin_graph_capture(second), graph::CaptureError);
    EXPECT_FALSE(fs::exists(second.recording));
    EXPECT_EQ(record::open_window_count(), 1U);
}

TEST_F(Recording, given_a_path_that_cannot_be_then_the_error_says_so_and_nothing_is_open) {
    CaptureOptions impossible;
    impossible.recording = "/proc/no/such/place";
    try {
        GraphProcessor::begin_graph_capture(impossible);
        FAIL() << "no exception";
    } catch (const graph::CaptureError& error) {
        EXPECT_NE(std::string(error.what()).find("/proc/no/such/place: cannot make the recording"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_FALSE(graph::is_graph_capture_active());
}

TEST_F(Recording, given_another_capture_afterwards_then_it_is_in_memory_again) {
    GraphProcessor::begin_graph_capture(options());
    operation(1);
    GraphProcessor::end_capture();
    const auto size = fs::file_size(path_);
    GraphProcessor::begin_graph_capture();
    for (int i = 0; i < 1000; ++i)
        operation(2);
    EXPECT_EQ(test::nodes_of_type(GraphProcessor::end_graph_capture(), "function_end").size(), 1000U);
    EXPECT_EQ(fs::file_size(path_), size);
}

TEST_F(Recording, given_a_limit_then_the_oldest_give_way_and_are_counted) {
    CaptureOptions limited = options();
    limited.max_bytes = 4 * 65536;
    GraphProcessor::begin_graph_capture(limited);
    for (int i = 0; i < 20000; ++i)
        record::emit_function_end();
    const auto recording = record::close_innermost_window();
    std::uint64_t kept = 0;
    for (const auto& slice : recording->threads)
        kept += slice.end - slice.begin;
    EXPECT_EQ(kept + recording->overwritten, 20000U);
    EXPECT_LE(kept, 4 * record::Chunk::kEvents);
    EXPECT_GE(kept, 3 * record::Chunk::kEvents);
    EXPECT_LT(fs::file_size(path_), 3U << 20);
    const record::Recording read = record::read_recording(path_);
    EXPECT_EQ(read.overwritten, recording->overwritten);
}

/// Events that are told apart by their number.
void number_events(std::uint64_t& next, std::uint64_t end) {
    while (next < end)
        record::emit_function_begin(record::TextId{1}, next++);
}

/// The numbers of the only thread's events follow each other; gives the first, and the one behind the last.
std::pair<std::uint64_t, std::uint64_t> numbers_in(const record::Recording& recording) {
    EXPECT_EQ(recording.threads.size(), 1U);
    std::uint64_t first = 0;
    std::uint64_t next = 0;
    recording.threads.at(0).for_each([&](const record::Event& event) {
        const std::uint64_t number = event.payload.call.argument_count;
        if (next == 0) first = next = number;
        EXPECT_EQ(number, next);
        next = number + 1;
    });
    return {first, next};
}

TEST_F(Recording, given_rings_of_any_size_then_the_newest_stay_in_order) {
    for (const std::uint64_t blocks : {1U, 2U, 3U, 8U}) {
        CaptureOptions limited = options();
        limited.max_bytes = blocks * 65536;
        GraphProcessor::begin_graph_capture(limited);
        std::uint64_t next = 1;
        number_events(next, 20001);
        const auto recording = record::close_innermost_window();
        const auto [first, end] = numbers_in(*recording);
        EXPECT_EQ(first, recording->overwritten + 1) << blocks << " blocks";
        EXPECT_EQ(end, 20001U);
        EXPECT_EQ(numbers_in(record::read_recording(path_)), std::pair(first, end)) << blocks << " blocks";
    }
}

TEST_F(Recording, given_a_look_while_it_goes_on_then_what_was_seen_stays) {
    for (const std::uint64_t blocks : {0U, 1U, 3U}) {
        CaptureOptions limited = options();
        limited.max_bytes = blocks * 65536;
        GraphProcessor::begin_graph_capture(limited);
        std::uint64_t next = 1;
        number_events(next, 10001);
        const auto seen = record::peek_window(*record::innermost_window());
        number_events(next, 30001);
        const auto recording = record::close_innermost_window();
        EXPECT_EQ(numbers_in(*recording),
                  (std::pair<std::uint64_t, std::uint64_t>(recording->overwritten + 1, 30001)));
        EXPECT_EQ(numbers_in(*seen), (std::pair<std::uint64_t, std::uint64_t>(seen->overwritten + 1, 10001)));
    }
}

TEST_F(Recording, given_one_after_the_other_then_each_has_its_own) {
    for (int i = 0; i < 3; ++i) {
        GraphProcessor::begin_graph_capture(options());
        std::uint64_t next = 1;
        number_events(next, 5001);
        const auto recording = record::close_innermost_window();
        EXPECT_EQ(numbers_in(*recording), (std::pair<std::uint64_t, std::uint64_t>(1, 5001)));
        EXPECT_EQ(numbers_in(record::read_recording(path_)),
                  (std::pair<std::uint64_t, std::uint64_t>(1, 5001)));
    }
}

TEST_F(Recording, given_a_capture_in_memory_beside_it_for_a_while_then_both_are_whole) {
    GraphProcessor::begin_graph_capture(options());
    std::uint64_t next = 1;
    number_events(next, 3001);
    GraphProcessor::begin_graph_capture();
    number_events(next, 8001);
    const auto inner = record::close_innermost_window();
    number_events(next, 12001);
    const auto outer = record::close_innermost_window();
    EXPECT_EQ(numbers_in(*inner), (std::pair<std::uint64_t, std::uint64_t>(3001, 8001)));
    EXPECT_EQ(numbers_in(*outer), (std::pair<std::uint64_t, std::uint64_t>(1, 12001)));
}

/// While it lives, files of this process grow no further: a disk that is full.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, SIG_DFL);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit before_{};
};

TEST_F(Recording, given_a_full_disk_then_events_are_kept_in_memory_and_stderr_says_so_twice) {
    for (const rlim_t blocks : {1, 2, 3, 7, 20}) {
        testing::internal::CaptureStderr();
        std::optional<record::Recording> seen, recording;
        {
            GraphProcessor::begin_graph_capture(options());
            const FullDisk disk(blocks * 65536);
            std::uint64_t next = 1;
            number_events(next, 12001);
            seen = record::peek_window(*record::innermost_window());
            number_events(next, 30001);
            recording = record::close_innermost_window();
        }
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_EQ(numbers_in(*seen), (std::pair<std::uint64_t, std::uint64_t>(1, 12001))) << blocks;
        EXPECT_EQ(numbers_in(*recording), (std::pair<std::uint64_t, std::uint64_t>(1, 30001))) << blocks;
        EXPECT_EQ(recording->overwritten, 0U);
        EXPECT_EQ(recording->counted.total(), 0U);
        const auto read = record::read_recording(path_);
        EXPECT_GE(read.overwritten, 30000U - (blocks + 1) * record::Chunk::kEvents);
        EXPECT_EQ(std::ranges::count(said, '\n'), 2) << said;
        EXPECT_NE(said.find("no room for more events"), std::string::npos) << said;
        EXPECT_NE(said.find(std::to_string(read.overwritten) + " events are not in it"), std::string::npos)
            << said;
    }
}

TEST_F(Recording, given_a_full_disk_and_several_threads_then_all_have_their_events) {
    testing::internal::CaptureStderr();
    std::optional<record::Recording> recording;
    constexpr std::uint64_t kThreads = 4, kEach = 20000;
    {
        GraphProcessor::begin_graph_capture(options());
        const FullDisk disk(10 * 65536);
        std::vector<std::thread> threads;
        for (std::uint64_t i = 0; i < kThreads; ++i)
            threads.emplace_back([] {
                for (std::uint64_t event = 0; event < kEach; ++event)
                    record::emit_function_end();
            });
        for (std::thread& each : threads)
            each.join();
        recording = record::close_innermost_window();
    }
    testing::internal::GetCapturedStderr();
    std::uint64_t kept = 0;
    for (const auto& slice : recording->threads)
        kept += slice.end - slice.begin;
    EXPECT_EQ(kept, kThreads * kEach);
    EXPECT_EQ(recording->overwritten, 0U);
}

TEST_F(Recording, given_a_limit_then_the_rest_is_counted) {
    CaptureOptions limited = options();
    limited.max_bytes = 2 * 65536;
    limited.when_full = record::FullPolicy::kDropNewest;
    GraphProcessor::begin_graph_capture(limited);
    for (int i = 0; i < 5000; ++i)
        record::emit_function_end();
    const auto recording = record::close_innermost_window();
    EXPECT_EQ(recording->counted.total(), 5000U - 2 * record::Chunk::kEvents);
    EXPECT_EQ(recording->overwritten, 0U);
    EXPECT_EQ(record::read_recording(path_).overwritten, recording->counted.total());
}

TEST_F(Recording, given_a_fork_then_the_child_leaves_the_file_alone) {
    GraphProcessor::begin_graph_capture(options());
    operation(1);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        for (int i = 0; i < 3000; ++i)
            operation(2);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    operation(3);
    const json graph = GraphProcessor::end_graph_capture();
    EXPECT_EQ(test::nodes_of_type(graph, "function_end").size(), 2U);
}

TEST_F(Recording, given_files_that_are_none_then_one_line_says_why) {
    const auto failure = [&](const std::string& content) -> std::string {
        std::ofstream(path_, std::ios::binary) << content;
        try {
            record::read_recording(path_);
        } catch (const record::RecordingError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(failure("").find("expected a recording of at least 65536 bytes, found 0"), std::string::npos);
    EXPECT_NE(failure(std::string(70000, 'x')).find("byte 0: expected a recording (TMRECORD)"),
              std::string::npos);
    EXPECT_THROW(record::read_recording("/no/such/file"), record::RecordingError);
}

/// The child's messages to the parent, in memory that both have.
struct Progress {
    std::atomic<std::uint64_t> operations;  // that have ended, all threads together
};

[[noreturn]] void record_until_killed(const CaptureOptions& options, Progress* progress, int threads) {
    GraphProcessor::begin_graph_capture(options);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
        workers.emplace_back([progress] {
            for (int i = 0;; ++i) {
                record::emit_function_begin(record::intern("outer"), 0);
                operation(i % 5000);
                record::emit_function_end();
                progress->operations.fetch_add(1);
            }
        });
    }
    for (;;)
        pause();
}

TEST_F(Recording, killed_at_any_moment_then_all_that_was_published_is_there) {
    const std::uint32_t kills = std::max(20U, test::cases(20));  // fewer may miss all operations
    std::mt19937 random(20260101);
    void* const shared =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    auto* const progress = new (shared) Progress{};
    std::uint64_t incomplete = 0;
    for (std::uint32_t kill_number = 0; kill_number < kills; ++kill_number) {
        progress->operations = 0;
        const int threads = 1 + static_cast<int>(kill_number % 3);
        const auto delay = std::chrono::microseconds(std::uniform_int_distribution<int>(0, 4000)(random));
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) record_until_killed(options(), progress, threads);
        while (!fs::exists(path_) || fs::file_size(path_) < 65536)
            std::this_thread::yield();
        std::this_thread::sleep_for(delay);
        kill(child, kill_number % 4 == 3 ? SIGABRT : SIGKILL);
        waitpid(child, nullptr, 0);
        const std::uint64_t ended = progress->operations;

        record::Recording recording;
        try {
            recording = record::read_recording(path_);
        } catch (const record::RecordingError& error) {
            // Before its header was there, it recorded nothing.
            ASSERT_EQ(ended, 0U) << error.what();
            fs::remove(path_);
            continue;
        }
        EXPECT_TRUE(recording.recovered);
        EXPECT_EQ(recording.overwritten, 0U);
        incomplete += recording.incomplete_functions;
        const CapturedGraph captured(std::move(recording));
        const json graph = captured.to_json();
        std::uint64_t complete = 0;
        for (const json& node : graph) {
            if (node["node_type"] == "function_end" && node["params"]["name"] == "outer" &&
                !node["params"].contains("aborted"))
                ++complete;
            if (node["node_type"] == "function_start" && node["params"]["name"] != "outer") {
                const std::string name = node["params"]["name"];
                ASSERT_TRUE(name.starts_with("op ")) << name;
                if (!node["arguments"].empty()) {
                    ASSERT_EQ(node["arguments"][0], "argument of " + name.substr(3));
                }
            }
        }
        // One more may have ended between its last event and the count.
        ASSERT_GE(complete, ended);
        ASSERT_LE(complete, ended + static_cast<std::uint64_t>(threads));
        if (kill_number % 10 == 0) test::expect_well_formed(graph);
        fs::remove(path_);
    }
    EXPECT_GT(incomplete, 0U) << "none of the moments was inside an operation";
    munmap(shared, sizeof(Progress));
}

}  // namespace
}  // namespace tilemeter
