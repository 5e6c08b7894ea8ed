// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs that are refused, cut down: what is left fails in the same way, and nothing of it can go.

#include "tools/compiled/cut.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "report/foreign/load.hpp"
#include "report/foreign/mlir_program.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tests/paths.hpp"
#include "tools/compiled/emit.hpp"

namespace tilemeter::compiled {
namespace {

foreign::CompiledProgram loaded(const std::string& name) {
    auto program = foreign::load_compiled_program(test::data_folder() + "/compiled/" + name + ".mlir");
    if (!program) throw std::runtime_error(program.error().message());
    return std::move(program).value();
}

// `held` tensors of half a gigabyte each, made by operations, and as many others that are freed again; then one that needs what
// is left of 32 GB.
foreign::CompiledProgram full_memory(int held, int freed) {
    std::string text = R"(#dram = #ttnn.buffer_type<dram>
#system_desc = #ttcore.system_desc<[{role = host}], [{arch = <blackhole>, grid = 10x13, l1_size = 1572864, num_dram_channels = 8, dram_channel_size = 4278190080, l1_unreserved_base = 112640}], [0]>
#half = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x512x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#large = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4096x1024x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module attributes {ttcore.system_desc = #system_desc} {
  func.func @main(%arg0: tensor<16384x16384xbf16, #half>) -> tensor<131072x32768xbf16, #large> {
    %device = "ttnn.get_device"() : () -> !ttnn.device
)";
    for (int i = 0; i < held + freed; ++i) {
        const std::string name = "%" + std::to_string(i);
        text +=
            "    " + name +
            " = \"ttnn.relu\"(%arg0) : (tensor<16384x16384xbf16, #half>) -> tensor<16384x16384xbf16, #half>\n";
        if (i >= held)
            text += "    \"ttnn.deallocate\"(" + name +
                    ") <{force = false}> : (tensor<16384x16384xbf16, #half>) -> ()\n";
    }
    const std::string a_shape = "#ttnn.shape<131072x32768>";
    for (const char* name : {"%large", "%larger"})
        text += std::string("    ") + name + " = \"ttnn.empty\"(%device) <{shape = " + a_shape +
                "}> : (!ttnn.device) -> tensor<131072x32768xbf16, #large>\n";
    text += "    return %larger : tensor<131072x32768xbf16, #large>\n  }\n}\n";
    auto program =
        foreign::read_mlir_program("test.mlir", std::make_shared<const std::string>(std::move(text)));
    if (!program) throw std::runtime_error(program.error().message());
    return std::move(program).value();
}

TEST(CutProgram, IsTheOperationAloneWhereItFailsByItself) {
    const CutProgram made = cut(loaded("conv_row_o0"), "conv1d");
    EXPECT_EQ(made.kept_count, 1U);
    EXPECT_GT(made.operation_count, 20U);
    const Plan planned = plan(made.program, {.board = {}, .function = made.function});
    EXPECT_EQ(planned.refused_operation, "ttnn.conv1d");
    EXPECT_EQ(planned.refused_place, "programs_fail.py:8");
    // Both of its operands are arguments now, and have names.
    EXPECT_EQ(made.program.find(made.function)->arguments.size(), 2U);
    EXPECT_NE(python_program(made.program, made.function).text.find(", conv_general_dilated"),
              std::string::npos);
}

TEST(CutProgram, HoldsAsMuchMemoryAsTheFailureNeeds) {
    const foreign::CompiledProgram whole = full_memory(40, 16);
    const Plan failed = plan(whole);
    ASSERT_EQ(failed.refused_operation, "ttnn.empty") << failed.refusal;
    const CutProgram made = cut(whole, "");
    EXPECT_EQ(made.kept_count, 1U);
    const Plan planned = plan(made.program, {.board = {}, .function = made.function});
    EXPECT_EQ(planned.refused_operation, "ttnn.empty");
    // One less is too little to fail.
    foreign::CompiledProgram less = made.program;
    foreign::ProgramFunction& main = less.functions.front();
    ASSERT_GT(main.arguments.size(), 0U);
    EXPECT_LT(main.arguments.size(), 42U);  // all that is alive there
    for (std::size_t i = 0; i < main.arguments.size(); ++i) {
        foreign::CompiledProgram without = made.program;
        foreign::ProgramFunction& function = without.functions.front();
        function.arguments.erase(function.arguments.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_EQ(plan(without).refusal, "") << i;
    }
}

TEST(CutProgram, SaysWhyThereIsNone) {
    const auto message = [](const std::string& name, const std::string& failure) -> std::string {
        try {
            cut(loaded(name), failure);
        } catch (const RuntimeError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(message("mlp_o2", ""),
              "cut: expected a program that is refused, found one that is planned to its end");
    const std::string other = message("conv_row_o0", "clash");
    EXPECT_NE(other.find("expected a failure with 'clash', found ttnn.conv1d"), std::string::npos) << other;
}

}  // namespace
}  // namespace tilemeter::compiled
