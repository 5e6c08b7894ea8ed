// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/recordings/recording_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/events/recording_blocks.hpp"
#include "capture/events/recording_error.hpp"
#include "capture/events/recording_slices.hpp"
#include "capture/log/log.hpp"  // include rule: reading back, not recording
#include "capture/record/internal/definition_codec.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window_recording.hpp"
#include "capture/recordings/known_definitions.hpp"
#include "capture/recordings/recording_bytes.hpp"

namespace tilemeter::record {

namespace {

using internal::EventBlockInfo;
using internal::kBlockBytes;
using internal::RecordingHead;

/// `ticks`, unless it lies further from the clocks' reading than any capture lasts: nothing then overflows.
std::uint64_t sound_ticks(std::uint64_t ticks, const RecordingHead& header) {
    constexpr auto kFurthest = std::int64_t{1} << 58;  // years
    const auto since = static_cast<std::int64_t>(ticks - header.start_ticks);
    return -kFurthest <= since && since <= kFurthest ? ticks : header.start_ticks;
}

/// Ticks of the clock the recording was made with; as nanoseconds, where its header can't be right.
TickConversion conversion_of(const RecordingHead& header) {
    const auto ticks = static_cast<double>(header.later_ticks - header.start_ticks);
    const auto ns = static_cast<double>(header.later_ns - header.start_ns);
    constexpr double kSlowest = 16;  // nanoseconds a tick; counters run at 10 MHz to some GHz
    const ClockReading start{header.start_ticks, header.start_ns};
    if (ns > ticks * kSlowest) return {start, start};
    return {start, {header.later_ticks, header.later_ns}};
}

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : file_(path) {}

    Recording read() {
        RecordingHead header = file_.read_head();
        header.begin_ticks = sound_ticks(header.begin_ticks, header);
        if (header.end_ticks != 0) header.end_ticks = sound_ticks(header.end_ticks, header);
        scan_blocks();
        read_definitions();
        logging::info({file_.path().string(), ": a recording of process ", header.process, ", ",
                       event_blocks_.size(), " blocks of events, ", fact_blocks_.size(),
                       " of what they refer to; ",
                       header.end_ticks != 0 ? "the capture ended" : "the process died"});
        Recording recording;
        recording.mode = header.run_mode == 0 ? RunMode::NORMAL : RunMode::NO_DISPATCH;
        recording.detail = static_cast<Detail>(
            std::min<std::uint8_t>(header.detail, static_cast<std::uint8_t>(Detail::kPages)));
        recording.pages = header.pages != 0;
        recording.begin_ticks = header.begin_ticks;
        recording.wall_clock_ns = header.wall_clock_ns;
        recording.conversion = conversion_of(header);
        recording.recovered = header.end_ticks == 0;
        recording.overwritten = header.lost_events;
        recording.end_ticks = recording.recovered ? header.begin_ticks : header.end_ticks;
        for (const internal::BlockRun& run : internal::runs_of(std::move(event_blocks_)))
            read_run(run, header, recording);
        internal::keep_wanted(recording.threads, header.emitters);
        return recording;
    }

private:
    void scan_blocks() {
        for (std::uint64_t block = 1; block < file_.block_count(); ++block) {
            internal::BlockTrailer trailer{};
            if (!file_.read_trailer(block, trailer)) return;
            if (trailer.in_use == internal::kEventBlock && trailer.published <= Chunk::kEvents) {
                event_blocks_.push_back({block, trailer.thread, trailer.published, trailer.first_index});
            } else if (trailer.in_use == internal::kDefinitionBlock &&
                       trailer.published <= internal::kTrailerAt) {
                fact_blocks_.push_back({block, 0, trailer.published, trailer.first_index});
            }
        }
    }

    void read_definitions() {
        std::sort(fact_blocks_.begin(), fact_blocks_.end(),
                  [](const auto& a, const auto& b) { return a.first_index < b.first_index; });
        std::vector<char> bytes;
        std::uint64_t sequence = 0;
        for (const EventBlockInfo& each : fact_blocks_) {
            if (each.first_index != sequence++) {  // later blocks cannot be told apart
                logging::warn({file_.path().string(),
                               ": damaged: names that events refer to are missing from block ", each.block,
                               " on"});
                break;
            }
            const std::size_t used = bytes.size();
            bytes.resize(used + each.events);
            if (!file_.read_at(each.block * kBlockBytes, bytes.data() + used, each.events)) break;
        }
        if (facts_.add_all(bytes) < bytes.size())
            logging::debug({file_.path().string(), ": the last of what events refer to is cut off"});
        facts_.make_known();
    }

    void read_run(const internal::BlockRun& run, const RecordingHead& header, Recording& recording) {
        ThreadSlice slice{run.thread, run.blocks.front().first_index, run.blocks.front().first_index, {}};
        std::vector<std::uint64_t> open;  // number of the begin events of open functions
        std::uint64_t latest_ticks = header.begin_ticks;
        bool ended = false;
        for (const EventBlockInfo& each : run.blocks) {
            auto chunk = std::make_shared_for_overwrite<Chunk>();
            if (!file_.read_at(each.block * kBlockBytes, chunk->events.data(), each.events * sizeof(Event)))
                break;
            chunk->first_index = slice.end;
            std::uint32_t kept = 0;
            for (; kept < each.events; ++kept) {
                Event& event = chunk->events[kept];
                ended = header.end_ticks != 0 && event.time_ticks > header.end_ticks;
                if (ended) break;
                event.time_ticks = sound_ticks(event.time_ticks, header);
                facts_.translate(event);
                latest_ticks = std::max(latest_ticks, event.time_ticks);
                if (event.kind == EventKind::kFunctionBegin) open.push_back(slice.end + kept);
                if (event.kind == EventKind::kFunctionEnd && !open.empty()) open.pop_back();
            }
            chunk->published = kept;
            slice.end += kept;
            if (kept > 0) slice.chunks.push_back(std::move(chunk));
            if (ended) break;
        }
        if (recording.recovered) {
            recording.end_ticks = std::max(recording.end_ticks, latest_ticks);
            recording.incomplete_functions += open.size();
            close_functions(open.size(), latest_ticks, slice);
        }
        if (slice.begin != slice.end) recording.threads.push_back(std::move(slice));
    }

    static void close_functions(std::size_t count, std::uint64_t ticks, ThreadSlice& slice) {
        if (count == 0) return;
        const TextId reason = intern("incomplete: the recording ends inside");
        while (count > 0) {
            auto chunk = std::make_shared<Chunk>();
            chunk->first_index = slice.end;
            const auto events =
                static_cast<std::uint32_t>(std::min<std::size_t>(count, std::size_t{Chunk::kEvents}));
            for (std::uint32_t i = 0; i < events; ++i) {
                Event& event = chunk->events[i];
                event.kind = EventKind::kFunctionEnd;
                event.flags = kAborted;
                event.time_ticks = ticks;
                event.detail = static_cast<std::uint32_t>(reason);
            }
            chunk->published = events;
            slice.end += events;
            slice.chunks.push_back(std::move(chunk));
            count -= events;
        }
    }

    internal::RecordingBytes file_;
    std::vector<EventBlockInfo> event_blocks_;
    std::vector<EventBlockInfo> fact_blocks_;  // events: bytes used; first_index: sequence
    internal::KnownDefinitions facts_;
};

}  // namespace

Recording read_recording(const std::filesystem::path& path) {
    return Reader(path).read();
}

bool is_recording(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::array<char, 8> magic{};
    std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
    return magic == internal::kMagic;
}

}  // namespace tilemeter::record
