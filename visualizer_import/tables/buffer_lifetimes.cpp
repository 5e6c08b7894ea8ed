// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/buffer_lifetimes.hpp"

#include <algorithm>

namespace tilemeter::visualizer_import {
namespace {

// The number of intervals of a buffer that may be open at once: keys come sorted as text, that is one ascending
// sequence per number of digits.
constexpr int kIntervalsSearched = 8;

}  // namespace

std::int64_t EventLifetimes::allocate(const report::LiveBufferRecord& recorded, std::size_t buffer_node) {
    report::LiveBufferRecord buffer = recorded;
    if (!reference_quirks_) buffer.address = placement_.add(recorded);
    std::size_t place = live_.size();
    if (unused_.empty()) {
        live_.emplace_back();
    } else {
        place = unused_.back();
        unused_.pop_back();
    }
    live_[place] = {buffer, buffer_node, operation_count_, true, allocation_count_++};
    by_address_.emplace(buffer.address, place);
    if (buffer_node != kNoNode && !reference_quirks_) by_node_[buffer_node] = place;
    if (buffer.is_l1()) live_l1_bytes_ = wrapped_sum(live_l1_bytes_, buffer.max_size_per_bank);
    return buffer.address;
}

void EventLifetimes::reserve(const report::LiveBufferRecord& buffer) {
    placement_.add(buffer);
    if (buffer.is_l1()) live_l1_bytes_ = wrapped_sum(live_l1_bytes_, buffer.max_size_per_bank);
}

void EventLifetimes::release(const report::LiveBufferRecord& buffer) {
    placement_.remove(buffer);
    if (buffer.is_l1()) live_l1_bytes_ = wrapped_difference(live_l1_bytes_, buffer.max_size_per_bank);
}

void EventLifetimes::end(std::size_t place) {
    Live& live = live_[place];
    live.alive = false;
    if (!reference_quirks_) placement_.remove(live.buffer);
    if (live.buffer.is_l1())
        live_l1_bytes_ = wrapped_difference(live_l1_bytes_, live.buffer.max_size_per_bank);
    if (operation_count_ > live.first) spans_.push_back({live.buffer, live.first, operation_count_ - 1});
    if (const auto node = by_node_.find(live.buffer_node); node != by_node_.end() && node->second == place)
        by_node_.erase(node);
    unused_.push_back(place);
}

void EventLifetimes::free_address(std::int64_t address) {
    const auto [begin, last] = by_address_.equal_range(address);
    for (auto i = begin; i != last; ++i)
        end(i->second);
    by_address_.erase(begin, last);
}

void EventLifetimes::free_buffer(const Freed& freed, std::size_t buffer_node) {
    const auto node = by_node_.find(buffer_node);
    const bool known = node != by_node_.end();
    const std::size_t place = known ? node->second : kNoNode;
    const auto may_be = [&](const report::LiveBufferRecord& live) {
        // address 0 is no address: NO_DISPATCH gives it to all
        return freed.address != 0 && freed.device_id.value_or(live.device_id) == live.device_id &&
               freed.buffer_type.value_or(live.buffer_type) == live.buffer_type;
    };
    const auto [begin, last] = by_address_.equal_range(known ? live_[place].buffer.address : freed.address);
    auto latest = last;
    for (auto i = begin; i != last; ++i) {
        if (known ? i->second != place : !may_be(live_[i->second].buffer)) continue;
        if (latest == last || live_[i->second].number > live_[latest->second].number) latest = i;
    }
    if (latest == last) return;
    end(latest->second);
    by_address_.erase(latest);
}

std::vector<BufferSpan> EventLifetimes::take_spans() {
    for (std::size_t place = 0; place < live_.size(); ++place)
        if (live_[place].alive) end(place);
    return std::move(spans_);
}

std::size_t SnapshotLifetimes::Hash::operator()(const report::LiveBufferRecord& buffer) const {
    auto hash = static_cast<std::uint64_t>(buffer.address) * 0x9E3779B97F4A7C15U;
    hash ^= static_cast<std::uint64_t>(buffer.max_size_per_bank) * 0xC2B2AE3D27D4EB4FU;
    hash ^= (static_cast<std::uint64_t>(buffer.device_id) * 64 +
             static_cast<std::uint64_t>(buffer.buffer_type) * 8 +
             static_cast<std::uint64_t>(buffer.buffer_layout))
            << 40U;
    return hash ^ (hash >> 29U);
}

std::uint32_t SnapshotLifetimes::add_known(OperationIndex operation) {
    intervals_.push_back({operation, operation, 0});
    known_.push_back({static_cast<std::uint32_t>(intervals_.size() - 1), 0, operation});
    return static_cast<std::uint32_t>(known_.size() - 1);
}

void SnapshotLifetimes::extend(std::uint32_t known, OperationIndex operation) {
    known_[known].seen_at = operation;
    std::uint32_t at = known_[known].newest_interval + 1;
    for (int i = 0; i < kIntervalsSearched && at != 0; ++i) {
        Interval& interval = intervals_[at - 1];
        if (interval.last + 1 == operation) {
            interval.last = operation;
            return;
        }
        at = interval.previous;
    }
    intervals_.push_back({operation, operation, known_[known].newest_interval + 1});
    known_[known].newest_interval = static_cast<std::uint32_t>(intervals_.size() - 1);
}

void SnapshotLifetimes::add(OperationIndex operation, std::span<const report::LiveBufferRecord> buffers) {
    for (const report::LiveBufferRecord& buffer : buffers) {
        const auto [found, is_new] =
            by_record_.try_emplace(buffer, static_cast<std::uint32_t>(known_.size()));
        if (is_new) {
            add_known(operation);
            continue;
        }
        std::uint32_t known = found->second;
        while (known_[known].seen_at == operation && known_[known].same != 0)
            known = known_[known].same - 1;
        if (known_[known].seen_at != operation) {
            extend(known, operation);
            continue;
        }
        const std::uint32_t again = add_known(operation);
        known_[known].same = again + 1;
    }
}

std::vector<BufferSpan> SnapshotLifetimes::take_spans() {
    std::vector<BufferSpan> spans;
    spans.reserve(intervals_.size());
    std::vector<Interval> of_buffer;
    for (const auto& [buffer, first_known] : by_record_) {
        for (std::uint32_t known = first_known + 1; known != 0; known = known_[known - 1].same) {
            of_buffer.clear();
            for (std::uint32_t at = known_[known - 1].newest_interval + 1; at != 0;
                 at = intervals_[at - 1].previous)
                of_buffer.push_back(intervals_[at - 1]);
            std::sort(of_buffer.begin(), of_buffer.end(),
                      [](const Interval& a, const Interval& b) { return a.first < b.first; });
            for (const Interval& interval : of_buffer) {
                const bool follows =
                    interval.first != of_buffer.front().first && spans.back().last + 1 == interval.first;
                if (follows) {
                    spans.back().last = interval.last;
                } else {
                    spans.push_back({buffer, interval.first, interval.last});
                }
            }
        }
    }
    by_record_.clear();
    known_.clear();
    intervals_.clear();
    return spans;
}

std::vector<BufferSpan> restricted(const std::vector<BufferSpan>& spans, const std::vector<bool>& wanted) {
    // The end of the run of equal answers that an operation lies in.
    std::vector<OperationIndex> run_end(wanted.size());
    for (std::size_t i = wanted.size(); i-- > 0;) {
        const bool run_goes_on = i + 1 < wanted.size() && wanted[i] == wanted[i + 1];
        run_end[i] = run_goes_on ? run_end[i + 1] : static_cast<OperationIndex>(i + 1);
    }
    std::vector<BufferSpan> result;
    for (const BufferSpan& span : spans)
        for (OperationIndex first = span.first; first <= span.last; first = run_end[first])
            if (wanted[first])
                result.push_back({span.buffer, first, std::min(span.last, run_end[first] - 1)});
    return result;
}

}  // namespace tilemeter::visualizer_import
