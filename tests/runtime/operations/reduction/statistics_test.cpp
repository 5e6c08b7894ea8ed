// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Spreads, products, running sums, losses, batch norms, picked, scattered, filled and sorted elements against
// plain loops.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/creation/random.hpp"
#include "runtime/operations/data_movement/fill_padding.hpp"
#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/index_fill.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/operations/data_movement/sort.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/normalization/batch_norm.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/losses.hpp"
#include "runtime/operations/reduction/prod.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/operations/reduction/variance.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;

Tensor on_device(const test::OpenDevice& device, const std::vector<float>& values, const Shape& shape,
                 DataType dtype = float32) {
    return from_vector(values, shape, dtype, TILE_LAYOUT, device.get());
}

Tensor indices_on_device(const test::OpenDevice& device, const std::vector<std::int64_t>& values,
                         const Shape& shape) {
    return from_vector(values, shape, DataType::UINT32, TILE_LAYOUT, device.get());
}

Shape some_shape(int least_rank = 1) {
    Shape shape;
    const int rank = test::in_range(least_rank, 5);
    for (int i = 0; i < rank; ++i)
        shape.push_back(static_cast<std::uint32_t>(test::in_range(1, i + 2 < rank ? 4 : 40)));
    return shape;
}

/// Calls `visit(first, stride, length)` for each line of elements along `dim`.
void for_each_line(const Shape& shape, std::size_t dim,
                   const std::function<void(std::size_t, std::size_t, std::size_t)>& visit) {
    std::size_t stride = 1;
    for (std::size_t i = dim + 1; i < shape.rank(); ++i)
        stride *= shape.dimensions()[i];
    const std::size_t length = shape.dimensions()[dim];
    for (std::size_t i = 0; i < shape.volume(); ++i) {
        if (i / stride % length == 0) visit(i, stride, length);
    }
}

std::size_t some_dim(const Shape& shape) {
    return static_cast<std::size_t>(test::in_range(0, static_cast<int>(shape.rank())));
}

double variance_of(const std::vector<double>& values, bool correction) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return squares / (count - (correction ? 1.0 : 0.0));
}

TEST(Variance, is_the_mean_square_of_deviations_along_a_dimension) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const bool correction = shape.dimensions()[dim] > 1 && test::any_bool();
        const std::vector<float> values = test::random_values(shape, -4, 4);
        std::vector<double> expected;
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            std::vector<double> line;
            for (std::size_t i = 0; i < length; ++i)
                line.push_back(values[first + i * stride]);
            expected.push_back(variance_of(line, correction));
        });
        const Tensor result = var({.input_tensor = on_device(device, values, shape),
                                   .dim = static_cast<int>(dim),
                                   .keepdim = true,
                                   .correction = correction});
        test::assert_close(result, expected, 1e-4);
        for (double& each : expected)
            each = std::sqrt(each);
        const Tensor root = std({.input_tensor = on_device(device, values, shape),
                                 .dim = static_cast<int>(dim),
                                 .keepdim = true,
                                 .correction = correction});
        test::assert_close(root, expected, 1e-2);
    }));
}

TEST(Variance, of_several_dimensions_is_that_of_all_their_elements) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape{static_cast<std::uint32_t>(test::in_range(1, 4)), 3,
                          static_cast<std::uint32_t>(test::in_range(2, 36)),
                          static_cast<std::uint32_t>(test::in_range(2, 36))};
        const auto dims =
            test::element_of(std::vector<std::vector<int>>{{0, 1}, {1, 2}, {2, 3}, {1, 3}, {0, 1, 2, 3}});
        const std::vector<float> values = test::random_values(shape, -2, 2);
        std::vector<std::vector<double>> groups;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::size_t rest = i, place = 0, pitch = 1;
            for (int d = 3; d >= 0; --d) {
                const std::size_t size = shape[d], at = rest % size;
                rest /= size;
                if (std::find(dims.begin(), dims.end(), d) != dims.end()) continue;
                place += at * pitch;
                pitch *= size;
            }
            if (groups.size() <= place) groups.resize(place + 1);
            groups[place].push_back(values[i]);
        }
        std::vector<double> expected;
        for (const auto& group : groups)
            expected.push_back(variance_of(group, true));
        test::assert_close(var(on_device(device, values, shape), dims), expected, 1e-4);
    }));
}

TEST(Accumulation, adds_up_or_multiplies_what_came_before) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const bool from_end = test::any_bool(), product = test::any_bool();
        std::vector<float> values = test::random_values(shape, -1, 1);
        if (product) {
            for (float& value : values)
                value = 1.0F + value / 16.0F;
        }
        std::vector<double> expected(values.size());
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            double sum = product ? 1.0 : 0.0;
            for (std::size_t i = 0; i < length; ++i) {
                const std::size_t at = first + (from_end ? length - 1 - i : i) * stride;
                sum = product ? sum * values[at] : sum + values[at];
                expected[at] = sum;
            }
        });
        const Tensor input = on_device(device, values, shape);
        const auto axis = static_cast<std::int64_t>(dim);
        const Tensor result = product ? cumprod(input, axis, std::nullopt, from_end)
                                      : cumsum(input, axis, std::nullopt, from_end);
        PROPERTY_ASSERT(result.shape() == shape);
        test::assert_close(result, expected, 1e-4);
    }));
}

TEST(Product, is_that_of_all_elements_along_a_dimension) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        std::vector<float> values = test::random_values(shape, -1, 1);
        for (float& value : values)
            value = 1.0F + value / 16.0F;
        std::vector<double> expected;
        double all = 1.0;
        for (const float value : values)
            all *= value;
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            double product = 1.0;
            for (std::size_t i = 0; i < length; ++i)
                product *= values[first + i * stride];
            expected.push_back(product);
        });
        const Tensor input = on_device(device, values, shape);
        test::assert_close(prod(input, static_cast<std::int64_t>(dim), test::any_bool()), expected, 1e-4);
        const Tensor of_all = prod(input);
        PROPERTY_ASSERT(of_all.shape().rank() == 0U);
        test::assert_close(of_all, {all}, 1e-3 * (1.0 + std::fabs(all)));
    }));
}

TEST(Losses, are_the_distance_of_a_prediction) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape(2);
        const std::vector<float> a = test::random_values(shape, -2, 2), b = test::random_values(shape, -2, 2);
        std::vector<double> absolute, squared;
        for (std::size_t i = 0; i < a.size(); ++i) {
            absolute.push_back(std::fabs(double{a[i]} - b[i]));
            squared.push_back((double{a[i]} - b[i]) * (double{a[i]} - b[i]));
        }
        const Tensor x = on_device(device, a, shape), y = on_device(device, b, shape);
        test::assert_close(l1_loss(x, y), absolute, 1e-5);
        test::assert_close(mse_loss(x, y), squared, 1e-5);
        const double sum = std::accumulate(squared.begin(), squared.end(), 0.0);
        const auto count = static_cast<double>(a.size());
        test::assert_close(mse_loss(x, y, LossReductionMode::SUM), {sum}, 1e-3 * (1.0 + sum));
        test::assert_close(mse_loss(x, y, LossReductionMode::MEAN), {sum / count},
                           1e-3 * (1.0 + sum / count));
    }));
}

TEST(Gather, takes_the_elements_that_an_index_names) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        Shape picked = shape;
        picked.set(static_cast<std::int64_t>(dim), static_cast<std::uint32_t>(test::in_range(1, 40)));
        std::vector<std::int64_t> index;
        for (std::size_t i = 0; i < picked.volume(); ++i)
            index.push_back(test::in_range<std::int64_t>(0, shape.dimensions()[dim]));
        const std::vector<float> values = test::random_values(shape, -2, 2);
        std::vector<double> expected(picked.volume());
        std::size_t stride = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            stride *= shape.dimensions()[i];
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::size_t outer = i / stride / picked.dimensions()[dim];
            const auto place = static_cast<std::size_t>(index[i]);
            expected[i] = values[(outer * shape.dimensions()[dim] + place) * stride + i % stride];
        }
        const DataType dtype = test::one_of(bfloat16, float32);
        const Tensor result = gather(on_device(device, values, shape, dtype), static_cast<std::int64_t>(dim),
                                     indices_on_device(device, index, picked));
        PROPERTY_ASSERT(result.shape() == picked);
        test::assert_close(result, expected, 0.0);
    }));
}

TEST(Scatter, writes_where_an_index_says) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const std::vector<float> values = test::random_values(shape, -2, 2),
                                 written = test::random_values(shape, 4, 8);
        std::vector<double> expected(values.begin(), values.end());
        std::vector<std::int64_t> index(shape.volume());
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            const std::size_t shift = static_cast<std::size_t>(test::in_range(0, 40));
            for (std::size_t i = 0; i < length; ++i) {
                const std::size_t place = (i + shift) % length;
                index[first + i * stride] = static_cast<std::int64_t>(place);
                expected[first + place * stride] = written[first + i * stride];
            }
        });
        // In rows: TT-NN takes no tiles of float32.
        const auto rows = [&](const std::vector<float>& numbers) {
            return to_layout(on_device(device, numbers, shape), ROW_MAJOR_LAYOUT);
        };
        const Tensor result = scatter(rows(values), static_cast<std::int64_t>(dim),
                                      indices_on_device(device, index, shape), rows(written));
        test::assert_close(result, expected, 0.0);
    }));
}

TEST(Sort, puts_each_line_in_order_and_says_where_elements_were) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const std::size_t dim = some_dim(shape);
        const bool descending = test::any_bool();
        const std::vector<float> values = test::random_values(shape, -2, 2);
        std::vector<double> expected(values.size()), places(values.size());
        for_each_line(shape, dim, [&](std::size_t first, std::size_t stride, std::size_t length) {
            std::vector<std::size_t> order(length);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                const float left = values[first + a * stride], right = values[first + b * stride];
                return descending ? left > right : left < right;
            });
            for (std::size_t i = 0; i < length; ++i) {
                expected[first + i * stride] = values[first + order[i] * stride];
                places[first + i * stride] = static_cast<double>(order[i]);
            }
        });
        const std::vector<Tensor> result =
            sort(on_device(device, values, shape), static_cast<std::int64_t>(dim), descending);
        test::assert_close(result[0], expected, 0.0);
        PROPERTY_ASSERT(result[1].to_vector<double>() == places);
    }));
}

TEST(Sort, refuses_rows_for_which_there_are_not_enough_cores) {
    DeviceOptions options;
    options.description = "p150";
    const test::OpenDevice device(options);
    const Tensor wide = zeros(Shape{32, 16384}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(message_of([&] { sort(wide); }),
              "sort: input_tensor: expected at most 8192 elements along dim on this device, got 16384");
}

TEST(Random, stays_in_its_range_and_repeats_with_a_seed) {
    const test::OpenDevice device;
    const Tensor a =
        rand(Shape{70, 50}, device.get(), float32, ROW_MAJOR_LAYOUT, DRAM_MEMORY_CONFIG, -1.0F, 3.0F, 7);
    const Tensor b =
        rand(Shape{70, 50}, device.get(), float32, TILE_LAYOUT, DRAM_MEMORY_CONFIG, -1.0F, 3.0F, 7);
    const std::vector<float> values = a.to_vector<float>();
    EXPECT_EQ(values, b.to_vector<float>());
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float x) { return x >= -1.0F && x < 3.0F; }));
    EXPECT_NE(values.front(), values.back());
    const Tensor normal = randn(Shape{256, 256}, device.get(), float32);
    EXPECT_NEAR(mean(normal).to_vector<float>().front(), 0.0F, 0.05F);
    EXPECT_NEAR(std(normal).to_vector<float>().front(), 1.0F, 0.05F);
    const Tensor numbers =
        rand(Shape{400}, device.get(), DataType::INT32, ROW_MAJOR_LAYOUT, DRAM_MEMORY_CONFIG, 0.0F, 10.0F);
    EXPECT_EQ(numbers.dtype(), DataType::INT32);
    const std::vector<std::int64_t> integers = numbers.to_vector<std::int64_t>();
    EXPECT_EQ(std::set<std::int64_t>(integers.begin(), integers.end()),
              (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(message_of([&] { randn(Shape{4}, device.get(), DataType::INT32); }),
              "randn: dtype: expected BFLOAT16 or FLOAT32, got INT32");
}

TEST(Uniform, is_written_over_its_input) {
    const test::OpenDevice device;
    const Tensor x = zeros({2, 40, 50}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor result = uniform(x, -2.0F, 3.0F, 5);
    EXPECT_EQ(result.shared_buffer(), x.shared_buffer());
    const std::vector<float> values = x.to_vector<float>();
    for (const float value : values)
        EXPECT_TRUE(value >= -2.0F && value <= 3.0F) << value;
    // The mean of 4,000 numbers of deviation 1.44 lies within a tenth, in all but one of 10^5 seeds.
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()), 0.5,
                0.1);
    EXPECT_EQ(message_of([&] { uniform(x, 1.0F, 1.0F); }),
              "uniform: from, to: expected from < to, got 1.000000 and 1.000000");
    EXPECT_EQ(message_of([&] {
                  uniform(zeros({32, 32}, int32, TILE_LAYOUT, device.get()));
              }),
              "uniform: dtype: expected BFLOAT16 or FLOAT32, got INT32");
}

TEST(Bernoulli, is_one_with_the_probability_of_each_element) {
    const test::OpenDevice device;
    const Tensor certain = on_device(device, {0.0F, 1.0F, 0.0F, 1.0F}, {4});
    EXPECT_EQ(bernoulli(certain, 1).to_vector<float>(), (std::vector<float>{0, 1, 0, 1}));
    const Tensor thirds = full({100, 100}, 0.3F, bfloat16, TILE_LAYOUT, device.get());
    const Tensor drawn = bernoulli(thirds, 7);
    EXPECT_EQ(drawn.dtype(), float32);
    const std::vector<float> values = drawn.to_vector<float>();
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 3000.0, 200.0);  // over four deviations
    EXPECT_EQ(bernoulli(thirds, 7, std::nullopt, bfloat16).dtype(), bfloat16);
}

TEST(IndexFill, leaves_all_but_the_chosen_positions) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = some_shape();
        const auto dim = static_cast<std::size_t>(test::in_range<int>(0, static_cast<int>(shape.rank())));
        const std::uint32_t size = shape.dimensions()[dim];
        std::vector<std::int64_t> positions(test::in_range<std::size_t>(1, size + 1));
        for (std::int64_t& position : positions)
            position = test::in_range<std::int64_t>(0, size);
        std::vector<float> values = test::random_values(shape, -4, 4);
        const Tensor x = from_vector(values, shape, float32, ROW_MAJOR_LAYOUT, device.get());
        const Tensor index = from_vector(positions, Shape{static_cast<std::uint32_t>(positions.size())},
                                         DataType::UINT32, ROW_MAJOR_LAYOUT, device.get());
        const Tensor result = index_fill(x, static_cast<std::int64_t>(dim), index, 2.5);
        std::size_t inner = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            inner *= shape.dimensions()[i];
        for (std::size_t at = 0; at < values.size(); ++at) {
            const auto here = static_cast<std::int64_t>(at / inner % size);
            if (std::find(positions.begin(), positions.end(), here) != positions.end()) values[at] = 2.5F;
        }
        PROPERTY_ASSERT(result.to_vector<float>() == values);
    }));
    const Tensor x = zeros({4, 4}, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    const Tensor beyond =
        from_vector(std::vector<std::int64_t>{4}, {1}, DataType::UINT32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(message_of([&] { index_fill(x, 0, beyond, 1.0); }),
              "index_fill: index: expected positions below 4, got 4");
}

TEST(FillImplicitTilePadding, keeps_values_and_memory) {
    const test::OpenDevice device;
    const Tensor x = full({2, 40, 50}, 3, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(fill_implicit_tile_padding(x, 1.0F).shared_buffer(), x.shared_buffer());
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(4000, 3.0F));
    const Tensor whole = full({32, 32}, 3, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(fill_implicit_tile_padding(whole, 1.0F).id(), whole.id());
}

TEST(BatchNorm, agrees_with_double_precision) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const auto up_to = [](int most) { return static_cast<std::uint32_t>(test::in_range(1, most + 1)); };
        const Shape shape{up_to(2), up_to(5), up_to(40), up_to(40)};
        const std::uint32_t channels = shape[1];
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32);
        const auto of_channels = [&](int low, int high) {
            const Shape row{1, channels, 1, 1};
            return on_device(device, test::random_values(row, low, high), row, dtype);
        };
        const Tensor x = on_device(device, test::random_values(shape, -4, 4), shape, dtype);
        const Tensor mean = of_channels(-2, 2), variance = of_channels(1, 4), weight = of_channels(-2, 2),
                     bias = of_channels(-2, 2);
        const bool scaled = test::any_bool(), shifted = test::any_bool();
        const Tensor result = batch_norm({.input = x,
                                          .running_mean = mean,
                                          .running_var = variance,
                                          .eps = 1e-2F,
                                          .weight = scaled ? OptionalTensor(weight) : std::nullopt,
                                          .bias = shifted ? OptionalTensor(bias) : std::nullopt});
        std::vector<double> expected = x.to_vector<double>();
        const std::vector<double> m = mean.to_vector<double>(), v = variance.to_vector<double>(),
                                  w = weight.to_vector<double>(), b = bias.to_vector<double>();
        for (std::size_t at = 0; at < expected.size(); ++at) {
            const std::size_t c = at / (shape[2] * shape[3]) % channels;
            expected[at] = (expected[at] - m[c]) / std::sqrt(v[c] + 1e-2F) * (scaled ? w[c] : 1.0) +
                           (shifted ? b[c] : 0.0);
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

TEST(BatchNorm, refuses_what_ttnn_refuses) {
    const test::OpenDevice device;
    const auto of = [&](const Shape& shape, DataType dtype = bfloat16) {
        return zeros(shape, dtype, TILE_LAYOUT, device.get());
    };
    const Tensor x = of({2, 3, 32, 32}), row = of({1, 3, 1, 1});
    EXPECT_EQ(message_of([&] { batch_norm(x); }),
              "running_mean and running_var must be defined in evaluation mode");
    EXPECT_EQ(message_of([&] {
                  batch_norm(of({3, 32, 32}), row, row);
              }),
              "batch_norm not supported for tensors with rank < 4. (rank=3)");
    EXPECT_EQ(message_of([&] {
                  batch_norm(x, of({1, 4, 1, 1}), row);
              }),
              "batch_mean_shape[1] must be the same as input's channel size.");
    EXPECT_EQ(message_of([&] {
                  batch_norm(x, row, of({1, 3, 1, 1}, float32));
              }),
              "batch_norm: running_var dtype (DataType::FLOAT32) must match other parameter tensors dtype "
              "(DataType::BFLOAT16)");
    EXPECT_EQ(message_of([&] { batch_norm(x, row, row, true); }),
              "batch_norm: training: expected False, statistics of a batch are not there");
}

TEST(Dropout, leaves_zeros_and_scaled_values) {
    const test::OpenDevice device;
    const Tensor input = ones(Shape{64, 64}, bfloat16, TILE_LAYOUT, device.get());
    const std::vector<float> values = experimental::dropout(input, 0.25F, 2.0F, 3).to_vector<float>();
    const auto kept = std::count(values.begin(), values.end(), 2.0F);
    EXPECT_EQ(kept + std::count(values.begin(), values.end(), 0.0F), 4096);
    EXPECT_NEAR(static_cast<double>(kept) / 4096.0, 0.75, 0.05);
}

}  // namespace
}  // namespace tilemeter
