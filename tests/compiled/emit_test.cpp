// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/emit.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "report/foreign/load.hpp"
#include "tests/paths.hpp"

namespace tilemeter::compiled {
namespace {

EmittedProgram emitted(const std::string& name) {
    const auto program = foreign::load_compiled_program(test::data_folder() + "/compiled/" + name + ".mlir");
    if (!program) throw std::runtime_error(program.error().message());
    return python_program(program.value());
}

TEST(EmittedProgram, CallsConstantsOnceAndFreesWhatTheModuleFrees) {
    const std::string text = emitted("mlp_o2").text;
    EXPECT_NE(text.find("load_cached, = constant(main_const_eval_0, device)\n"), std::string::npos);
    EXPECT_NE(text.find("    x_1 = free(x_1)\n"), std::string::npos);
    EXPECT_EQ(text.find(" = free(x)\n"), std::string::npos);  // an input, which its owner has
    EXPECT_NE(text.find("# programs.py:7\n"), std::string::npos);
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
