// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that move values without changing them, against the plainest way to say what they do.

#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using test::message_of;

using Index = std::vector<std::uint32_t>;
using Values = std::vector<std::int64_t>;

constexpr std::int64_t kDistinct = 251;  // exact in bfloat16, and no divisor of usual sizes

Values counted(std::uint64_t count, std::int64_t first = 0) {
    Values values(count);
    for (std::uint64_t i = 0; i < count; ++i)
        values[i] = (first + static_cast<std::int64_t>(i)) % kDistinct;
    return values;
}

std::int64_t value_at(const Values& values, const Shape& shape, const Index& index) {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
        at = at * shape.dimensions()[i] + index[i];
    return values[at];
}

// One value per element of `shape`, in row-major order.
Values by_index(const Shape& shape, const std::function<std::int64_t(const Index&)>& value) {
    Values values;
    Index index(shape.rank(), 0);
    for (std::uint64_t i = 0; i < shape.volume(); ++i) {
        values.push_back(value(index));
        for (std::size_t d = shape.rank(); d-- > 0;) {
            if (++index[d] < shape.dimensions()[d]) break;
            index[d] = 0;
        }
    }
    return values;
}

Shape random_shape(int least_rank, int most_rank, int largest) {
    Shape shape;
    const int rank = test::in_range(least_rank, most_rank + 1);
    for (int i = 0; i < rank; ++i)
        shape.push_back(static_cast<std::uint32_t>(test::in_range(1, largest + 1)));
    return shape;
}

DataType random_dtype() {
    return test::one_of(DataType::BFLOAT16, DataType::FLOAT32, DataType::UINT32, DataType::INT32);
}
Layout random_layout() {
    return test::one_of(Layout::TILE, Layout::ROW_MAJOR);
}
MemoryConfig random_memory() {
    return test::any_bool() ? L1_MEMORY_CONFIG : DRAM_MEMORY_CONFIG;
}

Tensor random_tensor(const Shape& shape, const std::shared_ptr<Device>& device) {
    const Values values = counted(shape.volume());
    return from_vector(std::span<const std::int64_t>(values), shape, random_dtype(), random_layout(), device,
                       random_memory());
}

Tensor tiles_of(const Shape& shape, const std::shared_ptr<Device>& device) {
    const Values values = counted(shape.volume());
    return from_vector(std::span<const std::int64_t>(values), shape, bfloat16, TILE_LAYOUT, device,
                       DRAM_MEMORY_CONFIG);
}

Values values_of(const Tensor& tensor) {
    return tensor.to_vector<std::int64_t>();
}

MemoryConfig height_shards(std::uint32_t rows, std::uint32_t columns, std::uint32_t cores) {
    return {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec{CoreRangeSet(CoreRange{{0, 0}, {cores - 1, 0}}), {rows, columns}}};
}

TEST(Permute, puts_every_element_where_its_index_goes) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(2, 5, 6);
        const Tensor input = random_tensor(shape, device.get());
        std::vector<std::int64_t> order(shape.rank());
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = order.size(); i-- > 1;)
            std::swap(order[i], order[test::in_range<std::size_t>(0, i + 1)]);

        const Tensor output = permute(input, order, random_memory());

        const Values source = counted(shape.volume());
        PROPERTY_ASSERT(values_of(output) == by_index(output.shape(), [&](const Index& index) {
                            Index from(index.size());
                            for (std::size_t i = 0; i < index.size(); ++i)
                                from[static_cast<std::size_t>(order[i])] = index[i];
                            return value_at(source, shape, from);
                        }));
        PROPERTY_ASSERT(output.layout() == input.layout() && output.dtype() == input.dtype());
    }));
}

TEST(Transpose, exchanges_two_dimensions_of_any_rank) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(2, 5, 6);
        const Tensor input = random_tensor(shape, device.get());
        const auto rank = static_cast<std::int64_t>(shape.rank());
        const std::int64_t a = test::in_range(-rank, rank);
        const std::int64_t b = test::in_range(-rank, rank);

        const Tensor output = transpose(input, a, b);

        const Values source = counted(shape.volume());
        PROPERTY_ASSERT(values_of(output) == by_index(output.shape(), [&](const Index& index) {
                            Index from = index;
                            std::swap(from[shape.position(a)], from[shape.position(b)]);
                            return value_at(source, shape, from);
                        }));
    }));
}

TEST(Transpose, moves_rows_in_shards) {
    const test::OpenDevice device;
    const Shape shape{1, 2, 64, 32};
    const Values source = counted(shape.volume());
    for (const MemoryConfig& place : {height_shards(64, 32, 2), height_shards(32, 32, 4)}) {
        const Tensor input = from_vector(std::span<const std::int64_t>(source), shape, bfloat16,
                                         Layout::ROW_MAJOR, device.get(), place);
        for (const std::vector<std::int64_t>& order : {std::vector<std::int64_t>{0, 1, 3, 2},
                                                       {0, 2, 1, 3},
                                                       {0, 3, 1, 2},
                                                       {1, 0, 2, 3},
                                                       {2, 3, 0, 1}}) {
            const Tensor output = permute(input, order);
            EXPECT_EQ(values_of(output), by_index(output.shape(), [&](const Index& index) {
                          Index from(index.size());
                          for (std::size_t i = 0; i < index.size(); ++i)
                              from[static_cast<std::size_t>(order[i])] = index[i];
                          return value_at(source, shape, from);
                      }));
        }
    }
}

TEST(Reshape, keeps_the_order_of_elements) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(2, 4, 9);
        const Tensor input = random_tensor(shape, device.get());
        const auto rows = static_cast<std::uint32_t>(shape.volume() / shape[0]);

        const Tensor output = reshape(input, Shape{rows, shape[0]});

        PROPERTY_ASSERT(values_of(output) == counted(shape.volume()));
        PROPERTY_ASSERT(output.shape() == (Shape{rows, shape[0]}));
    }));
}

TEST(Reshape, shares_memory_where_nothing_moves) {
    const test::OpenDevice device;
    const Tensor input = zeros(Shape{2, 3, 32, 64}, bfloat16, TILE_LAYOUT, device.get());

    const Tensor output = reshape(input, Shape{6, 32, 64});

    EXPECT_EQ(output.buffer().address(), input.buffer().address());
    EXPECT_TRUE(output.is_view());
}

TEST(Reshape, takes_one_open_dimension) {
    const Tensor input = zeros(Shape{2, 3, 4});
    const std::vector<std::int64_t> open{6, -1};
    EXPECT_EQ(resolve_shape(input, open), (Shape{6, 4}));
    const std::vector<std::int64_t> both{-1, -1};
    EXPECT_THROW(resolve_shape(input, both), RuntimeError);
}

TEST(Reshape, keeps_the_table_of_its_program_on_the_device_for_the_next_call) {
    const test::OpenDevice device;
    const Tensor input = zeros(Shape{8, 128, 384}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const auto dram = [&] {
        return device->memory().allocator(record::MemoryType::kDram).statistics().allocated;
    };
    const std::uint64_t before = dram();

    { const Tensor first = reshape(input, Shape{8, 128, 12, 32}); }
    const std::uint64_t with_table = dram();
    { const Tensor second = reshape(input, Shape{8, 128, 12, 32}); }

    // 1024 rows of 128 words over 12 banks: 86 rows of 512 bytes in the fullest.
    EXPECT_EQ(with_table - before, 86U * 512U);
    EXPECT_EQ(dram(), with_table);
}

TEST(Slice, takes_every_step_th_element) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(2, 4, 9);
        const Tensor input = random_tensor(shape, device.get());
        std::vector<std::int64_t> begin;
        std::vector<std::int64_t> end;
        std::vector<std::int64_t> step;
        for (const std::int64_t dimension : shape.dimensions()) {
            begin.push_back(test::in_range<std::int64_t>(0, dimension));
            end.push_back(test::in_range(begin.back() + 1, dimension + 1));
            step.push_back(test::in_range<std::int64_t>(1, 4));
        }

        const Tensor output = slice(input, begin, end, step);

        const Values source = counted(shape.volume());
        PROPERTY_ASSERT(values_of(output) == by_index(output.shape(), [&](const Index& index) {
                            Index from(index.size());
                            for (std::size_t i = 0; i < index.size(); ++i)
                                from[i] = static_cast<std::uint32_t>(begin[i] + index[i] * step[i]);
                            return value_at(source, shape, from);
                        }));
    }));
}

TEST(Split, gives_parts_that_join_to_the_whole) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(2, 4, 70);
        PROPERTY_PRE(shape.volume() < 200'000);
        const Tensor input = random_tensor(shape, device.get());
        const auto rank = static_cast<std::int64_t>(shape.rank());
        const std::int64_t dim = test::in_range(-rank, rank);
        const auto size = test::in_range(shape[dim] / 4 + 1, shape[dim] + 1);

        const std::vector<Tensor> parts = split(input, size, dim);

        PROPERTY_ASSERT(parts.size() == (shape[dim] + size - 1) / size);
        PROPERTY_ASSERT(values_of(concat(parts, dim)) == counted(shape.volume()));
    }));
}

// TT-NN's program takes 47; a last one alone is no part that was made on the way.
TEST(Concat, joins_more_tensors_than_a_program_takes) {
    const test::OpenDevice device;
    for (const std::size_t count : {48U, 50U, 95U}) {
        std::vector<Tensor> tensors;
        for (std::size_t i = 0; i < count; ++i)
            tensors.push_back(
                full({32, 32}, static_cast<float>(i), DataType::BFLOAT16, TILE_LAYOUT, device.get()));
        const auto joined = concat(tensors, -1).to_vector<float>();
        ASSERT_EQ(joined.size(), 32 * 32 * count);
        for (std::size_t i = 0; i < joined.size(); ++i)
            ASSERT_EQ(joined[i], static_cast<float>(i / 32 % count)) << i;
        EXPECT_EQ(tensors.back().to_vector<float>()[0], static_cast<float>(count - 1));
    }
}

TEST(Concat, puts_tensors_one_after_the_other) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(2, 4, 7);
        const auto dim = test::in_range<std::int64_t>(0, static_cast<std::int64_t>(shape.rank()));
        const Values values = counted(shape.volume());
        const Values others = counted(shape.volume(), 100);
        const DataType dtype = random_dtype();
        const Layout layout = random_layout();
        const Tensor a =
            from_vector(std::span<const std::int64_t>(values), shape, dtype, layout, device.get());
        const Tensor b =
            from_vector(std::span<const std::int64_t>(others), shape, dtype, layout, device.get());

        const Tensor output = concat({a, b}, dim);

        const auto axis = static_cast<std::size_t>(dim);
        PROPERTY_ASSERT(values_of(output) == by_index(output.shape(), [&](const Index& index) {
                            Index from = index;
                            const bool second = index[axis] >= shape[dim];
                            if (second) from[axis] -= shape[dim];
                            return value_at(second ? others : values, shape, from);
                        }));
    }));
}

TEST(Pad, surrounds_the_values_with_a_constant) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(2, 4, 40);
        PROPERTY_PRE(shape.volume() < 50'000);
        const Tensor input = random_tensor(shape, device.get());
        Padding padding;
        for (std::size_t i = 0; i < shape.rank(); ++i) {
            const bool in_front = input.layout() == Layout::ROW_MAJOR;
            padding.emplace_back(in_front ? test::in_range(0U, 4U) : 0U, test::in_range(0U, 4U));
        }

        const Tensor output = pad(input, padding, 7.0F);

        const Values source = counted(shape.volume());
        PROPERTY_ASSERT(values_of(output) ==
                        by_index(output.shape(), [&](const Index& index) -> std::int64_t {
                            Index from = index;
                            for (std::size_t i = 0; i < index.size(); ++i) {
                                if (index[i] < padding[i].first) return 7;
                                from[i] -= padding[i].first;
                                if (from[i] >= shape.dimensions()[i]) return 7;
                            }
                            return value_at(source, shape, from);
                        }));
        PROPERTY_ASSERT(output.layout() == input.layout() && output.dtype() == input.dtype());
    }));
}

TEST(Repeat, finds_the_input_again_in_every_copy) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(1, 5, 6);
        const Tensor input = random_tensor(shape, device.get());
        Index times;
        for (std::size_t i = 0; i < shape.rank(); ++i)
            times.push_back(test::in_range(1U, 4U));

        const Tensor output = repeat(input, Shape(times));

        const Values source = counted(shape.volume());
        PROPERTY_ASSERT(values_of(output) == by_index(output.shape(), [&](const Index& index) {
                            Index from(index.size());
                            for (std::size_t i = 0; i < index.size(); ++i)
                                from[i] = index[i] % shape.dimensions()[i];
                            return value_at(source, shape, from);
                        }));
    }));
}

TEST(ToLayout, there_and_back_changes_nothing) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = random_shape(1, 5, 40);
        // Three of them fit into L1, however much padding their tiles have.
        const TensorSpec in_tiles{shape, float32, TILE_LAYOUT, L1_MEMORY_CONFIG};
        PROPERTY_PRE(shape.volume() < 200'000 && in_tiles.padded_shape().volume() < 4'000'000);
        const Tensor input = random_tensor(shape, device.get());
        const Layout other = input.layout() == Layout::TILE ? Layout::ROW_MAJOR : Layout::TILE;

        const Tensor there = to_layout(input, other);
        const Tensor back = to_layout(there, input.layout());

        PROPERTY_ASSERT(there.layout() == other);
        PROPERTY_ASSERT(values_of(there) == counted(shape.volume()));
        PROPERTY_ASSERT(back.spec() == input.spec());
        PROPERTY_ASSERT(values_of(back) == counted(shape.volume()));
    }));
}

TEST(ToMemoryConfig, keeps_values_on_every_way_between_banks_and_shards) {
    const test::OpenDevice device;
    const Shape shape{1, 1, 256, 64};
    const Values values = counted(shape.volume());
    const std::vector<MemoryConfig> places{DRAM_MEMORY_CONFIG, L1_MEMORY_CONFIG, height_shards(64, 64, 4),
                                           height_shards(32, 64, 8)};
    for (const Layout layout : {Layout::TILE, Layout::ROW_MAJOR}) {
        for (const MemoryConfig& from : places) {
            const Tensor input = from_vector(std::span<const std::int64_t>(values), shape, bfloat16, layout,
                                             device.get(), from);
            for (const MemoryConfig& to : places) {
                const Tensor output = to_memory_config(input, to);
                EXPECT_EQ(output.memory_config(), to);
                EXPECT_EQ(values_of(output), values);
            }
        }
    }
}

TEST(Clone, has_memory_of_its_own) {
    const test::OpenDevice device;
    const Tensor input = ones(Shape{32, 64}, bfloat16, TILE_LAYOUT, device.get());

    const Tensor copy = clone(input, float32, L1_MEMORY_CONFIG);

    EXPECT_EQ(copy.dtype(), float32);
    EXPECT_EQ(copy.to_vector<float>(), std::vector<float>(32 * 64, 1.0F));
    EXPECT_NE(copy.buffer().id(), input.buffer().id());
}

TEST(Typecast, rounds_as_the_type_does) {
    const test::OpenDevice device;
    const std::vector<float> values{0.0F, 1.0F, 1.00390625F, -2.75F, 3.0e5F, 7.9F};
    const Tensor input = from_vector(values, Shape{2, 3}, float32, TILE_LAYOUT, device.get());

    for (const DataType dtype : {bfloat16, bfloat8_b, int32, float32}) {
        const HostArray expected = HostArray::from_floats(values, dtype, Shape{2, 3});
        EXPECT_EQ(typecast(input, dtype).to_vector<float>(), expected.to_floats()) << name_of(dtype);
    }
}

TEST(DataMovement, says_what_is_wrong_with_its_arguments) {
    const test::OpenDevice device;
    const Tensor input = zeros(Shape{2, 3, 4}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor other = zeros(Shape{2, 3, 5}, float32, TILE_LAYOUT, device.get());

    EXPECT_EQ(message_of([&] {
                  reshape(input, Shape{5, 5});
              }),
              "Invalid arguments to reshape: Shape([2, 3, 4]) to Shape([5, 5]): expected equal volumes, "
              "got 24 and 25");
    EXPECT_EQ(
        message_of([&] {
            permute(input, {0, 1});
        }),
        "The number of dimensions in the tensor input does not match the length of the desired ordering: "
        "Shape([2, 3, 4]) and 2 dims");
    EXPECT_EQ(message_of([&] {
                  permute(input, {0, 1, 1});
              }),
              "permute: dims: expected each dimension once, got 1 again");
    EXPECT_EQ(message_of([&] { concat({}, 0); }), "ttnn.concat: expected a non-empty list of Tensors!");
    EXPECT_EQ(message_of([&] {
                  concat({input, other}, 0);
              }),
              "All dimensions must be the same size except for the dimension along which the contenation is "
              "taking place. Here it is 0 of Shape([2, 3, 4]) and Shape([2, 3, 5])");
    EXPECT_EQ(message_of([&] {
                  concat({input, other}, 2);
              }),
              "concat: tensors: expected all BFLOAT16 TILE, got FLOAT32 TILE");
    EXPECT_EQ(message_of([&] {
                  slice(input, {0, 0, 0}, {2, 3, 33});
              }),
              "Ends 64 must be less than or equal to the shape of the tensor 32");
    EXPECT_EQ(
        message_of([&] { interleaved_to_sharded(input, DRAM_MEMORY_CONFIG); }),
        "interleaved_to_sharded: memory_config: expected a sharded memory config with a shard spec, got "
        "INTERLEAVED without");
    EXPECT_EQ(message_of([&] {
                  pad(input, {{1, 0}});
              }),
              "ttnn.pad: on device tile padding does not support front padding");
    EXPECT_EQ(repeat(input, {2}).shape(), Shape({2, 3, 8}));
}

TEST(Slice, takes_the_padding_of_tiles_as_zeros) {
    const test::OpenDevice device;
    const Tensor part = slice(tiles_of(Shape{1, 2, 3}, device.get()), {0, 0, 0}, {1, 3, 4});
    EXPECT_EQ(part.shape(), (Shape{1, 3, 4}));
    EXPECT_EQ(values_of(part), (Values{0, 1, 2, 0, 3, 4, 5, 0, 0, 0, 0, 0}));
}

TEST(Slice, of_nothing_is_empty_and_takes_no_memory) {
    const test::OpenDevice device;
    const Tensor input = tiles_of(Shape{2, 3, 4}, device.get());
    const auto dram = [&] {
        return device->memory().allocator(record::MemoryType::kDram).statistics().allocated;
    };
    const std::uint64_t before = dram();
    const Tensor nothing = slice(input, {0, 1, 0}, {2, 1, 4});
    EXPECT_EQ(nothing.shape(), (Shape{2, 0, 4}));
    EXPECT_EQ(dram(), before);
}

TEST(Slice, is_written_into_a_given_tensor_whichever_way_it_goes) {
    const test::OpenDevice device;
    const Tensor input = tiles_of(Shape{64, 64}, device.get());
    const Values source = values_of(input);
    const std::vector<std::vector<std::int64_t>> begins = {{32, 0}, {5, 3}, {0, 0}};
    const std::vector<std::vector<std::int64_t>> ends = {{64, 32}, {37, 35}, {64, 64}};
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::vector<std::int64_t>&from = begins[i], &to = ends[i];
        const Shape shape{static_cast<std::uint32_t>(to[0] - from[0]),
                          static_cast<std::uint32_t>(to[1] - from[1])};
        const Tensor given = zeros(shape, bfloat16, TILE_LAYOUT, device.get());
        const Tensor result = slice(input, from, to, {}, std::nullopt, given);
        EXPECT_EQ(result.shared_buffer(), given.shared_buffer());
        EXPECT_EQ(values_of(given), by_index(shape, [&](const Index& at) {
                      return source[(at[0] + static_cast<std::uint32_t>(from[0])) * 64 + at[1] +
                                    static_cast<std::uint32_t>(from[1])];
                  }));
    }
}

TEST(View, keeps_elements_where_they_are) {
    const test::OpenDevice device;
    const Tensor input = tiles_of(Shape{2, 32, 64}, device.get());
    const Tensor seen = view(input, Shape{64, 64});
    EXPECT_EQ(seen.shared_buffer(), input.shared_buffer());
    EXPECT_EQ(values_of(seen), values_of(input));
    EXPECT_EQ(
        message_of([&] {
            view(input, Shape{64, 32, 2});
        }),
        "The last dimension can not change in view, attempting to change last dimension from 64 to 2, use "
        "reshape instead");
    EXPECT_EQ(message_of([&] {
                  view(input, Shape{128, 32, 64});
              }),
              "Invalid view, logical volumes are changing from 4096 to 262144");
    const Tensor nothing = tiles_of(Shape{0}, device.get());
    EXPECT_EQ(experimental::view(nothing, Shape{0, 1}).shape(), (Shape{0, 1}));
}

TEST(UntilizeWithUnpadding, takes_what_lies_before_the_end_padding_as_zeros) {
    const test::OpenDevice device;
    const Tensor input = tiles_of(Shape{2, 5, 33}, device.get());
    const Values source = values_of(input);
    for (const Shape& last : {Shape{1, 4, 32}, Shape{1, 2, 10}, Shape{1, 31, 63}, Shape{0, 7, 40}}) {
        const Tensor rows = untilize_with_unpadding(input, last);
        EXPECT_EQ(rows.shape(), (Shape{last[0] + 1, last[1] + 1, last[2] + 1}));
        EXPECT_EQ(values_of(rows), by_index(rows.shape(), [&](const Index& at) {
                      const bool inside = at[1] < 5 && at[2] < 33;
                      return inside ? source[(at[0] * 5 + at[1]) * 33 + at[2]] : 0;
                  }));
    }
}

TEST(TilizeWithValPadding, takes_more_tiles_than_the_values_need) {
    const test::OpenDevice device;
    const Tensor rows = to_layout(tiles_of(Shape{5, 33}, device.get()), ROW_MAJOR_LAYOUT);
    const Tensor tiles = tilize_with_val_padding(rows, Shape{96, 128}, 3.0F);
    EXPECT_EQ(tiles.shape(), (Shape{5, 33}));
    EXPECT_EQ(tiles.padded_shape(), (Shape{96, 128}));
    EXPECT_EQ(values_of(tiles), values_of(rows));
    EXPECT_EQ(
        message_of([&] {
            tilize_with_val_padding(rows, Shape{32, 32}, 0);
        }),
        "tilize_with_val_padding: output_tensor_shape: expected Shape([5, 33]) with more rows or columns, "
        "in whole tiles of 32 x 32, got Shape([32, 32])");
}

TEST(DataMovement, refuses_tensors_that_are_not_there) {
    const Tensor on_host = zeros(Shape{2, 3});
    EXPECT_NE(message_of([&] { permute(on_host, {1, 0}); }).find("permute: input"), std::string::npos);
    Tensor freed;
    Tensor on_closed;
    {
        const test::OpenDevice device;
        freed = zeros(Shape{2, 3}, bfloat16, TILE_LAYOUT, device.get());
        on_closed = zeros(Shape{2, 3}, bfloat16, TILE_LAYOUT, device.get());
        freed.deallocate();
        EXPECT_NE(message_of([&] { typecast(freed, float32); }).find("deallocated"), std::string::npos);
    }
    EXPECT_NE(message_of([&] { slice(on_closed, {0, 0}, {1, 1}); }).find("is closed"), std::string::npos);
}

// Slices into shards by default, by way of interleaved L1, and in shards of another height: the values are a slice's.
TEST(Slice, cuts_shards_of_rows) {
    const test::OpenDevice device;
    const Shape shape{1, 2, 24, 40};
    std::vector<float> values(shape.volume());
    std::iota(values.begin(), values.end(), 0.0F);
    const MemoryConfig shards{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
                              ShardSpec{CoreRange{{0, 0}, {3, 0}}, {12, 40}, ShardOrientation::ROW_MAJOR}};
    MemoryConfig of_the_part = shards;
    of_the_part.shard_spec->shape = {9, 16};
    const Tensor x = from_vector(values, shape, DataType::FLOAT32, Layout::ROW_MAJOR, device.get(), shards);
    for (const OptionalMemoryConfig& config : {OptionalMemoryConfig(), OptionalMemoryConfig(of_the_part),
                                               OptionalMemoryConfig(DRAM_MEMORY_CONFIG)}) {
        const Tensor part = slice({.input_tensor = x,
                                   .slice_start = {0, 0, 5, 8},
                                   .slice_end = {1, 2, 23, 24},
                                   .memory_config = config});
        ASSERT_EQ(part.shape(), (Shape{1, 2, 18, 16}));
        EXPECT_EQ(part.memory_config(), config.value_or(of_the_part));
        const std::vector<float> found = part.to_vector<float>();
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(found[i], values[(i / 288 * 24 + i / 16 % 18 + 5) * 40 + i % 16 + 8]) << i;
    }
}

}  // namespace
}  // namespace tilemeter
