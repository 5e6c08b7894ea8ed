// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A tensor whose elements are known: a type and bytes that graphs share and never copy.
//
// Thread safety: immutable.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "capture/ir/type.hpp"

namespace tilemeter::ir {

class Constant {
public:
    using Storage = std::shared_ptr<const std::byte[]>;

    /// Elements row-major, each of element_bytes(); `storage` may keep alive whatever owns them.
    /// REQUIRES: storage holds byte_size(type) bytes that never change.
    Constant(TensorType type, Storage storage);

    /// A copy of `bytes`. Throws Error (kWrongConstant) when they are not byte_size(type).
    static Constant copy_of(TensorType type, std::span<const std::byte> bytes);

    /// A copy of `values`, each stored as put_double or put_integer store it.
    template <class T>
    static Constant of(ElementType element, const Shape& shape, std::span<const T> values) {
        if constexpr (std::is_floating_point_v<T>)
            return of_doubles(element, shape, {values.begin(), values.end()});
        else
            return of_integers(element, shape, {values.begin(), values.end()});
    }

    static Constant scalar(ElementType element, double value);
    static Constant scalar(ElementType element, std::int64_t value);
    static Constant scalar(ElementType element, int value) { return scalar(element, std::int64_t{value}); }
    static Constant scalar(bool value) { return scalar(ElementType::kBool, std::int64_t{value ? 1 : 0}); }

    [[nodiscard]] const TensorType& type() const { return type_; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {storage_.get(), size_}; }
    [[nodiscard]] const Storage& storage() const { return storage_; }

    /// One element, row-major. REQUIRES: i < type().shape.elements()
    [[nodiscard]] double double_at(std::size_t i) const;
    [[nodiscard]] std::int64_t integer_at(std::size_t i) const;

    /// The same type and the same bytes: a nan equals itself, 0.0 and -0.0 differ.
    friend bool operator==(const Constant& a, const Constant& b);

private:
    static Constant of_doubles(ElementType element, const Shape& shape, const std::vector<double>& values);
    static Constant of_integers(ElementType element, const Shape& shape,
                                const std::vector<std::int64_t>& values);

    TensorType type_;
    Storage storage_;
    std::size_t size_;
};

/// Over the type and the bytes; of large constants only the first bytes.
std::uint64_t hash_of(const Constant& constant);

}  // namespace tilemeter::ir
