// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/segment_list.hpp"

#include <algorithm>

namespace tilemeter {

SegmentList::SegmentList(std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    chunks_.emplace_back();
    chunks_[0].count = 1;
    chunks_[0].segments[0] = Segment::make(begin, end - begin, false);
    index_.push_back({begin, end - begin, 0});
}

std::optional<std::uint64_t> SegmentList::take_from_top(std::uint64_t size) {
    for (std::size_t entry = index_.size(); entry-- > 0;) {
        if (index_[entry].largest_hole < size) continue;
        const Chunk& chunk = chunks_[index_[entry].chunk];
        std::size_t slot = chunk.count - 1;
        while (chunk.segments[slot].hole_size() < size)
            --slot;
        return take({entry, slot}, size, true);
    }
    return std::nullopt;
}

std::optional<std::uint64_t> SegmentList::take_from_bottom(std::uint64_t size) {
    for (std::size_t entry = 0; entry < index_.size(); ++entry) {
        if (index_[entry].largest_hole < size) continue;
        const Chunk& chunk = chunks_[index_[entry].chunk];
        std::size_t slot = 0;
        while (chunk.segments[slot].hole_size() < size)
            ++slot;
        return take({entry, slot}, size, false);
    }
    return std::nullopt;
}

std::uint64_t SegmentList::take(Position position, std::uint64_t size, bool top) {
    Segment& hole = at(position);
    const std::uint64_t rest = hole.size() - size;
    const std::uint64_t address = top ? hole.address + rest : hole.address;
    if (rest == 0) {
        hole = Segment::make(address, size, true);
        refresh(position.entry);
    } else {
        // The lower of the two parts comes before the upper one, which stays in place.
        const Segment lower = Segment::make(hole.address, top ? rest : size, !top);
        hole = Segment::make(lower.address + lower.size(), top ? size : rest, top);
        insert_before(position, lower);
    }
    return address;
}

bool SegmentList::take_at(std::uint64_t address, std::uint64_t size) {
    const auto found = find(address);
    if (!found || at(*found).allocated()) return false;
    const Segment hole = at(*found);
    const std::uint64_t end = hole.address + hole.size();
    if (address >= end || end - address < size) return false;
    const std::uint64_t room = end - address;
    take(*found, room, true);
    if (room == size) return true;
    const Position block = *find(address);
    at(block) = Segment::make(address + size, room - size, false);
    insert_before(block, Segment::make(address, size, true));
    return true;
}

std::optional<SegmentList::Position> SegmentList::find(std::uint64_t address) const {
    auto entry =
        std::upper_bound(index_.begin(), index_.end(), address,
                         [](std::uint64_t a, const IndexEntry& each) { return a < each.first_address; });
    if (entry == index_.begin()) return std::nullopt;
    --entry;
    const Chunk& chunk = chunks_[entry->chunk];
    const auto first = chunk.segments.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(chunk.count);
    const auto above = std::upper_bound(
        first, last, address, [](std::uint64_t a, const Segment& each) { return a < each.address; });
    return Position{static_cast<std::size_t>(entry - index_.begin()),
                    static_cast<std::size_t>(above - first) - 1};
}

std::optional<std::uint64_t> SegmentList::release(std::uint64_t address) {
    const auto found = find(address);
    if (!found || at(*found).address != address || !at(*found).allocated()) return std::nullopt;
    const Position position = *found;
    const std::uint64_t released = at(position).size();
    // The upper neighbour goes first: it lies behind, so that `position` and `below` stay valid.
    std::uint64_t size = released;
    if (const auto above = next(position); above && !at(*above).allocated()) {
        size += at(*above).size();
        remove(*above);
    }
    const auto below = previous(position);
    if (below && !at(*below).allocated()) {
        at(*below) = Segment::make(at(*below).address, at(*below).size() + size, false);
        refresh(below->entry);
        remove(position);
    } else {
        at(position) = Segment::make(address, size, false);
        refresh(position.entry);
    }
    return released;
}

std::optional<std::uint64_t> SegmentList::lowest_block() const {
    if (index_.empty()) return std::nullopt;
    const Chunk& chunk = chunks_[index_[0].chunk];
    if (chunk.segments[0].allocated()) return chunk.segments[0].address;
    // Holes are never neighbours, so a block follows, or the bank ends.
    const std::uint64_t end = chunk.segments[0].address + chunk.segments[0].size();
    return chunk.count > 1 || index_.size() > 1 ? std::optional(end) : std::nullopt;
}

std::uint64_t SegmentList::largest_hole() const {
    std::uint64_t largest = 0;
    for (const IndexEntry& entry : index_)
        largest = std::max(largest, entry.largest_hole);
    return largest;
}

std::vector<Segment> SegmentList::segments() const {
    std::vector<Segment> all;
    for (const IndexEntry& entry : index_) {
        const Chunk& chunk = chunks_[entry.chunk];
        all.insert(all.end(), chunk.segments.begin(),
                   chunk.segments.begin() + static_cast<std::ptrdiff_t>(chunk.count));
    }
    return all;
}

Segment& SegmentList::at(Position position) {
    return chunks_[index_[position.entry].chunk].segments[position.slot];
}

void SegmentList::insert_before(Position position, Segment segment) {
    if (chunks_[index_[position.entry].chunk].count == kCapacity) {
        split(position.entry);
        const std::size_t lower_count = chunks_[index_[position.entry].chunk].count;
        if (position.slot >= lower_count) {
            refresh(position.entry);
            position = {position.entry + 1, position.slot - lower_count};
        } else {
            refresh(position.entry + 1);
        }
    }
    Chunk& chunk = chunks_[index_[position.entry].chunk];
    const auto place = chunk.segments.begin() + static_cast<std::ptrdiff_t>(position.slot);
    const auto end = chunk.segments.begin() + static_cast<std::ptrdiff_t>(chunk.count);
    std::copy_backward(place, end, end + 1);
    *place = segment;
    ++chunk.count;
    refresh(position.entry);
}

void SegmentList::remove(Position position) {
    Chunk& chunk = chunks_[index_[position.entry].chunk];
    const auto place = chunk.segments.begin() + static_cast<std::ptrdiff_t>(position.slot);
    std::copy(place + 1, chunk.segments.begin() + static_cast<std::ptrdiff_t>(chunk.count), place);
    if (--chunk.count == 0) {
        unused_.push_back(index_[position.entry].chunk);
        index_.erase(index_.begin() + static_cast<std::ptrdiff_t>(position.entry));
    } else {
        refresh(position.entry);
    }
}

void SegmentList::split(std::size_t entry) {
    std::size_t fresh = chunks_.size();
    if (unused_.empty()) {
        chunks_.emplace_back();
    } else {
        fresh = unused_.back();
        unused_.pop_back();
    }
    Chunk& lower = chunks_[index_[entry].chunk];
    Chunk& upper = chunks_[fresh];
    const std::size_t kept = lower.count / 2;
    upper.count = lower.count - kept;
    std::copy(lower.segments.begin() + static_cast<std::ptrdiff_t>(kept),
              lower.segments.begin() + static_cast<std::ptrdiff_t>(lower.count), upper.segments.begin());
    lower.count = kept;
    index_.insert(index_.begin() + static_cast<std::ptrdiff_t>(entry) + 1,
                  {upper.segments[0].address, 0, fresh});
}

void SegmentList::refresh(std::size_t entry) {
    const Chunk& chunk = chunks_[index_[entry].chunk];
    std::uint64_t largest = 0;
    for (std::size_t slot = 0; slot < chunk.count; ++slot) {
        largest = std::max(largest, chunk.segments[slot].hole_size());
    }
    index_[entry].largest_hole = largest;
    index_[entry].first_address = chunk.segments[0].address;
}

std::optional<SegmentList::Position> SegmentList::previous(Position position) const {
    if (position.slot > 0) return Position{position.entry, position.slot - 1};
    if (position.entry == 0) return std::nullopt;
    return Position{position.entry - 1, chunks_[index_[position.entry - 1].chunk].count - 1};
}

std::optional<SegmentList::Position> SegmentList::next(Position position) const {
    if (position.slot + 1 < chunks_[index_[position.entry].chunk].count) {
        return Position{position.entry, position.slot + 1};
    }
    if (position.entry + 1 == index_.size()) return std::nullopt;
    return Position{position.entry + 1, 0};
}

}  // namespace tilemeter
