// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/attention.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/operations/transformer/transformer_samples.hpp"

namespace tilemeter {
namespace {

using test::random_size;
using test::some_values;

constexpr double kUnseen = -std::numeric_limits<double>::infinity();

/// A tensor of random values and these values as they are stored.
struct Operand {
    Operand(const Shape& of_shape, DataType dtype, const std::shared_ptr<Device>& device, int most = 2)
        : Operand(test::random_values(of_shape, -most, most), of_shape, dtype, device) {}
    Operand(const std::vector<float>& given, const Shape& of_shape, DataType dtype,
            const std::shared_ptr<Device>& device)
        : shape(of_shape),
          tensor(from_vector(given, shape, dtype, TILE_LAYOUT, device)),
          values(tensor.to_vector<double>()) {}

    double at(std::uint64_t batch, std::uint64_t head, std::uint64_t row, std::uint64_t column) const {
        const std::uint64_t b = shape[0] == 1 ? 0 : batch;
        const std::uint64_t h = shape[1] == 1 ? 0 : head;
        const std::uint64_t r = shape[2] == 1 ? 0 : row;
        return values[((b * shape[1] + h) * shape[2] + r) * shape[3] + column];
    }

    Shape shape;
    Tensor tensor;
    std::vector<double> values;
};

std::vector<double> exact_softmax(std::vector<double> scores, double sink = kUnseen) {
    double most = sink;
    for (const double score : scores)
        most = std::max(most, score);
    double sum = sink == kUnseen ? 0.0 : std::exp(sink - most);
    for (double& score : scores)
        sum += score = std::exp(score - most);
    for (double& score : scores)
        score /= sum;
    return scores;
}

struct Question {
    double scale = 1.0;
    bool is_causal = false;
    std::int64_t window = 0;  ///< 0: none
    const Operand* mask = nullptr;
    const Operand* sink = nullptr;
};

bool sees(std::int64_t row, std::int64_t column, const Question& question) {
    if (question.is_causal && column > row) return false;
    if (question.window == 0) return true;
    if (question.is_causal) return row - column < question.window;
    return std::abs(row - column) <= question.window / 2;
}

std::vector<double> exact_attention(const Operand& q, const Operand& k, const Operand& v,
                                    const Question& question) {
    const std::uint32_t shared_by = q.shape[1] / k.shape[1];
    std::vector<double> result;
    for (std::uint32_t b = 0; b < q.shape[0]; ++b) {
        for (std::uint32_t h = 0; h < q.shape[1]; ++h) {
            for (std::uint32_t i = 0; i < q.shape[2]; ++i) {
                std::vector<double> scores(k.shape[2], kUnseen);
                const std::int64_t position =
                    i + std::max<std::int64_t>(0, k.shape[2] - std::int64_t{q.shape[2]});
                for (std::uint32_t j = 0; j < k.shape[2]; ++j) {
                    if (!sees(position, j, question)) continue;
                    double dot = 0.0;
                    for (std::uint32_t d = 0; d < q.shape[3]; ++d)
                        dot += q.at(b, h, i, d) * k.at(b, h / shared_by, j, d);
                    scores[j] = dot * question.scale;
                    if (question.mask != nullptr) scores[j] += question.mask->at(b, h, i, j);
                }
                const double sink =
                    question.sink != nullptr ? question.sink->at(0, h, 0, 0) * question.scale : kUnseen;
                scores = exact_softmax(scores, sink);
                for (std::uint32_t d = 0; d < v.shape[3]; ++d) {
                    double sum = 0.0;
                    for (std::uint32_t j = 0; j < k.shape[2]; ++j)
                        sum += scores[j] * v.at(b, h / shared_by, j, d);
                    result.push_back(sum);
                }
            }
        }
    }
    return result;
}

TEST(Attention, agrees_with_double_precision) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::BFLOAT8_B);
        const std::uint32_t batch = random_size(1, 2);
        const std::uint32_t kv_heads = random_size(1, 2);
        const std::uint32_t heads = kv_heads * random_size(1, 2);
        const std::uint32_t rows = random_size(1, 40);
        Question question;
        question.is_causal = test::any_bool();
        const std::uint32_t columns = question.is_causal ? rows : rows + random_size(0, 20);
        const Operand q({batch, heads, rows, 32}, dtype, device.get());
        const Operand k({batch, kv_heads, columns, 32}, dtype, device.get());
        const Operand v({batch, kv_heads, columns, 32}, dtype, device.get());
        const Operand mask(
            {random_size(0, 1) == 0 ? 1 : batch, random_size(0, 1) == 0 ? 1 : heads, rows, columns},
            DataType::BFLOAT16, device.get());
        const Operand sink({1, heads, 1, 1}, DataType::BFLOAT16, device.get());
        std::optional<float> scale;
        if (test::any_bool()) scale = 0.25F;
        question.scale = scale.value_or(1.0F / std::sqrt(32.0F));
        OptionalTensor mask_tensor;
        // The device adds the mask divided by the scale, in bfloat16: powers of two are exact.
        if (!question.is_causal && scale && test::any_bool()) {
            question.mask = &mask;
            mask_tensor = mask.tensor;
        }
        std::optional<std::uint32_t> window;
        if (question.mask == nullptr && test::any_bool()) {
            window = random_size(2, 16);
            question.window = *window;
        }
        OptionalTensor sink_tensor;
        if (test::any_bool()) {
            question.sink = &sink;
            sink_tensor = sink.tensor;
        }
        const Tensor result = transformer::scaled_dot_product_attention(
            q.tensor, k.tensor, v.tensor, mask_tensor, question.is_causal, scale, window, std::nullopt,
            std::nullopt, std::nullopt, sink_tensor);
        PROPERTY_ASSERT(result.shape() == q.shape && result.dtype() == dtype);
        PROPERTY_ASSERT(result.memory_config() == DRAM_MEMORY_CONFIG);
        test::assert_close(result, exact_attention(q, k, v, question), 1e-5);
    }));
}

TEST(Attention, puts_the_heads_side_by_side_if_asked) {
    const test::OpenDevice device;
    const Operand q(some_values({2, 3, 40, 32}), {2, 3, 40, 32}, DataType::BFLOAT16, device.get());
    const Operand kv(some_values({2, 1, 40, 32}), {2, 1, 40, 32}, DataType::BFLOAT16, device.get());
    const std::vector<float> apart =
        transformer::scaled_dot_product_attention(q.tensor, kv.tensor, kv.tensor).to_vector<float>();
    const Tensor together = transformer::scaled_dot_product_attention({.input_tensor_q = q.tensor,
                                                                       .input_tensor_k = kv.tensor,
                                                                       .input_tensor_v = kv.tensor,
                                                                       .output_concat_heads = true});
    EXPECT_EQ(together.shape(), (Shape{2, 1, 40, 96}));
    const std::vector<float> side_by_side = together.to_vector<float>();
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t h = 0; h < 3; ++h) {
            for (std::size_t i = 0; i < 40 * 32; ++i) {
                ASSERT_EQ(side_by_side[(b * 40 + i / 32) * 96 + h * 32 + i % 32],
                          apart[(b * 3 + h) * 40 * 32 + i]);
            }
        }
    }
}

TEST(AttentionDecode, agrees_with_double_precision) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const std::uint32_t users = random_size(1, 3);
        const std::uint32_t kv_heads = random_size(1, 2);
        const std::uint32_t heads = kv_heads * random_size(1, 3);
        constexpr std::uint32_t kColumns = 64;
        const Operand q({1, users, heads, 32}, DataType::BFLOAT16, device.get());
        const Operand k({users, kv_heads, kColumns, 32}, DataType::BFLOAT16, device.get());
        const Operand v({users, kv_heads, kColumns, 32}, DataType::BFLOAT16, device.get());
        const Operand mask({1, users, heads, kColumns}, DataType::BFLOAT16, device.get());
        const bool is_causal = test::any_bool();
        const bool by_tensor = test::any_bool();
        const bool masked = !is_causal && test::any_bool();
        std::vector<std::int64_t> positions;
        for (std::uint32_t user = 0; user < users; ++user)
            positions.push_back(test::in_range(-1, static_cast<int>(kColumns)));
        std::optional<std::uint32_t> window;
        if (test::any_bool()) window = random_size(2, 16);
        const OptionalTensor position_tensor =
            by_tensor ? OptionalTensor(from_vector(positions, {users}, int32, ROW_MAJOR_LAYOUT, device.get()))
                      : std::nullopt;
        const Tensor result = transformer::scaled_dot_product_attention_decode(
            q.tensor, k.tensor, v.tensor, is_causal, masked ? OptionalTensor(mask.tensor) : std::nullopt,
            by_tensor ? std::vector<std::int64_t>() : positions, position_tensor, std::nullopt, 0.25F,
            window);
        PROPERTY_ASSERT(result.shape() == q.shape);
        std::vector<double> expected;
        for (std::uint32_t user = 0; user < users; ++user) {
            const std::int64_t last = is_causal ? positions[user] : std::int64_t{kColumns} - 1;
            for (std::uint32_t h = 0; h < heads; ++h) {
                const std::uint32_t kv = h / (heads / kv_heads);
                std::vector<double> scores(kColumns, kUnseen);
                for (std::int64_t j = 0; j <= last; ++j) {
                    const std::int64_t behind = last - j;
                    if (window && (is_causal ? behind >= *window : behind > *window / 2)) continue;
                    double dot = 0.0;
                    for (std::uint32_t d = 0; d < 32; ++d)
                        dot += q.at(0, user, h, d) * k.at(user, kv, static_cast<std::uint64_t>(j), d);
                    scores[static_cast<std::size_t>(j)] =
                        dot * 0.25 + (masked ? mask.at(0, user, h, static_cast<std::uint64_t>(j)) : 0.0);
                }
                if (last >= 0) scores = exact_softmax(scores);
                for (std::uint32_t d = 0; d < 32; ++d) {
                    double sum = 0.0;
                    for (std::int64_t j = 0; j <= last; ++j)
                        sum += scores[static_cast<std::size_t>(j)] *
                               v.at(user, kv, static_cast<std::uint64_t>(j), d);
                    expected.push_back(sum);
                }
            }
        }
        test::assert_close(result, expected, 1e-5);
    }));
}

TEST(AttentionDecode, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const auto tiles = [&](const Shape& shape, DataType dtype = DataType::BFLOAT16) {
        return zeros(shape, dtype, TILE_LAYOUT, device.get());
    };
    const Tensor cache = tiles({2, 2, 96, 64});
    const auto message = [&](const Tensor& q, const OptionalSDPAProgramConfig& config = std::nullopt,
                             const OptionalMemoryConfig& memory_config = std::nullopt) {
        return test::message_of([&] {
            transformer::scaled_dot_product_attention_decode(q, cache, cache, true, std::nullopt, {5, 6},
                                                             std::nullopt, std::nullopt, std::nullopt,
                                                             std::nullopt, memory_config, config);
        });
    };
    EXPECT_EQ(message(tiles({1, 2, 8, 64}, bfloat8_b)),
              "GQA expects BFLOAT16 input tensor, but got DataType::BFLOAT8_B");
    EXPECT_EQ(message(tiles({1, 2, 8, 64}), SDPAProgramConfig{{8, 8}, 32, 64, std::nullopt, 16}),
              "K sequence length must be multiple of chunk size, got: 96 and 64");
    EXPECT_EQ(message(tiles({1, 2, 8, 64}), SDPAProgramConfig{{1, 1}, 32, 32, std::nullopt, 16}),
              "Cores available (1) must be >= batch size (2)");
    EXPECT_NE(message(tiles({1, 3, 8, 64})), "");
}

TEST(Attention, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const auto tiles = [&](const Shape& shape, DataType dtype = DataType::BFLOAT16) {
        return zeros(shape, dtype, TILE_LAYOUT, device.get());
    };
    const Tensor q = tiles({1, 4, 64, 64});
    const auto message = [&](const Tensor& k, const Tensor& v, const OptionalTensor& mask = std::nullopt,
                             bool is_causal = true, const OptionalSDPAProgramConfig& config = std::nullopt) {
        return test::message_of([&] {
            transformer::scaled_dot_product_attention(q, k, v, mask, is_causal, std::nullopt, std::nullopt,
                                                      std::nullopt, config);
        });
    };
    EXPECT_EQ(message(tiles({1, 4, 128, 64}), tiles({1, 4, 128, 64})),
              "Causal SDPA requires Q and K to have the same sequence length. Got Q: 64, K: 128");
    EXPECT_EQ(message(q, tiles({1, 4, 32, 64})), "K and V sequence length must match. Got K: 64, V: 32");
    EXPECT_EQ(
        message(tiles({1, 3, 64, 64}), tiles({1, 3, 64, 64})),
        "Q num_heads must be >= K num_heads and divisible by K num_heads, and K num_heads must be greater "
        "than 0. Got Q: 4, K: 3");
    EXPECT_EQ(message(q, q, tiles({1, 1, 64, 64})),
              "is_causal and attn_mask cannot both be present. Got is_causal: true, attn_mask: true");
    EXPECT_EQ(message(q, q, tiles({1, 1, 64, 32}), false),
              "Mask sequence length must match K sequence length");
    EXPECT_EQ(message(tiles({1, 4, 64, 64}, float32), q),
              "Data type of input tensor must be BFLOAT16, BFLOAT8_B, or BFLOAT4_B and is DataType::FLOAT32");
    EXPECT_EQ(message(q, q, std::nullopt, true, SDPAProgramConfig{{8, 8}, 33, 32, std::nullopt, 16}),
              "q_chunk_size must be a positive multiple of TILE_SIZE. Got q_chunk_size: 33, TILE_SIZE: 32");
    EXPECT_NE(message(q, q, std::nullopt, true, SDPAProgramConfig{{9, 9}, 32, 32, std::nullopt, 16}), "");
}

TEST(AttentionSoftmax, scales_and_masks) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B);
        const std::uint32_t batch = random_size(1, 2);
        const std::uint32_t heads = random_size(1, 3);
        const std::uint32_t rows = random_size(1, 32);
        const std::uint32_t columns = random_size(1, 70);
        const Operand x({batch, heads, rows, columns}, dtype, device.get(), 4);
        const Operand mask({batch, 1, random_size(0, 1) == 0 ? 1 : rows, columns}, DataType::BFLOAT16,
                           device.get());
        const bool in_place = test::any_bool();
        const Tensor result = in_place ? transformer::attention_softmax_(x.tensor, 64, mask.tensor)
                                       : transformer::attention_softmax(x.tensor, 64, mask.tensor);
        std::vector<double> expected;
        for (std::uint32_t b = 0; b < batch; ++b) {
            for (std::uint32_t h = 0; h < heads; ++h) {
                for (std::uint32_t i = 0; i < rows; ++i) {
                    std::vector<double> line;
                    for (std::uint32_t j = 0; j < columns; ++j)
                        line.push_back(x.at(b, h, i, j) / 8.0 + mask.at(b, h, i, j));
                    for (const double value : exact_softmax(line))
                        expected.push_back(value);
                }
            }
        }
        PROPERTY_ASSERT(in_place == (result.buffer().address() == x.tensor.buffer().address()));
        test::assert_close(result, expected, 1e-6);
    }));
}

TEST(AttentionSoftmax, without_a_mask_divides_first) {
    const test::OpenDevice device;
    const Operand x(some_values({1, 2, 32, 64}), {1, 2, 32, 64}, DataType::FLOAT32, device.get());
    std::vector<double> expected;
    for (std::size_t row = 0; row < 64; ++row) {
        std::vector<double> line(x.values.begin() + row * 64, x.values.begin() + (row + 1) * 64);
        for (double& value : line)
            value /= 4.0;
        for (const double value : exact_softmax(line))
            expected.push_back(value);
    }
    const std::vector<double> ours = transformer::attention_softmax(x.tensor, 16).to_vector<double>();
    for (std::size_t i = 0; i < ours.size(); ++i)
        ASSERT_NEAR(ours[i], expected[i], 1e-6);
}

TEST(AttentionSoftmax, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const auto tiles = [&](const Shape& shape) { return zeros(shape, bfloat16, TILE_LAYOUT, device.get()); };
    const Tensor x = tiles({2, 2, 64, 64});
    EXPECT_EQ(
        test::message_of([&] { transformer::attention_softmax_(x, 64); }),
        "Cannot apply divide by sqrt(head_size) using in-place version when attention_mask is not set.");
    EXPECT_EQ(test::message_of([&] { scale_mask_softmax(x, 0.5F); }),
              "Scale value must not be set when mask is not present");
    EXPECT_EQ(test::message_of([&] {
                  scale_mask_softmax(x, 0.5F, tiles({1, 1, 32, 64}));
              }),
              "Input and mask batch sizes must match, got");
    EXPECT_EQ(test::message_of([&] {
                  scale_mask_softmax(x, 0.5F, tiles({2, 1, 64, 64}));
              }),
              "Mask height must be 1 or input tensor tile height (32), got: 64");
}

}  // namespace
}  // namespace tilemeter
