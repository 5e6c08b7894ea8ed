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

namespace tilemeter::record {

namespace {

using internal::EventBlockInfo;
using internal::kBlockBytes;
using internal::RecordingHeader;

// The part of a block that says what it is.
constexpr std::size_t kTrailerAt = offsetof(Chunk, published);
struct Trailer {
    std::uint32_t published;
    std::uint32_t thread;
    std::uint64_t first_index;  // of a definition block: its sequence number
    std::uint32_t in_use;
};
static_assert(offsetof(Trailer, first_index) == offsetof(Chunk, first_index) - kTrailerAt);
static_assert(offsetof(Trailer, in_use) == offsetof(Chunk, in_use) - kTrailerAt);

// The header without its atomics, as bytes in a file.
struct Header {
    std::array<char, 8> magic;
    std::uint32_t format, byte_order, event_bytes, block_bytes;
    std::uint64_t process, wall_clock_ns, begin_ticks, start_ticks, start_ns;
    std::uint64_t later_ticks, later_ns, end_ticks, lost_events;
    std::uint8_t run_mode, detail, pages, emitters;
};
static_assert(sizeof(Header) == sizeof(RecordingHeader));

/// `ticks`, unless it lies further from the clocks' reading than any capture lasts: nothing then overflows.
std::uint64_t sound_ticks(std::uint64_t ticks, const Header& header) {
    constexpr auto kFurthest = std::int64_t{1} << 58;  // years
    const auto since = static_cast<std::int64_t>(ticks - header.start_ticks);
    return -kFurthest <= since && since <= kFurthest ? ticks : header.start_ticks;
}

/// Ticks of the clock the recording was made with; as nanoseconds, where its header can't be right.
TickConversion conversion_of(const Header& header) {
    const auto ticks = static_cast<double>(header.later_ticks - header.start_ticks);
    const auto ns = static_cast<double>(header.later_ns - header.start_ns);
    constexpr double kSlowest = 16;  // nanoseconds a tick; counters run at 10 MHz to some GHz
    const ClockReading start{header.start_ticks, header.start_ns};
    if (ns > ticks * kSlowest) return {start, start};
    return {start, {header.later_ticks, header.later_ns}};
}

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
        if (!file_) fail("cannot be opened: " + std::string(std::strerror(errno)));
        file_.seekg(0, std::ios::end);
        const std::streamoff size = file_.tellg();
        if (!file_ || size < 0) fail("cannot be read: not a file");
        bytes_ = static_cast<std::uint64_t>(size);
    }

    Recording read() {
        Header header = read_header();
        header.begin_ticks = sound_ticks(header.begin_ticks, header);
        if (header.end_ticks != 0) header.end_ticks = sound_ticks(header.end_ticks, header);
        scan_blocks();
        read_definitions();
        logging::info({path_.string(), ": a recording of process ", header.process, ", ",
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
    [[noreturn]] void fail(const std::string& what) const {
        throw RecordingError(path_.string() + ": " + what);
    }

    bool read_at(std::uint64_t offset, void* bytes, std::size_t size) {
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(offset));
        file_.read(static_cast<char*>(bytes), static_cast<std::streamsize>(size));
        return file_.gcount() == static_cast<std::streamsize>(size);
    }

    Header read_header() {
        Header header{};
        if (bytes_ < kBlockBytes || !read_at(0, &header, sizeof header))
            fail("expected a recording of at least " + std::to_string(kBlockBytes) + " bytes, found " +
                 std::to_string(bytes_));
        if (header.magic != internal::kMagic)
            fail("byte 0: expected a recording (TMRECORD), found something else");
        if (header.byte_order != internal::kByteOrderMark)
            fail("byte 12: expected a recording of a machine of this byte order, found another");
        if (header.format != internal::kFormat)
            fail("byte 8: expected format " + std::to_string(internal::kFormat) + ", found " +
                 std::to_string(header.format));
        if (header.event_bytes != sizeof(Event) || header.block_bytes != kBlockBytes)
            fail("byte 16: expected events of " + std::to_string(sizeof(Event)) + " bytes in blocks of " +
                 std::to_string(kBlockBytes) + ", found " + std::to_string(header.event_bytes) + " in " +
                 std::to_string(header.block_bytes));
        return header;
    }

    void scan_blocks() {
        for (std::uint64_t block = 1; block < bytes_ / kBlockBytes; ++block) {
            Trailer trailer{};
            if (!read_at(block * kBlockBytes + kTrailerAt, &trailer, sizeof trailer)) return;
            if (trailer.in_use == internal::kEventBlock && trailer.published <= Chunk::kEvents) {
                event_blocks_.push_back({block, trailer.thread, trailer.published, trailer.first_index});
            } else if (trailer.in_use == internal::kDefinitionBlock && trailer.published <= kTrailerAt) {
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
                logging::warn({path_.string(),
                               ": damaged: names that events refer to are missing from block ", each.block,
                               " on"});
                break;
            }
            const std::size_t used = bytes.size();
            bytes.resize(used + each.events);
            if (!read_at(each.block * kBlockBytes, bytes.data() + used, each.events)) break;
        }
        std::span<const char> rest(bytes);
        while (rest.size() >= sizeof(internal::DefinitionHeader)) {
            internal::DefinitionHeader header{};
            std::memcpy(&header, rest.data(), sizeof header);
            rest = rest.subspan(sizeof header);
            if (header.size > rest.size()) {
                logging::debug({path_.string(), ": the last of what events refer to is cut off"});
                break;
            }
            facts_.add(static_cast<internal::DefinitionKind>(header.kind), header.id,
                       rest.first(header.size));
            rest = rest.subspan(header.size);
        }
        facts_.make_known();
    }

    void read_run(const internal::BlockRun& run, const Header& header, Recording& recording) {
        ThreadSlice slice{run.thread, run.blocks.front().first_index, run.blocks.front().first_index, {}};
        std::vector<std::uint64_t> open;  // number of the begin events of open functions
        std::uint64_t latest_ticks = header.begin_ticks;
        bool ended = false;
        for (const EventBlockInfo& each : run.blocks) {
            auto chunk = std::make_shared_for_overwrite<Chunk>();
            if (!read_at(each.block * kBlockBytes, chunk->events.data(), each.events * sizeof(Event))) break;
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

    const std::filesystem::path path_;
    std::ifstream file_;
    std::uint64_t bytes_ = 0;
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
