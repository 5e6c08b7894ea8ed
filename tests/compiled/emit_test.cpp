// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/emit.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "report/foreign/load.hpp"
#include "tests/paths.hpp"

namespace tilemeter::compiled {
namespace {

foreign::CompiledProgram emitted_program(const std::string& name) {
    auto program = foreign::load_compiled_program(test::data_folder() + "/compiled/" + name + ".mlir");
    if (!program) throw std::runtime_error(program.error().message());
    return std::move(program).value();
}

EmittedProgram emitted(const std::string& name) {
    return python_program(emitted_program(name));
}

TEST(EmittedProgram, CallsConstantsOnceAndFreesWhatTheModuleFrees) {
    const std::string text = emitted("mlp_o2").text;
    EXPECT_NE(text.find("load_cached, = constant(main_const_eval_0, device)\n"), std::string::npos);
    EXPECT_NE(text.find("    x_1 = free(x_1)\n"), std::string::npos);
    EXPECT_EQ(text.find(" = free(x)\n"), std::string::npos);  // an input, which its owner has
    EXPECT_NE(text.find("# programs.py:7\n"), std::string::npos);
}

TEST(EmittedProgram, IsCppThatCallsTtnnsFunctionsInTheirOrder) {
    const std::string text = cpp_program(emitted_program("mlp_o2")).text;
    EXPECT_NE(text.find("#include \"ttnn/operations/matmul/matmul.hpp\"\n"), std::string::npos);
    EXPECT_NE(
        text.find(
            "    ttnn::Tensor reduce_max = ttnn::max(add_1, ttsl::SmallVector<int>{1}, false, memory_config_"),
        std::string::npos);
    EXPECT_NE(text.find(" = ttnn::relu(add, memory_config_"), std::string::npos);
    EXPECT_NE(text.find("    give_up(x_1);\n"), std::string::npos);
    EXPECT_EQ(text.find("give_up(x);"), std::string::npos);  // an input, which its owner has
    EXPECT_NE(text.find("    // programs.py:7\n"), std::string::npos);
    EXPECT_NE(text.find(".per_core_N = "), std::string::npos);
}

TEST(EmittedProgram, IsCppForEachProgram) {
    for (const char* name :
         {"attention_o0", "conv_o2", "conv_row_o0", "mlp_o2", "trace_o0", "train_step_o0"}) {
        const EmittedProgram made = cpp_program(emitted_program(name));
        EXPECT_TRUE(made.unknown.empty()) << name;
        EXPECT_NE(made.text.find("int main(int count, char** arguments) {"), std::string::npos) << name;
    }
    EXPECT_NE(cpp_program(emitted_program("embedding_o0")).text.find("not_known(\"ttnn.rows_gather\")"),
              std::string::npos);
}

// Its slots are allocated, its function runs and is captured, the last slots are the results.
TEST(EmittedProgram, DoesWhatTheFirstCallOfATraceDoes) {
    const std::string text = emitted("trace_o0").text;
    EXPECT_NE(text.find("slot, slot_1, slot_2, slot_3 = allocate_slots_trace_0_main(device, load_cached)\n"),
              std::string::npos);
    EXPECT_NE(
        text.find(
            "    run_and_capture_trace_0_main(device, x, w, slot, slot_1, slot_2, slot_3)\n    return [slot_3]\n"),
        std::string::npos);
    // Its inputs lie on the host.
    EXPECT_NE(
        text.find("        ttnn.zeros([64, 128], dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT),\n"),
        std::string::npos);
}

TEST(EmittedProgram, SaysWhichOperationsItCannotCall) {
    const EmittedProgram program = emitted("embedding_o0");
    ASSERT_EQ(program.unknown.size(), 1U);
    EXPECT_EQ(program.unknown.front(), "ttnn.rows_gather");
    EXPECT_NE(program.text.find("not_known(\"ttnn.rows_gather\")"), std::string::npos);
    EXPECT_NE(program.text.find("raise NotImplementedError(operation)"), std::string::npos);
}

}  // namespace
}  // namespace tilemeter::compiled
