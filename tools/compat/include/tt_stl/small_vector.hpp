// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttsl::SmallVector: a vector of a few elements, as shapes, steps and permutations are.

#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

namespace ttsl {

/// TT-NN keeps `Inline` elements in the object itself; here all are on the heap, and what a caller sees is the same.
template <typename T, std::size_t Inline = 8>
class SmallVector : public std::vector<T> {
public:
    using std::vector<T>::vector;
    SmallVector() = default;
    SmallVector(const std::vector<T>& other) : std::vector<T>(other) {}                 // NOLINT: as TT-NN's
    SmallVector(std::vector<T>&& other) noexcept : std::vector<T>(std::move(other)) {}  // NOLINT
};

template <typename Traits, typename T, std::size_t Inline>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const SmallVector<T, Inline>& vector) {
    out << "SmallVector([";
    for (std::size_t i = 0; i < vector.size(); ++i)
        out << (i == 0 ? "" : ", ") << vector[i];
    return out << "])";
}

}  // namespace ttsl

namespace tt::stl {
using ttsl::SmallVector;
}  // namespace tt::stl

namespace ttnn {
using ttsl::SmallVector;
}  // namespace ttnn
