// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilemeter {

/// Memory for many small objects, let go as one: a block of the heap for each would be as dear as what is kept.
///
/// Thread safety: none.
class ObjectRoom {
public:
    ObjectRoom() = default;
    ObjectRoom(const ObjectRoom&) = delete;
    ObjectRoom& operator=(const ObjectRoom&) = delete;
    ~ObjectRoom() {
        while (last_ != nullptr) {
            Made* const made = std::exchange(last_, last_->before);
            made->destroy(made);
        }
    }

    /// For any type without an alignment of its own.
    std::byte* take(std::size_t size) {
        size = (size + kAlignment - 1) / kAlignment * kAlignment;
        if (size > left_) add_block(size);
        std::byte* const taken = next_;
        next_ += size;
        left_ -= size;
        return taken;
    }

    /// An object that is destroyed with the room, what was made last first.
    template <typename T, typename... Arguments>
    T& make(Arguments&&... arguments) {
        static_assert(alignof(T) <= kAlignment);
        if constexpr (std::is_trivially_destructible_v<T>) {
            return *::new (take(sizeof(T))) T(std::forward<Arguments>(arguments)...);
        } else {
            struct Held : Made {
                explicit Held(Arguments&&... given) : object(std::forward<Arguments>(given)...) {}
                T object;
            };
            Held* const held = ::new (take(sizeof(Held))) Held(std::forward<Arguments>(arguments)...);
            held->before = last_;
            held->destroy = [](Made* made) { static_cast<Held*>(made)->~Held(); };
            last_ = held;
            return held->object;
        }
    }

private:
    struct Made {
        Made* before = nullptr;
        void (*destroy)(Made* made) = nullptr;
    };

    static constexpr std::size_t kAlignment = alignof(std::max_align_t);

    void add_block(std::size_t least) {
        // The first is for a function of one call.
        constexpr std::size_t kSecond = std::size_t{2} << 10, kMost = std::size_t{32} << 10;
        left_ = std::max(least, blocks_.empty() ? 0 : std::min(kSecond << 2 * (blocks_.size() - 1), kMost));
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
        next_ = blocks_.back().get();
    }

    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::byte* next_ = nullptr;
    std::size_t left_ = 0;
    Made* last_ = nullptr;
};

}  // namespace tilemeter
