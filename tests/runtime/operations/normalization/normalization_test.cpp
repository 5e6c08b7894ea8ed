// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/normalization/normalization.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

// Buffers differ by it, values do not.
OptionalComputeKernelConfig random_kernels() {
    if (test::any_bool()) return std::nullopt;
    return DeviceComputeKernelConfig{MathFidelity::HiFi2, false, test::any_bool(), true, false};
}

std::vector<double> exact_softmax(const std::vector<double>& x, const Shape& shape, std::size_t dimension) {
    std::uint64_t inner = 1;
    for (std::size_t i = dimension + 1; i < shape.rank(); ++i)
        inner *= shape.dimensions()[i];
    const std::uint64_t length = shape.dimensions()[dimension];
    std::vector<double> out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t begin = i / (length * inner) * length * inner + i % inner;
        double sum = 0.0;
        for (std::uint64_t k = 0; k < length; ++k)
            sum += std::exp(x[begin + k * inner]);
        out[i] = std::exp(x[i]) / sum;
    }
    return out;
}

DataType random_dtype() {
    return test::one_of(DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B);
}

TEST(Softmax, agrees_with_double_precision_along_any_dimension) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = test::random_shape(1, 5, 7);
        const DataType dtype = random_dtype();
        const auto rank = static_cast<int>(shape.rank());
        const int dim = test::in_range(-rank, rank);
        const Tensor x =
            from_vector(test::random_values(shape, -6, 6), shape, dtype, TILE_LAYOUT, device.get());
        // Without 32 bits for its sums TT-NN refuses float32 along some dimensions.
        const Tensor result =
            softmax(x, dim, std::nullopt, dtype == DataType::FLOAT32 ? std::nullopt : random_kernels());
        PROPERTY_ASSERT(result.shape() == shape && result.dtype() == dtype);
        test::assert_close(
            result,
            exact_softmax(x.to_vector<double>(), shape, static_cast<std::size_t>(dim < 0 ? dim + rank : dim)),
            1e-6);
    }));
}

TEST(Softmax, in_place_writes_over_its_input) {
    const test::OpenDevice device;
    const Tensor x = full({1, 1, 32, 64}, 3, bfloat16, TILE_LAYOUT, device.get());
    const Tensor result = softmax_in_place(x);
    EXPECT_EQ(result.buffer().address(), x.buffer().address());
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(2048, 1.0F / 64));
}

TEST(Softmax, that_can_not_be_says_what_was_expected) {
    const test::OpenDevice device;
    const Tensor x = zeros({1, 1, 32, 64}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] { softmax(x, 7); }),
              "Dimension out of range (expected to be in range of [-4, 3], but got 7)");
    EXPECT_EQ(test::message_of([&] {
                  softmax(zeros({32, 32}, int32, TILE_LAYOUT, device.get()));
              }),
              "Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: DataType::INT32");
    EXPECT_EQ(test::message_of([&] {
                  softmax_in_place(zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get()));
              }),
              "softmax_in_place: dim: expected the last of four dimensions, got -1 of Shape([32, 32])");
    EXPECT_EQ(
        test::message_of([&] {
            softmax(zeros({32, 32}, bfloat16, TILE_LAYOUT));
        }),
        "Device Operations expect device tensors as inputs: softmax: input_tensor Shape([32, 32]): expected on a device, is on the host");
}

struct Norm {
    bool layer_norm;
    bool weight;
    bool bias;
    bool residual;
};

std::vector<double> exact_norm(const Norm& norm, std::vector<double> x, const std::vector<double>& residual,
                               const std::vector<double>& weight, const std::vector<double>& bias,
                               std::size_t width, double epsilon) {
    for (std::size_t i = 0; norm.residual && i < x.size(); ++i)
        x[i] += residual[i];
    for (std::size_t row = 0; row < x.size(); row += width) {
        double mean = 0.0;
        for (std::size_t i = 0; norm.layer_norm && i < width; ++i)
            mean += x[row + i] / static_cast<double>(width);
        double square = 0.0;
        for (std::size_t i = 0; i < width; ++i)
            square += (x[row + i] - mean) * (x[row + i] - mean) / static_cast<double>(width);
        for (std::size_t i = 0; i < width; ++i) {
            x[row + i] = (x[row + i] - mean) / std::sqrt(square + epsilon);
            if (norm.weight) x[row + i] *= weight[i];
            if (norm.bias) x[row + i] += bias[i];
        }
    }
    return x;
}

TEST(Norms, agree_with_double_precision_with_any_operands) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Norm norm{test::any_bool(), test::any_bool(), test::any_bool(), test::any_bool()};
        const Shape shape = test::random_shape(1, 4, 9);
        const DataType dtype = random_dtype();
        const auto made = [&](const Shape& of, DataType type, int low, int high) {
            return from_vector(test::random_values(of, low, high), of, type, TILE_LAYOUT, device.get());
        };
        const Tensor x = made(shape, dtype, -4, 4);
        const Tensor residual = made(shape, dtype, -4, 4);
        const Tensor weight = made({1, shape[-1]}, bfloat16, -2, 2);
        const Tensor bias = made({1, shape[-1]}, bfloat16, -2, 2);
        const auto optional = [](bool there, const Tensor& tensor) {
            return there ? OptionalTensor(tensor) : std::nullopt;
        };
        const auto normalized = [&](const auto& function) {
            return function(x, 1e-2F, optional(norm.weight, weight), optional(norm.bias, bias),
                            optional(norm.residual, residual), std::nullopt, std::nullopt, random_kernels());
        };
        const Tensor result = norm.layer_norm ? normalized(layer_norm) : normalized(rms_norm);
        test::assert_close(result,
                           exact_norm(norm, x.to_vector<double>(), residual.to_vector<double>(),
                                      weight.to_vector<double>(), bias.to_vector<double>(), shape[-1], 1e-2F),
                           1e-5);
    }));
}

TEST(Softmax, of_float32_needs_sums_of_32_bits_along_other_dimensions) {
    const test::OpenDevice device;
    const Tensor x = zeros({64, 64}, float32, TILE_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] {
                  softmax(x, 0, std::nullopt, DeviceComputeKernelConfig{MathFidelity::HiFi2, false, false});
              }),
              "FP32 destination accumulation must be enabled when input tensor has FLOAT32 data type. Please "
              "update the compute kernel configuration.");
}

TEST(Norms, take_weights_in_rows_of_32) {
    const test::OpenDevice device;
    const Tensor x = full({32, 64}, 2, bfloat16, TILE_LAYOUT, device.get());
    const Tensor weight = full({2, 32}, 3, bfloat16, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(rms_norm(x, 0.0F, weight).to_vector<float>(), std::vector<float>(2048, 3.0F));
}

// Weights that are repeated down a tile, and those of block formats.
TEST(Norms, take_the_first_row_of_weights_in_tiles) {
    const test::OpenDevice device;
    const Tensor x = full({1, 1, 64, 40}, 2, bfloat16, TILE_LAYOUT, device.get());
    for (const Shape& shape : {Shape{1, 1, 32, 40}, Shape{32, 64}, Shape{3, 32, 40}}) {
        for (const DataType dtype : {DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B}) {
            std::vector<float> values(shape.volume(), 9.0F);
            std::fill_n(values.begin(), shape[-1], 3.0F);
            const Tensor row = from_vector(values, shape, dtype, TILE_LAYOUT, device.get());
            EXPECT_EQ(rms_norm(x, 0.0F, row, row).to_vector<float>(), std::vector<float>(64 * 40, 6.0F))
                << shape.to_string();
        }
    }
    EXPECT_EQ(test::message_of([&] {
                  rms_norm(x, 0.0F, zeros({64, 40}, bfloat16, TILE_LAYOUT, device.get()));
              }),
              "Gamma tensor height must equal tile height (32), got: 64");
}

// 32 rows of 5, whose mean is 3 and variance 2.
TEST(Norms, by_welfords_method_are_the_same) {
    const test::OpenDevice device;
    std::vector<float> rows;
    for (int i = 0; i < 32 * 5; ++i)
        rows.push_back(static_cast<float>(i % 5 + 1));
    const Tensor x = from_vector(rows, {32, 5}, float32, TILE_LAYOUT, device.get());
    const LayerNormDefaultProgramConfig welford{.use_welford = true};
    const Tensor result =
        layer_norm(LayerNorm{.input_tensor = x, .epsilon = 0.0F, .program_config = welford});
    EXPECT_NEAR(result.to_vector<float>()[0], -2.0 / std::sqrt(2.0), 1e-6);
    EXPECT_EQ(result.to_vector<float>(),
              layer_norm(LayerNorm{.input_tensor = x, .epsilon = 0.0F}).to_vector<float>());

    EXPECT_EQ(
        test::message_of([&] {
            layer_norm(LayerNorm{.input_tensor = x, .residual_input_tensor = x, .program_config = welford});
        }),
        "Reciprocal tensor not provided for Welford layernorm");
    EXPECT_EQ(
        test::message_of([&] {
            layer_norm(LayerNorm{.input_tensor = x,
                                 .residual_input_tensor = x,
                                 .program_config = welford,
                                 .recip_tensor = zeros({1, 5}, float32, ROW_MAJOR_LAYOUT, device.get())});
        }),
        "recip_tensor: expected a row of FLOAT32 on each core, as create_layer_norm_reciprocals makes them");
    EXPECT_EQ(test::message_of([&] { rms_norm(RmsNorm{.input_tensor = x, .program_config = welford}); }),
              "Welford's algorithm is not supported for RMSNorm");
}

TEST(Norms, that_can_not_be_say_what_was_expected) {
    const test::OpenDevice device;
    const Tensor x = zeros({64, 64}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(
        test::message_of([&] {
            layer_norm(x, 1e-12F, zeros({1, 32}, bfloat16, TILE_LAYOUT, device.get()));
        }),
        "Input and gamma padded widths must match and gamma logical width must be >= input logical width "
        "(otherwise valid input columns would be multiplied by gamma padding). Got input: logical[-1]=64 "
        "padded[-1]=64 vs gamma: logical[-1]=32 padded[-1]=32");
    EXPECT_EQ(test::message_of([&] {
                  rms_norm(x, 1e-12F, std::nullopt, std::nullopt,
                           zeros({64, 32}, bfloat16, TILE_LAYOUT, device.get()));
              }),
              "rms_norm: residual_input_tensor: expected Shape([64, 64]), got Shape([64, 32])");
    EXPECT_EQ(test::message_of([&] {
                  layer_norm(zeros({64, 64}, int32, TILE_LAYOUT, device.get()));
              }),
              "layer_norm: Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: DataType::INT32");
    EXPECT_EQ(test::message_of([&] {
                  layer_norm(zeros({64, 64}, bfloat16, ROW_MAJOR_LAYOUT, device.get()));
              }),
              "layer_norm: input_tensor: expected TILE layout, got ROW_MAJOR");
    EXPECT_EQ(
        test::message_of([&] {
            layer_norm(zeros({64, 64}, bfloat16, TILE_LAYOUT));
        }),
        "Device Operations expect device tensors as inputs: LayerNormDeviceOperation: input tensor Shape([64, 64]): expected on a device, is on the host");
}

}  // namespace
}  // namespace tilemeter
