// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// ttsl::hash: one number for any number of objects.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ttsl::hash {

using hash_t = std::uint64_t;
inline constexpr hash_t DEFAULT_SEED = 1234;

namespace detail {

template <typename T>
concept HasStdHash = requires(const T& object) {
    { std::hash<T>{}(object) } -> std::convertible_to<std::size_t>;
};
template <typename T>
concept HasMemberHash = requires(const T& object) {
    { object.to_hash() } -> std::convertible_to<hash_t>;
};
template <typename T>
concept HasAttributes = requires(const T& object) {
    object.attribute_values();
};
template <typename T>
concept Range = requires(const T& object) {
    object.begin();
    object.end();
};

inline hash_t mixed(hash_t seed, hash_t value) {
    return seed ^ (value + 0x9e3779b97f4a7c15U + (seed << 6U) + (seed >> 2U));
}

template <typename T>
hash_t hash_object(const T& object);

template <typename Tuple>
hash_t hash_tuple(const Tuple& objects) {
    return std::apply(
        [](const auto&... each) {
            hash_t seed = 0;
            ((seed = mixed(seed, hash_object(each))), ...);
            return seed;
        },
        objects);
}

template <typename T>
struct IsTuple : std::false_type {};
template <typename... Each>
struct IsTuple<std::tuple<Each...>> : std::true_type {};
template <typename First, typename Second>
struct IsTuple<std::pair<First, Second>> : std::true_type {};
template <typename T>
struct IsVariant : std::false_type {};
template <typename... Each>
struct IsVariant<std::variant<Each...>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// What a type's own hash says; else that of its parts.
template <typename T>
hash_t hash_object(const T& object) {
    if constexpr (HasMemberHash<T>) {
        return object.to_hash();
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<hash_t>(object);
    } else if constexpr (IsOptional<T>::value) {
        return object ? mixed(1, hash_object(*object)) : 0;
    } else if constexpr (IsVariant<T>::value) {
        return mixed(object.index(), std::visit([](const auto& each) { return hash_object(each); }, object));
    } else if constexpr (IsTuple<T>::value) {
        return hash_tuple(object);
    } else if constexpr (HasStdHash<T>) {
        return std::hash<T>{}(object);
    } else if constexpr (HasAttributes<T>) {
        return hash_tuple(object.attribute_values());
    } else if constexpr (Range<T>) {
        hash_t seed = 0;
        for (const auto& each : object)
            seed = mixed(seed, hash_object(each));
        return seed;
    } else {
        static_assert(HasStdHash<T>, "a type that is hashed has std::hash, to_hash() or attribute_values()");
        return 0;
    }
}

}  // namespace detail

template <typename... Types>
hash_t hash_objects(hash_t seed, const Types&... objects) {
    ((seed = detail::mixed(seed, detail::hash_object(objects))), ...);
    return seed;
}
template <typename... Types>
hash_t hash_objects_with_default_seed(const Types&... objects) {
    return hash_objects(DEFAULT_SEED, objects...);
}

}  // namespace ttsl::hash

namespace tt::stl::hash {
using namespace ttsl::hash;  // NOLINT(google-build-using-namespace): another name of the namespace
}  // namespace tt::stl::hash
