// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The common part of tests of windows over images: random images and a naive walk over what lies under each window.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/types/memory_config.hpp"
#include "runtime/types/shape.hpp"
#include "tests/property.hpp"

namespace tilemeter::test {

inline DeviceOptions with_l1_small() {
    DeviceOptions options;
    options.l1_small_size = 32768;
    return options;
}

inline std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return test::in_range(least, most + 1);
}

// Steps of 1/16 that bfloat16 holds, from one random number: images have many values.
inline std::vector<float> values_of(const Shape& shape, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> values(shape.volume());
    for (float& value : values)
        value = static_cast<float>(static_cast<int>(random() % 129) - 64) / 16.0F;
    return values;
}

/// Images and a window over them.
struct Images {
    std::uint32_t batch, height, width, channels;
    std::array<std::uint32_t, 2> kernel, stride, dilation;
    std::array<std::uint32_t, 4> padding;

    Shape flat() const { return {1, 1, batch * height * width, channels}; }
    std::uint32_t outputs(std::size_t axis) const {
        const std::uint32_t size =
            (axis == 0 ? height + padding[0] + padding[1] : width + padding[2] + padding[3]);
        return (size - dilation[axis] * (kernel[axis] - 1) - 1) / stride[axis] + 1;
    }
    /// Calls visit(output stick, place in the kernel, input stick) for each pixel under each window.
    void for_each(const std::function<void(std::size_t, std::size_t, std::size_t)>& visit) const {
        std::size_t output = 0;
        for (std::uint32_t image = 0; image < batch; ++image) {
            for (std::uint32_t row = 0; row < outputs(0); ++row) {
                for (std::uint32_t column = 0; column < outputs(1); ++column, ++output) {
                    for (std::uint32_t i = 0; i < kernel[0]; ++i) {
                        for (std::uint32_t j = 0; j < kernel[1]; ++j) {
                            const int y = static_cast<int>(row * stride[0] + i * dilation[0]) -
                                          static_cast<int>(padding[0]);
                            const int x = static_cast<int>(column * stride[1] + j * dilation[1]) -
                                          static_cast<int>(padding[2]);
                            if (y < 0 || x < 0 || y >= static_cast<int>(height) ||
                                x >= static_cast<int>(width)) {
                                continue;
                            }
                            visit(output, i * kernel[1] + j, (std::size_t{image} * height + y) * width + x);
                        }
                    }
                }
            }
        }
    }
    std::size_t sticks() const { return std::size_t{batch} * outputs(0) * outputs(1); }
};

inline Images random_images(std::uint32_t most_channels, bool dilated) {
    const std::array<std::uint32_t, 2> kernel{between(1, 4), between(1, 4)};
    const std::array<std::uint32_t, 2> dilation{dilated ? between(1, 2) : 1, dilated ? between(1, 2) : 1};
    const auto pad = [&](std::size_t axis) { return between(0, kernel[axis] / 2); };
    return {between(1, 3),  between(8, 14),
            between(8, 14), between(1, most_channels),
            kernel,         {between(1, 2), between(1, 2)},
            dilation,       {pad(0), pad(0), pad(1), pad(1)}};
}

inline const auto kLayouts = {TensorMemoryLayout::HEIGHT_SHARDED, TensorMemoryLayout::BLOCK_SHARDED,
                              TensorMemoryLayout::WIDTH_SHARDED};

}  // namespace tilemeter::test
