// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Compiled programs (tests/data/compiled): their plans beside what the real TT-NN 0.81.1 recorded on a p150 of the same
// programs, and what the compiler's own runtime said.

#include "tools/compiled/plan.hpp"

#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/foreign/load.hpp"
#include "report/foreign/mlir_program.hpp"
#include "report/input.hpp"
#include "report/report_writer.hpp"
#include "runtime/types/runtime_error.hpp"
#include "tests/paths.hpp"

namespace tilemeter::compiled {
namespace {

using nlohmann::json;

std::string file_of(const std::string& name) {
    return test::data_folder() + "/compiled/" + name;
}

foreign::CompiledProgram program_of(const std::string& name) {
    auto program = foreign::load_compiled_program(file_of(name + ".mlir"));
    if (!program) throw std::runtime_error(program.error().message());
    return std::move(program).value();
}

std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

foreign::CompiledProgram program_of_text(std::string text) {
    auto program =
        foreign::read_mlir_program("test.mlir", std::make_shared<const std::string>(std::move(text)));
    if (!program) throw std::runtime_error(program.error().message());
    return std::move(program).value();
}

std::uint64_t number(const json& value) {
    return value.is_string() ? std::stoull(value.get<std::string>()) : value.get<std::uint64_t>();
}

json buffers_of(const json& graph) {
    json found = json::array();
    for (const json& node : graph) {
        const std::string type = node["node_type"];
        if (type != "buffer_allocate" && type != "buffer_deallocate") continue;
        const json& params = node["params"];
        found.push_back({type, params["type"], number(params["size"]), number(params["address"])});
    }
    return found;
}

// Program memory by device operation, in order.
json programs_of(const json& graph) {
    json found = json::array();
    std::vector<std::string> inside;
    for (const json& node : graph) {
        const std::string type = node["node_type"];
        if (type == "function_start") inside.push_back(node["params"]["name"]);
        if (type == "function_end" && !inside.empty()) inside.pop_back();
        if (type == "circular_buffer_allocate" || type == "dataflow_buffer_allocate" ||
            type == "scratchpad_allocate")
            found.push_back({inside.empty() ? "" : inside.back(), number(node["params"]["size"])});
    }
    return found;
}

class RecordedProgram : public testing::TestWithParam<const char*> {};

TEST_P(RecordedProgram, HasTtnnsBuffers) {
    const json recorded = json::parse(text_of_file(file_of(std::string(GetParam()) + ".json")));
    const Plan planned = plan(program_of(GetParam()), {.board = "p150"});
    EXPECT_EQ(planned.refusal, "");
    EXPECT_TRUE(planned.unknown.empty());
    EXPECT_TRUE(planned.left_out.empty());
    EXPECT_EQ(buffers_of(planned.graph.to_json()), recorded["buffers"]);
}

TEST_P(RecordedProgram, HasTtnnsPrograms) {
    const json recorded = json::parse(text_of_file(file_of(std::string(GetParam()) + ".json")));
    const Plan planned = plan(program_of(GetParam()), {.board = "p150"});
    // TT-NN shows nothing of a program that it had cached: of each operation as many rows as it has.
    json rows = json::array();
    std::set<std::string> operations;
    for (const json& row : recorded["programs"])
        operations.insert(row[0]);
    for (const json& row : programs_of(planned.graph.to_json()))
        if (operations.contains(row[0])) rows.push_back(row);
    std::size_t at = 0;
    for (const json& row : rows)
        if (at < recorded["programs"].size() && row == recorded["programs"][at]) ++at;
    EXPECT_EQ(at, recorded["programs"].size());
}

INSTANTIATE_TEST_SUITE_P(Programs, RecordedProgram,
                         testing::Values("mlp_o2", "conv_o2", "train_step_o0", "attention_o0"),
                         [](const auto& each) { return std::string(each.param); });

TEST(CompiledPlan, RefusesWhereTheCompilersRuntimeDoes) {
    const Plan planned = plan(program_of("conv_row_o0"));
    EXPECT_EQ(planned.refused_operation, "ttnn.conv1d");
    EXPECT_EQ(planned.refused_place, "programs_fail.py:8");
    EXPECT_EQ(
        planned.refusal,
        "DRAM Auto slice could not find valid slice configuration. Tried up to 1 slices for height-slicing on "
        "output dimension 1. Available L1: 1330048 bytes. Operation requires more memory than available even "
        "with maximum slicing.");
}

analysis::Judgement judged(const Plan& planned) {
    const auto list =
        analysis::load_node_list(report::Input::of_text("plan.json", report::report_text(planned.graph)));
    if (!list) throw std::runtime_error(list.error().message());
    return analysis::judge(list.value(), analysis::find_lifetimes(list.value()));
}

TEST(CompiledPlan, IsNeverSurerThanItsOperations) {
    const Plan planned = plan(program_of("embedding_o0"));
    EXPECT_EQ(planned.refusal, "");
    ASSERT_EQ(planned.unknown.size(), 1U);
    EXPECT_EQ(planned.unknown.begin()->first, "ttnn.rows_gather");
    EXPECT_EQ(judged(planned).verdict, analysis::Verdict::kUnknown);
    EXPECT_EQ(judged(plan(program_of("mlp_o2"))).verdict, analysis::Verdict::kFits);
}

TEST(CompiledPlan, LeavesInputsToTheirOwner) {
    const Plan planned = plan(program_of("mlp_o2"), {.board = "p150"});
    ASSERT_TRUE(planned.dram);
    // Inputs, the constant and the result.
    EXPECT_EQ(planned.dram->in_use, 514560U);
}

// memory_stats() of JAX's plugin after each program: a small reshape's table is not there, a result that is a constant is twice,
// rows that are not aligned are joined without others on the way.
TEST(CompiledPlan, SaysWhatThePluginHolds) {
    const struct {
        const char* program;
        DramUse ttnn, plugin;
    } kPrograms[] = {{"reduced_o0", {79360, 34216986112, 6656}, {72704, 34217058304, 0}},
                     {"constant_result_o0", {36864, 34216832000, 0}, {69632, 34216832000, 0}},
                     {"rolled_o0", {268455936, 33948675072, 0}, {268455936, 33948666368, 0}}};
    for (const auto& [program, ttnn, plugin] : kPrograms) {
        const Plan planned = plan(program_of(program));
        EXPECT_EQ(planned.dram, ttnn) << program;
        EXPECT_EQ(planned.dram_in_plugin, plugin) << program;
    }
    EXPECT_FALSE(plan(program_of("conv_row_o0")).dram_in_plugin);
}

// Slots, the constant and nothing else stay: the trace's function frees what it makes, both times.
TEST(CompiledPlan, CapturesATrace) {
    const Plan planned = plan(program_of("trace_o0"));
    EXPECT_EQ(planned.refusal, "");
    EXPECT_TRUE(planned.unknown.empty());
    ASSERT_TRUE(planned.dram);
    // 64 x 128, 128 x 256 and 64 x 256 of bfloat16, and a tile, which has a page in each of eight banks.
    EXPECT_EQ(planned.dram->in_use, 2 * (64 * 128 + 128 * 256 + 64 * 256) + 8 * 2048U);
    std::size_t products = 0;
    for (const json& node : planned.graph.to_json())
        products +=
            node["node_type"] == "function_start" && node["params"]["name"] == "MatmulDeviceOperation";
    EXPECT_EQ(products, 2U);
}

// Layouts and operations as the dialect had them: outputs among the operands, names in another case, no shape of constants.
TEST(CompiledPlan, OfAnOldModuleIsThatOfANewOne) {
    const std::string old_layouts = R"(
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#layout1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
)";
    const std::string new_layouts = R"(
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xf32, #ttnn.buffer_type<system_memory>>>
#layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>
)";
    const auto module = [](const std::string& constant, const std::string& sum) {
        return R"(
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<8x8>, meshShape = , chipIds = [0]>} {
  func.func @main(%arg0: tensor<64x128xf32, #layout1>, %arg1: tensor<64x128xf32, #layout>) -> tensor<64x128xf32, #layout1> {
    %0 = "ttnn.get_device"() : () -> !tt.device<<workerGrid = #tt.grid<8x8>, meshShape = , chipIds = [0]>>
    %1 = "ttnn.full"(%0) )" +
               constant +
               R"( : (!tt.device<#device>) -> tensor<64x128xf32, #layout1>
    )" + sum + R"( -> tensor<64x128xf32, #layout1>
    return %4 : tensor<64x128xf32, #layout1>
  }
}
)";
    };
    const std::string types = "tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout1>";
    const auto planned = [](const std::string& text) {
        Plan made = plan(program_of_text(text), {.board = "n150"});
        EXPECT_EQ(made.refusal, "");
        EXPECT_TRUE(made.unknown.empty());
        return made.graph.to_json();
    };
    const json old = planned(
        old_layouts +
        module("<{fillValue = 1.0 : f32}>",
               R"(%4 = "ttnn.subtract"(%arg0, %1, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : ()" +
                   types + ", tensor<64x128xf32, #layout1>)"));
    const json now = planned(new_layouts + module("<{fill_value = 1.0 : f32, shape = #ttnn.shape<64x128>}>",
                                                  R"(%4 = "ttnn.subtract"(%arg0, %1) : ()" + types + ")"));
    std::size_t allocations = 0;
    for (const json& node : now)
        allocations += node["node_type"] == "buffer_allocate";
    EXPECT_GE(allocations, 2U);
    ASSERT_EQ(old.size(), now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        EXPECT_EQ(old[i]["node_type"], now[i]["node_type"]) << i;
        if (now[i]["node_type"] == "function_start") {
            EXPECT_EQ(old[i]["params"]["name"], now[i]["params"]["name"]) << i;
            EXPECT_EQ(old[i]["input_tensors"], now[i]["input_tensors"]) << i;
        }
        if (now[i]["node_type"] != "buffer_allocate") continue;
        EXPECT_EQ(old[i]["params"]["address"], now[i]["params"]["address"]) << i;
        EXPECT_EQ(old[i]["params"]["size"], now[i]["params"]["size"]) << i;
    }
}

// The values of block formats are said to be bf16; the layout has what lies in memory.
TEST(CompiledPlan, TakesBlocksAsTheyLie) {
    const Plan planned = plan(program_of_text(R"(
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @main(%arg0: tensor<64x128xbf16, #layout>) -> tensor<64x128xbf16, #layout> {
  %0 = "ttnn.relu"(%arg0) : (tensor<64x128xbf16, #layout>) -> tensor<64x128xbf16, #layout>
  return %0 : tensor<64x128xbf16, #layout>
}
)"),
                              {.board = "n150"});
    EXPECT_EQ(planned.refusal, "");
    std::vector<json> sizes;
    for (const json& node : planned.graph.to_json())
        if (node["node_type"] == "buffer_allocate") sizes.push_back(node["params"]["size"]);
    EXPECT_EQ(sizes, std::vector<json>{8 * 1088});
}

TEST(CompiledPlan, OfArgumentsThatDoNotFitIsRefused) {
    std::string text = text_of_file(file_of("mlp_o2.mlir"));
    for (const std::string size : {"32x784", "784x256"})
        for (std::size_t at = 0;
             (at = text.find("tensor<" + size + "xbf16, #ttnn_layout", at)) != std::string::npos; ++at)
            text.replace(at + 7, size.size(), "3276800x78400");
    const Plan planned = plan(program_of_text(text), {.board = "p150"});
    EXPECT_EQ(planned.refused_operation, "arguments");
    EXPECT_NE(planned.refusal.find("Out of Memory"), std::string::npos) << planned.refusal;
}

TEST(CompiledPlan, NamesTheUsersLines) {
    const Plan planned = plan(program_of("mlp_o2"), {.board = "p150"});
    std::size_t with_line = 0;
    for (const json& node : planned.graph.to_json())
        if (node.contains("stack_trace") &&
            node["stack_trace"].dump().find("programs.py") != std::string::npos)
            ++with_line;
    EXPECT_GT(with_line, 5U);
}

TEST(CompiledPlan, OfAProgramThatCannotBePlannedIsOneLine) {
    std::string text = text_of_file(file_of("mlp_o2.mlir"));
    EXPECT_THROW(plan(program_of_text(text), {.board = "no_such_board"}), RuntimeError);
    EXPECT_THROW(plan(program_of_text(text), {.board = "", .function = "other"}), RuntimeError);
    const std::string from = "arch = <blackhole>", to = "arch = <quasar>";
    text.replace(text.find(from), from.size(), to);
    try {
        plan(program_of_text(text));
        FAIL() << "a board of an architecture that the model lacks";
    } catch (const RuntimeError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("quasar"), std::string::npos) << error.what();
    }
}

// Whatever a damaged program says, the answer is a plan, a refusal in it, or one line.
TEST(CompiledPlan, OfDamagedProgramsEndsInOneLine) {
    const std::string text = text_of_file(file_of("conv_o2.mlir"));
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        std::string damaged = text;
        for (int change = 0; change < 3; ++change) {
            const std::size_t at = random() % damaged.size();
            if (random() % 2 == 0)
                damaged[at] = "0123456789-x<>(),"[random() % 17];
            else
                damaged.erase(at, 1 + random() % 8);
        }
        auto program =
            foreign::read_mlir_program("test.mlir", std::make_shared<const std::string>(std::move(damaged)));
        if (!program) continue;
        try {
            const Plan planned = plan(program.value(), {.board = "p150"});
            EXPECT_EQ(planned.refusal.find('\n'), std::string::npos);
        } catch (const RuntimeError& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace tilemeter::compiled
