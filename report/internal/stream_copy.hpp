// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Input that can be read once only (a pipe), or is compressed, made into bytes that can be read at any place, again and
// again: they are copied, decompressed, as far as somebody asks, by the thread that asks.
//
//     source ─▶ decompressor ─▶ 1 MiB in memory, the rest in a file without a name in the temporary folder
//
// Thread safety: calls lock where something is copied, and nowhere else.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "report/internal/decompressor.hpp"
#include "report/result.hpp"

namespace tilemeter::report::internal {

class StreamCopy {
public:
    // descriptor: read from where it stands, and closed. head: what was read of it before. decompressor: may
    // be null. source_bytes: the size of the descriptor's file, 0: not known.
    StreamCopy(std::string name, int descriptor, std::string head, std::unique_ptr<Decompressor> decompressor,
               std::uint64_t source_bytes);
    ~StreamCopy();
    StreamCopy(const StreamCopy&) = delete;
    StreamCopy& operator=(const StreamCopy&) = delete;

    // As many bytes as asked for; fewer only at the end, or in front of what cannot be read: the next call
    // says why.
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size);
    // The size of the content, or `limit` where it is larger. Copies that far.
    std::uint64_t size_up_to(std::uint64_t limit);
    // A fault of the content may come of an archive that is damaged, which is seen at the end of a member only: the
    // archive's error if there is one, else `found`. Nothing more can be read afterwards.
    Error cause_of(Error found);
    // The expected size, as far as it is known by now; at least what was copied.
    [[nodiscard]] std::uint64_t expected_size() const;

private:
    static constexpr std::size_t kInMemoryBytes = std::size_t{1} << 20U;
    static constexpr std::size_t kBlockBytes = std::size_t{256} << 10U;

    void copy_up_to(std::uint64_t end);
    void copy_block();
    Result<std::size_t> next_content(char* into, std::size_t size);  // 0 at the end
    Result<std::size_t> read_source(char* into, std::size_t size);
    Status append_to_file(const char* bytes, std::size_t size);
    Status make_file();
    [[nodiscard]] Error source_error(Error error) const;
    [[nodiscard]] Error no_room(std::uint64_t offset, int problem) const;
    void end_copying();

    const std::string name_;
    const std::uint64_t source_bytes_;

    std::mutex mutex_;  // of what is needed to copy
    int source_;        // -1: all is copied
    std::unique_ptr<Decompressor> decompressor_;
    std::vector<char> read_;  // of the source; from read_at_ to read_end_ not yet used
    std::size_t read_at_ = 0;
    std::size_t read_end_ = 0;
    std::unique_ptr<char[]> block_;
    std::optional<Error> failure_;  // set before ended_

    std::unique_ptr<char[]> memory_ = std::make_unique_for_overwrite<char[]>(kInMemoryBytes);
    std::atomic<int> file_ = -1;  // bytes behind kInMemoryBytes, at their own place less that
    std::string file_folder_;
    std::atomic<std::uint64_t> taken_ = 0;   // bytes of the source
    std::atomic<std::uint64_t> copied_ = 0;  // bytes of the content; set after they are there
    std::atomic<bool> ended_ = false;        // nothing follows them
};

}  // namespace tilemeter::report::internal
