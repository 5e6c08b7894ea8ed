// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/unary.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/clamp.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

struct Function {
    Tensor (*ours)(const Tensor&);
    double (*exact)(double);
};

const std::vector<Function>& functions() {
    static const std::vector<Function> kFunctions = {
        {[](const Tensor& x) { return relu(x); }, [](double x) { return std::max(x, 0.0); }},
        {[](const Tensor& x) { return gelu(x); },
         [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }},
        {[](const Tensor& x) { return silu(x); }, [](double x) { return x / (1.0 + std::exp(-x)); }},
        {[](const Tensor& x) { return exp(x); }, [](double x) { return std::exp(x); }},
        {[](const Tensor& x) { return tanh(x); }, [](double x) { return std::tanh(x); }},
        {[](const Tensor& x) { return sigmoid(x); }, [](double x) { return 1.0 / (1.0 + std::exp(-x)); }},
        {[](const Tensor& x) { return neg(x); }, [](double x) { return -x; }},
        {[](const Tensor& x) { return abs(x); }, [](double x) { return std::fabs(x); }},
        {[](const Tensor& x) { return square(x); }, [](double x) { return x * x; }},
        {[](const Tensor& x) { return sqrt(abs(x)); }, [](double x) { return std::sqrt(std::fabs(x)); }},
        {[](const Tensor& x) { return sin(x); }, [](double x) { return std::sin(x); }},
        {[](const Tensor& x) { return erf(x); }, [](double x) { return std::erf(x); }},
        {[](const Tensor& x) { return softplus(x); },
         [](double x) { return x > 20 ? x : std::log1p(std::exp(x)); }},
        {[](const Tensor& x) { return leaky_relu(x, 0.25F); }, [](double x) { return x > 0 ? x : 0.25 * x; }},
        {[](const Tensor& x) { return clamp(x, -1.0F, 2.0F); },
         [](double x) { return std::min(std::max(x, -1.0), 2.0); }},
    };
    return kFunctions;
}

TEST(Unary, agrees_with_double_precision_within_the_bound_of_its_type) {
    const test::OpenDevice device;
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = test::random_shape(1, 4, 8);
        const DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B);
        const Layout layout =
            is_block_float(dtype) ? Layout::TILE : test::one_of(Layout::TILE, Layout::ROW_MAJOR);
        const Function& function =
            functions()[static_cast<std::size_t>(test::in_range(0, static_cast<int>(functions().size())))];
        const Tensor x = from_vector(test::random_values(shape, -6, 6), shape, dtype, layout, device.get());
        const Tensor result = function.ours(x);
        std::vector<double> expected;
        for (const double value : x.to_vector<double>())
            expected.push_back(function.exact(value));
        PROPERTY_ASSERT(result.shape() == shape && result.layout() == layout && result.dtype() == dtype);
        test::assert_close(result, expected, 2e-6);
    }));
}

TEST(Unary, where_the_function_has_no_value_gives_nan_or_infinity) {
    const test::OpenDevice device;
    const Tensor x =
        from_vector(std::vector<float>{-1.0F, 0.0F, 4.0F}, {3}, float32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_TRUE(std::isnan(sqrt(x).to_vector<float>()[0]));
    EXPECT_TRUE(std::isinf(reciprocal(x).to_vector<float>()[1]));
    EXPECT_TRUE(std::isinf(log(x).to_vector<float>()[1]));
    EXPECT_FLOAT_EQ(rsqrt(x).to_vector<float>()[2], 0.5F);
    EXPECT_EQ(isnan(sqrt(x)).to_vector<float>(), (std::vector<float>{1.0F, 0.0F, 0.0F}));
}

TEST(Unary, of_integers_is_exact_where_it_is_defined) {
    const test::OpenDevice device;
    const Tensor x = from_vector(std::vector<std::int64_t>{-16777217, 0, 2147483647, 65537}, {4}, int32,
                                 ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(neg(x).to_vector<std::int64_t>(),
              (std::vector<std::int64_t>{16777217, 0, -2147483647, -65537}));
    EXPECT_EQ(abs(x).to_vector<std::int64_t>(), (std::vector<std::int64_t>{16777217, 0, 2147483647, 65537}));
    EXPECT_EQ(square(x).to_vector<std::int64_t>()[3], 131073);  // 65537 * 65537, wrapped to 32 bits
    EXPECT_EQ(relu6(x).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 0, 6, 6}));
    EXPECT_EQ(relu_max(x, 100.0F).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 0, 100, 100}));
}

TEST(Unary, of_integers_without_a_meaning_says_so) {
    const test::OpenDevice device;
    const Tensor x = zeros({4}, int32, ROW_MAJOR_LAYOUT, device.get());
    EXPECT_EQ(test::message_of([&] { exp(x); }),
              "Unary: UnaryOpType::EXP does not support integer input dtype DataType::INT32");
    EXPECT_EQ(test::message_of([&] { sign(x); }),
              "Unary: UnaryOpType::SIGN does not support integer input dtype DataType::INT32");
    const Tensor counts = zeros({4}, DataType::UINT16, ROW_MAJOR_LAYOUT, device.get());
    const std::pair<const UnaryFunction*, std::string> named[] = {
        {&gtz, "GTZ"}, {&ltz, "LTZ"}, {&neg, "NEG"}, {&bitwise_not, "BITWISE_NOT"}};
    for (const auto& [function, name] : named)
        EXPECT_EQ(test::message_of([&] { (*function)(counts); }),
                  "Unary: UnaryOpType::" + name + " does not support integer input dtype DataType::UINT16");
}

TEST(Unary, approximate_gelu_is_another_program_close_to_the_exact_one) {
    const test::OpenDevice device;
    const Tensor x = from_vector(std::vector<float>{-2.0F, -0.5F, 0.5F, 2.0F}, {4}, float32, ROW_MAJOR_LAYOUT,
                                 device.get());
    const std::vector<float> exact = gelu(x).to_vector<float>();
    const std::vector<float> fast = gelu(x, true).to_vector<float>();
    for (std::size_t i = 0; i < exact.size(); ++i)
        EXPECT_NEAR(exact[i], fast[i], 0.01);
    EXPECT_NE(exact, fast);
}

TEST(Unary, into_an_output_tensor_writes_there_and_allocates_nothing) {
    const test::OpenDevice device;
    const Tensor x = full({32, 32}, -3, bfloat16, TILE_LAYOUT, device.get());
    const Tensor target = zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor result = neg(x, std::nullopt, target);
    EXPECT_EQ(result.id(), target.id());
    EXPECT_EQ(target.to_vector<float>(), std::vector<float>(1024, 3.0F));
}

TEST(Unary, into_an_output_tensor_that_does_not_fit_says_so) {
    const test::OpenDevice device;
    const Tensor x = zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get());
    const Tensor target = zeros({32, 64}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_EQ(
        test::message_of([&] { relu(x, std::nullopt, target); }),
        "UnaryDeviceOperation: output tensor: expected Shape([32, 32]) BFLOAT16 TILE, got Shape([32, 64]) BFLOAT16 TILE");
}

TEST(Unary, of_sharded_tensors_keeps_values_and_config) {
    const test::OpenDevice device;
    const MemoryConfig sharded{
        TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
        ShardSpec{first_cores(2, {8, 8}, true), {32, 64}, ShardOrientation::ROW_MAJOR}};
    const Tensor x = full({64, 64}, -2, bfloat16, TILE_LAYOUT, device.get(), sharded);
    const Tensor result = abs(x);
    EXPECT_EQ(result.memory_config(), sharded);
    EXPECT_EQ(result.to_vector<float>(), std::vector<float>(4096, 2.0F));
}

TEST(Unary, of_tensors_that_are_not_there_says_so) {
    const test::OpenDevice device;
    const Tensor on_host = zeros({32, 32}, bfloat16, TILE_LAYOUT);
    EXPECT_EQ(
        test::message_of([&] { relu(on_host); }),
        "Device Operations expect device tensors as inputs: UnaryDeviceOperation: input tensor Shape([32, 32]): expected on a device, is on the host");
    Tensor freed = zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get());
    freed.deallocate();
    EXPECT_EQ(test::message_of([&] { relu(freed); }),
              "UnaryDeviceOperation: input tensor Shape([32, 32]): expected allocated, was deallocated");
    EXPECT_EQ(test::message_of([&] { string_to_unary_with_param("foo"); }),
              "activation: expected the name of an activation such as \"relu\", got \"foo\"");
    EXPECT_EQ(test::message_of([&] { clamp(on_host, std::optional<float>(), std::nullopt); }),
              "clamp: min, max: expected one of them, got neither");
}

}  // namespace
}  // namespace tilemeter
