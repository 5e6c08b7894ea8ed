// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/attributes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/hash.hpp"

namespace tilemeter::ir {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(AttributeKind::kCount)> kKindNames = {
    "bool",          "integer",          "float",          "string",         "element type",
    "list of bools", "list of integers", "list of floats", "list of strings"};
static_assert(!kKindNames.back().empty(), "a name for each kind");

std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

struct Hashing {
    std::uint64_t seed;

    std::uint64_t operator()(bool value) const { return internal::hashed(seed, value ? 1 : 0); }
    std::uint64_t operator()(std::int64_t value) const {
        return internal::hashed(seed, static_cast<std::uint64_t>(value));
    }
    std::uint64_t operator()(double value) const { return internal::hashed(seed, bits(value)); }
    std::uint64_t operator()(const std::string& value) const { return internal::hashed(seed, value); }
    std::uint64_t operator()(ElementType value) const {
        return internal::hashed(seed, static_cast<std::uint64_t>(value));
    }
    template <class T>
    std::uint64_t operator()(const std::vector<T>& values) const {
        Hashing each{internal::hashed(seed, values.size())};
        for (const T& value : values)
            each.seed = each(value);
        return each.seed;
    }
    std::uint64_t operator()(const Booleans& values) const {
        Hashing each{internal::hashed(seed, values.size())};
        for (const bool value : values)
            each.seed = each(value);
        return each.seed;
    }
};

}  // namespace

std::string_view name_of(AttributeKind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

bool equal(const Attribute& a, const Attribute& b) {
    if (a.index() != b.index()) return false;
    if (const auto* value = std::get_if<double>(&a)) return bits(*value) == bits(std::get<double>(b));
    if (const auto* values = std::get_if<Floats>(&a))
        return std::ranges::equal(*values, std::get<Floats>(b), {}, bits, bits);
    return a == b;
}

Attributes::Attributes(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries)
        set(entry.name, entry.value);
}

void Attributes::set(std::string_view name, Attribute value) {
    const auto at = std::ranges::lower_bound(entries_, name, {}, &Entry::name);
    if (at != entries_.end() && at->name == name)
        at->value = std::move(value);
    else
        entries_.insert(at, {std::string(name), std::move(value)});
}

void Attributes::erase(std::string_view name) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
}

const Attribute* Attributes::find(std::string_view name) const {
    // A handful: a search by halves would take longer.
    for (const Entry& entry : entries_)
        if (entry.name == name) return &entry.value;
    return nullptr;
}

bool operator==(const Attributes& a, const Attributes& b) {
    return std::ranges::equal(a.entries_, b.entries_, [](const auto& left, const auto& right) {
        return left.name == right.name && equal(left.value, right.value);
    });
}

void Attributes::refuse(std::string_view name, const Attribute* found, AttributeKind expected) {
    const std::string attribute = "attribute '" + std::string(name) + "': ";
    const std::string wanted = "expected " + std::string(name_of(expected));
    throw Error(
        ErrorKind::kWrongAttribute,
        attribute +
            (found == nullptr ? "found none, " : "found " + std::string(name_of(kind_of(*found))) + ", ") +
            wanted);
}

std::uint64_t hash_of(const Attributes& attributes) {
    std::uint64_t hash = attributes.entries().size();
    for (const auto& [name, value] : attributes.entries()) {
        hash = internal::hashed(hash, name);
        hash = std::visit(Hashing{internal::hashed(hash, value.index())}, value);
    }
    return hash;
}

}  // namespace tilemeter::ir
