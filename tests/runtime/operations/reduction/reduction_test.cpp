// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

enum class Kind { kSum, kMean, kMax, kMin };

Tensor call(Kind kind, const Tensor& x, const ReduceDims& dims, bool keepdim) {
    switch (kind) {
        case Kind::kSum:
            return sum(x, dims, keepdim);
        case Kind::kMean:
            return mean(x, dims, keepdim);
        case Kind::kMax:
            return max(x, dims, keepdim);
        case Kind::kMin:
            break;
    }
    return min(x, dims, keepdim);
}

struct Exact {
    std::vector<double> values;
    double largest_sum_of_magnitudes = 0.0;
};

Exact exact(Kind kind, const std::vector<double>& x, const Shape& shape, const std::vector<bool>& reduced) {
    std::size_t count = 1;
    std::size_t kept = 1;
    for (std::size_t i = 0; i < shape.rank(); ++i)
        (reduced[i] ? count : kept) *= shape.dimensions()[i];
    const double start = kind == Kind::kMax   ? -std::numeric_limits<double>::infinity()
                         : kind == Kind::kMin ? std::numeric_limits<double>::infinity()
                                              : 0.0;
    Exact result{std::vector<double>(kept, start), 0.0};
    std::vector<double> magnitudes(kept);
    for (std::size_t i = 0; i < x.size(); ++i) {
        std::size_t rest = i;
        std::size_t at = 0;
        std::size_t stride = 1;
        for (std::size_t d = shape.rank(); d-- > 0;) {
            const std::size_t index = rest % shape.dimensions()[d];
            rest /= shape.dimensions()[d];
            if (reduced[d]) continue;
            at += index * stride;
            stride *= shape.dimensions()[d];
        }
        double& out = result.values[at];
        magnitudes[at] += std::fabs(x[i]);
        out = kind == Kind::kMax   ? std::max(out, x[i])
              : kind == Kind::kMin ? std::min(out, x[i])
                                   : out + x[i];
    }
    for (double& value : result.values) {
        if (kind == Kind::kMean) value /= static_cast<double>(count);
    }
    for (const double magnitude : magnitudes)
        result.largest_sum_of_magnitudes = std::max(result.largest_sum_of_magnitudes, magnitude);
    if (kind == Kind::kMean) result.largest_sum_of_magnitudes /= static_cast<double>(count);
    return result;
}

TEST(Reductions, agree_with_double_precision_over_any_dimensions) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Kind kind = test::one_of(Kind::kSum, Kind::kMean, Kind::kMax, Kind::kMin);
        const Shape shape = test::random_shape(1, 4, 6);
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        std::vector<bool> reduced(shape.rank());
        std::vector<int> dims;
        for (std::size_t i = 0; i < shape.rank(); ++i) {
            reduced[i] = test::any_bool();
            if (reduced[i])
                dims.push_back(static_cast<int>(i) - (test::any_bool() ? 0 : static_cast<int>(shape.rank())));
        }
        const bool all = dims.empty();
        if (all) reduced.assign(shape.rank(), true);
        const bool keepdim = test::any_bool();
        const Layout layout = test::one_of(Layout::TILE, Layout::ROW_MAJOR);
        const Tensor x = from_vector(test::random_values(shape, -4, 4), shape, dtype, layout, device.get());
        const Tensor result = call(kind, x, all ? ReduceDims() : ReduceDims(dims), keepdim);
        const Exact expected = exact(kind, x.to_vector<double>(), shape, reduced);
        // Steps over several dimensions round in between, each to the result's type.
        const double steps = static_cast<double>(shape.rank());
        const double step = dtype == DataType::BFLOAT16 ? std::ldexp(1.0, -8) : std::ldexp(1.0, -22);
        test::assert_close(result, expected.values, steps * step * expected.largest_sum_of_magnitudes);
        PROPERTY_ASSERT(result.shape().rank() ==
                        (keepdim ? shape.rank() : shape.rank() - (all ? shape.rank() : dims.size())));
    }));
}

TEST(Reductions, of_tall_tensors_with_few_columns_go_in_two_stages_to_the_same_result) {
    const test::OpenDevice device;
    std::vector<float> values(1280 * 40);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i / 40 % 8);
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        const Tensor x = from_vector(values, {1280, 40}, bfloat16, layout, device.get());
        EXPECT_EQ(mean(x, -2).to_vector<float>(), std::vector<float>(40, 3.5F));
        EXPECT_EQ(mean(x, -2).layout(), layout);
        EXPECT_EQ(max(x, -2).to_vector<float>(), std::vector<float>(40, 7.0F));
    }
}

TEST(Reductions, of_tall_tensors_have_a_slice_for_each_core_whatever_their_height) {
    const test::OpenDevice device;
    // 64 cores; 62 times 33 rows and what is left are 63 slices.
    for (const std::uint32_t height : {609U, 2049U, 2111U, 4097U, 6048U}) {
        std::vector<float> values(height, 1.0F);
        values.back() = 5.0F;
        const Tensor x = from_vector(values, {height, 1}, float32, TILE_LAYOUT, device.get());
        EXPECT_EQ(sum(x, -2).to_vector<float>(), std::vector<float>{static_cast<float>(height + 4)});
        EXPECT_EQ(max(x, -2).to_vector<float>(), std::vector<float>{5.0F});
        EXPECT_EQ(min(x, -2).to_vector<float>(), std::vector<float>{1.0F});
    }
}

TEST(Reductions, scale_their_result) {
    const test::OpenDevice device;
    const Tensor x = full({2, 32}, 3, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(sum({.input_tensor = x, .dim = -1, .scalar = 0.5F}).to_vector<float>(),
              std::vector<float>(2, 48.0F));
}

TEST(Reductions, that_can_not_be_say_what_was_expected) {
    const test::OpenDevice device;
    const Tensor x = zeros({2, 32}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_NE(test::message_of([&] { sum(x, 9); }).find("Unsupported dim 9 at index 0"), std::string::npos);
    EXPECT_EQ(test::message_of([&] {
                  sum(x, std::vector<int>{1, 1});
              }),
              "reduce dim list contains a duplicate axis after sorting (indices 0 and 1, value 1)");
    EXPECT_EQ(test::message_of([&] {
                  mean(zeros({2, 32}, int32, TILE_LAYOUT, device.get()));
              }),
              "ttnn.mean does not support integer inputs - got DataType::INT32.");
    EXPECT_EQ(
        test::message_of([&] {
            sum(zeros({2, 32}, bfloat16, TILE_LAYOUT));
        }),
        "Device Operations expect device tensors as inputs: sum: input_tensor Shape([2, 32]): expected on a device, is on the host");
}

}  // namespace
}  // namespace tilemeter
