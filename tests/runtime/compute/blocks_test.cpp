// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/blocks.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/matmul.hpp"
#include "runtime/types/number_formats.hpp"
#include "runtime/types/reused_memory.hpp"
#include "tests/property.hpp"

namespace tilemeter::compute {
namespace {

HostArray counting(const Shape& shape, DataType dtype) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < shape.volume(); ++i)
        values.push_back(static_cast<float>(i % 251));
    return HostArray::from_floats(values, dtype, shape);
}

TEST(BroadcastOperand, reads_any_range_as_the_list_of_sources_says) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        Shape out, from;
        const int rank = test::in_range(1, 5);
        for (int i = 0; i < rank; ++i) {
            const auto size = static_cast<std::uint32_t>(test::in_range(1, 7));
            out.push_back(size);
            from.push_back(test::any_bool() ? 1 : size);
        }
        const HostArray array = counting(from, test::any_bool() ? DataType::BFLOAT16 : DataType::FLOAT32);
        const std::vector<float> values = array.to_floats();
        const std::vector<std::uint64_t> sources = broadcast_sources(from, out);
        const auto first = test::in_range<std::size_t>(0, out.volume());
        std::vector<float> room(test::in_range<std::size_t>(1, out.volume() - first + 1));
        const float* const read = BroadcastOperand(array, out).read(first, room);
        for (std::size_t i = 0; i < room.size(); ++i)
            PROPERTY_ASSERT(read[i] == values[sources[first + i]]);
    }));
}

TEST(ByBlocks, fills_whole_rows_of_every_dtype) {
    for (const DataType dtype :
         {DataType::FLOAT32, DataType::BFLOAT16, DataType::BFLOAT8_B, DataType::INT32, DataType::UINT8}) {
        for (const Shape& shape : {Shape{3, 5000}, Shape{700, 33}, Shape{1}, Shape{0, 4}, Shape{}}) {
            const HostArray expected = counting(shape, dtype);
            const std::vector<float> values = counting(shape, DataType::FLOAT32).to_floats();
            const std::uint64_t row = shape.rank() == 0 ? 1 : shape[-1];
            const HostArray made =
                by_blocks(dtype, shape, row, 64, [&](std::uint64_t first, std::span<float> block) {
                    EXPECT_EQ(block.size() % row, 0U);
                    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), block.size(),
                                block.begin());
                });
            EXPECT_EQ(made.to_floats(), expected.to_floats()) << shape.to_string() << name_of(dtype);
        }
    }
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

TEST(Matmul, of_bfloat16_is_that_of_its_floats) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const auto size = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most + 1)); };
        const std::uint32_t batch = size(3), rows = size(70), inner = size(70), columns = size(70);
        const bool one_right = test::any_bool(), left_turned = test::any_bool(),
                   right_turned = test::any_bool();
        const Shape left = left_turned ? Shape{batch, inner, rows} : Shape{batch, rows, inner};
        const std::uint32_t rights = one_right ? 1 : batch;
        const Shape right = right_turned ? Shape{rights, columns, inner} : Shape{rights, inner, columns};
        const HostArray a = counting(left, DataType::BFLOAT16);
        const HostArray b = counting(right, DataType::BFLOAT16);
        FloatBuffer no_room(0);
        const std::vector<float> made =
            matmul(matrix_operand(a, left_turned, no_room), matrix_operand(b, right_turned, no_room));
        const std::vector<float> x = a.to_floats(), y = b.to_floats();
        for (std::uint32_t each = 0; each < batch; ++each) {
            for (std::uint32_t i = 0; i < rows; ++i) {
                for (std::uint32_t j = 0; j < columns; ++j) {
                    double sum = 0.0, size_of_terms = 0.0;
                    for (std::uint32_t k = 0; k < inner; ++k) {
                        const std::size_t at_left =
                            (each * rows * inner) + (left_turned ? k * rows + i : i * inner + k);
                        const std::size_t at_right = (one_right ? 0 : each * inner * columns) +
                                                     (right_turned ? j * inner + k : k * columns + j);
                        const double term =
                            static_cast<double>(x[at_left]) * static_cast<double>(y[at_right]);
                        sum += term;
                        size_of_terms += std::abs(term);
                    }
                    const double ours = static_cast<double>(made[(each * rows + i) * columns + j]);
                    PROPERTY_ASSERT(std::abs(ours - sum) <= 1e-5 * (size_of_terms + 1.0));
                }
            }
        }
    }));
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
