// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/constant.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/hash.hpp"

namespace tilemeter::ir {

namespace {

std::shared_ptr<std::byte[]> room_for(const TensorType& type, std::size_t elements) {
    if (static_cast<std::uint64_t>(type.shape.elements()) != elements)
        throw Error(ErrorKind::kWrongConstant, "found " + std::to_string(elements) + " elements, expected " +
                                                   std::to_string(type.shape.elements()) + " for " +
                                                   text_of(type));
    return std::make_shared_for_overwrite<std::byte[]>(byte_size(type));
}

}  // namespace

Constant::Constant(TensorType type, Storage storage)
    : type_(std::move(type)), storage_(std::move(storage)), size_(byte_size(type_)) {}

Constant Constant::copy_of(TensorType type, std::span<const std::byte> bytes) {
    if (bytes.size() != byte_size(type))
        throw Error(ErrorKind::kWrongConstant, "found " + std::to_string(bytes.size()) + " bytes, expected " +
                                                   std::to_string(byte_size(type)) + " for " + text_of(type));
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(bytes.size());
    std::ranges::copy(bytes, storage.get());
    return {std::move(type), storage};
}

Constant Constant::of_doubles(ElementType element, const Shape& shape, const std::vector<double>& values) {
    TensorType type{element, shape, {}};
    const auto storage = room_for(type, values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        put_double(element, values[i], storage.get() + i * element_bytes(element));
    return {std::move(type), storage};
}

Constant Constant::of_integers(ElementType element, const Shape& shape,
                               const std::vector<std::int64_t>& values) {
    TensorType type{element, shape, {}};
    const auto storage = room_for(type, values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        put_integer(element, values[i], storage.get() + i * element_bytes(element));
    return {std::move(type), storage};
}

Constant Constant::scalar(ElementType element, double value) {
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(element_bytes(element));
    put_double(element, value, storage.get());
    return {TensorType{element, {}, {}}, storage};
}

Constant Constant::scalar(ElementType element, std::int64_t value) {
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(element_bytes(element));
    put_integer(element, value, storage.get());
    return {TensorType{element, {}, {}}, storage};
}

double Constant::double_at(std::size_t i) const {
    return to_double(type_.element, storage_.get() + i * element_bytes(type_.element));
}

std::int64_t Constant::integer_at(std::size_t i) const {
    return to_integer(type_.element, storage_.get() + i * element_bytes(type_.element));
}

bool operator==(const Constant& a, const Constant& b) {
    return a.type_ == b.type_ && (a.storage_ == b.storage_ || a.size_ == 0 ||
                                  std::memcmp(a.storage_.get(), b.storage_.get(), a.size_) == 0);
}

std::uint64_t hash_of(const Constant& constant) {
    // Enough to tell weights apart; what agrees in them is compared whole.
    constexpr std::size_t kHashedBytes = 4096;
    const auto bytes = constant.bytes();
    return internal::hashed(hash_of(constant.type()), bytes.data(), std::min(bytes.size(), kHashedBytes));
}

}  // namespace tilemeter::ir
