// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Each operation of the kinds that models are made of, lowered and evaluated, beside its own values in float32.

#include "runtime/trace/device/rules/lower_ttnn.hpp"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "runtime/operations.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/lowering.hpp"

namespace tilemeter {
namespace {

using Tensors = std::vector<Tensor>;
using Inputs = std::span<const Tensor>;

std::string compared(const trace::TensorFunction& function, const Tensors& inputs) {
    try {
        return test::lowering_difference(function, inputs);
    } catch (const std::exception& error) {
        return error.what();
    }
}

TEST(LowerTtnn, computes_functions_of_one_element) {
    const test::OpenDevice device;
    const Tensors inside{test::random_floats(device.get(), {1, 2, 5, 7}, -0.9F, 0.9F)};
    const Tensors positive{test::random_floats(device.get(), {1, 2, 5, 7}, 1.1F, 4.0F)};
    const Tensors any{test::random_floats(device.get(), {1, 2, 5, 7}, -3.0F, 3.0F)};
    std::size_t compared_functions = 0;
    for (const UnaryFunction* const each : kUnaryFunctions) {
        const std::string name = each->row().operation.name;
        if (!trace::has_lowering("ttnn." + name)) continue;
        const bool is_inside = name == "acos" || name == "asin" || name == "atanh" || name == "erfinv";
        const bool is_positive = name == "acosh" || name == "lgamma" || name == "digamma";
        const auto function = [&](Inputs x) { return Tensors{(*each)(x[0])}; };
        if (name == "bitwise_not") continue;  // of integers
        EXPECT_EQ(compared(function, is_inside ? inside : is_positive ? positive : any), "") << name;
        ++compared_functions;
    }
    EXPECT_GE(compared_functions, 50U);
    for (const ApproximableUnaryFunction* const each : kApproximableUnaryFunctions) {
        const auto function = [&](Inputs x) { return Tensors{(*each)(x[0])}; };
        EXPECT_EQ(compared(function, positive), "") << each->row().operation.name;
    }
    for (const DefaultedUnaryFunction* const each : kDefaultedUnaryFunctions)
        EXPECT_EQ(compared([&](Inputs x) { return Tensors{(*each)(x[0])}; }, any), "")
            << each->row().operation.name;
    for (const NumberedUnaryFunction* const each : kNumberedUnaryFunctions) {
        if (each == &softcap) continue;  // of another device
        EXPECT_EQ(compared([&](Inputs x) { return Tensors{(*each)(x[0], 0.7F)}; }, any), "")
            << each->row().operation.name;
    }
    for (const TwoNumbersUnaryFunction* const each : kTwoNumbersUnaryFunctions)
        EXPECT_EQ(compared([&](Inputs x) { return Tensors{(*each)(x[0])}; }, any), "")
            << each->row().operation.name;
    const std::map<std::string, trace::TensorFunction> others = {
        {"gelu", [](Inputs x) { return Tensors{gelu(x[0])}; }},
        {"gelu, fast", [](Inputs x) { return Tensors{gelu(x[0], true)}; }},
        {"round", [](Inputs x) { return Tensors{round(x[0], 1)}; }},
        {"rdiv", [](Inputs x) { return Tensors{rdiv(x[0], 2.5F)}; }},
        {"prelu", [](Inputs x) { return Tensors{prelu(x[0], 0.3F)}; }},
        {"pow", [](Inputs x) { return Tensors{pow(x[0], 3.0F)}; }},
        {"clamp", [](Inputs x) { return Tensors{clamp(x[0], -0.5F, 1.25F)}; }},
        {"threshold", [](Inputs x) { return Tensors{threshold(x[0], 0.5F, 9.0F)}; }},
        {"unary_chain",
         [](Inputs x) {
             return Tensors{
                 unary_chain(x[0], {{UnaryOpType::RELU, {}}, {UnaryOpType::ADD_UNARY_SFPU, {0.1}}})};
         }},
    };
    for (const auto& [name, function] : others)
        EXPECT_EQ(compared(function, any), "") << name;
}

TEST(LowerTtnn, computes_functions_of_two_elements) {
    const test::OpenDevice device;
    const Tensors inputs{test::random_floats(device.get(), {2, 3, 5, 7}, 0.3F, 3.0F, 1),
                         test::random_floats(device.get(), {1, 3, 1, 7}, 0.3F, 3.0F, 2)};
    const auto check = [&](const auto& each) {
        const std::string name = each.row().operation.name;
        if (name.starts_with("bitwise") || name.starts_with("logical_l") || name.starts_with("logical_r"))
            return;
        EXPECT_EQ(compared([&](Inputs x) { return Tensors{each(x[0], x[1])}; }, inputs), "") << name;
        if constexpr (!std::is_same_v<std::decay_t<decltype(each)>, BinaryOfTensors>) {
            EXPECT_EQ(compared([&](Inputs x) { return Tensors{each(x[0], Scalar(1.3))}; }, {inputs[0]}), "")
                << name << " of a number";
        }
    };
    for (const NumberFirstBinaryFunction* const each : kNumberFirstBinaryFunctions)
        check(*each);
    for (const BinaryFunction* const each : kBinaryFunctions)
        check(*each);
    for (const BinaryOfTensors* const each : {&atan2, &hypot})
        check(*each);
    for (const InPlaceBinaryFunction* const each : kInPlaceBinaryFunctions) {
        const Tensors fresh{test::random_floats(device.get(), {2, 3, 5, 7}, 0.3F, 3.0F, 1), inputs[1]};
        EXPECT_EQ(compared([&](Inputs x) { return Tensors{(*each)(x[0], x[1])}; }, fresh), "")
            << each->row().operation.name;
    }
    const Activations relu{{UnaryOpType::RELU, {}}};
    const Activations steep{{UnaryOpType::LEAKY_RELU, {0.3}}};
    EXPECT_EQ(compared(
                  [&](Inputs x) {
                      return Tensors{subtract(x[0], x[1], std::nullopt, std::nullopt, std::nullopt, relu,
                                              std::nullopt, steep)};
                  },
                  inputs),
              "");
    EXPECT_EQ(compared([&](Inputs x) { return Tensors{where(gt(x[0], 1.0F), x[1], 2.0F)}; }, inputs), "");
    EXPECT_EQ(compared([&](Inputs x) { return Tensors{where(gt(x[0], 1.0F), 2.0F, x[1])}; }, inputs), "");
    EXPECT_EQ(compared([&](Inputs x) { return Tensors{addcmul(x[0], x[1], x[1], 0.5F)}; }, inputs), "");
    EXPECT_EQ(compared([&](Inputs x) { return Tensors{lerp(x[0], x[1], 0.25F)}; }, inputs), "");
}

TEST(LowerTtnn, computes_reductions_and_order) {
    const test::OpenDevice device;
    const Tensors inputs{test::random_floats(device.get(), {2, 3, 33, 40})};
    const std::map<std::string, trace::TensorFunction> cases = {
        {"sum", [](Inputs x) { return Tensors{sum(x[0], -1)}; }},
        {"sum of all", [](Inputs x) { return Tensors{sum(x[0])}; }},
        {"sum of several, kept",
         [](Inputs x) {
             return Tensors{sum(x[0], std::vector<int>{1, 3}, true)};
         }},
        {"mean", [](Inputs x) { return Tensors{mean(x[0], 2)}; }},
        {"max", [](Inputs x) { return Tensors{max(x[0], 1)}; }},
        {"min", [](Inputs x) { return Tensors{min(x[0], -1, true)}; }},
        {"var", [](Inputs x) { return Tensors{var(x[0], -1)}; }},
        {"var_hw", [](Inputs x) { return Tensors{var_hw(x[0])}; }},
        {"std_hw", [](Inputs x) { return Tensors{std_hw(x[0])}; }},
        {"std", [](Inputs x) { return Tensors{tilemeter::std(x[0], -1)}; }},
        {"cumsum", [](Inputs x) { return Tensors{cumsum(x[0], 1)}; }},
        {"cumprod", [](Inputs x) { return Tensors{cumprod(x[0], 1)}; }},
    };
    for (const auto& [name, function] : cases)
        EXPECT_EQ(compared(function, inputs), "") << name;
}

TEST(LowerTtnn, computes_products) {
    const test::OpenDevice device;
    const Tensor a = test::random_floats(device.get(), {2, 3, 33, 40}, -1, 1, 1);
    const Tensor b = test::random_floats(device.get(), {40, 50}, -1, 1, 2);
    const Tensor c = test::random_floats(device.get(), {1, 50}, -1, 1, 3);
    const Tensor wide = test::random_floats(device.get(), {50, 40}, -1, 1, 4);
    EXPECT_EQ(compared([](Inputs x) { return Tensors{matmul(x[0], x[1])}; }, {a, b}), "");
    EXPECT_EQ(
        compared(
            [](Inputs x) {
                return Tensors{matmul({.input_tensor_a = x[0], .input_tensor_b = x[1], .transpose_b = true})};
            },
            {a, wide}),
        "");
    EXPECT_EQ(
        compared(
            [](Inputs x) {
                return Tensors{linear(
                    {.input_tensor_a = x[0], .input_tensor_b = x[1], .bias = x[2], .activation = "gelu"})};
            },
            {a, b, c}),
        "");
}

TEST(LowerTtnn, computes_norms_and_softmax) {
    const test::OpenDevice device;
    const Tensor x = test::random_floats(device.get(), {2, 3, 33, 64});
    const Tensor weight = test::random_floats(device.get(), {1, 64}, 0.5F, 1.5F, 2);
    const Tensor bias = test::random_floats(device.get(), {1, 64}, -1, 1, 3);
    EXPECT_EQ(compared([](Inputs t) { return Tensors{softmax(t[0], -1)}; }, {x}), "");
    EXPECT_EQ(compared([](Inputs t) { return Tensors{softmax(t[0], 1)}; }, {x}), "");
    EXPECT_EQ(compared(
                  [](Inputs t) {
                      return Tensors{layer_norm({.input_tensor = t[0], .epsilon = 1e-5F, .bias = t[1]})};
                  },
                  {x, bias}),
              "");
    EXPECT_EQ(compared(
                  [](Inputs t) {
                      return Tensors{layer_norm({.input_tensor = t[0],
                                                 .epsilon = 1e-5F,
                                                 .weight = t[1],
                                                 .bias = t[2],
                                                 .residual_input_tensor = t[0]})};
                  },
                  {x, weight, bias}),
              "");
    EXPECT_EQ(compared(
                  [](Inputs t) {
                      return Tensors{rms_norm({.input_tensor = t[0], .epsilon = 1e-5F, .weight = t[1]})};
                  },
                  {x, weight}),
              "");
}

TEST(LowerTtnn, computes_sums_of_many_terms) {
    const test::OpenDevice device;
    const Tensor small = test::random_floats(device.get(), {2, 5, 7}, 0.1F, 4.0F, 1);
    const Tensor large = test::random_floats(device.get(), {2, 5, 7}, -20.0F, 20.0F, 2);
    const Tensor gradient = test::random_floats(device.get(), {2, 5, 7}, -1, 1, 3);
    EXPECT_EQ(compared([](Inputs t) { return Tensors{i0(t[0]), i1(t[0])}; }, {large}), "");
    for (const int k : {1, 2, 3, 10})
        EXPECT_EQ(
            compared([k](Inputs t) { return Tensors{polygamma({.input_tensor = t[0], .k = k})}; }, {small}),
            "")
            << k;
    const auto gradients = [](Inputs t) {
        return Tensors{*digamma_bw(t[0], t[1])[0], *i0_bw(t[0], t[1])[0], *fill_bw(t[0], t[1])[0],
                       *polygamma_bw({.grad_tensor = t[0], .input_tensor = t[1], .n = 2})[0]};
    };
    EXPECT_EQ(compared(gradients, {gradient, small}), "");
}

// Gradients of zeros, where they are not finite.
TEST(LowerTtnn, computes_gradients_at_the_pole_of_digamma) {
    const test::OpenDevice device;
    const auto floats = [&](std::vector<float> values) {
        return from_vector(std::span<const float>(values), {1, 3}, DataType::FLOAT32, TILE_LAYOUT,
                           device.get());
    };
    const auto gradients = [](Inputs t) {
        return Tensors{*digamma_bw(t[0], t[1])[0],
                       *polygamma_bw({.grad_tensor = t[0], .input_tensor = t[1], .n = 1})[0],
                       *polygamma_bw({.grad_tensor = t[0], .input_tensor = t[1], .n = 2})[0]};
    };
    EXPECT_EQ(compared(gradients, {floats({-1, 0, 1}), floats({0, 0, 0})}), "");
}

TEST(LowerTtnn, takes_gradients_that_are_given_back_as_they_came) {
    const test::OpenDevice device;
    Tensors inputs;
    for (unsigned seed = 1; seed < 5; ++seed)
        inputs.push_back(test::random_floats(device.get(), {2, 5, 7}, 0.5F, 2.0F, seed));
    const auto all = [](const Gradients& gradients) {
        Tensors found;
        for (const OptionalTensor& each : gradients)
            found.push_back(*each);
        return found;
    };
    EXPECT_EQ(compared([&](Inputs t) { return all(addcmul_bw(t[0], t[1], t[2], t[3], 0.5F)); }, inputs), "");
    EXPECT_EQ(compared([&](Inputs t) { return all(addcdiv_bw(t[0], t[1], t[2], t[3], 0.5F)); }, inputs), "");
    inputs.resize(3);
    EXPECT_EQ(compared([&](Inputs t) { return all(fmod_bw(t[0], t[1], t[2])); }, inputs), "");
    EXPECT_EQ(compared([&](Inputs t) { return all(remainder_bw(t[0], t[1], t[2])); }, inputs), "");
}

TEST(LowerTtnn, moves_elements) {
    const test::OpenDevice device;
    const Tensor x = test::random_floats(device.get(), {2, 3, 33, 40});
    const std::map<std::string, trace::TensorFunction> cases = {
        {"reshape",
         [](Inputs t) {
             return Tensors{reshape(t[0], {6, 33, 40})};
         }},
        {"permute",
         [](Inputs t) {
             return Tensors{permute(t[0], {0, 2, 1, 3})};
         }},
        {"transpose", [](Inputs t) { return Tensors{transpose(t[0], -2, -1)}; }},
        {"concat",
         [](Inputs t) {
             return Tensors{concat({t[0], t[0]}, -1)};
         }},
        {"repeat",
         [](Inputs t) {
             return Tensors{repeat(t[0], {1, 2, 1, 2})};
         }},
        {"to_layout", [](Inputs t) { return Tensors{to_layout(t[0], ROW_MAJOR_LAYOUT)}; }},
        {"untilize", [](Inputs t) { return Tensors{untilize(t[0])}; }},
    };
    for (const auto& [name, function] : cases)
        EXPECT_EQ(compared(function, {x}), "") << name;
}

Tensor bfloat16_images(const test::OpenDevice& device, const Shape& shape) {
    return typecast(to_layout(test::random_floats(device.get(), shape), ROW_MAJOR_LAYOUT),
                    DataType::BFLOAT16);
}

test::OpenDevice with_small_l1() {
    DeviceOptions options;
    options.l1_small_size = 32768;
    return test::OpenDevice(options);
}

TEST(LowerTtnn, computes_pools) {
    const test::OpenDevice device = with_small_l1();
    const Tensor x = bfloat16_images(device, {1, 1, 2 * 9 * 7, 32});
    Pool2dArguments all;
    all.batch_size = 2;
    all.input_h = 9;
    all.input_w = 7;
    all.channels = 32;
    all.kernel_size = {3, 2};
    all.stride = {2, 2};
    all.padding = {1, 1, 1, 0};
    for (const bool ceil_mode : {false, true}) {
        for (const bool counts_padding : {false, true}) {
            const auto average = [&](Inputs t) {
                AvgPool2d call{all};
                call.input_tensor = t[0];
                call.ceil_mode = ceil_mode;
                call.count_include_pad = counts_padding;
                // In shards, which take ceil_mode: slices of DRAM do not.
                call.input_tensor = to_memory_config(t[0], L1_MEMORY_CONFIG);
                return Tensors{avg_pool2d(call)};
            };
            EXPECT_EQ(compared(average, {x}), "") << ceil_mode << counts_padding;
        }
        const auto largest = [&](Inputs t) {
            MaxPool2d call{all};
            call.input_tensor = to_memory_config(t[0], L1_MEMORY_CONFIG);
            call.ceil_mode = ceil_mode;
            return Tensors{max_pool2d(call).values};
        };
        EXPECT_EQ(compared(largest, {x}), "") << ceil_mode;
    }
    const auto adaptive = [&](Inputs t) {
        AdaptiveAvgPool2d call{all};
        call.input_tensor = t[0];
        call.output_size = {3, 7};
        return Tensors{adaptive_avg_pool2d(call)};
    };
    EXPECT_EQ(compared(adaptive, {x}), "");
}

TEST(LowerTtnn, computes_larger_images) {
    const test::OpenDevice device = with_small_l1();
    const Tensor x = bfloat16_images(device, {2, 5, 6, 32});
    for (const char* const mode : {"nearest", "bilinear"}) {
        const auto larger = [&](Inputs t) {
            return Tensors{upsample(
                Upsample{.input_tensor = t[0], .scale_factor = std::array{2.0F, 3.0F}, .mode = mode})};
        };
        EXPECT_EQ(compared(larger, {x}), "") << mode;
    }
}

TEST(LowerTtnn, computes_convolutions) {
    const test::OpenDevice device = with_small_l1();
    const Tensor x = bfloat16_images(device, {1, 1, 2 * 8 * 6, 32});
    const auto on_host = [](const Shape& shape, unsigned seed) {
        const std::vector<float> values = test::uneven_values(shape.volume(), -0.5F, 0.5F, seed);
        return from_vector(std::span<const float>(values), shape, DataType::BFLOAT16, ROW_MAJOR_LAYOUT);
    };
    const auto arguments = [&](auto& call, const Tensor& input) {
        call.input_tensor = input;
        call.device = device.get();
        call.in_channels = 32;
        call.out_channels = 64;
        call.batch_size = 2;
        call.input_height = 8;
        call.input_width = 6;
        call.kernel_size = {3, 2};
        call.stride = {2, 1};
        call.padding = {1, 0};
    };
    const Tensors weights{on_host({64, 32, 3, 2}, 3), on_host({1, 1, 1, 64}, 4)};
    const auto convolution = [&](Inputs t) {
        Conv2d call;
        arguments(call, t[0]);
        call.weight_tensor = weights[0];
        call.bias_tensor = weights[1];
        call.conv_config.activation = UnaryWithParam{UnaryOpType::RELU, {}};
        return Tensors{conv2d(call).output};
    };
    EXPECT_EQ(test::lowering_difference(convolution, Tensors{x}, 2e-5, weights), "");
    const Tensors of_transposed{on_host({32, 64, 3, 2}, 5)};
    const auto transposed = [&](Inputs t) {
        ConvTranspose2d call;
        arguments(call, t[0]);
        call.weight_tensor = of_transposed[0];
        return Tensors{conv_transpose2d(call).output};
    };
    EXPECT_EQ(test::lowering_difference(transposed, Tensors{x}, 2e-5, of_transposed), "");
}

TEST(LowerTtnn, computes_products_user_by_user) {
    const test::OpenDevice device;
    const auto bf16 = [&](const Shape& shape) {
        return typecast(test::random_floats(device.get(), shape), DataType::BFLOAT16);
    };
    const Tensor rows = bf16({1, 4, 32, 64});
    const CoreCoord grid{8, 8};
    EXPECT_EQ(
        compared(
            [&](Inputs t) {
                return Tensors{experimental::attn_matmul(experimental::AttnMatmul{
                    .input_tensor_a = t[0], .input_tensor_b = t[1], .compute_with_storage_grid_size = grid})};
            },
            {rows, bf16({32, 1, 64, 96})}),
        "");
    EXPECT_EQ(
        compared(
            [&](Inputs t) {
                return Tensors{experimental::group_attn_matmul(experimental::GroupAttnMatmul{
                    .input_tensor_a = t[0], .input_tensor_b = t[1], .compute_with_storage_grid_size = grid})};
            },
            {rows, bf16({32, 2, 64, 96})}),
        "");
    EXPECT_EQ(compared(
                  [&](Inputs t) {
                      return Tensors{experimental::attn_matmul_from_cache(
                          experimental::AttnMatmulFromCache{.input_tensor_a = t[0],
                                                            .input_tensor_b = t[1],
                                                            .num_tokens = 32,
                                                            .transpose_hw = true,
                                                            .compute_with_storage_grid_size = grid})};
                  },
                  {rows, bf16({32, 1, 96, 64})}),
              "");
}

TEST(LowerTtnn, computes_norms_in_two_steps) {
    const test::OpenDevice device;
    const Tensor x = typecast(test::random_floats(device.get(), {1, 2, 32, 64}), DataType::BFLOAT16);
    const auto normalized = [](const auto& sums, const auto& norm) {
        return [&](Inputs t) {
            const Tensor one = sums({.input_tensor = t[0]});
            return Tensors{one,
                           norm({.input_tensor = t[0], .stats = concat({one, one}, -1), .epsilon = 1e-5F})};
        };
    };
    EXPECT_EQ(compared(normalized(layer_norm_pre_all_gather, layer_norm_post_all_gather), {x}), "");
    EXPECT_EQ(compared(normalized(rms_norm_pre_all_gather, rms_norm_post_all_gather), {x}), "");
}

TEST(LowerTtnn, computes_gradients_of_norms_and_products) {
    const test::OpenDevice device;
    const Tensor x =
        typecast(test::random_floats(device.get(), {1, 2, 32, 64}, 0.5F, 1.5F), DataType::BFLOAT16);
    for (const float p : {2.0F, 3.0F}) {
        const auto norm = [&](Inputs t) {
            const Tensor y = moreh_norm(MorehNorm{.input = t[0], .p = p, .dim = 3, .keepdim = true});
            return Tensors{moreh_norm_backward(MorehNormBackward{
                .input = t[0], .output = y, .output_grad = y, .p = p, .dim = 3, .keepdim = true})};
        };
        EXPECT_EQ(compared(norm, {x}), "") << p;
    }
    for (const std::optional<std::int64_t> dim : {std::optional<std::int64_t>(), {1}, {3}}) {
        const auto product = [&](Inputs t) {
            const Tensor y = prod(Prod{.input_tensor = t[0], .dim = dim, .keepdim = true});
            return Tensors{*prod_bw(ProdGradient{.grad_tensor = y, .input_tensor = t[0], .dim = dim})[0]};
        };
        const Tensor few = test::random_floats(device.get(), {1, 2, 32, 32}, 0.97F, 1.03F);
        EXPECT_EQ(compared(product, {few}), "") << dim.value_or(-1);
    }
}

TEST(LowerTtnn, takes_the_numbers_of_elements_that_topk_is_given) {
    const test::OpenDevice device;
    const Tensor x = typecast(test::random_floats(device.get(), {1, 1, 32, 64}), DataType::BFLOAT16);
    const Tensor numbers = to_layout(test::counted_integers(device.get(), {1, 1, 32, 64}, 1000), TILE_LAYOUT);
    const auto largest = [](Inputs t) {
        return topk(Topk{.input_tensor = t[0], .k = 8, .indices_tensor = t[1]});
    };
    EXPECT_EQ(compared(largest, {x, numbers}), "");
}

TEST(LowerTtnn, refuses_what_has_no_lowering) {
    const test::OpenDevice device;
    const Tensor x = test::random_floats(device.get(), {32, 32}, 0.5F, 1.5F);
    const auto traced = trace::trace_on_device([](Inputs t) { return Tensors{nextafter(relu(t[0]), t[0])}; },
                                               std::span<const Tensor>(&x, 1));
    EXPECT_EQ(trace::without_lowering(traced->graph()), std::vector<std::string>{"ttnn.nextafter"});
    try {
        trace::lower_ttnn(traced->graph());
        FAIL() << "expected an error";
    } catch (const ir::Error& error) {
        EXPECT_EQ(error.kind(), ir::ErrorKind::kNoRule);
        EXPECT_STREQ(error.what(), "ttnn.nextafter: no lower rule");
    }
}

}  // namespace
}  // namespace tilemeter
