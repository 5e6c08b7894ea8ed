// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttsl::optional_reference: a reference that may be missing, as an argument.

#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace ttsl {

/// Holds no value: what it was made of has to live as long.
template <typename T>
class optional_reference {
    using Value = std::remove_const_t<T>;

public:
    constexpr optional_reference() noexcept = default;
    constexpr optional_reference(std::nullopt_t /*none*/) noexcept {}    // NOLINT: an argument
    constexpr optional_reference(T& value) noexcept : value_(&value) {}  // NOLINT
    /// A std::reference_wrapper, whose header takes longer to compile than all else here.
    template <typename Wrapper>
    requires std::is_same_v<decltype(std::declval<const Wrapper&>().get()), T&>
    constexpr optional_reference(const Wrapper& value) noexcept : value_(&value.get()) {}  // NOLINT
    template <typename Optional>
    requires std::is_same_v<std::remove_cvref_t<Optional>, std::optional<Value>> &&
        (std::is_const_v<T> ||
         !std::is_const_v<std::remove_reference_t<Optional>>)constexpr optional_reference(Optional&&
                                                                                              value) noexcept
        : value_(value ? &*value : nullptr) {}  // NOLINT
    template <typename U>
    requires std::is_convertible_v<U*, T*>
    constexpr optional_reference(optional_reference<U> other) noexcept
        : value_(other ? &*other : nullptr) {}  // NOLINT

    constexpr explicit operator bool() const noexcept { return value_ != nullptr; }
    constexpr bool has_value() const noexcept { return value_ != nullptr; }
    constexpr T& operator*() const noexcept { return *value_; }
    constexpr T* operator->() const noexcept { return value_; }
    /// Throws std::bad_optional_access where it is missing.
    constexpr T& value() const {
        if (value_ == nullptr) throw std::bad_optional_access();
        return *value_;
    }
    template <typename U>
    constexpr Value value_or(U&& otherwise) const {
        return value_ != nullptr ? *value_ : static_cast<Value>(std::forward<U>(otherwise));
    }

    friend constexpr bool operator==(const optional_reference& reference, std::nullopt_t /*none*/) noexcept {
        return !reference.has_value();
    }

private:
    T* value_ = nullptr;
};

}  // namespace ttsl

namespace tt::stl {
using ttsl::optional_reference;
}  // namespace tt::stl
