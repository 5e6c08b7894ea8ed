// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/recordings/recording_follower.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "capture/events/recording_slices.hpp"
#include "capture/recordings/known_definitions.hpp"
#include "capture/recordings/recording_bytes.hpp"

namespace tilemeter::record {

using internal::BlockTrailer;
using internal::EventBlockInfo;
using internal::kBlockBytes;

struct RecordingFollower::State {
    explicit State(const std::filesystem::path& path) : file(path) {
        head.process = file.read_head().process;
    }

    internal::RecordingBytes file;
    Head head;
    internal::KnownDefinitions definitions;
    std::vector<std::uint64_t> definition_blocks;  ///< by sequence number; 0: not seen yet
    std::uint64_t definition_sequence = 0;         ///< of the block that is read now
    std::uint32_t definition_bytes = 0;            ///< of it that are in `stream` or taken
    std::vector<char> stream;                      ///< definitions of which not all is there yet
    std::map<std::uint32_t, std::uint64_t> next;   ///< number of the next event, by thread
    /// Where a thread's next event was in no block: its number, and the update that found none.
    struct Gap {
        std::uint64_t next = 0, update = 0;
    };
    std::map<std::uint32_t, Gap> gaps;
    std::uint64_t updates = 0;

    /// The blocks of events, each thread's in their order; those of definitions are noted.
    std::vector<EventBlockInfo> event_blocks() {
        std::vector<EventBlockInfo> blocks;
        const std::uint64_t count = file.block_count();
        for (std::uint64_t block = 1; block < count; ++block) {
            BlockTrailer trailer{};
            if (!file.read_trailer(block, trailer)) break;
            if (trailer.in_use == internal::kEventBlock && trailer.published <= Chunk::kEvents) {
                blocks.push_back({block, trailer.thread, trailer.published, trailer.first_index});
            } else if (trailer.in_use == internal::kDefinitionBlock && trailer.first_index < count) {
                if (definition_blocks.size() <= trailer.first_index)
                    definition_blocks.resize(trailer.first_index + 1);
                definition_blocks[trailer.first_index] = block;
            }
        }
        std::ranges::sort(
            blocks, {}, [](const EventBlockInfo& each) { return std::pair(each.thread, each.first_index); });
        return blocks;
    }

    /// The blocks of events, where threads that are seen first are begun. A thread counts its events from its first on, and
    /// one that recorded before has its first event here at any number.
    std::vector<EventBlockInfo> event_blocks_of_met_threads() {
        std::vector<EventBlockInfo> blocks = event_blocks();
        std::set<std::uint32_t> begun_late;
        for (const EventBlockInfo& each : blocks)
            if (next.emplace(each.thread, each.first_index).second && each.first_index != 0)
                begun_late.insert(each.thread);
        if (begun_late.empty()) return blocks;
        // The first block may have been copied meanwhile, from where it was no more to where it was not yet.
        blocks = event_blocks();
        for (const EventBlockInfo& each : blocks)
            if (begun_late.contains(each.thread))
                next[each.thread] = std::min(next[each.thread], each.first_index);
        return blocks;
    }

    void read_definitions() {
        while (definition_sequence < definition_blocks.size() &&
               definition_blocks[definition_sequence] != 0) {
            const std::uint64_t block = definition_blocks[definition_sequence];
            BlockTrailer trailer{};
            if (!file.read_trailer(block, trailer) || trailer.published > internal::kTrailerAt) return;
            if (trailer.published > definition_bytes) {
                const std::size_t used = stream.size(), more = trailer.published - definition_bytes;
                stream.resize(used + more);
                if (!file.read_at(block * kBlockBytes + definition_bytes, stream.data() + used, more)) {
                    stream.resize(used);
                    return;
                }
                definition_bytes = trailer.published;
            }
            const std::size_t taken = definitions.add_all(stream);
            stream.erase(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(taken));
            // The next block is begun when this one takes no more.
            if (definition_sequence + 1 >= definition_blocks.size() ||
                definition_blocks[definition_sequence + 1] == 0)
                return;
            if (!file.read_trailer(block, trailer) || trailer.published != definition_bytes) continue;
            ++definition_sequence;
            definition_bytes = 0;
        }
    }

    /// The events of a block behind those that are known. A block that was used again meanwhile is left for the next time.
    std::uint64_t read_events(const EventBlockInfo& block, const Visit& visit) {
        std::uint64_t& from = next[block.thread];
        const std::uint64_t end = block.first_index + block.events;
        if (end <= from) return 0;
        const std::uint64_t begin = std::max(from, block.first_index);
        // A full block is copied before it is used again: what lies between may be in the copy, which was not there yet.
        if (begin > from) {
            Gap& gap = gaps[block.thread];
            if (gap.update == 0 || gap.next != from) gap = {from, updates};
            if (gap.update == updates) return 0;
        }
        std::vector<Event> events(end - begin);
        if (!file.read_at(block.block * kBlockBytes + (begin - block.first_index) * sizeof(Event),
                          events.data(), events.size() * sizeof(Event)))
            return 0;
        BlockTrailer trailer{};
        if (!file.read_trailer(block.block, trailer) || trailer.in_use != internal::kEventBlock ||
            trailer.thread != block.thread || trailer.first_index != block.first_index)
            return 0;
        head.missed_events += begin - from;
        for (Event& event : events) {
            definitions.translate(event);
            visit(block.thread, event);
        }
        from = end;
        return events.size();
    }
};

RecordingFollower::RecordingFollower(const std::filesystem::path& path)
    : state_(std::make_unique<State>(path)) {}

RecordingFollower::~RecordingFollower() = default;

const RecordingFollower::Head& RecordingFollower::head() const {
    return state_->head;
}

std::uint64_t RecordingFollower::update(const Visit& visit) {
    State& state = *state_;
    ++state.updates;
    // The end is read before the events: what was recorded before it is in the file by then.
    const internal::RecordingHead head = state.file.read_head();
    state.head.is_planned = head.run_mode != 0;
    state.head.has_ended = head.end_ticks != 0;
    state.head.lost_events = head.lost_events;
    const std::vector<EventBlockInfo> blocks = state.event_blocks_of_met_threads();
    // A definition is in the file before any event that needs it, and so is read behind the blocks' heads.
    state.read_definitions();
    std::uint64_t seen = 0;
    for (const EventBlockInfo& block : blocks)
        seen += state.read_events(block, visit);
    return seen;
}

}  // namespace tilemeter::record
