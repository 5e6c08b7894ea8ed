// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Records of gradients: what they hold, where they run, what they refuse.

#include "runtime/trace/device/gradients/gradient_record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "capture/graph/graph_processor.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/text.hpp"
#include "runtime/operations.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/trace/device/gradients/gradient.hpp"
#include "runtime/trace/device/record/internal/call_arguments.hpp"
#include "runtime/trace/device/replay/executable.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/inputs.hpp"

namespace tilemeter::trace {
namespace {

using Tensors = std::vector<Tensor>;
using Inputs = std::span<const Tensor>;
using test::input_of;

const Shape kTile{32, 32};

// An encoder's block, whose calls differ in what they have: rules, or a lowering alone (max).
Tensors block(Inputs x) {
    const Tensor normal = layer_norm({.input_tensor = x[0], .epsilon = 1e-5F, .weight = x[2], .bias = x[3]});
    const auto [query, key, value] = transformer::split_query_key_value_and_split_heads(
        {.input_tensor = matmul(normal, x[1]), .num_heads = 2});
    const Tensor scores = multiply(matmul(query, key), 0.17F);
    const Tensor mixed = transformer::concatenate_heads(matmul(softmax(scores, -1), value));
    const Tensor out = add(mixed, x[0]);
    return {sum(multiply(max(Max{.input_tensor = out, .dim = -1, .keepdim = true}), out))};
}

Tensors inputs_of_block(const std::shared_ptr<Device>& device, DataType dtype) {
    return {input_of(device, {{2, 32, 64}, -1, 1}, dtype, 1),
            input_of(device, {{64, 192}, -0.3F, 0.3F}, dtype, 2),
            input_of(device, {{1, 64}, 0.5F, 1.5F}, dtype, 3),
            input_of(device, {{1, 64}, -0.5F, 0.5F}, dtype, 4)};
}

// Rules ask one by one for the facts that an equation has of the call.
template <typename Definition>
void expect_asked_alike(const Definition& arguments, std::size_t least) {
    ObjectRoom room;
    std::vector<internal::TensorArgument> tensors;
    const internal::GivenArguments given =
        internal::given_arguments(typeid(Definition), &arguments, tensors, room);
    const ir::Attributes all = given.attributes();
    EXPECT_GE(all.entries().size(), least);
    for (const ir::Attributes::Entry& each : all.entries()) {
        const std::optional<ir::Attribute> alone = given.attribute(each.name);
        EXPECT_TRUE(alone && ir::equal(*alone, each.value)) << each.name;
    }
    for (const char* const name :
         {"activations", "compute_kernel_config", "dim", "fused_activation", "keepdim", "memory_config",
          "operands", "scale", "transpose_a", "input_tensor_a", "nothing"})
        EXPECT_EQ(given.attribute(name).has_value(), all.find(name) != nullptr) << name;
}

TEST(GradientRecord, asks_a_call_for_one_argument_as_its_equation_has_it) {
    const test::OpenDevice device;
    const Tensor x = input_of(device.get(), {kTile, -1, 1}, DataType::BFLOAT16, 1);
    expect_asked_alike(Matmul{.input_tensor_a = x, .input_tensor_b = x}, 2);
    expect_asked_alike(Matmul{.input_tensor_a = x,
                              .input_tensor_b = x,
                              .transpose_b = true,
                              .memory_config = L1_MEMORY_CONFIG,
                              .program_config =
                                  MatmulMultiCoreReuseMultiCastProgramConfig{
                                      .compute_with_storage_grid_size = {1, 1},
                                      .in0_block_w = 1,
                                      .out_subblock_h = 1,
                                      .out_subblock_w = 1,
                                      .per_core_M = 1,
                                      .per_core_N = 1,
                                      .fused_activation = UnaryWithParam(UnaryOpType::RELU)}},
                       4);
    expect_asked_alike(Sum{.input_tensor = x, .dim = std::vector<int>{0, 1}, .keepdim = true, .scalar = 2.0F},
                       3);
    expect_asked_alike(LayerNorm{.input_tensor = x, .epsilon = 1e-5F, .bias = x},
                       1);  // the weight is left out
    expect_asked_alike(Concat{.tensors = {x, x}, .dim = 1}, 1);
}

TEST(GradientRecord, is_part_of_a_traced_function) {
    const test::OpenDevice device;
    const Tensors inputs = inputs_of_block(device.get(), DataType::FLOAT32);
    const Positions wrt{0, 1, 2, 3};
    const Tensors eager = value_and_grad(block, inputs, wrt);
    const auto traced = trace_on_device([&](Inputs x) { return value_and_grad(block, x, wrt); }, inputs);
    const Tensors replayed = Executable(traced).replay(inputs);
    ASSERT_EQ(eager.size(), replayed.size());
    for (std::size_t i = 0; i < eager.size(); ++i)
        EXPECT_EQ(eager[i].to_vector<float>(), replayed[i].to_vector<float>());

    const Tensors lowered = place_gradient(*trace_on_device(block, inputs), wrt).run(inputs);
    for (std::size_t i = 0; i < eager.size(); ++i) {
        const std::vector<float> expected = lowered[i].to_vector<float>();
        const std::vector<float> found = eager[i].to_vector<float>();
        float largest = 1;
        for (const float each : expected)
            largest = std::max(largest, std::abs(each));
        for (std::size_t j = 0; j < found.size(); ++j)
            ASSERT_NEAR(found[j], expected[j], 2e-4F * largest) << "result " << i << " element " << j;
    }
}

TEST(GradientRecord, tells_a_traced_steps_passes_apart) {
    const test::OpenDevice device;
    const Tensors inputs = {input_of(device.get(), {{32, 32}, -1, 1}, DataType::FLOAT32, 1),
                            input_of(device.get(), {{32, 32}, -1, 1}, DataType::FLOAT32, 2)};
    const auto loss = [](Inputs x) { return Tensors{sum(tanh(matmul(x[0], x[1])))}; };
    const auto traced = trace_on_device(
        [&](Inputs x) {
            const Tensor half = multiply(x[0], 0.5F);  // read by the record alone
            const Tensors made = value_and_grad(loss, std::array{half, x[1]}, {1});
            const Tensor rate = multiply(x[1], 0.1F);  // by the step alone
            return Tensors{made[0], subtract(x[1], multiply(made[1], rate)), relu(x[0])};
        },
        inputs);
    const auto texts_of = [](const ir::Graph& graph) {
        std::vector<std::string> texts;
        const std::vector<Pass> passes = passes_of(graph);
        for (const ir::Equation each : graph.equations())
            texts.push_back(std::string(each.operation()) + " " + std::string(name_of(passes[each.index()])));
        return texts;
    };
    const std::vector<std::string> found = texts_of(traced->graph());
    const std::vector<std::string> begin = {"ttnn.multiply forward", "ttnn.matmul forward",
                                            "ttnn.tanh forward", "ttnn.sum forward"};
    const std::vector<std::string> end = {"ttnn.multiply optimizer", "ttnn.multiply optimizer",
                                          "ttnn.subtract optimizer", "ttnn.relu unknown"};
    ASSERT_GT(found.size(), begin.size() + end.size());
    EXPECT_TRUE(std::ranges::equal(std::span(found).first(begin.size()), begin));
    EXPECT_TRUE(std::ranges::equal(std::span(found).last(end.size()), end));
    for (std::size_t i = begin.size(); i + end.size() < found.size(); ++i)
        EXPECT_TRUE(found[i].ends_with(" backward")) << found[i];
    EXPECT_EQ(texts_of(ir::parse(ir::print(traced->graph()))), found);

    // A function that takes no gradients is a way forward.
    const auto forward = trace_on_device(loss, inputs);
    for (const Pass each : passes_of(forward->graph()))
        EXPECT_EQ(each, Pass::kForward);
}

// A gradient by lowering (max) is planned before it runs: neither a trace nor a capture holds the plan.
TEST(GradientRecord, has_no_trace_of_how_a_lowering_was_planned) {
    const test::OpenDevice device;
    const Tensors inputs = {
        input_of(device.get(), {.shape = {32, 64}, .low = -1, .high = 1}, DataType::BFLOAT16, 1)};
    const auto loss = [](Inputs x) {
        return Tensors{sum(max(Max{.input_tensor = x[0], .dim = -1, .keepdim = true}))};
    };
    const auto step = [&](Inputs x) { return value_and_grad(loss, x, {0}); };
    const auto traced = trace_on_device(step, inputs);
    std::vector<bool> is_used(traced->graph().value_count());
    for (const ir::Equation each : traced->graph().equations())
        for (const ir::ValueId operand : each.operands())
            is_used[ir::index_of(operand)] = true;
    for (const ir::ValueId each : traced->graph().results())
        is_used[ir::index_of(each)] = true;
    for (const ir::Equation each : traced->graph().equations()) {
        bool is_dead = true;
        for (std::size_t i = 0; i < each.results().size(); ++i)
            is_dead = is_dead && !is_used[ir::index_of(each.results()[i])];
        EXPECT_FALSE(is_dead) << each.operation();
    }

    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NORMAL);
    step(inputs);
    const nlohmann::json eager = graph::GraphProcessor::end_graph_capture();
    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NORMAL);
    Executable(traced).replay(inputs);
    const nlohmann::json replayed = graph::GraphProcessor::end_graph_capture();
    EXPECT_EQ(eager.size(), replayed.size());
}

TEST(GradientRecord, keeps_what_rules_read_and_no_more) {
    const test::OpenDevice device;
    const Tensor x = input_of(device.get(), {{64, 64}}, DataType::FLOAT32, 1);
    const Tensor w = input_of(device.get(), {{64, 64}}, DataType::FLOAT32, 2);
    constexpr std::uint64_t kBytes = 64 * 64 * 4;
    const auto kept = [&](const std::function<Tensor()>& function) {
        GradientRecord record(std::span(&w, 1));
        const Tensor loss = function();
        return record.kept_bytes();
    };
    EXPECT_EQ(kept([&] { return add(add(w, x), 2.0F); }), 0U);
    EXPECT_EQ(kept([&] { return multiply(w, 2.0F); }), 0U);
    EXPECT_EQ(kept([&] { return multiply(w, x); }), kBytes);
    EXPECT_EQ(kept([&] { return multiply(w, w); }), kBytes);
    EXPECT_EQ(kept([&] { return matmul(x, w); }), kBytes);
    EXPECT_EQ(kept([&] { return softmax(w, -1); }), kBytes);
    EXPECT_EQ(kept([&] { return reshape(sum(w), Shape{1, 1}); }), 0U);
    EXPECT_EQ(kept([&] { return multiply(x, x); }), 0U);

    const auto allocated = [&] { return device.get()->owners(record::MemoryType::kDram).size(); };
    GradientRecord record(std::span(&w, 1));
    const std::size_t before = allocated();
    {
        const Tensor sum_of_both = add(add(w, x), x);
        EXPECT_EQ(allocated(), before + 1);
    }
    EXPECT_EQ(allocated(), before);
    const Tensor power = exp(w);
    add(x, x);  // holds nothing of it either
    EXPECT_EQ(allocated(), before + 1);
}

TEST(GradientRecord, adds_up_what_is_used_twice_and_leaves_zeros) {
    const test::OpenDevice device;
    const Tensor x = input_of(device.get(), {kTile}, DataType::FLOAT32, 1);
    const Tensor y = input_of(device.get(), {kTile}, DataType::FLOAT32, 2);
    const Tensor z = input_of(device.get(), {kTile}, DataType::FLOAT32, 3);
    const std::array of{x, y, z};
    GradientRecord record(of);
    const Tensor unused = multiply(z, y);
    const Tensor loss = sum(add(multiply(x, y), multiply(x, x)));
    const Tensors gradients = record.backward(loss);
    EXPECT_EQ(gradients[0].to_vector<float>(), add(y, multiply(x, 2.0F)).to_vector<float>());
    EXPECT_EQ(gradients[1].to_vector<float>(), x.to_vector<float>());
    EXPECT_EQ(gradients[2].to_vector<float>(), std::vector<float>(1024));
    EXPECT_EQ(record.size(), 0U);
}

TEST(GradientRecord, differentiates_gradients) {
    const test::OpenDevice device;
    const Tensor x = input_of(device.get(), {kTile, 0.5F, 2}, DataType::FLOAT32, 1);
    const TensorFunction slope = [](Inputs inputs) {
        const TensorFunction cubes = [](Inputs of) {
            return Tensors{sum(multiply(multiply(of[0], of[0]), of[0]))};
        };
        return Tensors{sum(value_and_grad(cubes, inputs, {0})[1])};
    };
    const Tensors found = value_and_grad(slope, std::span(&x, 1), {0});
    const std::vector<float> expected = multiply(x, 6.0F).to_vector<float>();
    const std::vector<float> second = found[1].to_vector<float>();
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(second[i], expected[i], 1e-4F);
}

TEST(GradientRecord, leaves_no_memory_behind) {
    const test::OpenDevice device;
    const Tensors inputs = inputs_of_block(device.get(), DataType::BFLOAT16);
    const auto allocated = [&] { return device.get()->owners(record::MemoryType::kDram).size(); };
    value_and_grad(block, inputs, {0, 1});  // puts the tables of programs on the device
    const auto before = allocated();
    for (int i = 0; i < 3; ++i) {
        value_and_grad(block, inputs, {0, 1});
        EXPECT_EQ(allocated(), before);
    }
}

/// The device programs of a capture, each with the sizes of its circular buffers.
std::vector<std::string> programs_of(const nlohmann::json& nodes) {
    std::vector<std::string> programs;
    std::vector<std::size_t> open;  // by depth: the program, or none
    constexpr std::size_t kNone = ~std::size_t{0};
    for (const nlohmann::json& node : nodes) {
        const std::string type = node["node_type"];
        if (type == "function_start") {
            const std::string name = node["params"]["name"];
            const bool is_program = name.find("Operation") != std::string::npos;
            open.push_back(is_program ? programs.size() : kNone);
            if (is_program) programs.push_back(name);
        } else if (type == "function_end" && !open.empty()) {
            open.pop_back();
        } else if (type == "circular_buffer_allocate" && !open.empty() && open.back() != kNone) {
            programs[open.back()] += " " + node["params"]["size"].dump();
        }
    }
    return programs;
}

std::vector<std::string> programs_of_call(const std::function<void()>& call) {
    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NORMAL);
    call();
    return programs_of(graph::GraphProcessor::end_graph_capture());
}

// tests/python/scripts/training_loop.py has a classifier of two layers with its way back as somebody wrote it.
TEST(GradientRecord, makes_the_programs_of_a_way_back_written_by_hand) {
    const test::OpenDevice device;
    const auto made = [&](const Shape& shape, unsigned seed) {
        return input_of(device.get(), {shape, -1, 1}, DataType::BFLOAT16, seed);
    };
    const Tensor x = made({64, 96}, 1);
    const Tensor target = made({64, 32}, 2);
    const std::array weights{made({128, 96}, 3), made({1, 128}, 4), made({32, 128}, 5)};
    Tensor hidden;
    Tensor active;
    Tensor scores;
    Tensor shares;
    Tensor loss;
    const TensorFunction forward = [&](Inputs w) {
        hidden = moreh_linear(MorehLinear{.input = x, .weight = w[0], .bias = w[1]});
        active = gelu(hidden);
        scores =
            moreh_matmul(MorehMatmul{.input = active,
                                     .other = w[2],
                                     .transpose_other = true,
                                     .compute_kernel_config = DeviceComputeKernelConfig{
                                         .math_fidelity = MathFidelity::HiFi4, .fp32_dest_acc_en = true}});
        shares = moreh_logsoftmax(scores, 1);
        return Tensors{moreh_mean(neg(multiply(shares, target)))};
    };
    Tensors by_hand;
    const auto backward = [&](const Tensor& of_loss) {
        Tensor gradient = moreh_mean_backward(MorehMeanBackward{.output_grad = of_loss,
                                                                .dim = std::vector<int>{0, 1},
                                                                .keepdim = true,
                                                                .input_grad_shape = scores.shape()});
        gradient = mul_bw(gradient, shares, target, RequiredOutputs{true, false})[0].value();
        gradient = moreh_logsoftmax_backward(shares, gradient, 1);
        const Tensor of_second =
            moreh_matmul(MorehMatmul{.input = gradient, .other = active, .transpose_input = true});
        gradient =
            gelu_bw(moreh_matmul(MorehMatmul{.input = gradient, .other = weights[2]}), hidden)[0].value();
        const Tensor of_first =
            moreh_matmul(MorehMatmul{.input = gradient, .other = x, .transpose_input = true});
        by_hand = {of_first, moreh_sum(MorehSum{.input = gradient, .dim = 0, .keepdim = true}), of_second};
    };
    const auto there = programs_of_call([&] { loss = forward(weights)[0]; });
    const auto back = programs_of_call([&] { backward(loss); });
    Tensors results;
    const auto whole = programs_of_call([&] { results = value_and_grad(forward, weights, {0, 1, 2}); });
    ASSERT_GE(back.size(), 8U);
    ASSERT_GE(whole.size(), there.size());
    const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(there.size());
    EXPECT_EQ(std::vector(whole.begin(), middle), there);
    std::vector<std::string> made_back(middle, whole.end());
    // The differences: the script takes its loss for the gradient of the loss, which is 1, and leaves out the gradient of the
    // minus in it.
    ASSERT_EQ(made_back.size(), back.size() + 2);
    EXPECT_NE(made_back[0].find("Full"), std::string::npos) << made_back[0];
    EXPECT_NE(made_back[2].find("Unary"), std::string::npos) << made_back[2];
    made_back.erase(made_back.begin() + 2);
    made_back.erase(made_back.begin());
    EXPECT_EQ(made_back, back);

    // And its values: the script begins with the loss where the loss's gradient belongs, which is 1.
    backward(neg(full_like(loss, 1.0F)));
    for (std::size_t i = 0; i < by_hand.size(); ++i)
        EXPECT_EQ(results[i + 1].to_vector<float>(), by_hand[i].to_vector<float>()) << "gradient " << i;
}

std::size_t resident_bytes_now() {
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// tests/python/trace_memory.py does a hundred thousand of them.
TEST(GradientRecord, leaves_no_memory_of_the_process_behind) {
    const test::OpenDevice device;
    const Tensor x = input_of(device.get(), {kTile}, DataType::BFLOAT16, 1);
    Tensor w = input_of(device.get(), {kTile}, DataType::BFLOAT16, 2);
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            GradientRecord record(std::span(&w, 1));
            const Tensor loss = sum(softmax(relu(matmul(x, w)), -1));
            w = subtract(w, multiply(record.backward(loss)[0], 0.1F));
        }
    };
    run(500);
    const std::size_t before = resident_bytes_now();
    run(2000);
    // Sanitizers keep what is freed for a while.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(resident_bytes_now(), before + (std::size_t{1} << 20U));
#else
    EXPECT_GT(before, 0U);
#endif
}

TEST(GradientRecord, notices_whatever_overwrites_a_value_that_a_gradient_needs) {
    const test::OpenDevice device;
    const Tensor x = input_of(device.get(), {kTile, 0.5F, 2}, DataType::BFLOAT16, 1);
    const Tensor other = input_of(device.get(), {kTile, 0.5F, 2}, DataType::BFLOAT16, 2);
    using Write = std::function<void(const Tensor&)>;
    const std::vector<std::pair<const char*, Write>> writes = {
        {"in place", [](const Tensor& to) { add_(to, 1.0F); }},
        {"output tensor", [&](const Tensor& to) { add(other, other, std::nullopt, std::nullopt, to); }},
        {"an optimizer's parameter",
         [&](const Tensor& to) {
             moreh_sgd(MorehSgd{.param_in = to, .grad = other, .param_out = to, .lr = 0.1F});
         }},
        {"from the host", [&](const Tensor& to) { overwrite(download(other), to); }},
        {"a replay", [&](const Tensor& to) {
             const auto traced = trace_on_device(
                 [](Inputs of) {
                     add_(of[0], 1.0F);
                     return Tensors{of[0]};
                 },
                 std::span(&other, 1));
             Executable(traced).replay(std::span(&to, 1));
         }}};
    for (const auto& [how, write] : writes) {
        const Tensor beside = input_of(device.get(), {kTile, 0.5F, 2}, DataType::BFLOAT16, 3);
        for (const bool while_recording : {true, false}) {
            GradientRecord record(std::span(&x, 1));
            const Tensor loss = sum(multiply(x, beside));
            if (!while_recording) record.stop();
            write(beside);
            EXPECT_THROW(record.backward(loss), ir::Error) << how << ' ' << while_recording;
        }
        GradientRecord record(std::span(&x, 1));
        write(beside);
        EXPECT_NO_THROW(record.backward(sum(multiply(x, beside)))) << how;
    }
}

// A tensor that a call writes over is none of its operands, and has no gradient of what made it before.
TEST(GradientRecord, takes_no_output_that_is_given_for_an_operand) {
    const test::OpenDevice device;
    const Tensor w = input_of(device.get(), {kTile, -1, 1}, DataType::FLOAT32, 1);
    const Tensor c = input_of(device.get(), {kTile, -1, 1}, DataType::FLOAT32, 2);
    const auto expect_gradient = [&](const std::function<Tensor()>& loss, float expected) {
        GradientRecord record(std::span(&w, 1));
        for (const float each : record.backward(loss()).at(0).to_vector<float>())
            ASSERT_EQ(each, expected);
    };
    const auto twice = [&] { return multiply(w, 2.0F); };
    const auto into = [](const Tensor& a, const Tensor& b, const Tensor& output) {
        auto call = add.defaults<Binary<Tensor, Tensor>>()();
        call.input_tensor_a = a;
        call.input_tensor_b = b;
        call.output_tensor = output;
        return call_operation(call);
    };
    expect_gradient([&] { return sum(into(w, c, twice())); }, 1);
    expect_gradient([&] { return sum(into(c, c, twice())); }, 0);
    expect_gradient([&] { return sum(copy(c, twice())); }, 0);
    expect_gradient([&] { return sum(copy(w, twice())); }, 1);
    // The sum before it is of the product still.
    expect_gradient(
        [&] {
            const Tensor product = twice();
            const Tensor before = sum(product);
            return add(before, sum(into(c, c, product)));
        },
        2);
    expect_gradient(
        [&] {
            return checkpoint([&](Inputs x) { return Tensors{sum(into(c, c, multiply(x[0], 2.0F)))}; },
                              std::span(&w, 1))
                .at(0);
        },
        0);
}

// A view and what it is of are two tensors: of a write through one the other has no gradient.
TEST(GradientRecord, refuses_memory_that_was_written_through_another_tensor) {
    const test::OpenDevice device;
    const Tensor w = input_of(device.get(), {kTile, -1, 1}, DataType::FLOAT32, 1);
    const auto view_of = [](const Tensor& tensor) { return reshape(tensor, Shape{1, 32, 32}); };
    using Loss = std::function<Tensor(const Tensor& twice, const Tensor& view, const Tensor& c)>;
    const std::vector<std::pair<Loss, std::optional<float>>> cases = {
        {[](auto& twice, auto& view, auto&) { return add_(twice, 1.0F), sum(view); }, std::nullopt},
        {[](auto& twice, auto& view, auto&) { return add_(view, 1.0F), sum(twice); }, std::nullopt},
        {[](auto& twice, auto& view, auto& c) { return copy(c, twice), sum(view); }, std::nullopt},
        {[&](auto& twice, auto& view, auto& c) { return copy(view_of(c), view), sum(twice); }, std::nullopt},
        {[&](auto& twice, auto&, auto& c) {
             const Tensor of_c = view_of(c);
             return copy(twice, c), sum(of_c);
         },
         std::nullopt},
        {[&](auto& twice, auto&, auto&) { return add_(twice, 1.0F), sum(view_of(twice)); }, 2.0F},
        {[&](auto& twice, auto&, auto& c) { return copy(twice, c), sum(view_of(c)); }, 2.0F},
        {[&](auto& twice, auto&, auto& c) {
             copy(twice, c);
             copy(w, c);
             return sum(view_of(c));
         },
         1.0F},
        {[](auto& twice, auto& view, auto&) {
             const Tensor before = sum(view);
             add_(twice, 1.0F);
             return add(before, sum(twice));
         },
         4.0F}};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto& [loss, gradient] = cases[i];
        for (const bool in_checkpoint : {false, true}) {
            const Tensor c = input_of(device.get(), {kTile, -1, 1}, DataType::FLOAT32, 2);
            const auto run = [&](Inputs x) {
                const Tensor twice = multiply(x[0], 2.0F);
                return Tensors{loss(twice, view_of(twice), c)};
            };
            GradientRecord record(std::span(&w, 1));
            if (!gradient) {
                try {
                    record.backward(in_checkpoint ? checkpoint(run, std::span(&w, 1))[0]
                                                  : run(std::span(&w, 1))[0]);
                    ADD_FAILURE() << "case " << i;
                } catch (const ir::Error& error) {
                    EXPECT_NE(std::string(error.what()).find("written through another tensor"),
                              std::string::npos)
                        << error.what();
                }
                continue;
            }
            if (in_checkpoint) continue;
            for (const float each : record.backward(run(std::span(&w, 1))[0])[0].to_vector<float>())
                ASSERT_EQ(each, *gradient) << "case " << i;
        }
    }
}

TEST(GradientRecord, refuses_in_one_line) {
    const test::OpenDevice device;
    const Tensor x = input_of(device.get(), {kTile, 0.5F, 2}, DataType::FLOAT32, 1);
    const Tensor numbers = test::counted_integers(device.get(), kTile, 8);
    const auto refusal = [&](const std::function<Tensor()>& function) {
        try {
            GradientRecord record(std::span(&x, 1));
            record.backward(function());
        } catch (const ir::Error& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            return std::string(ir::name_of(error.kind())) + ": " + error.what();
        }
        return std::string("nothing");
    };
    EXPECT_EQ(
        refusal([&] { return relu(x); }),
        "grad_needs_scalar: gradient: found a loss of Shape([32, 32]), expected a tensor of one element");
    EXPECT_EQ(refusal([&] { return sum(nextafter(x, x)); }),
              "no_rule: ttnn.nextafter: no vjp rule, and no lower rule");
    EXPECT_EQ(
        refusal([&] {
            Tensor y = exp(x);
            const Tensor loss = sum(square(y));
            y.deallocate();
            return loss;
        }),
        "no_rule: ttnn.square: found its input_tensor freed, which its gradient needs, expected it until backward() "
        "has run");
    EXPECT_EQ(
        refusal([&] {
            const Tensor y = exp(x);
            const Tensor loss = sum(square(y));
            add_(y, 1.0F);
            return loss;
        }),
        "no_rule: ttnn.square: found its input_tensor overwritten, which its gradient needs, expected it unchanged "
        "until backward() has run; write to another tensor");
    EXPECT_EQ(refusal([&]() -> Tensor {
                  GradientRecord record(std::span(&numbers, 1));
                  return x;
              }),
              "grad_needs_float: gradient: found tensor 0 of UINT32, expected floats");
    const auto traced = trace_on_device([](Inputs of) { return Tensors{relu(of[0])}; }, std::span(&x, 1));
    EXPECT_EQ(
        refusal([&] { return sum(Executable(traced).replay(std::span(&x, 1))[0]); }),
        "no_rule: gradient: found a replay of a traced function on what is recorded, expected calls of operations; "
        "call the function that was traced");
    EXPECT_EQ(
        refusal([&] {
            GradientRecord outer(std::span(&x, 1));
            const Tensor loss = sum(x);
            const GradientRecord inner(std::span(&x, 1));
            return outer.backward(loss)[0];
        }),
        "bad_argument: gradient: found another record open that began later, or another thread, expected that the "
        "last one ends first");
    const auto twice = [&]() -> Tensor {
        GradientRecord record(std::span(&x, 1));
        const Tensor loss = sum(x);
        record.backward(loss);
        record.backward(loss);
        return loss;
    };
    EXPECT_EQ(refusal(twice), "bad_argument: gradient: found a record that has ended, expected a new one");
}

}  // namespace
}  // namespace tilemeter::trace
