// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/reused_memory.hpp"

#include <atomic>
#include <bit>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace tilemeter {

namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kLeastKept = 32U << 10U;
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kMostKept = 0;
#else
constexpr std::size_t kMostKept = 256U << 20U;
#endif

// Sizes are rounded up to an eighth of the power of two below, so that alike sizes share memory.
std::size_t rounded(std::size_t size) {
    if (size < kLeastKept) return size;
    const std::size_t step = std::bit_floor(size) / 8;
    return (size + step - 1) / step * step;
}

class Kept {
public:
    std::byte* take(std::size_t size) {
        const std::lock_guard lock(mutex_);
        const auto found = by_size_.find(size);
        if (found == by_size_.end() || found->second.empty()) return nullptr;
        std::byte* const memory = found->second.back();
        found->second.pop_back();
        bytes_ -= size;
        return memory;
    }

    // True if it is kept.
    bool give(std::byte* memory, std::size_t size) {
        const std::lock_guard lock(mutex_);
        if (bytes_ + size > kMostKept) return false;
        by_size_[size].push_back(memory);
        bytes_ += size;
        return true;
    }

private:
    std::mutex mutex_;
    std::map<std::size_t, std::vector<std::byte*>> by_size_;
    std::size_t bytes_ = 0;
};

// Outlives tensors that are destroyed at the end of the process.
Kept& kept() {
    static auto& the_kept = *new Kept;
    return the_kept;
}

using Sharers = std::atomic<std::size_t>;

// In front of the bytes, which so keep their alignment.
constexpr std::size_t kHeader = static_cast<std::size_t>(kAlignment);
static_assert(sizeof(Sharers) <= kHeader);

Sharers& sharers_of(std::byte* data) {
    return *std::launder(reinterpret_cast<Sharers*>(data - kHeader));
}

std::byte* allocate(std::size_t size) {
    if (size == 0) return nullptr;
    const std::size_t whole = rounded(size + kHeader);
    std::byte* memory = whole >= kLeastKept ? kept().take(whole) : nullptr;
    if (memory == nullptr) memory = static_cast<std::byte*>(::operator new(whole, kAlignment));
    new (memory) Sharers(1);
    return memory + kHeader;
}

void release(std::byte* data, std::size_t size) {
    if (data == nullptr || sharers_of(data).fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    std::byte* const memory = data - kHeader;
    const std::size_t whole = rounded(size + kHeader);
    if (whole >= kLeastKept && kept().give(memory, whole)) return;
    ::operator delete(memory, kAlignment);
}

}  // namespace

ReusedMemory::ReusedMemory(std::size_t size) : data_(allocate(size)), size_(size) {}

ReusedMemory::ReusedMemory(const ReusedMemory& other) noexcept : data_(other.data_), size_(other.size_) {
    if (data_ != nullptr) sharers_of(data_).fetch_add(1, std::memory_order_relaxed);
}

ReusedMemory::ReusedMemory(ReusedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

ReusedMemory& ReusedMemory::operator=(ReusedMemory other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

ReusedMemory::~ReusedMemory() {
    release(data_, size_);
}

std::byte* ReusedMemory::data() {
    if (data_ == nullptr || sharers_of(data_).load(std::memory_order_acquire) == 1) return data_;
    std::byte* const own = allocate(size_);
    std::memcpy(own, data_, size_);
    release(std::exchange(data_, own), size_);
    return data_;
}

}  // namespace tilemeter
