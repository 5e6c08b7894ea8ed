// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttsl::Indestructible: an object that is never destroyed, for statics that others use while the process ends.

#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace ttsl {

template <typename T>
class Indestructible {
public:
    template <typename... Arguments>
    explicit Indestructible(Arguments&&... arguments) {
        ::new (static_cast<void*>(place_)) T(std::forward<Arguments>(arguments)...);
    }
    Indestructible(const Indestructible&) = delete;
    Indestructible& operator=(const Indestructible&) = delete;

    T& get() { return *std::launder(reinterpret_cast<T*>(place_)); }  // NOLINT: the object made there
    const T& get() const { return *std::launder(reinterpret_cast<const T*>(place_)); }  // NOLINT

private:
    alignas(T) std::byte place_[sizeof(T)];
};

}  // namespace ttsl

namespace tt::stl {
using ttsl::Indestructible;
}  // namespace tt::stl
