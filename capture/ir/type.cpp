// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/type.hpp"

#include <limits>

#include "capture/ir/dimension.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/internal/hash.hpp"
#include "capture/ir/internal/quoted.hpp"

namespace tilemeter::ir {

std::int64_t Shape::elements() const {
    std::int64_t product = 1;
    bool overflow = false;
    for (const std::int64_t dim : dims()) {
        if (Dim(dim).is_expression()) static_cast<void>(Dim(dim).number());  // refuses
        if (dim < 0)
            throw Error(ErrorKind::kShapeMismatch,
                        "found a dimension of " + std::to_string(dim) + ", expected at least 0");
        if (dim == 0) return 0;
        overflow = overflow || __builtin_mul_overflow(product, dim, &product);
    }
    if (overflow) throw Error(ErrorKind::kTooLarge, "a shape with more than 2^63 - 1 elements");
    return product;
}

std::string text_of(const TensorType& type) {
    std::string text;
    append_text(text, type);
    return text;
}

void append_text(std::string& to, const TensorType& type) {
    to += name_of(type.element);
    to += '[';
    for (const std::int64_t dim : type.shape) {
        if (to.back() != '[') to += ',';
        to += dim >= 0 ? std::to_string(dim) : Dim(dim).text();
    }
    to += ']';
    if (!type.place) return;
    to += "@(";
    internal::append_quoted(to, type.place->device);
    to += ", ";
    internal::append_quoted(to, type.place->layout);
    to += ", ";
    internal::append_quoted(to, type.place->memory_config);
    to += ')';
}

std::uint64_t byte_size(const TensorType& type) {
    const auto elements = static_cast<std::uint64_t>(type.shape.elements());
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(elements, element_bytes(type.element), &bytes))
        throw Error(ErrorKind::kTooLarge, text_of(type) + " has more than 2^64 - 1 bytes");
    return bytes;
}

std::uint64_t hash_of(const TensorType& type) {
    std::uint64_t hash = internal::hashed(static_cast<std::uint64_t>(type.element), type.shape.rank());
    for (const std::int64_t dim : type.shape)
        hash = internal::hashed(hash, static_cast<std::uint64_t>(dim));
    if (type.place) {
        hash = internal::hashed(hash, type.place->device);
        hash = internal::hashed(hash, type.place->layout);
        hash = internal::hashed(hash, type.place->memory_config);
    }
    return hash;
}

}  // namespace tilemeter::ir
