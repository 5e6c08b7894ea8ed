// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tilemeter::visualizer_import {

// Rows on their way from the thread that makes them to the thread that writes them, a few megabytes at most.
//
// Encoding: per row one byte with the table, then per value one byte with its kind, followed by 8 bytes of an
// integer or double, or by 8 bytes of size and the text.
enum class ValueKind : std::uint8_t { kNull, kInteger, kReal, kText };

// Rows of some tables, encoded one after the other.
class RowBatch {
public:
    static constexpr std::size_t kFullBytes = std::size_t{256} << 10U;

    void add_byte(std::uint8_t byte) { bytes_.push_back(static_cast<char>(byte)); }
    void add(ValueKind kind, const void* value, std::size_t size) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + 1 + size);
        bytes_[at] = static_cast<char>(kind);
        std::memcpy(bytes_.data() + at + 1, value, size);
    }
    void add_text(std::string_view text) {
        const std::uint64_t size = text.size();
        add(ValueKind::kText, &size, sizeof size);
        bytes_.append(text);
    }
    [[nodiscard]] bool full() const { return bytes_.size() >= kFullBytes; }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    void clear() { bytes_.clear(); }
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

private:
    std::string bytes_;
};

// Thread safety: one thread puts, one takes.
class RowQueue {
public:
    // Waits while kMostWaiting batches are on their way.
    void put(RowBatch& batch);  // leaves an empty one
    // False when closed and empty.
    bool take(RowBatch& batch);
    void done(RowBatch& batch);  // with what was taken
    void close();
    void wait_until_empty();

private:
    static constexpr std::size_t kMostWaiting = 8;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<RowBatch> waiting_;
    std::vector<RowBatch> unused_;
    bool busy_ = false;
    bool closed_ = false;
};

}  // namespace tilemeter::visualizer_import
