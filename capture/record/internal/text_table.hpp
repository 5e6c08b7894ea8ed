// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Texts by id and ids by text. The first megabytes are kept in memory with their index. What comes beyond, such as the
// arguments of a hundred thousand operations, is appended to a file, its index with it: what stays in memory is the same
// whether that file has ten texts or ten million. A text is told from the others of its hash's chain by reading them, newest
// first; those that were looked up lately have a copy in memory.
//
// Thread safety: one thread at a time may intern, and nobody read meanwhile; any number may read at once.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/record/internal/spill_file.hpp"

namespace tilemeter::record::internal {

class TextTable {
public:
    static constexpr std::size_t kMostInMemory = std::size_t{4} << 20;
    /// The bytes in memory of a text beside its own.
    static constexpr std::size_t kIndexBytes = 96;

    explicit TextTable(std::size_t most_in_memory = kMostInMemory) : most_in_memory_(most_in_memory) {}

    static std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

    /// Its number, from 1, if it is among those in memory. 0: it may be in the file, or nowhere.
    std::uint32_t find_in_memory(std::string_view text, std::size_t hash) const;

    struct Interned {
        std::uint32_t number;
        bool is_new;
    };
    /// Its number, from 1.
    Interned intern(std::string_view text, std::size_t hash);

    /// REQUIRES: number is one that intern() gave. The view stays valid as long as this object.
    std::string_view text_of(std::uint32_t number) const;

    /// The same, of texts in the file a copy in `room`, which takes no memory but that.
    std::string_view copy_of(std::uint32_t number, std::string& room) const;

    std::uint32_t count() const { return count_; }
    /// Bytes in memory, their index included, that more texts may add to; and bytes in the file.
    std::size_t bytes_in_memory() const { return in_memory_; }
    std::uint64_t bytes_in_file() const { return file_.size(); }

private:
    /// With its hash, so that a text is only read where it may be the one that is looked for.
    struct Key {
        std::string_view text;
        std::size_t hash;
        bool operator==(const Key& other) const { return hash == other.hash && text == other.text; }
    };
    struct Hash {
        std::size_t operator()(const Key& key) const { return key.hash; }
    };

    /// Before each text in the file.
    struct Entry {
        std::uint64_t hash;
        std::uint64_t previous;  // of its chain: position + 1; 0: none
        std::uint32_t number;
        std::uint32_t size;
    };

    struct Recent {
        std::size_t hash = 0;
        std::uint32_t number = 0;
        std::string text;
    };

    /// The place of a text: an index into texts_, or a position in the file with the highest bit set.
    using Place = std::uint64_t;
    static constexpr Place kInFile = Place{1} << 63;
    static constexpr std::size_t kPlacesABlock = 512;
    using Places = std::array<Place, kPlacesABlock>;
    /// The places of a block of texts, in memory or in the file.
    struct Block {
        std::unique_ptr<Places> in_memory;
        std::uint64_t in_file = 0;
    };

    static constexpr std::size_t kChains = std::size_t{1} << 18;
    static constexpr std::size_t kRecent = 1024;
    static constexpr std::size_t kLongestRecent = 4096;

    std::uint32_t find_in_file(std::string_view text, std::size_t hash) const;
    std::optional<Place> keep_in_file(std::string_view text, std::size_t hash, std::uint32_t number);
    Place keep_in_memory(std::string_view text, std::size_t hash, std::uint32_t number);
    void note_place(Place place);
    void remember(std::string_view text, std::size_t hash, std::uint32_t number);
    Place place_of(std::uint32_t number) const;

    const std::size_t most_in_memory_;
    std::size_t in_memory_ = 0;
    std::uint32_t count_ = 0;

    std::vector<std::unique_ptr<char[]>> rooms_;
    std::size_t used_ = 0;  // of the last room
    std::size_t room_ = 0;  // it has
    std::deque<std::string_view> texts_;
    std::unordered_map<Key, std::uint32_t, Hash> numbers_;

    std::deque<Block> blocks_;
    SpillFile file_;
    std::vector<std::uint64_t>
        chains_;  // by hash, the newest Entry's position + 1; empty: nothing in the file
    std::vector<Recent> recent_;
};

}  // namespace tilemeter::record::internal
