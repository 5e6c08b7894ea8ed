// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// tril and triu against plain loops.

#include "runtime/operations/eltwise/triangle.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/samples.hpp"

namespace tilemeter {
namespace {

using test::Sample;
using test::some_sample;

TEST(Triangle, keeps_one_side_of_a_diagonal) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Sample sample = some_sample(device, 2);
        const std::int64_t diagonal = test::in_range(-40, 40);
        const std::int64_t columns = sample.shape[-1], rows = sample.shape[-2];
        std::vector<double> below(sample.values.size()), above(sample.values.size());
        for (std::size_t i = 0; i < below.size(); ++i) {
            const auto place = static_cast<std::int64_t>(i);
            const std::int64_t offset = place % columns - place / columns % rows;
            below[i] = offset <= diagonal ? sample.values[i] : 0.0F;
            above[i] = offset >= diagonal ? sample.values[i] : 0.0F;
        }
        const Tensor tiles = to_layout(sample.tensor, TILE_LAYOUT);  // rows that fill no tiles are refused
        test::assert_close(tril(tiles, diagonal), below, 0.0);
        test::assert_close(triu(tiles, diagonal), above, 0.0);
    }));
}

}  // namespace
}  // namespace tilemeter
