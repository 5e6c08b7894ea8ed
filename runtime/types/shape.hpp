// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The dimensions of a tensor, outermost first. Up to 8 are stored inline, because every operation makes and copies
// shapes; more, which TT-NN takes as well, lie in memory of their own.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tilemeter {

class Shape {
public:
    Shape() = default;
    Shape(std::initializer_list<std::uint32_t> dimensions)  // NOLINT: {1, 32} is a shape
        : Shape(std::span<const std::uint32_t>(dimensions.begin(), dimensions.size())) {}
    explicit Shape(std::span<const std::uint32_t> dimensions);

    Shape(const Shape& other) : few_(other.few_), rank_(other.rank_) {
        if (other.many_) [[unlikely]]
            copy_many(other);
    }
    Shape& operator=(const Shape& other) {
        if (many_ || other.many_) [[unlikely]]
            copy_many(other);
        few_ = other.few_;
        rank_ = other.rank_;
        return *this;
    }
    Shape(Shape&& other) noexcept : few_(other.few_), many_(std::move(other.many_)), rank_(other.rank_) {
        other.rank_ = std::min(other.rank_, kInline);
    }
    Shape& operator=(Shape&& other) noexcept {
        few_ = other.few_;
        many_ = std::move(other.many_);
        rank_ = other.rank_;
        other.rank_ = std::min(other.rank_, kInline);
        return *this;
    }
    ~Shape() = default;

    std::size_t rank() const { return rank_; }
    std::span<const std::uint32_t> dimensions() const { return {many_ ? many_.get() : few_.data(), rank_}; }

    /// A dimension; negative indices count from the end. Throws RuntimeError when out of range.
    std::uint32_t operator[](std::int64_t index) const { return dimensions()[position(index)]; }
    void set(std::int64_t index, std::uint32_t value) {
        const std::size_t at = position(index);
        (many_ ? many_.get() : few_.data())[at] = value;
    }
    void push_back(std::uint32_t value);

    /// `index` counted from the front.
    std::size_t position(std::int64_t index) const {
        const auto rank = static_cast<std::int64_t>(rank_);
        if (index < -rank || index >= rank) [[unlikely]]
            throw_out_of_range(index);
        return static_cast<std::size_t>(index < 0 ? index + rank : index);
    }

    /// Number of elements; 1 for rank 0.
    std::uint64_t volume() const {
        std::uint64_t volume = 1;
        for (const std::uint32_t each : dimensions())
            volume *= each;
        return volume;
    }

    /// The same elements as exactly `rank` dimensions: leading ones added, or leading dimensions multiplied
    /// together.
    Shape to_rank(std::size_t rank) const;

    std::string to_string() const;  ///< "Shape([1, 3, 32, 32])"

    friend bool operator==(const Shape& a, const Shape& b) {
        return std::ranges::equal(a.dimensions(), b.dimensions());
    }

private:
    static constexpr std::size_t kInline = 8;

    void copy_many(const Shape& other);
    [[noreturn]] void throw_out_of_range(std::int64_t index) const;

    std::array<std::uint32_t, kInline> few_{};
    std::unique_ptr<std::uint32_t[]> many_;  // NOLINT: all rank_ dimensions, where they are more than kInline
    std::size_t rank_ = 0;
};

}  // namespace tilemeter
