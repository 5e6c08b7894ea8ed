// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Sums in kernels. A float that holds a million others rounds each one that follows, so floats are added in double, and
// doubles in blocks whose sums are added in pairs. Integers wrap around.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tilemeter::trace::internal {

template <class T>
struct SumType {
    using Type = std::uint64_t;
};
template <>
struct SumType<float> {
    using Type = double;
};
template <>
struct SumType<double> {
    using Type = double;
};
/// The type that sums of T are kept in.
template <class T>
using Sum = typename SumType<T>::Type;

/// Elements that are added one after the other.
inline constexpr std::size_t kSumBlock = 128;

/// The sum of term(first) to term(first + count - 1), each of them a Sum<T>.
template <class T, class Term>
Sum<T> sum_of_terms(std::size_t first, std::size_t count, const Term& term) {
    if (count > kSumBlock) {
        const std::size_t half = count / 2 / kSumBlock * kSumBlock;
        const std::size_t left = half == 0 ? kSumBlock : half;
        return sum_of_terms<T>(first, left, term) + sum_of_terms<T>(first + left, count - left, term);
    }
    // Several sums at a time, since each addition waits for the one before.
    constexpr std::size_t kLanes = 8;
    std::array<Sum<T>, kLanes> lanes{};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] += term(first + i + lane);
    Sum<T> rest{};
    for (; i < count; ++i)
        rest += term(first + i);
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])) +
           rest;
}

/// a * b in what sums are kept in.
template <class T>
Sum<T> product_in_sum(T a, T b) {
    return static_cast<Sum<T>>(a) * static_cast<Sum<T>>(b);
}

/// The part of a + b beyond `sum`, to which it was rounded; 0 where they are not finite.
template <class T>
T rounded_off(T a, T b, T sum) {
    const T of_b = sum - a;
    const T rest = (a - (sum - of_b)) + (b - of_b);
    return rest == rest ? rest : T{};
}

}  // namespace tilemeter::trace::internal
