// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A recording file as bytes: its header and what each block is. The layout: capture/events/recording_blocks.hpp.
//
// Thread safety: outside locking. The process that records may write at the same time.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "capture/events/recording_blocks.hpp"

namespace tilemeter::record::internal {

inline constexpr std::size_t kTrailerAt = offsetof(Chunk, published);
/// The part of a block that says what it is.
struct BlockTrailer {
    std::uint32_t published;
    std::uint32_t thread;
    std::uint64_t first_index;  ///< of a definition block: its sequence number
    std::uint32_t in_use;
};
static_assert(offsetof(BlockTrailer, first_index) == offsetof(Chunk, first_index) - kTrailerAt);
static_assert(offsetof(BlockTrailer, in_use) == offsetof(Chunk, in_use) - kTrailerAt);

/// The header without its atomics, as bytes in a file.
struct RecordingHead {
    std::array<char, 8> magic;
    std::uint32_t format, byte_order, event_bytes, block_bytes;
    std::uint64_t process, wall_clock_ns, begin_ticks, start_ticks, start_ns;
    std::uint64_t later_ticks, later_ns, end_ticks, lost_events;
    std::uint8_t run_mode, detail, pages, emitters;
};
static_assert(sizeof(RecordingHead) == sizeof(RecordingHeader));

class RecordingBytes {
public:
    /// Throws RecordingError.
    explicit RecordingBytes(const std::filesystem::path& path);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// The size that the file has now, in blocks.
    std::uint64_t block_count();
    /// Throws RecordingError where the file is no recording of this format.
    RecordingHead read_head();
    bool read_trailer(std::uint64_t block, BlockTrailer& trailer) {
        return read_at(block * kBlockBytes + kTrailerAt, &trailer, sizeof trailer);
    }
    /// False where the file ends before.
    bool read_at(std::uint64_t offset, void* bytes, std::size_t size);

private:
    [[noreturn]] void fail(const std::string& what) const;

    std::filesystem::path path_;
    std::ifstream file_;
};

}  // namespace tilemeter::record::internal
