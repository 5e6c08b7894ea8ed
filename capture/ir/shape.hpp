// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The dimensions of a tensor, outermost first. Up to kInline of them need no allocation.
//
// A dimension is a 64-bit integer >= 0, or stands for an expression of names such as 2*b (dimension.hpp). The verifier
// refuses all others.
//
// Thread safety: const functions may be called from any thread.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace tilemeter::ir {

class Shape {
public:
    static constexpr std::size_t kInline = 6;

    Shape() = default;
    Shape(std::initializer_list<std::int64_t> dims) { assign(dims.begin(), dims.size()); }
    explicit Shape(std::span<const std::int64_t> dims) { assign(dims.data(), dims.size()); }

    [[nodiscard]] std::size_t rank() const { return rank_; }
    [[nodiscard]] std::span<const std::int64_t> dims() const { return {data(), rank_}; }
    [[nodiscard]] std::span<std::int64_t> dims() { return {data(), rank_}; }
    /// REQUIRES: i < rank()
    std::int64_t operator[](std::size_t i) const { return data()[i]; }
    std::int64_t& operator[](std::size_t i) { return data()[i]; }
    [[nodiscard]] const std::int64_t* begin() const { return data(); }
    [[nodiscard]] const std::int64_t* end() const { return data() + rank_; }

    void push_back(std::int64_t dim) {
        if (rank_ == kInline) far_.assign(near_.begin(), near_.end());
        if (rank_ >= kInline)
            far_.push_back(dim);
        else
            near_[rank_] = dim;
        ++rank_;
    }

    /// The product of the dimensions; 1 without any. Throws Error (kTooLarge) beyond 2^63 - 1 and Error
    /// (kShapeMismatch) where a dimension is negative, kBadArgument where it is an expression.
    [[nodiscard]] std::int64_t elements() const;

    friend bool operator==(const Shape& a, const Shape& b) { return std::ranges::equal(a.dims(), b.dims()); }

private:
    void assign(const std::int64_t* dims, std::size_t count) {
        rank_ = count;
        if (count > kInline)
            far_.assign(dims, dims + count);
        else
            std::copy(dims, dims + count, near_.begin());
    }
    [[nodiscard]] const std::int64_t* data() const { return rank_ > kInline ? far_.data() : near_.data(); }
    std::int64_t* data() { return rank_ > kInline ? far_.data() : near_.data(); }

    std::array<std::int64_t, kInline> near_{};
    std::vector<std::int64_t> far_;  ///< all of them, when there are more than kInline
    std::size_t rank_ = 0;
};

}  // namespace tilemeter::ir
