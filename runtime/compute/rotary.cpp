// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/rotary.hpp"

#include <algorithm>
#include <array>

namespace tilemeter::compute {

namespace {

constexpr std::size_t kTile = 32;

}  // namespace

std::vector<float> rotate_halves(std::span<const float> values, std::span<const float> cos,
                                 std::span<const float> sin, std::uint64_t rows, std::uint64_t width,
                                 std::uint64_t out_rows, std::optional<std::uint32_t> only) {
    const std::uint64_t matrices = values.size() / (rows * width);
    const std::uint64_t half = width / 2;
    std::vector<float> result(matrices * out_rows * width);
    for (std::uint64_t matrix = 0; matrix < matrices; ++matrix) {
        for (std::uint64_t row = 0; row < rows; ++row) {
            const float* x = &values[(matrix * rows + row) * width];
            const std::uint64_t angle = (only ? *only : row) * width;
            float* out = &result[(matrix * out_rows + row) * width];
            for (std::uint64_t i = 0; i < width; ++i) {
                const float rotated = i < half ? -x[i + half] : x[i - half];
                out[i] = x[i] * cos[angle + i] + rotated * sin[angle + i];
            }
        }
    }
    return result;
}

std::vector<float> rotate_pairs(std::span<const float> values, const Shape& shape, std::span<const float> cos,
                                std::span<const float> sin, const Shape& angles,
                                std::span<const float> matrix, bool by_user) {
    const std::uint64_t heads = shape[1];
    const std::uint64_t rows = shape[2];
    const std::uint64_t width = shape[3];
    std::vector<float> result(values.size());
    for (std::uint64_t row = 0; row < shape.volume() / width; ++row) {
        const std::uint64_t head = row / rows % heads;
        const std::uint64_t position = by_user ? 0 : row % rows;
        if (position >= angles[2]) continue;
        const std::uint64_t angle = ((angles[1] == 1 ? 0 : head) * angles[2] + position) * width;
        const float* x = &values[row * width];
        for (std::uint64_t block = 0; block < width; block += kTile) {
            const std::uint64_t columns = std::min<std::uint64_t>(kTile, width - block);
            std::array<float, kTile> rotated{};
            for (std::uint64_t k = 0; k < columns; ++k) {
                for (std::uint64_t i = 0; i < columns; ++i)
                    rotated[i] += x[block + k] * matrix[k * kTile + i];
            }
            for (std::uint64_t i = 0; i < columns; ++i) {
                const std::uint64_t at = block + i;
                result[row * width + at] = x[at] * cos[angle + at] + rotated[i] * sin[angle + at];
            }
        }
    }
    return result;
}

}  // namespace tilemeter::compute
