// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// tt::tt_metal::Shape: the dimensions of a tensor.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <vector>

#include "tt_stl/small_vector.hpp"

namespace tt::tt_metal {

class Shape {
public:
    using Container = ttsl::SmallVector<std::uint32_t>;
    using Array4D = std::array<std::uint32_t, 4>;
    using Array5D = std::array<std::uint32_t, 5>;
    using Array6D = std::array<std::uint32_t, 6>;
    using Array7D = std::array<std::uint32_t, 7>;
    using Array8D = std::array<std::uint32_t, 8>;

    Shape() = default;
    Shape(std::initializer_list<std::uint32_t> dimensions)
        : dimensions_(dimensions) {}  // NOLINT: {1, 32} is a shape
    template <std::size_t Rank>
    Shape(const std::array<std::uint32_t, Rank>& dimensions)  // NOLINT: as TT-NN's
        : dimensions_(dimensions.begin(), dimensions.end()) {}
    explicit Shape(Container&& dimensions) : dimensions_(std::move(dimensions)) {}
    explicit Shape(std::span<const std::uint32_t> dimensions)
        : dimensions_(dimensions.begin(), dimensions.end()) {}
    explicit Shape(const std::vector<std::uint32_t>& dimensions) : dimensions_(dimensions) {}

    std::size_t rank() const { return dimensions_.size(); }
    std::size_t size() const { return dimensions_.size(); }
    bool empty() const { return dimensions_.empty(); }
    std::uint64_t volume() const;
    std::span<const std::uint32_t> view() const { return {dimensions_.data(), dimensions_.size()}; }
    auto cbegin() const { return dimensions_.cbegin(); }
    auto cend() const { return dimensions_.cend(); }
    auto begin() const { return dimensions_.cbegin(); }
    auto end() const { return dimensions_.cend(); }

    /// Negative places count from the end; below the first one it is 1. Throws std::runtime_error behind the last.
    std::uint32_t operator[](std::int32_t index) const;
    std::uint32_t& operator[](std::int32_t index);
    std::uint32_t get_normalized_index(std::int64_t index) const;

    Array4D to_array_4D() const;  ///< Throws std::runtime_error for other ranks.
    /// Ones in front, or leading dimensions that are ones taken away. Throws std::runtime_error for others.
    Shape to_rank(std::size_t rank) const;

    friend bool operator==(const Shape&, const Shape&) = default;

private:
    Container dimensions_;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape);  ///< "Shape([1, 3, 32, 32])"

/// Elements from one to the next along each dimension, of rows without gaps.
ttsl::SmallVector<std::size_t> compute_strides(const Shape& shape);
using Strides = ttsl::SmallVector<std::size_t>;

}  // namespace tt::tt_metal

template <>
struct std::hash<tt::tt_metal::Shape> {
    std::size_t operator()(const tt::tt_metal::Shape& shape) const noexcept {
        std::size_t mixed = shape.rank();
        for (const std::uint32_t each : shape)
            mixed = mixed * 1000003U ^ each;
        return mixed;
    }
};

namespace ttnn {
using tt::tt_metal::Shape;
namespace types {
using tt::tt_metal::Shape;
}  // namespace types
}  // namespace ttnn
