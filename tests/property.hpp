// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Properties: checked for cases(100) random cases each (cases.hpp); the smallest case that fails is printed.
//
//     EXPECT_TRUE(test::holds_for_random_cases([&] {
//         const int n = test::in_range(1, 41);
//         const Layout layout = test::one_of(TILE_LAYOUT, ROW_MAJOR_LAYOUT);
//         PROPERTY_ASSERT(size_of(n, layout) >= n);
//     }));
//
// rapidcheck does it, but each use of its templates takes tenths of a second to compile: here they are
// instantiated once, for whole numbers.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace tilemeter::test {

/// Prints the case that fails.
bool holds_for_random_cases(const std::function<void()>& property);

/// A random bool, a random number of any size, and one that may have a fraction.
bool any_bool();
unsigned any_unsigned();
float any_float();

namespace internal {

std::int64_t in_range(std::int64_t begin, std::int64_t end);
/// All below `count` are as likely; in_range() begins with small ones.
std::size_t index_below(std::size_t count);
[[noreturn]] void fail_case(const char* condition, const char* file, int line);
[[noreturn]] void discard_case(const char* condition);

}  // namespace internal

/// `begin` to `end` - 1; the first cases have small ones. REQUIRES: begin < end.
template <std::integral T>
T in_range(T begin, T end) {
    return static_cast<T>(
        internal::in_range(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)));
}

template <typename Container>
typename Container::value_type element_of(const Container& elements) {
    return *(std::begin(elements) + static_cast<std::ptrdiff_t>(internal::index_below(std::size(elements))));
}

template <typename T, std::convertible_to<T>... Others>
T one_of(const T& first, const Others&... others) {
    return element_of(std::array<T, 1 + sizeof...(Others)>{first, static_cast<T>(others)...});
}

/// `count` elements, each by a call of `draw`.
template <typename Draw>
auto list_of(std::size_t count, const Draw& draw) {
    std::vector<decltype(draw())> list;
    for (std::size_t i = 0; i < count; ++i)
        list.push_back(draw());
    return list;
}

}  // namespace tilemeter::test

/// In a property: the case fails, or, with PROPERTY_PRE, does not count unless the condition holds.
#define PROPERTY_ASSERT(...) \
    ((__VA_ARGS__) ? void() : ::tilemeter::test::internal::fail_case(#__VA_ARGS__, __FILE__, __LINE__))
#define PROPERTY_PRE(...) ((__VA_ARGS__) ? void() : ::tilemeter::test::internal::discard_case(#__VA_ARGS__))
