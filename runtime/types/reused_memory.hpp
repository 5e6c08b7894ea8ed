// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Memory of values: given back, it is kept for the next values of about its size, since asking the system for
// it each time, which clears each page when it is first touched, takes longer than most operations.
//
// Up to 256 MiB are kept, in all threads together; small pieces are left to malloc. With the address sanitizer nothing
// is kept, so that it sees who reads what was given back.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tilemeter {

/// Bytes at an address that is a multiple of 64. Copies share them until one of them is written to.
class ReusedMemory {
public:
    ReusedMemory() = default;
    /// Not cleared: what was there before is there still.
    explicit ReusedMemory(std::size_t size);
    ReusedMemory(const ReusedMemory& other) noexcept;
    ReusedMemory(ReusedMemory&& other) noexcept;
    ReusedMemory& operator=(ReusedMemory other) noexcept;
    ~ReusedMemory();

    std::size_t size() const { return size_; }
    const std::byte* data() const { return data_; }
    /// To write to: from here on no copy has a part in it.
    std::byte* data();

private:
    std::byte* data_ = nullptr;  ///< behind the number of those that share it
    std::size_t size_ = 0;
};

/// So many floats, not cleared.
class FloatBuffer {
public:
    explicit FloatBuffer(std::size_t count) : memory_(count * sizeof(float)), count_(count) {}

    std::span<float> values() { return {reinterpret_cast<float*>(memory_.data()), count_}; }
    std::span<const float> values() const { return {reinterpret_cast<const float*>(memory_.data()), count_}; }

private:
    ReusedMemory memory_;
    std::size_t count_;
};

}  // namespace tilemeter
