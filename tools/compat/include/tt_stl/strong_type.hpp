// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttsl::StrongType: a number or an object that cannot be taken for another one of the same type.

#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <optional>  // std::hash, with less than <functional> has
#include <utility>

namespace ttsl {

template <typename T, typename Tag>
class StrongType {
public:
    using value_type = T;

    constexpr StrongType() requires std::default_initializable<T>
    = default;
    constexpr explicit StrongType(T value) : value_(std::move(value)) {}

    constexpr const T& operator*() const { return value_; }
    constexpr const T& get() const { return value_; }

    constexpr auto operator<=>(const StrongType&) const = default;

private:
    T value_{};
};

template <typename Traits, typename T, typename Tag>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const StrongType<T, Tag>& strong) {
    return out << +*strong;
}

}  // namespace ttsl

template <typename T, typename Tag>
struct std::hash<ttsl::StrongType<T, Tag>> {
    std::size_t operator()(const ttsl::StrongType<T, Tag>& strong) const { return std::hash<T>{}(*strong); }
};

namespace tt::stl {
using ttsl::StrongType;
}  // namespace tt::stl
