// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/traced_memory.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "capture/record/placement.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

namespace {

// Rows of a tiled tensor one after the other, whatever its outer dimensions: only then tiles lie in one order.
bool fills_tiles(const std::vector<std::uint64_t>& shape) {
    return shape.size() > 1 && shape[shape.size() - 2] % kTileHeight == 0;
}

std::uint64_t volume_of(const std::vector<std::uint64_t>& shape) {
    std::uint64_t volume = 1;
    for (const std::uint64_t each : shape)
        volume *= each;
    return volume;
}

bool has_rows_of(const record::TensorInfo& a, const record::TensorInfo& b) {
    if (a.layout != b.layout) return false;
    if (a.shape == b.shape) return true;
    if (a.shape.empty() || b.shape.empty() || a.shape.back() != b.shape.back() ||
        volume_of(a.shape) != volume_of(b.shape))
        return false;
    static const record::TextId kRows = record::intern("Layout::ROW_MAJOR");
    return a.layout == kRows || (fills_tiles(a.shape) && fills_tiles(b.shape));
}

bool lies_on(const record::BufferRecord& buffer, const CoreRangeSet& cores) {
    if (buffer.num_cores == 0 || buffer.placement == record::PlacementId::kNone) return true;
    const record::ShardPlacement placement = record::placement_of(buffer.placement);
    return std::ranges::any_of(placement.cores, [&](record::Core core) {
        return std::ranges::any_of(cores.ranges(), [&](const CoreRange& range) {
            return core.x >= range.start.x && core.x <= range.end.x && core.y >= range.start.y &&
                   core.y <= range.end.y;
        });
    });
}

}  // namespace

TracedPlace TracedPlace::of(const Buffer& buffer) {
    return {buffer.record(), buffer.spec_id()};
}

bool TracedPlace::is_in_l1() const {
    return record::is_in_l1(buffer.memory);
}

bool TracedPlace::overlaps(const TracedPlace& other) const {
    return is_in_l1() == other.is_in_l1() && begin() < other.end() && other.begin() < end();
}

bool TracedPlace::has_pages_of(const TracedPlace& other) const {
    const record::BufferRecord &a = buffer, &b = other.buffer;
    if (a.memory != b.memory || a.address != b.address || a.layout != b.layout ||
        a.size_bytes != b.size_bytes || a.size_per_bank_bytes != b.size_per_bank_bytes ||
        a.page_size_bytes != b.page_size_bytes || a.num_cores != b.num_cores || a.placement != b.placement)
        return false;
    if (spec == other.spec) return true;
    const record::TensorInfo info = record::tensor_info_of(spec), others = record::tensor_info_of(other.spec);
    return info.dtype == others.dtype && has_rows_of(info, others);
}

std::string TracedPlace::to_string() const {
    const record::TensorInfo info = record::tensor_info_of(spec);
    std::string text = "buffer " + std::to_string(static_cast<std::uint64_t>(buffer.buffer)) + " ([";
    for (std::size_t i = 0; i < info.shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(info.shape[i]);
    text += "] " + std::string(record::text_of(info.dtype)) + " " + std::string(record::text_of(info.layout));
    return text + ") at " + (is_in_l1() ? "L1 [" : "DRAM [") + std::to_string(begin()) + ", " +
           std::to_string(end()) + ")";
}

void TracedMemory::watch(const TracedPlace& place) {
    const std::scoped_lock lock(mutex_);
    watched_.push_back(place);
    watching_.store(true, std::memory_order_relaxed);
}

void TracedMemory::watch_only(std::vector<TracedPlace> places) {
    const std::scoped_lock lock(mutex_);
    watched_ = std::move(places);
    watching_.store(!watched_.empty(), std::memory_order_relaxed);
    set_left(std::move(left_));
}

bool TracedMemory::is_watched(const TracedPlace& place) const {
    return std::ranges::any_of(watched_, [&](const TracedPlace& each) { return each.overlaps(place); });
}

void TracedMemory::keep(TracedContents contents) {
    // Memory that nobody wrote to holds what it held before.
    if (contents.values == nullptr) return;
    const std::scoped_lock lock(mutex_);
    if (!is_watched(contents.place)) return;
    TracedImage image({}, std::move(left_));
    image.write(contents.place, std::move(contents.values), nullptr);
    set_left(image.commit());
}

void TracedMemory::lose_under(const CachedProgram& program,
                              const std::shared_ptr<const ChipValues>& remains) {
    const std::scoped_lock lock(mutex_);
    TracedImage image({}, std::move(left_));
    image.write_program_memory(program, remains);
    set_left(image.commit());
}

void TracedMemory::set_left(std::vector<TracedContents> contents) {
    left_ = std::move(contents);
    std::erase_if(left_, [this](const TracedContents& each) { return !is_watched(each.place); });
    has_left_.store(!left_.empty(), std::memory_order_relaxed);
}

std::vector<TracedContents> TracedMemory::left() const {
    const std::scoped_lock lock(mutex_);
    return left_;
}

void TracedMemory::leave(std::vector<TracedContents> contents) {
    const std::scoped_lock lock(mutex_);
    set_left(std::move(contents));
}

TracedImage::TracedImage(std::vector<std::shared_ptr<Buffer>> live, std::vector<TracedContents> left)
    : live_(std::move(live)) {
    for (TracedContents& each : left) {
        const Place at{each.place.is_in_l1(), each.place.begin()};
        extents_.emplace(at, Extent{std::move(each)});
    }
    for (const std::shared_ptr<Buffer>& each : live_) {
        const TracedPlace place = TracedPlace::of(*each);
        if (each->values() == nullptr || place.begin() == place.end()) continue;
        cut(place, nullptr);
        extents_.insert_or_assign({place.is_in_l1(), place.begin()}, Extent{{place, each->values()}});
    }
}

TracedImage::Range TracedImage::within(bool is_in_l1, std::uint64_t begin, std::uint64_t end) const {
    auto first = extents_.lower_bound({is_in_l1, begin});
    if (first != extents_.begin()) {
        const auto before = std::prev(first);
        if (before->first.first == is_in_l1 && before->second.contents.place.end() > begin) first = before;
    }
    return {first, extents_.lower_bound({is_in_l1, end})};
}

std::shared_ptr<const ChipValues> TracedImage::read(const TracedPlace& place, std::string_view reader) const {
    const auto [first, last] = within(place);
    if (first == last) return nullptr;
    const auto other = std::find_if(
        first, last, [&](const auto& each) { return !each.second.contents.place.has_pages_of(place); });
    if (other == last) return first->second.contents.values;
    throw RuntimeError(std::string(reader) + " reads " + place.to_string() +
                       ": expected a tensor of the same pages there, found " +
                       other->second.contents.place.to_string());
}

void TracedImage::cut(const TracedPlace& place, const std::shared_ptr<const ChipValues>& remains) {
    const auto [first, last] = within(place);
    std::vector<TracedContents> beyond;
    for (auto each = first; each != last; ++each) {
        const TracedContents& contents = each->second.contents;
        const auto keep = [&](std::uint64_t from, std::uint64_t to) {
            if (from >= to) return;
            TracedContents& part = beyond.emplace_back(contents);
            part.place.buffer.address = from;
            part.place.buffer.size_per_bank_bytes = to - from;
        };
        keep(contents.place.begin(), place.begin());
        keep(place.end(), contents.place.end());
    }
    extents_.erase(first, last);
    for (TracedContents& each : beyond) {
        const Place at{each.place.is_in_l1(), each.place.begin()};
        extents_.insert_or_assign(at, Extent{std::move(each), true, remains});
    }
}

void TracedImage::write(const TracedPlace& place, std::shared_ptr<const ChipValues> values,
                        const std::shared_ptr<const ChipValues>& remains) {
    if (place.begin() == place.end()) return;
    cut(place, remains);
    extents_.insert_or_assign({place.is_in_l1(), place.begin()},
                              Extent{{place, std::move(values)}, true, remains});
}

void TracedImage::write_program_memory(const CachedProgram& program,
                                       const std::shared_ptr<const ChipValues>& remains) {
    for (std::size_t i = 0; i < program.memory.size(); ++i) {
        const ProgramMemory& piece = program.memory[i];
        if (piece.shared_with != ProgramMemory::kOwn) continue;
        const std::uint64_t at = program.placement.addresses[i];
        const auto [first, last] = within(true, at, at + piece.size_bytes);
        for (auto each = first; each != last; ++each) {
            Extent& extent = extents_.at(each->first);
            if (!lies_on(extent.contents.place.buffer, piece.cores)) continue;
            extent.contents.values = extent.remains = remains;
            extent.is_written = true;
        }
    }
}

std::vector<TracedContents> TracedImage::commit() {
    std::set<Place> owned;
    for (const std::shared_ptr<Buffer>& each : live_) {
        const TracedPlace place = TracedPlace::of(*each);
        if (place.begin() == place.end()) continue;
        const auto [first, last] = within(place);
        for (auto extent = first; extent != last; ++extent)
            owned.insert(extent->first);
        const auto written =
            std::find_if(first, last, [](const auto& extent) { return extent.second.is_written; });
        if (written == last) continue;
        const TracedContents& contents = written->second.contents;
        each->set_values(contents.place.has_pages_of(place) ? contents.values : written->second.remains);
    }
    std::vector<TracedContents> left;
    for (const auto& [at, extent] : extents_) {
        if (!owned.contains(at)) left.push_back(extent.contents);
    }
    return left;
}

}  // namespace tilemeter
