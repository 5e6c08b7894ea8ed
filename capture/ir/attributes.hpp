// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The attributes of an equation: named values that are no tensors.
//
//   const Attributes attributes{{"axes", Integers{0, 1}}, {"keepdims", false}};
//   attributes.get<Integers>("axes");
//
// Thread safety: const functions may be called from any thread.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "capture/ir/element_type.hpp"

namespace tilemeter::ir {

using Booleans = std::vector<bool>;
using Integers = std::vector<std::int64_t>;
using Floats = std::vector<double>;
using Strings = std::vector<std::string>;

using Attribute =
    std::variant<bool, std::int64_t, double, std::string, ElementType, Booleans, Integers, Floats, Strings>;

/// The alternatives of Attribute, in order.
enum class AttributeKind : std::uint8_t {
    kBool,
    kInteger,
    kFloat,
    kString,
    kElementType,
    kBooleans,
    kIntegers,
    kFloats,
    kStrings,
    kCount
};
static_assert(std::variant_size_v<Attribute> == static_cast<std::size_t>(AttributeKind::kCount));

/// "integer", "list of floats".
std::string_view name_of(AttributeKind kind);
inline AttributeKind kind_of(const Attribute& attribute) {
    return static_cast<AttributeKind>(attribute.index());
}

/// Floats are equal when their bits are.
bool equal(const Attribute& a, const Attribute& b);

class Attributes {
public:
    struct Entry {
        std::string name;
        Attribute value;
    };

    Attributes() = default;
    Attributes(std::initializer_list<Entry> entries);

    /// Adds or replaces.
    void set(std::string_view name, Attribute value);
    void erase(std::string_view name);

    /// Null if there is none.
    [[nodiscard]] const Attribute* find(std::string_view name) const;

    /// Throws Error (kWrongAttribute) where it is missing or of another kind.
    template <class T>
    [[nodiscard]] const T& get(std::string_view name) const {
        const Attribute* const found = find(name);
        const T* const value = found != nullptr ? std::get_if<T>(found) : nullptr;
        if (value == nullptr) refuse(name, found, static_cast<AttributeKind>(Attribute(T{}).index()));
        return *value;
    }

    /// `otherwise` where it is missing. Throws as get() where it is of another kind.
    template <class T>
    [[nodiscard]] T get_or(std::string_view name, T otherwise) const {
        return find(name) != nullptr ? get<T>(name) : std::move(otherwise);
    }

    /// Sorted by name.
    [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
    [[nodiscard]] bool empty() const { return entries_.empty(); }

    friend bool operator==(const Attributes& a, const Attributes& b);

private:
    [[noreturn]] static void refuse(std::string_view name, const Attribute* found, AttributeKind expected);

    std::vector<Entry> entries_;
};

std::uint64_t hash_of(const Attributes& attributes);

}  // namespace tilemeter::ir
