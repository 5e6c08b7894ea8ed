// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The values of a tensor on the host: its logical elements in row-major order, independent of its layout on
// the device.
//
// Block formats (BFLOAT8_B, BFLOAT4_B) are kept as bfloat16 values that have been rounded to what the format
// can hold; bfloat16 holds all of them exactly (7 or 3 bits of magnitude, 8-bit exponent).
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/types/dtype.hpp"
#include "runtime/types/reused_memory.hpp"
#include "runtime/types/shape.hpp"

namespace tilemeter {

class HostArray {
public:
    HostArray() = default;
    /// All elements 0.
    HostArray(DataType dtype, Shape shape);
    /// To be written whole by the caller.
    static HostArray unwritten(DataType dtype, Shape shape);

    /// Rounded to `dtype`: to nearest even for floating point, truncated towards zero and wrapped for
    /// integers.
    static HostArray from_floats(std::span<const float> values, DataType dtype, const Shape& shape);
    /// Exact for integer types up to 32 bits.
    static HostArray from_integers(std::span<const std::int64_t> values, DataType dtype, const Shape& shape);

    DataType dtype() const { return dtype_; }
    const Shape& shape() const { return shape_; }
    std::uint64_t size() const { return shape_.volume(); }

    std::vector<float> to_floats() const;
    /// The elements from `first` on, until `to` is full.
    void read_floats(std::uint64_t first, std::span<float> to) const;
    /// The elements from `first` on, rounded as from_floats() does. REQUIRES for block formats: whole rows of the shape.
    void write_floats(std::uint64_t first, std::span<const float> values);
    /// FLOAT32's elements in place; nothing of other types.
    std::span<const float> floats() const;
    std::span<float> floats();
    std::vector<std::int64_t> to_integers() const;
    /// The elements from `first` on, until `to` is full; of floating-point types truncated towards zero.
    void read_integers(std::uint64_t first, std::span<std::int64_t> to) const;

    /// The same elements under another shape. REQUIRES: equal volume.
    HostArray reshaped(const Shape& shape) const;
    HostArray converted(DataType dtype) const;

    /// Bytes of one stored element: 2 for block formats.
    std::uint64_t stored_element_size() const;
    std::span<const std::byte> bytes() const { return {bytes_.data(), bytes_.size()}; }
    std::span<std::byte> bytes() { return {bytes_.data(), bytes_.size()}; }

private:
    DataType dtype_ = DataType::FLOAT32;
    Shape shape_;
    ReusedMemory bytes_;
};

}  // namespace tilemeter
