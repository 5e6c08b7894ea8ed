// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/mlir_program.hpp"

#include <cstddef>
#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "report/foreign/mlir/module.hpp"

namespace tilemeter::foreign {
namespace {

// A dump of two stages, as a compiler logs them, of `relu(x @ w)`.
constexpr const char* kDump = R"(2026-11-01 10:00:00 | DEBUG | module_builder.cc:7 | MLIR Module shlo:
module @jit_f {
  func.func public @main(%arg0: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
    return %arg0 : tensor<32x64xbf16> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
2026-11-01 10:00:01 | DEBUG | module_builder.cc:9 | MLIR Module ttnn:
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#loc1 = loc("x")
#system_desc = #ttcore.system_desc<[{role = host}], [{arch = <wormhole_b0>, grid = 8x8, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, l1_unreserved_base = 104640, supported_tile_sizes = [ 4x16,  32x32]}, {arch = <blackhole>, grid = 1x1}], [0, 0], [1 : i32], [ 0x0x0x0]>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #dram>, <interleaved>>
#layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x2x!ttcore.tile<32x32, bfp_bf8>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,0)>, #ttnn.core_range<(0,1), (3,1)>]>>
#layout2 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2xsi32, #ttnn.buffer_type<system_memory>>>
module @jit_f attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
  ttcore.device_module {
    builtin.module @jit_f attributes {ttcore.system_desc = #system_desc, ttnn.l1_const_eval_usage = 0 : ui64} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0] -> (0, d0 floordiv 4, d1 + s0), meshShape = 1x2, chipIds = [0, 1]> loc(#loc)
      func.func private @main_const_eval_0(%arg0: tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout> attributes {tt.function_type = "const_eval"} {
        return %arg0 : tensor<64x64xbf16, #layout> loc(#loc)
      } loc(#loc)
      func.func public @main(%arg0: tensor<32x64xbf16, #layout> {ttcore.argument_type = #ttcore.argument_type<input>} loc("x"), %arg1: tensor<64x64xbf16, #layout> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "model.w"} loc("w")) -> (tensor<32x64xbf16, #layout1> {jax.result_info = "result"}) attributes {tt.function_type = "forward_device"} {
        %0 = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x2>}> : () -> !ttnn.device loc(#loc)
        %1 = ttcore.load_cached(@main_const_eval_0, [%arg1]) : (tensor<64x64xbf16, #layout>) -> tensor<64x64xbf16, #layout> loc(#loc)
        %2 = "ttnn.matmul"(%arg0, %1) <{transpose_a = false, transpose_b = true, matmul_program_config = #ttnn.config<grid = #ttnn.core_coord<8, 1>, in0_block_w = 1, fused_activation = <op_type = relu>>}> : (tensor<32x64xbf16, #layout>, tensor<64x64xbf16, #layout>) -> tensor<32x64xbf16, #layout1> loc(#loc5)
        %values:2, %rest = "ttnn.three"(%2) <{operandSegmentSizes = array<i32: 1, 0>, value = -1.5e+00 : f32, bits = 0xFF800000 : f32, "odd name" = [#layout, {k}]}> : (tensor<32x64xbf16, #layout1>) -> (tensor<32xbf16>, tensor<?xsi32, #layout2>, tensor<f32>) loc(fused<"why">[#loc6, "y"])
        "ttnn.deallocate"(%values#1) <{force = false}> : (tensor<?xsi32, #layout2>) -> () loc(#loc1)
        return %2 : tensor<32x64xbf16, #layout1> loc(#loc)
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("model.py":14:8 to :32)
#loc3 = loc("forward"(#loc2))
#loc4 = loc("run.py":3:1)
#loc5 = loc("jit(f)/dot_general"(#loc7))
#loc6 = loc(callsite("inner"("layers.py":2:3) at #loc4))
#loc7 = loc(callsite(#loc3 at #loc4))
)";

CompiledProgram program_of(const std::string& text) {
    auto read = read_mlir_program("file.mlir", std::make_shared<const std::string>(text));
    if (!read) throw std::runtime_error(read.error().message());
    return std::move(read).value();
}

const ProgramOperation& operation(const ProgramFunction& function, std::string_view name) {
    for (const ProgramOperation& each : function.operations)
        if (each.name == name) return each;
    throw std::runtime_error("no " + std::string(name));
}

TEST(MlirProgram, is_the_last_stage_with_its_functions_and_device) {
    const CompiledProgram program = program_of(kDump);
    EXPECT_EQ(program.name, "jit_f");
    EXPECT_EQ(program.stage_count, 2U);
    EXPECT_EQ(program.system.architecture, "wormhole_b0");
    EXPECT_EQ(program.system.grid_rows, 8);
    EXPECT_EQ(program.system.l1_size, 1'499'136);
    EXPECT_EQ(program.system.l1_base, 104'640);
    EXPECT_EQ(program.system.chip_count, 2U);
    EXPECT_EQ(program.system.mesh_shape, (std::vector<std::int64_t>{1, 2}));
    ASSERT_EQ(program.functions.size(), 2U);
    EXPECT_EQ(program.functions[0].kind, "const_eval");
    EXPECT_TRUE(program.functions[0].is_private);
    const ProgramFunction& main = *program.find("main");
    EXPECT_EQ(main.argument_kinds, (std::vector<std::string>{"input", "parameter"}));
    EXPECT_EQ(main.values[main.arguments[0]].name, "x");
    EXPECT_EQ(main.values[main.arguments[1]].name, "model.w");
    EXPECT_EQ(main.results.size(), 1U);
}

TEST(MlirProgram, has_the_layouts_of_tensors) {
    const CompiledProgram program = program_of(kDump);
    const ProgramFunction& main = *program.find("main");
    const auto type_of_result = [&](std::string_view name, std::size_t result) {
        return program.types[main.values[operation(main, name).results.at(result)].type];
    };
    const TensorType product = type_of_result("ttnn.matmul", 0);
    EXPECT_EQ(product.shape, (std::vector<std::int64_t>{32, 64}));
    EXPECT_EQ(product.element, "bfp_bf8");  // of memory: the values are bf16
    ASSERT_TRUE(product.layout);
    EXPECT_TRUE(product.layout->is_tiled);
    EXPECT_EQ(product.layout->memory, "l1");
    EXPECT_EQ(product.layout->arrangement, "block_sharded");
    EXPECT_EQ(product.layout->grid, (std::vector<std::int64_t>{2, 4}));
    EXPECT_EQ(product.layout->shard, (std::vector<std::int64_t>{1, 2}));
    ASSERT_EQ(product.layout->cores.size(), 2U);
    EXPECT_EQ(product.layout->cores[1].last_x, 3);
    EXPECT_EQ(product.layout->cores[1].first_y, 1);
    EXPECT_FALSE(type_of_result("ttnn.get_device", 0).is_tensor);
    const TensorType open = type_of_result("ttnn.three", 1);
    EXPECT_EQ(open.shape, (std::vector<std::int64_t>{-1}));
    EXPECT_EQ(open.layout->memory, "system_memory");
    EXPECT_EQ(open.layout->arrangement, "");
    EXPECT_FALSE(type_of_result("ttnn.three", 0).layout);
    EXPECT_TRUE(type_of_result("ttnn.three", 2).shape.empty());
}

TEST(MlirProgram, has_attributes_by_their_names) {
    const CompiledProgram program = program_of(kDump);
    const ProgramFunction& main = *program.find("main");
    const mlir::Value product = operation(main, "ttnn.matmul").read_attributes();
    EXPECT_EQ(product.find("transpose_b")->integer(), 1);
    const mlir::Value& config = *product.find("matmul_program_config");
    EXPECT_EQ(config.text, "#ttnn.config");
    EXPECT_EQ(config.find("grid")->at(0)->integer(), 8);
    EXPECT_EQ(config.find("fused_activation")->find("op_type")->text, "relu");
    const ProgramOperation& three = operation(main, "ttnn.three");
    EXPECT_EQ(three.segments, (std::vector<std::uint32_t>{1, 0}));
    const mlir::Value values = three.read_attributes();
    EXPECT_EQ(values.find("value")->number(), -1.5);
    EXPECT_EQ(values.find("bits")->number(), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(values.find("odd name")->items.size(), 2U);
    EXPECT_EQ(operation(main, "ttnn.deallocate").operands[0], three.results[1]);
    EXPECT_EQ(operation(main, "ttcore.load_cached").callee, "main_const_eval_0");
}

TEST(MlirProgram, leads_to_the_users_own_line) {
    const CompiledProgram program = program_of(kDump);
    const ProgramFunction& main = *program.find("main");
    const UserPlace& product = program.places[operation(main, "ttnn.matmul").place];
    EXPECT_EQ(product.name, "jit(f)/dot_general");
    EXPECT_EQ(product.file, "model.py");
    EXPECT_EQ(product.line, 14U);
    EXPECT_EQ(product.column, 8U);
    const UserPlace& fused = program.places[operation(main, "ttnn.three").place];
    EXPECT_EQ(fused.file, "layers.py");
    EXPECT_EQ(fused.line, 2U);
    EXPECT_EQ(program.places[operation(main, "ttnn.get_device").place].file, "");
    EXPECT_EQ(operation(main, "ttnn.matmul").line, 26U);
}

TEST(MlirProgram, is_read_in_the_generic_form) {
    const CompiledProgram program = program_of(R"(#d = #ttnn.buffer_type<dram>
#a = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #d>, <interleaved>>
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{ttcore.argument_type = #ttcore.argument_type<constant>}], function_type = (tensor<32xf32, #a>) -> tensor<32xf32, #a>, sym_name = "main", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<32xf32, #a>):
    %0 = "ttnn.abs"(%arg0) : (tensor<32xf32, #a>) -> tensor<32xf32, #a>
    "func.return"(%0) : (tensor<32xf32, #a>) -> ()
  }) {tt.function_type = "forward_device"} : () -> ()
}) {ttcore.system_desc = #ttcore.system_desc<[], [{arch = <blackhole>, grid = 10x13}], [0]>} : () -> ()
)");
    const ProgramFunction& main = *program.find("main");
    EXPECT_TRUE(main.is_private);
    EXPECT_EQ(main.kind, "forward_device");
    EXPECT_EQ(main.argument_kinds, (std::vector<std::string>{"constant"}));
    EXPECT_EQ(main.operations.size(), 1U);
    EXPECT_EQ(main.results, main.operations[0].results);
    EXPECT_EQ(program.system.grid_columns, 13);
}

TEST(MlirProgram, says_where_a_text_is_wrong) {
    const auto refusal = [](const std::string& text) {
        const auto read = read_mlir_program("file.mlir", std::make_shared<const std::string>(text));
        return read.ok() ? "" : read.error().message();
    };
    EXPECT_EQ(refusal("no module\n"),
              "file.mlir: expected a module with operations of the TTNN dialect, found no module");
    EXPECT_EQ(refusal("module {\n  \"ttnn.abs\"(%0) : (tensor<1xf32>) -> ()\n"),
              "file.mlir: line 3: expected '}', found the end");
    EXPECT_EQ(refusal("module {\n func.func @f() {\n  \"ttnn.abs\"(%0) : (tensor<1xf32>) -> ()\n }\n}\n"),
              "file.mlir: line 3: expected a value that is defined before it is used, found '%0'");
    EXPECT_EQ(refusal("module {\n func.func @f() {\n  %0 = \"ttnn.ones\"() : () -> ()\n }\n}\n"),
              "file.mlir: line 3: expected 0 results, as the type has, found 1");
}

// Whatever is cut out, doubled or changed: a program, or one line that says what is wrong.
TEST(MlirProgram, is_refused_or_read_however_it_is_damaged) {
    std::mt19937 random(7);
    const std::string whole = kDump;
    for (int i = 0; i < 3'000; ++i) {
        std::string text = whole;
        for (auto times = 1 + random() % 3; times > 0; --times) {
            const std::size_t at = random() % text.size(),
                              size = std::min<std::size_t>(random() % 40, text.size() - at);
            switch (random() % 4) {
                case 0:
                    text.erase(at, size);
                    break;
                case 1:
                    text.insert(at, text.substr(random() % text.size(), size));
                    break;
                case 2:
                    text[at] = static_cast<char>(random() % 256);
                    break;
                default:
                    text.resize(at);
            }
            if (text.empty()) text = "x";
        }
        const auto read = read_mlir_program("file.mlir", std::make_shared<const std::string>(text));
        if (!read) {
            EXPECT_EQ(read.error().message().find('\n'), std::string::npos);
            continue;
        }
        for (const ProgramFunction& function : read.value().functions)
            for (const ProgramOperation& each : function.operations) {
                for (const ValueId operand : each.operands)
                    ASSERT_LT(operand, function.values.size());
                try {
                    (void)each.read_attributes();
                } catch (const mlir::SyntaxError&) {
                }
            }
    }
}

TEST(MlirProgram, may_nest_as_deep_as_it_likes) {
    for (const char* const open : {"<", "[", "{", "("}) {
        std::string text = "module {\n func.func @f() {\n  \"ttnn.f\"() <{a = ";
        for (int i = 0; i < 100'000; ++i)
            text += open;
        const auto read = read_mlir_program("file.mlir", std::make_shared<const std::string>(text));
        EXPECT_FALSE(read.ok());
    }
    std::string regions = "module {\n";
    for (int i = 0; i < 100'000; ++i)
        regions += "\"ttnn.f\"() ({\n";
    EXPECT_FALSE(read_mlir_program("file.mlir", std::make_shared<const std::string>(regions)).ok());
}

// Files of tests, and what people paste: functions with no module around them.
TEST(MlirProgram, IsReadWithoutAModule) {
    auto program = read_mlir_program("test.mlir", std::make_shared<const std::string>(R"(
#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @first(%arg0: tensor<32x64xbf16, #layout>) -> tensor<32x64xbf16, #layout> {
  return %arg0 : tensor<32x64xbf16, #layout>
}

func.func @main(%arg0: tensor<32x64xbf16, #layout>) -> tensor<32x64xbf16, #layout> {
  %0 = "ttnn.relu"(%arg0) : (tensor<32x64xbf16, #layout>) -> tensor<32x64xbf16, #layout>
  return %0 : tensor<32x64xbf16, #layout>
}
)"));
    ASSERT_TRUE(program) << program.error().message();
    ASSERT_EQ(program->functions.size(), 2U);
    EXPECT_EQ(program->functions[1].name, "main");
    EXPECT_EQ(program->functions[1].operations[0].name, "ttnn.relu");
    EXPECT_TRUE(program->type_of(program->functions[1], 0).layout->is_tiled);
}

// Attributes may name others at the top of the file, which may do so again; what names itself stays as it is.
TEST(MlirProgram, WritesOutWhatAttributesName) {
    const CompiledProgram program = program_of(R"(
#dram = #ttnn.buffer_type<dram>
#cores = #ttnn.core_coord<8, 7>
#config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #cores, in0_block_w = 2>
#own = #ttnn.shape<#own>
module {
  func.func @main(%arg0: tensor<32x64xf32>) {
    "ttnn.matmul"(%arg0, %arg0) <{config = #config, other = #ttnn.memory_config<#dram, <interleaved>>, own = #own}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> ()
    return
  }
}
)");
    ASSERT_EQ(program.functions.size(), 1U);
    const mlir::Value attributes = program.functions[0].operations[0].read_attributes();
    const mlir::Value* config = attributes.find("config");
    ASSERT_NE(config, nullptr);
    EXPECT_EQ(config->text, "#ttnn.matmul_multi_core_reuse_program_config");
    const mlir::Value* cores = config->find("compute_with_storage_grid_size");
    ASSERT_NE(cores, nullptr);
    EXPECT_EQ(cores->text, "#ttnn.core_coord");
    ASSERT_NE(attributes.find("other"), nullptr);
    ASSERT_NE(attributes.find("other")->at(0), nullptr);
    EXPECT_EQ(attributes.find("other")->at(0)->text, "#dram");
    EXPECT_NE(attributes.find("own"), nullptr);
}

// Comments stand anywhere; a line of dashes begins another file, whose names are its own.
TEST(MlirProgram, KeepsWhatIsNamedAboveAComment) {
    const std::string names = R"(
#dram = #ttnn.buffer_type<dram>
// The layout of all.
#layout = #ttnn.ttnn_layout<
    (d0, d1) -> (d0, d1), <1x1>,
    memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
)";
    const std::string module = R"(
module {
  func.func @main(%arg0: tensor<32x64xbf16, #layout>) {
    "ttnn.relu"(%arg0) : (tensor<32x64xbf16, #layout>) -> ()
    return
  }
}
)";
    const CompiledProgram together = program_of(names + "// Next.\n" + module);
    ASSERT_TRUE(together.type_of(together.functions[0], 0).layout);
    EXPECT_EQ(together.type_of(together.functions[0], 0).layout->memory, "dram");
    const CompiledProgram apart = program_of(names + "// -----\n" + module);
    EXPECT_FALSE(apart.type_of(apart.functions[0], 0).layout);
}

// A mask's values are bits; what lies in memory is of the layout's type.
TEST(MlirProgram, TakesTheTypeOfElementsFromTheLayout) {
    const CompiledProgram program = program_of(R"(
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xf32, #ttnn.buffer_type<dram>>, <interleaved>>
module {
  func.func @main(%arg0: tensor<32x64xi1, #layout>, %arg1: tensor<32x64xi1, #layout1>) {
    "ttnn.relu"(%arg0) : (tensor<32x64xi1, #layout>) -> ()
    return
  }
}
)");
    ASSERT_EQ(program.functions.size(), 1U);
    EXPECT_EQ(program.type_of(program.functions[0], 0).element, "bf16");
    EXPECT_EQ(program.type_of(program.functions[0], 1).element, "f32");
}

// Shards without core ranges lie as their grid says: blocks in a rectangle, others along the rows of the chip.
TEST(MlirProgram, PlacesShardsThatOnlyAGridIsKnownOf) {
    const auto cores_of = [](const std::string& grid, const std::string& arrangement) {
        const CompiledProgram program = program_of(
            "#system_desc = #tt.system_desc<[{arch = <wormhole_b0>, grid = 8x8}], [0, 0], [3 : i32], [ 0x0x0x0]>\n"
            "#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <" +
            grid + ">, memref<1x1x!tt.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <" + arrangement +
            ">, exactGrid = true>\nmodule attributes {tt.system_desc = #system_desc} {\n"
            "  func.func @main(%arg0: tensor<32x32xbf16, #layout>) {\n"
            "    \"ttnn.deallocate\"(%arg0) : (tensor<32x32xbf16, #layout>) -> ()\n    return\n  }\n}\n");
        EXPECT_EQ(program.system.chip_count, 2U);
        EXPECT_EQ(program.system.architecture, "wormhole_b0");
        std::string text;
        for (const Cores& cores : program.types.at(0).layout->cores)
            text += "(" + std::to_string(cores.first_x) + "," + std::to_string(cores.first_y) + ")-(" +
                    std::to_string(cores.last_x) + "," + std::to_string(cores.last_y) + ")";
        return text;
    };
    EXPECT_EQ(cores_of("2x5", "block_sharded"), "(0,0)-(4,1)");
    EXPECT_EQ(cores_of("20x1", "height_sharded"), "(0,0)-(7,1)(0,2)-(3,2)");
    EXPECT_EQ(cores_of("1x64, (d0, d1) -> (0, d1 floordiv 8, d1 mod 8)", "width_sharded"), "(0,0)-(7,7)");
    EXPECT_EQ(cores_of("1x3", "width_sharded"), "(0,0)-(2,0)");
    EXPECT_EQ(cores_of("1x1", "interleaved"), "");
}

TEST(MlirProgram, SaysThatAnArgumentHasNoType) {
    const auto program = read_mlir_program(
        "test.mlir",
        std::make_shared<const std::string>("module {\n  func.func @main(%arg0: ()) {\n  }\n}\n"));
    ASSERT_FALSE(program);
    EXPECT_NE(program.error().message().find("test.mlir: line 2: expected a type"), std::string::npos)
        << program.error().message();
}

// Of an operation that only its dialect can print the lines that go on, and no value of its regions, are taken.
TEST(MlirProgram, PassesOverFormsThatItDoesNotKnow) {
    auto program = read_mlir_program("test.mlir", std::make_shared<const std::string>(R"(module {
  func.func @main(%arg0: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
    %0 = d2m.spatial {grid = [1, 1]}
        ins(%arg0 : tensor<32x64xbf16>)
        outs(%arg0 : tensor<32x64xbf16>)
    {
      ^region_0:
        %inner = d2m.generic ins(%unknown : tensor<32x64xbf16>)
    },
    {
    }
     : tensor<32x64xbf16>
    %1 = "ttnn.relu"(%0) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    return %1 : tensor<32x64xbf16>
  }
}
)"));
    ASSERT_TRUE(program) << program.error().message();
    const ProgramFunction& main = program->functions.front();
    ASSERT_EQ(main.operations.size(), 2U);
    EXPECT_FALSE(main.operations[0].is_understood);
    EXPECT_EQ(main.operations[1].operands, main.operations[0].results);
}

}  // namespace
}  // namespace tilemeter::foreign
