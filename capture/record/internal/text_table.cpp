// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/text_table.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace tilemeter::record::internal {

namespace {

template <typename Value>
std::span<const char> bytes_of(const Value& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <typename Value>
std::span<char> room_of(Value& value) {
    return {reinterpret_cast<char*>(&value), sizeof value};
}

}  // namespace

std::uint32_t TextTable::find_in_memory(std::string_view text, std::size_t hash) const {
    if (const auto found = numbers_.find({text, hash}); found != numbers_.end()) return found->second;
    if (recent_.empty()) return 0;
    const Recent& recent = recent_[hash % kRecent];
    return recent.hash == hash && recent.text == text ? recent.number : 0;
}

TextTable::Interned TextTable::intern(std::string_view text, std::size_t hash) {
    if (const std::uint32_t found = find_in_memory(text, hash); found != 0) return {found, false};
    if (const std::uint32_t found = find_in_file(text, hash); found != 0) {
        remember(text, hash, found);
        return {found, false};
    }
    const std::uint32_t number = count_ + 1;
    std::optional<Place> place;
    if (in_memory_ + text.size() + kIndexBytes > most_in_memory_) place = keep_in_file(text, hash, number);
    note_place(place ? *place : keep_in_memory(text, hash, number));
    return {number, true};
}

TextTable::Place TextTable::keep_in_memory(std::string_view text, std::size_t hash, std::uint32_t number) {
    constexpr std::size_t kRoom = std::size_t{16} << 10;
    if (used_ + text.size() > room_ || rooms_.empty()) {
        const std::size_t size = std::max(kRoom, text.size());
        rooms_.push_back(std::make_unique_for_overwrite<char[]>(size));
        used_ = 0;
        room_ = size;
    }
    char* const place = rooms_.back().get() + used_;
    std::memcpy(place, text.data(), text.size());
    used_ += text.size();
    in_memory_ += text.size() + kIndexBytes;
    texts_.emplace_back(place, text.size());
    numbers_.emplace(Key{texts_.back(), hash}, number);
    return texts_.size() - 1;
}

std::optional<TextTable::Place> TextTable::keep_in_file(std::string_view text, std::size_t hash,
                                                        std::uint32_t number) {
    if (chains_.empty()) {
        chains_.resize(kChains);
        recent_.resize(kRecent);
    }
    std::uint64_t& newest = chains_[hash % kChains];
    const Entry entry{hash, newest, number, static_cast<std::uint32_t>(text.size())};
    const std::optional<std::uint64_t> position = file_.append(bytes_of(entry), text);
    if (!position) return {};
    newest = *position + 1;
    remember(text, hash, number);
    return *position | kInFile;
}

std::uint32_t TextTable::find_in_file(std::string_view text, std::size_t hash) const {
    if (chains_.empty()) return 0;
    std::string other;
    for (std::uint64_t next = chains_[hash % kChains]; next != 0;) {
        Entry entry{};
        if (!file_.read(next - 1, room_of(entry))) return 0;
        if (entry.hash == hash && entry.size == text.size()) {
            other.resize(entry.size);
            if (file_.read(next - 1 + sizeof entry, other) && other == text) return entry.number;
        }
        next = entry.previous;
    }
    return 0;
}

void TextTable::remember(std::string_view text, std::size_t hash, std::uint32_t number) {
    if (text.size() > kLongestRecent) return;
    Recent& recent = recent_[hash % kRecent];
    recent.hash = hash;
    recent.number = number;
    recent.text = text;
}

void TextTable::note_place(Place place) {
    const std::size_t in_block = count_ % kPlacesABlock;
    if (in_block == 0) {
        // The block before is full. Once there is a file, it has room for it, too.
        if (!blocks_.empty() && file_.size() > 0) {
            Block& full = blocks_.back();
            if (const auto position = file_.append(bytes_of(*full.in_memory))) {
                full.in_file = *position;
                full.in_memory.reset();
            }
        }
        blocks_.emplace_back().in_memory = std::make_unique<Places>();
    }
    (*blocks_.back().in_memory)[in_block] = place;
    ++count_;
}

TextTable::Place TextTable::place_of(std::uint32_t number) const {
    const Block& block = blocks_.at((number - 1) / kPlacesABlock);
    const std::size_t in_block = (number - 1) % kPlacesABlock;
    if (block.in_memory) return (*block.in_memory)[in_block];
    Place place = 0;
    // In the mapping where it cannot be read: what was written is there.
    const std::uint64_t position = block.in_file + in_block * sizeof place;
    if (!file_.read(position, room_of(place))) std::memcpy(&place, file_.mapped(position), sizeof place);
    return place;
}

std::string_view TextTable::text_of(std::uint32_t number) const {
    const Place place = place_of(number);
    if ((place & kInFile) == 0) return texts_[place];
    const char* const mapped = file_.mapped(place & ~kInFile);
    Entry entry{};
    std::memcpy(static_cast<void*>(&entry), mapped, sizeof entry);
    return {mapped + sizeof entry, entry.size};
}

std::string_view TextTable::copy_of(std::uint32_t number, std::string& room) const {
    const Place place = place_of(number);
    if ((place & kInFile) == 0) return texts_[place];
    Entry entry{};
    if (!file_.read(place & ~kInFile, room_of(entry))) return text_of(number);
    room.resize(entry.size);
    return file_.read((place & ~kInFile) + sizeof entry, room) ? std::string_view(room) : text_of(number);
}

}  // namespace tilemeter::record::internal
