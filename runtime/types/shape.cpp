// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/shape.hpp"

#include <algorithm>

#include "runtime/types/runtime_error.hpp"

namespace tilemeter {

Shape::Shape(std::span<const std::uint32_t> dimensions) : rank_(dimensions.size()) {
    if (rank_ > kInline) many_ = std::make_unique_for_overwrite<std::uint32_t[]>(rank_);  // NOLINT
    std::copy(dimensions.begin(), dimensions.end(), many_ ? many_.get() : few_.data());
}

void Shape::copy_many(const Shape& other) {
    if (this == &other) return;
    if (!other.many_) {
        many_.reset();
        return;
    }
    many_ = std::make_unique_for_overwrite<std::uint32_t[]>(other.rank_);  // NOLINT
    std::ranges::copy(other.dimensions(), many_.get());
}

void Shape::push_back(std::uint32_t value) {
    if (rank_ < kInline) {
        few_[rank_++] = value;
        return;
    }
    auto more = std::make_unique_for_overwrite<std::uint32_t[]>(rank_ + 1);  // NOLINT
    std::ranges::copy(dimensions(), more.get());
    more[rank_++] = value;
    many_ = std::move(more);
}

void Shape::throw_out_of_range(std::int64_t index) const {
    const auto rank = static_cast<std::int64_t>(rank_);
    throw RuntimeError("Index is out of bounds for the rank, should be between 0 and " +
                       std::to_string(rank - 1) + " however is " +
                       std::to_string(index < 0 ? index + rank : index) + ": dimension " +
                       std::to_string(index) + " of " + to_string());
}

Shape Shape::to_rank(std::size_t rank) const {
    Shape result;
    if (rank_ <= rank) {
        for (std::size_t i = rank_; i < rank; ++i)
            result.push_back(1);
        for (const std::uint32_t dimension : dimensions())
            result.push_back(dimension);
        return result;
    }
    std::uint64_t leading = 1;
    for (std::size_t i = 0; i <= rank_ - rank; ++i)
        leading *= dimensions()[i];
    if (leading > 0xffffffffU) throw RuntimeError(to_string() + ": leading dimensions do not fit into one");
    if (rank > 0) result.push_back(static_cast<std::uint32_t>(leading));
    for (std::size_t i = rank_ - rank + 1; i < rank_; ++i)
        result.push_back(dimensions()[i]);
    return result;
}

std::string Shape::to_string() const {
    std::string text = "Shape([";
    for (std::size_t i = 0; i < rank_; ++i) {
        if (i != 0) text += ", ";
        text += std::to_string(dimensions()[i]);
    }
    return text + "])";
}

}  // namespace tilemeter
