// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The computation of a flat primitive's values.
//
// Kernels know four number types; elements of other types are widened to one of them and cut or rounded back:
//     f64 -> double;  f32, f16, bf16 and block formats -> float;  signed -> int64;  unsigned and bool -> uint64
// Integer arithmetic wraps around, so that cutting the wide result to the narrow type is the narrow result.

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "capture/ir/constant.hpp"
#include "capture/ir/type.hpp"

namespace tilemeter::trace::internal {

using ir::Constant;
using ir::ElementType;
using ir::Integers;
using ir::Shape;
using ir::TensorType;

/// One equation with the values of its operands.
struct KernelUse {
    std::span<const Constant* const> operands;
    const ir::Attributes& attributes;
    std::span<const TensorType> types;  ///< of the results

    [[nodiscard]] const Constant& operand(std::size_t i) const { return *operands[i]; }
    [[nodiscard]] const Shape& shape(std::size_t i) const { return operands[i]->type().shape; }
    [[nodiscard]] Integers integers(std::string_view name, std::size_t count, std::int64_t otherwise) const {
        return attributes.get_or<Integers>(name, Integers(count, otherwise));
    }
};

/// Appends the values of the results.
using Kernel = void (*)(const KernelUse& use, std::vector<Constant>& results);

template <class T>
constexpr bool is_stored_as(ElementType element) {
    if constexpr (std::is_same_v<T, double>) return element == ElementType::kF64;
    if constexpr (std::is_same_v<T, float>)
        return element == ElementType::kF32 || ir::is_block_float(element);
    if constexpr (std::is_same_v<T, std::int64_t>) return element == ElementType::kI64;
    if constexpr (std::is_same_v<T, std::uint64_t>) return element == ElementType::kU64;
    return false;
}

/// Calls function(T{}) with the number type that kernels use for these elements.
template <class Function>
decltype(auto) with_number_type(ElementType element, Function&& function) {
    if (element == ElementType::kF64) return function(double{});
    if (ir::is_float(element)) return function(float{});
    if (ir::is_signed_integer(element)) return function(std::int64_t{});
    return function(std::uint64_t{});
}

/// The elements of a constant as numbers; no copy where they are stored so.
template <class T>
class Numbers {
public:
    explicit Numbers(const Constant& constant) {
        const auto bytes = constant.bytes();
        const ElementType element = constant.type().element;
        const std::size_t width = ir::element_bytes(element);
        const std::size_t count = bytes.size() / width;
        if (is_stored_as<T>(element) && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) == 0) {
            span_ = {reinterpret_cast<const T*>(bytes.data()), count};
            return;
        }
        copy_.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            if constexpr (std::is_floating_point_v<T>)
                copy_[i] = static_cast<T>(ir::to_double(element, bytes.data() + i * width));
            else
                copy_[i] = integer<T>(element, bytes.data() + i * width);
        span_ = copy_;
    }
    Numbers(const Numbers&) = delete;
    Numbers& operator=(const Numbers&) = delete;

    T operator[](std::size_t i) const { return span_[i]; }
    [[nodiscard]] std::size_t size() const { return span_.size(); }
    [[nodiscard]] const T* data() const { return span_.data(); }

private:
    template <class I>
    static I integer(ElementType element, const std::byte* bytes) {
        if (element == ElementType::kU64) {  // to_integer() saturates
            std::uint64_t value = 0;
            std::copy_n(bytes, sizeof value, reinterpret_cast<std::byte*>(&value));
            return static_cast<I>(value);
        }
        return static_cast<I>(ir::to_integer(element, bytes));
    }

    std::vector<T> copy_;
    std::span<const T> span_;
};

/// Room for the elements of a result, as numbers.
template <class T>
class Result {
public:
    explicit Result(const TensorType& type)
        : Result(type, std::make_shared<std::byte[]>(ir::byte_size(type))) {}

    /// For a kernel that writes each element: they are not 0 before.
    static Result unwritten(const TensorType& type) {
        return Result(type, std::make_shared_for_overwrite<std::byte[]>(ir::byte_size(type)));
    }

    Result(const TensorType& type, std::shared_ptr<std::byte[]> storage)
        : type_(type), count_(static_cast<std::size_t>(type.shape.elements())), storage_(std::move(storage)) {
        if (is_stored_as<T>(type.element)) {
            span_ = {reinterpret_cast<T*>(storage_.get()), count_};
            return;
        }
        wide_.resize(count_);
        span_ = wide_;
    }
    Result(const Result&) = delete;
    Result& operator=(const Result&) = delete;

    T& operator[](std::size_t i) { return span_[i]; }
    [[nodiscard]] std::size_t size() const { return count_; }
    T* data() { return span_.data(); }
    std::span<T> span() { return span_; }

    /// The numbers so far, cut or rounded to the element type.
    Constant finish() {
        const std::size_t width = ir::element_bytes(type_.element);
        for (std::size_t i = 0; i < wide_.size(); ++i)
            if constexpr (std::is_floating_point_v<T>)
                ir::put_double(type_.element, static_cast<double>(wide_[i]), storage_.get() + i * width);
            else
                ir::put_integer(type_.element, static_cast<std::int64_t>(wide_[i]),
                                storage_.get() + i * width);
        return {type_, storage_};
    }

private:
    const TensorType& type_;
    std::size_t count_;
    std::shared_ptr<std::byte[]> storage_;
    std::vector<T> wide_;
    std::span<T> span_;
};

/// Distance between neighbours in each dimension, in elements, row-major.
inline Integers strides_of(const Shape& shape) {
    Integers strides(shape.rank());
    std::int64_t step = 1;
    for (std::size_t i = shape.rank(); i-- > 0;) {
        strides[i] = step;
        step *= shape[i];
    }
    return strides;
}

/// Calls function(index) for each index of a tensor of this shape, row-major.
template <class Function>
void for_each_index(const Shape& shape, Function&& function) {
    std::vector<std::int64_t> index(shape.rank());
    for (std::int64_t left = shape.elements(); left > 0; --left) {
        function(std::as_const(index));
        for (std::size_t i = shape.rank(); i-- > 0;) {
            if (++index[i] < shape[i]) break;
            index[i] = 0;
        }
    }
}

/// The tensor with its axes in this order, elements copied.
Constant transposed(const Constant& constant, const Integers& perm);

/// The tensor with the given axes last, so that its elements are rows of what one result element depends on.
Constant with_axes_last(const Constant& constant, const Integers& axes);

/// The operand's bytes, as elements of another type or of another shape.
void same_bytes(const KernelUse& use, std::vector<Constant>& results);

}  // namespace tilemeter::trace::internal
