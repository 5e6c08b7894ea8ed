// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/types/host_array.hpp"
#include "runtime/types/number_formats.hpp"
#include "runtime/types/reused_memory.hpp"

namespace tilemeter::compute {
namespace {

HostArray counting(const Shape& shape, DataType dtype) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i)
        values.push_back(static_cast<float>(i % 251));
    return HostArray::from_floats(values, dtype, shape);
}

TEST(Bfloat16, is_rounded_in_vectors_as_one_by_one) {
    std::vector<float> values = {
        std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::denorm_min(),
        std::numeric_limits<float>::max(),       -0.0F};
    for (std::uint32_t i = 0; i < 100'000; ++i)
        values.push_back(std::bit_cast<float>(i * 42'949U));
    std::vector<std::uint16_t> rounded(values.size());
    to_bfloat16(values, rounded.data());
    std::vector<float> back(values.size());
    from_bfloat16(rounded.data(), back);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(rounded[i], to_bfloat16_bits(values[i])) << values[i];
        ASSERT_EQ(std::bit_cast<std::uint32_t>(back[i]),
                  std::bit_cast<std::uint32_t>(from_bfloat16_bits(rounded[i])));
    }
}

TEST(ReusedMemory, is_shared_by_copies_until_one_is_written_to) {
    HostArray first = counting({300, 300}, DataType::FLOAT32);
    HostArray second = first;
    EXPECT_EQ(std::as_const(first).bytes().data(), std::as_const(second).bytes().data());
    second.floats()[7] = -1.0F;
    EXPECT_EQ(first.to_floats()[7], 7.0F);
    EXPECT_EQ(second.to_floats()[7], -1.0F);
    const HostArray turned = first.reshaped({90'000});
    EXPECT_EQ(turned.bytes().data(), std::as_const(first).bytes().data());
}

TEST(ReusedMemory, of_a_large_array_goes_to_the_next_one) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "nothing is kept";
#endif
    const std::byte* before = nullptr;
    {
        const HostArray array(DataType::FLOAT32, {1000, 100});
        before = array.bytes().data();
    }
    const HostArray next(DataType::FLOAT32, {1000, 100});
    EXPECT_EQ(next.bytes().data(), before);
    EXPECT_EQ(next.to_floats(), std::vector<float>(100'000, 0.0F));
}

}  // namespace
}  // namespace tilemeter::compute
