// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/types/host_array.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/types/number_formats.hpp"
#include "runtime/types/runtime_error.hpp"

namespace tilemeter {

namespace {

std::uint64_t stored_size(DataType dtype) {
    return is_block_float(dtype) ? 2 : element_size(dtype);
}

template <typename T>
T* elements(ReusedMemory& bytes) {
    return reinterpret_cast<T*>(bytes.data());
}
template <typename T>
const T* elements(const ReusedMemory& bytes) {
    return reinterpret_cast<const T*>(bytes.data());
}

void require_volume(std::size_t found, const Shape& shape) {
    if (found != shape.volume()) {
        throw RuntimeError(shape.to_string() + ": expected " + std::to_string(shape.volume()) +
                           " values, got " + std::to_string(found));
    }
}

// Calls `visit` with a value of the C++ type that stores an integer dtype.
template <typename Visit>
void visit_integer_type(DataType dtype, Visit visit) {
    switch (dtype) {
        case DataType::UINT8:
            return visit(std::uint8_t{});
        case DataType::UINT16:
            return visit(std::uint16_t{});
        case DataType::UINT32:
            return visit(std::uint32_t{});
        case DataType::INT32:
            return visit(std::int32_t{});
        default:
            throw RuntimeError(std::string(name_of(dtype)) + ": expected an integer type");
    }
}

std::int64_t truncate_to_integer(float value) {
    if (!(std::fabs(value) < 9.2e18F)) return 0;  // NaN, infinities and what no integer type here could hold
    return static_cast<std::int64_t>(value);
}

}  // namespace

HostArray::HostArray(DataType dtype, Shape shape) : HostArray(unwritten(dtype, std::move(shape))) {
    if (bytes_.size() > 0) std::memset(bytes_.data(), 0, bytes_.size());
}

HostArray HostArray::unwritten(DataType dtype, Shape shape) {
    HostArray array;
    array.dtype_ = dtype;
    array.shape_ = std::move(shape);
    array.bytes_ = ReusedMemory(array.shape_.volume() * stored_size(dtype));
    return array;
}

std::uint64_t HostArray::stored_element_size() const {
    return stored_size(dtype_);
}

HostArray HostArray::from_floats(std::span<const float> values, DataType dtype, const Shape& shape) {
    require_volume(values.size(), shape);
    HostArray array = unwritten(dtype, shape);
    array.write_floats(0, values);
    return array;
}

void HostArray::write_floats(std::uint64_t first, std::span<const float> values) {
    if (values.empty()) return;
    if (dtype_ == DataType::FLOAT32) {
        std::memcpy(elements<float>(bytes_) + first, values.data(), values.size_bytes());
    } else if (dtype_ == DataType::BFLOAT16) {
        to_bfloat16(values, elements<std::uint16_t>(bytes_) + first);
    } else if (is_block_float(dtype_)) {
        std::vector<float> rounded(values.begin(), values.end());
        round_to_block_float(rounded, shape_.rank() == 0 ? 1 : shape_[-1],
                             dtype_ == DataType::BFLOAT8_B ? 7 : 3);
        to_bfloat16(rounded, elements<std::uint16_t>(bytes_) + first);
    } else {
        visit_integer_type(dtype_, [&](auto kind) {
            auto* out = elements<decltype(kind)>(bytes_) + first;
            for (std::size_t i = 0; i < values.size(); ++i) {
                out[i] = static_cast<decltype(kind)>(truncate_to_integer(values[i]));
            }
        });
    }
}

void HostArray::read_floats(std::uint64_t first, std::span<float> to) const {
    if (to.empty()) return;
    if (dtype_ == DataType::FLOAT32) {
        std::memcpy(to.data(), elements<float>(bytes_) + first, to.size_bytes());
    } else if (is_floating_point(dtype_)) {
        from_bfloat16(elements<std::uint16_t>(bytes_) + first, to);
    } else {
        visit_integer_type(dtype_, [&](auto kind) {
            const auto* in = elements<decltype(kind)>(bytes_) + first;
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = static_cast<float>(in[i]);
        });
    }
}

std::span<const float> HostArray::floats() const {
    if (dtype_ != DataType::FLOAT32) return {};
    return {elements<float>(bytes_), bytes_.size() / sizeof(float)};
}

std::span<float> HostArray::floats() {
    if (dtype_ != DataType::FLOAT32) return {};
    return {elements<float>(bytes_), bytes_.size() / sizeof(float)};
}

HostArray HostArray::from_integers(std::span<const std::int64_t> values, DataType dtype, const Shape& shape) {
    require_volume(values.size(), shape);
    if (is_floating_point(dtype)) {
        std::vector<float> floats(values.begin(), values.end());
        return from_floats(floats, dtype, shape);
    }
    HostArray array = unwritten(dtype, shape);
    visit_integer_type(dtype, [&](auto kind) {
        auto* out = elements<decltype(kind)>(array.bytes_);
        for (std::size_t i = 0; i < values.size(); ++i)
            out[i] = static_cast<decltype(kind)>(values[i]);
    });
    return array;
}

std::vector<float> HostArray::to_floats() const {
    std::vector<float> values(size());
    read_floats(0, values);
    return values;
}

std::vector<std::int64_t> HostArray::to_integers() const {
    std::vector<std::int64_t> values(size());
    read_integers(0, values);
    return values;
}

void HostArray::read_integers(std::uint64_t first, std::span<std::int64_t> to) const {
    if (to.empty()) return;
    if (is_floating_point(dtype_)) {
        std::vector<float> floats(to.size());
        read_floats(first, floats);
        std::transform(floats.begin(), floats.end(), to.begin(), truncate_to_integer);
        return;
    }
    visit_integer_type(dtype_, [&](auto kind) {
        const auto* in = elements<decltype(kind)>(bytes_) + first;
        std::copy(in, in + to.size(), to.begin());
    });
}

HostArray HostArray::reshaped(const Shape& shape) const {
    require_volume(size(), shape);
    HostArray array = *this;
    array.shape_ = shape;
    return array;
}

HostArray HostArray::converted(DataType dtype) const {
    if (dtype == dtype_) return *this;
    if (!is_floating_point(dtype_) && !is_floating_point(dtype))
        return from_integers(to_integers(), dtype, shape_);
    return from_floats(to_floats(), dtype, shape_);
}

}  // namespace tilemeter
