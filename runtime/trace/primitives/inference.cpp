// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/inference.hpp"

#include <algorithm>

namespace tilemeter::trace::internal {

namespace {

std::string domain_text(Domain domain) {
    std::string text;
    const auto add = [&](Domain part, const char* word) {
        if ((domain & part) == part) text += (text.empty() ? "" : ", ") + std::string(word);
    };
    add(kFloats, "floats");
    add(kSigned, "signed integers");
    add(kUnsigned, "unsigned integers");
    add(kBools, "bool");
    return text;
}

}  // namespace

bool is_in(Domain domain, ElementType element) {
    if (ir::is_float(element)) return (domain & kFloats) != 0;
    if (ir::is_signed_integer(element)) return (domain & kSigned) != 0;
    if (ir::is_unsigned_integer(element)) return (domain & kUnsigned) != 0;
    return (domain & kBools) != 0;
}

void require_domain(const Site& site, std::size_t operand, Domain domain) {
    site.require(is_in(domain, site.type(operand).element), ErrorKind::kElementTypeMismatch, [&] {
        return "operand " + std::to_string(operand) + ": found " + text_of(site.type(operand)) +
               ", expected " + domain_text(domain);
    });
}

void require_same(const Site& site, std::size_t operand, std::size_t as) {
    const auto found = [&] {
        return "found " + text_of(site.type(as)) + " and " + text_of(site.type(operand));
    };
    site.require(site.type(operand).element == site.type(as).element, ErrorKind::kElementTypeMismatch,
                 [&] { return found() + ", expected operands of one element type"; });
    site.require_equal(site.shape(operand), site.shape(as), ErrorKind::kShapeMismatch,
                       [&] { return found() + ", expected operands of one shape"; });
}

std::size_t checked_axis(const Site& site, std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    site.require(axis >= 0 && axis < count, ErrorKind::kBadArgument, [&] {
        return "found axis " + std::to_string(axis) + ", expected an axis of a tensor of rank " +
               std::to_string(rank);
    });
    return static_cast<std::size_t>(axis);
}

void require_axes(const Site& site, const Integers& axes, std::size_t rank, std::string_view what) {
    std::vector<bool> seen(rank);
    for (const std::int64_t axis : axes) {
        const std::size_t i = checked_axis(site, axis, rank);
        site.require(!seen[i], ErrorKind::kBadArgument, [&] {
            return std::string(what) + ": found " + text_of(axes) + ", expected distinct axes";
        });
        seen[i] = true;
    }
}

void infer_same(const Site& site, Types& types, Domain domain) {
    for (std::size_t i = 0; i < site.size(); ++i) {
        require_domain(site, i, domain);
        require_same(site, i);
    }
    types.push_back(site.type(0));
}

std::string found_shapes(const Shape& a, const Shape& b) {
    return "found shapes " + text_of(a) + " and " + text_of(b);
}

Integers per_dimension(const Site& site, std::string_view attribute, std::size_t count,
                       std::int64_t otherwise, std::int64_t least) {
    const ir::Attribute* const given = site.use.attributes.find(attribute);
    if (given == nullptr) return Integers(count, otherwise);
    const Integers& values = site.integers(attribute);
    site.require(values.size() == count, ErrorKind::kBadArgument, [&] {
        return "attribute '" + std::string(attribute) + "': found " + text_of(values) + ", expected " +
               std::to_string(count) + " numbers";
    });
    for (const std::int64_t value : values)
        if (least != kNoBound || Dim(value).is_number())
            site.require_at_most(least, value, ErrorKind::kBadArgument, [&] {
                return "attribute '" + std::string(attribute) + "': found " + text_of(values) +
                       ", expected numbers from " + std::to_string(least);
            });
    return values;
}

}  // namespace tilemeter::trace::internal
