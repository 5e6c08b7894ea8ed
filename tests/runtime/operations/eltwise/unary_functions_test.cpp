// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Every function of one element against its definition in double precision, over shapes, layouts and dtypes.

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/clamp.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "tests/property.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using Ours = Tensor (*)(const Tensor&);
using Exact = double (*)(double);

struct UnaryCase {
    const char* name;
    Ours ours;
    Exact exact;
    int low = -6;  ///< the range of arguments
    int high = 6;
};

// clang-format off
#define TILEMETER_OURS(...) [](const Tensor& x) { return __VA_ARGS__; }
#define TILEMETER_EXACT(...) [](double x) -> double { return __VA_ARGS__; }
#define TILEMETER_CASE(name, exact, ...) {#name, TILEMETER_OURS(name(x)), TILEMETER_EXACT(exact) __VA_OPT__(,) __VA_ARGS__}
// Written down from the definitions, apart from the table that computes.
const UnaryCase kUnaryCases[] = {
    TILEMETER_CASE(abs, x < 0 ? -x : x),
    TILEMETER_CASE(acos, std::numbers::pi / 2 - std::asin(x), -1, 1),
    TILEMETER_CASE(acosh, std::log(x + std::sqrt(x * x - 1)), 1, 6),
    TILEMETER_CASE(asin, std::atan2(x, std::sqrt(1 - x * x)), -1, 1),
    TILEMETER_CASE(asinh, std::copysign(std::log(std::abs(x) + std::sqrt(x * x + 1)), x)),
    TILEMETER_CASE(atan, std::atan2(x, 1.0)),
    TILEMETER_CASE(cbrt, std::copysign(std::pow(std::abs(x), 1.0 / 3.0), x)),
    TILEMETER_CASE(ceil, -std::floor(-x)),
    TILEMETER_CASE(cos, std::sin(x + std::numbers::pi / 2)),
    TILEMETER_CASE(cosh, (std::exp(x) + std::exp(-x)) / 2),
    TILEMETER_CASE(deg2rad, x / 360.0 * 2 * std::numbers::pi),
    TILEMETER_CASE(eqz, x == 0 ? 1 : 0),
    TILEMETER_CASE(erf, 1 - std::erfc(x)),
    TILEMETER_CASE(erfc, 1 - std::erf(x), -2, 2),
    TILEMETER_CASE(exp, std::pow(std::numbers::e, x)),
    TILEMETER_CASE(exp2, std::pow(2.0, x)),
    TILEMETER_CASE(expm1, std::exp(x) - 1),
    TILEMETER_CASE(floor, x - (x - std::trunc(x)) - (x < std::trunc(x) ? 1 : 0)),
    TILEMETER_CASE(frac, std::fmod(x, 1.0)),
    TILEMETER_CASE(gez, x >= 0 ? 1 : 0),
    TILEMETER_CASE(gtz, x > 0 ? 1 : 0),
    TILEMETER_CASE(hardsigmoid, x <= -3 ? 0 : x >= 3 ? 1 : x / 6 + 0.5),
    TILEMETER_CASE(hardswish, x <= -3 ? 0 : x >= 3 ? x : x * (x + 3) / 6),
    TILEMETER_CASE(i0, std::cyl_bessel_i(0.0, std::abs(x))),
    TILEMETER_CASE(identity, x),
    TILEMETER_CASE(isfinite, x * 0 + 1),
    TILEMETER_CASE(isinf, x * 0),
    TILEMETER_CASE(isnan, x * 0),
    TILEMETER_CASE(isneginf, x * 0),
    TILEMETER_CASE(isposinf, x * 0),
    TILEMETER_CASE(lez, x <= 0 ? 1 : 0),
    TILEMETER_CASE(lgamma, std::log(std::tgamma(x)), 1, 6),
    TILEMETER_CASE(log, std::log2(x) * std::numbers::ln2, 1, 6),
    TILEMETER_CASE(log10, std::log(x) / std::numbers::ln10, 1, 6),
    TILEMETER_CASE(log1p, std::log(1 + x), 0, 6),
    TILEMETER_CASE(log2, std::log(x) / std::numbers::ln2, 1, 6),
    TILEMETER_CASE(log_sigmoid, -std::log(1 + std::exp(-x))),
    TILEMETER_CASE(logical_not, x == 0 ? 1 : 0),
    TILEMETER_CASE(ltz, x < 0 ? 1 : 0),
    TILEMETER_CASE(mish, x * std::tanh(std::log(1 + std::exp(x)))),
    TILEMETER_CASE(neg, 0 - x),
    TILEMETER_CASE(nez, x != 0 ? 1 : 0),
    TILEMETER_CASE(rad2deg, x / (2 * std::numbers::pi) * 360.0),
    TILEMETER_CASE(reciprocal, std::pow(x, -1.0), 1, 6),
    TILEMETER_CASE(relu, x > 0 ? x : 0),
    TILEMETER_CASE(relu6, x > 6 ? 6 : x > 0 ? x : 0, -9, 9),
    TILEMETER_CASE(rsqrt, std::pow(x, -0.5), 1, 6),
    TILEMETER_CASE(sigmoid, 1 / (1 + std::exp(-x))),
    TILEMETER_CASE(sigmoid_accurate, 1 / (1 + std::exp(-x))),
    TILEMETER_CASE(sign, x > 0 ? 1 : x < 0 ? -1 : 0),
    TILEMETER_CASE(signbit, std::copysign(1.0, x) < 0 ? 1 : 0),
    TILEMETER_CASE(silu, x / (1 + std::exp(-x))),
    TILEMETER_CASE(sin, std::cos(x - std::numbers::pi / 2)),
    TILEMETER_CASE(sinh, (std::exp(x) - std::exp(-x)) / 2),
    TILEMETER_CASE(softsign, x / (1 + std::abs(x))),
    TILEMETER_CASE(sqrt, std::pow(x, 0.5), 0, 6),
    TILEMETER_CASE(square, x * x),
    TILEMETER_CASE(swish, x / (1 + std::exp(-x))),
    TILEMETER_CASE(tan, std::sin(x) / std::cos(x), -1, 1),
    TILEMETER_CASE(tanh, 1 - 2 / (std::exp(2 * x) + 1)),
    TILEMETER_CASE(tanhshrink, x - std::tanh(x)),
    TILEMETER_CASE(trunc, x < 0 ? std::ceil(x) : std::floor(x)),
    {"gelu", TILEMETER_OURS(gelu(x)), TILEMETER_EXACT(x * (1 + std::erf(x / std::sqrt(2.0))) / 2)},
    {"gelu_tanh", TILEMETER_OURS(gelu(x, GeluVariant::Tanh)),
     TILEMETER_EXACT(x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * std::pow(x, 3.0)))))},
    {"round", TILEMETER_OURS(round(x, 1)), TILEMETER_EXACT(std::nearbyint(x * 10) / 10)},
    {"hardtanh", TILEMETER_OURS(hardtanh(x, -2.0F, 3.0F)), TILEMETER_EXACT(x < -2 ? -2 : x > 3 ? 3 : x)},
    {"leaky_relu", TILEMETER_OURS(leaky_relu(x, 0.25F)), TILEMETER_EXACT(x > 0 ? x : x / 4)},
    {"elu", TILEMETER_OURS(elu(x, 0.5F)), TILEMETER_EXACT(x > 0 ? x : (std::exp(x) - 1) / 2)},
    {"celu", TILEMETER_OURS(celu(x, 2.0F)), TILEMETER_EXACT(x > 0 ? x : 2 * (std::exp(x / 2) - 1))},
    {"selu", TILEMETER_OURS(selu(x, 2.0F, 0.5F)), TILEMETER_EXACT(2 * (x > 0 ? x : (std::exp(x) - 1) / 2))},
    {"softplus", TILEMETER_OURS(softplus(x, 2.0F)), TILEMETER_EXACT(std::log(1 + std::exp(2 * x)) / 2)},
    {"softshrink", TILEMETER_OURS(softshrink(x, 1.5F)), TILEMETER_EXACT(x > 1.5 ? x - 1.5 : x < -1.5 ? x + 1.5 : 0)},
    {"hardshrink", TILEMETER_OURS(hardshrink(x, 1.5F)), TILEMETER_EXACT(x > 1.5 || x < -1.5 ? x : 0)},
    {"threshold", TILEMETER_OURS(threshold(x, 1.0F, -7.0F)), TILEMETER_EXACT(x > 1 ? x : -7)},
    {"heaviside", TILEMETER_OURS(heaviside(x, 0.5F)), TILEMETER_EXACT(x > 0 ? 1 : x < 0 ? 0 : 0.5)},
    {"fill", TILEMETER_OURS(fill(x, 2.5F)), TILEMETER_EXACT(x * 0 + 2.5)},
    {"relu_max", TILEMETER_OURS(relu_max(x, 2.0F)), TILEMETER_EXACT(x < 0 ? 0 : x > 2 ? 2 : x)},
    {"relu_min", TILEMETER_OURS(relu_min(x, 2.0F)), TILEMETER_EXACT(x > 2 ? x : 2)},
    {"clamp", TILEMETER_OURS(clamp(x, -1.0F, 2.0F)), TILEMETER_EXACT(x < -1 ? -1 : x > 2 ? 2 : x)},
    {"clip", TILEMETER_OURS(clip(x, std::nullopt, 2.0F)), TILEMETER_EXACT(x > 2 ? 2 : x)},
    {"pow", TILEMETER_OURS(pow(x, 3.0F)), TILEMETER_EXACT(x * x * x)},
    {"rpow", TILEMETER_OURS(rpow(x, 2.0F)), TILEMETER_EXACT(std::exp2(x))},
    {"rdiv", TILEMETER_OURS(rdiv(x, 3.0F)), TILEMETER_EXACT(3 / x), 1, 6},
    {"prelu", TILEMETER_OURS(prelu(x, 0.5F)), TILEMETER_EXACT(x > 0 ? x : x / 2)},
};
#undef TILEMETER_CASE
#undef TILEMETER_OURS
#undef TILEMETER_EXACT
// clang-format on

class UnaryFunctions : public testing::TestWithParam<UnaryCase> {};

TEST_P(UnaryFunctions, agrees_with_its_definition) {
    const test::OpenDevice device;
    const UnaryCase& each = GetParam();
    EXPECT_TRUE(test::holds_for_random_cases([&] {
        const Shape shape = test::random_shape(1, 4, 6);
        DataType dtype = test::one_of(DataType::BFLOAT16, DataType::FLOAT32, DataType::BFLOAT8_B);
        // The device has no program for it.
        if (std::string_view(each.name) == "lgamma" && is_block_float(dtype)) dtype = DataType::FLOAT32;
        const Layout layout =
            is_block_float(dtype) ? Layout::TILE : test::one_of(Layout::TILE, Layout::ROW_MAJOR);
        const Tensor x =
            from_vector(test::random_values(shape, each.low, each.high), shape, dtype, layout, device.get());
        const Tensor result = each.ours(x);
        std::vector<double> expected;
        for (const double value : x.to_vector<double>()) {
            // Blocks round small arguments out of where some functions have values.
            PROPERTY_PRE(value >= each.low && value <= each.high);
            expected.push_back(each.exact(value));
        }
        PROPERTY_ASSERT(result.shape() == shape && result.layout() == layout && result.dtype() == dtype);
        test::assert_close(result, expected, 2e-6);
    }));
}

INSTANTIATE_TEST_SUITE_P(Values, UnaryFunctions, testing::ValuesIn(kUnaryCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(InverseErf, gives_back_the_argument_of_erf) {
    const test::OpenDevice device;
    std::vector<float> values;
    for (int i = -60; i <= 60; ++i)
        values.push_back(static_cast<float>(i) / 64.0F);
    const Tensor y = from_vector(values, Shape{static_cast<std::uint32_t>(values.size())}, float32,
                                 ROW_MAJOR_LAYOUT, device.get());
    const std::vector<double> x = erfinv(y).to_vector<double>();
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(std::erf(x[i]), values[i], 1e-6);
}

TEST(AreaTangent, is_half_the_logarithm_of_a_quotient) {
    const test::OpenDevice device;
    const std::vector<float> values = {-0.9F, -0.5F, 0.0F, 0.25F, 0.75F};
    const Tensor y = from_vector(values, Shape{5}, float32, ROW_MAJOR_LAYOUT, device.get());
    const std::vector<double> x = atanh(y).to_vector<double>();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double v = values[i];
        EXPECT_NEAR(x[i], 0.5 * std::log((1 + v) / (1 - v)), 1e-6);
    }
}

}  // namespace
}  // namespace tilemeter
