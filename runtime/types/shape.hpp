// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The dimensions of a tensor, outermost first: at most 8, as in TT-NN. They are stored inline, because every
// operation makes and copies shapes.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace tilemeter {

class Shape {
public:
    static constexpr std::size_t kMaxRank = 8;

    Shape() = default;
    Shape(std::initializer_list<std::uint32_t> dimensions)  // NOLINT: {1, 32} is a shape
        : Shape(std::span<const std::uint32_t>(dimensions.begin(), dimensions.size())) {}
    /// Throws RuntimeError for more than kMaxRank dimensions.
    explicit Shape(std::span<const std::uint32_t> dimensions);

    std::size_t rank() const { return rank_; }
    std::span<const std::uint32_t> dimensions() const { return {dimensions_.data(), rank_}; }

    /// A dimension; negative indices count from the end. Throws RuntimeError when out of range.
    std::uint32_t operator[](std::int64_t index) const { return dimensions_[position(index)]; }
    void set(std::int64_t index, std::uint32_t value) { dimensions_[position(index)] = value; }
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
        for (std::size_t i = 0; i < rank_; ++i)
            volume *= dimensions_[i];
        return volume;
    }

    /// The same elements as exactly `rank` dimensions: leading ones added, or leading dimensions multiplied
    /// together.
    Shape to_rank(std::size_t rank) const;

    std::string to_string() const;  ///< "Shape([1, 3, 32, 32])"

    friend bool operator==(const Shape&, const Shape&) = default;

private:
    [[noreturn]] void throw_out_of_range(std::int64_t index) const;

    std::array<std::uint32_t, kMaxRank> dimensions_{};  // beyond rank_: 0
    std::size_t rank_ = 0;
};

}  // namespace tilemeter
