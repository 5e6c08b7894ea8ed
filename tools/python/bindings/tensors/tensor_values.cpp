// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/tensors/tensor_values.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilemeter::python {

namespace {

float from_half(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16;
    const std::uint32_t exponent = half >> 10 & 0x1fU;
    const std::uint32_t fraction = half & 0x3ffU;
    if (exponent == 0) {
        const float tiny = static_cast<float>(fraction) * 0x1p-24F;
        return sign != 0 ? -tiny : tiny;
    }
    const std::uint32_t wide = exponent == 31 ? 0xffU : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

template <typename Element, typename Convert>
auto converted(const AnyArray& array, Convert convert) {
    const auto* first = static_cast<const Element*>(array.data());
    std::vector<decltype(convert(*first))> values(array.size());
    std::transform(first, first + values.size(), values.begin(), convert);
    return values;
}

[[noreturn]] void reject(const AnyArray& array) {
    const nb::dlpack::dtype type = array.dtype();
    throw nb::type_error(("expected an array of floats, integers or booleans, got DLPack type code " +
                          std::to_string(type.code) + " of " + std::to_string(type.bits) + " bits")
                             .c_str());
}

std::vector<float> floats_of(const AnyArray& array) {
    const nb::dlpack::dtype type = array.dtype();
    const bool brain = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bfloat);
    if (type.bits == 16 && !brain) return converted<std::uint16_t>(array, from_half);
    if (type.bits == 64)
        return converted<double>(array, [](double value) { return static_cast<float>(value); });
    reject(array);
}

template <typename Element>
std::vector<std::int64_t> widened(const AnyArray& array) {
    return converted<Element>(array, [](Element value) { return static_cast<std::int64_t>(value); });
}

std::vector<std::int64_t> integers_of(const AnyArray& array, bool is_signed) {
    switch (array.dtype().bits) {
        case 8:
            return is_signed ? widened<std::int8_t>(array) : widened<std::uint8_t>(array);
        case 16:
            return is_signed ? widened<std::int16_t>(array) : widened<std::uint16_t>(array);
        case 32:
            return is_signed ? widened<std::int32_t>(array) : widened<std::uint32_t>(array);
        case 64:
            return is_signed ? widened<std::int64_t>(array) : widened<std::uint64_t>(array);
        default:
            reject(array);
    }
}

/// TT-NN's choice for an array without a wish.
DataType natural_dtype(const nb::dlpack::dtype& type) {
    using Code = nb::dlpack::dtype_code;
    switch (static_cast<Code>(type.code)) {
        case Code::Bfloat:
            return DataType::BFLOAT16;
        case Code::Float:
            return DataType::FLOAT32;
        case Code::Int:
            return DataType::INT32;
        default:
            return type.bits == 8 ? DataType::UINT8 : type.bits == 16 ? DataType::UINT16 : DataType::UINT32;
    }
}

Shape shape_of(const AnyArray& array) {
    Shape shape;
    for (std::size_t i = 0; i < array.ndim(); ++i)
        shape.push_back(static_cast<std::uint32_t>(array.shape(i)));
    return shape;
}

/// An array that owns `bytes`.
template <typename Array>
Array array_over(std::vector<std::byte> bytes, const Shape& shape, nb::dlpack::dtype type) {
    auto owned = std::make_unique<std::vector<std::byte>>(std::move(bytes));
    std::vector<std::size_t> dimensions(shape.dimensions().begin(), shape.dimensions().end());
    void* data = owned->data();
    const nb::capsule owner(owned.release(),
                            [](void* held) noexcept { delete static_cast<std::vector<std::byte>*>(held); });
    return Array(data, dimensions.size(), dimensions.data(), owner, nullptr, type);
}

std::vector<std::byte> bytes_of(const HostArray& values) {
    return {values.bytes().begin(), values.bytes().end()};
}

nb::dlpack::dtype type_of(nb::dlpack::dtype_code code, std::uint8_t bits) {
    return {static_cast<std::uint8_t>(code), bits, 1};
}

nb::dlpack::dtype dlpack_type(DataType dtype) {
    using Code = nb::dlpack::dtype_code;
    switch (dtype) {
        case DataType::BFLOAT16:
        case DataType::BFLOAT8_B:
        case DataType::BFLOAT4_B:
            return type_of(Code::Bfloat, 16);
        case DataType::FLOAT32:
            return type_of(Code::Float, 32);
        case DataType::UINT8:
            return type_of(Code::UInt, 8);
        case DataType::UINT16:
            return type_of(Code::UInt, 16);
        case DataType::UINT32:
            return type_of(Code::UInt, 32);
        case DataType::INT32:
            return type_of(Code::Int, 32);
    }
    return {};
}

/// True if the array's elements are those of the dtype, bit by bit.
bool holds(const AnyArray& array, DataType dtype) {
    const nb::dlpack::dtype found = array.dtype(), stored = dlpack_type(dtype);
    const bool boolean = found.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bool);
    return found.bits == stored.bits && (found.code == stored.code || boolean);
}

/// Values on their way to an array of Python.
struct PlainValues {
    std::vector<std::byte> bytes;
    Shape shape;
    nb::dlpack::dtype type;
};

/// Without the interpreter lock. The block formats come as float32; widened: bfloat16, too.
PlainValues plain_values(const Tensor& tensor, std::size_t chip, bool widened) {
    const nb::gil_scoped_release unlocked;
    HostArray values = tensor.values(chip);
    const bool brain =
        dlpack_type(values.dtype()).code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bfloat);
    if (brain && (widened || is_block_float(values.dtype()))) values = values.converted(DataType::FLOAT32);
    return {bytes_of(values), values.shape(), dlpack_type(values.dtype())};
}

}  // namespace

HostArray host_array_of(const AnyArray& array, std::optional<DataType> dtype,
                        const std::optional<Shape>& shape) {
    using Code = nb::dlpack::dtype_code;
    const Shape dimensions = shape ? *shape : shape_of(array);
    if (dimensions.volume() != array.size()) {
        throw nb::value_error(("expected " + std::to_string(dimensions.volume()) + " values for " +
                               dimensions.to_string() + ", got " + std::to_string(array.size()))
                                  .c_str());
    }
    const DataType natural = natural_dtype(array.dtype()), wanted = dtype ? *dtype : natural;
    if (holds(array, natural)) {
        HostArray values = HostArray::unwritten(natural, dimensions);
        if (!values.bytes().empty()) std::memcpy(values.bytes().data(), array.data(), values.bytes().size());
        return natural == wanted ? values : values.converted(wanted);
    }
    const auto code = static_cast<Code>(array.dtype().code);
    if (code == Code::Float || code == Code::Bfloat)
        return HostArray::from_floats(floats_of(array), wanted, dimensions);
    if (code == Code::Int) return HostArray::from_integers(integers_of(array, true), wanted, dimensions);
    if (code == Code::UInt || code == Code::Bool)
        return HostArray::from_integers(integers_of(array, false), wanted, dimensions);
    reject(array);
}

nb::ndarray<nb::numpy> numpy_of(const Tensor& tensor, std::size_t chip) {
    PlainValues values = plain_values(tensor, chip, true);
    return array_over<nb::ndarray<nb::numpy>>(std::move(values.bytes), values.shape, values.type);
}

nb::ndarray<> dlpack_of(const Tensor& tensor, std::size_t chip) {
    PlainValues values = plain_values(tensor, chip, false);
    return array_over<nb::ndarray<>>(std::move(values.bytes), values.shape, values.type);
}

}  // namespace tilemeter::python
