// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttsl::Span: std::span under TT-NN's name.

#pragma once

#include <cstddef>
#include <span>

namespace ttsl {

template <typename T, std::size_t Extent = std::dynamic_extent>
using Span = std::span<T, Extent>;
using std::as_bytes;
using std::as_writable_bytes;

template <typename T>
constexpr Span<const T> make_const_span(const T* first, std::size_t count) {
    return {first, count};
}
template <typename Container>
constexpr auto make_const_span(const Container& container) {
    return Span<const typename Container::value_type>(std::data(container), std::size(container));
}
template <typename Container>
constexpr auto make_span(Container& container) {
    return std::span(std::data(container), std::size(container));
}

}  // namespace ttsl

namespace tt::stl {
using ttsl::make_const_span;
using ttsl::make_span;
using ttsl::Span;
}  // namespace tt::stl
